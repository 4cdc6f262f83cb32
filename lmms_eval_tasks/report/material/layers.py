"""The layers that charts are made of: bars by row, words above them, intervals and marks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from lmms_eval_tasks.report.material.drawing import GROUND, INK, TEXT, WIDTH, shown

Layer: TypeAlias = dict[str, Any]

BAR = 16
_ROW = 49
_PERCENT = 100.0
_NARROWEST_LABELLED = 0.055  # a glyph of 14 units, with some air
_SHAPES = ("diamond", "triangle-up", "square", "cross", "triangle-down", "circle")
_LINE, _SHORTEST = 50, 12  # how many characters fit into a line, and into a name at the least
_LABEL_ABOVE = -BAR / 2 - 9


@dataclass(frozen=True, slots=True)
class Part:
    """One of the parts that make a whole.

    Attributes:
        name: What it is called.
        glyph: A sign that tells it from the others without colour.
        colour: A CSS colour.
    """

    name: str
    glyph: str
    colour: str


@dataclass(frozen=True, slots=True)
class Measured:
    """A share with its interval.

    Attributes:
        label: What was measured.
        value: Percent, 0 to 100; None where there is nothing to measure.
        text: The value in words.
        low: The lower bound of its interval; None without one.
        high: The upper bound.
        marks: Other values to compare it with, in percent, by whose they are.
    """

    label: str
    value: float | None
    text: str
    low: float | None = None
    high: float | None = None
    marks: Mapping[str, float] = field(default_factory=dict)


def rows_of(count: int) -> Layer:
    """The frame of a chart with so many bars, each under a line of words."""
    y = {
        "field": "row",
        "type": "ordinal",
        "axis": None,
        "scale": {"domain": list(range(count)), "paddingInner": 0, "paddingOuter": 0},
    }
    return {"width": WIDTH, "height": count * _ROW, "encoding": {"y": y}}


def segments(counts: Mapping[Part, int], total: int, row: object) -> list[Layer]:
    """The parts of one bar, from left to right, with what fits into each."""
    found: list[Layer] = []
    start = 0
    for part, count in counts.items():
        if not count:
            continue
        share = count / total
        found.append(
            {
                "row": row,
                "part": _inlegend(part),
                "from": _PERCENT * start / total,
                "to": _PERCENT * (start + count) / total,
                "middle": _PERCENT * (start + count / 2) / total,
                "sign": _sign(part, count, share),
            }
        )
        start += count
    return found


def _sign(part: Part, count: int, share: float) -> str:
    """What fits into a segment: its glyph and count, its glyph, or nothing."""
    whole = f"{part.glyph} {count:,}"
    if share > _NARROWEST_LABELLED * len(whole) / 2 + 0.01:
        return whole
    return part.glyph if share >= _NARROWEST_LABELLED else ""


def _inlegend(part: Part) -> str:
    return shown(f"{part.glyph} {part.name}")


def across(field_name: str) -> Layer:
    """The horizontal position, in percent of the chart's width."""
    axis = {"values": [0, 25, 50, 75, 100], "title": None, "grid": False}
    scale = {"domain": [0, 100], "nice": False}
    return {
        "x": {"field": field_name, "type": "quantitative", "scale": scale, "axis": axis},
    }


def words(rows: Sequence[tuple[int, str, str]]) -> list[Layer]:
    """The name of each row above its left end, and its value above its right end.

    Args:
        rows: Position, name and value; a name is cut so that it does not meet the value.
    """
    labels = [
        {"row": row, "label": shown(name, max(_SHORTEST, _LINE - len(text))), "text": shown(text)}
        for row, name, text in rows
    ]
    common = {"type": "text", "fontSize": TEXT, "fill": INK, "baseline": "middle"}
    return [
        {
            "data": {"values": labels},
            "mark": {**common, "align": align, "dy": _LABEL_ABOVE, "fontWeight": weight},
            "encoding": {"x": {"value": at}, "text": {"field": what}},
        }
        for what, align, at, weight in (
            ("label", "left", 0, "normal"),
            ("text", "right", "width", "bold"),
        )
    ]


def intervals(bounds: Sequence[Mapping[str, object]]) -> list[Layer]:
    """A whisker from the lower bound to the upper one, with an edge that sets it off from a bar."""
    if not bounds:
        return []
    data = {"values": list(bounds)}
    layers: list[Layer] = []
    for colour, more in ((GROUND, 3), (INK, 0)):
        whisker = {"type": "rule", "color": colour, "strokeWidth": 2 + more}
        end = {"type": "tick", "color": colour, "thickness": 2 + more, "size": 9 + more}
        end |= {"orient": "vertical", "opacity": 1}
        layers += [
            {"data": data, "mark": whisker, "encoding": {**across("low"), "x2": {"field": "high"}}},
            {"data": data, "mark": end, "encoding": across("low")},
            {"data": data, "mark": end, "encoding": across("high")},
        ]
    return layers


def marks(entries: Sequence[Measured]) -> list[Layer]:
    """Other values, told apart by their shape."""
    names = list(dict.fromkeys(name for entry in entries for name in entry.marks))
    if not names:
        return []
    values = [
        {"row": row, "value": value, "whose": shown(name)}
        for row, entry in enumerate(entries)
        for name, value in entry.marks.items()
    ]
    shapes = [_SHAPES[position % len(_SHAPES)] for position in range(len(names))]
    mark = {"type": "point", "size": 80, "filled": True, "color": INK, "stroke": GROUND}
    mark |= {"strokeWidth": 1, "opacity": 1}
    shape = {
        "field": "whose",
        "type": "nominal",
        "scale": {"domain": [shown(name) for name in names], "range": shapes},
        "legend": {"title": None, "orient": "bottom", "columns": 1, "symbolFillColor": INK},
    }
    encoding = {**across("value"), "shape": shape}
    return [{"data": {"values": values}, "mark": mark, "encoding": encoding}]


def legend(parts: Sequence[Part]) -> Layer:
    """The colour of each part, with a legend that names it and its glyph."""
    domain = [_inlegend(part) for part in parts]
    look = {"symbolType": "square", "symbolStrokeWidth": 0}
    return {
        "field": "part",
        "type": "nominal",
        "scale": {"domain": domain, "range": [part.colour for part in parts]},
        "legend": {"title": None, "orient": "bottom", "columns": 2, **look},
    }
