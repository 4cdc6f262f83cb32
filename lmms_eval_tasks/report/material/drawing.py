"""From a chart's specification to an SVG that a page can hold, without script, link or font.

Colours are CSS variables with a fallback that is legible on white and on near-black alike, so that
a page decides what a chart looks like in light and in dark.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, TypeAlias
from xml.etree import ElementTree as ET

Spec: TypeAlias = Mapping[str, Any]

WIDTH = 400
"""The width of every chart in its own units: at 350 px its text is 12 px high."""
TEXT = 14
"""The size of every text in a chart, in its own units."""

INK = "var(--ink, currentColor)"
MUTED = "var(--muted, #767676)"
LINE = "var(--line, #9a9a9a)"
GROUND = "var(--ground, Canvas)"
ACCENT = "var(--accent, #3b6fb5)"

_SVG = "http://www.w3.org/2000/svg"
_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_WHITE_SPACE = re.compile(r"\s+")
_NO_NAME = re.compile(r"[^A-Za-z0-9]+")
_FOR_THE_VIEWER = frozenset(
    (
        "aria-hidden",
        "aria-label",
        "aria-roledescription",
        "class",
        "pointer-events",
        "role",
        "version",
    )
)
_NO_SHAPE = "M0,0h0v0h0Z"

_CONFIG: Spec = {
    "aria": False,
    "font": "inherit",
    "view": {"stroke": None},
    "axis": {
        "labelColor": MUTED,
        "labelFontSize": TEXT,
        "gridColor": LINE,
        "gridOpacity": 0.4,
        "domain": False,
        "ticks": False,
    },
    "legend": {"labelColor": INK, "labelFontSize": TEXT, "labelLimit": 0},
}


def name_of(*parts: str) -> str:
    """A name for an element of the page, made of letters, digits and hyphens."""
    return "-".join(_NO_NAME.sub("-", part).strip("-") or "x" for part in parts)


def shown(label: str, most: int = 48) -> str:
    """A label as a chart can show it: one line of XML characters, shortened."""
    line = _WHITE_SPACE.sub(" ", _NO_XML.sub("\ufffd", label)).strip()
    return line if len(line) <= most else f"{line[: most - 1]}…"


def drawn(spec: Spec, *, name: str, title: str, description: str) -> str:
    """Draw a chart.

    Args:
        spec: Vega-Lite, without data that it would have to fetch.
        name: Unique in the page; it names the chart's title and description.
        title: What the chart is called by a screen reader.
        description: What it shows, in words.

    Returns:
        An ``<svg>`` of at most the page's width, without script, link, font or style sheet.
    """
    import vl_convert  # noqa: PLC0415 - 30 MB, and only a report draws

    whole = {"background": None, "padding": 2, "config": _CONFIG, **spec}
    rendered = vl_convert.vegalite_to_svg(whole, allowed_base_urls=[])
    root = ET.fromstring(rendered)  # noqa: S314 - our own renderer wrote it
    _strip(root)
    words = ((f"{name}-title", "title", title), (f"{name}-desc", "desc", description))
    for position, (identity, tag, text) in enumerate(words):
        element = ET.Element(f"{{{_SVG}}}{tag}", {"id": identity})
        element.text = shown(text, most=1_000)
        root.insert(position, element)
    # Never so large that its text towers over the page's.
    style = f"width:100%;max-width:{float(root.attrib['width']) * 1.3:g}px;height:auto"
    labelled = f"{name}-title {name}-desc"
    root.attrib.update({"role": "img", "aria-labelledby": labelled, "style": style})
    ET.register_namespace("", _SVG)
    return ET.tostring(root, encoding="unicode")


def _strip(root: ET.Element) -> None:
    """Take away what the renderer adds for its own viewer: classes, roles and hidden shapes."""
    del root.attrib["height"]
    for element in root.iter():
        for attribute in set(element.attrib) & _FOR_THE_VIEWER:
            del element.attrib[attribute]
        for child in list(element):
            if child.get("display") == "none" or child.get("d") == _NO_SHAPE:
                element.remove(child)
