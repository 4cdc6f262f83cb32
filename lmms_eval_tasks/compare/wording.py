"""Comparisons in words and rounded numbers, for the terminal and the page alike."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lmms_eval_tasks.compare.answers import Answer, Measure
from lmms_eval_tasks.compare.comparison import Compared, Flip, LeftOut, Line, TaskComparison
from lmms_eval_tasks.compare.statistics import Difference
from lmms_eval_tasks.results.run import Run

SIGNIFICANT = 0.05
_SHOWN_IDS = 5
_SMALLEST_P = 0.001
# What moves a cursor, rings or recolours a terminal, and what turns the direction of text: a
# response must not be able to rewrite what stands around it.
_CONTROLS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]"
)


@dataclass(frozen=True, slots=True)
class Row:
    """One difference as it is shown.

    Attributes:
        name: What is compared.
        questions: How many pairs.
        a: The mean in the first run.
        b: The mean in the other.
        value: The difference, with its sign.
        interval: Its 95 % interval; "–" where there are too few questions.
        p: The p-value, corrected where several runs are compared.
        up: How many questions have a higher value in the other run.
        down: How many have a higher one in the first.
        exact: The difference itself, for a drawing.
        full_marks: What a difference can be at most.
    """

    name: str
    questions: str
    a: str
    b: str
    value: str
    interval: str
    p: str
    up: str
    down: str
    exact: Difference
    full_marks: float


def shown(text: str) -> str:
    """A text in which control characters and marks of direction are visible: ⟨U+202E⟩."""
    return _CONTROLS.sub(lambda found: f"⟨U+{ord(found[0]):04X}⟩", text.replace("\r\n", "\n"))


def description(run: Run) -> str:
    """A run in one line: the model, its arguments, the date, the file."""
    arguments = f" ({run.model_args})" if run.model_args else ""
    return shown(f"{run.model}{arguments}, {run.date}, {run.file}")


def rows(compared: Compared) -> list[Row]:
    """The difference over all questions, and without those whose request failed."""
    measure, found = compared.measure, []
    if compared.overall is not None:
        found.append(_row(measure.metric, compared.overall, measure, compared.corrected_p))
    if compared.without_failed is not None:
        found.append(_row("  without failed requests", compared.without_failed, measure))
    return found


def breakdowns(compared: Compared) -> dict[str, list[Row]]:
    """The rows of each breakdown."""
    found: dict[str, list[Row]] = defaultdict(list)
    for line in compared.lines:
        found[_heading(line)].append(_row(shown(line.level), line.difference, compared.measure))
    return dict(found)


def verdict(task: TaskComparison, compared: Compared) -> str:
    """One sentence: which run is better by how much, or that no difference can be told."""
    overall, metric = compared.overall, compared.measure.metric
    if overall is None:
        return f"{metric}: no question has a value in both runs."
    p = overall.p if compared.corrected_p is None else compared.corrected_p
    corrected = "" if compared.corrected_p is None else " after Holm's correction"
    size = (
        f"{_signed(overall.value, compared.measure)} {unit(compared.measure)}, 95 % interval "
        f"{_interval(overall, compared.measure)}, p {_equals(p)}{corrected}"
    )
    numbers = f"{size}; {overall.test}; {_extent(overall, task.cluster)}"
    if p >= SIGNIFICANT:
        return f"{metric}: no difference between {task.a} and {task.b} can be told ({numbers})."
    direction = "higher" if overall.value > 0 else "lower"
    return f"{metric}: {task.b} is {direction} than {task.a} ({numbers})."


def unit(measure: Measure) -> str:
    """What a difference is counted in."""
    return "points" if measure.full_marks > 1 else "(of 1)"


def reserves(task: TaskComparison, compared: Compared) -> list[str]:
    """What is left out of a comparison, or counted with a reserve."""
    found = []
    if compared.unjudged:
        named = _by_reason(task, compared.unjudged)
        count = len({one.id for one in compared.unjudged})
        found.append(f"Not compared, for want of a value in both runs: {count} ({named}).")
    if compared.failed:
        named = _by_reason(task, compared.failed)
        found.append(f"Requests that failed, counted as wrong: {named}.")
    return found


def left_over(task: TaskComparison) -> list[str]:
    """Questions that only one run has."""
    return [
        f"Only in {run}, and not compared: {len(ids)} ({_named(ids)})."
        for run, ids in ((task.a, task.only_a), (task.b, task.only_b))
        if ids
    ]


def outcome(answer: Answer) -> str:
    """What became of an answer: what was said, or why nothing was."""
    value = "" if answer.value is None else f"{answer.value:g}"
    reason = f", {answer.reason}" if answer.reason else ""
    return shown(f"{answer.said} → {value} ({answer.outcome}{reason})")


def flips_title(compared: Compared) -> str:
    """How many questions differ, and which way."""
    overall = compared.overall
    if overall is None:
        return "No questions to compare"
    return f"{len(compared.flips)} of {overall.questions} questions differ"


def direction(flip: Flip, task: TaskComparison) -> str:
    """Which run did better."""
    return f"{task.b if flip.gain > 0 else task.a} better"


def _row(name: str, found: Difference, measure: Measure, corrected_p: float | None = None) -> Row:
    return Row(
        name=name,
        questions=str(found.questions),
        a=_plain(found.a, measure),
        b=_plain(found.b, measure),
        value=_signed(found.value, measure),
        interval=_interval(found, measure),
        p=_p(found.p if corrected_p is None else corrected_p),
        up=str(found.up),
        down=str(found.down),
        exact=found,
        full_marks=measure.full_marks,
    )


def _heading(line: Line) -> str:
    return "grade (share of the answers, %)" if line.by == "grade" else line.by


def _plain(value: float, measure: Measure) -> str:
    return f"{value:.1f}" if measure.full_marks > 1 else f"{value:.3f}"


def _signed(value: float, measure: Measure) -> str:
    # Adding 0.0 makes a zero of a negative zero.
    return (
        f"{round(value, 1) + 0.0:+.1f}"
        if measure.full_marks > 1
        else f"{round(value, 3) + 0.0:+.3f}"
    )


def _interval(found: Difference, measure: Measure) -> str:
    if found.low is None or found.high is None:
        return "–"
    return f"{_signed(found.low, measure)} to {_signed(found.high, measure)}"


def _extent(found: Difference, cluster: str) -> str:
    questions = f"{found.questions} questions"
    alone = found.clusters == found.questions
    return questions if alone else f"{questions} in {found.clusters} {cluster}s"


def _p(p: float) -> str:
    return f"<{_SMALLEST_P}" if p < _SMALLEST_P else f"{p:.3f}"


def _equals(p: float) -> str:
    return f"< {_SMALLEST_P}" if p < _SMALLEST_P else f"= {p:.3f}"


def _by_reason(task: TaskComparison, left_out: Sequence[LeftOut]) -> str:
    groups: dict[tuple[str, str], list[str]] = defaultdict(list)
    for one in left_out:
        groups[task.a if one.run == "A" else task.b, one.reason].append(one.id)
    return "; ".join(
        f"{run}: {len(ids)} {shown(reason)} ({_named(ids)})"
        for (run, reason), ids in groups.items()
    )


def _named(ids: Iterable[str]) -> str:
    every = list(ids)
    more = ", …" if len(every) > _SHOWN_IDS else ""
    return shown(", ".join(every[:_SHOWN_IDS]) + more)
