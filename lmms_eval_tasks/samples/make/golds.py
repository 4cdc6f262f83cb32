"""Checks the gold programs of the GeoQA sample, apart from the interpreter that will score them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

TOLERANCE = 0.001
CONSTANTS = (30.0, 60.0, 90.0, 180.0, 360.0, math.pi, 0.618)

# Only what a correct gold does: every operator's domain is taken for granted here.
OPERATORS: Mapping[str, tuple[int, Callable[..., float]]] = MappingProxyType(
    {
        "g_equal": (1, lambda a: a),
        "g_double": (1, lambda a: 2 * a),
        "g_half": (1, lambda a: a / 2),
        "g_add": (2, lambda a, b: a + b),
        "g_minus": (2, lambda a, b: abs(a - b)),
        "g_mul": (2, lambda a, b: a * b),
        "g_divide": (2, lambda a, b: a / b),
        "g_sin": (1, lambda a: math.sin(math.radians(a))),
        "g_cos": (1, lambda a: math.cos(math.radians(a))),
        "g_tan": (1, lambda a: math.tan(math.radians(a))),
        "g_asin": (1, lambda a: math.degrees(math.asin(a))),
        "g_acos": (1, lambda a: math.degrees(math.acos(a))),
        "gougu_add": (2, math.hypot),
        "gougu_minus": (2, lambda a, b: math.sqrt(abs(a * a - b * b))),
        "g_bili": (3, lambda a, b, c: a / b * c),
        "cal_circle_area": (1, lambda a: math.pi * a * a),
        "cal_circle_perimeter": (1, lambda a: 2 * math.pi * a),
        "cal_cone": (2, lambda a, b: math.pi * a * b),
    }
)


def value_of(program: str, numbers: Sequence[float]) -> float:
    """The last value of a well-formed program in token form."""
    tokens, values = program.split(), list[float]()
    while tokens:
        arity, function = OPERATORS[tokens[0]]
        bound = {"N": numbers, "C": CONSTANTS, "V": values}
        operands = [bound[token[0]][int(token[2:])] for token in tokens[1 : 1 + arity]]
        values.append(function(*operands))
        del tokens[: 1 + arity]
    return values[-1]


def check(name: str, gold: float, option: float, measured: float) -> None:
    """Compare what a problem's gold program, its right option and its figure say.

    Args:
        name: The problem's id.
        gold: The value of the gold program.
        option: The number of the right option.
        measured: The quantity asked for, measured in the figure.

    Raises:
        ValueError: They differ by 0.001 or more.
    """
    if max(gold, option, measured) - min(gold, option, measured) >= TOLERANCE:
        msg = f"{name}: the gold gives {gold}, the option says {option}, the figure says {measured}"
        raise ValueError(msg)
