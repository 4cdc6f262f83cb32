"""The files of tasks, read as lmms-eval reads them, without lmms-eval."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

from lmms_eval_tasks.plan.errors import PlanError
from lmms_eval_tasks.results.kinds import Kind, kind_of

PACKAGE = "lmms_eval_tasks"
Config: TypeAlias = dict[str, Any]
# The builders of `datasets` that take files, as far as lmms-eval looks for those beside the YAML.
FILE_FORMATS = ("arrow", "csv", "json", "pandas", "parquet", "text")


@dataclass(frozen=True, slots=True)
class Hook:
    """A function that a task file names.

    Attributes:
        dotted: Its name as written after ``!function``.
        file: The file that names it.
    """

    dotted: str
    file: Path

    def function(self) -> Callable[..., Any]:
        """The function itself.

        Raises:
            PlanError: It is none that can be imported; a function of a ``utils.py`` beside the
                file is none, as lmms-eval alone can run it.
        """
        module, _, name = self.dotted.rpartition(".")
        try:
            function: Callable[..., Any] = getattr(importlib.import_module(module), name)
        except (ImportError, AttributeError, ValueError) as error:
            raise PlanError(
                f"{self.file}: `!function {self.dotted}` cannot be imported ({error}).",
                "Name it in full, as a module that Python finds.",
            ) from error
        return function


@dataclass(frozen=True)
class Task:
    """One task, with what its file includes.

    Attributes:
        name: Its name.
        config: Its settings, functions as `Hook`.
    """

    name: str
    config: Mapping[str, Any]

    @cached_property
    def kind(self) -> Kind | None:
        """Which of our benchmarks it is; None for a task that is not ours."""
        metrics = self.config.get("metric_list")
        entries = metrics if isinstance(metrics, list) else []
        names = {str(entry.get("metric")) for entry in entries if isinstance(entry, Mapping)}
        hook = self.config.get("process_docs")
        is_ours = isinstance(hook, Hook) and hook.dotted.startswith(f"{PACKAGE}.")
        return kind_of(names) if is_ours else None

    def function(self, key: str) -> Callable[..., Any]:
        """The function that the task names under a key.

        Raises:
            PlanError: It names none, or one that cannot be imported.
        """
        hook = self.config.get(key)
        if not isinstance(hook, Hook):
            raise PlanError(
                f"The task {self.name} has no function `{key}`.", "Include one of ours."
            )
        return hook.function()


def read(file: Path) -> Config:
    """A task file with what it includes; paths of local data files are made absolute.

    Raises:
        PlanError: It cannot be read, is no mapping, or includes itself.
    """
    return _read(file, ())


def _read(file: Path, including: tuple[Path, ...]) -> Config:
    if file in including:
        raise PlanError(f"{file} includes itself.", "Take out its `include`.")
    own = _parsed(file)
    included = own.pop("include", None)
    config: Config = {}
    for name in reversed([included] if isinstance(included, str) else included or []):
        # As lmms-eval looks for it: where the command runs, then beside the file.
        path = Path(name) if Path(name).is_file() else file.parent / name
        config |= _read(path, (*including, file))
    return _with_absolute_files({**config, **own}, file.parent)


def _parsed(file: Path) -> Config:
    import yaml  # noqa: PLC0415 - the help of the command needs none

    class Loader(yaml.SafeLoader):
        """Reads functions as hooks of this file, which are not imported."""

    Loader.add_constructor("!function", lambda _, node: Hook(str(node.value), file))
    try:
        parsed = yaml.load(file.read_text(encoding="utf-8"), Loader)  # noqa: S506 - a safe loader
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        words = " ".join(str(error).split())
        raise PlanError(f"{file} cannot be read: {words}.", "Correct the file.") from error
    if not isinstance(parsed, dict):
        raise PlanError(f"{file} is no task file.", "Take it out of the folder.")
    return parsed


def _with_absolute_files(config: Config, folder: Path) -> Config:
    """As lmms-eval does it, with data files named relative to the task file."""
    kwargs = config.get("dataset_kwargs")
    if config.get("dataset_path") not in FILE_FORMATS or not isinstance(kwargs, dict):
        return config
    if "data_files" not in kwargs:
        return config
    return {**config, "dataset_kwargs": {**kwargs, "data_files": _in(folder, kwargs["data_files"])}}


def _in(folder: Path, files: Any) -> Any:  # noqa: ANN401 - YAML nests names as it likes
    if isinstance(files, dict):
        return {key: _in(folder, value) for key, value in files.items()}
    if isinstance(files, list):
        return [_in(folder, value) for value in files]
    beside = folder / str(files)
    return str(beside.absolute()) if files and beside.is_file() else files
