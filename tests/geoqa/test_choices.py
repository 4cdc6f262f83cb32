"""Letter choice: the letter is read by the rules of every multiple-choice task."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lmms_eval_tasks.geoqa.choices import choice_items
from tests.geoqa.rows import row


@pytest.mark.parametrize(
    ("response", "chosen", "score"),
    [
        ("The base angles are equal.\nAnswer: B", "B", 100.0),
        ("Answer:B", "B", 100.0),
        ("**Answer: B**", "B", 100.0),
        ("<think>Answer: A</think>Answer: B", "B", 100.0),
        ("因为AB=AC,所以∠B=65°。\nAnswer: B", "B", 100.0),
        ("(180° - 50°) / 2 = 65°.\nAnswer: A", "A", 0.0),
    ],
)
def test_a_letter_is_right_or_wrong(response: str, chosen: str, score: float) -> None:
    found = choice_items(row(), [response])
    assert found["accuracy"]["chosen"] == chosen
    assert found["accuracy"]["score"] == score
    assert found["accuracy_angle"]["score"] == score
    assert found["undecided_rate"]["score"] == 0.0
    assert found["accuracy"]["right_answer"] == "B"
    assert found["accuracy"]["id"] == "isosceles"


@pytest.mark.parametrize(
    ("response", "reason", "failed"),
    [
        (None, "empty", 0.0),
        ("", "empty", 0.0),
        ("<think>Answer: B", "unfinished_thought", 0.0),
        ("[LMMS_EVAL_REQUEST_FAILED after 5 retries]", "request_failed", 1.0),
        ("Answer: E", "not_a_letter_of_this_question", 0.0),
        ("Answer: A or B", "several_letters", 0.0),
        ("Hard to say.", "undecided", 0.0),
    ],
)
def test_what_cannot_be_told_is_counted(response: object, reason: str, failed: float) -> None:
    found = choice_items(row(type=None), [response])
    assert found["accuracy"]["reason"] == reason
    assert found["accuracy"]["score"] == 0.0
    assert found["undecided_rate"]["score"] == 1.0
    assert found["request_failed_rate"]["score"] == failed
    assert "accuracy_other" in found


def test_no_response_at_all_is_counted() -> None:
    assert choice_items(row(), [])["accuracy"]["reason"] == "empty"


@given(st.text() | st.none() | st.integers())
def test_any_response_has_an_outcome(response: object) -> None:
    found = choice_items(row(has_diagram=False), [response])
    assert found["accuracy"]["outcome"] in {"scored", "no_answer"}
    assert found["asked_as_text"]["score"] == 1.0
    json.dumps(found, allow_nan=False)


def test_the_real_answers_are_all_read_and_92_are_right(shared_data: Path) -> None:
    text = (shared_data / "geoqa_test_rows_150.json").read_text(encoding="utf-8")
    rows: dict[int, Any] = {each["id"]: each for each in json.loads(text)}
    answers = (shared_data / "geoqa_choice_responses_150.jsonl").read_text(encoding="utf-8")
    found = [
        choice_items(rows[answer["id"]], [answer["response"]])
        for answer in map(json.loads, answers.splitlines())
    ]
    assert len(found) == 150
    assert sum(each["undecided_rate"]["score"] for each in found) == 0
    assert sum(each["accuracy"]["score"] == 100.0 for each in found) == 92
