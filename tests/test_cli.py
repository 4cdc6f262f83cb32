"""The command `lmms-eval-tasks`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import lmms_eval_tasks
from lmms_eval_tasks._cli_group import Lazy, LazyGroup
from lmms_eval_tasks.cli import COMMANDS, main
from lmms_eval_tasks_core.errors import SettingError
from tests.support.untraced import untraced
from tests.test_structure import YAML_FILES

PACK = Path(lmms_eval_tasks.__file__).parent
COMMAND = Path(sys.executable).with_name("lmms-eval-tasks")
HEAVY = {
    *("lmms_eval", "torch", "datasets", "transformers", "huggingface_hub", "openai", "httpx"),
    *("numpy", "pandas", "pyarrow", "PIL", "av", "sympy", "sqlite3", "jinja2", "rapidfuzz"),
    *("rich", "yaml"),
}


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


IMPORTED = """
import json, sys
from lmms_eval_tasks.cli import main
try:
    main(sys.argv[1:])
finally:
    print(json.dumps(sorted(name for name in sys.modules if "." not in name)))
"""


def imported(*arguments: str) -> set[str]:
    """The modules that a command has imported by its end."""
    done = subprocess.run(
        [sys.executable, "-c", IMPORTED, *arguments],
        capture_output=True,
        text=True,
        check=True,
        env=untraced(),
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


@pytest.mark.parametrize("name", [None, "path", *COMMANDS])
def test_a_help_text_waits_for_nothing_heavy(name):
    arguments = ["--help"] if name is None else [name, "--help"]
    assert imported(*arguments) & HEAVY == set()


def test_quick_commands_import_nothing_heavy():
    assert imported("path", "geoqa") & HEAVY == set()
    assert imported("--version") & HEAVY == set()


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_listed_and_shows_how_it_is_called(name):
    assert COMMANDS[name].help in " ".join(invoke("--help").output.split())
    done = invoke(name, "--help")
    assert done.exit_code == 0, done.output
    assert f"lmms-eval-tasks {name}" in done.output


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("verdict", "Did you mean verdicts?"),
        ("docter", "Did you mean doctor?"),
        ("xyz", "There ar"),
    ],
)
def test_a_command_that_is_not_there_is_answered_with_one_that_is(typed, answer):
    done = invoke(typed)
    assert done.exit_code == 2
    assert f"There is no command '{typed}'. {answer}" in done.output


def test_an_option_that_is_not_there_is_not_taken_for_a_command():
    assert "No such option" in invoke("--hepl").output


@click.command("fail")
@click.argument("how")
def fail(how: str) -> None:
    raise {
        "setting": SettingError("A_SETTING", "it is odd", "Set it to 1."),
        "file": PermissionError(13, "Permission denied", "/a/file"),
        "plain": OSError("the disk is full"),
        "fault": KeyError("column"),
        "url": ValueError("https://me:secret@host/v1 with sk-1234567890abc"),
        "stop": KeyboardInterrupt(),
    }[how]


@click.group(cls=LazyGroup, lazily={"fail": Lazy(f"{__name__}:fail", "Fail.")})
@click.option("--debug", is_flag=True)
def failing(*, debug: bool) -> None:
    """Fails on command."""


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("setting", "Error: A_SETTING: it is odd. Set it to 1.\n"),
        ("file", "Error: /a/file: Permission denied.\n"),
        ("plain", "Error: the disk is full\n"),
    ],
)
def test_an_expected_error_is_one_sentence(how, words):
    done = CliRunner().invoke(failing, ["fail", how])
    assert (done.exit_code, done.output) == (1, words)


def test_an_unexpected_error_is_named_and_says_how_to_report_it():
    done = CliRunner().invoke(failing, ["fail", "fault"])
    assert done.exit_code == 1
    assert done.output.startswith("Error: KeyError: 'column'.")
    assert "--debug" in done.output
    assert "report it" in done.output
    assert "Traceback" not in done.output


def test_an_unexpected_error_tells_no_secret():
    done = CliRunner().invoke(failing, ["fail", "url"])
    assert "ValueError: https://host/v1 with ***" in done.output


@pytest.mark.parametrize("how", ["setting", "file", "fault"])
def test_debug_shows_where_an_error_came_from(how):
    done = CliRunner().invoke(failing, ["--debug", "fail", how])
    assert done.exit_code == 1
    assert isinstance(done.exception, SettingError | PermissionError | KeyError)


def test_debug_is_an_option_of_the_command_itself():
    code = (
        "import sys; from lmms_eval_tasks import cli; cli._FOLDER = None;"
        "cli.main(sys.argv[1:], prog_name='lmms-eval-tasks')"
    )
    for arguments, shown in ((["path", "x"], False), (["--debug", "path", "x"], True)):
        done = subprocess.run(
            [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False
        )
        assert done.returncode == 1
        assert ("Traceback" in done.stderr) == shown
        assert "AttributeError" in done.stderr


def test_interrupting_ends_in_one_word():
    done = CliRunner().invoke(failing, ["fail", "stop"])
    assert (done.exit_code, done.output.strip()) == (130, "Stopped.")


@pytest.mark.parametrize("arguments", [["path"], ["--help"], ["doctor", "--help"]])
def test_a_reader_that_goes_away_is_no_error(arguments):
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [COMMAND, *arguments], stdout=writing, stderr=subprocess.PIPE, check=False
    )
    os.close(writing)
    assert done.stderr == b""


@pytest.mark.parametrize(
    ("shell", "words"), [("bash", "complete -o"), ("zsh", "compdef"), ("fish", "complete")]
)
def test_completion_is_there_for_every_shell_that_click_knows(shell, words):
    done = subprocess.run(
        [COMMAND],
        env={**os.environ, "_LMMS_EVAL_TASKS_COMPLETE": f"{shell}_source"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert words in done.stdout
    assert "lmms-eval-tasks" in done.stdout


def test_commands_are_completed():
    done = subprocess.run(
        [COMMAND],
        env={
            **os.environ,
            "_LMMS_EVAL_TASKS_COMPLETE": "bash_complete",
            "COMP_WORDS": "lmms-eval-tasks pre",
            "COMP_CWORD": "1",
        },
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["plain,prepare-geoqa"]
