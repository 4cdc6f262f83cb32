"""One question takes its patience and no more, and a server that is down takes it few times."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from email.utils import formatdate

import openai.resources.chat  # noqa: F401 - not to be counted as time that a question took
import pytest

from lmms_eval_tasks_core.judging.openai_judge import OpenAIJudge
from lmms_eval_tasks_core.judging.patience import Allowance
from lmms_eval_tasks_core.judging.protocol import Verdict
from lmms_eval_tasks_core.outcome import NotJudged, NotJudgedReason
from tests.support.judges import CORRECT, INQUIRY, in_turn, judge_at
from tests.support.openai_server import Fault, OpenAIServer

PATIENCE = 1.2
SLACK = 0.5
AN_HOUR = {"Retry-After": "3600"}


def outage(outcome: object) -> str:
    """The words of an outcome that says the judge cannot be reached."""
    assert isinstance(outcome, NotJudged), outcome
    assert outcome.reason is NotJudgedReason.JUDGE_UNREACHABLE
    return str(outcome.detail["trouble"])


def lose_patience(judge: OpenAIJudge) -> None:
    """Three questions at once that end without an answer."""
    with ThreadPoolExecutor(3) as pool:
        for outcome in pool.map(judge.grade, [INQUIRY] * 3):
            outage(outcome)


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (Fault(latency=60), "timed out"),
        (Fault("drip", words=CORRECT), "timed out"),
        (Fault("drip_body", words=CORRECT), "timed out"),
        (Fault("drop"), "Connection error"),
        (Fault(status=503, words="Overloaded."), "HTTP 503: Overloaded"),
        (Fault(status=429, words="Slow down.", headers={"Retry-After": "1"}), "HTTP 429: Slow"),
        (Fault(status=429, words="Slow down.", headers={"Retry-After": "0"}), "HTTP 429: Slow"),
        (Fault(status=429, words="Slow down.", headers=AN_HOUR), "HTTP 429: Slow down (not to"),
        (Fault(status=503, words="Down.", headers={"Retry-After": "100"}), "HTTP 503: Down (not"),
        (
            Fault(status=429, words="Later.", headers={"Retry-After": formatdate(4e9)}),
            "HTTP 429: Later",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_no_question_takes_longer_than_its_patience(fault, words):
    with OpenAIServer(fault) as server:
        judge = judge_at(server, patience=PATIENCE)
        began = time.perf_counter()
        outcome = judge.grade(INQUIRY)
        took = time.perf_counter() - began
    assert words in outage(outcome)
    assert took < PATIENCE + SLACK


def test_one_try_takes_a_third_of_it_and_the_next_may_succeed():
    with OpenAIServer(in_turn(Fault("drip", words=CORRECT), CORRECT)) as server:
        began = time.perf_counter()
        assert isinstance(judge_at(server, patience=3).grade(INQUIRY), Verdict)
    assert 0.9 < time.perf_counter() - began < 2.5
    assert len(server.requests) == 2


def test_what_may_pass_is_tried_until_the_patience_ends():
    with OpenAIServer(Fault(status=503)) as server:
        began = time.perf_counter()
        outage(judge_at(server, patience=4).grade(INQUIRY))
    assert time.perf_counter() - began > 2.5
    assert len(server.requests) >= 5


def test_a_date_to_come_back_at_is_no_way_around_it():
    def answer(_):
        return Fault(
            status=429, words="Later.", headers={"Retry-After": formatdate(time.time() + 60)}
        )

    with OpenAIServer(answer) as server:
        began = time.perf_counter()
        outcome = judge_at(server, patience=PATIENCE).grade(INQUIRY)
    assert time.perf_counter() - began < PATIENCE + SLACK
    assert outage(outcome) == "HTTP 429: Later"


def test_the_words_are_those_of_the_last_try():
    hanging_at_last = in_turn(Fault(status=503), Fault(status=503), Fault(latency=60))
    with OpenAIServer(hanging_at_last) as server:
        assert "timed out" in outage(judge_at(server, patience=1.8).grade(INQUIRY))


@pytest.mark.parametrize("seconds", ["100", "3600"])
def test_a_server_that_wants_to_be_left_alone_for_longer_is_left_alone(seconds):
    with OpenAIServer(Fault(status=429, headers={"Retry-After": seconds})) as server:
        began = time.perf_counter()
        outage(judge_at(server, patience=60).grade(INQUIRY))
    assert time.perf_counter() - began < 2
    assert len(server.requests) == 1


def test_a_server_that_says_not_to_try_again_is_not_asked_again():
    with OpenAIServer(Fault(status=429, headers={"x-should-retry": "false"})) as server:
        assert "HTTP 429" in outage(judge_at(server, patience=3).grade(INQUIRY))
    assert len(server.requests) == 1


@pytest.mark.parametrize("jump", [-86_400, 86_400])
def test_a_clock_that_is_set_changes_nothing(monkeypatch, jump):
    now = time.time

    def answer(_):
        monkeypatch.setattr(time, "time", lambda: now() + jump)
        return Fault(status=503)

    with OpenAIServer(answer) as server:
        judge = judge_at(server, patience=PATIENCE)
        began = time.perf_counter()
        outage(judge.grade(INQUIRY))
    assert 0.4 < time.perf_counter() - began < PATIENCE + SLACK


def test_learning_what_a_server_takes_is_part_of_the_patience():
    def answer(request):
        time.sleep(0.6)
        rejected = next((name for name in ("temperature", "max_tokens") if name in request), None)
        error = {"param": rejected}
        return Fault(status=400, error=error) if rejected else Fault(latency=60)

    with OpenAIServer(answer) as server:
        began = time.perf_counter()
        outage(judge_at(server, patience=2).grade(INQUIRY))
    assert time.perf_counter() - began < 2 + SLACK


def test_rounds_hold_as_many_tries_as_were_allowed():
    for most in range(9):
        rounds = list(Allowance(0, 1, most).rounds())
        assert sum(retries + 1 for retries, _ in rounds) == most + 1
        assert all(retries <= 2 for retries, _ in rounds)


def test_pauses_between_rounds_grow_up_to_a_bound():
    rounds = Allowance(0, 1, None).rounds()
    pauses = [next(rounds)[1] for _ in range(12)]
    assert pauses[0] <= 0.5
    assert all(6 <= pause <= 8 for pause in pauses[5:])


def test_a_server_that_hangs_costs_a_few_patiences_and_not_one_per_question():
    with OpenAIServer(Fault(latency=60)) as server:
        judge = judge_at(server, patience=3)
        began = time.perf_counter()
        with ThreadPoolExecutor(32) as pool:
            outcomes = list(pool.map(judge.grade, [INQUIRY] * 200))
        took = time.perf_counter() - began
    assert all("timed out" in outage(outcome) for outcome in outcomes)
    assert took < 3 * 3


@pytest.mark.parametrize(
    ("fault", "words"),
    [(Fault(status=503, words="Down."), "HTTP 503: Down"), (Fault("drop"), "Connection error")],
    ids=["503", "drop"],
)
def test_once_patience_is_lost_a_question_is_tried_once(fault, words):
    with OpenAIServer(fault) as server:
        judge = judge_at(server, patience=60, max_retries=2)
        lose_patience(judge)
        before = len(server.requests)
        assert before == 9
        for _ in range(5):
            assert words in outage(judge.grade(INQUIRY))
    assert len(server.requests) == before + 5


def test_one_success_brings_all_patience_back(caplog):
    down = Fault(status=503)
    with OpenAIServer(down) as server:
        judge = judge_at(server, patience=60, max_retries=1)
        lose_patience(judge)
        outage(judge.grade(INQUIRY))
        assert caplog.text.count("left 3 questions in a row without an answer") == 1
        server._reply = CORRECT
        assert isinstance(judge.grade(INQUIRY), Verdict)
        assert caplog.text.count("answers again") == 1
        server._reply = in_turn(down, CORRECT)
        assert isinstance(judge.grade(INQUIRY), Verdict)


def test_successes_in_between_keep_it():
    with OpenAIServer(CORRECT) as server:
        judge = judge_at(server, patience=6, max_retries=0)
        for _ in range(4):
            server._reply = Fault(status=503)
            outage(judge.grade(INQUIRY))
            outage(judge.grade(INQUIRY))
            server._reply = CORRECT
            assert isinstance(judge.grade(INQUIRY), Verdict)
    assert len(server.requests) == 12


def test_rejections_do_not_wear_it_out():
    with OpenAIServer(Fault(status=400, words="Too long.")) as server:
        judge = judge_at(server, patience=3)
        for _ in range(5):
            judge.grade(INQUIRY)
        server._reply = in_turn(Fault(status=503), CORRECT)
        assert isinstance(judge.grade(INQUIRY), Verdict)


def test_a_slow_server_that_is_back_is_noticed():
    """Its replies take longer than the short wait: only the question with a whole try finds out."""
    with OpenAIServer(Fault(status=503)) as server:
        judge = judge_at(server, patience=12, max_retries=0)
        lose_patience(judge)
        server._reply = lambda _: CORRECT
        server._latency = 1.5
        with ThreadPoolExecutor(4) as pool:
            graded = list(pool.map(judge.grade, [INQUIRY] * 12))
    assert sum(isinstance(verdict, Verdict) for verdict in graded) >= 6
    assert all(isinstance(verdict, Verdict) for verdict in graded[-4:])


def test_probes_of_a_server_that_hangs_are_rare():
    """One question after the other: a whole try for each of them would be 12 s."""
    with OpenAIServer(Fault(latency=60)) as server:
        judge = judge_at(server, patience=3, max_retries=0)
        lose_patience(judge)
        began = time.perf_counter()
        for _ in range(12):
            outage(judge.grade(INQUIRY))
    assert 3 < time.perf_counter() - began < 9


def test_an_interrupted_question_leaves_the_next_one_alone():
    with OpenAIServer(in_turn(Fault(latency=60), CORRECT)) as server:
        judge = judge_at(server, patience=30)
        waiting = threading.Thread(target=judge.grade, args=(INQUIRY,), daemon=True)
        waiting.start()
        time.sleep(0.3)
        began = time.perf_counter()
        assert isinstance(judge.grade(INQUIRY), Verdict)
    assert time.perf_counter() - began < 2
