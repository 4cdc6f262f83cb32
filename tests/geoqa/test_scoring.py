"""From responses to outcomes: gold in, full marks out, and every failure has a name."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lmms_eval_tasks.geoqa.program_items import program_items as items
from lmms_eval_tasks.geoqa.records import GeoQARecord
from lmms_eval_tasks.geoqa.scoring import (
    beam_of,
    choose_officially,
    matching_options,
    score_strict,
)
from lmms_eval_tasks_core.outcome import NoAnswer, Scored
from tests.geoqa.rows import row

GOLD = "g_minus C_3 N_0 g_half V_0"
METRICS = {
    "accuracy",
    "accuracy_official",
    "no_result_rate",
    "request_failed_rate",
    "asked_as_text",
    "uncertain_rows",
    "beam_size",
    "program_equivalence",
    "equivalence_undecided",
}


def fenced(program: str) -> str:
    return f"The base angles are equal.\n\n```\n{program}\n```"


def headline(response: object, **changes: Any) -> dict[str, Any]:
    return items(row(**changes), [response])["accuracy"]


def test_the_gold_program_earns_full_marks() -> None:
    found = items(row(), [fenced("g_minus C_3 N_0\ng_half V_0")])
    assert set(found) == METRICS | {"accuracy_angle", "right_by_other_program_rate"}
    item = found["accuracy"]
    assert item["score"] == 100.0
    assert item["outcome"] == "scored"
    assert item["id"] == "isosceles"
    assert item["type"] == "angle"
    assert item["program"] == GOLD
    assert item["values"] == [130.0, 65.0]
    assert item["matched"] == [1]
    assert (item["label"], item["beam"], item["rank"]) == (1, 1, 0)
    assert item["official"] == {"chosen": 1, "status": "values", "values": [130.0, 65.0]}
    assert found["accuracy_official"]["score"] == 100.0
    assert found["accuracy_angle"]["score"] == 100.0
    assert found["no_result_rate"]["score"] == 0.0


def test_a_program_that_lands_on_another_option_is_wrong() -> None:
    found = items(row(), [fenced("g_minus C_3 N_0")])
    assert found["accuracy"]["outcome"] == "scored"
    assert found["accuracy"]["score"] == 0.0
    assert found["accuracy"]["matched"] == [2]
    assert found["accuracy_official"]["score"] == 0.0
    assert found["no_result_rate"]["score"] == 0.0


def test_a_value_that_is_no_option_is_no_result() -> None:
    found = items(row(), [fenced("g_double N_0")])
    assert found["accuracy"]["reason"] == "no_option_matches"
    assert found["accuracy"]["score"] == 0.0
    assert found["accuracy"]["values"] == [100.0]
    assert found["no_result_rate"]["score"] == 1.0


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ("g_sin N_0", "out_of_domain"),
        ("g_half V_0", "unbound_operand"),
        ("g_half N_7", "unbound_operand"),
        ("g_add N_0", "missing_operand"),
    ],
)
def test_a_program_that_fails_says_where(program: str, reason: str) -> None:
    item = headline(fenced(program))
    assert item["outcome"] == "no_answer"
    assert item["reason"] == reason
    assert {"token", "position", "trouble"} <= set(item)


@pytest.mark.parametrize(
    ("response", "reason"),
    [
        (None, "empty"),
        ("", "empty"),
        ("  \n", "empty"),
        (3.5, "empty"),
        ("[LMMS_EVAL_REQUEST_FAILED after 5 retries]", "request_failed"),
        ("[LMMS_EVAL_BUDGET_EXCEEDED]", "request_failed"),
        ("<think>g_half N_0", "unfinished_thought"),
        ("B", "no_program"),
        ("The answer is 65°.", "no_program"),
        ("x" * 100_000, "no_program"),
        ("\ud800", "no_program"),
        ("\ud800" * 50_000, "no_program"),
        ("(" * 100_000, "no_program"),
    ],
)
def test_a_response_without_a_program_is_counted(response: object, reason: str) -> None:
    found = items(row(), [response])
    assert found["accuracy"]["reason"] == reason
    assert found["accuracy"]["score"] == 0.0
    assert found["no_result_rate"]["score"] == 1.0
    assert found["accuracy_official"]["score"] == 0.0
    assert found["request_failed_rate"]["score"] == float(reason == "request_failed")
    json.dumps(found, allow_nan=False).encode()


def test_no_response_at_all_is_counted() -> None:
    assert items(row(), [])["accuracy"]["reason"] == "empty"


def test_a_thought_is_not_the_answer() -> None:
    response = f"<think>{fenced('g_double N_0')}</think>{fenced(GOLD)}"
    assert headline(response)["score"] == 100.0


@pytest.mark.parametrize("problem_type", ["angle", "length", "area", "other", None])
def test_a_row_counts_for_its_own_type(problem_type: str | None) -> None:
    found = items(row(type=problem_type), [fenced(GOLD)])
    reported = problem_type if problem_type in {"angle", "length"} else "other"
    assert set(found) == METRICS | {f"accuracy_{reported}", "right_by_other_program_rate"}


def test_rows_asked_as_text_and_uncertain_rows_are_counted() -> None:
    found = items(row(has_diagram=True, uncertain=True), [fenced(GOLD)])
    assert (found["asked_as_text"]["score"], found["uncertain_rows"]["score"]) == (0.0, 1.0)
    found = items(row(has_diagram=False, uncertain=False), [fenced(GOLD)])
    assert (found["asked_as_text"]["score"], found["uncertain_rows"]["score"]) == (1.0, 0.0)
    assert found["accuracy"]["asked_as_text"] is True


@pytest.mark.parametrize(
    ("value", "matched"),
    [
        (25.0, (0, 3)),
        (25.0009, (0, 3)),
        (24.9991, (0, 3)),
        (25.001, ()),
        (0.0, ()),
        (math.inf, ()),
        (-math.inf, ()),
        (math.nan, ()),
    ],
)
def test_an_option_matches_strictly_within_a_thousandth(
    value: float, matched: tuple[int, ...]
) -> None:
    assert matching_options(value, [25.0, 65.0, None, 25.0]) == matched


def test_a_difference_of_exactly_a_thousandth_is_too_much() -> None:
    assert matching_options(0.001, [0.0]) == ()
    assert matching_options(math.nextafter(0.001, 0), [0.0]) == (0,)


def test_of_equal_options_strict_takes_both_and_official_the_last() -> None:
    found = items(row(choice_nums=[50.0, 65.0, 130.0, 65.0]), [fenced(GOLD)])
    assert found["accuracy"]["score"] == 100.0
    assert found["accuracy"]["matched"] == [1, 3]
    assert found["accuracy_official"]["score"] == 0.0
    assert found["accuracy_official"]["chosen"] == 3


def test_only_the_published_evaluation_takes_a_failure_for_zero() -> None:
    failing = {"choice_nums": [50.0, 0.0, 130.0, None]}
    found = items(row(**failing), [fenced("g_sin N_0")])
    assert found["accuracy"]["reason"] == "out_of_domain"
    assert found["accuracy_official"]["score"] == 100.0
    assert found["accuracy_official"]["values"] == [False]


RECORD = GeoQARecord.from_row(row())


def test_in_a_beam_the_first_candidate_that_matches_decides() -> None:
    right, wrong, nothing = fenced(GOLD), fenced("g_equal N_0"), fenced("g_double N_0")
    for responses, score, rank in [
        ((nothing, None, right, wrong), 100.0, 2),
        ((nothing, wrong, right), 0.0, 1),
        ((right, wrong), 100.0, 0),
    ]:
        beam = beam_of(responses)
        outcome = score_strict(RECORD, beam)
        assert isinstance(outcome, Scored)
        assert (outcome.value, outcome.detail["rank"]) == (score, rank)
        assert choose_officially(RECORD, beam).chosen == (1 if score else 0)


def test_one_response_may_hold_a_beam() -> None:
    ranked = f"1. g_double N_0\n2. {GOLD}\n3. g_equal N_0"
    beam = beam_of([ranked], most=10)
    assert len(beam) == 3
    outcome = score_strict(RECORD, beam)
    assert isinstance(outcome, Scored)
    assert (outcome.value, outcome.detail["rank"]) == (100.0, 1)


def test_a_beam_without_a_match_fails_for_the_reason_of_its_best_candidate() -> None:
    beam = beam_of([fenced("g_sin N_0"), None, fenced("g_double N_0")])
    outcome = score_strict(RECORD, beam)
    assert isinstance(outcome, NoAnswer)
    assert outcome.reason.value == "out_of_domain"


@pytest.mark.parametrize("results", [["a", "b", "c"], [["a", "b", "c"]], [("a", "b"), "c"]])
def test_the_beam_size_is_in_every_item(results: list[object]) -> None:
    assert all(item["beam"] == 3 for item in items(row(), results).values())


def test_items_can_be_written_as_json() -> None:
    grown = " ".join(["g_mul C_4 C_4", *(f"g_mul V_{i} V_{i}" for i in range(9))])
    for program in (GOLD, grown, "g_mul N_0 N_0", "g_bili N_0 N_0 C_5"):
        json.dumps(items(row(numbers=[1e200]), [fenced(program)]), allow_nan=False)


tokens = st.sampled_from(
    ["g_half", "g_add", "g_minus", "g_sin", "g_asin", "N_0", "N_9", "V_0", "C_3", "C_10", "1", "\n"]
)


@given(st.lists(tokens, max_size=12).map(" ".join) | st.text() | st.none())
def test_any_response_has_an_outcome(response: str | None) -> None:
    for shown in (response, None if response is None else fenced(response)):
        found = items(row(), [shown])
        assert found["accuracy"]["outcome"] in {"scored", "no_answer"}
        json.dumps(found, allow_nan=False)


@pytest.fixture(scope="module")
def real_rows(shared_data: Path) -> list[dict[str, Any]]:
    text = (shared_data / "geoqa_test_rows_150.json").read_text(encoding="utf-8")
    rows: list[dict[str, Any]] = json.loads(text)
    return rows


def test_the_real_golds_are_right(real_rows: list[dict[str, Any]]) -> None:
    scored = {each["id"]: items(each, [fenced(each["program"])]) for each in real_rows}
    assert all(found["accuracy"]["score"] == 100.0 for found in scored.values())
    missed = {i for i, found in scored.items() if found["accuracy_official"]["score"] != 100.0}
    assert missed == {8456}


def test_the_real_golds_are_right_with_derived_option_numbers(
    real_rows: list[dict[str, Any]],
) -> None:
    for each in real_rows:
        found = items({**each, "choice_nums": None}, [fenced(each["program"])])
        assert found["accuracy"]["score"] == 100.0, each["id"]
