"""Many threads ask at once: really at once, each lesson learned once, nothing left open."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from lmms_eval_tasks_core.judging.protocol import Verdict
from lmms_eval_tasks_core.judging.transport import ChatModel
from tests.conftest import REPOSITORY
from tests.support.judges import CORRECT, INQUIRY, judge_at
from tests.support.openai_server import Fault, OpenAIServer

LESSONS = ("temperature", "max_tokens", "response_format")


@pytest.mark.parametrize("number", [64, 256])
def test_as_many_as_ask_are_in_flight(number):
    with OpenAIServer(CORRECT, latency=3) as server:
        judge = judge_at(server, patience=60)
        with ThreadPoolExecutor(number) as pool:
            graded = list(pool.map(judge.grade, [INQUIRY] * number))
    assert all(isinstance(verdict, Verdict) for verdict in graded)
    assert server.most_in_flight == number


def test_what_a_server_does_not_take_is_learned_by_all_threads_together():
    threads, questions = 32, 96
    with OpenAIServer(CORRECT, rejects=LESSONS, latency=0.05) as server:
        judge = judge_at(server)
        with ThreadPoolExecutor(threads) as pool:
            graded = list(pool.map(judge.grade, [INQUIRY] * questions))
        taught = len(server.requests)
        assert isinstance(judge.grade(INQUIRY), Verdict)
    assert all(isinstance(verdict, Verdict) for verdict in graded)
    assert taught <= questions + threads * len(LESSONS)
    assert len(server.requests) == taught + 1
    assert not set(LESSONS) & set(server.requests[-1])


def test_lessons_of_two_threads_are_not_lost():
    """Each is taught by another complaint before the other's lesson has proved right."""
    both_asked = threading.Barrier(2)

    def answer(request):
        prompt = request["messages"][0]["content"]
        if prompt in request:
            both_asked.wait(10)
            return Fault(status=400, error={"param": prompt})
        return "fine"

    with OpenAIServer(answer, latency=0.3) as server:
        model = ChatModel(model="m", base_url=server.url)
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda name: model.ask(name, {}), ("temperature", "response_format")))
        model.ask("hello", {})
    assert len(server.requests) == 5
    assert not {"temperature", "response_format"} & set(server.requests[-1])


ASK = """
import gc, sys
from concurrent.futures import ThreadPoolExecutor
from tests.support.judges import CORRECT, INQUIRY, judge_at
from tests.support.openai_server import OpenAIServer

with OpenAIServer(CORRECT, latency=0.02) as server:
    kept = judge_at(server)
    for judge in (judge_at(server), kept):
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(judge.grade, [INQUIRY] * 16))
    del judge
    gc.collect()
{rest}
print(len(server.requests))
"""


def run(code: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-X", "dev", "-W", "always::ResourceWarning", "-c", code]
    return subprocess.run(
        command, cwd=REPOSITORY, capture_output=True, text=True, timeout=60, check=True
    )


def test_nothing_is_left_open_when_a_process_ends():
    done = run(ASK.format(rest=""))
    assert done.stdout.strip() == "32"
    assert done.stderr == ""


def test_a_process_ends_while_a_server_hangs():
    rest = """
import threading
hanging = OpenAIServer(CORRECT, latency=60)
hanging.__enter__()
threading.Thread(target=judge_at(hanging).grade, args=(INQUIRY,), daemon=True).start()
import time
time.sleep(0.5)
"""
    done = run(ASK.format(rest=rest))
    assert done.stdout.strip() == "32"
    assert "ResourceWarning" not in done.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_fork_asks_through_connections_of_its_own():
    rest = """
import os
with OpenAIServer(CORRECT) as server:
    judge = judge_at(server)
    judge.grade(INQUIRY)
    child = os.fork()
    if child == 0:
        os._exit(0 if type(judge.grade(INQUIRY)).__name__ == "Verdict" else 1)
    assert os.waitpid(child, 0)[1] == 0
    judge.grade(INQUIRY)
"""
    assert run(ASK.format(rest=rest)).stdout.strip() == "3"
