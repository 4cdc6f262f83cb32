"""What the plugin does when lmms-eval is not the one it knows.

A future lmms-eval cannot be installed here, so small stand-ins play it; the real one is covered by
tests/integration.
"""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from loguru import logger

from lmms_eval_tasks import plugin


class TaskManager:
    def initialize_tasks(self, include_path=None, include_defaults=True):  # noqa: FBT002
        index = {"worldqa": "built-in", "mme": "built-in"} if include_defaults else {}
        return index | ({"worldqa": "user"} if include_path else {})

    def _get_task_and_group(self, folder):
        return {"worldqa": "pack", "geoqa": "pack"}


class Task:
    def build_all_requests(self, *, limit=None):
        return None


class ConfigurableTask(Task):
    def __init__(self, process_docs=None):
        self.config = SimpleNamespace(
            process_docs=process_docs,
            process_results=None,
            metadata=None,
            task="t",
            dataset_path="p",
            dataset_name=None,
        )

    def download(self, dataset_kwargs=None):
        raise FileNotFoundError("no such file")

    def apply_filters(self):
        return None


def lmms_eval_like(**changes):
    """A module with fresh copies of the classes, some of them changed."""
    classes = {
        c.__name__: type(c.__name__, (c,), {}) for c in (TaskManager, Task, ConfigurableTask)
    }
    return SimpleNamespace(**(classes | changes))


@pytest.fixture
def lines():
    heard: list[str] = []
    sink = logger.add(heard.append, format="{message}", level="INFO")
    yield heard
    logger.remove(sink)


@pytest.fixture(autouse=True)
def _forget_announcements(monkeypatch):
    monkeypatch.setattr(plugin, "_taken_over", set())


def test_our_tasks_stand_between_built_in_ones_and_the_users_own(lines):
    tasks = lmms_eval_like()
    plugin.install(tasks)
    manager = tasks.TaskManager()
    assert manager.initialize_tasks() == {"worldqa": "pack", "geoqa": "pack", "mme": "built-in"}
    assert manager.initialize_tasks(include_path="mine")["worldqa"] == "user"
    assert manager.initialize_tasks(None, False) == {}  # noqa: FBT003
    assert len([line for line in lines if "`worldqa`" in line]) == 1


def test_installing_twice_changes_nothing(lines):
    tasks = lmms_eval_like()
    plugin.install(tasks)
    once = tasks.TaskManager.initialize_tasks
    plugin.install(tasks)
    assert tasks.TaskManager.initialize_tasks is once
    assert lines == []


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"TaskManager": None}, "TaskManager.initialize_tasks: not there"),
        ({"TaskManager": type("T", (), {})}, "TaskManager.initialize_tasks: not there"),
        (
            {"TaskManager": type("T", (), {"initialize_tasks": lambda self, paths: {}})},
            "no parameter include_path, include_defaults",
        ),
        ({"TaskManager": type("T", (), {"initialize_tasks": 3})}, "is not a callable"),
    ],
)
def test_what_does_not_fit_is_named_in_one_line_with_what_to_do(lines, changes, words):
    plugin.install(lmms_eval_like(**changes))
    (line,) = lines
    assert words in line
    assert 'Add --include_path "$(lmms-eval-tasks path)"' in line


def test_registration_never_raises_into_lmms_eval(lines, monkeypatch):
    def broken(*_):
        raise RuntimeError("a changed import system")

    monkeypatch.setattr(plugin, "when_imported", broken)
    assert plugin.manifests() == []
    assert "a changed import system" in lines[0]
    assert "--include_path" in lines[0]


def test_an_environment_variable_switches_everything_off(monkeypatch):
    monkeypatch.setenv("LMMS_EVAL_TASKS_DISABLE", "1")
    monkeypatch.setattr(plugin, "when_imported", lambda *_: pytest.fail("installed all the same"))
    assert plugin.manifests() == []


def test_other_tasks_fail_as_they_always_did():
    tasks = lmms_eval_like()
    plugin.install(tasks)
    with pytest.raises(FileNotFoundError, match="no such file"):
        tasks.ConfigurableTask(process_docs=len).download({})
