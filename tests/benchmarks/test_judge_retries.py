"""How long a rate limit holds up the judge, against the ideal.

Which tries are turned away is drawn for each question and try beforehand, so that every run, and
whoever asks, meets the same ones.
"""

from __future__ import annotations

import heapq
import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor

import pytest

from lmms_eval_tasks_core.judging.completion import Reply
from lmms_eval_tasks_core.judging.transport import ChatModel
from tests.support.openai_server import Answer, Fault, Json, OpenAIServer

LATENCY_S, SHARE = 0.05, 0.3
ROOM, LATENCY_WITHIN_S = 10, 0.06
# One of the 100 questions is turned away five times in a row, as happens to one run in four.
SEED = 6
MOST_SECONDS, MOST_RATIO = 6.0, 2.0

pytestmark = pytest.mark.benchmark


class RateLimit:
    """Turns away a share of all tries, and whatever exceeds a number in flight.

    Args:
        seed: Which tries are turned away.
        is_bounded: Whether it works at a few replies at once only.
        headers: Of what it turns away.
    """

    def __init__(
        self, seed: int, *, is_bounded: bool = False, headers: dict[str, str] | None = None
    ) -> None:
        self._seed = seed
        self._room = ROOM if is_bounded else sys.maxsize
        self._refusal = Fault(status=429, words="Slow down.", headers=headers or {})
        self._lock = threading.Lock()
        self._tries: Counter[str] = Counter()
        self._free_at: list[float] = []
        self.refused = 0

    def failures(self, question: str) -> int:
        """How often a question is turned away by chance."""
        chance = random.Random(f"{self._seed} {question}")
        count = 0
        while chance.random() < SHARE:
            count += 1
        return count

    def answer(self, request: Json) -> Answer:
        question = request["messages"][0]["content"]
        now = time.monotonic()
        with self._lock:
            while self._free_at and self._free_at[0] <= now:
                heapq.heappop(self._free_at)
            if len(self._free_at) >= self._room:
                self.refused += 1
                return self._refusal
            heapq.heappush(self._free_at, now + LATENCY_WITHIN_S)
            self._tries[question] += 1
            is_refused = self._tries[question] <= self.failures(question)
        return self._refusal if is_refused else f"reply to {question}"


def seconds(
    ask: Callable[[str], object], questions: Iterable[str], in_flight: int
) -> tuple[float, list[object]]:
    began = time.perf_counter()
    with ThreadPoolExecutor(in_flight) as pool:
        replies = list(pool.map(ask, questions))
    return time.perf_counter() - began, replies


def ideal(limit: RateLimit, questions: Iterable[str], in_flight: int, delay: float) -> float:
    """The seconds for askers who come back exactly when they may, one question after the other."""
    free_at = [0.0] * in_flight
    for question in questions:
        failures = limit.failures(question)
        took = failures * (LATENCY_S + delay) + LATENCY_S
        heapq.heapreplace(free_at, free_at[0] + took)
    return max(free_at)


def texts(replies: Iterable[object]) -> list[str]:
    return [reply.text for reply in replies if isinstance(reply, Reply)]


def patient(server: OpenAIServer) -> Callable[[str], object]:
    model = ChatModel(model="m", base_url=server.url)
    model.ask("warm up", {})
    return lambda question: model.ask(question, {})


@pytest.mark.parametrize("delay", [None, 1], ids=["no-retry-after", "retry-after-1"])
def test_a_hundred_questions_of_which_a_third_is_turned_away(delay):
    headers = {} if delay is None else {"Retry-After": str(delay)}
    in_flight, questions = 32, [f"question {number}" for number in range(100)]
    limit = RateLimit(SEED, headers=headers)
    with OpenAIServer(limit.answer, latency=LATENCY_S) as server:
        took, replies = seconds(patient(server), questions, in_flight)
    assert texts(replies) == [f"reply to {question}" for question in questions]
    # The client's shortest pause is the best there is where the server asks for none.
    best = ideal(limit, questions, in_flight, delay or 0.5)
    print(f"\n429 to {SHARE:.0%}, {headers}: {took:.2f} s, ideal {best:.2f} s: {took / best:.2f}")  # noqa: T201
    assert took < MOST_SECONDS
    assert took / best < MOST_RATIO


def test_soak():
    """A thousand questions to a server with a rate of its own, turned away for two reasons."""
    in_flight, questions = 64, [f"question {number}" for number in range(1_000)]
    limit = RateLimit(SEED, is_bounded=True)
    with OpenAIServer(limit.answer, latency=LATENCY_WITHIN_S) as server:
        took, replies = seconds(patient(server), questions, in_flight)
    assert texts(replies) == [f"reply to {question}" for question in questions]
    tries = sum(limit.failures(question) + 1 for question in questions)
    best = tries * LATENCY_WITHIN_S / ROOM
    rate = len(questions) / took
    print(f"\nsoak: {rate:.0f}/s, {took:.2f} s, ideal {best:.2f} s: {took / best:.2f}")  # noqa: T201
    assert limit.refused > 0
    assert took / best < MOST_RATIO
