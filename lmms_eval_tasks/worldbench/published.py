"""The published results of WorldBench, and a run beside them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from lmms_eval_tasks.worldbench.records import Domain
from lmms_eval_tasks_core.errors import SettingError, TasksError
from lmms_eval_tasks_core.intervals import interval

OVERALL = "overall"
TABLE = Path(__file__).with_name("published.json")

_PERCENT = 100.0
# Each percentage is rounded to one decimal, and so is their average.
_ROUNDING = 0.1 + 1e-9


class PublishedTableError(TasksError):
    """The table of published results contradicts itself."""


@dataclass(frozen=True, slots=True)
class Accuracy:
    """An accuracy with its 95 % interval, all in percent, and the number of questions."""

    value: float
    low: float
    high: float
    total: int

    @classmethod
    def of(cls, percent: float, total: int) -> Accuracy:
        """Add the interval to an accuracy."""
        low, high = interval(percent / _PERCENT, total)
        return cls(percent, _PERCENT * low, _PERCENT * high, total)


@dataclass(frozen=True, slots=True)
class PublishedTable:
    """What the paper reports.

    Attributes:
        source: Where it stands.
        rows: The number of questions in each domain, by the domain's value.
        accuracies: For each model, in the paper's order, its accuracy in percent by domain, and
            under `OVERALL` over all questions.
    """

    source: str
    rows: Mapping[str, int]
    accuracies: Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class Beside:
    """One line of a comparison.

    Attributes:
        domain: A domain's value, or `OVERALL`.
        run: The accuracy of the run; None where it asked nothing of this domain.
        published: The accuracy of each chosen model.
    """

    domain: str
    run: Accuracy | None
    published: Mapping[str, Accuracy]


@cache
def published_table(file: Path = TABLE) -> PublishedTable:
    """Read the published results.

    Raises:
        PublishedTableError: A model lacks a domain, a percentage is none, or an average is not the
            mean over all questions (within what rounding to one decimal can do).
    """
    content: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    rows = MappingProxyType({str(name): int(count) for name, count in content["rows"].items()})
    accuracies = {
        str(model["name"]): {**model["accuracy"], OVERALL: model["average"]}
        for model in content["models"]
    }
    for name, percent in accuracies.items():
        if trouble := _contradiction(percent, rows):
            raise PublishedTableError(
                f"{file.name}, model {name}: {trouble}.", "Compare it with the source it names."
            )
    return PublishedTable(content["source"], rows, MappingProxyType(accuracies))


def beside_published(
    run: Mapping[str, tuple[int, int]], models: Iterable[str] | None = None
) -> Sequence[Beside]:
    """Put a run beside the published results.

    Args:
        run: For each domain, by its value, how many questions are right and how many there are.
        models: Names as the paper has them; all of them unless told.

    Returns:
        A line for all questions (their micro average, as in the paper), then one for each domain in
        the paper's order. Intervals are Wilson's, at 95 %, over the questions of the line.

    Raises:
        SettingError: A model is not in the table, a domain is unknown, or the numbers of a domain
            are impossible.
    """
    table = published_table()
    chosen = list(table.accuracies if models is None else models)
    for name in chosen:
        if name not in table.accuracies:
            remedy = f"Choose among {', '.join(table.accuracies)}."
            raise SettingError("models", f"the paper has no {name!r}", remedy)
    counted = _counted(run, table.rows)
    return [
        Beside(
            domain,
            Accuracy.of(_PERCENT * right / total, total) if total else None,
            {name: Accuracy.of(table.accuracies[name][domain], asked) for name in chosen},
        )
        for domain, asked in _lines(table.rows)
        for right, total in (counted[domain],)
    ]


def _lines(rows: Mapping[str, int]) -> list[tuple[str, int]]:
    return [(OVERALL, sum(rows.values())), *rows.items()]


def _counted(
    run: Mapping[str, tuple[int, int]], rows: Mapping[str, int]
) -> dict[str, tuple[int, int]]:
    """The run's numbers for each line; (0, 0) where it has none."""
    for domain, (right, total) in run.items():
        if domain not in rows:
            remedy = f"Choose among {', '.join(rows)}."
            raise SettingError("run", f"there is no domain {domain!r}", remedy)
        if not 0 <= right <= total:
            trouble = f"{right} of {total} questions of {domain} cannot be right"
            raise SettingError("run", trouble, "Count again.")
    sums = (sum(right for right, _ in run.values()), sum(total for _, total in run.values()))
    return {OVERALL: sums, **{domain: run.get(domain, (0, 0)) for domain in rows}}


def _contradiction(percent: Mapping[str, float], rows: Mapping[str, int]) -> str | None:
    domains = {domain.value for domain in Domain}
    if set(rows) != domains or set(percent) != {*domains, OVERALL}:
        return "not the seven domains and an average"
    if not all(0 <= value <= _PERCENT for value in percent.values()):
        return "a value is no percentage"
    mean = sum(percent[domain] * count for domain, count in rows.items()) / sum(rows.values())
    if abs(mean - percent[OVERALL]) > _ROUNDING:
        return f"the average is {percent[OVERALL]}, that of its domains {mean:.2f}"
    return None
