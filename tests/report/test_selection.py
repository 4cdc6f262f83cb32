"""Which samples a page shows when it cannot show all."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from lmms_eval_tasks.report.selection import chosen, shares

sizes = st.lists(st.integers(0, 60), max_size=8)
places = st.integers(0, 120)
strata = st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("xyz")), max_size=80)


@given(sizes, places)
def test_every_place_is_given_as_long_as_somebody_needs_it(sizes, most):
    found = shares(sizes, most)
    assert sum(found) == min(most, sum(sizes))
    assert all(0 <= share <= size for share, size in zip(found, sizes, strict=True))


@given(sizes, places)
def test_who_goes_short_has_no_less_than_anybody_else(sizes, most):
    found = shares(sizes, most)
    for share, size in zip(found, sizes, strict=True):
        if share < size:
            assert share >= max(found) - 1


def test_rare_groups_are_whole_and_the_rest_is_divided_evenly():
    assert shares([3, 900, 97], 103) == [3, 50, 50]


@given(strata, places)
def test_a_choice_has_as_many_as_may_be_each_once_and_in_order(strata, most):
    found = chosen(strata, most)
    assert len(found) == min(most, len(strata))
    assert found == sorted(set(found))
    assert found == chosen(strata, most)


@given(strata, places)
def test_outcomes_are_served_alike_whatever_the_reasons_in_them(strata, most):
    found = Counter(strata[position][0] for position in chosen(strata, most))
    whole = Counter(outcome for outcome, _ in strata)
    for outcome, size in whole.items():
        if found[outcome] < size:
            assert found[outcome] >= max(found.values(), default=0) - 1


def test_a_frequent_kind_is_taken_from_all_over_the_run():
    assert chosen([("right", "")] * 1_000, 4) == [125, 375, 625, 875]


def test_within_an_outcome_every_reason_is_there():
    strata = [("no answer", "no line")] * 500 + [("no answer", "refused")] * 2
    assert {500, 501} < set(chosen(strata, 10))
