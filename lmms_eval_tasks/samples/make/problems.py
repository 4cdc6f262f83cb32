"""The twenty figures of the GeoQA sample, and what each problem asks of its own."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from lmms_eval_tasks.samples.make.drawing import Point
from lmms_eval_tasks.samples.make.figures import Figure

_ROOT3 = math.sqrt(3.0)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A figure with the mode of its picture and the quantity that its problem asks for."""

    figure: Figure
    asked: Callable[[Figure], float]
    mode: str = "L"


def _polar(distance: float, degrees: float, centre: Point = (0.0, 0.0)) -> Point:
    """The point at a distance from a centre, anticlockwise from the right."""
    angle = math.radians(degrees)
    return centre[0] + distance * math.cos(angle), centre[1] + distance * math.sin(angle)


def _right_triangle(
    across: float, up: float, lengths: Mapping[str, str], angles: Mapping[str, str] | None = None
) -> Figure:
    """A triangle with its right angle at C, AC = across, BC = up."""
    points = {"A": (0.0, 0.0), "C": (across, 0.0), "B": (across, up)}
    return Figure(
        points,
        segments=("AB", "BC", "CA"),
        angles=angles or {},
        right_angles=("ACB",),
        lengths=lengths,
    )


def _triangle_with_two_angles() -> Figure:
    side = 10 * math.sin(math.radians(60)) / math.sin(math.radians(70))
    points = {"A": (0.0, 0.0), "B": (10.0, 0.0), "C": _polar(side, 50)}
    return Figure(points, ("AB", "BC", "CA"), angles={"BAC": "50°", "ABC": "60°", "ACB": "?"})


def _crossed_parallels() -> Figure:
    upper, lower = _polar(4, 65), (0.0, 0.0)
    points = {
        "A": (upper[0] - 6, upper[1]),
        "B": (upper[0] + 5, upper[1]),
        "C": (-6.0, 0.0),
        "D": (5.0, 0.0),
        "E": _polar(6.5, 65),
        "F": _polar(-2.5, 65),
        "G": upper,
        "H": lower,
    }
    return Figure(points, ("AB", "CD", "EF"), angles={"BGE": "1", "DHE": "2"}, unnamed="GH")


def _angles_on_an_arc() -> Figure:
    points = {"O": (0.0, 0.0), "A": _polar(5, 228), "B": _polar(5, 312), "C": _polar(5, 80)}
    segments = ("OA", "OB", "AC", "BC")
    return Figure(points, segments, circles=("OA",), angles={"AOB": "84°", "ACB": "?"})


def _bisected_angle() -> Figure:
    points = {"B": (0.0, 0.0), "C": (7.0, 0.0), "D": _polar(7, 28), "A": _polar(7, 56)}
    return Figure(points, ("BC", "BD", "BA"), angles={"ABD": "28°", "DBC": ""})


def _similar_triangles() -> Figure:
    points = {"B": (0.0, 0.0), "C": (15.0, 0.0), "A": (4.0, math.sqrt(84))}
    part = 0.4
    points["D"] = _along(points["A"], points["B"], part)
    points["E"] = _along(points["A"], points["C"], part)
    return Figure(points, ("AB", "BC", "CA", "DE"), lengths={"AD": "4", "BC": "15"})


def _along(start: Point, end: Point, part: float) -> Point:
    return start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1])


def _altitude() -> Figure:
    points = {"A": (0.0, 4 * _ROOT3), "B": (-4.0, 0.0), "C": (4.0, 0.0), "D": (0.0, 0.0)}
    return Figure(points, ("AB", "BC", "CA", "AD"), right_angles=("ADC",), lengths={"AB": "8"})


def _rectangle_with_diagonals() -> Figure:
    wide = 5 * _ROOT3
    points = {"A": (0.0, 5.0), "B": (0.0, 0.0), "C": (wide, 0.0), "D": (wide, 5.0)}
    points["O"] = (wide / 2, 2.5)
    segments = ("AB", "BC", "CD", "DA", "AC", "BD")
    return Figure(points, segments, lengths={"AB": "5"})


def _cone() -> Figure:
    points = {"P": (0.0, 4.0), "O": (0.0, 0.0), "A": (-3.0, 0.0), "B": (3.0, 0.0)}
    return Figure(
        points,
        segments=("PA", "PB"),
        dashed=("PO", "OB"),
        ovals=("OB",),
        lengths={"OB": "3", "PB": "5"},
    )


def _octagon() -> Figure:
    points = {name: _polar(5, 45 * place - 112.5) for place, name in enumerate("ABCDEFGH")}
    points["X"] = _along(points["A"], points["B"], 1.8)
    segments = ("AB", "BC", "CD", "DE", "EF", "FG", "GH", "HA")
    return Figure(points, segments, dashed=("BX",), angles={"XBC": "?"}, unnamed="CDEFGHX")


