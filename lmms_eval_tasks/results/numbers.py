"""The numbers of one task in a results file, by the names of its metrics."""

from __future__ import annotations

import math
from collections.abc import Mapping

_STDERR = "_stderr"


def metrics_of(values: Mapping[str, object]) -> dict[str, float]:
    """The value of each metric; standard errors, aliases and what is no finite number stay out.

    Args:
        values: The task's entry under ``results``, with keys such as ``accuracy,none``.
    """
    found: dict[str, float] = {}
    for key, value in values.items():
        metric = key.partition(",")[0]
        number = _number(value)
        if number is not None and "," in key and _STDERR not in metric:
            found.setdefault(metric, number)
    return found


def stderrs_of(values: Mapping[str, object], *, clustered: bool) -> dict[str, float]:
    """The standard error of each metric that has one.

    lmms-eval writes up to three of them. Over clusters is right where questions share a video; the
    last, without a suffix, is what an aggregation of the task's own gives (``circular_acc``).

    Args:
        values: The task's entry under ``results``.
        clustered: Whether the task has a cluster key.
    """
    suffixes = (*((f"{_STDERR}_clustered",) if clustered else ()), f"{_STDERR}_clt", _STDERR)
    by_metric = {key.partition(",")[0]: _number(value) for key, value in values.items()}
    found: dict[str, float] = {}
    for metric in metrics_of(values):
        known = [by_metric.get(metric + suffix) for suffix in suffixes]
        given = [number for number in known if number is not None]
        if given:
            found[metric] = given[0]
    return found


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value) if math.isfinite(value) else None
