"""A comparison as JSON: everything, and every number unrounded."""

from __future__ import annotations

import json
from dataclasses import asdict

from lmms_eval_tasks.compare.comparison import Compared, Flip, TaskComparison
from lmms_eval_tasks.compare.report import Report
from lmms_eval_tasks.compare.statistics import RESAMPLES, SEED, Difference
from lmms_eval_tasks.results.run import Run


def as_json(report: Report) -> str:
    """The report as one JSON object."""
    content = {
        "runs": {label: _run(run) for label, run in report.runs.items()},
        "warnings": report.warnings,
        "uncompared": list(report.uncompared),
        "bootstrap": {"resamples": RESAMPLES, "seed": SEED, "level": 0.95},
        "tasks": [_task(task) for task in report.tasks],
    }
    return json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False)


def _run(run: Run) -> dict[str, object]:
    return {
        "file": str(run.file),
        "date": run.date,
        "model": run.model,
        "model_args": run.model_args,
        "lmms_eval_version": run.lmms_eval_version,
    }


def _task(task: TaskComparison) -> dict[str, object]:
    return {
        "task": task.task,
        "a": task.a,
        "b": task.b,
        "cluster": task.cluster,
        "conditions": [asdict(condition) for condition in task.conditions],
        "only_a": list(task.only_a),
        "only_b": list(task.only_b),
        "measures": {one.measure.metric: _compared(one) for one in task.measures},
    }


def _compared(compared: Compared) -> dict[str, object]:
    return {
        "full_marks": compared.measure.full_marks,
        "right_or_wrong": compared.measure.right_or_wrong,
        "reported_a": compared.reported_a,
        "reported_b": compared.reported_b,
        "overall": _numbers_or_none(compared.overall),
        "corrected_p": compared.corrected_p,
        "without_failed": _numbers_or_none(compared.without_failed),
        "unjudged": [asdict(one) for one in compared.unjudged],
        "failed": [asdict(one) for one in compared.failed],
        "breakdowns": [
            {"by": line.by, "level": line.level, **_numbers(line.difference)}
            for line in compared.lines
        ],
        "flips": [_flip(flip) for flip in compared.flips],
    }


def _numbers(found: Difference) -> dict[str, object]:
    return {**asdict(found), "value": found.value}


def _numbers_or_none(found: Difference | None) -> dict[str, object] | None:
    return None if found is None else _numbers(found)


def _flip(flip: Flip) -> dict[str, object]:
    sides = {"a": (flip.a, flip.response_a), "b": (flip.b, flip.response_b)}
    return {
        "id": flip.id,
        "prompt": flip.question.prompt,
        "right": flip.question.right,
        **{
            side: {
                "value": answer.value,
                "outcome": answer.outcome,
                "reason": answer.reason,
                "said": answer.said,
                "response": response,
            }
            for side, (answer, response) in sides.items()
        },
    }
