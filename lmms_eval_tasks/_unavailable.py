"""What to say of a data set that cannot be had."""

from __future__ import annotations

from typing import Protocol

from lmms_eval_tasks_core.errors import DatasetUnavailableError

# lmms-eval's own list of the builders that read files (utils.py, _LOCAL_BUILDERS).
_LOCAL_FORMATS = {"arrow", "csv", "json", "pandas", "parquet", "text"}
_CHECK_FILES = (
    "Check the files that `data_files` names, and that the cache of `datasets` can be written "
    "(HF_HOME sets its folder)."
)
_CONNECT = (
    "Connect to the Hugging Face Hub or fill its cache, point a YAML of your own at a local copy "
    "(`include:` the output of `lmms-eval-tasks path {task}`), or try the samples: worldqa_sample, "
    "worldbench_sample, geoqa_sample."
)
_LONGEST = 300


class DataSource(Protocol):
    """The part of a task's configuration that says where its data come from."""

    task: str
    dataset_path: str
    dataset_name: str | None


def unavailable(source: DataSource, trouble: Exception) -> DatasetUnavailableError:
    """Say in one sentence what was tried and failed, and in another what to do.

    Args:
        source: The task's configuration.
        trouble: What loading raised; what caused it is said too.
    """
    data = " ".join(filter(None, (source.dataset_path, source.dataset_name)))
    causes = [each for each in (trouble, trouble.__cause__) if each is not None]
    words = " ".join(": ".join(str(each) or type(each).__name__ for each in causes).split())
    is_local = source.dataset_path in _LOCAL_FORMATS
    return DatasetUnavailableError(
        f"Task {source.task}: the data set {data} could not be loaded ({words[:_LONGEST]}).",
        _CHECK_FILES if is_local else _CONNECT.format(task=source.task),
    )
