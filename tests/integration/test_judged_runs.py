"""Judging at full speed, together with others, and through any number of sudden deaths."""

from __future__ import annotations

import json
import math
import random
import sqlite3
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.integration.harness import Run, read, run
from tests.support.forked_runs import ForkedRuns
from tests.support.judged_run import (
    arguments,
    asked_about,
    settings,
    write_circular,
    write_open_ended,
)
from tests.support.openai_server import Json, OpenAIServer

pytestmark = pytest.mark.slow

INCOMPLETE = '{"rationale": "a part of it", "grade": "incomplete"}'


def graded(request: Json) -> str:
    """A verdict for an open-ended answer, an option for a multiple-choice one."""
    return '{"option": "B"}' if "multiple-choice" in str(request["messages"]) else INCOMPLETE


@pytest.mark.parametrize("flags", [(), ("--process_docs_parallel", "1")], ids=["plain", "serial"])
def test_a_run_keeps_32_judgements_in_flight_and_says_what_they_cost(tmp_path, flags):
    write_open_ended(tmp_path, "mine_open", 160)
    write_circular(tmp_path, "mine_circular", 160)
    with OpenAIServer(graded, latency=0.3) as server:
        done = run(
            *arguments(tmp_path, "mine_open", "mine_circular"),
            *flags,
            folder=tmp_path,
            environment=settings(server.url),
        )
        bills = [server_bill(request) for request in server.requests if asked_about(request)]
    assert server.most_in_flight == 32
    assert (len(bills), len(server.requests)) == (320, 321)
    for task, who in (("mine_open", "judge"), ("mine_circular", "matcher")):
        assert done.value(task, f"{who}_requests") == 160
        assert done.value(task, "reused_rate") == 0.0
        # 160 answers, 32 at a time, are five times 0.3 s; one at a time they would be 48 s.
        assert 1.5 <= done.value(task, f"{who}_seconds") < 16
    ours = sum(
        done.value(task, f"{who}_input_tokens")
        for task, who in (("mine_open", "judge"), ("mine_circular", "matcher"))
    )
    assert ours == sum(bills)
    assert done.results is not None
    summary = done.results["usage"]
    assert summary["by_task"]["mine_open"]["n_api_calls"] == 160
    assert summary["by_source"]["judge"]["n_api_calls"] == 321
    assert "Token Usage" in done.output


def test_a_setting_changes_how_many_are_in_flight(tmp_path):
    write_open_ended(tmp_path, "mine_open", 100)
    with OpenAIServer(graded, latency=0.3) as server:
        environment = settings(server.url, JUDGE_IN_FLIGHT=50)
        done = run(*arguments(tmp_path, "mine_open"), folder=tmp_path, environment=environment)
    assert done.value("mine_open", "judged_rate") == 1.0
    assert server.most_in_flight == 50


def test_two_runs_at_once_share_one_store_and_buy_nothing_twice(tmp_path):
    write_open_ended(tmp_path, "mine_open", 200)
    with OpenAIServer(graded, latency=0.1) as server:
        environment = settings(server.url, VERDICTS=tmp_path / "verdicts.sqlite")

        def once(name: str) -> Run:
            (tmp_path / name).mkdir()
            return run(
                *arguments(tmp_path, "mine_open"), folder=tmp_path / name, environment=environment
            )

        with ThreadPoolExecutor(2) as pool:
            runs = list(pool.map(once, ["one", "other"]))
        asked = [asked_about(request) for request in server.requests]
    assert sorted(number for _, number in filter(None, asked)) == list(range(200))
    assert asked.count(None) <= 2
    assert sum(each.value("mine_open", "judge_requests") for each in runs) == 200
    assert [each.value("mine_open", "open_ended_score") for each in runs] == [50.0, 50.0]
    assert [each.value("mine_open", "judged_rate") for each in runs] == [1.0, 1.0]
    assert [each.output.count("locked") for each in runs] == [0, 0]


class Fated:
    """A judge that sounds an alarm after so many requests.

    Attributes:
        alarm: Set from then on.
        asked: The numbers of the answers it was asked about, in order, over all runs.
    """

    def __init__(self) -> None:
        self.alarm = threading.Event()
        self.asked: list[int] = []
        self._after: float = math.inf
        self._lock = threading.Lock()

    def __call__(self, request: Json) -> str:
        asked = asked_about(request)
        said = "a trial" if asked is None else f"number {asked[1]}"
        with self._lock:
            if asked is not None:
                self.asked.append(asked[1])
            if len(self.asked) >= self._after:
                self.alarm.set()
        return json.dumps({"rationale": said, "grade": "incomplete"})

    def set_alarm(self, after: float) -> None:
        """Sound it when so many requests have come in all, or with the next one."""
        with self._lock:
            self._after = max(after, len(self.asked) + 1)
            self.alarm.clear()


def test_killed_ten_times_a_run_ends_with_the_same_numbers_and_nothing_kept_is_asked(tmp_path):
    answers, in_flight = 300, 8
    write_open_ended(tmp_path, "mine_open", answers)
    store, judge, lot = tmp_path / "verdicts.sqlite", Fated(), random.Random(20)
    deaths = sorted(lot.sample(range(1, answers - in_flight), 10))
    command = (*arguments(tmp_path, "mine_open"), "--output_path", str(tmp_path / "out"))
    with OpenAIServer(judge, latency=0.05) as server:
        environment = settings(server.url, VERDICTS=store, JUDGE_IN_FLIGHT=in_flight)
        with ForkedRuns({**environment, "HF_HOME": str(tmp_path)}) as runs:
            for death in deaths:
                before, begun = kept(store), len(judge.asked)
                judge.set_alarm(death)
                runs.start(command, tmp_path / "killed.txt")
                assert judge.alarm.wait(60), (tmp_path / "killed.txt").read_text()[-3000:]
                time.sleep(lot.uniform(0, 0.1))
                runs.kill()
                assert not before & set(judge.asked[begun:]), "what was kept is asked again"
            judge.set_alarm(math.inf)
            before, begun = kept(store), len(judge.asked)
            runs.start(command, tmp_path / "last.txt")
            assert runs.wait() == 0
    assert sorted(judge.asked[begun:]) == sorted(set(range(answers)) - before)
    # A request that was under way when its run died is all that a death can cost.
    assert len(judge.asked) <= answers + len(deaths) * in_flight
    done = read(tmp_path / "out", (tmp_path / "last.txt").read_text(encoding="utf-8"))
    assert done.value("mine_open", "open_ended_score") == 50.0
    assert done.value("mine_open", "judged_rate") == 1.0
    assert len(done.samples["mine_open"]) == answers


def kept(store: Path) -> set[int]:
    """The numbers of the answers whose verdict the store holds, read past the package."""
    if not store.exists():
        return set()
    with sqlite3.connect(store) as file:
        replies = [json.loads(reply) for (reply,) in file.execute("SELECT reply FROM verdicts")]
    return {int(reply["rationale"].removeprefix("number ")) for reply in replies}


def server_bill(request: Json) -> int:
    """The input tokens that the server counts for a request."""
    return len(json.dumps(request["messages"])) // 4 + 1
