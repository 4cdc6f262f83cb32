"""A comparison as one page: no network, no script, every text escaped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from lmms_eval_tasks import __version__
from lmms_eval_tasks.compare.comparison import Flip, TaskComparison
from lmms_eval_tasks.compare.report import Report, sentences
from lmms_eval_tasks.compare.statistics import SEED
from lmms_eval_tasks.compare.wording import (
    Row,
    breakdowns,
    direction,
    flips_title,
    left_over,
    outcome,
    reserves,
    rows,
    shown,
    verdict,
)

TEMPLATES = Path(__file__).with_name("templates")
_CENTRE, _HALF_WIDTH = 50.0, 48.0


@dataclass(frozen=True, slots=True)
class Whisker:
    """An interval in a drawing of width 100, whose middle is 0."""

    low: float
    value: float
    high: float


@dataclass(frozen=True, slots=True)
class _MeasureView:
    metric: str
    verdict: str
    reserves: Sequence[str]
    breakdowns: Mapping[str, Sequence[Row]]
    limit: float
    flips: Sequence[Flip]
    flips_title: str


@dataclass(frozen=True, slots=True)
class _TaskView:
    number: int
    task: TaskComparison
    sentences: Sequence[str]
    rows: Sequence[Row]
    limit: float
    measures: Sequence[_MeasureView]


def rendered(report: Report) -> str:
    """The page as HTML; it holds every question that differs."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_visible,
        trim_blocks=True,
    )
    environment.globals |= {
        "whisker_of": whisker_of,
        "outcome": outcome,
        "direction": direction,
    }
    labels = ", ".join(list(report.runs)[1:])
    return environment.get_template("comparison.html.j2").render(
        title=f"Run {labels} against run A",
        version=__version__,
        seed=SEED,
        report=report,
        views=[_view(number, task) for number, task in enumerate(report.tasks, start=1)],
    )


def whisker_of(row: Row, limit: float) -> Whisker | None:
    """Where a row's interval lies in its drawing; None where it has none.

    Args:
        row: The row.
        limit: The difference at the edge of the drawing.
    """
    found = row.exact
    if found.low is None or found.high is None or not limit:
        return None
    places = (
        round(_CENTRE + _HALF_WIDTH * value / limit, 2)
        for value in (found.low, found.value, found.high)
    )
    return Whisker(*places)


def _view(number: int, task: TaskComparison) -> _TaskView:
    overall = [row for one in task.measures for row in rows(one)]
    measures = []
    for one in task.measures:
        by = breakdowns(one)
        measures.append(
            _MeasureView(
                metric=one.measure.metric,
                verdict=verdict(task, one),
                reserves=reserves(task, one),
                breakdowns=by,
                limit=_limit(row for lines in by.values() for row in lines),
                flips=one.flips,
                flips_title=flips_title(one),
            )
        )
    return _TaskView(
        number=number,
        task=task,
        sentences=[*left_over(task), *sentences(task, forbidding=False)],
        rows=overall,
        limit=_limit(overall),
        measures=measures,
    )


def _limit(lines: Iterable[Row]) -> float:
    """The largest end of an interval among rows that are drawn alike."""
    ends = [abs(end) for row in lines for end in (row.exact.low, row.exact.high) if end is not None]
    return max(ends, default=0.0)


def _visible(value: object) -> object:
    return shown(value) if type(value) is str else value
