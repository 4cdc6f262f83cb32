"""A run of lmms-eval, as its results file tells it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lmms_eval_tasks.results.errors import RunError
from lmms_eval_tasks.results.finding import RESULTS, find_runs, no_run
from lmms_eval_tasks.results.kinds import Kind
from lmms_eval_tasks.results.numbers import metrics_of, stderrs_of
from lmms_eval_tasks.results.parsed import (
    asked_of,
    mapping,
    ours_and_others,
    parsed,
    without_secrets,
)
from lmms_eval_tasks.results.samples import Sample, read_samples

__all__ = ["Kind", "Run", "RunError", "Sample", "TaskRun", "find_runs", "read_run"]

LOG_SAMPLES = "Run it again with --log_samples."


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
        date: When it began, as lmms-eval names files: "20250131_235959", in lmms-eval's own time
            zone (`timezone`).
        model: The model, as it was typed.
        model_args: The model's arguments as one line, without keys and passwords.
        lmms_eval_version: "" where the run does not say.
        tasks: Its tasks that are ours, by name.
        others: The names of its other tasks.
        raw: The whole results file.
        among: Of how many runs below the folder that was named this is the newest; 1 where its
            results file was named.
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
    among: int = 1

    @property
    def timezone(self) -> str:
        """The time zone of `date`, such as "Asia/Singapore"; "" where the run does not say."""
        arguments = mapping(mapping(self.raw.get("config")).get("resolved_cli_args"))
        return str(arguments.get("timezone") or "")


def read_run(path: Path) -> Run:
    """Read the newest run below a folder, or the one whose results file is named.

    Raises:
        RunError: There is no run, its results file is cut short or another tool's, none of its
            tasks is ours, or it logged no samples; then an older run that did is named.
    """
    files = find_runs(path)
    if not files:
        raise no_run(path)
    file = files[-1]
    raw = parsed(file)
    ours, others = ours_and_others(raw)
    if not ours:
        named = f" ({', '.join(others)})" if others else ""
        raise RunError(
            f"{file} has no task of WorldQA, WorldBench or GeoQA{named}.",
            "Name the results file of a run that has.",
        )
    tasks = {name: _task(name, kind, raw, file) for name, kind in ours.items()}
    if all(task.samples_file is None for task in tasks.values()):
        older = _newest_with_samples(files[:-1], file.parent)
        remedy = f"{older} has them: name that file." if older else LOG_SAMPLES
        raise RunError(f"No logged samples lie beside {file}.", remedy)
    config = mapping(raw.get("config"))
    return Run(
        file=file,
        folder=file.parent,
        date=file.name.removesuffix(RESULTS),
        model=str(config.get("model") or raw.get("model_source") or "?"),
        model_args=without_secrets(config.get("model_args")),
        lmms_eval_version=str(raw.get("lmms_eval_version") or ""),
        tasks=tasks,
        others=others,
        raw=raw,
        among=len(files),
    )


def _newest_with_samples(files: Sequence[Path], folder: Path) -> Path | None:
    """The newest run that logged samples of a task of ours, before others one of this folder."""
    elsewhere_first = sorted(files, key=lambda file: file.parent == folder)
    for file in elsewhere_first[::-1]:
        try:
            ours, _ = ours_and_others(parsed(file))
        except RunError:
            continue
        if any(_samples_file(file, name).is_file() for name in ours):
            return file
    return None


def _samples_file(file: Path, task: str) -> Path:
    return file.with_name(f"{file.name.removesuffix(RESULTS)}_samples_{task}.jsonl")


def _task(name: str, kind: Kind, raw: Mapping[str, object], file: Path) -> TaskRun:
    config = mapping(mapping(raw.get("configs")).get(name))
    values = mapping(mapping(raw.get("results")).get(name))
    metadata = mapping(config.get("metadata"))
    version = mapping(raw.get("versions")).get(name, metadata.get("version"))
    samples = _samples_file(file, name)
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
