"""Which tasks are looked at, and what each of them needs, as their YAML files say."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lmms_eval_tasks_core.errors import SettingError

if TYPE_CHECKING:
    import yaml

PACK = Path(__file__).parents[1]
DEFAULT = ("worldqa", "worldbench", "geoqa")
_LOCAL_FORMATS = {"arrow", "csv", "json", "parquet", "text"}


@dataclass(frozen=True, slots=True, order=True)
class DataSet:
    """A data set on the Hub.

    Attributes:
        repository: Its repository.
        config: Its config; "" where it has only one.
        revision: The revision that the task loads; "" for the newest.
        with_videos: Whether lmms-eval unpacks its videos.
    """

    repository: str
    config: str
    revision: str
    with_videos: bool


@dataclass(frozen=True, slots=True)
class Chosen:
    """What is looked at.

    Attributes:
        are_named: Whether the user has named the tasks: then what they lack is an error.
        tasks: The tasks, by name.
        data_sets: What they load from the Hub.
        scorers: Their hooks ``process_results``, by dotted name.
    """

    are_named: bool
    tasks: tuple[str, ...]
    data_sets: tuple[DataSet, ...]
    scorers: tuple[str, ...]

    @property
    def need_videos(self) -> bool:
        """Whether any of them shows WorldQA's videos."""
        return any(data_set.with_videos for data_set in self.data_sets)


def task_files() -> dict[str, Path]:
    """The YAML file of each task and group of the pack, by name."""
    return {file.stem: file for file in sorted(PACK.glob("*/*.yaml"))}


def chosen(names: Sequence[str]) -> Chosen:
    """What the named tasks need, or the three benchmarks where none is named.

    Raises:
        SettingError: There is no task of that name.
    """
    files = task_files()
    configs = dict(_members(names or DEFAULT, files))
    data_sets = {
        DataSet(
            str(config["dataset_path"]),
            str(config.get("dataset_name") or ""),
            str((config.get("dataset_kwargs") or {}).get("revision") or ""),
            bool((config.get("dataset_kwargs") or {}).get("video")),
        )
        for config in configs.values()
        if config["dataset_path"] not in _LOCAL_FORMATS
    }
    scorers = dict.fromkeys(str(config["process_results"]) for config in configs.values())
    return Chosen(bool(names), tuple(configs), tuple(sorted(data_sets)), tuple(scorers))


def _members(
    names: Iterable[str], files: Mapping[str, Path]
) -> Iterable[tuple[str, dict[str, Any]]]:
    for name in names:
        if name not in files:
            close = " or ".join(difflib.get_close_matches(name, files))
            meant = f"Did you mean {close}?" if close else f"There are: {', '.join(files)}."
            raise SettingError("--tasks", f"this package has no task {name!r}", meant)
        config = _merged(files[name])
        if isinstance(config["task"], list):
            yield from _members(config["task"], files)
        else:
            yield name, config


def _merged(file: Path) -> dict[str, Any]:
    """A task file with what it includes, as lmms-eval merges them."""
    import yaml  # noqa: PLC0415 - not for a help text

    own: dict[str, Any] = yaml.load(file.read_text(encoding="utf-8"), _loader())  # noqa: S506 - a safe loader
    included = own.pop("include", None)
    return {**_merged(file.parent / included), **own} if included else own


def _loader() -> type[yaml.SafeLoader]:
    import yaml  # noqa: PLC0415 - see above

    class Loader(yaml.SafeLoader):
        """Reads a task file with its functions as their dotted names."""

    Loader.add_constructor("!function", lambda _, node: str(node.value))
    return Loader
