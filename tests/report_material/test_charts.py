from __future__ import annotations

import re
import socket

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lmms_eval_tasks.report.material.charts import (
    NO_ANSWER,
    NOT_JUDGED,
    RIGHT,
    WRONG,
    Measured,
    Part,
    curve,
    measured,
    stacked,
)
from lmms_eval_tasks.report.material.drawing import TEXT, WIDTH, drawn, name_of, shown
from tests.report_material.svg import NAMESPACE, filled, parsed, texts

HOSTILE = '</text><script>alert(1)</script><img src=x onerror="alert(1)">&\x00\ud800'
PARTS = (RIGHT, WRONG, NO_ANSWER, NOT_JUDGED)


def charts(label: str) -> list[str]:
    words = {"name": name_of("t", label), "title": label, "description": label}
    entry = Measured(label, 50.0, label, 40.0, 60.0, {label: 70.0})
    drawings = [
        stacked({label: {Part(label, "✓", RIGHT.colour): 3, WRONG: 1}}, **words),
        measured([entry, Measured("none", None, "none asked")], **words),
        curve([(1, 10.0), (2, 20.0)], along=label, **words),
    ]
    assert all(drawings)
    return [drawing for drawing in drawings if drawing]


@pytest.mark.parametrize("label", [HOSTILE, "objects", "角度", "", "javascript:alert(1)"])
def test_whatever_a_label_says_stays_text(label):
    for svg in charts(label):
        root = parsed(svg)
        tags = {element.tag.removeprefix(NAMESPACE) for element in root.iter()}
        assert tags <= {"svg", "title", "desc", "g", "path", "line", "text"}
        for element in root.iter():
            assert not [name for name in element.attrib if name.startswith("on")]
            assert not {"href", "{http://www.w3.org/1999/xlink}href"} & set(element.attrib)


def test_a_chart_asks_nothing_of_the_network(monkeypatch):
    def refused(*_):
        raise AssertionError("a chart opens a connection")

    monkeypatch.setattr(socket.socket, "connect", refused)
    for svg in charts("objects"):
        without_namespace = svg.replace("http://www.w3.org/2000/svg", "")
        assert "http" not in without_namespace
        assert "url(" not in without_namespace
        assert "@import" not in without_namespace


def test_data_from_elsewhere_are_refused():
    spec = {
        "data": {"url": "http://127.0.0.1:9/data.json"},
        "mark": "bar",
        "encoding": {"x": {"field": "a", "type": "quantitative"}},
    }
    with pytest.raises(ValueError, match=r"127\.0\.0\.1"):
        drawn(spec, name="n", title="t", description="d")


def test_a_screen_reader_gets_a_name_and_a_description():
    for svg in charts("objects"):
        root = parsed(svg)
        ids = [element.get("id") for element in root.iter() if element.get("id")]
        assert root.get("role") == "img"
        assert root.get("aria-labelledby", "").split() == ids
        assert [element.text for element in root if element.get("id")] == ["objects", "objects"]


def test_nothing_inside_a_chart_speaks_for_itself_or_meets_the_page_s_styles():
    for svg in charts("objects"):
        root = parsed(svg)
        assert "height" not in root.attrib
        for element in root.iter():
            assert not {"class", "pointer-events"} & set(element.attrib)
            inside = element is not root
            assert not (
                inside and any(name.startswith(("aria", "role")) for name in element.attrib)
            )


def test_text_is_readable_on_a_phone():
    for svg in charts("objects"):
        root = parsed(svg)
        scale = 350 / float(root.get("viewBox", "").split()[2])
        sizes = [
            float(element.get("font-size", "0").removesuffix("px"))
            for element in root.iter(f"{NAMESPACE}text")
        ]
        assert min(sizes) * scale >= 11
    assert TEXT * 350 / WIDTH >= 11


def test_every_colour_is_the_page_s_with_one_to_fall_back_on():
    for svg in charts("objects"):
        colours = re.findall(r'(?:fill|stroke)="([^"]*)"', svg)
        assert {colour for colour in colours if not colour.startswith("var(--")} <= {"none"}
        assert all(", " in colour for colour in colours if colour != "none")


def test_each_part_is_told_without_colour():
    svg = stacked({"all": {RIGHT: 6, WRONG: 4}}, name="n", title="t", description="d")
    assert {"✓ 6", "✗ 4", "✓ right", "✗ wrong"} <= set(texts(svg))


def test_a_long_name_does_not_meet_its_value():
    entry = Measured("n" * 200, 10.0, "10.0 [1.0, 20.0] · 1,000")
    name, value = (
        text
        for text in texts(measured([entry], name="n", title="t", description="d"))
        if text.startswith(("nn", "10.0"))
    )
    assert len(name) + len(value) <= 50
    assert name.endswith("…")


@settings(deadline=None, max_examples=30)
@given(st.lists(st.lists(st.integers(0, 5_000), min_size=4, max_size=4), min_size=1, max_size=4))
def test_the_parts_of_each_bar_fill_it(rows):
    counts = {f"row {at}": dict(zip(PARTS, row, strict=True)) for at, row in enumerate(rows)}
    svg = stacked(counts, name="n", title="t", description="d")
    bars = sum(any(row) for row in rows)
    if not bars:
        assert svg is None
        return
    widths = [width for part in PARTS for width in filled(svg, part.colour) if width != 10]
    assert sum(widths) == pytest.approx(bars * WIDTH, abs=0.01 * len(widths))


def test_the_width_of_a_part_is_its_share():
    svg = stacked({"all": {RIGHT: 1, WRONG: 3}}, name="n", title="t", description="d")
    assert filled(svg, RIGHT.colour)[0] == pytest.approx(WIDTH / 4)


def test_nothing_is_drawn_of_nothing():
    words = {"name": "n", "title": "t", "description": "d"}
    assert stacked({"all": {RIGHT: 0}}, **words) is None
    assert measured([], **words) is None
    assert curve([(1, 50.0)], along="k", **words) is None


def test_names_are_safe_in_markup():
    assert name_of('a"b c', "<d>") == "a-b-c-d"
    assert name_of("角", "x") == "x-x"
    assert shown("a\n\tb\x00") == "a b\ufffd"
