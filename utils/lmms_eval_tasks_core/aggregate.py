"""From the items of all samples to the one number of a metric.

An item is what `to_item` makes: a mapping with ``score``, on the scale of its metric, unless the
answer was not judged. Every function takes the items in any order, leaves none out in silence, and
returns 0.0 where there are none.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TypeAlias

Items: TypeAlias = Sequence[Mapping[str, object]]


def mean_score(items: Items) -> float:
    """The mean score of the items that have one."""
    return _mean(_scores(items))


def total(items: Items) -> float:
    """The sum of the scores: a count, where each item scores 1 or 0."""
    return math.fsum(_scores(items))


def scored_share(items: Items) -> float:
    """The share of items that have a score, 0 to 1."""
    return len(_scores(items)) / len(items) if items else 0.0


def lower_bound(items: Items, worst: float = 0.0) -> float:
    """The mean score if every item without a score had earned the worst one.

    Args:
        items: The items of one metric.
        worst: The lowest score of the metric's scale.

    Returns:
        The mean over all items; equal to `mean_score` where every item has a score.
    """
    return _mean(_scores(items, missing=worst))


def upper_bound(items: Items, best: float = 100.0) -> float:
    """The mean score if every item without a score had earned the best one.

    Args:
        items: The items of one metric.
        best: The highest score of the metric's scale.

    Returns:
        The mean over all items; equal to `mean_score` where every item has a score.
    """
    return _mean(_scores(items, missing=best))


def _scores(items: Items, missing: float | None = None) -> list[float]:
    """The scores as floats; ``missing`` stands for an absent one, or it is left out for None."""
    scores = (item.get("score", missing) for item in items)
    return [float(score) for score in scores if isinstance(score, (int, float))]


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else 0.0
