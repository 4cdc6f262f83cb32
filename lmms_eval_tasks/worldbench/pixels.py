"""Pixels of any Pillow mode, as vision APIs and local models can take them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType

from PIL import Image, ImageChops

_ORIENTATION = 0x0112  # the EXIF tag
_UPRIGHT: Mapping[int, Image.Transpose] = MappingProxyType(
    {
        2: Image.Transpose.FLIP_LEFT_RIGHT,
        3: Image.Transpose.ROTATE_180,
        4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE,
        6: Image.Transpose.ROTATE_270,
        7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_90,
    }
)
SIDEWAYS = frozenset({5, 6, 7, 8})
"""The EXIF orientations under which width and height change places."""
_PLAIN_MODES = frozenset({"1", "L", "LA", "P", "RGB", "RGBA"})
_WITH_ALPHA: Mapping[str, str] = MappingProxyType({"1": "LA", "L": "LA", "LA": "LA", "La": "LA"})
_EIGHT_BITS, _SIXTEEN_BITS = 255, 65_535


def orientation(image: Image.Image) -> int:
    """The EXIF orientation, 1 to 8; 1 (upright) where there is none or it cannot be read."""
    try:
        # PNG's own getexif would decode the pixels in search of metadata behind them.
        stated = Image.Image.getexif(image).get(_ORIENTATION, 1)
    except Exception:  # noqa: BLE001 - malformed metadata raises anything; the pixels are sound
        return 1
    return stated if isinstance(stated, int) and stated in _UPRIGHT else 1


def turned_upright(image: Image.Image, stated: int) -> Image.Image:
    """Undo an EXIF orientation (not `ImageOps.exif_transpose`: that fails on malformed EXIF)."""
    return image.transpose(_UPRIGHT[stated]) if stated in _UPRIGHT else image


def plain(image: Image.Image) -> Image.Image:
    """The same picture with 8 bits a channel, in a mode that PNG holds.

    CMYK, YCbCr, LAB and HSV become RGB as Pillow converts them, without their ICC profile.
    Transparency of any kind (alpha, premultiplied alpha, a colour key, a palette's) becomes an
    alpha channel. Modes of more than 8 bits (I;16, I, F) become L by the range of their values:
    0 to 1 (F only) is scaled, 0 to 255 is kept, 0 to 65,535 is scaled, any other range is stretched
    from its least to its greatest value. They are not kept, since common servers clip them.

    Args:
        image: A loaded image of any mode.

    Returns:
        An image of mode 1, L, LA, P, RGB or RGBA, without metadata.
    """
    mode = image.mode
    if mode == "F" or mode.startswith("I"):
        converted = _eight_bits(image)
    elif image.has_transparency_data:
        converted = _with_alpha(image)
    else:
        converted = image.copy() if mode in _PLAIN_MODES else image.convert("RGB")
    converted.info = {}
    return converted


def on_white(image: Image.Image) -> Image.Image:
    """A plain image as RGB, its transparency composited on white."""
    if image.mode not in {"LA", "RGBA"}:
        return image.convert("RGB")
    colours = image.convert("RGBA")
    white = Image.new("RGBA", image.size, "white")
    return Image.alpha_composite(white, colours).convert("RGB")


def resized(image: Image.Image, size: tuple[int, int]) -> Image.Image:
    """A plain image at another size (Lanczos; alpha weighs the colours)."""
    smooth = {"1": "L", "P": "RGB"}.get(image.mode)
    image = image.convert(smooth) if smooth else image
    return image.resize(size, Image.Resampling.LANCZOS)


def _eight_bits(image: Image.Image) -> Image.Image:
    """Mode L, or LA where one value was declared transparent."""
    deep = image if image.mode == "F" else image.convert("I").convert("F")
    least, greatest = deep.getextrema()
    scale, offset = _levels(float(least), float(greatest), unit=image.mode == "F")  # type: ignore[arg-type] # numbers, as there is one band
    # Pillow cuts fractions off, so half a level is added to round.
    grey = deep.point(lambda value: value * scale + (offset + 0.5)).convert("L")
    key = image.info.get("transparency")
    if not isinstance(key, int):
        return grey
    above = deep.point(lambda value: value * _EIGHT_BITS - key * _EIGHT_BITS).convert("L")
    below = deep.point(lambda value: value * -_EIGHT_BITS + key * _EIGHT_BITS).convert("L")
    return Image.merge("LA", (grey, ImageChops.lighter(above, below)))


def _with_alpha(image: Image.Image) -> Image.Image:
    key = image.info.get("transparency")
    if image.mode == "RGB" and isinstance(key, tuple) and max(key) > _EIGHT_BITS:
        # Pillow drops the low byte of 16-bit colours, but not that of their colour key.
        image = image.copy()
        image.info["transparency"] = tuple(value >> 8 for value in key)
    return image.convert(_WITH_ALPHA.get(image.mode, "RGBA"))


def _levels(least: float, greatest: float, *, unit: bool) -> tuple[float, float]:
    """Scale and offset that bring a range of values to 0 to 255."""
    if not (math.isfinite(least) and math.isfinite(greatest)):
        return 1.0, 0.0
    if least >= 0:
        if unit and greatest <= 1:
            return float(_EIGHT_BITS), 0.0
        if greatest <= _EIGHT_BITS:
            return 1.0, 0.0
        if greatest <= _SIXTEEN_BITS:
            return _EIGHT_BITS / _SIXTEEN_BITS, 0.0
    scale = _EIGHT_BITS / max(greatest - least, 1.0)
    return scale, -least * scale
