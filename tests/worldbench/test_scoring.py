"""From a response to what lmms-eval stores for each metric."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from lmms_eval_tasks.worldbench.records import Domain
from lmms_eval_tasks.worldbench.scoring import items
from tests.worldbench.test_prompts import ROW

DOC = {**ROW, "id": "abc", "image_problem": ""}
FAILED = "[LMMS_EVAL_REQUEST_FAILED after 5 retries] Connection error."
TASK = Path(__file__).parents[2] / "lmms_eval_tasks" / "worldbench" / "worldbench.yaml"


def declared() -> set[str]:
    class Loader(yaml.SafeLoader):
        """Takes functions for their names."""

    Loader.add_constructor("!function", lambda loader, node: loader.construct_scalar(node))
    task = yaml.load(TASK.read_text(encoding="utf-8"), Loader)  # noqa: S506 - a safe loader
    return {each["metric"] for each in task["metric_list"]}


@pytest.mark.parametrize("letter", "ABCD")
def test_a_perfect_response_gets_full_marks_and_a_wrong_one_none(letter):
    found = items(DOC, [f"Let me see.\nANSWER: {letter}"])
    score = 100.0 * (letter == DOC["answer"])
    for metric in ("accuracy", "accuracy_normalised", "accuracy_answered", "accuracy_scenes"):
        assert found[metric]["score"] == score
        assert found[f"{metric}_margin"] == {"id": "abc", "points": score}
    assert found["answer_parsed"]["score"] == 1.0
    assert found["request_failed_rate"]["score"] == 0.0
    assert found["accuracy"]["chosen"] == letter


def test_every_sample_says_which_question_it_is_and_what_became_of_it():
    assert items(DOC, ["ANSWER: A"])["accuracy"] == {
        "id": "abc",
        "category": "signs",
        "domain": "scenes",
        "answer": "B",
        "chosen": "A",
        "outcome": "scored",
        "score": 0.0,
    }


@pytest.mark.parametrize(
    ("response", "reason"),
    [
        ("It is the bakery.", "no_answer_line"),
        ("ANSWER: A or B", "several_letters"),
        ("ANSWER: E", "not_a_letter_of_this_question"),
        ("<think>Hmm, B", "unfinished_thought"),
        (FAILED, "request_failed"),
        ("[LMMS_EVAL_BUDGET_EXCEEDED]", "request_failed"),
        ("  \n", "empty"),
        (None, "empty"),
    ],
)
def test_an_unparsed_response_is_wrong_and_carries_its_reason(response, reason):
    found = items(DOC, [response])
    for metric in ("accuracy", "accuracy_normalised"):
        assert found[metric]["outcome"] == "no_answer"
        assert found[metric]["reason"] == reason
        assert found[metric]["score"] == 0.0
    assert found["answer_parsed"]["score"] == 0.0
    failed = reason == "request_failed"
    assert found["request_failed_rate"]["score"] == float(failed)
    assert ("accuracy_answered" in found) == (not failed)
    assert found["accuracy_scenes"]["score"] == 0.0, "a failed request stays in the denominator"


def test_a_form_only_the_normalised_reading_forgives():
    found = items(DOC, ["Answer: **B**\n"])
    assert found["accuracy"]["reason"] == "no_answer_line"
    assert found["accuracy_normalised"]["score"] == 100.0


def test_a_question_without_its_picture_is_counted_and_not_scored():
    found = items({**DOC, "image_problem": "it is cut"}, ["ANSWER: B"])
    assert found["image_unusable"]["score"] == 1.0
    assert found["accuracy"]["outcome"] == "not_judged"
    assert found["accuracy"]["reason"] == "image_unusable"
    assert found["accuracy"]["trouble"] == "it is cut"
    assert [name for name, item in found.items() if "score" in item or "points" in item] == [
        "image_unusable"
    ]


@pytest.mark.parametrize("domain", Domain)
@pytest.mark.parametrize("response", ["ANSWER: B", "", FAILED])
def test_only_declared_metrics_are_returned_and_each_domain_has_its_own(domain, response):
    found = items({**DOC, "domain": domain.value}, [response])
    assert set(found) <= declared()
    others = {f"accuracy_{other.value}" for other in Domain} - {f"accuracy_{domain.value}"}
    assert not others & set(found)
    assert f"accuracy_{domain.value}" in found


def test_every_accuracy_has_its_margin():
    accuracies = {name for name in declared() if name.startswith("accuracy")}
    plain = {name for name in accuracies if not name.endswith("_margin")}
    assert accuracies == plain | {f"{name}_margin" for name in plain}
    assert len(plain) == 3 + 7
