"""The data set that a run used, as far as it lies on this disk; the network is never asked.

What is on the Hub is taken from where `datasets` keeps what it has prepared; files are read where
they lie. Not by ``load_dataset``: that asks the Hub for news, and reports each use of a loader.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lmms_eval_tasks.results.run import TaskRun
from lmms_eval_tasks_core.errors import DatasetUnavailableError

if TYPE_CHECKING:
    from datasets import Dataset

_READERS = {"csv": "from_csv", "json": "from_json", "parquet": "from_parquet", "text": "from_text"}
# What lmms-eval takes out of the settings before it hands them to `datasets`, and what of the rest
# is about a download.
_NOT_FOR_READERS = frozenset(
    (
        *("builder_script", "cache_dir", "create_link", "data_files", "force_download"),
        *("force_unzip", "local_files_only", "max_retries", "num_proc", "revision", "token"),
        *("trust_remote_code", "video", "streaming"),
    )
)
_NOT_HERE = "is not on this disk"


def data_on_disk(task: TaskRun) -> Dataset:
    """The split that a task asked, in the order of its source, before ``process_docs``.

    Raises:
        DatasetUnavailableError: It is not on this disk, or cannot be read.
    """
    path, split = str(task.config.get("dataset_path") or ""), str(task.config.get("test_split"))
    settings = task.config.get("dataset_kwargs")
    settings = settings if isinstance(settings, dict) else {}
    try:
        if settings.get("load_from_disk"):
            return _saved(path, split)
        if path in _READERS:
            return _read(path, split, settings)
        return _prepared(path, task.config.get("dataset_name"), split)
    except DatasetUnavailableError:
        raise
    except Exception as error:
        # Readers of foreign files raise nearly anything, and no picture is worth a report.
        raise _unavailable(f"cannot be read ({type(error).__name__})") from error


def _saved(path: str, split: str) -> Dataset:
    """What ``save_to_disk`` wrote."""
    from datasets import load_from_disk  # noqa: PLC0415 - takes seconds to import

    if not Path(path).is_dir():
        raise _unavailable(_NOT_HERE)
    return load_from_disk(path)[split]


def _read(form: str, split: str, settings: Mapping[str, Any]) -> Dataset:
    """Data files of a form that `datasets` reads."""
    from datasets import Dataset  # noqa: PLC0415 - takes seconds to import

    files = settings.get("data_files")
    files = files.get(split) if isinstance(files, dict) else files
    files = [files] if isinstance(files, str) else files
    if not isinstance(files, list) or not all(map(_is_here, files)):
        raise _unavailable(_NOT_HERE)
    left = {key: value for key, value in settings.items() if key not in _NOT_FOR_READERS}
    return getattr(Dataset, _READERS[form])(files, **left)


def _is_here(file: object) -> bool:
    """Whether a file, or one that fits a pattern, is on this disk; an address is not."""
    path = Path(str(file))
    return path.exists() or any(Path(path.anchor or ".").glob(str(path.relative_to(path.anchor))))


def _prepared(path: str, name: object, split: str) -> Dataset:
    """What `datasets` has prepared of a data set of the Hub."""
    from datasets.packaged_modules.cache.cache import Cache  # noqa: PLC0415 - as above

    try:
        builder = Cache(
            dataset_name=path.rpartition("/")[2],
            repo_id=path,
            config_name=name,
            version="auto",
            hash="auto",
        )
    except ValueError as error:
        raise _unavailable(_NOT_HERE) from error
    return builder.as_dataset(split=split)


def _unavailable(trouble: str) -> DatasetUnavailableError:
    return DatasetUnavailableError(
        f"The data set {trouble}.", "Make the report where the run was made."
    )
