"""The rows of a task, from this disk alone."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lmms_eval_tasks.plan.errors import PlanError
from lmms_eval_tasks.plan.task_files import FILE_FORMATS, Task
from lmms_eval_tasks.results.kinds import Kind
from lmms_eval_tasks.worldqa import material, rows
from lmms_eval_tasks_core.errors import VideosMissingError

if TYPE_CHECKING:  # `datasets` takes seconds to import
    from datasets import Dataset

# What lmms-eval reads itself out of `dataset_kwargs`.
_OF_LMMS_EVAL = (
    *("builder_script", "cache_dir", "create_link", "force_download", "force_unzip"),
    *("From_YouTube", "load_from_disk", "local_files_only", "max_retries", "num_proc", "video"),
)
_SAMPLES = {
    Kind.OPEN_ENDED: "worldqa_open_ended_sample",
    Kind.CIRCULAR: "worldqa_circular_sample",
    Kind.WORLDBENCH: "worldbench_sample",
    Kind.GEOQA: "geoqa_sample",
}


@dataclass(frozen=True)
class Data:
    """What a task would ask.

    Attributes:
        rows: Its rows, completed as for a run, one a request.
        coverage: The share of all requests that they are, 0 to 1: less where videos are missing.
        has_videos: Whether the rows name the files of their videos.
        videos: The names of all videos that the data set is about.
    """

    rows: Dataset
    coverage: float = 1.0
    has_videos: bool = True
    videos: frozenset[str] = frozenset()


def sample_of(kind: Kind) -> str:
    """The task with our own small rows in the schema of a benchmark."""
    return _SAMPLES[kind]


class Disk:
    """Loads data that lie on this disk, and nothing else.

    Args:
        stack: What has to be unpacked is removed when this closes.
    """

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack

    def data(self, task: Task) -> Data | None:
        """The completed rows of a task; None where its data set is not on this disk.

        Raises:
            TasksError: A data file of the user's own is missing, or a row is bad.
        """
        loaded = self._loaded(task)
        return None if loaded is None else _completed(task, loaded)

    def stand_in(self, task: Task, sample: Task) -> Dataset:
        """The rows of our sample, completed as those of a task whose own are not there."""
        loaded = self._loaded(sample)
        assert loaded is not None  # noqa: S101 - it comes with the package
        return _without_videos(task, loaded)

    def _loaded(self, task: Task) -> Dataset | None:
        path = str(task.config.get("dataset_path"))
        kwargs = task.config.get("dataset_kwargs") or {}
        taken = {key: value for key, value in kwargs.items() if key not in _OF_LMMS_EVAL}
        if _is_remote(taken):
            return None
        if path in FILE_FORMATS or Path(path).expanduser().exists():
            return _own(task, path, taken, from_disk=bool(kwargs.get("load_from_disk")))
        return self._cached(task, path, taken)

    def _cached(self, task: Task, path: str, kwargs: Mapping[str, Any]) -> Dataset | None:
        """A data set of the Hub, as an earlier run made it, else out of downloaded files."""
        # Whatever the libraries raise, they found nothing that can be used.
        with suppress(Exception):
            return _load(task, path, kwargs)
        with suppress(Exception):
            from huggingface_hub import snapshot_download  # noqa: PLC0415 - see TYPE_CHECKING

            revision = kwargs.get("revision")
            folder = snapshot_download(
                path, repo_type="dataset", revision=revision, local_files_only=True
            )
            unpacked = self._stack.enter_context(tempfile.TemporaryDirectory())
            rest = {key: value for key, value in kwargs.items() if key != "revision"}
            return _load(task, folder, {**rest, "cache_dir": unpacked})
        return None


@contextmanager
def this_disk() -> Iterator[Disk]:
    """The data on this disk; meanwhile no request of the libraries leaves the machine."""
    with _offline(), ExitStack() as stack:
        yield Disk(stack)


def _is_remote(kwargs: Mapping[str, Any]) -> bool:
    return "://" in str(kwargs.get("data_files", ""))


def _own(task: Task, path: str, kwargs: Mapping[str, Any], *, from_disk: bool) -> Dataset:
    """Data of the user's own; what is wrong with them is said now and not in the run."""
    try:
        if from_disk:
            from datasets import load_from_disk  # noqa: PLC0415 - see TYPE_CHECKING

            return load_from_disk(path)[task.config["test_split"]]
        return _load(task, path, kwargs)
    except Exception as error:
        words = " ".join(str(error).split())
        raise PlanError(
            f"The data of {task.name} cannot be loaded ({words}).",
            "Correct `dataset_path` and `dataset_kwargs` in its file.",
        ) from error


def _load(task: Task, path: str, kwargs: Mapping[str, Any]) -> Dataset:
    from datasets import load_dataset  # noqa: PLC0415 - see TYPE_CHECKING

    split = task.config.get("test_split")
    return load_dataset(path, task.config.get("dataset_name"), split=split, **kwargs)


def _completed(task: Task, dataset: Dataset) -> Data:
    about = dataset["video_idx"] if "video_idx" in dataset.column_names else ()
    names = frozenset(map(str, about))
    try:
        completed = task.function("process_docs")(dataset)
    except VideosMissingError:
        return Data(_without_videos(task, dataset), has_videos=False, videos=names)
    covers = "coverage" in completed.column_names and len(completed)
    coverage = float(completed[0]["coverage"]) if covers else 1.0
    return Data(completed, coverage, videos=names)


def _without_videos(task: Task, dataset: Dataset) -> Dataset:
    """The rows as they are asked once their videos are there."""
    if task.kind is Kind.OPEN_ENDED:
        return rows.open_ended(dataset, material.nothing)
    if task.kind is Kind.CIRCULAR:
        return rows.circular(dataset, material.nothing)
    return task.function("process_docs")(dataset)


@contextmanager
def _offline() -> Iterator[None]:
    """No library asks the network, and none speaks; afterwards all is as before."""
    import datasets  # noqa: PLC0415 - see TYPE_CHECKING
    from huggingface_hub import constants  # noqa: PLC0415
    from loguru import logger  # noqa: PLC0415

    switches = ((datasets.config, "HF_HUB_OFFLINE"), (constants, "HF_HUB_OFFLINE"))
    before = [getattr(module, name) for module, name in switches]
    had_bars = datasets.utils.are_progress_bars_disabled() is False
    verbosity = datasets.logging.get_verbosity()
    for module, name in switches:
        setattr(module, name, True)
    datasets.utils.disable_progress_bars()
    datasets.logging.set_verbosity(logging.CRITICAL)
    # What the hooks would warn of in a run, the plan says itself.
    logger.disable("lmms_eval_tasks")
    try:
        yield
    finally:
        logger.enable("lmms_eval_tasks")
        datasets.logging.set_verbosity(verbosity)
        if had_bars:
            datasets.utils.enable_progress_bars()
        for (module, name), value in zip(switches, before, strict=True):
            setattr(module, name, value)
