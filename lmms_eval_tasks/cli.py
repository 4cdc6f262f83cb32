"""The command `lmms-eval-tasks`."""

from __future__ import annotations

from pathlib import Path

import click

from lmms_eval_tasks import __version__
from lmms_eval_tasks._cli_group import Lazy, LazyGroup

_FOLDER = Path(__file__).parent

# A command of its own module is one line here: its name, where it is, and what its help says of it.
COMMANDS = {
    "compare": Lazy(
        "lmms_eval_tasks.compare.command:compare",
        "Compare runs question by question.",
    ),
    "doctor": Lazy(
        "lmms_eval_tasks.doctor.command:doctor",
        "Check whether everything is there that a run needs, and say what to do.",
    ),
    "judge-check": Lazy(
        "lmms_eval_tasks.judge_check.command:judge_check",
        "Measure the judge on answers whose grades are known.",
    ),
    "plan": Lazy(
        "lmms_eval_tasks.plan.command:plan",
        "Say what a run will cost, before it.",
    ),
    "prepare-geoqa": Lazy(
        "lmms_eval_tasks.geoqa.archive.command:prepare_geoqa",
        "Make the task `geoqa_official` out of the official archive.",
    ),
    "report": Lazy(
        "lmms_eval_tasks.report.command:report",
        "Make one page of a run: numbers, charts, and every sample.",
    ),
    "verdicts": Lazy(
        "lmms_eval_tasks.verdicts_command:verdicts",
        "Show, export, import or prune what is kept of judges.",
    ),
}


@click.group(
    cls=LazyGroup, lazily=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.option("--debug", is_flag=True, help="Show where an error came from.")
@click.version_option(__version__, package_name="lmms-eval-tasks")
def main(*, debug: bool) -> None:
    """WorldQA, WorldBench and GeoQA for lmms-eval.

    The tasks themselves run with lmms-eval, once this package is installed:

    \b
      lmms-eval --tasks list
      lmms-eval --model replay --tasks geoqa_sample --output_path results

    Is everything there?

    \b
      lmms-eval-tasks doctor
      lmms-eval-tasks doctor --tasks worldqa
    """


@main.command()
@click.argument("task", required=False)
def path(task: str | None) -> None:
    """Print the folder of the task files, or the YAML file of TASK.

    \b
      lmms-eval --include_path "$(lmms-eval-tasks path)" --tasks worldbench …
      echo "include: $(lmms-eval-tasks path geoqa)" > my_geoqa.yaml
    """
    if task is None:
        click.echo(_FOLDER)
        return
    files = {file.stem: file for file in _FOLDER.glob("*/*.yaml")}
    if task not in files:
        known = ", ".join(sorted(files))
        raise click.ClickException(f"There is no task {task!r}. There are: {known}.")
    click.echo(files[task])
