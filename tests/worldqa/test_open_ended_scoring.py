"""From a free answer to what is stored for each metric."""

from __future__ import annotations

import pytest

from lmms_eval_tasks.worldqa.rubric import GRADES
from lmms_eval_tasks.worldqa.scoring import OpenEndedScorer
from lmms_eval_tasks_core.environment import ENVIRONMENT
from tests.support.openai_server import Fault, OpenAIServer

ROW = {
    "id": "v/1",
    "question_idx": "1",
    "question": "What does she carry?",
    "answer": "A red umbrella",
    "video_idx": "v",
}
RATES = {f"grade_{name}_rate" for name in (*(grade.name for grade in GRADES), "unnamed")}


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch):
    for name in (*(variable.name for variable in ENVIRONMENT), "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)


def rates(items) -> dict[str, object]:
    return {name: items[name].get("score") for name in RATES}


@pytest.mark.parametrize(
    ("answer", "grade"),
    [
        ("a red umbrella", "correct"),
        ("umbrella", "incomplete"),
        ("a red umbrella and a dog", "redundant"),
        ("a blue umbrella", "partly_contradicting"),
        ("nothing", "incorrect"),
    ],
)
def test_each_grade_is_counted_under_its_name(answer, grade):
    counted = rates(OpenEndedScorer("lexical")(ROW, [answer]))
    assert {name for name, score in counted.items() if score} == {f"grade_{grade}_rate"}
    assert None not in counted.values()


def test_no_answer_has_no_grade_and_is_judged_all_the_same():
    items = OpenEndedScorer("lexical")(ROW, [""])
    assert set(rates(items).values()) == {0.0}
    assert items["judged_rate"]["score"] == 1.0
    assert items["no_answer_rate"]["score"] == 1.0


def judged(monkeypatch, reply, answer="It is an umbrella."):
    with OpenAIServer(reply) as server:
        monkeypatch.setenv("LMMS_EVAL_TASKS_JUDGE_MODEL", "m")
        monkeypatch.setenv("LMMS_EVAL_TASKS_JUDGE_BASE_URL", server.url)
        return OpenEndedScorer("openai")(ROW, [answer])


def test_points_that_two_grades_share_are_counted_as_unnamed(monkeypatch):
    items = judged(monkeypatch, "Point: 0.5")
    assert items["open_ended_score"]["score"] == 50.0
    assert {name for name, score in rates(items).items() if score} == {"grade_unnamed_rate"}


def test_of_an_answer_nobody_judged_no_grade_is_said(monkeypatch):
    items = judged(monkeypatch, Fault(status=400))
    assert set(rates(items).values()) == {None}
    assert items["judged_rate"]["score"] == 0.0
    assert (items["score_lower"]["score"], items["score_upper"]["score"]) == (0.0, 100.0)


def test_clips_without_sound_are_counted_only_where_sound_is_handed_over():
    scorer = OpenEndedScorer("lexical", counts_sound=True)
    assert scorer(ROW | {"has_sound": True}, ["x"])["with_sound_rate"]["score"] == 1.0
    assert "with_sound_rate" not in OpenEndedScorer("lexical")(ROW, ["x"])
