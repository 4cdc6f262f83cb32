"""The statistics, against values worked out by hand and against what a simulation knows."""

from __future__ import annotations

import itertools
import math
import random
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lmms_eval_tasks.compare.statistics import (
    FEWEST_CLUSTERS,
    Pair,
    bootstrap,
    difference,
    holm,
    mcnemar,
    swap_test,
)
from tests.compare import simulated

SIMULATIONS = 1000
QUESTIONS = 200


def covered(simulation, truth: float, full_marks: float, questions: int = QUESTIONS) -> float:
    """How many percent of the intervals of simulated runs hold the true difference."""
    drawing = np.random.default_rng(7)
    hits = 0
    for _ in range(SIMULATIONS):
        sums, sizes = simulation(drawing, questions)
        low, high = bootstrap(list(sums), list(sizes), full_marks, resamples=1000)
        hits += low <= truth <= high
    return 100 * hits / SIMULATIONS


@pytest.mark.slow
@pytest.mark.parametrize(
    ("simulation", "truth", "full_marks"),
    [
        (simulated.plain, simulated.TRUE_SHARE, 1.0),
        (simulated.clustered, simulated.TRUE_SHARE, 1.0),
        (simulated.points, simulated.TRUE_POINTS, 100.0),
    ],
    ids=["plain", "clustered", "points"],
)
def test_95_percent_intervals_hold_the_truth_in_95_percent_of_simulated_runs(
    simulation, truth, full_marks, capsys
):
    share = covered(simulation, truth, full_marks)
    with capsys.disabled():
        sys.stdout.write(f"\n{simulation.__name__}: {share:.1f} % of {SIMULATIONS} intervals\n")
    assert 92.0 <= share <= 97.5


@pytest.mark.slow
def test_intervals_of_few_questions_are_not_too_narrow():
    # Without the imaginary pairs the bootstrap holds the truth in 80 % of these.
    assert covered(simulated.plain, simulated.TRUE_SHARE, 1.0, questions=12) >= 94.0


def test_an_interval_that_ignores_the_videos_is_too_narrow():
    drawing = np.random.default_rng(3)
    sums, sizes = simulated.clustered(drawing, 2000)
    by_video = bootstrap(list(sums), list(sizes), 1.0)
    singles = [sign for total in sums for sign in [math.copysign(1, total)] * int(abs(total))]
    singles += [0.0] * (int(sizes.sum()) - len(singles))
    alone = bootstrap(singles, [1] * len(singles), 1.0)
    assert by_video[1] - by_video[0] > 1.15 * (alone[1] - alone[0])


def test_a_known_difference_is_given_back():
    pairs = [Pair(0.0, 100.0 * (number < 130), number) for number in range(1000)]
    pairs += [Pair(100.0, 100.0 * (number >= 50), -number) for number in range(1, 1001)]
    found = difference(pairs, 100.0, right_or_wrong=True)
    assert (found.a, found.b, found.up, found.down) == (50.0, 54.05, 130, 49)
    assert found.value == pytest.approx(4.05)
    # 81 / 2000, and its standard error by the textbook: sqrt(179 - 81² / 2000) / 2000.
    error = 100 * math.sqrt(179 - 81**2 / 2000) / 2000
    assert found.low == pytest.approx(4.05 - 1.96 * error, abs=0.08)
    assert found.high == pytest.approx(4.05 + 1.96 * error, abs=0.08)
    assert found.p < 1e-8


@pytest.mark.parametrize(
    ("up", "down", "p"),
    [
        (0, 0, 1.0),
        (1, 0, 1.0),
        (5, 0, 2 / 32),
        (6, 0, 2 / 64),
        # Twice the tail of a fair coin: 1 + 10 of 1,024, 1 + 12 + 66 of 4,096, 1 + 7 + 21 of 128.
        (9, 1, 22 / 1024),
        (10, 2, 158 / 4096),
        (3, 3, 1.0),
        (2, 5, 58 / 128),
    ],
)
def test_mcnemar_against_values_worked_out_by_hand(up, down, p):
    assert mcnemar(up, down) == pytest.approx(p)
    assert mcnemar(down, up) == mcnemar(up, down)


def test_mcnemar_of_thousands_of_questions_is_exact_too():
    assert mcnemar(2000, 2000) == 1.0
    assert mcnemar(3000, 0) == 0.0
    # The normal approximation with continuity correction: z = (120 - 1) / sqrt(1880).
    approximate = math.erfc((120 - 1) / math.sqrt(1880) / math.sqrt(2))
    assert mcnemar(1000, 880) == pytest.approx(approximate, rel=0.01)


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 20))
def test_swapping_single_questions_is_mcnemars_test(up, down, ties):
    sums = [100.0] * up + [-100.0] * down + [0.0] * ties
    assert swap_test(sums, 100.0) == pytest.approx(mcnemar(up, down), abs=1e-12)


@given(st.lists(st.sampled_from([-170.0, -100.0, -30.0, 0.0, 20.0, 50.0, 130.0]), max_size=9))
def test_the_test_counts_all_swaps(sums):
    seen = abs(sum(sums))
    totals = [
        abs(sum(sign * value for sign, value in zip(signs, sums, strict=True)))
        for signs in itertools.product((1, -1), repeat=len(sums))
    ]
    share = sum(total >= seen - 1e-9 for total in totals) / len(totals)
    assert swap_test(sums, 100.0) == pytest.approx(share, abs=1e-12)


