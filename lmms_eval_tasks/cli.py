"""The command `lmms-eval-tasks`."""

from __future__ import annotations

from pathlib import Path

import click

from lmms_eval_tasks import __version__
from lmms_eval_tasks.geoqa.archive.command import prepare_geoqa
from lmms_eval_tasks.verdicts_command import verdicts

_FOLDER = Path(__file__).parent


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, package_name="lmms-eval-tasks")
def main() -> None:
    """WorldQA, WorldBench and GeoQA for lmms-eval.

    The tasks themselves run with lmms-eval, once this package is installed:

    \b
      lmms-eval --tasks list
      lmms-eval --model replay --tasks geoqa_sample --output_path results
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


main.add_command(prepare_geoqa)
main.add_command(verdicts)
