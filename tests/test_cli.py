"""The command `lmms-eval-tasks`."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import lmms_eval_tasks
from lmms_eval_tasks.cli import main
from tests.test_structure import YAML_FILES

PACK = Path(lmms_eval_tasks.__file__).parent


def invoke(*arguments: str):
    return CliRunner().invoke(main, arguments)


def test_path_prints_the_folder_that_include_path_takes():
    done = invoke("path")
    assert (done.exit_code, done.output) == (0, f"{PACK}\n")


@pytest.mark.parametrize("file", YAML_FILES, ids=lambda file: file.stem)
def test_path_prints_the_file_of_a_task_for_include(file):
    assert invoke("path", file.stem).output == f"{file}\n"


def test_a_task_that_is_not_there_is_answered_with_those_that_are():
    done = invoke("path", "geoqua")
    assert done.exit_code == 1
    assert "There is no task 'geoqua'" in done.output
    assert "geoqa_sample" in done.output
    assert "Traceback" not in done.output


def test_help_teaches_by_example_and_the_version_is_known():
    assert "lmms-eval --tasks list" in invoke("--help").output
    assert '--include_path "$(lmms-eval-tasks path)"' in invoke("path", "-h").output
    assert lmms_eval_tasks.__version__ in invoke("--version").output
