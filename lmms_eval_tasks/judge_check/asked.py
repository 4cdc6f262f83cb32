"""What a judge said to the labelled answers, and what that cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from lmms_eval_tasks.judge_check.items import LabelledItem
from lmms_eval_tasks_core.judging.protocol import Verdict
from lmms_eval_tasks_core.outcome import NotJudged

Graded: TypeAlias = Verdict | NotJudged


@dataclass(frozen=True, slots=True)
class Spent:
    """What the asking cost.

    Attributes:
        replies: How many replies came, those of the check before the first item included.
        input_tokens: Tokens of all prompts, as the server counts them; 0 where it does not say.
        output_tokens: Tokens of all replies, reasoning included.
        seconds: Time by the clock.
    """

    replies: int
    input_tokens: int
    output_tokens: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Asked:
    """What a judge said to the labelled answers.

    Attributes:
        items: The answers.
        first: What it said to each.
        second: What it said on a second asking, for each that it judged at first; None for the
            others, and where it was not asked again.
        cost: What all this cost.
    """

    items: Sequence[LabelledItem]
    first: Sequence[Graded]
    second: Sequence[Graded | None]
    cost: Spent

    @property
    def reasons(self) -> dict[str, int]:
        """How many answers have no verdict at first, by reason."""
        return _reasons(self.first)

    @property
    def later_reasons(self) -> dict[str, int]:
        """The same for the second asking."""
        return _reasons(self.second)


def _reasons(graded: Sequence[Graded | None]) -> dict[str, int]:
    """How often each reason for no verdict occurs."""
    return dict(Counter(one.reason.value for one in graded if isinstance(one, NotJudged)))
