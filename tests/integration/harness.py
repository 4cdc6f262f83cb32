"""Whole runs through the `lmms-eval` command, and what they leave behind."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.untraced import untraced

COMMAND = Path(sys.executable).with_name("lmms-eval")
LONGEST_RUN_S = 300


@dataclass(frozen=True)
class Run:
    """One finished run.

    Attributes:
        output: Everything it wrote to the terminal.
        results: The results file, None where the run left none: lmms-eval exits with 0 all the
            same when an evaluation fails, so this is the only proof of success.
        samples: The logged samples by task.
    """

    output: str
    results: dict[str, Any] | None
    samples: dict[str, list[dict[str, Any]]]

    def value(self, task: str, metric: str) -> float:
        """The value of a metric; fails with the run's output where there is none."""
        assert self.results is not None, self.output[-4000:]
        return self.results["results"][task][f"{metric},none"]

    def values(self, task: str) -> dict[str, float]:
        """Every metric of a task, without standard errors."""
        assert self.results is not None, self.output[-4000:]
        return {
            name.partition(",")[0]: value
            for name, value in self.results["results"][task].items()
            if name.endswith(",none") and "_stderr" not in name
        }

    def items(self, task: str, metric: str) -> dict[str, dict[str, Any]]:
        """What was logged for each sample of a task under a metric, by the question's id."""
        return {line[metric]["id"]: line[metric] for line in self.samples[task] if metric in line}


def run(
    *arguments: str,
    folder: Path,
    launcher: Sequence[str] = (str(COMMAND),),
    environment: Mapping[str, str] | None = None,
) -> Run:
    """Run `lmms-eval` in a folder of its own and gather what it left in ``folder / "out"``.

    Args:
        *arguments: The command's arguments; the output folder is added where none is named.
        folder: The working directory.
        launcher: What starts it, if not the command itself.
        environment: Variables set beside the current ones. An empty value removes a variable.
    """
    chosen = {
        **untraced(),
        "HF_HOME": str(folder / "hf"),
        "HF_HUB_OFFLINE": "1",
        "LMMS_EVAL_TASKS_VERDICTS": str(folder / "verdicts.sqlite"),
        **(environment or {}),
    }
    out = folder / "out"
    finished = subprocess.run(
        [*launcher, *arguments, *(() if "list" in arguments else ("--output_path", str(out)))],
        cwd=folder,
        env={name: value for name, value in chosen.items() if value},
        capture_output=True,
        text=True,
        timeout=LONGEST_RUN_S,
        check=False,
    )
    return read(out, finished.stdout + finished.stderr)


def read(out: Path, output: str) -> Run:
    """What a run left in its output folder, with what it wrote to the terminal."""
    return Run(output, _results(out), _samples(out))


def _results(out: Path) -> dict[str, Any] | None:
    files = sorted(out.rglob("*_results.json"))
    return json.loads(files[-1].read_text(encoding="utf-8")) if files else None


def _samples(out: Path) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for file in sorted(out.rglob("*_samples_*.jsonl")):
        lines = file.read_text(encoding="utf-8").split("\n")
        task = file.stem.split("_samples_", 1)[1]
        found[task] = [json.loads(line) for line in lines if line]
    return found