def _golden_section() -> Figure:
    points = {
        "A": (0.0, 0.0),
        "C": (6.18, 0.0),
        "B": (10.0, 0.0),
        "X": (0.0, 0.2),
        "Y": (0.0, -0.2),
    }
    points |= {"Z": (10.0, 0.2), "W": (10.0, -0.2), "U": (6.18, 0.2), "V": (6.18, -0.2)}
    return Figure(points, ("AB", "XY", "ZW", "UV"), unnamed="XYZWUV", below="ACB")


def _sector() -> Figure:
    points = {"O": (0.0, 0.0), "A": (6.0, 0.0), "B": _polar(6, 60)}
    return Figure(points, ("OA", "OB"), arcs=("OAB",), angles={"AOB": "60°"}, lengths={"OA": "6"})


def _angle_beside_a_right_angle() -> Figure:
    points = {"A": (-6.0, 0.0), "O": (0.0, 0.0), "B": (6.0, 0.0), "C": (0.0, 5.5)}
    points["D"] = _polar(6, 37)
    return Figure(
        points, ("AB", "OC", "OD"), right_angles=("AOC",), angles={"DOB": "37°", "COD": "?"}
    )


def _crossing_lines() -> Figure:
    points = {"A": (-6.0, 0.0), "B": (6.0, 0.0), "O": (0.0, 0.0)}
    points |= {"C": _polar(5, 50), "D": _polar(5, 230)}
    return Figure(points, ("AB", "CD"), angles={"BOC": "50°", "AOD": "?"})


def _circle(radius: float) -> Figure:
    return Figure({"O": (0.0, 0.0), "A": (radius, 0.0)}, ("OA",), circles=("OA",))


def _circle_with_diameter() -> Figure:
    points = {"A": (-5.0, 0.0), "O": (0.0, 0.0), "B": (5.0, 0.0)}
    return Figure(points, ("AB",), circles=("OA",))


DRAWN: Mapping[str, Drawn] = MappingProxyType(
    {
        "s01": Drawn(_triangle_with_two_angles(), lambda it: it.angle("ACB")),
        "s02": Drawn(_crossed_parallels(), lambda it: it.angle("DHE")),
        "s03": Drawn(_angles_on_an_arc(), lambda it: it.angle("ACB"), "RGB"),
        "s04": Drawn(_bisected_angle(), lambda it: it.angle("ABC"), "RGBA"),
        "s05": Drawn(_right_triangle(6, 8, {"CA": "6", "BC": "8"}), lambda it: it.distance("AB")),
        "s06": Drawn(_right_triangle(5, 12, {"CA": "5", "AB": "13"}), lambda it: it.distance("BC")),
        "s07": Drawn(_similar_triangles(), lambda it: it.distance("DE"), "LA"),
        "s08": Drawn(_altitude(), lambda it: it.distance("AD")),
        "s09": Drawn(_rectangle_with_diagonals(), lambda it: it.distance("BC"), "RGB"),
        "s10": Drawn(
            _right_triangle(10 * math.sqrt(0.5), 10 * math.sqrt(0.5), {"AB": "10"}, {"BAC": "45°"}),
            lambda it: it.distance("BC"),
        ),
        "s11": Drawn(
            _right_triangle(5 * _ROOT3, 5, {"BC": "5", "AB": "10"}, {"BAC": "?"}),
            lambda it: it.angle("BAC"),
        ),
        "s12": Drawn(
            _right_triangle(6, 6 * _ROOT3, {"CA": "6", "AB": "12"}, {"BAC": "?"}),
            lambda it: it.angle("BAC"),
            "LA",
        ),
        "s13": Drawn(_circle(3), lambda it: math.pi * it.distance("OA") ** 2),
        "s14": Drawn(_circle_with_diameter(), lambda it: math.pi * it.distance("AB"), "RGBA"),
        "s15": Drawn(_cone(), lambda it: math.pi * it.distance("OB") * it.distance("PB")),
        "s16": Drawn(_octagon(), lambda it: it.angle("XBC")),
        "s17": Drawn(_golden_section(), lambda it: it.distance("AC"), "RGB"),
        "s18": Drawn(
            _sector(),
            lambda it: math.pi * it.distance("OA") ** 2 * it.angle("AOB") / 360,
        ),
        "s19": Drawn(_angle_beside_a_right_angle(), lambda it: it.angle("COD")),
        "s20": Drawn(_crossing_lines(), lambda it: it.angle("AOD")),
    }
)
"""Each problem's figure by the problem's id."""
