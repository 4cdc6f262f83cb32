"""What must be the same in two runs before their numbers may be taken from each other."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePath

from lmms_eval_tasks.compare.answers import Answered
from lmms_eval_tasks.results.run import Run, TaskRun

NOT_STATED = "not stated"
_SHOWN_IDS = 3
_NAMES = {
    "judge": "judge",
    "rubric_version": "version of the rubric",
    "matcher": "matcher",
    "matcher_version": "version of the matcher",
    "beam": "beam",
}
# The version has a rule of its own; a note says in words what other fields say.
_NOT_COMPARED = frozenset(("version", "note"))


@dataclass(frozen=True, slots=True)
class Condition:
    """Something that differs between two runs of a task.

    Attributes:
        what: What differs: "judge", "limit", …
        a: Its value in run A.
        b: Its value in run B.
        forbids: Whether it makes the numbers incomparable, or is only worth knowing.
    """

    what: str
    a: str
    b: str
    forbids: bool = True


@dataclass(frozen=True, slots=True)
class Side:
    """One task of one run, with what was answered."""

    run: Run
    task: TaskRun
    answered: Answered


def conditions(a: Side, b: Side) -> list[Condition]:
    """Everything that differs between two runs of a task, what forbids a comparison first."""
    found = [
        *_settings(a, b),
        *_cited(a, b),
        *_data(a.task, b.task),
        *_questions(a.answered, b.answered),
        *_generation(a, b),
    ]
    return sorted(dict.fromkeys(found), key=lambda condition: not condition.forbids)


def _settings(a: Side, b: Side) -> Iterator[Condition]:
    yield from _different("setting (kind of task)", a.task.kind.value, b.task.kind.value)
    yield from _different("setting (name of the task)", a.task.name, b.task.name)
    # A version is N.X: the numbers of another N are other numbers, X says nothing about them.
    numbers = [task.version.partition(".")[0] for task in (a.task, b.task)]
    yield from _different(
        "task version", a.task.version, b.task.version, forbids=numbers[0] != numbers[1]
    )
    for option in ("limit", "offset"):
        yield from _different(option, *(_option(side.run, option) for side in (a, b)))


def _cited(a: Side, b: Side) -> Iterator[Condition]:
    """What the runs state about themselves, then what their samples do."""
    stated = [_flat(side.task.metadata) for side in (a, b)]
    for key in dict.fromkeys([*stated[0], *stated[1]]):
        values = [_shown(side.get(key)) for side in stated]
        # What one version of this package states and another does not is no difference of theirs.
        forbids = key in _NAMES or NOT_STATED not in values
        if key not in _NOT_COMPARED:
            yield from _different(_NAMES.get(key, f"metadata `{key}`"), *values, forbids=forbids)
    for key, name in _NAMES.items():
        named = [", ".join(sorted(side.answered.cited.get(key, ()))) for side in (a, b)]
        # A run whose rules could read everything has no use for a matcher, and names none.
        if all(named):
            yield from _different(f"{name} in the samples", *named)


def _data(a: TaskRun, b: TaskRun) -> Iterator[Condition]:
    for key in ("dataset_path", "dataset_name", "test_split"):
        yield from _different(f"data ({key})", *(_shown(task.config.get(key)) for task in (a, b)))
    settings = [task.config.get("dataset_kwargs") for task in (a, b)]
    known = [value if isinstance(value, dict) else {} for value in settings]
    yield from _different("data (revision)", *(_shown(value.get("revision")) for value in known))
    yield from _different(
        "data (files)", *(_file_names(value.get("data_files")) for value in known)
    )
    yield from _different("data (number of rows)", str(a.planned), str(b.planned))


def _questions(a: Answered, b: Answered) -> Iterator[Condition]:
    only_a = sorted(a.questions.keys() - b.questions.keys())
    only_b = sorted(b.questions.keys() - a.questions.keys())
    if only_a or only_b:
        yield Condition("ids", _only(only_a), _only(only_b))
    both = a.questions.keys() & b.questions.keys()
    other = sorted(
        name for name in both if _asked_otherwise(a.questions[name].asked, b.questions[name].asked)
    )
    if other:
        yield Condition(
            "prompt or right answer",
            f"{len(other)} of {len(both)} questions ({_named(other)}) are asked in one way",
            "in another",
        )


def _asked_otherwise(a: Mapping[int, bytes], b: Mapping[int, bytes]) -> bool:
    return any(a[number] != b[number] for number in a.keys() & b.keys())


def _generation(a: Side, b: Side) -> Iterator[Condition]:
    """How answers were drawn: worth knowing, and often what is compared."""
    settings = [side.task.config.get("generation_kwargs") for side in (a, b)]
    flat = [_flat(value if isinstance(value, dict) else {}) for value in settings]
    for key in dict.fromkeys([*flat[0], *flat[1]]):
        shown = (_shown(value.get(key)) for value in flat)
        yield from _different(f"generation setting `{key}`", *shown, forbids=False)
    versions = (side.run.lmms_eval_version or NOT_STATED for side in (a, b))
    yield from _different("version of lmms-eval", *versions, forbids=False)


def _different(what: str, a: str, b: str, *, forbids: bool = True) -> Iterator[Condition]:
    if a != b:
        yield Condition(what, a, b, forbids)


def _option(run: Run, name: str) -> str:
    config = run.raw.get("config")
    value = config.get(name) if isinstance(config, dict) else None
    return "none" if not value else _shown(value)


def _flat(values: Mapping[str, object], prefix: str = "") -> dict[str, object]:
    flat: dict[str, object] = {}
    for key, value in values.items():
        if isinstance(value, dict):
            flat |= _flat(value, f"{prefix}{key}.")
        else:
            flat[f"{prefix}{key}"] = value
    return flat


def _shown(value: object) -> str:
    if value is None:
        return NOT_STATED
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _file_names(files: object) -> str:
    """The names of local files: the folder they lie in says nothing about what is in them."""
    if isinstance(files, dict):
        return ", ".join(f"{split}: {_file_names(file)}" for split, file in files.items())
    if isinstance(files, list):
        return ", ".join(map(_file_names, files))
    return NOT_STATED if files is None else PurePath(str(files)).name


def _only(ids: list[str]) -> str:
    return f"{len(ids)} the other lacks ({_named(ids)})" if ids else "none the other lacks"


def _named(ids: list[str]) -> str:
    more = ", …" if len(ids) > _SHOWN_IDS else ""
    return ", ".join(ids[:_SHOWN_IDS]) + more
