"""A run of lmms-eval, as its results file tells it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lmms_eval_tasks.results.errors import RunError
from lmms_eval_tasks.results.kinds import Kind
from lmms_eval_tasks.results.numbers import metrics_of, stderrs_of
from lmms_eval_tasks.results.parsed import (
    asked_of,
    find_runs,
    mapping,
    ours_and_others,
    parsed,
    without_secrets,
)
from lmms_eval_tasks.results.samples import Sample, read_samples

__all__ = ["Kind", "Run", "RunError", "Sample", "TaskRun", "find_runs", "read_run"]

LOG_SAMPLES = "Run it again with --log_samples."
_RESULTS = "_results.json"


@dataclass(frozen=True)
class TaskRun:
    """One task of a run.

    Attributes:
        name: The task's name, which may be a user's own.
        kind: Which of our benchmarks it is.
        version: The task's version; "" where the run does not say.
        metrics: The value of each metric; those that are no finite number are left out.
        stderrs: The standard error of each metric that has one: over clusters where the task has a
            cluster key, else the plain one.
        config: The task's configuration.
        metadata: What a number must cite: version, judge, rubric, matcher, beam, data, …
        planned: How many samples the data hold; 0 where the run does not say.
        asked: How many of them were asked.
        samples_file: The logged samples; None where there are none.
    """

    name: str
    kind: Kind
    version: str
    metrics: Mapping[str, float]
    stderrs: Mapping[str, float]
    config: Mapping[str, object]
    metadata: Mapping[str, object]
    planned: int
    asked: int
    samples_file: Path | None

    def samples(self) -> Iterator[Sample]:
        """The logged samples, in the order of the file; one is held at a time.

        Raises:
            RunError: There are none, or a line cannot be read; it names the file and the line.
        """
        if self.samples_file is None:
            raise RunError(f"The run logged no samples of {self.name}.", LOG_SAMPLES)
        return read_samples(self.samples_file, self.kind)


@dataclass(frozen=True)
class Run:
    """One finished run.

    Attributes:
        file: Its results file.
        folder: The folder of that file, where the samples lie too.
        date: When it ended, as lmms-eval names files: "20250131_235959".
        model: The model, as it was typed.
        model_args: The model's arguments as one line, without keys and passwords.
        lmms_eval_version: "" where the run does not say.
        tasks: Its tasks that are ours, by name.
        others: The names of its other tasks.
        raw: The whole results file.
    """

    file: Path
    folder: Path
    date: str
    model: str
    model_args: str
    lmms_eval_version: str
    tasks: Mapping[str, TaskRun]
    others: Sequence[str]
    raw: Mapping[str, object]


def read_run(path: Path) -> Run:
    """Read the newest run below a folder, or the one whose results file is named.

    Raises:
        RunError: There is no run, its results file is cut short or another tool's, none of its
            tasks is ours, or it logged no samples.
    """
    file = _newest(path)
    raw = parsed(file)
    ours, others = ours_and_others(raw)
    if not ours:
        named = f" ({', '.join(others)})" if others else ""
        raise RunError(
            f"{file} has no task of WorldQA, WorldBench or GeoQA{named}.",
            "Name the results file of a run that has.",
        )
    date = file.name.removesuffix(_RESULTS)
    tasks = {name: _task(name, kind, raw, file, date) for name, kind in ours.items()}
    if all(task.samples_file is None for task in tasks.values()):
        raise RunError(f"No logged samples lie beside {file}.", LOG_SAMPLES)
    config = mapping(raw.get("config"))
    return Run(
        file=file,
        folder=file.parent,
        date=date,
        model=str(config.get("model") or raw.get("model_source") or "?"),
        model_args=without_secrets(config.get("model_args")),
        lmms_eval_version=str(raw.get("lmms_eval_version") or ""),
        tasks=tasks,
        others=others,
        raw=raw,
    )


def _newest(path: Path) -> Path:
    files = find_runs(path)
    if files:
        return files[-1]
    if not path.exists():
        raise RunError(f"There is no {path}.", "Name the --output_path of a run.")
    if path.is_file():
        raise RunError(
            f"{path} is no results file of lmms-eval (<date>{_RESULTS}).",
            "Name that file, or the folder it is in.",
        )
    raise RunError(
        f"{path} holds no run of lmms-eval: no <date>{_RESULTS} is in it.",
        "Name the --output_path of a run that has finished.",
    )


def _task(name: str, kind: Kind, raw: Mapping[str, object], file: Path, date: str) -> TaskRun:
    config = mapping(mapping(raw.get("configs")).get(name))
    values = mapping(mapping(raw.get("results")).get(name))
    metadata = mapping(config.get("metadata"))
    version = mapping(raw.get("versions")).get(name, metadata.get("version"))
    samples = file.with_name(f"{date}_samples_{name}.jsonl")
    planned, asked = asked_of(raw, name)
    return TaskRun(
        name=name,
        kind=kind,
        version="" if version is None else str(version),
        metrics=metrics_of(values),
        stderrs=stderrs_of(values, clustered=bool(config.get("cluster_key"))),
        config=config,
        metadata=metadata,
        planned=planned,
        asked=asked,
        samples_file=samples if samples.is_file() else None,
    )
