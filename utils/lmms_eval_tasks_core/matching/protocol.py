"""What a matcher is asked, what it answers, and what every matcher can do."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from lmms_eval_tasks_core.judging.cost import Cost
from lmms_eval_tasks_core.options import Options
from lmms_eval_tasks_core.outcome import NotJudged


@dataclass(frozen=True, slots=True)
class Undecided:
    """A response from which rules could not tell an option.

    Attributes:
        question: What the model was asked, without the options.
        options: The options in the order the model saw them.
        response: What it said.
    """

    question: str
    options: Options
    response: str


@dataclass(frozen=True, slots=True)
class Match:
    """What a matcher found.

    Attributes:
        letter: The letter of the option that the response means; None where it means none.
        matcher: The name of the matcher, as results cite it: "lexical", or the name of a model.
        version: Changes with every change of how the matcher works or is asked.
        reused: Whether the match was kept from an earlier asking.
        cost: What was paid for it now.
    """

    letter: str | None
    matcher: str
    version: str
    reused: bool = False
    cost: Cost = field(default_factory=Cost, compare=False)


class Matcher(Protocol):
    """Matches responses to options. Implementations are thread-safe and never raise for one."""

    @property
    def name(self) -> str:
        """The name that results cite."""
        ...

    @property
    def version(self) -> str:
        """The version that results cite."""
        ...

    def preflight(self) -> None:
        """Check that the matcher can be asked at all.

        Raises:
            JudgeUnavailableError: It cannot; the message says what was tried and what to set.
        """
        ...

    def match(self, undecided: Undecided) -> Match | NotJudged:
        """Find the option that a response means, or say why nobody could tell."""
        ...
