from __future__ import annotations

import math

import pytest

from lmms_eval_tasks.geoqa.program.operators import (
    CONSTANT_NAMES,
    CONSTANTS,
    OPERATORS,
    constant_reference,
    operator_reference,
)


def test_the_eighteen_operators_of_the_paper_are_there() -> None:
    arities = {operator.token: operator.arity for operator in OPERATORS.values()}
    unary = {
        *("g_equal", "g_double", "g_half", "g_sin", "g_cos", "g_tan", "g_asin", "g_acos"),
        *("cal_circle_area", "cal_circle_perimeter"),
    }
    binary = {
        *("g_add", "g_minus", "g_mul", "g_divide", "gougu_add", "gougu_minus", "cal_cone"),
    }
    assert arities == {
        **dict.fromkeys(unary, 1),
        **dict.fromkeys(binary, 2),
        "g_bili": 3,
    }


@pytest.mark.parametrize(
    ("token", "operands", "value"),
    [
        ("g_equal", (7.0,), 7.0),
        ("g_double", (7.0,), 14.0),
        ("g_half", (7.0,), 3.5),
        ("g_add", (7.0, 2.0), 9.0),
        ("g_minus", (2.0, 7.0), 5.0),
        ("g_mul", (7.0, 2.0), 14.0),
        ("g_divide", (7.0, 2.0), 3.5),
        ("g_sin", (30.0,), 0.5),
        ("g_cos", (60.0,), 0.5),
        ("g_tan", (45.0,), 1.0),
        ("g_asin", (0.5,), 30.0),
        ("g_acos", (0.5,), 60.0),
        ("gougu_add", (3.0, 4.0), 5.0),
        ("gougu_minus", (3.0, 5.0), 4.0),
        ("g_bili", (3.0, 4.0, 8.0), 6.0),
        ("cal_circle_area", (2.0,), 4 * math.pi),
        ("cal_circle_perimeter", (2.0,), 4 * math.pi),
        ("cal_cone", (2.0, 3.0), 6 * math.pi),
    ],
)
def test_each_operator_computes_what_its_meaning_says(
    token: str, operands: tuple[float, ...], value: float
) -> None:
    assert OPERATORS[token].total()(*operands) == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize(
    ("token", "inside", "outside"),
    [
        ("g_divide", [(1e-9, 1e-9)], [(0, 1), (1, 0), (-1, 1), (1, -1), (math.nan, 1)]),
        ("g_bili", [(1e-9, 1, 1)], [(0, 1, 1), (1, 0, 1), (1, 1, 0), (-1, -1, 1)]),
        ("g_sin", [(0,), (15,), (180,)], [(195,), (-15,), (14.999,), (math.inf,), (math.nan,)]),
        ("g_cos", [(0,), (165,), (180,)], [(360,), (-30,), (1,)]),
        ("g_tan", [(15,), (75,)], [(0,), (90,), (85,), (5,), (-15,), (105,)]),
        ("g_asin", [(0,), (0.999,), (-0.999,)], [(1,), (-1,), (2,)]),
        ("g_acos", [(0,), (0.999,), (-0.999,)], [(1,), (-1,), (2,)]),
        ("gougu_minus", [(1, 2), (2, -2)], [(2, 2), (0, 0.0)]),
    ],
)
def test_each_domain_ends_exactly_where_the_paper_says(
    token: str, inside: list[tuple[float, ...]], outside: list[tuple[float, ...]]
) -> None:
    operator = OPERATORS[token]
    assert operator.defined is not None
    assert all(operator.defined(*operands) for operands in inside)
    assert not any(operator.defined(*operands) for operands in outside)
    assert all(math.isfinite(operator.total()(*operands)) for operands in inside)
    assert all(math.isnan(operator.total()(*operands)) for operands in outside)


def test_the_other_operators_are_defined_everywhere() -> None:
    limited = {token for token, operator in OPERATORS.items() if operator.defined}
    everywhere = {token for token, operator in OPERATORS.items() if operator.domain == "all"}
    assert limited.isdisjoint(everywhere)
    assert limited | everywhere == set(OPERATORS)


def test_the_table_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        OPERATORS["g_root"] = OPERATORS["g_half"]  # type: ignore[index]


def test_the_reference_has_one_row_for_each_operator() -> None:
    lines = operator_reference().splitlines()
    assert len(lines) == 2 + len(OPERATORS)
    for line, operator in zip(lines[2:], OPERATORS.values(), strict=True):
        assert line.startswith(f"| `{operator.token}` | {operator.name} | {operator.arity} |")
        # A bar that belongs to a formula must not begin a cell.
        assert line.replace("\\|", "").count("|") == 7


def test_the_constants_are_named_by_their_values() -> None:
    assert (30, 60, 90, 180, 360, math.pi, 0.618) == CONSTANTS
    assert len(CONSTANT_NAMES) == len(CONSTANTS)
    assert constant_reference().startswith("C_0 = 30, C_1 = 60, ")
    assert constant_reference().endswith("C_5 = π, C_6 = 0.618")
