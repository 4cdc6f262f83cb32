from __future__ import annotations

import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from lmms_eval_tasks.worldqa.rubric import RUBRIC
from lmms_eval_tasks_core.errors import JudgeUnavailableError
from lmms_eval_tasks_core.judging.completion import Usage
from lmms_eval_tasks_core.judging.openai_judge import OpenAIJudge
from lmms_eval_tasks_core.judging.protocol import Inquiry, Verdict
from lmms_eval_tasks_core.judging.transport import ChatModel
from lmms_eval_tasks_core.outcome import NotJudged, NotJudgedReason
from tests.support.judges import CORRECT, INQUIRY, KEY, in_turn, judge_at
from tests.support.openai_server import Fault, OpenAIServer


def test_a_verdict_cites_judge_and_rubric():
    with OpenAIServer(CORRECT, key=KEY) as server:
        verdict = judge_at(server).grade(INQUIRY)
    assert verdict == Verdict(1.0, "correct", "the same", "test-model", RUBRIC.version)
    (request,) = server.requests
    assert request["messages"] == [{"role": "user", "content": RUBRIC.render(INQUIRY)}]
    assert request["response_format"]["json_schema"]["strict"] is True
    assert (request["temperature"], request["model"]) == (0, "test-model")


def test_a_labelled_line_will_do():
    with OpenAIServer("It misses a part.\nGrade: incomplete") as server:
        verdict = judge_at(server).grade(INQUIRY)
    assert isinstance(verdict, Verdict)
    assert (verdict.points, verdict.rationale) == (0.5, "It misses a part.")


@pytest.mark.parametrize(
    "rejected",
    [
        ("temperature",),
        ("response_format",),
        ("max_tokens", "temperature"),
        ("response_format", "temperature", "max_tokens", "max_completion_tokens"),
    ],
)
def test_what_a_server_does_not_take_is_learned_once(rejected):
    with OpenAIServer(CORRECT, rejects=rejected) as server:
        judge = judge_at(server)
        assert isinstance(judge.grade(INQUIRY), Verdict)
        learning = len(server.requests)
        assert isinstance(judge.grade(INQUIRY), Verdict)
    assert learning == 1 + len(rejected)
    assert len(server.requests) == learning + 1
    assert not set(rejected) & set(server.requests[-1])


def test_reasoning_models_get_room_for_their_reasoning():
    with OpenAIServer(CORRECT, rejects=("max_tokens",)) as server:
        judge_at(server).grade(INQUIRY)
    assert server.requests[-1]["max_completion_tokens"] > server.requests[0]["max_tokens"]


def test_many_threads_learn_together():
    rejected = ("temperature", "max_tokens", "response_format")
    with OpenAIServer(CORRECT, rejects=rejected, latency=0.02) as server:
        judge = judge_at(server)
        with ThreadPoolExecutor(16) as pool:
            graded = list(pool.map(judge.grade, [INQUIRY] * 64))
    assert all(isinstance(verdict, Verdict) for verdict in graded)
    assert len(server.requests) <= 64 + 16 * len(rejected)
    assert server.most_in_flight >= 8


def test_only_a_dialect_that_worked_is_remembered():
    unlike = Fault(status=400, words="temperature is mentioned, but not the cause")
    with OpenAIServer(in_turn(unlike, unlike, CORRECT)) as server:
        judge = judge_at(server)
        refused = judge.grade(INQUIRY)
        assert isinstance(refused, NotJudged)
        assert isinstance(judge.grade(INQUIRY), Verdict)
    assert "temperature" in server.requests[-1]


@pytest.mark.parametrize("status", [400, 401, 403, 404, 405, 413, 422])
def test_what_cannot_pass_fails_at_once_with_the_servers_words(status):
    with OpenAIServer(Fault(status=status, words="No such thing here.")) as server:
        outcome = judge_at(server).grade(INQUIRY)
    assert isinstance(outcome, NotJudged)
    assert outcome.reason is NotJudgedReason.JUDGE_REJECTED
    assert outcome.detail["trouble"] == f"HTTP {status}: No such thing here"
    assert len(server.requests) == 1


def test_a_used_up_account_is_not_waited_for():
    # Of all that comes with 429 this alone never passes; only the client's own few tries are made.
    words = "You exceeded your current quota."
    fault = Fault(status=429, words=words, error={"code": "insufficient_quota"})
    with OpenAIServer(fault) as server:
        outcome = judge_at(server).grade(INQUIRY)
    assert isinstance(outcome, NotJudged)
    assert outcome.reason is NotJudgedReason.JUDGE_REJECTED
    assert outcome.detail["trouble"] == "HTTP 429: You exceeded your current quota"
    assert len(server.requests) <= 3


