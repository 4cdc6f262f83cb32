"""How far verdicts agree with labels, beyond what chance would give, and how sure that is."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from math import fsum
from typing import TypeVar

from lmms_eval_tasks_core.intervals import Interval

T = TypeVar("T")
C = TypeVar("C", bound=Hashable)
_RESAMPLES = 2_000
_TAIL = 0.025


def kappa(pairs: Mapping[tuple[C, C], int], distance: Callable[[C, C], float]) -> float | None:
    """Cohen's kappa: how much less two raters disagree than they would by chance.

    With o the mean distance over the pairs, and e the mean distance over all pairs that the two
    margins make (each label with each verdict, by their shares): 1 - o / e. With the distance 1
    between different classes this is the kappa of Cohen 1960 (Educational and Psychological
    Measurement 20, 37-46); with any other one it is the weighted kappa of Cohen 1968
    (Psychological Bulletin 70, 213-220).

    Args:
        pairs: How often each pair of label and verdict occurs.
        distance: How bad it is to give one class for the other; 0 for the same class.

    Returns:
        1 for perfect agreement, about 0 for verdicts that do not depend on the labels, less for
        those that are worse than that; None where it is not defined: no pairs, or label and
        verdict all of one same class, so that chance could not disagree either.
    """
    total = sum(pairs.values())
    labels: Counter[C] = Counter()
    verdicts: Counter[C] = Counter()
    for (label, verdict), count in pairs.items():
        labels[label] += count
        verdicts[verdict] += count
    # Of verdicts that are all alike, both sums have the same terms. Only sums that are rounded once
    # are then equal whatever the order, so that kappa is 0 and not a trace of rounding beside it.
    expected = fsum(
        distance(label, verdict) * (labels[label] * verdicts[verdict])
        for label in labels
        for verdict in verdicts
    )
    if expected == 0:
        return None
    observed = fsum(distance(*pair) * (count * total) for pair, count in pairs.items())
    return 1 - observed / expected


def differs(label: object, verdict: object) -> float:
    """The distance of the unweighted kappa."""
    return float(label != verdict)


def points_apart(label: float, verdict: float) -> float:
    """The distance of the weighted kappa: what the mistake moves the score by (linear weights)."""
    return abs(label - verdict)


def mean(values: Sequence[float]) -> float | None:
    """The arithmetic mean; None of nothing."""
    return sum(values) / len(values) if values else None


def resampled(
    sample: Sequence[T], statistic: Callable[[Sequence[T]], float | None]
) -> Interval | None:
    """The 95 % percentile bootstrap interval of a statistic (Efron 1979), the same in every run.

    Args:
        sample: What was observed, each element independent of the others.
        statistic: A number for a sample, or None where it is not defined; such samples are left
            out.

    Returns:
        The interval; None where samples of these elements do not differ (all verdicts right, say):
        an interval without width would claim a certainty that nobody has.
    """
    if not sample:
        return None
    draw = random.Random(0)  # noqa: S311 - nothing here is a secret
    drawn = (statistic(draw.choices(sample, k=len(sample))) for _ in range(_RESAMPLES))
    values = sorted(value for value in drawn if value is not None)
    if not values or values[0] == values[-1]:
        return None
    edge = round(_TAIL * (len(values) - 1))
    return Interval(values[edge], values[-1 - edge])
