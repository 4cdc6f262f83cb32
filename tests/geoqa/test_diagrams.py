"""Whatever stands in an image column becomes an RGB picture or None."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from lmms_eval_tasks.geoqa.diagrams import diagram_of
from tests.geoqa.rows import png


def test_bytes_paths_and_pictures(tmp_path: Path) -> None:
    file = tmp_path / "diagram.png"
    file.write_bytes(png())
    cells: list[object] = [
        {"bytes": png(), "path": None},
        {"bytes": None, "path": str(file)},
        {"bytes": png(), "path": "elsewhere.png"},
        Image.open(io.BytesIO(png())),
    ]
    for cell in cells:
        diagram = diagram_of(cell)
        assert diagram is not None
        assert (diagram.mode, diagram.size) == ("RGB", (24, 16))


@pytest.mark.parametrize("mode", ["RGBA", "LA", "P"])
def test_transparent_parts_are_white(mode: str) -> None:
    clear = Image.new("RGBA", (4, 4), (0, 0, 0, 0)).convert(mode)
    buffer = io.BytesIO()
    clear.save(buffer, "PNG", **({"transparency": 0} if mode == "P" else {}))
    diagram = diagram_of({"bytes": buffer.getvalue(), "path": None})
    assert diagram is not None
    assert diagram.getpixel((1, 1)) == (255, 255, 255)


@pytest.mark.parametrize("mode", ["1", "L", "CMYK", "I;16"])
def test_other_modes_become_rgb(mode: str) -> None:
    diagram = diagram_of(Image.new(mode, (4, 4)))
    assert diagram is not None
    assert diagram.mode == "RGB"


@pytest.mark.parametrize(
    "cell",
    [
        None,
        "",
        7,
        [],
        {},
        {"bytes": None, "path": None},
        {"bytes": b"", "path": ""},
        {"bytes": b"no picture", "path": None},
        {"bytes": png()[:45], "path": None},
        {"bytes": None, "path": "/no/such/file.png"},
        {"bytes": "text", "path": None},
    ],
)
def test_what_is_no_picture_is_none(cell: object) -> None:
    assert diagram_of(cell) is None


@given(st.binary(max_size=200))
def test_no_bytes_raise(content: bytes) -> None:
    diagram_of({"bytes": content, "path": None})
    diagram_of({"bytes": png()[:40] + content, "path": None})
