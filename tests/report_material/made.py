"""Tasks and samples as a run leaves them, each scored by the benchmark's own scorer."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from lmms_eval_tasks.geoqa.choices import choice_items
from lmms_eval_tasks.geoqa.program_items import program_items
from lmms_eval_tasks.geoqa.prompts import choice_prompt, program_prompt
from lmms_eval_tasks.geoqa.records import GeoQARecord
from lmms_eval_tasks.results.run import Kind, Sample, TaskRun
from lmms_eval_tasks.results.samples import read_samples
from lmms_eval_tasks.worldbench.prompts import question_prompt
from lmms_eval_tasks.worldbench.records import WorldBenchRecord
from lmms_eval_tasks.worldbench.scoring import items as worldbench_items
from lmms_eval_tasks.worldqa.circular_scoring import CircularScorer
from lmms_eval_tasks.worldqa.prompts import circular_prompt, open_ended_prompt
from lmms_eval_tasks.worldqa.records import CircularRecord, OpenEndedRecord
from lmms_eval_tasks.worldqa.scoring import OpenEndedScorer

Line = dict[str, Any]
FAILED = "[LMMS_EVAL_REQUEST_FAILED after 5 retries] timeout"


def task(kind: Kind, lines: Sequence[Line], folder: Path, **changes: Any) -> TaskRun:
    """A task whose samples are these lines."""
    file = folder / f"20260101_000000_samples_{kind.value}.jsonl"
    text = "".join(json.dumps({"doc_id": at} | line) + "\n" for at, line in enumerate(lines))
    file.write_text(text, encoding="utf-8")
    whole = {
        "name": f"my_{kind.value}",
        "kind": kind,
        "version": "1.0",
        "metrics": {},
        "stderrs": {},
        "config": {},
        "metadata": {},
        "planned": len(lines),
        "asked": len(lines),
        "samples_file": file,
    }
    return TaskRun(**{**whole, **changes})


def samples(task: TaskRun) -> list[Sample]:
    """The task's samples, read from its file."""
    assert task.samples_file
    return list(read_samples(task.samples_file, task.kind))


def logged(items: Mapping[str, Any], prompt: str, target: str, response: str, whole: str) -> Line:
    """A line as lmms-eval logs it: what was cut off stands in ``resps`` only where there is any."""
    line = {"target": target, "filtered_resps": response, "input": prompt, **items}
    return line if whole == response else {**line, "resps": whole}


def open_ended(
    truth: str, response: str, video: str = "clip", *, judge: str = "lexical", number: int = 0
) -> Line:
    """A free answer, judged by its words; ``judge="openai"`` leaves it unjudged."""
    row = {
        "question_idx": f"{number}",
        "question": f"What happens in {video}, {number}?",
        "answer": truth,
        "video_idx": video,
    }
    record = OpenEndedRecord.from_row(row)
    items = OpenEndedScorer(judge)(row, [response])
    return logged(items, open_ended_prompt(record), record.answer, response, response)


def circular(
    responses: Sequence[str],
    video: str = "clip",
    *,
    number: int = 0,
    options: Sequence[str] = ("red", "green", "blue", "white"),
    right: int = 0,
    matcher: str = "lexical",
) -> list[Line]:
    """All passes of one question, one for each response; ``matcher="openai"`` matches none."""
    lines = []
    for shift, response in enumerate(responses):
        row = {
            "id": f"{video}/{number}#{shift}",
            "group": f"{video}/{number}",
            "pass": shift,
            "passes": len(options),
            "shift": shift,
            "question_idx": f"{number}",
            "question": "Which colour is the kettle?",
            "option": list(options),
            "answer": options[right],
            "video_idx": video,
        }
        record = CircularRecord.from_row(row)
        items = CircularScorer(matcher)(row, [response])
        target = record.options.letter_at(record.right)
        lines.append(logged(items, circular_prompt(record), target, response, response))
    return lines


def worldbench(response: str, number: int = 0, whole: str = "", **changes: Any) -> Line:
    """A question of WorldBench whose right answer is B; ``whole`` has the reasoning too."""
    row = {
        "id": f"row-{number}",
        "question": f"How many, {number}?",
        **{f"option_{letter}": f"{letter} of them" for letter in "abcd"},
        "answer": "B",
        "category": "Mug",
        "domain": "objects",
        **changes,
    }
    prompt = question_prompt(WorldBenchRecord.from_row(row))
    return logged(worldbench_items(row, [response]), prompt, "B", response, whole or response)


def geoqa(row: Mapping[str, Any], response: str, most: int = 1, *, options: bool = False) -> Line:
    """A problem answered by a program."""
    record = GeoQARecord.from_row(row)
    prompt = program_prompt(record, "en", most=most, show_options=options)
    items = program_items(row, [response], most)
    return logged(items, prompt, record.options.letter_at(record.label), response, response)


def geoqa_choice(row: Mapping[str, Any], response: str) -> Line:
    """A problem answered by a letter."""
    record = GeoQARecord.from_row(row)
    target = record.options.letter_at(record.label)
    return logged(
        choice_items(row, [response]), choice_prompt(record, "en"), target, response, response
    )
