from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from lmms_eval_tasks.samples.make.tables import table
from lmms_eval_tasks.worldbench.records import question_id
from lmms_eval_tasks.worldqa.records import CircularRecord
from lmms_eval_tasks_core.judging.lexical import SetRelation, compare_words

FAILED = "[LMMS_EVAL_REQUEST_FAILED after 5 retries] timeout"
NO_ANSWER = {"empty", "unclosed thought", "request failed"}
SHOWN = {
    "worldqa_open_ended_sample": {
        "correct, after a closed thought",
        "incomplete",
        "redundant",
        "partly contradicting",
        "incorrect",
        "request failed",
    },
    "worldqa_circular_sample": {
        "right on all passes",
        "always A",
        "right on some passes, after a closed thought",
        "right on some passes, with the option's text",
        "verbose declaration",
        "refusal",
        "several letters",
        "letter outside the row",
        "three options, right on all passes",
        *NO_ANSWER,
    },
    "worldbench_sample": {
        "right, the last answer line counts",
        "right, after a closed thought",
        "wrong",
        "right by the normalised reading only",
        "right by the normalised reading only, text after the line",
        "wrong by the normalised reading, unread by the strict one",
        "several letters",
        "letter outside the row",
        "no answer line",
        *NO_ANSWER,
    },
    "geoqa_sample": {
        "right by the gold program",
        "right by another program",
        "right in call form",
        "right in a fence, prose around it",
        "right with assignments in a fence",
        "right in upper case",
        "right, one step a line",
        "right, after a closed thought",
        "right by the paper's name, wrong in official mode",
        "wrong",
        "no option matches",
        "no program",
        "unknown operator",
        "unbound operand",
        "missing operand",
        "domain failure, wrong in official mode",
        "domain failure, right in official mode",
        *NO_ANSWER,
    },
}


@pytest.fixture
def responses(lines: Any, samples: Path) -> dict[tuple[str, str], str]:
    rows = lines(samples / "replay" / "responses.jsonl")
    assert all(set(row) == {"task", "id", "response"} for row in rows)
    by_question = {(row["task"], row["id"]): row["response"] for row in rows}
    assert len(by_question) == len(rows)
    return by_question


@pytest.fixture
def passes(lines: Any, samples: Path) -> dict[str, CircularRecord]:
    """Every pass of CircularEval, by the id that the task gives it."""
    records = {}
    for row in lines(samples / "worldqa" / "multiple_choice.jsonl"):
        name = f"{row['video_idx']}/{row['question_idx']}"
        for shift in range(len(row["option"])):
            extra = {"id": f"{name}#{shift}", "pass": shift, "shift": shift}
            records[f"{name}#{shift}"] = CircularRecord.from_row({**row, **extra})
    return records


@pytest.mark.parametrize("task", SHOWN)
def test_every_outcome_is_shown(task: str) -> None:
    shown = {entry["shows"] for entries in table("replay")[task].values() for entry in entries}
    assert shown == SHOWN[task]


def test_there_is_one_response_to_each_request(
    responses: dict[tuple[str, str], str],
    passes: dict[str, CircularRecord],
    load: Any,
    samples: Path,
) -> None:
    open_ended = load(samples / "worldqa" / "open_ended.jsonl")
    expected = {
        "worldqa_open_ended_sample": {f"{r['video_idx']}/{r['question_idx']}" for r in open_ended},
        "worldqa_circular_sample": set(passes),
        "worldbench_sample": {
            question_id(row) for row in load(samples / "worldbench" / "questions.parquet")
        },
        "geoqa_sample": set(load(samples / "geoqa" / "problems.parquet")["id"]),
    }
    assert {task: {i for t, i in responses if t == task} for task in expected} == expected
    assert Counter(task for task, _ in responses) == {
        "worldqa_open_ended_sample": 6,
        "worldqa_circular_sample": 23,
        "worldbench_sample": 12,
        "geoqa_sample": 20,
    }


def test_open_ended_answers_stand_for_the_five_grades_of_the_lexical_judge(
    responses: dict[tuple[str, str], str], lines: Any, samples: Path
) -> None:
    relations = {}
    for row in lines(samples / "worldqa" / "open_ended.jsonl"):
        name = f"{row['video_idx']}/{row['question_idx']}"
        answer = responses["worldqa_open_ended_sample", name].rpartition("</think>")[2]
        if answer != FAILED:
            relations[name] = compare_words(answer, row["answer"])
    assert relations == {
        "kitchen/0": SetRelation.EQUAL,
        "kitchen/1": SetRelation.SUBSET,
        "library/0": SetRelation.SUPERSET,
        "library/1": SetRelation.OVERLAP,
        "kettle/0": SetRelation.DISJOINT,
    }


def test_passes_name_the_letter_at_which_the_right_option_stands_in_them(
    responses: dict[tuple[str, str], str], passes: dict[str, CircularRecord]
) -> None:
    for group in ("kitchen/0", "library/1", "kettle/1"):
        right = {name: record for name, record in passes.items() if name.startswith(group)}
        letters = [record.options.letter_at(record.right) for record in right.values()]
        assert sorted(letters) == list("ABCD"[: len(right)])
        for (name, record), letter in zip(right.items(), letters, strict=True):
            said = responses["worldqa_circular_sample", name]
            assert letter in said
            others = set(record.options.letters) - {letter, "A"}
            assert not others & set(said.replace("ANSWER", "").replace(".", " ").split())
    assert {responses["worldqa_circular_sample", f"kitchen/1#{i}"] for i in range(4)} == {"A"}


def test_failure_texts_and_thoughts_are_those_that_the_harness_and_models_write(
    responses: dict[tuple[str, str], str],
) -> None:
    for task in SHOWN:
        said = [response for (name, _), response in responses.items() if name == task]
        assert FAILED in said
        assert any("<think>" in text and "</think>" in text for text in said)
        if task != "worldqa_open_ended_sample":
            assert any("<think>" in text and "</think>" not in text for text in said)
            assert "" in said


def test_the_published_evaluation_would_find_the_last_problem_right(
    load: Any, samples: Path, responses: dict[tuple[str, str], str]
) -> None:
    row = load(samples / "geoqa" / "problems.parquet")[19]
    program = responses["geoqa_sample", "s20"]
    assert program == "g_minus C_3 N_0 g_tan V_0 g_minus V_1 N_0"
    angle = 180 - row["numbers"][0]
    assert angle == 130, "has no tangent in the language: the step fails"
    assert abs(0 - row["numbers"][0]) == row["choice_nums"][row["label"]]


def test_no_mark_of_the_table_is_left(responses: dict[tuple[str, str], str]) -> None:
    assert not [response for response in responses.values() if "[[" in response]