@pytest.mark.parametrize(
    "fault",
    [
        Fault(status=429, headers={"Retry-After": "0.01"}),
        Fault(status=429),
        Fault(status=500),
        Fault(status=503),
        Fault(status=408),
        Fault(status=409),
        Fault(status=529),
        Fault("drop"),
        Fault("truncate"),
    ],
    ids=["429-after", "429", "500", "503", "408", "409", "529", "drop", "truncate"],
)
def test_what_may_pass_is_tried_again(fault):
    with OpenAIServer(in_turn(fault, CORRECT)) as server:
        assert isinstance(judge_at(server).grade(INQUIRY), Verdict)
        assert len(server.requests) == 2
    with OpenAIServer(fault) as server:
        outcome = judge_at(server, max_retries=1).grade(INQUIRY)
        assert isinstance(outcome, NotJudged)
        assert outcome.reason is NotJudgedReason.JUDGE_UNREACHABLE
        assert len(server.requests) == 2


def test_retry_after_is_honoured():
    with OpenAIServer(in_turn(Fault(status=429, headers={"Retry-After": "1"}), CORRECT)) as server:
        began = time.perf_counter()
        assert isinstance(judge_at(server).grade(INQUIRY), Verdict)
    assert time.perf_counter() - began >= 1


def test_a_hanging_server_is_given_up():
    with OpenAIServer(CORRECT, latency=30) as server:
        outcome = judge_at(server, patience=0.6, max_retries=1).grade(INQUIRY)
    assert isinstance(outcome, NotJudged)
    assert outcome.reason is NotJudgedReason.JUDGE_UNREACHABLE
    assert "timed out" in str(outcome.detail["trouble"])


@pytest.mark.parametrize(
    ("answer", "reason", "asked"),
    [
        ({"content": None, "refusal": "I will not."}, NotJudgedReason.JUDGE_REFUSED, 1),
        (Fault("finish", reason="content_filter"), NotJudgedReason.CONTENT_FILTER, 1),
        (
            Fault(status=400, error={"code": "content_filter"}),
            NotJudgedReason.CONTENT_FILTER,
            1,
        ),
        ({"content": None}, NotJudgedReason.EMPTY_REPLY, 3),
        ("", NotJudgedReason.EMPTY_REPLY, 3),
        (" \n", NotJudgedReason.EMPTY_REPLY, 3),
        ({"content": [{"type": "image"}, "odd"]}, NotJudgedReason.EMPTY_REPLY, 3),
        ("I'm sorry, I can't help with that.", NotJudgedReason.UNREADABLE_REPLY, 3),
        ("Point: 7", NotJudgedReason.UNREADABLE_REPLY, 3),
        ('{"score": "high"}', NotJudgedReason.UNREADABLE_REPLY, 3),
        (Fault("malformed"), NotJudgedReason.UNREADABLE_REPLY, 3),
        (Fault("page"), NotJudgedReason.UNREADABLE_REPLY, 3),
        (Fault("body", body={"choices": []}), NotJudgedReason.UNREADABLE_REPLY, 3),
        (Fault("body", body={"choices": None}), NotJudgedReason.UNREADABLE_REPLY, 3),
        (Fault("body", body={"choices": [None]}), NotJudgedReason.UNREADABLE_REPLY, 3),
        (Fault("body", body={"object": "error"}), NotJudgedReason.UNREADABLE_REPLY, 3),
        (Fault("body", body=[1, 2]), NotJudgedReason.UNREADABLE_REPLY, 3),
        (Fault("body", body=None), NotJudgedReason.UNREADABLE_REPLY, 3),
        (Fault("finish", reason="length", words="Point: 0"), NotJudgedReason.UNREADABLE_REPLY, 3),
    ],
)
def test_no_reply_becomes_a_score_by_accident(answer, reason, asked):
    with OpenAIServer(answer) as server:
        outcome = judge_at(server).grade(INQUIRY)
    assert isinstance(outcome, NotJudged)
    assert (outcome.reason, len(server.requests)) == (reason, asked)


def test_an_unreadable_reply_is_asked_again():
    with OpenAIServer(in_turn("hm", "", CORRECT)) as server:
        assert isinstance(judge_at(server).grade(INQUIRY), Verdict)
    assert len(server.requests) == 3


def test_the_last_line_of_a_reply_that_was_cut_off_does_not_count():
    cut = Fault("finish", reason="length", words="Grade: redundant\nTo go on, Point: 0")
    with OpenAIServer(cut) as server:
        verdict = judge_at(server).grade(INQUIRY)
    assert isinstance(verdict, Verdict)
    assert verdict.grade == "redundant"


def test_a_reply_in_parts_is_put_together():
    parts = [{"type": "text", "text": "Grade: "}, {"type": "text", "text": "correct"}]
    with OpenAIServer({"content": parts}) as server:
        assert isinstance(judge_at(server).grade(INQUIRY), Verdict)


