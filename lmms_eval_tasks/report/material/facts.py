"""The numbers of a task with what they must cite, and what a reader must be warned of."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import Literal

from lmms_eval_tasks.report.material import geoqa, worldbench, worldqa_circular, worldqa_open_ended
from lmms_eval_tasks.report.material.counting import (
    PERCENT,
    asked_of,
    counted,
    field,
    listed,
    reasons_of,
    words,
)
from lmms_eval_tasks.report.material.judges import compares_words, judge_checked
from lmms_eval_tasks.report.model import Fact
from lmms_eval_tasks.results.run import Kind, Sample, TaskRun
from lmms_eval_tasks_core.aggregate import mean_score
from lmms_eval_tasks_core.circular_metrics import circular_acc

_HEADLINES = {
    Kind.OPEN_ENDED: worldqa_open_ended.headline,
    Kind.CIRCULAR: worldqa_circular.headline,
    Kind.WORLDBENCH: worldbench.headline,
    Kind.GEOQA: geoqa.headline,
}
_CAUTIONS = {
    Kind.OPEN_ENDED: worldqa_open_ended.cautions,
    Kind.CIRCULAR: worldqa_circular.cautions,
    Kind.WORLDBENCH: worldbench.cautions,
    Kind.GEOQA: geoqa.cautions,
}
_MANY_LOST = 0.05
_ROUNDING = 1e-6
_CITED = (
    ("judge", "Judge"),
    ("rubric_version", "Rubric"),
    ("matcher", "Matcher"),
    ("matcher_version", "Matcher's version"),
)
_DATA = ("revision", "data_revision", "fingerprint", "data_fingerprint")


def headline(task: TaskRun) -> list[Fact]:
    """The numbers of a task, with intervals where one can be defended, and what they rest on.

    WorldQA's intervals are its standard errors over videos; the others' are Wilson's.
    """
    facts = _HEADLINES[task.kind](task)
    asked = asked_of(task)
    whole = f" of {task.planned:,}" if task.planned > asked else ""
    facts.append(Fact("Asked", f"{asked:,}{whole}"))
    facts += [
        Fact(label, field(task.metadata, key)) for key, label in _CITED if field(task.metadata, key)
    ]
    facts.append(Fact("Data", _data(task)))
    facts.append(Fact("Task", f"{task.name}, version {task.version or 'unknown'}"))
    return facts


def cautions(task: TaskRun, samples: Sequence[Sample]) -> list[Fact]:
    """What a reader must know before the numbers are used, the gravest first."""
    found = [
        *_not_comparable(task),
        *compares_words(task),
        *judge_checked(task),
        *_unjudged(task, samples),
        *_failed_requests(samples),
        *_partial(task, samples),
        *_of_another_run(task, samples),
        *_CAUTIONS[task.kind](samples),
    ]
    return sorted(found, key=lambda fact: fact.severity != "bad")


def _data(task: TaskRun) -> str:
    """The data set, its config and split, and its revision as far as the run says."""
    config = task.config
    kwargs = config.get("dataset_kwargs")
    files = kwargs.get("data_files") if isinstance(kwargs, dict) else None
    parts = [field(config, "dataset_path"), field(config, "dataset_name"), _file_names(files)]
    parts.append(field(config, "test_split"))
    if isinstance(kwargs, dict) and kwargs.get("revision"):
        parts.append(f"revision {kwargs['revision']}")
    parts += [
        f"{words(key)} {field(task.metadata, key)}" for key in _DATA if field(task.metadata, key)
    ]
    return ", ".join(filter(None, parts))


def _file_names(files: object) -> str:
    """The names of data files without their folders, which are nobody else's business."""
    if isinstance(files, dict):
        return " ".join(filter(None, map(_file_names, files.values())))
    if isinstance(files, list):
        return " ".join(filter(None, map(_file_names, files)))
    return PurePath(str(files).replace("\\", "/")).name if files else ""


def _not_comparable(task: TaskRun) -> list[Fact]:
    if task.metadata.get("comparable", True):
        return []
    note = field(task.metadata, "note") or "Not comparable with the benchmark's other tasks."
    return [Fact("Not comparable", note, "bad")]


def _unjudged(task: TaskRun, samples: Sequence[Sample]) -> list[Fact]:
    """Answers without a verdict, by reason; an unusable picture of WorldBench is no such thing."""
    reasons = reasons_of(samples, "not_judged")
    if not reasons or task.kind is Kind.WORLDBENCH:
        return []
    lost = reasons.total()
    severity, rule = _gravity(lost, len(samples))
    share = f"{counted(lost, len(samples))} of the answers, {rule}"
    return [Fact("Not judged", f"{share}: {listed(reasons)}.{_bounds(task)}", severity)]


def _gravity(lost: int, whole: int) -> tuple[Literal["warn", "bad"], str]:
    """How grave a loss is, and by what rule."""
    limit = f"{PERCENT * _MANY_LOST:g} %"
    if lost > _MANY_LOST * whole:
        return "bad", f"more than {limit}"
    return "warn", f"not more than {limit}"


def _bounds(task: TaskRun) -> str:
    for lower, upper, scale, unit in (
        ("score_lower", "score_upper", 1.0, ""),
        ("circular_lower", "circular_upper", PERCENT, " %"),
    ):
        low, high = task.metrics.get(lower), task.metrics.get(upper)
        if low is not None and high is not None:
            return f" The number lies between {scale * low:.1f} and {scale * high:.1f}{unit}."
    return ""


def _failed_requests(samples: Sequence[Sample]) -> list[Fact]:
    failed = sum(sample.item.get("reason") == "request_failed" for sample in samples)
    if not failed:
        return []
    severity, rule = _gravity(failed, len(samples))
    text = f"{counted(failed, len(samples))} of the requests failed, {rule}; they count as wrong."
    return [Fact("Failed requests", text, severity)]


def _partial(task: TaskRun, samples: Sequence[Sample]) -> list[Fact]:
    """A run over a part of the data, or over the part whose material was there."""
    found = []
    if len(samples) < task.planned:
        text = (
            f"{len(samples):,} of {task.planned:,} were asked (--limit or --offset): the numbers "
            "are about this part."
        )
        found.append(Fact("Part of the data", text, "warn"))
    coverage = task.metrics.get("coverage", 1.0)
    if coverage < 1.0:
        text = (
            f"{PERCENT * coverage:.1f} % of the questions have their material; no other is asked."
        )
        found.append(Fact("Coverage", text, "warn"))
    return found


def _of_another_run(task: TaskRun, samples: Sequence[Sample]) -> list[Fact]:
    """A log whose samples do not give the number that the results file has."""
    stated = task.metrics.get(task.kind.headline)
    items = [sample.item for sample in samples]
    counted_again = (circular_acc if task.kind is Kind.CIRCULAR else mean_score)(items)
    if stated is None or abs(stated - counted_again) < _ROUNDING:
        return []
    name = task.kind.headline
    differ = f"The samples give {name} {counted_again:.4g}, the results file {stated:.4g}"
    text = f"{differ}: the log was cut, or is another run's."
    return [Fact("Log and results differ", text, "bad")]
