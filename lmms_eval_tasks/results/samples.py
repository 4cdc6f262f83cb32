"""The logged samples of one task, read line by line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from lmms_eval_tasks.results.errors import RunError
from lmms_eval_tasks.results.kinds import Kind
from lmms_eval_tasks_core.responses import valid_unicode

Item: TypeAlias = Mapping[str, object]

_NO_METRICS = frozenset(
    ("doc_id", "doc", "target", "arguments", "input", "resps", "filtered_resps", "token_counts")
)
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_CUT = "The run may have been stopped while it wrote: run it again, or remove the line."


@dataclass(frozen=True, slots=True)
class Sample:
    """One question, as it was asked and scored.

    Attributes:
        doc_id: Its position in the data as asked.
        id: Its id; of a pass of CircularEval, the pass's own.
        prompt: What the model was asked.
        target: The right answer.
        response: What was scored; several responses stand one after the other.
        whole_response: The same with the reasoning that was cut off before scoring.
        items: What was logged for each metric.
        item: What was logged for the headline metric: outcome, reason, score, …
    """

    doc_id: int
    id: str
    prompt: str
    target: str
    response: str
    whole_response: str
    items: Mapping[str, Item]
    item: Item


def read_samples(file: Path, kind: Kind) -> Iterator[Sample]:
    """Read the samples of a task, one line at a time.

    Args:
        file: A ``<date>_samples_<task>.jsonl``.
        kind: What the task is.

    Yields:
        A sample for each line. Bytes that are not UTF-8 and lone surrogates become U+FFFD.

    Raises:
        RunError: The file cannot be read, or a line is cut, no JSON object, or without an item of
            the headline metric; it names the file and the line.
    """
    try:
        with file.open("rb") as stream:
            for number, line in enumerate(stream, start=1):
                if line.strip():
                    yield _sample(_parsed(line, file, number), kind, file, number)
    except OSError as error:
        raise RunError(
            f"{file} cannot be read ({error.strerror}).", "Check that it is there and yours."
        ) from error


def _parsed(line: bytes, file: Path, number: int) -> dict[str, object]:
    try:
        parsed = json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError) as error:
        trouble = f"{file}, line {number}: the line is cut or no JSON"
        raise RunError(f"{trouble} ({_words(error)}).", _CUT) from None
    if not isinstance(parsed, dict):
        raise RunError(f"{file}, line {number}: not a JSON object.", _CUT)
    # Only an escape can make a surrogate, and few lines have one.
    return _valid(parsed) if b"\\u" in line else parsed  # type: ignore[return-value]


def _sample(line: Mapping[str, object], kind: Kind, file: Path, number: int) -> Sample:
    items = {
        key: value
        for key, value in line.items()
        if isinstance(value, dict) and key not in _NO_METRICS
    }
    item = items.get(kind.headline)
    if item is None:
        raise RunError(
            f"{file}, line {number}: no `{kind.headline}`, which every sample of this task has.",
            "Check that the file belongs to the run beside it.",
        )
    position = line.get("doc_id")
    doc_id = position if isinstance(position, int) else number - 1
    response = _text(line.get("filtered_resps"))
    return Sample(
        doc_id=doc_id,
        id=str(item.get("id", doc_id)),
        prompt=_text(line.get("input")),
        target=_text(line.get("target")),
        response=response,
        whole_response=_text(line["resps"]) if "resps" in line else response,
        items=items,
        item=item,
    )


def _text(value: object) -> str:
    """A value as lmms-eval logs it: a text, or a list of texts in lists of any depth."""
    if isinstance(value, list):
        return "\n\n".join(filter(None, map(_text, value)))
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _valid(value: object) -> object:
    if isinstance(value, str):
        return valid_unicode(value) if _LONE_SURROGATE.search(value) else value
    if isinstance(value, list):
        return [_valid(entry) for entry in value]
    if isinstance(value, dict):
        return {str(_valid(key)): _valid(entry) for key, entry in value.items()}
    return value


def _words(error: Exception) -> str:
    return "nested too deeply" if isinstance(error, RecursionError) else str(error)