def test_usage_is_reported_for_every_reply():
    spent: list[Usage] = []
    with OpenAIServer(in_turn("hm", CORRECT)) as server:
        judge_at(server, on_usage=spent.append).grade(INQUIRY)
    assert [usage.requests for usage in spent] == [1, 1]
    assert all(usage.input_tokens > 100 and usage.output_tokens > 0 for usage in spent)
    assert {usage.model for usage in spent} == {"test-model"}


def test_a_server_that_counts_no_tokens_is_no_trouble():
    spent: list[Usage] = []
    body = {"choices": [{"message": {"content": CORRECT}}], "usage": {"prompt_tokens": "many"}}
    with OpenAIServer(Fault("body", body=body)) as server:
        assert isinstance(judge_at(server, on_usage=spent.append).grade(INQUIRY), Verdict)
    assert spent == [Usage(1, 0, 0, "test-model")]


def test_a_broken_listener_costs_no_verdict(caplog):
    def broken(_: Usage) -> None:
        raise RuntimeError

    with OpenAIServer(CORRECT) as server:
        assert isinstance(judge_at(server, on_usage=broken).grade(INQUIRY), Verdict)
    assert "could not be reported" in caplog.text


def test_a_reply_names_its_source():
    with OpenAIServer("hello") as server:
        reply = ChatModel(model="test-model", base_url=server.url).ask("hello?", {})
    assert not isinstance(reply, NotJudged)
    assert (reply.text, reply.model, reply.fingerprint) == ("hello", "test-model", "fp_test")


def test_a_judge_that_answers_passes_preflight_once():
    with OpenAIServer("no verdict at all") as server:
        judge = judge_at(server)
        judge.preflight()
        judge.preflight()
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (Fault(status=404, words="No model test-model."), "HTTP 404: No model test-model."),
        (Fault(status=401, words=f"Bad key {KEY}."), "HTTP 401: Bad key ***."),
        (Fault(status=401, words="Bad key sk-abcdefgh*****xyz."), "HTTP 401: Bad key ***"),
        (Fault("page"), "its reply is not a chat completion."),
        (Fault("malformed"), "its reply is not a chat completion ("),
        (Fault(status=503, words="Down."), "HTTP 503: Down."),
    ],
)
def test_a_judge_that_does_not_answer_stops_the_run(answer, words):
    with OpenAIServer(answer) as server, pytest.raises(JudgeUnavailableError) as caught:
        judge_at(server, max_retries=0).preflight()
    assert f"the judge 'test-model' at {server.url} does not answer: {words}" in str(caught.value)
    assert "LMMS_EVAL_TASKS_JUDGE=lexical" in caught.value.remedy
    assert KEY not in str(caught.value)


def test_nobody_listens():
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://user:hidden@127.0.0.1:{unused.getsockname()[1]}/v1?key=hidden"
    judge = OpenAIJudge(RUBRIC, ChatModel(model="m", base_url=url, max_retries=0))
    with pytest.raises(JudgeUnavailableError, match="Connection error") as caught:
        judge.preflight()
    assert "hidden" not in str(caught.value)
    outcome = judge.grade(INQUIRY)
    assert isinstance(outcome, NotJudged)
    assert outcome.reason is NotJudgedReason.JUDGE_UNREACHABLE


def test_a_url_no_client_understands_is_an_outcome_too():
    model = ChatModel(model="m", base_url="http://[x", max_retries=0)
    outcome = OpenAIJudge(RUBRIC, model).grade(INQUIRY)
    assert isinstance(outcome, NotJudged)
    assert outcome.reason is NotJudgedReason.JUDGE_UNREACHABLE


def test_the_key_appears_nowhere(caplog):
    caplog.set_level("DEBUG")
    echo = {"rationale": f"your key is {KEY}", "grade": "correct"}
    with OpenAIServer(in_turn(f"hm {KEY}", str(echo).replace("'", '"'))) as server:
        graded = judge_at(server).grade(INQUIRY)
    with OpenAIServer(CORRECT, key="another") as server:
        failed = judge_at(server).grade(INQUIRY)
    assert KEY not in f"{graded} {failed} {judge_at(server)!r}"
    assert KEY not in caplog.text


def test_a_placeholder_for_a_key_is_not_struck_out():
    with OpenAIServer('{"rationale": "x-ray", "grade": "correct"}') as server:
        verdict = judge_at(server, api_key="x").grade(INQUIRY)
    assert isinstance(verdict, Verdict)
    assert verdict.rationale == "x-ray"


def test_lone_surrogates_reach_the_server_as_replacement_characters():
    with OpenAIServer(CORRECT) as server:
        verdict = judge_at(server).grade(Inquiry("\ud800?", "\udfff", "x\ud800"))
    assert isinstance(verdict, Verdict)
    assert "| x\ufffd" in server.requests[0]["messages"][0]["content"]


def test_importing_the_transport_imports_no_client():
    code = "import sys, lmms_eval_tasks_core.judging.configured; print('openai' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
