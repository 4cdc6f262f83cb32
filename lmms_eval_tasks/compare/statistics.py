"""How far apart two runs are, from pairs of values for the same questions.

The interval is a paired bootstrap: whole clusters (of WorldQA the videos, else single questions)
are drawn with replacement, and the difference of each draw is taken. Two imaginary pairs join the
draw, full marks for one run only, one each way: the adjustment of Bonett and Price 2012 for paired
proportions. Without it the interval is too narrow for few questions, and has no width at all where
no question differs.

The p-value is exact. Where each cluster is one question that is right or wrong, it is McNemar's;
else it is the permutation test of which McNemar's is a case: if the runs were alike, swapping them
for any cluster would change nothing, so that all 2^k swaps are equally likely.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

SEED = 20240501
RESAMPLES = 10_000
# From fewer clusters than these no interval is drawn: so few say little about all others.
FEWEST_CLUSTERS = 5
_LEVEL = 0.95
_MOST_CELLS = 2_000_000
# Values are taken to a ten-thousandth of full marks, and coarser where the sums grow too long.
_GRID = 10_000
_LONGEST_GRID = 50_000


class Pair(NamedTuple):
    """The values of one question in two runs, and the cluster it belongs to."""

    a: float
    b: float
    cluster: Hashable


@dataclass(frozen=True, slots=True)
class Difference:
    """Run B against run A over the questions they share.

    Attributes:
        questions: How many pairs there are.
        clusters: How many clusters they form.
        a: The mean in run A, on the scale of the metric.
        b: The mean in run B.
        low: The lower end of the 95 % interval of b - a; None for fewer than five clusters.
        high: The upper end.
        p: How likely a difference this large would be if the runs were alike.
        test: Which test gives p.
        up: How many questions have a higher value in B.
        down: How many have a lower one.
    """

    questions: int
    clusters: int
    a: float
    b: float
    low: float | None
    high: float | None
    p: float
    test: str
    up: int
    down: int

    @property
    def value(self) -> float:
        """How much higher B is."""
        return self.b - self.a


def difference(
    pairs: Sequence[Pair], full_marks: float, *, right_or_wrong: bool, cluster: str = "question"
) -> Difference | None:
    """Compare two runs.

    Args:
        pairs: One for each question, in any order.
        full_marks: The highest value a question can have; the lowest is 0.
        right_or_wrong: Whether a question has full marks or nothing.
        cluster: What a cluster is, for the name of the test.

    Returns:
        None where there are no pairs.
    """
    if not pairs:
        return None
    sums, sizes = _by_cluster(pairs)
    up = sum(pair.b > pair.a for pair in pairs)
    down = sum(pair.b < pair.a for pair in pairs)
    if right_or_wrong and len(sizes) == len(pairs):
        p, test = mcnemar(up, down), "McNemar, exact"
    else:
        p, test = swap_test(sums, full_marks), f"swapping each {cluster}, exact"
    mean_a, mean_b = (math.fsum(column) / len(pairs) for column in _columns(pairs))
    low, high = bootstrap(sums, sizes, full_marks)
    return Difference(
        questions=len(pairs),
        clusters=len(sizes),
        a=mean_a,
        b=mean_b,
        low=low,
        high=high,
        p=p,
        test=test,
        up=up,
        down=down,
    )


def bootstrap(
    sums: Sequence[float],
    sizes: Sequence[int],
    full_marks: float,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> tuple[float, float] | tuple[None, None]:
    """The 95 % percentile interval of a mean paired difference.

    Args:
        sums: For each cluster the sum of its differences.
        sizes: For each cluster its number of questions.
        full_marks: The largest difference a question can have.
        resamples: How many draws there are; as many again come from the mirrored differences, so
            that swapping the runs mirrors the interval.
        seed: The same seed gives the same interval.

    Returns:
        Its ends; (None, None) for fewer than `FEWEST_CLUSTERS` clusters.
    """
    if len(sums) < FEWEST_CLUSTERS:
        return None, None
    clusters = np.column_stack([[*sums, full_marks, -full_marks], [*sizes, 1, 1]])
    mirrored = clusters * (-1, 1)
    means = np.concatenate([_drawn(clusters, resamples, seed), -_drawn(mirrored, resamples, seed)])
    tail = (1 - _LEVEL) / 2
    low, high = np.quantile(means, [tail, 1 - tail])
    return float(low), float(high)


def mcnemar(up: int, down: int) -> float:
    """McNemar's exact test, two-sided.

    Args:
        up: How many questions only run B has right.
        down: How many only run A has right.

    Returns:
        Twice the smaller tail of a fair coin thrown up + down times, at most 1.
    """
    thrown = up + down
    tail = sum(math.comb(thrown, heads) for heads in range(min(up, down) + 1))
    return min(1.0, float(Fraction(2 * tail, 2**thrown)))


def swap_test(sums: Sequence[float], full_marks: float) -> float:
    """The permutation test that swaps the runs cluster by cluster, two-sided and exact.

    Args:
        sums: For each cluster the sum of its differences.
        full_marks: The largest difference a question can have.

    Returns:
        The share of all swaps whose total is at least as far from 0 as the one that was seen.
    """
    steps = _whole_steps(sums, full_marks)
    reach = int(np.abs(steps).sum())
    likelihood = np.zeros(2 * reach + 1)
    likelihood[reach] = 1.0
    for step in np.abs(steps):
        likelihood = (np.roll(likelihood, step) + np.roll(likelihood, -step)) / 2
    totals = np.abs(np.arange(-reach, reach + 1))
    return min(1.0, float(likelihood[totals >= abs(int(steps.sum()))].sum()))


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's correction (1979) of several p-values, in the order given."""
    order = sorted(range(len(p_values)), key=lambda position: p_values[position])
    corrected = [0.0] * len(p_values)
    largest = 0.0
    for rank, position in enumerate(order):
        largest = max(largest, min(1.0, (len(order) - rank) * p_values[position]))
        corrected[position] = largest
    return corrected


