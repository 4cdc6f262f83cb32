"""The interval of a share, and the one number of it that lmms-eval can report."""

from __future__ import annotations

import math
from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lmms_eval_tasks_core.intervals import Z_95, interval, margin_95


@pytest.mark.parametrize(
    ("right", "total", "low", "high"),
    [
        # Newcombe (1998), table I, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_published_values(right: int, total: int, low: float, high: float):
    assert interval(right / total, total) == pytest.approx((low, high), abs=5e-5)


def test_the_width_at_sixty_percent_of_the_benchmark():
    low, high = interval(0.6, 2000)
    assert (high - low) / 2 == pytest.approx(0.0215, abs=1e-4)


@given(st.integers(1, 5000).flatmap(lambda total: st.tuples(st.integers(0, total), st.just(total))))
def test_an_interval_holds_its_share_and_nothing_impossible(counts: tuple[int, int]):
    right, total = counts
    low, high = interval(right / total, total)
    assert 0 <= low <= right / total <= high <= 1
    assert low < high
    mirrored = interval(1 - right / total, total)
    assert mirrored == pytest.approx((1 - high, 1 - low))


@given(st.floats(0, 1), st.integers(1, 10_000))
def test_more_questions_make_it_narrower(share: float, total: int):
    low, high = interval(share, total)
    narrower_low, narrower_high = interval(share, total * 4)
    assert narrower_high - narrower_low < high - low


def test_its_bounds_are_where_the_score_test_stops_rejecting():
    low, high = interval(0.3, 50)
    for bound in (low, high):
        assert abs(0.3 - bound) / math.sqrt(bound * (1 - bound) / 50) == pytest.approx(Z_95)
    assert NormalDist().cdf(Z_95) == pytest.approx(0.975)


def test_no_questions_say_nothing():
    assert interval(0.0, 0) == (0.0, 1.0)


@pytest.mark.parametrize(("share", "total"), [(-0.1, 5), (1.1, 5), (math.nan, 5), (0.5, -1)])
def test_what_cannot_be_is_an_error(share: float, total: int):
    with pytest.raises(ValueError, match="no share"):
        interval(share, total)


def points(right: int, total: int) -> list[dict[str, object]]:
    return [{"id": str(k), "points": 100.0 * (k < right)} for k in range(total)]


def test_a_margin_reaches_the_farther_bound_in_points():
    low, high = interval(0.9, 40)
    assert margin_95(points(36, 40)) == pytest.approx(100 * (0.9 - low))
    assert 0.9 - low > high - 0.9
    assert margin_95(points(0, 10)) == pytest.approx(100 * interval(0.0, 10).high)
    assert margin_95([]) == 0.0
    assert margin_95(points(36, 40)[::-1]) == margin_95(points(36, 40))
