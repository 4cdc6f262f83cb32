"""The command ``lmms-eval-tasks doctor``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:  # a help text needs none of it
    from lmms_eval_tasks.doctor.finding import Check, Finding


@click.command()
@click.option("--tasks", metavar="A,B", help="Only what these tasks need; what they lack fails.")
@click.option("--offline", is_flag=True, help="Ask neither the Hub nor a judge.")
@click.option("--quick", is_flag=True, help="Do not ask lmms-eval itself, which takes 10 to 20 s.")
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object instead.")
def doctor(tasks: str | None, *, offline: bool, quick: bool, as_json: bool) -> None:
    """Check whether everything is there that a run needs, and say what to do.

    Nothing is changed or downloaded. A judge that is set is asked one question. The command fails
    if there is an error; a warning does not make it fail. Without --tasks, what one benchmark
    lacks is a warning.

    \b
      lmms-eval-tasks doctor
      lmms-eval-tasks doctor --quick --offline
      lmms-eval-tasks doctor --tasks worldqa,geoqa && lmms-eval --tasks worldqa,geoqa …
      lmms-eval-tasks doctor --json > doctor.json      # for a bug report: keys are struck out
    """  # noqa: D301 - click wants the control character
    from rich.console import Console  # noqa: PLC0415 - see TYPE_CHECKING above

    from lmms_eval_tasks.doctor import asking, report  # noqa: PLC0415 - see above
    from lmms_eval_tasks.doctor.finding import Level, examined  # noqa: PLC0415 - see above

    checks = _checks(tasks, offline=offline, quick=quick)
    page = report.Page(Console())
    found = []
    try:
        for check, findings in _waited_for(examined(checks), checks):
            found.append((check, findings))
            if not as_json:
                page.write(check, findings)
    finally:
        asking.stop()
    levels = [finding.level for _, findings in found for finding in findings]
    if as_json:
        click.echo(report.as_json(found))
    else:
        page.end(levels)
    sys.exit(1 if Level.ERROR in levels else 0)


def _checks(tasks: str | None, *, offline: bool, quick: bool) -> list[Check]:
    from lmms_eval_tasks.doctor import (  # noqa: PLC0415 - see above
        installation,
        judges,
        registration,
        variables,
        videos,
    )
    from lmms_eval_tasks.doctor.chosen import chosen  # noqa: PLC0415 - see above
    from lmms_eval_tasks.doctor.data import DataSets  # noqa: PLC0415 - see above

    wanted = chosen([name.strip() for name in (tasks or "").split(",") if name.strip()])
    data_sets = DataSets(wanted, offline=offline)
    return [
        *installation.checks(),
        *variables.checks(wanted),
        *registration.checks(quick=quick),
        *data_sets.checks(),
        *videos.checks(wanted, data_sets),
        *judges.checks(wanted, offline=offline),
    ]


def _waited_for(
    found: Iterator[tuple[Check, list[Finding]]], checks: list[Check]
) -> Iterator[tuple[Check, list[Finding]]]:
    """The same, with a word on what is waited for where standard error is a terminal."""
    from rich.console import Console  # noqa: PLC0415 - see above

    console = Console(stderr=True)
    for check in checks:
        with console.status(f"{check.family}: {check.name}"):
            each = next(found)
        yield each