def _by_cluster(pairs: Iterable[Pair]) -> tuple[list[float], list[int]]:
    members: dict[Hashable, list[float]] = defaultdict(list)
    for pair in pairs:
        members[pair.cluster].append(pair.b - pair.a)
    # An exact sum does not depend on the order of the samples.
    return [math.fsum(those) for those in members.values()], list(map(len, members.values()))


def _columns(pairs: Sequence[Pair]) -> tuple[list[float], list[float]]:
    return [pair.a for pair in pairs], [pair.b for pair in pairs]


def _drawn(clusters: NDArray[np.float64], resamples: int, seed: int) -> NDArray[np.float64]:
    """Means of draws with replacement; clusters that are alike are drawn together."""
    kinds, counts = np.unique(clusters, axis=0, return_counts=True)
    random = np.random.default_rng(seed)
    at_once = max(1, _MOST_CELLS // len(kinds))
    means = []
    for begin in range(0, resamples, at_once):
        size = min(at_once, resamples - begin)
        drawn = random.multinomial(counts.sum(), counts / counts.sum(), size=size)
        means.append((drawn @ kinds[:, 0]) / (drawn @ kinds[:, 1]))
    return np.concatenate(means)


def _whole_steps(sums: Sequence[float], full_marks: float) -> NDArray[np.int64]:
    """The sums as multiples of a common step; those of 0 say nothing and are left out."""
    steps: NDArray[np.int64] = np.rint(np.asarray(sums, dtype=float) / full_marks * _GRID).astype(
        np.int64
    )
    steps = steps[steps != 0] // max(1, int(np.gcd.reduce(steps)))
    reach = int(np.abs(steps).sum())
    if reach > _LONGEST_GRID:
        steps = np.rint(steps * (_LONGEST_GRID / reach)).astype(np.int64)
    return steps
