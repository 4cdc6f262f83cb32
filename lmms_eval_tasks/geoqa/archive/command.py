"""The command ``lmms-eval-tasks prepare-geoqa``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:  # both import what takes a while, and only the command itself needs them
    from lmms_eval_tasks.geoqa.archive.prepare import Prepared

_TEST_PROBLEMS = 754
_SHOWN_REASONS = 5


@click.command("prepare-geoqa")
@click.argument("archive", type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("geoqa_official"),
    show_default=True,
    help="The folder to write to.",
)
@click.option(
    "--language",
    type=click.Choice(["zh", "en"]),
    default="zh",
    show_default=True,
    help="Ask in the original Chinese, or in UniGeo's English.",
)
def prepare_geoqa(archive: Path, out: Path, language: str) -> None:
    """Make the task `geoqa_official` out of the official ARCHIVE of GeoQA or UniGeo.

    Nothing in the archive is run or unpacked to a path it names. An interrupted run leaves no half
    of a file; run it again.

    \b
      lmms-eval-tasks prepare-geoqa data.zip --out geoqa_official
      lmms-eval --include_path geoqa_official --tasks geoqa_official …
    """  # noqa: D301 - click wants the control character
    from lmms_eval_tasks.geoqa.archive.prepare import TASKS, prepare  # noqa: PLC0415 - see above

    with _progress_bar() as progress:
        done = prepare(archive, out, language, progress)
    _say(done)
    click.echo(f"Wrote {out}. Tasks: {', '.join(TASKS)}.")
    click.echo(f"lmms-eval --include_path {out} --tasks geoqa_official …")


def _say(done: Prepared) -> None:
    """What was found and, by name, what was not usable."""
    counts = ", ".join(f"{split} {count}" for split, count in done.rows.items())
    click.echo(f"{done.source}: {counts} problems.")
    for words, troubles in (
        ("left out", done.left_out),
        ("without a picture (asked as text)", done.without_picture),
    ):
        for split, reasons in troubles.items():
            if reasons:
                click.echo(f"Warning: {split}: {len(reasons)} {words}:", err=True)
                for reason in reasons[:_SHOWN_REASONS]:
                    click.echo(f"  {reason}", err=True)
    if done.rows["test"] != _TEST_PROBLEMS:
        click.echo(
            f"Warning: {done.rows['test']} test problems; the benchmark has {_TEST_PROBLEMS}.",
            err=True,
        )


@contextmanager
def _progress_bar() -> Iterator[Callable[[str, int, int], None]]:
    """A bar for each step on standard error; nothing where that is no terminal."""
    from rich.console import Console  # noqa: PLC0415 - see TYPE_CHECKING above
    from rich.progress import Progress, TaskID  # noqa: PLC0415

    with Progress(console=Console(stderr=True)) as bar:
        steps: dict[str, TaskID] = {}

        def report(step: str, done: int, total: int) -> None:
            if step not in steps:
                steps[step] = bar.add_task(step)
            bar.update(steps[step], completed=done, total=total)

        yield report
