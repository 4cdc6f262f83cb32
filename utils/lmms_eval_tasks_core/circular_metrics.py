"""The numbers of CircularEval, from the items of all passes in whatever order they come.

MMBench (Liu et al. 2023, arXiv 2307.06281, section 4.2) counts a question as right only if all its
passes are (`circular_acc`); averaging over the passes is another number. An item is a mapping with
``group``, ``pass``, ``passes``, ``right``, ``outcome`` and ``video_idx``.

A question is complete if each of its passes was asked and has an outcome of the model's own. The
strict numbers are over complete questions; the two bounds are over all questions, and lie as close
as what is known of the incomplete ones allows: one that has a wrong pass already is not right,
whatever its other passes would have brought.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

Item: TypeAlias = Mapping[str, object]
# What lmms-eval itself writes where there is no standard error.
NOT_AVAILABLE = "N/A"


@dataclass(frozen=True, slots=True)
class _Question:
    """What is known of one question.

    Attributes:
        passes: How many passes it needs.
        judged: How many of them have an outcome of the model's own.
        right: How many of them are right.
        cluster: What it shares with other questions: its video.
    """

    passes: int
    judged: int
    right: int
    cluster: object

    @property
    def is_complete(self) -> bool:
        return self.judged >= self.passes

    @property
    def is_right(self) -> bool:
        return self.is_complete and self.right == self.judged

    @property
    def may_be_right(self) -> bool:
        return self.right == self.judged


def circular_acc(items: Sequence[Item]) -> float:
    """The share of complete questions whose passes are all right, 0 to 1; 0 for none."""
    return _mean([float(question.is_right) for question in _complete(items)])


def circular_acc_stderr(items: Sequence[Item]) -> float | str:
    """The standard error of `circular_acc`, with questions clustered by video.

    Equation 4 of Miller 2024 (arXiv 2411.00640), as lmms-eval computes it for metrics whose items
    have scores of their own.

    Returns:
        The standard error, or "N/A" for fewer than two complete questions or a single video.
    """
    scores = [(question.cluster, float(question.is_right)) for question in _complete(items)]
    return _clustered_stderr(scores)


def circular_lower(items: Sequence[Item]) -> float:
    """`circular_acc` over all questions, if no incomplete one were right."""
    return _mean([float(question.is_right) for question in _questions(items)])


def circular_upper(items: Sequence[Item]) -> float:
    """`circular_acc` over all questions, if every one without a wrong pass were right."""
    return _mean([float(question.may_be_right) for question in _questions(items)])


def incomplete_groups(items: Sequence[Item]) -> float:
    """How many questions `circular_acc` leaves out because a pass is missing or not judged."""
    return float(sum(not question.is_complete for question in _questions(items)))


def at_least(right: int) -> Callable[[Sequence[Item]], float]:
    """The metric "at least so many passes right".

    Args:
        right: How many passes; a question with fewer passes needs all of its own, so that the
            ladder ends at `circular_acc` where no question has more than ``right`` options.

    Returns:
        An aggregation: the share of complete questions that reach it, 0 to 1; 0 for none.
    """

    def at_least_rate(items: Sequence[Item]) -> float:
        return _mean([float(q.right >= min(right, q.passes)) for q in _complete(items)])

    return at_least_rate


def position_bias(items: Sequence[Item]) -> float:
    """How far the positions a model chooses are from those where the right option stands.

    The total variation distance ½ Σₖ |c(k)/n - r(k)/n| over the n passes with a choice, where c(k)
    counts choices of position k and r(k) right options at position k. 0: positions are chosen as
    often as they are right; 1: never. A model that always says A gets 0.75 with four options.
    """
    decided = [item for item in items if item.get("chosen_position") is not None]
    if not decided:
        return 0.0
    chosen = Counter(item["chosen_position"] for item in decided)
    right = Counter(item["right_position"] for item in decided)
    difference = sum(abs(chosen[k] - right[k]) for k in chosen.keys() | right.keys())
    return difference / (2 * len(decided))


def _complete(items: Sequence[Item]) -> list[_Question]:
    return [question for question in _questions(items) if question.is_complete]


def _questions(items: Sequence[Item]) -> list[_Question]:
    """What is known of each question; a pass that stands twice counts once, as it stands last."""
    groups: dict[object, dict[object, Item]] = defaultdict(dict)
    for item in items:
        groups[item["group"]][item["pass"]] = item
    return [_question(list(passes.values())) for passes in groups.values()]


def _question(passes: Sequence[Item]) -> _Question:
    judged = [item for item in passes if item.get("outcome") != "not_judged"]
    return _Question(
        passes=int(str(passes[0]["passes"])),
        judged=len(judged),
        right=sum(bool(item["right"]) for item in judged),
        cluster=passes[0].get("video_idx"),
    )


def _clustered_stderr(scores: Sequence[tuple[object, float]]) -> float | str:
    count, clusters = len(scores), {cluster for cluster, _ in scores}
    if len(clusters) < 2:  # noqa: PLR2004 - one cluster says nothing about how clusters differ
        return NOT_AVAILABLE
    mean = _mean([score for _, score in scores])
    deviations = [(cluster, score - mean) for cluster, score in scores]
    sums: dict[object, float] = defaultdict(float)
    for cluster, deviation in deviations:
        sums[cluster] += deviation
    squares = math.fsum(deviation**2 for _, deviation in deviations)
    # Each cluster's squared sum holds the squares of its members, which the first term has already.
    between = math.fsum(total**2 for total in sums.values()) - squares
    return math.sqrt(max(squares / (count * (count - 1)) + between / count**2, 0.0))


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else 0.0
