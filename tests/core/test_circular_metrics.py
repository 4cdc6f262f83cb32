"""The numbers of CircularEval."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lmms_eval_tasks_core.circular_metrics import (
    at_least,
    circular_acc,
    circular_acc_stderr,
    circular_lower,
    circular_upper,
    incomplete_groups,
    position_bias,
)


def item(group: str, number: int, *, right: bool, **fields: object) -> dict[str, object]:
    return {"group": group, "pass": number, "passes": 4, "right": right, **fields}


def test_a_question_counts_only_if_all_its_passes_are_right():
    items = [item("a", k, right=True) for k in range(4)]
    items += [item("b", k, right=k > 0) for k in range(4)]
    assert circular_acc(items) == 0.5
    assert incomplete_groups(items) == 0


def test_a_question_with_a_missing_pass_is_left_out_and_counted():
    items = [item("a", k, right=True) for k in range(4)]
    items += [item("b", k, right=True) for k in range(3)]
    assert circular_acc(items) == 1.0
    assert incomplete_groups(items) == 1


def test_a_question_with_a_pass_nobody_judged_is_left_out_and_counted():
    items = [item("a", k, right=k < 3) for k in range(4)]
    items[3]["outcome"] = "not_judged"
    assert circular_acc(items) == 0.0
    assert incomplete_groups(items) == 1


def test_the_order_in_which_processes_hand_items_over_does_not_matter():
    items = [item(group, k, right=group == "a") for group in "ab" for k in range(4)]
    assert circular_acc(items[::2] + items[1::2]) == circular_acc(items) == 0.5


def test_nothing_asked_is_no_division_by_zero():
    metrics = (circular_acc, circular_lower, circular_upper, at_least(1))
    assert {metric([]) for metric in (*metrics, incomplete_groups, position_bias)} == {0.0}


def test_always_a_is_three_quarters_biased_with_four_options():
    items = [{"chosen_position": 0, "right_position": k} for k in range(4)]
    assert position_bias(items) == 0.75


def test_choosing_positions_as_often_as_they_are_right_is_unbiased_even_when_wrong():
    items = [{"chosen_position": (k + 1) % 4, "right_position": k} for k in range(4)]
    assert position_bias(items) == 0.0


def test_undecided_passes_do_not_count_for_the_bias():
    items = [{"chosen_position": None, "right_position": 0}] * 3
    assert position_bias([*items, {"chosen_position": 1, "right_position": 1}]) == 0.0


def test_the_bounds_leave_open_only_what_is_open():
    items = [item("right", k, right=True) for k in range(4)]
    items += [item("wrong", k, right=k > 0) for k in range(4)]
    items += [item("open", k, right=True) for k in range(3)]
    items += [item("settled", k, right=k > 0) for k in range(3)]
    items += [item("unjudged", k, right=k < 3) for k in range(3)]
    items += [item("unjudged", 3, right=False, outcome="not_judged")]
    assert circular_acc(items) == 1 / 2
    assert circular_lower(items) == 1 / 5
    assert circular_upper(items) == 3 / 5
    assert incomplete_groups(items) == 3


def test_the_bounds_meet_where_everything_is_complete():
    items = [item(group, k, right=group == "a") for group in "abc" for k in range(4)]
    assert circular_lower(items) == circular_acc(items) == circular_upper(items) == 1 / 3


def test_the_ladder_ends_at_the_strict_number_for_three_options_too():
    items = [item("four", k, right=k < 2) for k in range(4)]
    items += [item("three", k, right=True) | {"passes": 3} for k in range(3)]
    items += [item("open", k, right=True) for k in range(2)]
    ladder = [at_least(right)(items) for right in (1, 2, 3, 4)]
    assert ladder == [1.0, 1.0, 0.5, 0.5]
    assert ladder[-1] == circular_acc(items)


def test_a_pass_that_stands_twice_counts_once():
    items = [item("a", k, right=True) for k in range(3)] + [item("a", 0, right=True)]
    assert incomplete_groups(items) == 1


def graded(*questions: tuple[str, bool]) -> list[dict[str, object]]:
    return [
        item(f"q{number}", k, right=right, video_idx=video)
        for number, (video, right) in enumerate(questions)
        for k in range(4)
    ]


def test_the_standard_error_is_that_of_questions_clustered_by_video():
    # Two videos of two questions each, alike within a video: as if there were two questions.
    items = graded(("v", True), ("v", True), ("w", False), ("w", False))
    simple = (0.25 / 3) + (1 / 16) * 4 * 0.25
    assert circular_acc_stderr(items) == pytest.approx(math.sqrt(simple))
    # One question a video: the plain standard error.
    alone = graded(("a", True), ("b", True), ("c", False))
    assert circular_acc_stderr(alone) == pytest.approx(math.sqrt(2 / 9 / 2))


@settings(deadline=None)  # the first example imports lmms-eval
@given(st.lists(st.tuples(st.sampled_from("uvw"), st.booleans()), min_size=2, max_size=30))
def test_the_standard_error_is_what_lmms_eval_computes_for_its_own_metrics(questions):
    metrics = pytest.importorskip("lmms_eval.api.metrics")
    ours = circular_acc_stderr(graded(*questions))
    videos = [video for video, _ in questions]
    if len(set(videos)) < 2:
        assert ours == "N/A"
    else:
        theirs = metrics.clustered_stderr([float(right) for _, right in questions], videos)
        assert ours == pytest.approx(theirs, abs=1e-7)


@pytest.mark.parametrize("items", [[], graded(("v", True)), graded(("v", True), ("v", False))])
def test_too_little_for_a_standard_error_says_so(items):
    assert circular_acc_stderr(items) == "N/A"


@given(
    st.lists(
        st.tuples(st.integers(0, 5), st.integers(0, 3), st.booleans(), st.booleans()), max_size=40
    ),
    st.randoms(use_true_random=False),
)
def test_the_strict_number_lies_within_its_bounds_in_any_order(passes, random):
    seen = {(group, number): (right, judged) for group, number, right, judged in passes}
    items = [
        item(str(group), number, right=right and judged)
        | ({} if judged else {"outcome": "not_judged"})
        for (group, number), (right, judged) in seen.items()
    ]
    shuffled = list(items)
    random.shuffle(shuffled)
    for metric in (circular_acc, circular_lower, circular_upper, incomplete_groups, at_least(2)):
        assert metric(items) == metric(shuffled)
    assert circular_lower(items) <= circular_upper(items)
    if incomplete_groups(items) == 0:
        assert circular_lower(items) == circular_acc(items) == circular_upper(items)
