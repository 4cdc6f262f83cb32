"""A judge that fails in every way there is, 200 answers each: counted, named, and never a score.

Of each task's answers every fourth meets the task's fault. All tasks are one run, since they take
little but the patience they are tried with.
"""

from __future__ import annotations

import re
import threading
from collections import Counter
from typing import NamedTuple

import pytest

from tests.integration.harness import Run, run
from tests.support.judged_run import arguments, asked_about, settings, write_open_ended
from tests.support.openai_server import Answer, Fault, Json, OpenAIServer

pytestmark = pytest.mark.slow

ANSWERS, FAULTY = 200, 50
PATIENCE_S = 3
IN_FLIGHT = 32
GOOD = '{"rationale": "a part of it", "grade": "incomplete"}'
HALF = 50.0

# What the server says to every fourth answer; and the reason under which it must be counted.
LASTING: dict[str, tuple[Answer, str]] = {
    "status_429": (Fault(status=429), "judge_unreachable"),
    "status_429_an_hour": (Fault(status=429, headers={"Retry-After": "3600"}), "judge_unreachable"),
    "status_500": (Fault(status=500), "judge_unreachable"),
    "status_503": (Fault(status=503), "judge_unreachable"),
    "hang": (Fault("body", latency=60), "judge_unreachable"),
    "dropped": (Fault("drop"), "judge_unreachable"),
    "truncated": (Fault("truncate"), "judge_unreachable"),
    "status_400": (Fault(status=400, words="too long"), "judge_rejected_the_request"),
    "status_403": (Fault(status=403, words="not for you"), "judge_rejected_the_request"),
    "malformed": (Fault("malformed"), "unreadable_reply"),
    "a_page": (Fault("page"), "unreadable_reply"),
    "empty": ("", "empty_reply"),
    "none": ({"content": None}, "empty_reply"),
    "refusal": ({"content": None, "refusal": "I would rather not."}, "judge_refused"),
    "content_filter": (Fault("finish", words="", reason="content_filter"), "content_filter"),
    "other_schema": ('{"rationale": "good", "score": 9}', "unreadable_reply"),
    "off_the_scale": ('{"rationale": "good", "grade": 0.7}', "unreadable_reply"),
}
# What passes: only the first asking of every fourth answer meets it.
PASSING: dict[str, Answer] = {
    "once_429": Fault(status=429),
    "once_429_retry_after": Fault(status=429, headers={"Retry-After": "1"}),
    "once_500": Fault(status=500),
    "once_503": Fault(status=503),
    "once_dropped": Fault("drop"),
    "once_unreadable": "I think that is nice.",
    "once_slow": Fault("finish", words=GOOD, reason="stop", latency=0.5),
}


class Faulty:
    """Answers as the text to be judged says, and counts what it was asked."""

    def __init__(self) -> None:
        self.asked: Counter[tuple[str, int]] = Counter()
        self.is_healed = False
        self._lock = threading.Lock()

    def __call__(self, request: Json) -> Answer:
        asked = asked_about(request)
        if asked is None:
            return GOOD
        with self._lock:
            self.asked[asked] += 1
        task, number = asked
        if self.is_healed or number % (ANSWERS // FAULTY):
            return GOOD
        if task in LASTING:
            return LASTING[task][0]
        return PASSING[task] if self.asked[asked] == 1 else GOOD


class Outcome(NamedTuple):
    """Both runs, what the server was asked in each, and how long judging took in the first."""

    first: Run
    second: Run
    asked: Counter[tuple[str, int]]
    asked_again: Counter[tuple[str, int]]


@pytest.fixture(scope="module")
def outcome(tmp_path_factory) -> Outcome:
    """One run at a judge with every fault, and one more after it has recovered."""
    folder = tmp_path_factory.mktemp("faults")
    for task in (*LASTING, *PASSING):
        write_open_ended(folder, task, ANSWERS)
    reply = Faulty()
    # It rejects a parameter besides: what is learned of that must survive every fault.
    with OpenAIServer(reply, rejects=("temperature",)) as server:
        runs, counts = [], []
        for name in ("first", "second"):
            (folder / name).mkdir()
            done = run(
                *arguments(folder, *LASTING, *PASSING),
                folder=folder / name,
                environment=settings(
                    server.url, JUDGE_PATIENCE=PATIENCE_S, VERDICTS=folder / "verdicts.sqlite"
                ),
            )
            runs.append(done)
            counts.append(Counter(reply.asked))
            reply.asked.clear()
            reply.is_healed = True
        rejected = sum("temperature" in request for request in server.requests)
    assert rejected <= 2 * IN_FLIGHT, "a rejected parameter is to be learned once"
    return Outcome(*runs, *counts)


@pytest.mark.parametrize("task", LASTING)
def test_a_fault_that_lasts_is_counted_by_reason_and_moves_no_score(outcome, task):
    _, reason = LASTING[task]
    values = outcome.first.values(task)
    assert values["open_ended_score"] == HALF
    assert values["judged_rate"] == 0.75
    assert (values["score_lower"], values["score_upper"]) == (37.5, 62.5)
    counts = {name: value for name, value in values.items() if name.startswith("unjudged_")}
    assert counts == {f"unjudged_{reason}": FAULTY}
    items = outcome.first.items(task, "open_ended_score").values()
    assert Counter(item.get("reason") for item in items) == {None: 150, reason: FAULTY}
    assert f"{FAULTY} of {ANSWERS} answers have no verdict ({reason}: {FAULTY})" in said(outcome)


@pytest.mark.parametrize("task", PASSING)
def test_a_fault_that_passes_leaves_no_trace_in_the_numbers(outcome, task):
    values = outcome.first.values(task)
    assert (values["open_ended_score"], values["judged_rate"]) == (HALF, 1.0)
    assert [name for name in values if name.startswith("unjudged_")] == []


@pytest.mark.parametrize("task", [*LASTING, *PASSING])
def test_the_time_of_a_task_is_bounded(outcome, task):
    # Fifty answers of three seconds' patience, 32 at a time, and what a busy machine adds.
    assert outcome.first.value(task, "judge_seconds") < 10 * PATIENCE_S


@pytest.mark.parametrize("task", [*LASTING, *PASSING])
def test_after_the_judge_has_recovered_only_what_is_lacking_is_asked(outcome, task):
    values = outcome.second.values(task)
    assert (values["open_ended_score"], values["judged_rate"]) == (HALF, 1.0)
    lacking = set(range(0, ANSWERS, 4)) if task in LASTING else set()
    asked = {number: n for (name, number), n in outcome.asked_again.items() if name == task}
    assert asked == dict.fromkeys(lacking, 1)


def test_what_fails_for_good_is_not_asked_again(outcome):
    for task in ("status_400", "status_403", "refusal", "content_filter"):
        assert {n for (name, _), n in outcome.asked.items() if name == task} == {1}


def said(outcome: Outcome) -> str:
    """The output of the first run, without the colours."""
    return re.sub(r"\x1b\[\d+m", "", outcome.first.output)
