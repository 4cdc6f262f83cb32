"""The vocabulary: what each operator is called, takes, computes, and is defined for.

Source: Chen et al. 2021 (arXiv 2105.14517), with the definitions of the published interpreter.
The order of the arithmetic inside each function is part of the definition, to the last bit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeAlias

Function: TypeAlias = Callable[..., float]
Domain: TypeAlias = Callable[..., bool]

# The whole numbers stay whole: the published interpreter computes with them as such.
CONSTANTS: tuple[float, ...] = (30, 60, 90, 180, 360, math.pi, 0.618)
CONSTANT_NAMES: tuple[str, ...] = ("30", "60", "90", "180", "360", "π", "0.618")

_ANGLE_STEP = 15
_STRAIGHT_ANGLE = 180
_TANGENT_FROM, _TANGENT_TO = 5, 85


@dataclass(frozen=True, slots=True)
class Operator:
    """One operator.

    Attributes:
        token: How a program writes it.
        name: What the paper calls it.
        arity: How many operands it takes, 1 to 3.
        function: Computes its value; call it only where `defined` holds.
        defined: Whether the operator is defined for these operands; None where it always is.
        meaning: The value as a formula of the operands a, b, c.
        domain: What `defined` tests, in words.
        doc: One clause for a reader.
    """

    token: str
    name: str
    arity: int
    function: Function
    defined: Domain | None
    meaning: str
    domain: str
    doc: str

    def total(self) -> Function:
        """The operator's function, made to return NaN outside its domain."""
        function, defined = self.function, self.defined
        if defined is None:
            return function

        def guarded(*operands: Any) -> float:  # noqa: ANN401 - arities differ; values are numbers
            return function(*operands) if defined(*operands) else math.nan

        return guarded


def _equal(a: float) -> float:
    return a


def _double(a: float) -> float:
    return a * 2


def _half(a: float) -> float:
    return a / 2


def _add(a: float, b: float) -> float:
    return a + b


def _minus(a: float, b: float) -> float:
    return math.fabs(a - b)


def _multiply(a: float, b: float) -> float:
    return a * b


def _divide(a: float, b: float) -> float:
    return a / b


def _sine(a: float) -> float:
    return math.sin(a / 180 * math.pi)


def _cosine(a: float) -> float:
    return math.cos(a / 180 * math.pi)


def _tangent(a: float) -> float:
    return math.tan(a / 180 * math.pi)


def _arc_sine(a: float) -> float:
    return math.degrees(math.asin(a))


def _arc_cosine(a: float) -> float:
    return math.degrees(math.acos(a))


def _pythagorean_add(a: float, b: float) -> float:
    return math.sqrt(a * a + b * b)


def _pythagorean_minus(a: float, b: float) -> float:
    return math.sqrt(math.fabs(a * a - b * b))


def _proportion(a: float, b: float, c: float) -> float:
    return a / b * c


def _circle_area(a: float) -> float:
    return a * a * math.pi


def _circle_perimeter(a: float) -> float:
    return 2 * math.pi * a


def _cone(a: float, b: float) -> float:
    return a * b * math.pi


def _all_positive(*operands: float) -> bool:
    return all(operand > 0 for operand in operands)


def _tabled_angle(a: float) -> bool:
    return a % _ANGLE_STEP == 0 and 0 <= a <= _STRAIGHT_ANGLE


def _tabled_acute_angle(a: float) -> bool:
    return a % _ANGLE_STEP == 0 and _TANGENT_FROM <= a <= _TANGENT_TO


def _inside_unit(a: float) -> bool:
    return -1 < a < 1


def _different(a: float, b: float) -> bool:
    return a != b


_DEGREES = "a multiple of 15, 0 ≤ a ≤ 180"
_ACUTE = "a multiple of 15, 5 ≤ a ≤ 85"
_UNIT = "−1 < a < 1"
_ALL = "all"

_TABLE = (
    Operator("g_equal", "Equal", 1, _equal, None, "a", _ALL, "the operand itself"),
    Operator("g_double", "Double", 1, _double, None, "2a", _ALL, "twice the operand"),
    Operator("g_half", "Half", 1, _half, None, "a/2", _ALL, "half the operand"),
    Operator("g_add", "Add", 2, _add, None, "a + b", _ALL, "sum"),
    Operator("g_minus", "Minus", 2, _minus, None, "|a − b|", _ALL, "difference, never negative"),
    Operator("g_mul", "Multiply", 2, _multiply, None, "a·b", _ALL, "product"),
    Operator("g_divide", "Divide", 2, _divide, _all_positive, "a/b", "a > 0 and b > 0", "quotient"),
    Operator("g_sin", "Sin", 1, _sine, _tabled_angle, "sin a", _DEGREES, "sine of degrees"),
    Operator("g_cos", "Cos", 1, _cosine, _tabled_angle, "cos a", _DEGREES, "cosine of degrees"),
    Operator(
        "g_tan", "Tan", 1, _tangent, _tabled_acute_angle, "tan a", _ACUTE, "tangent of degrees"
    ),
    Operator("g_asin", "Arc-Sin", 1, _arc_sine, _inside_unit, "arcsin a", _UNIT, "in degrees"),
    Operator("g_acos", "Arc-Cos", 1, _arc_cosine, _inside_unit, "arccos a", _UNIT, "in degrees"),
    Operator(
        *("gougu_add", "Pythagorean Add", 2, _pythagorean_add, None),
        *("√(a² + b²)", _ALL, "hypotenuse of two legs"),
    ),
    Operator(
        *("gougu_minus", "Pythagorean Minus", 2, _pythagorean_minus, _different),
        *("√|a² − b²|", "a ≠ b", "leg from the hypotenuse and the other leg"),
    ),
    Operator(
        *("g_bili", "Proportion", 3, _proportion, _all_positive),
        *("a/b·c", "a, b, c > 0", "scales c by a to b"),
    ),
    Operator(
        *("cal_circle_area", "Circle Area", 1, _circle_area, None),
        *("π·a²", _ALL, "area of a circle from its radius"),
    ),
    Operator(
        *("cal_circle_perimeter", "Circle Perimeter", 1, _circle_perimeter, None),
        *("2π·a", _ALL, "circumference of a circle from its radius"),
    ),
    Operator(
        *("cal_cone", "Cone", 2, _cone, None),
        *("π·a·b", _ALL, "lateral area of a cone from radius and slant height"),
    ),
)

OPERATORS: Mapping[str, Operator] = MappingProxyType({entry.token: entry for entry in _TABLE})


def operator_reference() -> str:
    """The operators as a Markdown table, without a newline at its end."""
    lines = [
        "| operator | name | operands | value | defined for | note |",
        "|---|---|---|---|---|---|",
    ]
    lines += [
        f"| `{entry.token}` | {entry.name} | {entry.arity} | {_cell(entry.meaning)} "
        f"| {_cell(entry.domain)} | {entry.doc} |"
        for entry in _TABLE
    ]
    return "\n".join(lines)


def constant_reference() -> str:
    """The constants in one line: ``C_0 = 30, C_1 = 60, …``."""
    return ", ".join(f"C_{index} = {name}" for index, name in enumerate(CONSTANT_NAMES))


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
