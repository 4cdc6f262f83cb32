"""The command ``lmms-eval-tasks judge-check``: how good the judge is that a run would have."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:  # whoever asks for help needs no judge
    from lmms_eval_tasks.judge_check.asking import Begins
    from lmms_eval_tasks.judge_check.figures import Prices

_PRICE = click.FloatRange(0, max_open=True, max=float("inf"))


@click.command("judge-check")
@click.option(
    "--output",
    metavar="FILE|DIR",
    type=click.Path(path_type=Path),
    help="Write all figures and verdicts to FILE, or to judge_check.json in DIR, such as the "
    "folder with the files of a run. A name that does not end in .json is a folder, made if "
    "need be.",
)
@click.option("--limit", type=click.IntRange(1), help="Only so many of the labelled answers.")
@click.option(
    "--again/--no-again",
    default=True,
    show_default=True,
    help="Ask a second time, past the kept verdicts, to see whether the judge says the same.",
)
@click.option(
    "--in-flight",
    type=click.IntRange(1, 1_000),
    help="How many answers are graded at once; else what LMMS_EVAL_TASKS_JUDGE_IN_FLIGHT says.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON in place of tables.")
@click.option("--price-in", type=_PRICE, metavar="USD", help="Price of 1M tokens of prompts.")
@click.option("--price-out", type=_PRICE, metavar="USD", help="Price of 1M tokens of replies.")
def judge_check(  # noqa: PLR0913 - one for each option
    *,
    output: Path | None,
    limit: int | None,
    again: bool,
    in_flight: int | None,
    as_json: bool,
    price_in: float | None,
    price_out: float | None,
) -> None:
    """Measure the judge on answers whose grades are known.

    The judge is the one that a run with these settings would have (LMMS_EVAL_TASKS_JUDGE…). The
    answers are 150 of our own, alike in number for every grade, length and register; a fifth of
    them carry attacks on the judge.

    \b
      lmms-eval-tasks judge-check --output results/MODEL
      LMMS_EVAL_TASKS_JUDGE=lexical lmms-eval-tasks judge-check
    """  # noqa: D301 - click wants the control character
    from lmms_eval_tasks.judge_check.checking import checked  # noqa: PLC0415 - see TYPE_CHECKING
    from lmms_eval_tasks.judge_check.report import show  # noqa: PLC0415 - see above
    from lmms_eval_tasks.judge_check.writing import target_of, written  # noqa: PLC0415 - see above

    prices = _prices(price_in, price_out)
    target = target_of(output) if output else None
    with _progress() as begins:
        report = checked(
            limit=limit, again=again, in_flight=in_flight, prices=prices, begins=begins
        )
    with written(target, report) if target else nullcontext():
        if as_json:
            click.echo(json.dumps(report, ensure_ascii=False, indent=1, allow_nan=False))
        else:
            show(report)


def _prices(price_in: float | None, price_out: float | None) -> Prices | None:
    from lmms_eval_tasks.judge_check.figures import Prices  # noqa: PLC0415 - see TYPE_CHECKING

    if price_in is None and price_out is None:
        return None
    if price_in is None or price_out is None:
        raise click.UsageError("Give both prices, --price-in and --price-out, or neither.")
    return Prices(price_in, price_out)


@contextmanager
def _progress() -> Iterator[Begins]:
    """Shows how far the asking is, where somebody watches."""
    from rich.console import Console  # noqa: PLC0415 - see TYPE_CHECKING
    from rich.progress import (  # noqa: PLC0415 - see above
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(
        *columns,
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as progress:

        def begins(what: str, steps: int) -> Callable[[], None]:
            task = progress.add_task(what, total=steps)
            return lambda: progress.advance(task)

        yield begins
