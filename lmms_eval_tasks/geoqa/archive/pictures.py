"""Diagrams as the archives hold them, arrays of many kinds, made into PNG."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from lmms_eval_tasks.geoqa.archive.arrays import ArrayError, PickledArray

if TYPE_CHECKING:  # numpy takes a while to import, and only `png_of` needs it
    import numpy as np

    Array = np.ndarray[Any, Any]

MAX_SIDE, MAX_PIXELS = 20_000, 50_000_000
_WHITE = 255.0
_CHANNELS = frozenset((1, 2, 3, 4))
_GREY_ALPHA, _COLOURS = 2, 3
# Interpolation may leave values a little above the top of a range of 0 to 1.
_UNIT_TOP = 1.01


class PictureError(ValueError):
    """An array is no picture; the message is one clause that says why."""


def png_of(array: PickledArray) -> bytes:
    """Encode a diagram as PNG.

    Args:
        array: Height × width, or height × width × channels: grey, grey with alpha, RGB or RGBA,
            also with the channels first. Whole numbers or floats, from 0 to 1 or from 0 to 255 (or
            65535): what is not full range is brought to 0 to 255.

    Returns:
        A PNG in grey or RGB; what is transparent is white, as the problems are printed, and so is
        what is no number.

    Raises:
        PictureError: The shape is none of these, or too large, or it holds no numbers.
    """
    import numpy as np  # noqa: PLC0415 - see TYPE_CHECKING above
    from PIL import Image  # noqa: PLC0415 - likewise

    with np.errstate(all="ignore"):
        picture = _on_white(_full_range(_channels_last(_numbers(array))))
    buffer = io.BytesIO()
    Image.fromarray(picture).save(buffer, format="PNG")
    return buffer.getvalue()


def _numbers(array: PickledArray) -> Array:
    try:
        numbers = array.to_numpy()
    except ArrayError as error:
        raise PictureError(str(error)) from error
    if numbers.dtype.kind not in "biuf":
        raise PictureError(f"it holds {numbers.dtype} in place of numbers")
    if not numbers.size or numbers.size > 4 * MAX_PIXELS or max(numbers.shape) > MAX_SIDE:
        raise PictureError(f"it has the shape {numbers.shape}")
    return numbers


def _channels_last(numbers: Array) -> Array:
    """Height × width × channels."""
    shape = numbers.shape
    if numbers.ndim == 2:  # noqa: PLR2004 - height and width
        grey: Array = numbers[:, :, None]
        return grey
    if numbers.ndim == 3 and shape[2] in _CHANNELS:  # noqa: PLR2004 - and channels
        return numbers
    if numbers.ndim == 3 and shape[0] in _CHANNELS:  # noqa: PLR2004 - channels first
        channels_last: Array = numbers.transpose(1, 2, 0)
        return channels_last
    raise PictureError(f"it has the shape {shape}")


def _full_range(numbers: Array) -> Array:
    """The same in floats from 0 to 255."""
    import numpy as np  # noqa: PLC0415 - see TYPE_CHECKING above

    values = np.nan_to_num(numbers.astype(np.float64), nan=np.nan, posinf=np.nan, neginf=np.nan)
    if np.isnan(values).all():
        raise PictureError("it holds no numbers")
    lowest, top = float(np.nanmin(values)), float(np.nanmax(values))
    if lowest < 0:
        # Normalised around zero for some network: where its black and white lay is not known.
        values, top = (values - lowest) / (top - lowest or 1), 1.0
    if top <= _UNIT_TOP:
        values = values * _WHITE
    elif top > _WHITE:
        values = values * (_WHITE / (65535.0 if numbers.dtype == np.uint16 else top))
    return np.nan_to_num(values, nan=_WHITE).clip(0, _WHITE)


def _on_white(values: Array) -> Array:
    """Bytes, grey or RGB, over a white ground."""
    channels = values.shape[2]
    if channels in {_GREY_ALPHA, _COLOURS + 1}:
        alpha = values[:, :, -1:] / _WHITE
        values = values[:, :, :-1] * alpha + _WHITE * (1 - alpha)
    rounded: Array = values.round().astype("uint8")
    return rounded[:, :, 0] if rounded.shape[2] == 1 else rounded
