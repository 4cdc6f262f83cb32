"""Pictures to bytes, in the formats and modes that real benchmark pictures come in."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from types import MappingProxyType

from PIL import Image

_PAPER = "white"
_EXIF_ORIENTATION, _TURN_CLOCKWISE = 0x0112, 6


def on_paper(picture: Image.Image) -> Image.Image:
    """The picture in mode RGB, on white where it is transparent."""
    paper = Image.new("RGBA", picture.size, _PAPER)
    paper.alpha_composite(picture.convert("RGBA"))
    return paper.convert("RGB")


def png(picture: Image.Image) -> bytes:
    """PNG in the picture's own mode."""
    return _saved(picture, "PNG", optimize=True)


def _jpeg(picture: Image.Image) -> bytes:
    return _saved(on_paper(picture), "JPEG", quality=85)


def _progressive_jpeg(picture: Image.Image) -> bytes:
    return _saved(on_paper(picture), "JPEG", quality=85, progressive=True)


def _cmyk_jpeg(picture: Image.Image) -> bytes:
    return _saved(on_paper(picture).convert("CMYK"), "JPEG", quality=80)


def _turned_jpeg(picture: Image.Image) -> bytes:
    """A JPEG that lies on its side and whose EXIF data says how to turn it upright."""
    exif = Image.Exif()
    exif[_EXIF_ORIENTATION] = _TURN_CLOCKWISE
    lying = on_paper(picture).transpose(Image.Transpose.ROTATE_90)
    return _saved(lying, "JPEG", quality=85, exif=exif)


def _palette_png(picture: Image.Image) -> bytes:
    """A palette with 256 entries; a picture in RGBA keeps its transparency."""
    return png(picture.quantize(256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE))


def _opaque_palette_png(picture: Image.Image) -> bytes:
    return _palette_png(on_paper(picture))


def _rgb_png(picture: Image.Image) -> bytes:
    return png(on_paper(picture))


def _webp(picture: Image.Image) -> bytes:
    return _saved(on_paper(picture), "WEBP", quality=82, method=4)


def _lossless_webp(picture: Image.Image) -> bytes:
    return _saved(on_paper(picture), "WEBP", lossless=True, method=4)


def _gif(picture: Image.Image) -> bytes:
    return _saved(on_paper(picture).quantize(64, dither=Image.Dither.NONE), "GIF")


def _two_level_bmp(picture: Image.Image) -> bytes:
    return _saved(on_paper(picture).convert("1", dither=Image.Dither.NONE), "BMP")


ENCODERS: Mapping[str, Callable[[Image.Image], bytes]] = MappingProxyType(
    {
        "JPEG": _jpeg,
        "progressive JPEG": _progressive_jpeg,
        "CMYK JPEG": _cmyk_jpeg,
        "JPEG turned by EXIF": _turned_jpeg,
        "RGBA PNG": png,
        "RGB PNG": _rgb_png,
        "palette PNG": _opaque_palette_png,
        "palette PNG with transparency": _palette_png,
        "WebP": _webp,
        "lossless WebP": _lossless_webp,
        "GIF": _gif,
        "two-level BMP": _two_level_bmp,
    }
)
"""How to turn a picture in mode RGBA into the bytes of a file, by the name of the format."""


def _saved(picture: Image.Image, file_format: str, **options: object) -> bytes:
    target = io.BytesIO()
    picture.save(target, file_format, **options)
    return target.getvalue()
