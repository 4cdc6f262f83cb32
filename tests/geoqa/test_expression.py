"""Expressions are evaluated exactly as far as they go, within limits."""

from __future__ import annotations

import math

import pytest

from lmms_eval_tasks.geoqa.expression import DEEPEST, LONGEST, NoValueError, leading_value


@pytest.mark.parametrize(
    ("text", "value", "rest"),
    [
        ("2+3*4-6/2", 11, ""),
        ("-(2-5)^2", -9, ""),
        ("2√3/2√3", 3, ""),
        ("√π", math.sqrt(math.pi), ""),
        ("√9^2", 9, ""),
        ("[2(3+1)]cm", 8, "cm"),
        ("1:2:3", 0.5, ":3"),
        ("tan 45°", 1, ""),
        ("sin(15+15)°", 0.5, ""),
        ("5^2.5", 5, "^2.5"),
        ("5^21", 5, "^21"),
        ("22°30.5'", 22 + 30.5 / 60, ""),
        (r"3\frac{1}{2}x", 3.5, "x"),
        (r"3\frac{3}{2}", 4.5, ""),
        (r"3.5\frac{1}{2}", 1.75, ""),
    ],
)
def test_value_and_what_follows(text: str, value: float, rest: str) -> None:
    found, left = leading_value(text)
    assert found == pytest.approx(value, rel=1e-15)
    assert left == rest


def test_the_value_is_the_nearest_float_whatever_the_order_of_operations() -> None:
    assert leading_value("10√{3}") == (math.sqrt(300), "")
    assert leading_value("√{3}*10") == (math.sqrt(300), "")
    assert leading_value("0.1+0.2") == (0.3, "")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "cm",
        "+",
        "2+",
        "(2",
        "2/0",
        "√{-4}",
        "√[21]{4}",
        "sin 30",
        "((99999999^20)^20)^20",
        "1" * (LONGEST + 1),
        "(" * (DEEPEST + 1) + "1" + ")" * (DEEPEST + 1),
    ],
)
def test_no_value(text: str) -> None:
    with pytest.raises(NoValueError):
        leading_value(text)


def test_nesting_is_read_to_its_limit() -> None:
    assert leading_value("(" * DEEPEST + "7" + ")" * DEEPEST) == (7, "")
