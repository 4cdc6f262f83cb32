"""Small pictures as data URIs: one picture, or a strip of frames."""

from __future__ import annotations

import io
from base64 import b64encode
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image

LONGEST_SIDE = 256
"""The longest side of a thumbnail, in pixels."""
STRIP_WIDTH = 640
"""The width of a strip of frames, in pixels."""
_QUALITY = 60
_GAP = 4


def thumbnail(picture: Image) -> str:
    """A picture in RGB, made small, as a data URI.

    Args:
        picture: In mode RGB; it is changed.
    """
    picture.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    return _data_uri(picture)


def strip(frames: Sequence[Image]) -> str:
    """Frames of one video side by side, as a data URI.

    Args:
        frames: At least one, in mode RGB and all of one size; they are changed.
    """
    from PIL import Image as PillowImage  # noqa: PLC0415 - only a report with pictures needs it

    width = (STRIP_WIDTH - _GAP * (len(frames) - 1)) // len(frames)
    for frame in frames:
        frame.thumbnail((width, width))
    width, height = frames[0].size
    whole = PillowImage.new("RGB", ((width + _GAP) * len(frames) - _GAP, height), "white")
    for place, frame in enumerate(frames):
        whole.paste(frame, (place * (width + _GAP), 0))
    return _data_uri(whole)


def _data_uri(picture: Image) -> str:
    buffer = io.BytesIO()
    picture.save(buffer, format="WEBP", quality=_QUALITY, method=2)
    return f"data:image/webp;base64,{b64encode(buffer.getvalue()).decode('ascii')}"
