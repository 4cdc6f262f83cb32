"""Has the configured judge grade the labelled answers: many at once, and a second time anew."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from dataclasses import dataclass

from lmms_eval_tasks.judge_check.asked import Asked, Graded, Spent
from lmms_eval_tasks.judge_check.items import LabelledItem
from lmms_eval_tasks.worldqa.rubric import GRADE_OF_RELATION, RUBRIC
from lmms_eval_tasks_core.judging.completion import Usage
from lmms_eval_tasks_core.judging.configured import (
    configured_judge,
    on_judge_usage,
    shared_model,
)
from lmms_eval_tasks_core.judging.lexical import LexicalJudge
from lmms_eval_tasks_core.judging.openai_judge import OpenAIJudge
from lmms_eval_tasks_core.judging.protocol import Judge, Verdict
from lmms_eval_tasks_core.settings import judge_settings

Begins = Callable[[str, int], Callable[[], None]]


@dataclass(frozen=True, slots=True)
class JudgeInUse:
    """The judge that a run with these settings would have.

    Attributes:
        judge: It.
        server: Its server, without user, password and query; None where it needs none.
        afresh: Gives the same judge without what was bought before; None where another asking
            gives the same grade by construction.
    """

    judge: Judge
    server: str | None
    afresh: Callable[[], Judge] | None


def judge_in_use() -> JudgeInUse:
    """The judge that the settings ask for, by the rules of `worldqa_open_ended`.

    Raises:
        JudgeUnavailableError: The settings leave out what it needs.
        SettingError: A setting has a value that cannot be used.
    """
    judge = configured_judge(RUBRIC, GRADE_OF_RELATION, "openai")
    settings = judge_settings()
    if isinstance(judge, LexicalJudge) or settings.model is None:
        return JudgeInUse(judge, None, None)
    model = shared_model(settings.model, settings)

    def afresh() -> Judge:
        # The same client, with what it has learned about its server, but nothing it has bought.
        fresh = copy(model)
        fresh.purchases = None
        return OpenAIJudge(RUBRIC, fresh)

    return JudgeInUse(judge, model.server, afresh)


def ask(
    in_use: JudgeInUse,
    items: Sequence[LabelledItem],
    *,
    again: bool,
    in_flight: int,
    begins: Begins,
) -> Asked:
    """Check that the judge answers, then have it grade all items.

    Args:
        in_use: The judge.
        items: The labelled answers.
        again: Whether to ask a second time for what it judged at first.
        in_flight: How many answers are graded at once.
        begins: Told what begins and of how many steps it is; gives what is called at each step.

    Raises:
        JudgeUnavailableError: It does not answer.
    """
    spent = _Tally()
    on_judge_usage(spent)
    began = time.monotonic()
    in_use.judge.preflight()
    first = _graded(in_use.judge, items, in_flight, begins("first asking", len(items)))
    second: list[Graded | None] = [None] * len(items)
    if again and in_use.afresh:
        judged = [k for k, graded in enumerate(first) if isinstance(graded, Verdict)]
        once_more = [items[k] for k in judged]
        done = begins("second asking", len(judged))
        for k, graded in zip(
            judged, _graded(in_use.afresh(), once_more, in_flight, done), strict=True
        ):
            second[k] = graded
    return Asked(items, first, second, spent.cost(time.monotonic() - began))


def _graded(
    judge: Judge, items: Sequence[LabelledItem], in_flight: int, done: Callable[[], None]
) -> list[Graded]:
    def grade(item: LabelledItem) -> Graded:
        graded = judge.grade(item.inquiry)
        done()
        return graded

    with ThreadPoolExecutor(in_flight) as pool:
        try:
            return list(pool.map(grade, items))
        except BaseException:
            # Who interrupts a check does not want the rest of it.
            pool.shutdown(wait=False, cancel_futures=True)
            raise


class _Tally:
    """Adds up what replies cost; called from many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts = (0, 0, 0)

    def __call__(self, usage: Usage) -> None:
        with self._lock:
            replies, read, written = self._counts
            self._counts = (
                replies + usage.requests,
                read + usage.input_tokens,
                written + usage.output_tokens,
            )

    def cost(self, seconds: float) -> Spent:
        return Spent(*self._counts, seconds)
