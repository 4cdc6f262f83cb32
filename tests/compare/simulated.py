"""Simulated pairs of runs whose true difference is known."""

from __future__ import annotations

import numpy as np

# How often only the second run is right, and how often only the first is.
UP, DOWN = 0.20, 0.12
TRUE_SHARE = UP - DOWN
_GRADES = np.array([0.0, 30.0, 50.0, 100.0])
# How often each pair of grades is given: rows the first run's, columns the second's.
_GRADE_PAIRS = np.array(
    [
        [0.22, 0.05, 0.06, 0.06],
        [0.03, 0.08, 0.04, 0.04],
        [0.03, 0.03, 0.10, 0.05],
        [0.03, 0.02, 0.03, 0.13],
    ]
)
TRUE_POINTS = float((_GRADE_PAIRS * (_GRADES[None, :] - _GRADES[:, None])).sum())


def plain(random: np.random.Generator, questions: int) -> tuple[np.ndarray, np.ndarray]:
    """Differences of single questions, 1, 0 or -1, and the size of each cluster: 1."""
    drawn = random.random(questions)
    differences = np.where(drawn < UP, 1.0, np.where(drawn < UP + DOWN, -1.0, 0.0))
    return differences, np.ones(questions, dtype=int)


def clustered(random: np.random.Generator, questions: int) -> tuple[np.ndarray, np.ndarray]:
    """The sums over videos of 1 to 5 questions each, whose questions fare alike."""
    sizes = _sizes(random, questions)
    # Of 10 videos, some have many questions that only one run gets right; 0.2 and 0.12 on average.
    up = random.beta(2 * UP, 2 * (1 - UP), len(sizes))
    down = (1 - up) * random.beta(0.3, 0.3 * (1 - DOWN / (1 - UP)) / (DOWN / (1 - UP)), len(sizes))
    better = random.binomial(sizes, up)
    worse = random.binomial(sizes - better, down / (1 - up))
    return (better - worse).astype(float), sizes


def points(random: np.random.Generator, questions: int) -> tuple[np.ndarray, np.ndarray]:
    """The sums over videos of differences in points; questions of a video often fare the same."""
    sizes = _sizes(random, questions)
    cells = random.choice(_GRADE_PAIRS.size, size=questions, p=_GRADE_PAIRS.ravel())
    first = np.repeat(np.cumsum(sizes) - sizes, sizes)
    alike = random.random(questions) < 0.4
    cells = np.where(alike, cells[first], cells)
    rows, columns = np.unravel_index(cells, _GRADE_PAIRS.shape)
    differences = _GRADES[columns] - _GRADES[rows]
    return np.bincount(np.repeat(np.arange(len(sizes)), sizes), differences), sizes


def _sizes(random: np.random.Generator, questions: int) -> np.ndarray:
    sizes = random.integers(1, 6, size=questions)
    ends = np.cumsum(sizes)
    last = int(np.searchsorted(ends, questions))
    sizes = sizes[: last + 1]
    sizes[-1] -= int(ends[last]) - questions
    return sizes