def test_points_off_every_grid_still_get_a_p_value_of_the_right_size():
    drawing = random.Random(1)
    sums = [drawing.gauss(2, 30) for _ in range(400)]
    z = sum(sums) / math.sqrt(sum(value**2 for value in sums))
    assert swap_test(sums, 100.0) == pytest.approx(math.erfc(abs(z) / math.sqrt(2)), rel=0.05)


@pytest.mark.slow
def test_p_values_under_no_difference_are_below_5_percent_in_5_percent_of_runs():
    drawing = np.random.default_rng(11)
    found = []
    for _ in range(SIMULATIONS):
        sums, _ = simulated.points(drawing, QUESTIONS)
        signs = drawing.choice([-1.0, 1.0], size=len(sums))
        found.append(swap_test(list(sums * signs), 100.0))
    assert 0.02 <= sum(p < 0.05 for p in found) / SIMULATIONS <= 0.08


PAIRS = st.lists(
    st.builds(
        Pair,
        st.sampled_from([0.0, 10.1, 30.0, 33.3, 50.0, 100.0]),
        st.sampled_from([0.0, 10.2, 30.0, 66.7, 50.0, 100.0]),
        st.integers(0, 12),
    ),
    min_size=1,
    max_size=40,
)


@settings(max_examples=30, deadline=None)
@given(PAIRS, st.randoms())
def test_the_order_of_the_samples_says_nothing(pairs, shuffler):
    shuffled = list(pairs)
    shuffler.shuffle(shuffled)
    assert difference(pairs, 100.0, right_or_wrong=False) == difference(
        shuffled, 100.0, right_or_wrong=False
    )


def test_not_even_rounding_depends_on_the_order():
    # 0.1 + 0.2 + 0.3 is not 0.3 + 0.2 + 0.1, and videos that are alike are drawn together.
    others = [Pair(points, 0.1, f"other {points}") for points in (0.0, 0.05, 0.2, 0.25, 0.3)]
    alike = [Pair(0.0, points, video) for video in range(12) for points in (0.1, 0.2, 0.3)]
    mixed = [*alike[:18], *alike[:17:-1]]
    assert difference([*alike, *others], 0.3, right_or_wrong=False) == difference(
        [*mixed, *others], 0.3, right_or_wrong=False
    )


@settings(max_examples=30, deadline=None)
@given(PAIRS)
def test_swapping_the_runs_turns_every_sign(pairs):
    found = difference(pairs, 100.0, right_or_wrong=False)
    swapped = difference(
        [Pair(b, a, cluster) for a, b, cluster in pairs], 100.0, right_or_wrong=False
    )
    assert (swapped.a, swapped.b) == (found.b, found.a)
    assert (swapped.up, swapped.down) == (found.down, found.up)
    assert swapped.value == -found.value
    assert swapped.p == pytest.approx(found.p)
    if found.low is None:
        assert swapped.low is None
    else:
        assert swapped.low == pytest.approx(-found.high)
        assert swapped.high == pytest.approx(-found.low)


@settings(max_examples=30, deadline=None)
@given(PAIRS)
def test_the_difference_lies_in_its_interval_and_the_interval_in_what_is_possible(pairs):
    found = difference(pairs, 100.0, right_or_wrong=False)
    assert 0.0 < found.p <= 1.0
    if found.clusters >= FEWEST_CLUSTERS:
        assert -100.0 <= found.low <= found.value <= found.high <= 100.0
        assert found.low < found.high


def test_where_nothing_differs_the_interval_still_has_a_width():
    found = difference([Pair(1.0, 1.0, number) for number in range(50)], 1.0, right_or_wrong=True)
    # The rule of three: of 50 questions without a difference, up to 6 % may have one.
    assert found.low == pytest.approx(-0.058, abs=0.02)
    assert found.high == pytest.approx(0.058, abs=0.02)
    assert found.p == 1.0


def test_of_too_few_clusters_no_interval_is_drawn():
    pairs = [Pair(0.0, 1.0, number % 4) for number in range(40)]
    found = difference(pairs, 1.0, right_or_wrong=True, cluster="video")
    assert (found.low, found.high, found.clusters) == (None, None, 4)
    # Four videos can be swapped in 16 ways, and two of these go as far.
    assert (found.p, found.test) == (2 / 16, "swapping each video, exact")


def test_no_pairs_have_no_difference():
    assert difference([], 100.0, right_or_wrong=True) is None


@pytest.mark.parametrize(
    ("p_values", "corrected"),
    [
        ([], []),
        ([0.04], [0.04]),
        # 3 × 0.01, 2 × 0.03, and what is smaller than the one before it is that one.
        ([0.01, 0.04, 0.03], [0.03, 0.06, 0.06]),
        ([0.6, 0.5], [1.0, 1.0]),
        ([0.02, 0.02], [0.04, 0.04]),
    ],
)
def test_holms_correction_against_values_worked_out_by_hand(p_values, corrected):
    assert holm(p_values) == pytest.approx(corrected)
