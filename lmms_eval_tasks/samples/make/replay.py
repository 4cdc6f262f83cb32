"""The saved responses of the samples: lines of task, id and response for the model ``replay``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from string import ascii_uppercase

from lmms_eval_tasks.samples.make import geoqa, worldbench, worldqa
from lmms_eval_tasks.samples.make.tables import table, write_jsonl
from lmms_eval_tasks.worldbench.records import question_id

FILE = Path("replay", "responses.jsonl")

# A task's questions in order: the id in the task, the key and the number of the response in the
# table, and what the marks in the response stand for.
_Asked = tuple[str, str, int, Mapping[str, str]]


def rows() -> Iterator[dict[str, str]]:
    """One line for each request that a run over the samples makes.

    Raises:
        KeyError: The table has no response to a question.
    """
    responses = table("replay")
    for task, asked in (
        ("worldqa_open_ended_sample", _open_ended()),
        ("worldqa_circular_sample", _circular()),
        ("worldbench_sample", _worldbench()),
        ("geoqa_sample", _geoqa()),
    ):
        for name, key, number, marks in asked:
            response = responses[task][key][number]["response"]
            for mark, meaning in marks.items():
                response = response.replace(f"[[{mark}]]", meaning)
            yield {"task": task, "id": name, "response": response}


def write(folder: Path) -> None:
    """Write the file of responses below a folder."""
    write_jsonl(rows(), folder / FILE)


def _open_ended() -> Iterator[_Asked]:
    for question in worldqa.questions():
        yield question.id, question.id, 0, {}


def _circular() -> Iterator[_Asked]:
    for question in worldqa.questions():
        count = len(question.options)
        for shift in range(count):
            # Pass i shows option (k + i) mod N at position k: the right one moves i places up.
            marks = _letters((question.gold - shift) % count, count)
            texts = {"gold text": question.answer}
            yield f"{question.id}#{shift}", question.id, shift, {**marks, **texts}


def _worldbench() -> Iterator[_Asked]:
    for row, entry in zip(worldbench.rows(), table("worldbench"), strict=True):
        marks = _letters(ascii_uppercase.index(entry["answer"]), len(entry["options"]))
        yield question_id(row), entry["picture"], 0, marks


def _geoqa() -> Iterator[_Asked]:
    for row in geoqa.rows():
        yield str(row["id"]), str(row["id"]), 0, {"program": str(row["program"])}


def _letters(gold: int, count: int) -> dict[str, str]:
    """The right letter, and the next one as a wrong one."""
    return {"gold": ascii_uppercase[gold], "other": ascii_uppercase[(gold + 1) % count]}
