"""The command ``lmms-eval-tasks report``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:  # charts, pictures and jinja2 are for those who write a report
    from lmms_eval_tasks.report.building import Progress

_MOST_SAMPLES = 1_000


@click.command("report")
@click.argument("run", metavar="RUN_DIR", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    "target",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The page; <date>_report.html beside the results unless told.",
)
@click.option(
    "--max-samples",
    default=_MOST_SAMPLES,
    show_default=True,
    type=click.IntRange(min=0),
    help="How many samples can be read in the page; numbers and charts are about all.",
)
@click.option("--no-pictures", is_flag=True, help="Leave out the small pictures.")
@click.option("--open", "show", is_flag=True, help="Open the page in the browser.")
def report(
    run: Path, target: Path | None, max_samples: int, *, no_pictures: bool, show: bool
) -> None:
    """Make one page of a run: numbers, charts, and every sample.

    RUN_DIR is the --output_path of a run with --log_samples, of which the newest is taken, or the
    <date>_results.json of one. Runs are looked for up to four levels below the folder. The page is
    one file that needs no network; it can be mailed.

    \b
      lmms-eval-tasks report results --open
      lmms-eval-tasks report results/20260131_120000_results.json -o report.html
      lmms-eval-tasks report results --max-samples 200 --no-pictures
    """  # noqa: D301 - click wants the control character
    from lmms_eval_tasks.report.building import Wishes  # noqa: PLC0415 - see TYPE_CHECKING
    from lmms_eval_tasks.report.writing import write_page  # noqa: PLC0415 - see TYPE_CHECKING
    from lmms_eval_tasks.results.run import read_run  # noqa: PLC0415 - see TYPE_CHECKING

    wishes = Wishes(max_samples, with_pictures=not no_pictures)
    with _progress() as progress:
        progress("reading the results")
        found = read_run(run)
        page = write_page(found, target, wishes, progress)
    if found.among > 1:
        # A folder may hold several models: say which of them the page is about.
        click.echo(f"Took the newest of {found.among:,} runs in {run}: {found.file}.", err=True)
    click.echo(f"Wrote {page} ({page.stat().st_size / 1e6:.1f} MB).")
    if show and click.launch(page.resolve().as_uri()):
        raise click.ClickException(f"No browser could be started: open {page} in one.")


@contextmanager
def _progress() -> Iterator[Progress]:
    """Says on a terminal what is being done, and nothing elsewhere."""
    from rich.console import Console  # noqa: PLC0415 - see TYPE_CHECKING
    from rich.text import Text  # noqa: PLC0415 - see TYPE_CHECKING

    console = Console(stderr=True)
    with console.status("") as status:
        yield lambda what: status.update(Text(f"{what} …"))
