"""What a judge is asked, what it answers, and what every judge can do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from lmms_eval_tasks_core.judging.cost import Cost
from lmms_eval_tasks_core.outcome import NotJudged


@dataclass(frozen=True, slots=True)
class Inquiry:
    """An answer to be compared with the ground truth of its question."""

    question: str
    reference: str
    answer: str


@dataclass(frozen=True, slots=True)
class Grade:
    """One grade of a rubric.

    Attributes:
        name: The word a judge answers with, in lower case.
        points: What the grade is worth, 0 to 1. Two grades may be worth the same.
        meaning: When it applies, in one sentence, as the prompt says it.
    """

    name: str
    points: float
    meaning: str


@dataclass(frozen=True, slots=True)
class Rubric:
    """A closed scale of grades, and the words in which a judge is asked to use it.

    Attributes:
        version: Changes with every change of the wording or of the grades; part of each verdict.
        grades: The only verdicts that are accepted.
        render: Turns an inquiry into the text sent to a judge.
    """

    version: str
    grades: tuple[Grade, ...]
    render: Callable[[Inquiry], str]


@dataclass(frozen=True, slots=True)
class Verdict:
    """A grade given by a judge.

    Attributes:
        points: What the grade is worth, 0 to 1.
        grade: The grade's name, or None where the judge gave points that several grades share.
        rationale: What the judge said for it; may be empty.
        judge: The name of the judge, as results cite it: "lexical", or the name of a model.
        rubric_version: The version of the rubric.
        reused: Whether the verdict was kept from an earlier asking.
        cost: What was paid for it now.
    """

    points: float
    grade: str | None
    rationale: str
    judge: str
    rubric_version: str
    reused: bool = False
    cost: Cost = field(default_factory=Cost, compare=False)


class Judge(Protocol):
    """Grades answers. Implementations are thread-safe and never raise for one answer."""

    @property
    def name(self) -> str:
        """The name that results cite."""
        ...

    def preflight(self) -> None:
        """Check that the judge can be asked at all, before a run spends anything on its model.

        Raises:
            JudgeUnavailableError: It cannot; the message says what was tried and what to set.
        """
        ...

    def grade(self, inquiry: Inquiry) -> Verdict | NotJudged:
        """Grade one answer, or say why it has no verdict."""
        ...
