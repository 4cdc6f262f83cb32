"""The command ``lmms-eval-tasks verdicts``: what is kept of judges and matchers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lmms_eval_tasks_core.errors import TasksError

if TYPE_CHECKING:  # SQLite is for those who ask for it
    from lmms_eval_tasks_core.judging.uses import Holding
    from lmms_eval_tasks_core.judging.verdict_file import VerdictFile

_BYTES_PER_MB = 1_000_000


@click.group("verdicts", invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead.")
@click.pass_context
def verdicts(context: click.Context, *, as_json: bool) -> None:
    """Show how many verdicts are kept, and how often they were reused, by judge and version.

    The file is the one that LMMS_EVAL_TASKS_VERDICTS names, or the default. A run may go on
    meanwhile.

    \b
      lmms-eval-tasks verdicts
      lmms-eval-tasks verdicts --json
      lmms-eval-tasks verdicts export verdicts.jsonl
      lmms-eval-tasks verdicts prune --judge my-judge --before 2026-01-01
    """  # noqa: D301 - click wants the control character
    if context.invoked_subcommand is not None:
        return
    path = _path()
    with _file(must_exist=False) as file:
        holdings = file.holdings() if file else []
        size = path.stat().st_size if file else 0
    if as_json:
        click.echo(json.dumps(_described(path, size, holdings), ensure_ascii=False, indent=2))
    elif file is None:
        click.echo(f"{path}: no verdicts yet.")
    else:
        count = sum(holding.verdicts for holding in holdings)
        click.echo(f"{path}: {count} verdicts, {size / _BYTES_PER_MB:.1f} MB")
        for holding in holdings:
            click.echo(f"  {_line(holding)}")


def _line(holding: Holding) -> str:
    uses = holding.uses
    rate = uses.hit_rate
    hits = (
        "uses not counted yet"
        if rate is None
        else f"reused {uses.reused} of {uses.reused + uses.bought} times ({rate:.1%}) "
        f"since {uses.since}"
    )
    return (
        f"{holding.judge} at {holding.server or '?'}, {holding.version}: {holding.verdicts} "
        f"verdicts, {holding.input_tokens} tokens in and {holding.output_tokens} out, "
        f"{holding.first[:10]} to {holding.last[:10]}; {hits}"
    )


def _described(path: Path, size: int, holdings: Sequence[Holding]) -> dict[str, object]:
    """What ``--json`` prints: sizes in bytes, rates from 0 to 1, null where nothing was counted."""
    kept = [
        {**asdict(holding), **asdict(holding.uses), "hit_rate": holding.uses.hit_rate}
        for holding in holdings
    ]
    for each in kept:
        del each["uses"]
    total = sum(holding.verdicts for holding in holdings)
    return {"file": str(path), "bytes": size, "verdicts": total, "by_judge": kept}


@verdicts.command("export")
@click.argument("target", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False))
def export_verdicts(target: Path) -> None:
    """Write all verdicts to FILE, one JSON object a line."""
    from lmms_eval_tasks_core.judging.kept import to_line  # noqa: PLC0415 - see TYPE_CHECKING

    count = 0
    with _file() as file, target.open("w", encoding="utf-8") as lines:
        for key, kept in file.entries() if file else ():
            lines.write(to_line(key, kept) + "\n")
            count += 1
    click.echo(f"Wrote {count} verdicts to {target}.")


@verdicts.command("import")
@click.argument(
    "source", metavar="FILE", type=click.Path(path_type=Path, exists=True, dir_okay=False)
)
def import_verdicts(source: Path) -> None:
    """Add the verdicts in FILE, as `export` writes it; those that are there already stay."""
    from lmms_eval_tasks_core.judging.kept import from_line  # noqa: PLC0415 - see TYPE_CHECKING

    entries = []
    with source.open(encoding="utf-8", errors="replace") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                with _names_the_line(source, number):
                    entries.append(from_line(line))
    with _file(must_exist=False, begin=True) as file:
        added = file.put(entries, replace=False) if file else 0
    click.echo(f"Added {added} of {len(entries)} verdicts; the others were there.")


@verdicts.command("prune")
@click.option("--judge", help="Only verdicts of this model.")
@click.option(
    "--before", type=click.DateTime(["%Y-%m-%d"]), help="Only verdicts older than this day (UTC)."
)
def prune_verdicts(judge: str | None, before: datetime | None) -> None:
    """Forget verdicts of a judge, of a time, or both."""
    if judge is None and before is None:
        raise click.UsageError("Say which: --judge NAME, --before YYYY-MM-DD, or both.")
    day = None if before is None else before.date().isoformat()
    with _file() as file:
        forgotten = file.prune(judge, day) if file else 0
        judges = {holding.judge for holding in file.holdings()} if file else set()
    click.echo(f"Forgot {forgotten} verdicts.")
    if judge is not None and not forgotten and judge not in judges:
        # Not to standard output, where scripts read the number; and none to forget is no error.
        kept = f"there are those of {', '.join(sorted(judges))}" if judges else "there are none"
        click.echo(f"No verdicts of {judge!r} are kept; {kept}.", err=True)


@contextmanager
def _names_the_line(source: Path, number: int) -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        trouble = f"{source}, line {number}: {error}. Nothing was imported."
        raise click.ClickException(trouble) from None


@contextmanager
def _file(*, must_exist: bool = True, begin: bool = False) -> Iterator[VerdictFile | None]:
    """The open file; what goes wrong is said in one sentence, and nothing is moved aside."""
    from lmms_eval_tasks_core.judging.verdict_file import (  # noqa: PLC0415 - see TYPE_CHECKING
        FileError,
        VerdictFile,
        folder_made,
    )

    path = _path()
    if not begin and not path.exists():
        if must_exist:
            raise click.ClickException(f"{path}: no verdicts yet.")
        yield None
        return
    try:
        file = VerdictFile(folder_made(path))
        try:
            yield file
        finally:
            file.close()
    except (FileError, OSError) as error:
        raise click.ClickException(f"{path}: {error}") from error


def _path() -> Path:
    from lmms_eval_tasks_core.environment import VERDICTS  # noqa: PLC0415 - see above
    from lmms_eval_tasks_core.settings import verdicts_file  # noqa: PLC0415 - see above

    try:
        path = verdicts_file()
    except TasksError as error:
        raise click.ClickException(str(error)) from error
    if path is None:
        raise click.ClickException(f"No verdicts are kept: {VERDICTS} is off, or there is no home.")
    return path
