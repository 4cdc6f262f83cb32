"""What a run says of verdicts that are missing, and of those it did not pay for."""

from __future__ import annotations

import pytest
from loguru import logger

from lmms_eval_tasks.worldqa.accounting import circular_acc, judged_rate, not_judged_rate
from lmms_eval_tasks.worldqa.circular_scoring import CircularScorer
from lmms_eval_tasks.worldqa.scoring import OpenEndedScorer
from lmms_eval_tasks_core.errors import SettingError
from tests.support.openai_server import Fault, OpenAIServer

FREE = {
    "id": "v/1",
    "question_idx": "1",
    "question": "What does she carry?",
    "answer": "A red umbrella",
    "video_idx": "v",
}


@pytest.fixture
def said():
    lines: list[str] = []
    sink = logger.add(lambda message: lines.append(message.record["message"]), level="WARNING")
    yield lines
    logger.remove(sink)


def answers(judged: int, **reasons: int) -> list[dict[str, object]]:
    missing = [
        {"score": 0.0, "reason": name} for name, count in reasons.items() for _ in range(count)
    ]
    return [*({"score": 1.0} for _ in range(judged)), *missing]


def test_too_many_answers_without_a_verdict_are_said_in_words(said):
    assert judged_rate(answers(90, empty_reply=3, judge_unreachable=7)) == pytest.approx(0.9)
    (line,) = said
    assert "10 of 100 answers have no verdict (judge_unreachable: 7, empty_reply: 3)" in line
    assert "score_lower" in line


def test_a_few_are_not(said):
    assert judged_rate(answers(95, empty_reply=5)) == pytest.approx(0.95)
    assert judged_rate(answers(100)) == 1.0
    assert judged_rate([]) == 0.0
    assert not_judged_rate([{"score": 0.0}] * 20) == 0.0
    assert said == []


def test_passes_of_multiple_choice_are_counted_alike(said):
    items = [{"score": 0.0}] * 3 + [{"score": 1.0, "reason": "judge_unreachable"}]
    assert not_judged_rate(items) == 0.25
    assert "1 of 4 passes were not matched (judge_unreachable: 1)" in said[0]


@pytest.mark.parametrize(("limit", "is_said"), [("10", False), ("9.9%", True), ("0", True)])
def test_the_limit_is_a_setting(monkeypatch, said, limit, is_said):
    monkeypatch.setenv("LMMS_EVAL_TASKS_UNJUDGED_LIMIT", limit)
    judged_rate(answers(90, empty_reply=10))
    assert bool(said) is is_said


@pytest.mark.parametrize("limit", ["many", "-1", "101", "nan", "5%%"])
def test_a_bad_limit_stops_a_run_before_it_starts_and_never_at_its_end(monkeypatch, said, limit):
    monkeypatch.setenv("LMMS_EVAL_TASKS_UNJUDGED_LIMIT", limit)
    for scorer in (OpenEndedScorer("lexical"), CircularScorer("lexical")):
        with pytest.raises(SettingError, match="no number in its range"):
            scorer.preflight()
    assert judged_rate(answers(90, empty_reply=10)) == pytest.approx(0.9)
    assert "no number in its range" in said[0]


def test_a_verdict_that_was_paid_for_before_is_counted(monkeypatch):
    with OpenAIServer("Grade: correct") as server:
        monkeypatch.setenv("LMMS_EVAL_TASKS_JUDGE_MODEL", "m")
        monkeypatch.setenv("LMMS_EVAL_TASKS_JUDGE_BASE_URL", server.url)
        scorer = OpenEndedScorer("openai")
        first, second = (scorer(FREE, ["An umbrella."]) for _ in range(2))
    assert first["reused_rate"]["score"] == 0.0
    assert second["reused_rate"]["score"] == 1.0
    assert second["open_ended_score"]["reused"] is True


def test_of_an_answer_without_a_verdict_nothing_is_said(monkeypatch):
    with OpenAIServer(Fault(status=400)) as server:
        monkeypatch.setenv("LMMS_EVAL_TASKS_JUDGE_MODEL", "m")
        monkeypatch.setenv("LMMS_EVAL_TASKS_JUDGE_BASE_URL", server.url)
        scorer = OpenEndedScorer("openai")
        failed, empty = scorer(FREE, ["An umbrella."]), scorer(FREE, [""])
    assert "score" not in failed["reused_rate"]
    assert "score" not in empty["reused_rate"]
    assert failed["judged_rate"]["reason"] == "judge_rejected_the_request"
    assert "reason" not in empty["judged_rate"]


def test_so_is_a_match(monkeypatch):
    row = {
        "id": "v/1#0",
        "group": "v/1",
        "pass": 0,
        "passes": 2,
        "shift": 0,
        "question": "What happened?",
        "answer": "She left",
        "video_idx": "v",
        "option": ["She left", "She stayed"],
    }
    with OpenAIServer('{"option": "A"}') as server:
        monkeypatch.setenv("LMMS_EVAL_TASKS_MATCHER_MODEL", "m")
        monkeypatch.setenv("LMMS_EVAL_TASKS_JUDGE_BASE_URL", server.url)
        scorer = CircularScorer(None)
        first, second, ruled = (scorer(row, [said]) for said in ("Off she went.",) * 2 + ("A",))
    assert (first["reused_rate"]["score"], second["reused_rate"]["score"]) == (0.0, 1.0)
    assert "score" not in ruled["reused_rate"]
    assert second["circular_acc"]["reused"] is True
    assert len(server.requests) == 1


def test_a_headline_over_no_complete_question_is_said_to_be_none(said):
    one = {"group": "v/1", "pass": 0, "passes": 2, "right": True, "outcome": "scored"}
    assert circular_acc([one]) == 0.0
    (line,) = said
    assert "no question has all of its passes" in line
    said.clear()
    assert circular_acc([one, {**one, "pass": 1}]) == 1.0
    assert said == []
