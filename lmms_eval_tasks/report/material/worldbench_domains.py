"""WorldBench: accuracy in each domain with its interval, beside published models."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from lmms_eval_tasks.report.material.charts import Measured, measured
from lmms_eval_tasks.report.material.counting import (
    PERCENT,
    between,
    field,
    number,
    panel_id,
    wilson,
    words,
)
from lmms_eval_tasks.report.model import Panel, Table
from lmms_eval_tasks.results.run import Sample, TaskRun
from lmms_eval_tasks.worldbench.published import OVERALL, published_table

_NEAREST = 2

Counts = Mapping[str, tuple[int, int]]


def by_domain(task: TaskRun, samples: Sequence[Sample]) -> Panel:
    """The accuracy of a run by domain, strict reading.

    Data of fewer than half as many rows as the paper's are a user's own, which no published number
    is about: then no model stands beside them.
    """
    counts = _counted(samples)
    table = published_table()
    comparable = 2 * (task.planned or len(samples)) >= sum(table.rows.values())
    chosen = _beside(counts, table.accuracies) if comparable else []
    entries = [
        _entry(line, *count, {name: table.accuracies[name][line] for name in chosen})
        for line, count in counts.items()
    ]
    identity, title = panel_id(task, "domains"), "Accuracy by domain"
    right, total = counts[OVERALL]
    low, high = wilson(right, total)
    accuracy = f"{PERCENT * right / total:.1f} % {between(low, high)}" if total else "–"
    lead = (
        f"{accuracy} over {total:,} questions (strict reading). Whiskers are 95 % intervals "
        "(Wilson) over the questions of each line."
    )
    return Panel(
        id=identity,
        title=title,
        lead=lead,
        svg=measured(entries, name=identity, title=title, description=lead),
        table=_table(counts, table.accuracies if comparable else {}),
        notes=_notes(task, table.source, comparable=comparable),
    )


def _counted(samples: Sequence[Sample]) -> dict[str, tuple[int, int]]:
    """How many are right, of how many usable ones: over all, and in each domain."""
    right, total = Counter[str](), Counter[str]()
    for sample in samples:
        score = number(sample.item, "score")
        if score is None:
            continue
        for line in (OVERALL, field(sample.item, "domain")):
            total[line] += 1
            right[line] += score > 0
    lines = (OVERALL, *published_table().rows)
    return {line: (right[line], total[line]) for line in lines}


def _beside(counts: Counts, published: Mapping[str, Mapping[str, float]]) -> list[str]:
    """The best published model, and those whose accuracy is nearest to the run's."""
    right, total = counts[OVERALL]
    own = PERCENT * right / total if total else 0.0
    best = max(published, key=lambda name: published[name][OVERALL])
    others = sorted(
        (name for name in published if name != best),
        key=lambda name: abs(published[name][OVERALL] - own),
    )
    return [best, *others[:_NEAREST]]


def _entry(line: str, right: int, total: int, marks: Mapping[str, float]) -> Measured:
    if not total:
        return Measured(_named(line), None, "none asked", marks=marks)
    value, (low, high) = PERCENT * right / total, wilson(right, total)
    text = f"{value:.1f} {between(low, high)} · {total:,}"
    return Measured(_named(line), value, text, low, high, marks)


def _named(line: str) -> str:
    return "all questions" if line == OVERALL else words(line)


def _table(counts: Counts, published: Mapping[str, Mapping[str, float]]) -> Table:
    """The run, then every published model, in the paper's order."""
    own = [
        f"{PERCENT * right / total:.1f} {between(*wilson(right, total))}" if total else "–"
        for right, total in counts.values()
    ]
    rows = [
        ("this run", *own),
        ("questions asked", *(f"{total:,}" for _, total in counts.values())),
        *(
            (name, *(f"{accuracy[line]:.1f}" for line in counts))
            for name, accuracy in published.items()
        ),
    ]
    caption = "Accuracy in percent, by domain"
    return Table(caption, ("Model", *map(_named, counts)), rows)


def _notes(task: TaskRun, source: str, *, comparable: bool) -> list[str]:
    if not comparable:
        return ["These are not the benchmark's 2,000 questions: no published number compares."]
    shown = "The chart has the best model and those nearest to this run; the table has all of them."
    notes = [f"Published: {source}. {shown}"]
    if task.asked < task.planned:
        notes.append(
            f"This run asked {task.asked:,} of {task.planned:,} questions; the published numbers "
            "are over all of them."
        )
    return notes
