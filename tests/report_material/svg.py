"""Reading a chart as a browser would: as XML."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

NAMESPACE = "{http://www.w3.org/2000/svg}"
_BAR = re.compile(r"M([\d.]+),[\d.]+h([\d.]+)v[\d.]+h-[\d.]+Z")


def parsed(svg: str | None) -> ET.Element:
    """The chart's root."""
    assert svg is not None
    return ET.fromstring(svg)  # noqa: S314 - the chart under test


def texts(svg: str | None) -> list[str]:
    """Every text that the chart draws."""
    return [element.text or "" for element in parsed(svg).iter(f"{NAMESPACE}text")]


def filled(svg: str | None, colour: str) -> list[float]:
    """The widths of the bars whose fill names a colour, in the chart's units."""
    return [
        float(match[2])
        for element in parsed(svg).iter(f"{NAMESPACE}path")
        if colour in element.get("fill", "") and (match := _BAR.match(element.get("d", "")))
    ]
