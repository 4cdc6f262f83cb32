"""A run that ends with a report of itself, where a setting asks for one."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from types import ModuleType
from typing import Any

from loguru import logger

from lmms_eval_tasks._seam import Seam, put_in
from lmms_eval_tasks_core.environment import REPORT
from lmms_eval_tasks_core.errors import TasksError
from lmms_eval_tasks_core.settings import report_wanted

_LAST_TASK = "_lmms_eval_tasks_last_task"
_BY_HAND = "Run `lmms-eval-tasks report` on its folder."


def prepare() -> None:
    """See to it that the run ends with a report, if one is wanted.

    Raises:
        SettingError: The setting says neither yes nor no.
    """
    tracker = sys.modules.get("lmms_eval.loggers.evaluation_tracker")
    if report_wanted() and tracker is not None:
        install(tracker)


def install(tracker: ModuleType) -> None:
    """Put the seams for a report into the module `lmms_eval.loggers.evaluation_tracker`."""
    put_in(tracker, _SEAMS)


def _after_results(save: Callable[..., None]) -> Callable[..., None]:
    """Note which task's samples are saved last; without samples there is nothing to report."""

    @wraps(save)
    def save_results_aggregated(
        self: Any,  # noqa: ANN401 - lmms-eval ships no types
        results: dict[str, Any],
        samples: dict[str, Any] | None,
        datetime_str: str,
    ) -> None:
        save(self, results=results, samples=samples, datetime_str=datetime_str)
        if samples is None:
            logger.warning(f"{REPORT} is set, but a report needs --log_samples and --output_path.")
        else:
            setattr(self, _LAST_TASK, [*results["configs"]][-1])

    return save_results_aggregated


def _after_samples(save: Callable[..., None]) -> Callable[..., None]:
    """Write the report once the samples of the last task are saved."""

    @wraps(save)
    def save_results_samples(self: Any, task_name: str, samples: Any) -> None:  # noqa: ANN401
        save(self, task_name=task_name, samples=samples)
        if task_name == getattr(self, _LAST_TASK, None):
            _write(self)

    return save_results_samples


def _write(tracker: Any) -> None:  # noqa: ANN401
    """Write the report; whatever goes wrong with it, the run is saved."""
    from lmms_eval_tasks.report.writing import write_report  # noqa: PLC0415 - for a few runs only

    try:
        model = tracker.general_config_tracker.model_name_sanitized
        results = Path(tracker.output_path, model, f"{tracker.date_id}_results.json")
        logger.info(f"Report: {write_report(results)}")
    except TasksError as error:
        logger.warning(f"No report of this run: {error}")
    except Exception as trouble:  # noqa: BLE001 - a report is worth less than the run
        logger.warning(f"No report of this run: {trouble!r}. {_BY_HAND}")


_SEAMS = (
    Seam(
        "EvaluationTracker",
        "save_results_aggregated",
        ("results", "samples", "datetime_str"),
        _after_results,
        _BY_HAND,
    ),
    Seam(
        "EvaluationTracker",
        "save_results_samples",
        ("task_name", "samples"),
        _after_samples,
        _BY_HAND,
    ),
)
