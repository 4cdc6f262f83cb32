from __future__ import annotations

import pytest

from lmms_eval_tasks_core.errors import JudgeUnavailableError
from lmms_eval_tasks_core.judging.transport import ChatModel
from lmms_eval_tasks_core.matching.openai_matcher import OpenAIMatcher
from lmms_eval_tasks_core.matching.prompt import VERSION, render
from lmms_eval_tasks_core.matching.protocol import Match, Undecided
from lmms_eval_tasks_core.options import Options
from lmms_eval_tasks_core.outcome import NotJudged, NotJudgedReason
from tests.support.openai_server import Fault, OpenAIServer

UNDECIDED = Undecided("What did she do?", Options(("She left", "She stayed")), "Off she went.")


def matcher_at(server: OpenAIServer, **settings) -> OpenAIMatcher:
    return OpenAIMatcher(ChatModel(model="m", base_url=server.url, **settings))


def test_an_option_from_the_closed_set():
    with OpenAIServer('{"option": "A"}') as server:
        assert matcher_at(server).match(UNDECIDED) == Match("A", "m", VERSION)
    (request,) = server.requests
    assert request["messages"] == [{"role": "user", "content": render(UNDECIDED)}]
    schema = request["response_format"]["json_schema"]["schema"]
    assert schema["properties"]["option"]["enum"] == ["A", "B", "none"]


def test_none_is_an_answer_too():
    with OpenAIServer("Option: none", rejects=("response_format",)) as server:
        assert matcher_at(server).match(UNDECIDED) == Match(None, "m", VERSION)


def test_what_cannot_be_read_is_asked_again_and_then_not_judged():
    with OpenAIServer('{"option": "E"}') as server:
        outcome = matcher_at(server).match(UNDECIDED)
    assert isinstance(outcome, NotJudged)
    assert outcome.reason is NotJudgedReason.UNREADABLE_REPLY
    assert len(server.requests) == 3


def test_an_outage_is_not_a_match():
    with OpenAIServer(Fault(status=503)) as server:
        outcome = matcher_at(server, max_retries=0).match(UNDECIDED)
    assert isinstance(outcome, NotJudged)
    assert outcome.reason is NotJudgedReason.JUDGE_UNREACHABLE


def test_a_matcher_that_does_not_answer_stops_the_run():
    with OpenAIServer(Fault(status=404, words="no such model")) as server:
        with pytest.raises(JudgeUnavailableError, match="the matcher 'm' at") as caught:
            matcher_at(server).preflight()
        assert "no such model" in caught.value.problem
    assert "LMMS_EVAL_TASKS_MATCHER=lexical" in caught.value.remedy


def test_a_model_that_has_answered_is_not_asked_for_a_trial_again():
    with OpenAIServer("Option: A") as server:
        model = ChatModel(model="m", base_url=server.url)
        OpenAIMatcher(model).preflight()
        OpenAIMatcher(model).preflight()
    assert len(server.requests) == 1
