"""What a verdict cost is told with it, whatever became of it."""

from __future__ import annotations

import pytest

from lmms_eval_tasks_core.judging.cost import wall_time
from lmms_eval_tasks_core.judging.protocol import Verdict
from lmms_eval_tasks_core.judging.purchases import Purchases
from lmms_eval_tasks_core.judging.store import VerdictStore
from lmms_eval_tasks_core.outcome import NotJudged
from tests.support.judges import CORRECT, INQUIRY, in_turn, judge_at
from tests.support.openai_server import Fault, OpenAIServer


def test_a_verdict_tells_every_request_that_led_to_it():
    with OpenAIServer(in_turn("I like it.", "", CORRECT), latency=0.1) as server:
        verdict = judge_at(server).grade(INQUIRY)
    assert isinstance(verdict, Verdict)
    cost = verdict.cost
    assert cost.requests == len(server.requests) == 3
    # The server counts a quarter of the characters; the unreadable reply and the empty one count.
    assert cost.input_tokens == 3 * (cost.input_tokens // 3) > 300
    assert cost.output_tokens == len(CORRECT) // 4 + 1 + len("I like it.") // 4 + 1 + 1
    assert cost.began is not None
    assert cost.ended is not None
    assert 0.3 <= cost.ended - cost.began < 10


@pytest.mark.parametrize(
    ("answer", "requests", "has_tokens"),
    [
        ({"content": None, "refusal": "no"}, 1, True),
        (Fault("finish", words="", reason="content_filter"), 1, True),
        ("no verdict at all", 3, True),
        (Fault(status=401), 1, False),
    ],
)
def test_so_does_an_answer_without_one(answer, requests, has_tokens):
    with OpenAIServer(answer) as server:
        outcome = judge_at(server).grade(INQUIRY)
    assert isinstance(outcome, NotJudged)
    assert outcome.detail["requests"] == requests
    assert (outcome.detail["input_tokens"] != 0) is has_tokens


def test_what_was_paid_for_before_costs_nothing(tmp_path):
    with OpenAIServer(CORRECT) as server:
        purchases = Purchases(VerdictStore(tmp_path / "verdicts.sqlite"))
        judge = judge_at(server, purchases=purchases)
        bought, reused = judge.grade(INQUIRY), judge.grade(INQUIRY)
    assert isinstance(bought, Verdict)
    assert isinstance(reused, Verdict)
    assert (bought.cost.requests, reused.cost.requests) == (1, 0)
    assert reused.cost.to_fields() == {}


def test_the_wall_time_of_questions_asked_side_by_side():
    items = [
        {"began": 10.0, "ended": 12.0},
        {"began": 11.0, "ended": 14.5},
        {"id": "reused"},
        {"began": 10.5, "ended": 11.0},
    ]
    assert wall_time(items) == wall_time(items[::-1]) == 4.5
    assert wall_time([]) == wall_time([{"id": "reused"}]) == 0.0
