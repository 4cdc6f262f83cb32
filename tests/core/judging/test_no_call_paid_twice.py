"""No judge call is paid twice: not by two runs, two processes or two threads at once."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from lmms_eval_tasks.worldqa.rubric import RUBRIC
from lmms_eval_tasks_core.judging.openai_judge import OpenAIJudge
from lmms_eval_tasks_core.judging.protocol import Verdict
from lmms_eval_tasks_core.judging.purchases import Purchases
from lmms_eval_tasks_core.judging.store import VerdictStore
from lmms_eval_tasks_core.judging.transport import ChatModel
from lmms_eval_tasks_core.judging.verdict_file import VerdictFile
from lmms_eval_tasks_core.matching.openai_matcher import OpenAIMatcher
from lmms_eval_tasks_core.matching.prompt import VERSION
from lmms_eval_tasks_core.matching.protocol import Match, Undecided
from lmms_eval_tasks_core.options import Options
from lmms_eval_tasks_core.outcome import NotJudged, NotJudgedReason
from tests.conftest import REPOSITORY
from tests.support.buying import inquiry
from tests.support.openai_server import Fault, OpenAIServer

KEY = "secret-key-0123456789"
CORRECT = '{"rationale": "the same", "grade": "correct"}'
UNDECIDED = Undecided("What did she do?", Options(("She left", "She stayed")), "Off she went.")


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / "verdicts.sqlite"


def model_at(server: OpenAIServer, path: Path | None, **settings) -> ChatModel:
    """A model as another process would make it: with a client and a store of its own."""
    purchases = Purchases(VerdictStore(path) if path else None)
    given = {"model": "test-model", "api_key": KEY, "max_retries": 0, **settings}
    return ChatModel(base_url=server.url, purchases=purchases, **given)


def judge_at(server: OpenAIServer, path: Path | None, **settings) -> OpenAIJudge:
    return OpenAIJudge(RUBRIC, model_at(server, path, **settings))


def asked(server: OpenAIServer) -> Counter[str]:
    return Counter(request["messages"][0]["content"] for request in server.requests)


def test_a_verdict_is_bought_once_and_says_when_it_was_not(path):
    with OpenAIServer(CORRECT) as server:
        first = judge_at(server, path).grade(inquiry(1))
        second = judge_at(server, path).grade(inquiry(1))
        another = judge_at(server, path).grade(inquiry(2))
    assert first == Verdict(1.0, "correct", "the same", "test-model", RUBRIC.version)
    assert second == Verdict(1.0, "correct", "the same", "test-model", RUBRIC.version, reused=True)
    assert isinstance(another, Verdict)
    assert not another.reused
    assert len(server.requests) == 2


def test_so_is_a_match(path):
    with OpenAIServer("Option: none") as server:
        found = [OpenAIMatcher(model_at(server, path)).match(UNDECIDED) for _ in range(2)]
    assert found == [Match(None, "test-model", VERSION), Match(None, "test-model", VERSION, True)]  # noqa: FBT003 - `reused`
    assert len(server.requests) == 1


def test_what_the_server_said_of_itself_is_kept(path):
    with OpenAIServer(CORRECT) as server:
        judge_at(server, path).grade(inquiry(1))
    ((_, kept),) = VerdictFile(path).entries()
    assert (kept.judge, kept.version) == ("test-model", RUBRIC.version)
    assert kept.server == server.url.removeprefix("http://")
    assert (kept.reply.text, kept.reply.finish) == (CORRECT, "stop")
    assert (kept.reply.model, kept.reply.fingerprint) == ("test-model", "fp_test")
    assert kept.reply.usage.input_tokens > 100


def test_a_server_that_takes_fewer_parameters_changes_no_key(path):
    with OpenAIServer(CORRECT, rejects=("temperature", "response_format")) as server:
        judge_at(server, path).grade(inquiry(1))
        bought = len(server.requests)
        judge_at(server, path).grade(inquiry(1))
    assert len(server.requests) == bought


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (Fault(status=500), NotJudgedReason.JUDGE_UNREACHABLE),
        (Fault(status=400), NotJudgedReason.JUDGE_REJECTED),
        (Fault("finish"), NotJudgedReason.CONTENT_FILTER),
        ("no verdict", NotJudgedReason.UNREADABLE_REPLY),
        ("", NotJudgedReason.EMPTY_REPLY),
        ({"content": None, "refusal": "no"}, NotJudgedReason.JUDGE_REFUSED),
    ],
)
def test_a_failure_is_never_kept(path, fault, reason):
    with OpenAIServer(fault) as server:
        outcome = judge_at(server, path).grade(inquiry(1))
        assert isinstance(outcome, NotJudged)
        assert outcome.reason is reason
        server._reply = CORRECT
        verdict = judge_at(server, path).grade(inquiry(1))
    assert isinstance(verdict, Verdict)
    assert not verdict.reused


def test_a_kept_reply_is_read_again_and_bought_anew_if_it_says_nothing(path):
    def rewrite(text: str) -> None:
        file = VerdictFile(path)
        ((key, kept),) = file.entries()
        file._connection.execute("UPDATE verdicts SET reply = ? WHERE key = ?", (text, key))
        assert kept.reply.text != text
        file.close()

    with OpenAIServer(CORRECT) as server:
        judge_at(server, path).grade(inquiry(1))
        rewrite("Grade: incorrect")
        reread = judge_at(server, path).grade(inquiry(1))
        assert isinstance(reread, Verdict)
        assert (reread.grade, reread.reused, len(server.requests)) == ("incorrect", True, 1)
        rewrite("nothing that can be read")
        anew = judge_at(server, path).grade(inquiry(1))
        assert isinstance(anew, Verdict)
        assert (anew.grade, anew.reused, len(server.requests)) == ("correct", False, 2)


@pytest.mark.parametrize("has_store", [True, False])
def test_the_same_question_from_many_threads_is_sent_once(path, has_store):
    with OpenAIServer(CORRECT, latency=0.3) as server:
        judge = judge_at(server, path if has_store else None)
        with ThreadPoolExecutor(32) as pool:
            verdicts = list(pool.map(judge.grade, [inquiry(1)] * 32))
    assert len(server.requests) == 1
    assert sum(v.reused for v in verdicts if isinstance(v, Verdict)) == 31


def test_threads_that_share_a_question_share_its_failure_and_the_next_one_asks(path):
    with OpenAIServer(Fault(status=500, latency=0.3)) as server:
        judge = judge_at(server, path)
        with ThreadPoolExecutor(8) as pool:
            outcomes = list(pool.map(judge.grade, [inquiry(1)] * 8))
        assert all(isinstance(outcome, NotJudged) for outcome in outcomes)
        assert len(server.requests) == 1
        judge.grade(inquiry(1))
    assert len(server.requests) == 2


def test_different_questions_do_not_wait_for_each_other(path):
    with OpenAIServer(CORRECT, latency=0.2) as server:
        judge = judge_at(server, path)
        with ThreadPoolExecutor(16) as pool:
            list(pool.map(judge.grade, map(inquiry, range(16))))
    assert server.most_in_flight >= 12


def test_the_key_is_nowhere_in_the_files(path):
    echo = f'{{"rationale": "your key is {KEY}, mine is sk-0123456789ab here", "grade": "correct"}}'
    with OpenAIServer(echo, key=KEY) as server:
        judge_at(server, path).grade(inquiry(1))
        again = judge_at(server, path).grade(inquiry(1))
    assert isinstance(again, Verdict)
    assert again.reused
    content = b"".join(file.read_bytes() for file in path.parent.iterdir() if file.is_file())
    assert b"your key is" in content
    assert KEY.encode() not in content
    assert b"sk-0123" not in content


def test_a_reply_that_cannot_be_told_without_a_key_is_used_and_not_kept(path):
    # What looks like a key swallows the verdict behind it.
    odd = '{"rationale":"Bearer me","grade":"correct"}'
    with OpenAIServer(odd) as server:
        verdicts = [judge_at(server, path).grade(inquiry(1)) for _ in range(2)]
    assert [v.reused for v in verdicts if isinstance(v, Verdict)] in ([False, False], [False, True])
    assert {v.grade for v in verdicts if isinstance(v, Verdict)} == {"correct"}


def test_a_store_that_cannot_be_used_costs_no_verdict(tmp_path):
    with OpenAIServer(CORRECT) as server:
        judge = judge_at(server, Path("/proc/verdicts.sqlite"))
        assert isinstance(judge.grade(inquiry(1)), Verdict)
        assert isinstance(judge.grade(inquiry(1)), Verdict)
    assert len(server.requests) == 2


def test_a_judge_that_gave_verdicts_before_passes_preflight_unasked_if_it_is_still_listed(path):
    with OpenAIServer(CORRECT) as server:
        judge_at(server, path).preflight()
        judge_at(server, path).grade(inquiry(1))
        assert len(server.requests) == 2
        judge_at(server, path).preflight()
        assert len(server.requests) == 2
        judge_at(server, path, model="not-listed").preflight()
        assert len(server.requests) == 3
        server._models = ("another",)
        judge_at(server, path).preflight()
        assert len(server.requests) == 4


def test_a_model_of_the_same_name_on_another_server_is_another_model(path):
    for _ in range(2):
        with OpenAIServer(CORRECT) as server:
            verdict = judge_at(server, path).grade(inquiry(1))
            assert isinstance(verdict, Verdict)
            assert not verdict.reused


def test_a_server_without_a_list_of_models_is_asked(path):
    class Unlisted(OpenAIServer):
        def listed(self):
            raise RuntimeError

    with Unlisted(CORRECT) as server:
        judge_at(server, path).grade(inquiry(1))
        judge_at(server, path).preflight()
    assert len(server.requests) == 2


def test_a_server_that_counts_nonsense_costs_no_verdict(path):
    body = {
        "choices": [{"message": {"content": CORRECT + "\ud800\0"}, "finish_reason": "\udfff"}],
        "model": ["odd"],
        "system_fingerprint": 7,
        "usage": {"prompt_tokens": 10**30, "completion_tokens": -1},
    }
    with OpenAIServer(Fault("body", body=body)) as server:
        verdicts = [judge_at(server, path).grade(inquiry(1)) for _ in range(2)]
    assert [v.reused for v in verdicts if isinstance(v, Verdict)] == [False, True]


def test_what_goes_wrong_in_one_thread_reaches_those_who_wait_for_it():
    def broken():
        time.sleep(0.3)
        raise MemoryError

    purchases = Purchases(None)
    with ThreadPoolExecutor(2) as pool:
        waiting = [pool.submit(purchases.obtained, "k", broken, bool) for _ in range(2)]
    assert all(isinstance(future.exception(), MemoryError) for future in waiting)
    reason = NotJudged(NotJudgedReason.EMPTY_REPLY)
    assert purchases.obtained("k", lambda: reason, bool) == (reason, False)


def buyer(server: OpenAIServer, path: Path, count: int, threads: int = 8):
    environment = {
        **os.environ,
        "LMMS_EVAL_TASKS_JUDGE_MODEL": "test-model",
        "LMMS_EVAL_TASKS_JUDGE_BASE_URL": server.url,
        "LMMS_EVAL_TASKS_VERDICTS": str(path),
        "OPENAI_API_KEY": KEY,
    }
    return subprocess.Popen(
        [sys.executable, "-m", "tests.support.buying", "0", str(count), str(threads)],
        cwd=REPOSITORY,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finished(process) -> tuple[str, int]:
    """What a buyer printed: the points, and how many were reused."""
    output, trouble = process.communicate(timeout=120)
    assert process.returncode == 0, trouble
    assert trouble == ""
    points, reused = output.splitlines()
    return points, int(reused)


def test_two_processes_buy_nothing_twice(path):
    with OpenAIServer(CORRECT, latency=0.02) as server:
        both = [buyer(server, path, 200) for _ in range(2)]
        results = [finished(process) for process in both]
    assert set(asked(server).values()) == {1}
    assert len(server.requests) == 200
    assert sum(reused for _, reused in results) == 200
    assert results[0][0] == results[1][0]


def test_a_run_killed_ten_times_buys_again_at_most_what_was_in_flight(path):
    count, threads = 240, 8
    drawn = random.Random(6)
    with OpenAIServer(CORRECT, latency=0.02) as server:
        for _ in range(10):
            process = buyer(server, path, count, threads)
            enough = len(server.requests) + drawn.randint(1, 20)
            while len(server.requests) < enough and process.poll() is None:
                time.sleep(drawn.random() / 100)
            process.send_signal(signal.SIGKILL)
            process.communicate()
            assert process.returncode == -signal.SIGKILL
            time.sleep(0.05)
            file = VerdictFile(path)
            kept = sum(1 for _ in file.entries())
            file.close()
            assert kept <= len(asked(server)) <= kept + 10 * threads
        known = kept
        points, reused = finished(buyer(server, path, count, threads))
    assert reused == known
    assert points == str([1.0] * count)
    assert len(asked(server)) == count
    assert len(server.requests) <= count + 10 * threads
    file = VerdictFile(path)
    assert file._connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert sum(1 for _ in file.entries()) == count
    assert not list(path.parent.glob("*.aside-*"))


def test_a_warm_store_takes_under_two_milliseconds_an_answer(path):
    with OpenAIServer(CORRECT) as server:
        judge = judge_at(server, path)
        for number in range(100):
            judge.grade(inquiry(number))
        warm = judge_at(server, path)
        warm.grade(inquiry(0))
        began = time.perf_counter()
        verdicts = [warm.grade(inquiry(number)) for number in range(100)]
        took = time.perf_counter() - began
    assert all(isinstance(verdict, Verdict) and verdict.reused for verdict in verdicts)
    assert took / 100 < 0.002
