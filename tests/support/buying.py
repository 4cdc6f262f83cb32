"""A process that has answers judged through the configured judge; run it as a script.

python -m tests.support.buying START STOP THREADS
"""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

from lmms_eval_tasks.worldqa.rubric import GRADE_OF_RELATION, RUBRIC
from lmms_eval_tasks_core.judging.configured import configured_judge
from lmms_eval_tasks_core.judging.protocol import Inquiry, Verdict


def inquiry(number: int) -> Inquiry:
    """The question of this number; its answer holds the number, so that a server can tell."""
    return Inquiry("What is it?", "A number.", f"answer number {number}.")


def main(start: int, stop: int, threads: int) -> None:
    """Have the answers judged and print the points of each, then how many were reused."""
    judge = configured_judge(RUBRIC, GRADE_OF_RELATION, "openai")
    with ThreadPoolExecutor(threads) as pool:
        verdicts = list(pool.map(judge.grade, map(inquiry, range(start, stop))))
    assert all(isinstance(verdict, Verdict) for verdict in verdicts), verdicts
    print([verdict.points for verdict in verdicts if isinstance(verdict, Verdict)])  # noqa: T201 - its only output
    print(sum(verdict.reused for verdict in verdicts if isinstance(verdict, Verdict)))  # noqa: T201 - see above


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
