"""Runs with many answers to judge: the rows, the saved responses, and the command for them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

import lmms_eval_tasks

WORLDQA = Path(lmms_eval_tasks.__file__).parent / "worldqa"
OPTIONS = ("a lantern", "an umbrella", "a suitcase", "a trumpet")
_ANSWER = re.compile(r"answer number (\d+) of (\w+)")


def write_open_ended(folder: Path, task: str, count: int) -> None:
    """Write an open-ended task; its n-th response says ``answer number n of <task>``."""
    rows = [{**_row(n), "answer": f"It is number {n}."} for n in range(count)]
    _write_task(folder, task, "worldqa_open_ended_question", rows, list(map(_id, rows)))


def write_circular(folder: Path, task: str, count: int) -> None:
    """Write a multiple-choice task of so many passes, four to a question, for a matcher to read."""
    rows = [{**_row(n), "answer": OPTIONS[0], "option": OPTIONS} for n in range(count // 4)]
    ids = [f"{_id(row)}#{number}" for row in rows for number in range(4)]
    _write_task(folder, task, "worldqa_circular_question", rows, ids)


def arguments(folder: Path, *tasks: str) -> tuple[str, ...]:
    """The arguments of `lmms-eval` for tasks that were written into a folder."""
    return (
        *("--model", "replay", "--model_args", f"responses={folder / '*.responses.jsonl'}"),
        *("--include_path", str(folder), "--tasks", ",".join(tasks), "--log_samples"),
    )


def settings(url: str, **more: object) -> dict[str, str]:
    """The environment of a run whose judge and matcher are a model at this server."""
    names = {
        "JUDGE": "openai",
        "JUDGE_MODEL": "test-model",
        "JUDGE_BASE_URL": url,
        "JUDGE_API_KEY": "a-key-of-the-tests",
        **more,
    }
    return {f"LMMS_EVAL_TASKS_{name}": str(value) for name, value in names.items()}


def asked_about(request: Mapping[str, object]) -> tuple[str, int] | None:
    """The task and number of the answer that a request has judged; None in a trial."""
    found = _ANSWER.search(str(request["messages"]))
    return (found[2], int(found[1])) if found else None


def _row(number: int) -> dict[str, object]:
    return {
        "video_idx": f"video-{number // 5}",
        "question_idx": str(number),
        "question": f"What is number {number}?",
    }


def _id(row: Mapping[str, object]) -> str:
    return f"{row['video_idx']}/{row['question_idx']}"


def _write_task(
    folder: Path, task: str, base: str, rows: list[dict[str, object]], ids: list[str]
) -> None:
    said = [f"answer number {number} of {task}" for number in range(len(ids))]
    saved = [
        {"task": task, "id": name, "response": words} for name, words in zip(ids, said, strict=True)
    ]
    for kind, lines in (("rows", rows), ("responses", saved)):
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (folder / f"{task}.{kind}.jsonl").write_text(text, encoding="utf-8")
    (folder / f"{task}.yaml").write_text(
        f"include: {WORLDQA / base}.yaml\n"
        f"task: {task}\n"
        "dataset_path: json\n"
        "dataset_name: null\n"
        f"dataset_kwargs: {{data_files: {{test: {folder / f'{task}.rows.jsonl'}}}}}\n",
        encoding="utf-8",
    )
