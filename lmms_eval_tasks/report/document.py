"""The parts of a report, before they are a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lmms_eval_tasks.report.model import Fact, Panel, SampleView
from lmms_eval_tasks.results.run import Run

OUTCOMES: Mapping[str, str] = {
    "right": "✓",
    "partly": "◐",
    "wrong": "✗",
    "no answer": "–",
    "not judged": "?",
}
"""What can become of a sample, in the order of the page, with the sign for each."""


@dataclass(frozen=True, slots=True)
class TaskSection:
    """One task of the run.

    Attributes:
        name: The task's name.
        headline: Its numbers, the first one first, and what they rest on.
        cautions: What a reader must know, the gravest first.
        panels: Charts and tables.
        outcomes: How many of all its samples came to what; those that occur, in order.
        samples_file: The name of the file with all samples; "" where the run logged none.
        views: The samples that the page shows.
        unit: What its samples are, in the plural; several passes make one question.
    """

    name: str
    headline: Sequence[Fact]
    cautions: Sequence[Fact]
    panels: Sequence[Panel]
    outcomes: Mapping[str, int]
    samples_file: str
    views: Sequence[SampleView]
    unit: str = "samples"

    @property
    def total(self) -> int:
        """How many samples the run logged."""
        return sum(self.outcomes.values())

    @property
    def shown(self) -> Mapping[str, int]:
        """How many of the shown samples came to what."""
        return in_order(Counter(view.outcome for view in self.views))


@dataclass(frozen=True, slots=True)
class Document:
    """A whole report."""

    run: Run
    tasks: Sequence[TaskSection]

    @property
    def total(self) -> int:
        """How many samples the run logged."""
        return sum(task.total for task in self.tasks)

    @property
    def shown(self) -> int:
        """How many of them the page shows."""
        return sum(len(task.views) for task in self.tasks)


def in_order(counts: Mapping[str, int]) -> dict[str, int]:
    """Counts of outcomes in the order of the page; what does not occur is left out."""
    known = {outcome: counts[outcome] for outcome in OUTCOMES if counts.get(outcome)}
    return known | {name: count for name, count in counts.items() if count and name not in known}
