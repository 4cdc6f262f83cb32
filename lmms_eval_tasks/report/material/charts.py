"""The three charts of a report: parts of a whole, measured shares, and a curve.

Every bar has its name and its value in words above it, so that colour says nothing alone and no
label is cut on a narrow screen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lmms_eval_tasks.report.material.drawing import (
    ACCENT,
    GROUND,
    INK,
    LINE,
    MUTED,
    TEXT,
    WIDTH,
    drawn,
    shown,
)
from lmms_eval_tasks.report.material.layers import (
    BAR,
    Layer,
    Measured,
    Part,
    across,
    intervals,
    legend,
    marks,
    rows_of,
    segments,
    words,
)

__all__ = [
    "NOT_JUDGED",
    "NO_ANSWER",
    "RIGHT",
    "WRONG",
    "Measured",
    "Part",
    "curve",
    "measured",
    "stacked",
]

# White on any of these has a contrast of at least 4.5, and so has any of these on white.
RIGHT = Part("right", "✓", "var(--right, #2a7d4f)")
WRONG = Part("wrong", "✗", "var(--wrong, #b3423a)")
NO_ANSWER = Part("no answer", "–", "var(--none, #6b6b6b)")
NOT_JUDGED = Part("not judged", "?", "var(--unjudged, #6f5a9e)")


def stacked(
    rows: Mapping[str, Mapping[Part, int]], *, name: str, title: str, description: str
) -> str | None:
    """Parts of wholes, one bar each, all of the same length.

    Args:
        rows: For each whole how many belong to each part, in the order of the parts.
        name: As `drawing.drawn` takes it.
        title: As there.
        description: As there.

    Returns:
        The chart, with a legend that names each part; None where nothing is counted.
    """
    data: list[Layer] = []
    labels: list[tuple[int, str, str]] = []
    for row, counts in rows.items():
        total = sum(counts.values())
        if not total:
            continue
        data += segments(counts, total, len(labels))
        labels.append((len(labels), row, f"{total:,}"))
    if not data:
        return None
    parts = list(dict.fromkeys(part for counts in rows.values() for part in counts))
    used = [part for part in parts if any(counts.get(part) for counts in rows.values())]
    spec = rows_of(len(labels))
    spec["layer"] = [
        {
            "data": {"values": data},
            "mark": {"type": "bar", "size": BAR, "stroke": GROUND, "strokeWidth": 1.5},
            "encoding": {
                **across("from"),
                "x2": {"field": "to"},
                "color": legend(used),
            },
        },
        {
            "data": {"values": [entry for entry in data if entry["sign"]]},
            "mark": {
                "type": "text",
                "fontSize": TEXT,
                "fontWeight": "bold",
                "fill": "var(--on-colour, #fff)",
            },
            "encoding": {**across("middle"), "text": {"field": "sign"}},
        },
        *words(labels),
    ]
    return drawn(spec, name=name, title=title, description=description)


def measured(entries: Sequence[Measured], *, name: str, title: str, description: str) -> str | None:
    """Shares as bars, each with its interval and with what it is to be compared with.

    Args:
        entries: From top to bottom.
        name: As `drawing.drawn` takes it.
        title: As there.
        description: As there.

    Returns:
        The chart; None where there is nothing to draw.
    """
    if not entries:
        return None
    labels = [(row, entry.label, entry.text) for row, entry in enumerate(entries)]
    bars = [
        {"row": row, "value": entry.value}
        for row, entry in enumerate(entries)
        if entry.value is not None
    ]
    bounds = [
        {"row": row, "low": entry.low, "high": entry.high}
        for row, entry in enumerate(entries)
        if entry.low is not None and entry.high is not None
    ]
    spec = rows_of(len(entries))
    spec["layer"] = [
        {
            "data": {"values": [{"row": row, "from": 0, "to": 100} for row in range(len(entries))]},
            "mark": {"type": "bar", "size": BAR, "color": LINE, "opacity": 0.25},
            "encoding": {**across("from"), "x2": {"field": "to"}},
        },
        {
            "data": {"values": bars},
            "mark": {"type": "bar", "size": BAR, "color": ACCENT},
            "encoding": across("value"),
        },
        *intervals(bounds),
        *marks(entries),
        *words(labels),
    ]
    return drawn(spec, name=name, title=title, description=description)


def curve(
    points: Sequence[tuple[int, float]],
    *,
    along: str,
    name: str,
    title: str,
    description: str,
) -> str | None:
    """A value that changes along a count.

    Args:
        points: Each count with its value in percent.
        along: What the count is called.
        name: As `drawing.drawn` takes it.
        title: As there.
        description: As there.

    Returns:
        The chart; None for fewer than two points.
    """
    if len(points) < 2:  # noqa: PLR2004 - one point is no curve
        return None
    values = [{"at": at, "value": value, "text": f"{value:.1f}"} for at, value in points]
    last = len(points) - 1
    ends = [values[0], values[last]]
    x = {
        "field": "at",
        "type": "ordinal",
        "axis": {
            "title": shown(along),
            "titleColor": MUTED,
            "titleFontSize": TEXT,
            "titleFontWeight": "normal",
            "labelAngle": 0,
        },
    }
    y = {
        "field": "value",
        "type": "quantitative",
        "scale": {"domain": [0, 100]},
        "axis": {"values": [0, 25, 50, 75, 100], "title": None},
    }
    spec = {
        "width": WIDTH - 40,
        "height": 200,
        "data": {"values": values},
        "encoding": {"x": x, "y": y},
        "layer": [
            {"mark": {"type": "line", "color": ACCENT, "strokeWidth": 2}},
            {"mark": {"type": "point", "color": ACCENT, "filled": True, "size": 60, "opacity": 1}},
            {
                "data": {"values": ends},
                "mark": {"type": "text", "dy": -14, "fontSize": TEXT, "fill": INK},
                "encoding": {"text": {"field": "text"}},
            },
        ],
    }
    return drawn(spec, name=name, title=title, description=description)
