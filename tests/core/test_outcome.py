"""How an outcome is stored for lmms-eval."""

from __future__ import annotations

import json

from lmms_eval_tasks_core.outcome import (
    NoAnswer,
    NoAnswerReason,
    NotJudged,
    NotJudgedReason,
    Scored,
    to_item,
)


def test_a_score_keeps_its_identity_and_detail():
    item = to_item(Scored(50, {"grade": "incomplete"}), {"id": "v/1"})
    assert item == {"id": "v/1", "grade": "incomplete", "outcome": "scored", "score": 50.0}


def test_no_answer_is_worth_nothing_and_says_why():
    item = to_item(NoAnswer(NoAnswerReason.EMPTY), {"id": "v/1"})
    assert item == {"id": "v/1", "outcome": "no_answer", "reason": "empty", "score": 0.0}


def test_what_nobody_judged_has_no_score_at_all():
    item = to_item(NotJudged(NotJudgedReason.CONTENT_FILTER), {"id": "v/1"})
    assert item == {"id": "v/1", "outcome": "not_judged", "reason": "content_filter"}


def test_items_are_plain_json():
    for outcome in (Scored(1), NoAnswer(NoAnswerReason.EMPTY)):
        assert json.loads(json.dumps(to_item(outcome, {}))) == to_item(outcome, {})
