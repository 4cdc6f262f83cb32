"""A comparison in the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich import box
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from lmms_eval_tasks.compare.comparison import Compared, TaskComparison
from lmms_eval_tasks.compare.report import Report, sentences
from lmms_eval_tasks.compare.wording import (
    Row,
    breakdowns,
    description,
    direction,
    flips_title,
    left_over,
    outcome,
    reserves,
    rows,
    shown,
    verdict,
)

# Where output goes to a file or a pipe there is no width to fit into.
_PIPED_WIDTH = 140


def show(report: Report, flips: int, console: Console | None = None) -> None:
    """Print a comparison.

    Args:
        report: What was compared.
        flips: How many of the questions that differ are listed, for each measure.
        console: Where to; standard output unless told.
    """
    if console is None:
        console = Console(highlight=False)
        if not console.is_terminal:
            console = Console(highlight=False, width=_PIPED_WIDTH)
    for part in _parts(report, flips):
        # A sentence is left to the terminal to wrap: in a file it stays one line.
        console.print(part, soft_wrap=isinstance(part, Text))


def _parts(report: Report, flips: int) -> Iterator[RenderableType]:
    if report.warnings:
        yield Text("NOT COMPARABLE, compared anyway:", "bold red")
        yield from _sentences(report.warnings)
        yield ""
    for label, run in report.runs.items():
        yield Text(f"{label}: {description(run)}")
    yield from _sentences(report.uncompared, "dim")
    for task in report.tasks:
        yield Text(f"\n{shown(task.task)}: {task.b} against {task.a}", "bold")
        yield from _sentences([*left_over(task), *sentences(task, forbidding=False)], "dim")
        yield from _sentences([verdict(task, compared) for compared in task.measures])
        said = dict.fromkeys(one for compared in task.measures for one in reserves(task, compared))
        yield from _sentences(list(said), "yellow")
        yield from _differences("", [row for one in task.measures for row in rows(one)], task)
        for compared in task.measures:
            for heading, lines in breakdowns(compared).items():
                yield from _differences(f"{compared.measure.metric} by {heading}", lines, task)
            if compared.flips and flips:
                yield from _flips(task, compared, flips)


def _differences(
    title: str, lines: Sequence[Row], task: TaskComparison
) -> Iterator[RenderableType]:
    if not lines:
        return
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column("", min_width=16, overflow="fold")
    difference = f"{task.b} - {task.a}"
    for heading in ("n", task.a, task.b, difference, "95 % interval", "p", "up/down"):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in lines:
        cells = (row.questions, row.a, row.b, row.value, row.interval, row.p)
        table.add_row(Text(row.name), *cells, f"{row.up}/{row.down}")
    yield Text(title)
    yield table


def _flips(task: TaskComparison, compared: Compared, most: int) -> Iterator[RenderableType]:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    for heading in ("id", "", task.a, task.b):
        table.add_column(heading, overflow="fold")
    for flip in compared.flips[:most]:
        said = (Text(outcome(flip.a)), Text(outcome(flip.b)))
        table.add_row(Text(shown(flip.id)), direction(flip, task), *said)
    yield Text(f"{compared.measure.metric}: {flips_title(compared)}")
    yield table
    hidden = len(compared.flips) - most
    if hidden > 0:
        yield Text(f"{hidden} more: --flips {len(compared.flips)}, --html or --json.")


def _sentences(lines: Sequence[str], style: str = "") -> Iterator[Text]:
    for line in lines:
        yield Text(f"  {shown(line)}", style)
