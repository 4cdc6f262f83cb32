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


def _scores(items: Items) -> list[float]:
    return [float(score) for item in items if isinstance(score := item.get("score"), (int, float))]


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else 0.0
