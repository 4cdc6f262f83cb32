"""Which tasks a name stands for: a task, a group, a tag, a pattern of either."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from importlib.util import find_spec
from pathlib import Path

import lmms_eval_tasks
from lmms_eval_tasks.plan.errors import PlanError
from lmms_eval_tasks.plan.task_files import Config, Task, read

_NAMED = re.compile(r"^(?:task|group|tag)\s*:\s*[\"']?([\w.-]+)", re.MULTILINE)


@dataclass(frozen=True)
class Selection:
    """What the names stand for.

    Attributes:
        tasks: Our tasks, in the order they are named, each once.
        others: Names of tasks that are not ours.
    """

    tasks: Sequence[Task]
    others: Sequence[str]


@dataclass
class Catalogue:
    """All tasks and groups of our folder and of a user's own; a user's own win.

    A file that cannot be read is left out, until a name is looked for in vain.

    Args:
        folders: Folders of task files, with what is below them.

    Raises:
        PlanError: A folder is not there.
    """

    folders: Iterable[Path] = ()
    _unread: list[PlanError] = field(default_factory=list)
    _tasks: dict[str, Config] = field(default_factory=dict)
    _members: dict[str, list[object]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for folder in (Path(lmms_eval_tasks.__file__).parent, *self.folders):
            if not folder.is_dir():
                raise PlanError(f"There is no folder {folder}.", "Correct --include-path.")
            for file in sorted(folder.rglob("*.yaml")):
                self._add(file)

    def selected(self, names: Iterable[str]) -> Selection:
        """What names stand for.

        Raises:
            PlanError: A name is unknown, also to lmms-eval; it gives those that are near.
        """
        tasks: dict[str, Task] = {}
        others: list[str] = []
        for name in names:
            for task in self._expanded(name, ()):
                if task.kind is None:
                    others.append(task.name)
                else:
                    tasks.setdefault(task.name, task)
        return Selection(list(tasks.values()), sorted(set(others)))

    def task(self, name: str) -> Task:
        """The task of a name that is known."""
        return Task(name, self._tasks[name])

    def _add(self, file: Path) -> None:
        try:
            config = read(file)
        except PlanError as error:
            self._unread.append(error)
            return
        named, group = config.get("task"), config.get("group")
        if isinstance(group, str) and isinstance(named, list):
            self._members[group] = named
        elif isinstance(named, str):
            self._tasks[named] = config
            tags = config.get("tag") or []
            for tag in [tags] if isinstance(tags, str) else tags:
                self._members.setdefault(str(tag), []).append(named)

    def _expanded(self, name: str, within: tuple[str, ...]) -> Iterator[Task]:
        known = (*self._members, *self._tasks)
        if name in self._members and name not in within:
            for member in self._members[name]:
                yield from self._member(member, (*within, name))
        elif name in self._tasks:
            yield Task(name, self._tasks[name])
        elif matching := [one for one in known if "*" in name and fnmatchcase(one, name)]:
            for one in matching:
                yield from self._expanded(one, within)
        elif name in _built_in():
            yield Task(name, {})
        else:
            raise self._unknown(name, known)

    def _member(self, member: object, within: tuple[str, ...]) -> Iterator[Task]:
        """A member of a group: a name, or a mapping that changes a task it names."""
        if not isinstance(member, Mapping):
            yield from self._expanded(str(member), within)
            return
        for task in self._expanded(str(member.get("task")), within):
            yield Task(task.name, {**task.config, **member})

    def _unknown(self, name: str, known: Iterable[str]) -> PlanError:
        near = difflib.get_close_matches(name, [*known, *_built_in()], n=4)
        meant = f"Did you mean {' or '.join(near)}?" if near else ""
        unread = f"{self._unread[0]}" if self._unread else ""
        remedy = " ".join(filter(None, (meant, unread))) or "`lmms-eval --tasks list` has all."
        return PlanError(f"There is no task {name!r}.", remedy)


def _built_in() -> set[str]:
    """The names of lmms-eval's own tasks, without importing it."""
    spec = find_spec("lmms_eval")
    folders = spec.submodule_search_locations if spec else None
    names: set[str] = set()
    for folder in folders or ():
        for file in Path(folder, "tasks").rglob("*.yaml"):
            names.update(_NAMED.findall(file.read_text(encoding="utf-8", errors="replace")))
    return names
