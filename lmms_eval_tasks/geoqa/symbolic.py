"""Programs as formulas of N_0, N_1, …, and whether two of them are the same one.

Sympy takes as long as it likes here: `prover` runs this module in a process that can be ended.

The language takes |a − b| and √|a² − b²|. Which of the two is the larger does not depend on the
formula but on the figure, so each difference is taken with the sign that it has at the numbers of
the problem: there, 180 − (180 − N_0) is N_0. What is compared are the formulas around these
numbers, which are then free of absolute values, and analytic.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from typing import Any, TypeAlias

from lmms_eval_tasks.geoqa.program.interpreter import evaluate_steps
from lmms_eval_tasks.geoqa.program.operators import CONSTANTS
from lmms_eval_tasks.geoqa.program.syntax import Operand, Program, parse

Expression: TypeAlias = Any  # sympy ships no types
_Point: TypeAlias = Mapping[Expression, Expression]

_POINTS, _SEED = 6, 20210529
_DIGITS, _TOLERANCE = 40, 1e-20
# How far from the numbers of the problem the points lie, in parts of the number.
_SPREAD = 1_000
_EQUAL_VALUES = 1e-9


class Finding(str, Enum):
    """What the comparison of two formulas found."""

    SAME = "same"
    DIFFERENT = "different"
    NOT_PROVEN = "not_proven"


def compare_formulas(first: str, second: str, numbers: Sequence[float]) -> Finding:
    """Find out whether two programs are the same formula of the problem's numbers.

    Args:
        first: A program in the token form that runs with these numbers.
        second: Another one.
        numbers: The values of N_0, N_1, …

    Returns:
        DIFFERENT where the formulas have different values at one of a few points near the numbers
        (always the same points, chosen once at random); SAME where sympy shows that their
        difference is zero; NOT_PROVEN where neither is so.

    Raises:
        ProgramError: A program does not run.
    """
    symbols = _symbols(numbers)
    formulas = [_formula(parse(text), text, numbers, symbols) for text in (first, second)]
    for point in _points(symbols, numbers):
        if _differ(*(formula.evalf(_DIGITS, subs=point) for formula in formulas)):
            return Finding.DIFFERENT
    return Finding.SAME if _is_proven(*formulas) else Finding.NOT_PROVEN


def _symbols(numbers: Sequence[float]) -> list[Expression]:
    import sympy  # noqa: PLC0415 - half a second, for the few programs that need it

    return [
        sympy.Symbol(f"N_{index}", real=True, positive=True if number > 0 else None)
        for index, number in enumerate(numbers)
    ]


def _formula(
    program: Program, text: str, numbers: Sequence[float], symbols: Sequence[Expression]
) -> Expression:
    """The last step's value as a formula."""
    from sympy import Integer, Rational, pi  # noqa: PLC0415 - see `_symbols`

    constants = [pi if value == math.pi else value for value in CONSTANTS]
    exact = [
        Integer(value) if isinstance(value, int) else Rational(str(value)) if value != pi else pi
        for value in constants
    ]
    values = evaluate_steps(text, numbers)
    formulas: list[Expression] = []
    banks = {"N": (symbols, numbers), "C": (exact, CONSTANTS), "V": (formulas, values)}

    def of(operand: Operand) -> tuple[Expression, float]:
        known, at_numbers = banks[operand.bank]
        return known[operand.index], at_numbers[operand.index]

    rules = _rules()
    for step in program.steps:
        operands = [of(operand) for operand in step.operands]
        formulas.append(rules[step.operator](*operands))
    return formulas[-1]


def _rules() -> Mapping[str, Callable[..., Expression]]:
    """Each operator on pairs of a formula and its value at the numbers of the problem."""
    from sympy import Abs, acos, asin, cos, pi, sin, sqrt, tan  # noqa: PLC0415 - see `_symbols`

    def difference(a: Expression, b: Expression, value_a: float, value_b: float) -> Expression:
        if math.isclose(value_a, value_b, rel_tol=_EQUAL_VALUES, abs_tol=_EQUAL_VALUES):
            return Abs(a - b)
        return a - b if value_a > value_b else b - a

    return {
        "g_equal": lambda a: a[0],
        "g_double": lambda a: 2 * a[0],
        "g_half": lambda a: a[0] / 2,
        "g_add": lambda a, b: a[0] + b[0],
        "g_minus": lambda a, b: difference(a[0], b[0], a[1], b[1]),
        "g_mul": lambda a, b: a[0] * b[0],
        "g_divide": lambda a, b: a[0] / b[0],
        "g_sin": lambda a: sin(a[0] * pi / 180),
        "g_cos": lambda a: cos(a[0] * pi / 180),
        "g_tan": lambda a: tan(a[0] * pi / 180),
        "g_asin": lambda a: asin(a[0]) * 180 / pi,
        "g_acos": lambda a: acos(a[0]) * 180 / pi,
        "gougu_add": lambda a, b: sqrt(a[0] ** 2 + b[0] ** 2),
        "gougu_minus": lambda a, b: sqrt(
            difference(a[0] ** 2, b[0] ** 2, a[1] * a[1], b[1] * b[1])
        ),
        "g_bili": lambda a, b, c: a[0] / b[0] * c[0],
        "cal_circle_area": lambda a: pi * a[0] ** 2,
        "cal_circle_perimeter": lambda a: 2 * pi * a[0],
        "cal_cone": lambda a, b: pi * a[0] * b[0],
    }


def _points(symbols: Sequence[Expression], numbers: Sequence[float]) -> Iterator[_Point]:
    """Points near the numbers of the problem, each coordinate a fraction."""
    from sympy import Rational  # noqa: PLC0415 - see `_symbols`

    generator = random.Random(_SEED)  # noqa: S311 - the same points in every run
    for _ in range(_POINTS):
        point = {}
        for symbol, number in zip(symbols, numbers, strict=True):
            shift = Rational(generator.randrange(1, 10**9), 10**9 * _SPREAD)
            exact = Rational(repr(float(number)))
            point[symbol] = exact * (1 + shift) if exact else shift
        yield point


def _differ(first: Expression, second: Expression) -> bool:
    """Whether two values are certainly not equal; what has no real value shows nothing."""
    if not (first.is_real and second.is_real and first.is_finite and second.is_finite):
        return False
    return bool(abs(first - second) > _TOLERANCE * max(1, abs(first)))


def _is_proven(first: Expression, second: Expression) -> bool:
    """Whether sympy finds that two formulas with equal values are the same."""
    from sympy import asin, expand, simplify  # noqa: PLC0415 - see `_symbols`

    difference = first - second
    ways: tuple[Callable[[], Expression], ...] = (
        lambda: difference,
        lambda: expand(difference),
        lambda: expand(difference.rewrite(asin)),
        lambda: simplify(difference),
        # Both are values of lengths and angles around one point, and equal there: if their squares
        # are the same, so are they.
        lambda: simplify(expand(first**2) - expand(second**2)),
    )
    return any(way() == 0 for way in ways)
