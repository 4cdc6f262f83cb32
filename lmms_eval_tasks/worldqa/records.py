"""Rows of WorldQA: the one place that knows their columns.

The columns are those of the released data (Hub: lmms-eval/worldqa, configs Generation and MC),
and those that `rows` adds to them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lmms_eval_tasks_core.circular import Shown, followed, rotate
from lmms_eval_tasks_core.columns import present, text
from lmms_eval_tasks_core.errors import RowError
from lmms_eval_tasks_core.options import FEWEST_OPTIONS, MOST_OPTIONS, Options, without_labels


@dataclass(frozen=True, slots=True)
class OpenEndedRecord:
    """A question with a free answer.

    Attributes:
        id: ``<video_idx>/<question_idx>``.
        question: The question as the row has it.
        answer: The ground truth.
        video_idx: The video's name, without ending.
        video: The video's file, "" where the row was not completed or the setting shows none.
        description: What people wrote about the video, "" where the row says nothing.
    """

    id: str
    question: str
    answer: str
    video_idx: str
    video: str = ""
    description: str = ""

    @classmethod
    def from_row(cls, row: Mapping[str, object], position: int | None = None) -> OpenEndedRecord:
        """Validate a row of the config Generation.

        Args:
            row: The row, completed by `rows.open_ended` or not.
            position: Its position in the data, to name it by while it has no id.

        Raises:
            RowError: A column is missing or empty.
        """
        name = row_name(row, position)
        return cls(
            id=name,
            question=text(row, "question", name),
            answer=text(row, "answer", name),
            video_idx=text(row, "video_idx", name),
            video=str(row.get("video") or ""),
            description=_description(row),
        )


@dataclass(frozen=True, slots=True)
class CircularRecord:
    """One pass over a multiple-choice question.

    Attributes:
        id: ``<group>#<pass>``.
        group: The question, ``<video_idx>/<question_idx>`` of its first row.
        number: Which pass this is, from 0.
        passes: How many the question needs.
        question: The question as the row has it.
        options: The options in the order of this pass.
        right: The position of the right option in that order, from 0.
        video_idx: The video's name, without ending.
        video: The video's file, "" where the row was not completed or the setting shows none.
        description: What people wrote about the video, "" where the row says nothing.
    """

    id: str
    group: str
    number: int
    passes: int
    question: str
    options: Options
    right: int
    video_idx: str
    video: str = ""
    description: str = ""

    @classmethod
    def from_row(cls, row: Mapping[str, object], position: int | None = None) -> CircularRecord:
        """Validate a row of the config MC, and move its options as the row's pass says.

        Args:
            row: The row, completed by `rows.circular` or not.
            position: Its position in the data, to name it by while it has no id.

        Raises:
            RowError: A column is missing or empty, or the answer is none of the options.
        """
        name = row_name(row, position)
        texts = option_texts(row, name)
        shift = int(str(row.get("shift") or 0))
        return cls(
            id=name,
            group=str(row.get("group") or name),
            number=int(str(row.get("pass") or 0)),
            passes=int(str(row.get("passes") or len(texts))),
            question=text(row, "question", name),
            options=Options(rotate(texts, shift)),
            right=followed(_right(row, texts, name), shift, len(texts)),
            video_idx=text(row, "video_idx", name),
            video=str(row.get("video") or ""),
            description=_description(row),
        )

    def shown(self) -> Shown:
        """What tells whether another row asks the same question."""
        return Shown((self.video_idx, self.question), self.options.texts)


def row_name(row: Mapping[str, object], position: int | None = None) -> str:
    """A row's id, or what names it while it has none."""
    if row.get("id"):
        return str(row["id"])
    parts = [str(row.get(column) or "").strip() for column in ("video_idx", "question_idx")]
    if all(parts):
        return "/".join(parts)
    return "?" if position is None else str(position)


def option_texts(row: Mapping[str, object], name: str) -> tuple[str, ...]:
    """The option texts of a row in its own order, without their labels.

    Raises:
        RowError: The column is missing, too short or too long, or an option is no text.
    """
    options = present(row, "option", name)
    if not isinstance(options, Sequence) or isinstance(options, str):
        raise RowError(name, "option", "not a list of options", value=options)
    if not FEWEST_OPTIONS <= len(options) <= MOST_OPTIONS:
        trouble = f"not {FEWEST_OPTIONS} to {MOST_OPTIONS} options"
        raise RowError(name, "option", trouble, value=options)
    if not all(isinstance(option, str) and option.strip() for option in options):
        raise RowError(name, "option", "an option is missing or not a text", value=options)
    return without_labels(options)


def _right(row: Mapping[str, object], texts: tuple[str, ...], name: str) -> int:
    """The position of the right option: by the answer's text, else by its letter alone."""
    answer = text(row, "answer", name)
    labelled = [f"{letter}. {option}" for letter, option in Options(texts).labelled()]
    for form in (labelled, list(texts), list(Options(texts).letters)):
        if form.count(answer) == 1:
            return form.index(answer)
    raise RowError(name, "answer", "the answer is not one of the options", value=answer)


def _description(row: Mapping[str, object]) -> str:
    value = row.get("object_description")
    return value.strip() if isinstance(value, str) else ""
