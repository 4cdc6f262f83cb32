"""Saved responses: reading them from files, and finding the one that answers a question."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from glob import glob
from pathlib import Path

from lmms_eval_tasks_core.errors import ReplayError

# lmms-eval names its files <date>_samples_<task>.jsonl
_HARNESS_FILE = re.compile(r"\d{8}_\d{6}_samples_(?P<task>.+)\.jsonl")
_FORMS = (
    "A line is either {task, id, response}, or one of lmms-eval's own --log_samples output in a "
    "file named <date>_samples_<task>.jsonl."
)


@dataclass(frozen=True, slots=True)
class SavedResponses:
    """Responses by task, and within a task by the id or the position of the question.

    Attributes:
        by_id: Task and id to the responses to that question, one for each time it was asked.
        by_position: The same for lmms-eval's own files, which know every question by its position.
        files: The files that were read.
    """

    by_id: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    by_position: dict[tuple[str, int], list[str]] = field(default_factory=dict)
    files: list[Path] = field(default_factory=list)
    _places: dict[tuple[str, str | int], str] = field(default_factory=dict, repr=False)

    @property
    def tasks(self) -> set[str]:
        """The tasks whose questions have responses."""
        return {task for task, _ in self._places}

    def add(self, task: str, question: str | int, responses: list[str], place: str) -> None:
        """Add the responses to one question.

        Args:
            task: Its task.
            question: Its id, or its position.
            responses: One for each time it was asked.
            place: The file and the line they stand in.

        Raises:
            ReplayError: There are responses to it already.
        """
        first = self._places.setdefault((task, question), place)
        if first != place:
            which = f"number {question}" if isinstance(question, int) else question
            raise ReplayError(
                f"{place}: a second response to {task} {which}; the first is in {first}.",
                "Name the file or the folder of one run. All responses to one question stand in "
                "one line, as a list.",
            )
        if isinstance(question, int):
            self.by_position[task, question] = responses
        else:
            self.by_id[task, question] = responses

    def find(self, task: str, doc: Mapping[str, object], position: int) -> list[str] | None:
        """The responses to one question, by its id if it has one, else by its position."""
        by_id = self.by_id.get((task, str(doc["id"]))) if "id" in doc else None
        return by_id if by_id is not None else self.by_position.get((task, position))


def read_saved(where: str) -> SavedResponses:
    """Read saved responses.

    Args:
        where: A file, a folder (every ``.jsonl`` in and below it), or a glob pattern; ``~`` is
            expanded.

    Raises:
        ReplayError: Nothing is there, a line cannot be read, or two lines answer one question.
    """
    saved = SavedResponses()
    for file in _files(where):
        saved.files.append(file)
        logged = _HARNESS_FILE.fullmatch(file.name)
        for number, line in _lines(file):
            place = f"{file}, line {number}"
            if logged:
                _add_logged(saved, logged["task"], line, place)
            else:
                _add_plain(saved, line, place)
    return saved


def _files(where: str) -> list[Path]:
    path = Path(where).expanduser()
    if path.is_dir():
        files = sorted(path.rglob("*.jsonl"))
    elif path.is_file():
        files = [path]
    else:
        files = sorted(Path(match) for match in glob(str(path), recursive=True))  # noqa: PTH207 - the pattern may be absolute
    if not files:
        raise ReplayError(f"No saved responses at {where!r}.", f"Name a .jsonl file. {_FORMS}")
    return files


def _lines(file: Path) -> Iterator[tuple[int, Mapping[str, object]]]:
    with file.open(encoding="utf-8", errors="surrogatepass") as stream:
        for number, text in enumerate(stream, start=1):
            if not text.strip():
                continue
            try:
                line = json.loads(text)
            except ValueError as error:
                raise ReplayError(f"{file}, line {number}: not JSON ({error}).", _FORMS) from error
            if not isinstance(line, dict):
                raise ReplayError(f"{file}, line {number}: not a JSON object.", _FORMS)
            yield number, line


def _add_plain(saved: SavedResponses, line: Mapping[str, object], place: str) -> None:
    missing = [key for key in ("task", "id", "response") if key not in line]
    if missing:
        raise ReplayError(f"{place}: no {', '.join(missing)}.", _FORMS)
    saved.add(str(line["task"]), str(line["id"]), _responses(line["response"]), place)


def _add_logged(saved: SavedResponses, task: str, line: Mapping[str, object], place: str) -> None:
    if "doc_id" not in line or ("resps" not in line and "filtered_resps" not in line):
        raise ReplayError(f"{place}: no doc_id, or no resps.", _FORMS)
    # lmms-eval leaves `resps` out where filtering changed nothing.
    responses = _responses(line.get("resps", line.get("filtered_resps")))
    question = next((v["id"] for v in line.values() if isinstance(v, dict) and "id" in v), None)
    if question is not None:
        saved.add(task, str(question), responses, place)
    saved.add(task, int(str(line["doc_id"])), responses, place)


def _responses(value: object) -> list[str]:
    while isinstance(value, list) and len(value) == 1 and isinstance(value[0], list):
        value = value[0]
    values = value if isinstance(value, list) else [value]
    return ["" if response is None else str(response) for response in values]
