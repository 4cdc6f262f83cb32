"""The command ``lmms-eval-tasks compare``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:  # numpy, rich and jinja2 are for those who compare
    from lmms_eval_tasks.compare.report import Report

_FEWEST_RUNS = 2


@click.command("compare")
@click.argument("runs", metavar="RUN_A RUN_B [...]", nargs=-1, type=click.Path(path_type=Path))
@click.option("--task", "tasks", multiple=True, help="Only this task; may be given several times.")
@click.option(
    "--flips",
    default=20,
    show_default=True,
    type=click.IntRange(min=0),
    help="How many questions that differ are listed, for each measure.",
)
@click.option("--anyway", is_flag=True, help="Compare runs that are not comparable, and say so.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@click.option(
    "--html",
    "page",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write everything to one page, too.",
)
def compare(
    runs: tuple[Path, ...],
    tasks: tuple[str, ...],
    flips: int,
    as_json: bool,
    anyway: bool,
    page: Path | None,
) -> None:
    """Compare runs question by question, each with the first.

    A RUN is the --output_path of a run with --log_samples, of which the newest is taken, or the
    <date>_results.json of one. Differences are B - A over the questions that both runs have, with
    a 95 % interval (paired bootstrap, over videos where questions share them) and an exact p-value.
    Runs that differ in data, version, judge, matcher, beam, prompt or limit are refused with exit
    code 2.

    \b
      lmms-eval-tasks compare runs/small runs/large
      lmms-eval-tasks compare runs/small runs/large --html comparison.html --flips 0
    """  # noqa: D301 - click wants the control character
    if len(runs) < _FEWEST_RUNS:
        raise click.UsageError("Name two runs or more.")
    report = _report(runs, tasks, anyway=anyway)
    if page is not None:
        from lmms_eval_tasks.compare.page import rendered  # noqa: PLC0415 - see above

        page.write_text(rendered(report), encoding="utf-8")
    if as_json:
        from lmms_eval_tasks.compare.as_json import as_json as json_of  # noqa: PLC0415 - see above

        click.echo(json_of(report))
        return
    from lmms_eval_tasks.compare.terminal import show  # noqa: PLC0415 - see above

    show(report, flips)
    if page is not None:
        click.echo(f"Wrote {page}.")


def _report(paths: tuple[Path, ...], tasks: tuple[str, ...], *, anyway: bool) -> Report:
    from lmms_eval_tasks.compare.report import (  # noqa: PLC0415 - see TYPE_CHECKING
        MOST_RUNS,
        NotComparableError,
        compare_runs,
    )
    from lmms_eval_tasks.results.run import read_run  # noqa: PLC0415 - see TYPE_CHECKING

    if len(paths) > MOST_RUNS:
        raise click.UsageError(f"Name {MOST_RUNS} runs at most.")
    try:
        return compare_runs([read_run(path) for path in paths], tasks, anyway=anyway)
    except NotComparableError as error:
        raise _RefusedError(str(error)) from None


class _RefusedError(click.ClickException):
    exit_code = 2
