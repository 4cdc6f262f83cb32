"""A problem's diagram: from whatever a data set holds in its place to an RGB picture or None."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path

from PIL import Image


def diagram_of(cell: object) -> Image.Image | None:
    """Decode a diagram.

    Args:
        cell: A PIL image, a mapping with ``bytes`` or ``path`` (an image of a data set that is
            read without decoding), or None.

    Returns:
        The picture in RGB, transparent parts on white as the problems are printed; None where
        there is no diagram or it cannot be decoded.
    """
    try:
        image = _opened(cell)
        return None if image is None else _on_white(image)
    except Exception:  # noqa: BLE001 - decoders of broken files raise nearly anything
        return None


def _opened(cell: object) -> Image.Image | None:
    if isinstance(cell, Image.Image):
        return cell
    if not isinstance(cell, Mapping):
        return None
    content, path = cell.get("bytes"), cell.get("path")
    if not content and path:
        content = Path(path).read_bytes()
    return Image.open(io.BytesIO(content)) if content else None


def _on_white(image: Image.Image) -> Image.Image:
    if not image.has_transparency_data:
        return image.convert("RGB")
    picture = image.convert("RGBA")
    white = Image.new("RGBA", picture.size, "white")
    return Image.alpha_composite(white, picture).convert("RGB")
