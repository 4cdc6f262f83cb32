"""CircularEval: which passes are asked."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lmms_eval_tasks_core.circular import (
    Shown,
    followed,
    plan_passes,
    rotate,
)

TEXTS = ("north", "east", "south", "west")


@given(st.lists(st.integers(), min_size=2, max_size=26), st.integers(), st.data())
def test_the_right_option_is_followed_through_every_shift(options, shift, data):
    gold = data.draw(st.integers(0, len(options) - 1))
    assert rotate(options, shift)[followed(gold, shift, len(options))] == options[gold]


@given(st.lists(st.integers(), min_size=2, max_size=26))
def test_rotating_once_per_option_is_the_identity(options):
    turned = tuple(options)
    for _ in options:
        turned = rotate(turned, 1)
    assert turned == tuple(options)


def test_rows_that_come_unrotated_are_asked_once_per_option():
    passes = plan_passes([Shown("q1", TEXTS), Shown("q2", TEXTS[:3])])
    assert [(p.row, p.group, p.number, p.passes, p.shift) for p in passes] == [
        *[(0, 0, shift, 4, shift) for shift in range(4)],
        *[(1, 1, shift, 3, shift) for shift in range(3)],
    ]


def test_rows_that_come_rotated_are_never_rotated_again():
    rows = [Shown("q", rotate(TEXTS, shift)) for shift in (2, 3, 0, 1)]
    passes = plan_passes(rows)
    assert [p.shift for p in passes] == [0, 0, 0, 0]
    assert [(p.row, p.number) for p in passes] == [(0, 0), (1, 1), (2, 2), (3, 3)]


def test_passes_are_numbered_by_their_shift_from_the_first_row_whatever_their_order():
    rows = [Shown("q", rotate(TEXTS, shift)) for shift in (0, 2, 3, 1)]
    assert [(p.row, p.number) for p in plan_passes(rows)] == [(0, 0), (3, 1), (1, 2), (2, 3)]


def test_one_rotated_question_means_that_the_others_are_incomplete_not_unrotated():
    rows = [Shown("q1", TEXTS), Shown("q1", rotate(TEXTS, 1)), Shown("q2", TEXTS[:3])]
    assert [(p.group, p.number, p.shift) for p in plan_passes(rows)] == [
        (0, 0, 0),
        (0, 1, 0),
        (1, 0, 0),
    ]


def test_a_row_that_stands_twice_is_asked_once():
    rows = [Shown("q1", TEXTS), Shown("q1", TEXTS), Shown("q1", rotate(TEXTS, 1))]
    assert [p.row for p in plan_passes(rows)] == [0, 2]


def test_orders_that_are_no_rotations_get_numbers_of_their_own():
    rows = [Shown("q", order) for order in permutations(TEXTS[:3])]
    numbers = [p.number for p in plan_passes(rows)]
    assert len(set(numbers)) == len(rows)


@pytest.mark.parametrize("other", [Shown("q2", TEXTS), Shown("q1", (*TEXTS[:3], "up"))])
def test_another_question_or_other_options_are_another_group(other):
    assert {p.group for p in plan_passes([Shown("q1", TEXTS), other])} == {0, 1}


@pytest.mark.parametrize("count", range(2, 27))
def test_any_number_of_options_from_two_to_twenty_six(count):
    texts = tuple(f"option {k}" for k in range(count))
    assert len(plan_passes([Shown("q", texts)])) == count
