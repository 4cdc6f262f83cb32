from __future__ import annotations

import random
from collections import Counter
from math import isclose, sqrt

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from lmms_eval_tasks.judge_check.statistics import differs, kappa, mean, points_apart, resampled

POINTS = (0.0, 0.3, 0.5, 1.0)
classes = st.sampled_from(POINTS)
pairs_of_classes = st.lists(st.tuples(classes, classes), min_size=1, max_size=60)
both = pytest.mark.parametrize("distance", [differs, points_apart])


def counted(pairs) -> Counter:
    return Counter(pairs)


def test_a_table_worked_by_hand():
    # Agreement 35/50; by chance (25 x 30 + 25 x 20) / 50² = 0.5; so (0.7 - 0.5) / (1 - 0.5).
    table = {("yes", "yes"): 20, ("yes", "no"): 5, ("no", "yes"): 10, ("no", "no"): 15}
    assert kappa(table, differs) == pytest.approx(0.4)


def test_a_weighted_table_worked_by_hand():
    # Observed (1 x 0.5 + 1 x 1) / 6. Labels 0, ½, 1: three, one, two; verdicts: three, two, one.
    # By chance (3 (2 x 0.5 + 1) + 1 (3 x 0.5 + 0.5) + 2 (3 + 2 x 0.5)) / 36 = 16 / 36.
    table = {(0.0, 0.0): 2, (0.0, 0.5): 1, (0.5, 0.5): 1, (1.0, 0.0): 1, (1.0, 1.0): 1}
    assert kappa(table, points_apart) == pytest.approx(1 - (1.5 / 6) / (16 / 36))


@both
def test_where_it_is_not_defined(distance):
    assert kappa({}, distance) is None
    assert kappa({(1.0, 1.0): 7}, distance) is None


@both
def test_labels_of_one_class_only_give_nothing_to_tell_apart(distance):
    assert kappa({(1.0, 1.0): 7, (1.0, 0.0): 3}, distance) == pytest.approx(0)
    assert kappa({(1.0, 0.0): 7}, distance) == pytest.approx(0)


@both
@given(labels=st.lists(classes, min_size=2))
def test_a_perfect_judge_has_1(distance, labels):
    assume(len(set(labels)) > 1)
    assert kappa(counted((label, label) for label in labels), distance) == 1


@both
@given(
    labels=st.dictionaries(classes, st.integers(1, 9), min_size=1),
    verdicts=st.dictionaries(classes, st.integers(1, 9), min_size=2),
)
def test_verdicts_that_do_not_depend_on_the_label_have_0(distance, labels, verdicts):
    table = {(a, b): m * n for a, m in labels.items() for b, n in verdicts.items()}
    assert kappa(table, distance) == pytest.approx(0, abs=1e-9)


@both
@given(labels=st.lists(classes, min_size=1), verdict=classes)
def test_verdicts_that_are_all_alike_have_0_and_not_nearly_0(distance, labels, verdict):
    assume(set(labels) != {verdict})
    assert kappa(counted((label, verdict) for label in labels), distance) == 0
    assert kappa(counted((verdict, label) for label in labels), distance) == 0


def test_verdicts_drawn_at_random_are_near_0():
    draw = random.Random(3)
    table = counted((draw.choice(POINTS), draw.choice(POINTS)) for _ in range(20_000))
    assert abs(kappa(table, differs)) < 0.02
    assert abs(kappa(table, points_apart)) < 0.02


@both
@given(pairs=pairs_of_classes)
def test_it_is_at_most_1_and_knows_no_order(distance, pairs):
    value = kappa(counted(pairs), distance)
    assert value is None or value <= 1
    assert kappa(counted(reversed(pairs)), distance) == pytest.approx(value)
    swapped = kappa(counted((b, a) for a, b in pairs), distance)
    assert swapped == pytest.approx(value)


@given(pairs=pairs_of_classes, names=st.permutations(POINTS))
def test_names_of_classes_mean_nothing_without_weights(pairs, names):
    renamed = dict(zip(POINTS, names, strict=True))
    moved = kappa(counted((renamed[a], renamed[b]) for a, b in pairs), differs)
    assert moved == pytest.approx(kappa(counted(pairs), differs))


@given(pairs=pairs_of_classes)
def test_with_two_classes_weights_change_nothing(pairs):
    pairs = [(float(a > 0.4), float(b > 0.4)) for a, b in pairs]
    plain = kappa(counted(pairs), differs)
    assert kappa(counted(pairs), points_apart) == pytest.approx(plain)


def test_a_small_mistake_weighs_less_than_a_large_one():
    right = {(point, point): 10 for point in POINTS}
    small = kappa({**right, (0.3, 0.5): 5}, points_apart)
    large = kappa({**right, (0.0, 1.0): 5}, points_apart)
    assert large < small < 1


def test_the_mean_of_nothing_is_none():
    assert mean([]) is None
    assert mean([1.0, 0.5]) == 0.75


def test_the_interval_of_a_mean_is_about_that_of_the_normal_approximation():
    sample = [1.0] * 70 + [0.0] * 30
    low, high = resampled(sample, mean)
    half = 1.96 * sqrt(0.7 * 0.3 / 100)
    assert isclose(low, 0.7 - half, abs_tol=0.02)
    assert isclose(high, 0.7 + half, abs_tol=0.02)
    assert resampled(sample, mean) == (low, high)


def test_no_interval_where_nothing_varies():
    assert resampled([], mean) is None
    assert resampled([0.5] * 30, mean) is None
    assert resampled([1.0, 2.0], lambda _: None) is None
