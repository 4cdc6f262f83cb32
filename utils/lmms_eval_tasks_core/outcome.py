"""What became of one response: scored, not answered, or not judged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

Detail: TypeAlias = Mapping[str, object]


class NoAnswerReason(Enum):
    """Why a response holds no answer. Every one of these is the model's failure."""

    REQUEST_FAILED = "request_failed"
    EMPTY = "empty"
    UNFINISHED_THOUGHT = "unfinished_thought"
    NO_ANSWER_LINE = "no_answer_line"
    SEVERAL_LETTERS = "several_letters"
    NOT_A_LETTER = "not_a_letter_of_this_question"
    UNDECIDED = "undecided"


class NotJudgedReason(Enum):
    """Why a response has no verdict. None of these is the model's failure."""

    JUDGE_NOT_CONFIGURED = "judge_not_configured"
    JUDGE_UNREACHABLE = "judge_unreachable"
    JUDGE_REJECTED = "judge_rejected_the_request"
    JUDGE_REFUSED = "judge_refused"
    CONTENT_FILTER = "content_filter"
    EMPTY_REPLY = "empty_reply"
    UNREADABLE_REPLY = "unreadable_reply"
    IMAGE_UNUSABLE = "image_unusable"


@dataclass(frozen=True, slots=True)
class Scored:
    """An answer with a score.

    Attributes:
        value: The score, on the scale of the metric that logs it.
        detail: What a reader needs to understand it: letter, program, verdict, …
    """

    value: float
    detail: Detail = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """A response without an answer: the model's failure, worth 0 and counted apart.

    Attributes:
        reason: A member of `NoAnswerReason`, or of a benchmark's own closed enumeration.
        detail: What a reader needs to understand it.
    """

    reason: Enum
    detail: Detail = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NotJudged:
    """An answer nobody judged: ours or the judge's failure, and not a score."""

    reason: NotJudgedReason
    detail: Detail = field(default_factory=dict)


Outcome: TypeAlias = Scored | NoAnswer | NotJudged


def to_item(outcome: Outcome, identity: Detail) -> dict[str, object]:
    """Turn an outcome into the plain dict that lmms-eval stores and logs for one sample.

    Args:
        outcome: What became of the response.
        identity: Fields that say which sample this is (``id``, ``domain``, ``video_idx``, …).

    Returns:
        The identity, ``outcome`` ("scored", "no_answer" or "not_judged"), the detail, ``reason``
        where there is one, and ``score`` unless the answer was not judged. The key is left out
        then, because the harness takes the standard error over the items that have it.
    """
    item = {**identity, **outcome.detail}
    if isinstance(outcome, Scored):
        return {**item, "outcome": "scored", "score": float(outcome.value)}
    if isinstance(outcome, NoAnswer):
        return {**item, "outcome": "no_answer", "reason": outcome.reason.value, "score": 0.0}
    return {**item, "outcome": "not_judged", "reason": outcome.reason.value}
