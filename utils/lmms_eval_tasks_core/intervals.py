"""How far an accuracy may be off, given how many questions it rests on."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import NormalDist
from typing import NamedTuple

Z_95 = NormalDist().inv_cdf(0.975)
_PERCENT = 100.0


class Interval(NamedTuple):
    """A confidence interval on a share, 0 to 1."""

    low: float
    high: float


def interval(share: float, total: int, z: float = Z_95) -> Interval:
    """The Wilson score interval of a share.

    Unlike the normal approximation it stays within 0 and 1 and has a width where all or none are
    right (Wilson 1927; Brown, Cai and DasGupta 2001 recommend it for few questions).

    Args:
        share: How many of the questions are right, 0 to 1.
        total: How many questions there are; (0, 1) is the interval of none.
        z: Half the width in standard errors; 95 % unless told.

    Raises:
        ValueError: The share lies outside 0 to 1, or the total is negative.
    """
    if not 0 <= share <= 1 or total < 0:
        msg = f"no share of a number of questions: {share} of {total}"
        raise ValueError(msg)
    if total == 0:
        return Interval(0.0, 1.0)
    weight = z * z / total
    centre = (share + weight / 2) / (1 + weight)
    half = z / (1 + weight) * math.sqrt(share * (1 - share) / total + weight / total / 4)
    # Rounding must not leave the share itself outside.
    return Interval(max(0.0, min(share, centre - half)), min(1.0, max(share, centre + half)))


def margin_95(items: Sequence[Mapping[str, object]]) -> float:
    """How many points an accuracy may be off: lmms-eval's aggregation takes one number.

    Args:
        items: One for each question, with ``points``, 100 or 0. The key is not ``score``, so that
            lmms-eval takes no standard error of a margin.

    Returns:
        The distance in points from the accuracy to the farther bound of its 95 % interval, so that
        accuracy ± margin contains the interval; 0.0 without items.
    """
    right = [item["points"] == _PERCENT for item in items]
    if not right:
        return 0.0
    share = sum(right) / len(right)
    low, high = interval(share, len(right))
    return _PERCENT * max(share - low, high - share)
