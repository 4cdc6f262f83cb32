"""Rows of our own for the tests of GeoQA."""

from __future__ import annotations

import io
from typing import Any

from PIL import Image


def row(**changes: Any) -> dict[str, Any]:
    """A complete row as a user would write it; ``changes`` replace or add columns."""
    return {
        "id": "isosceles",
        "type": "angle",
        "question": "In triangle ABC, AB = AC and angle A = 50°. How large is angle B?",
        "numbers": [50.0],
        "choices": ["50°", "65°", "130°", "cannot be determined"],
        "choice_nums": [50.0, 65.0, 130.0, None],
        "label": 1,
        "program": "g_minus C_3 N_0 g_half V_0",
        **changes,
    }


def without(*columns: str, **changes: Any) -> dict[str, Any]:
    """The same row without some of its columns; ``changes`` come after."""
    return {name: value for name, value in row().items() if name not in columns} | changes


def png(colour: Any = "black", mode: str = "RGB") -> bytes:
    """A small picture."""
    buffer = io.BytesIO()
    Image.new(mode, (24, 16), colour).save(buffer, "PNG")
    return buffer.getvalue()
