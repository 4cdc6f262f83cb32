"""A GeoQA problem as the task works with it: the only place that knows the columns of a row."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from lmms_eval_tasks.geoqa.numbers import (
    are_numbers_certain,
    is_option_certain,
    numbers_in,
    option_number,
)
from lmms_eval_tasks_core.columns import present
from lmms_eval_tasks_core.errors import RowError
from lmms_eval_tasks_core.options import Options, without_labels

ProblemType: TypeAlias = Literal["angle", "length", "other"]
Language: TypeAlias = Literal["en", "zh"]
Row: TypeAlias = Mapping[str, object]

# The first that has a text is asked. The Chinese text is the original; its English translation
# has lost units, and in a few rows numbers.
QUESTION_COLUMNS = ("question", "subject", "question_zh", "question_en")
_PROBLEM_TYPES: Mapping[object, ProblemType] = {
    "angle": "angle",
    "length": "length",
    "other": "other",
    "area": "other",
    None: "other",
}
_CHINESE = re.compile(r"[一-鿿]")


@dataclass(frozen=True, slots=True)
class GeoQARecord:
    """One problem, validated.

    Attributes:
        id: The id of the data set.
        problem_type: The type by which the paper reports accuracy; its "area" is "other" here.
        question: The problem's text.
        question_language: "zh" where the text has Chinese characters, else "en".
        numbers: N_0, N_1, …
        options: The options without letters.
        option_numbers: One per option; None where an option has no number.
        label: The position of the right option, counted from 0.
        program: The gold program in token form, where the data set has it.
        has_diagram: Whether the row has a diagram that can be shown.
        uncertain: Whether a number was derived from text and does not follow with certainty.
    """

    id: str
    problem_type: ProblemType
    question: str
    question_language: Language
    numbers: tuple[float, ...]
    options: Options
    option_numbers: tuple[float | None, ...]
    label: int
    program: str | None
    has_diagram: bool
    uncertain: bool

    @classmethod
    def from_row(cls, row: Row, position: int = 0) -> GeoQARecord:
        """Read a row of the completed data set, or of a source `complete_rows` understands.

        Args:
            row: The columns ``choices``, ``label``, one of `QUESTION_COLUMNS`, and where there are
                any ``id``, ``type``, ``numbers``, ``choice_nums``, ``program``, ``image`` or
                ``has_diagram``, ``uncertain``.
            position: Where the row stands, to name it by if it has no id.

        Returns:
            The record; numbers that the row does not give are derived from its texts.

        Raises:
            RowError: A column is missing or holds a value that it cannot have.
        """
        read = _RowReader(row, position)
        question, options = read.question(), read.options()
        numbers, option_numbers = read.numbers(), read.option_numbers(len(options.texts))
        uncertain = (numbers is None and not are_numbers_certain(question)) or (
            option_numbers is None and not all(map(is_option_certain, options.texts))
        )
        return cls(
            id=read.id,
            problem_type=read.problem_type(),
            question=question,
            question_language="zh" if _CHINESE.search(question) else "en",
            numbers=numbers_in(question) if numbers is None else numbers,
            options=options,
            option_numbers=option_numbers or tuple(map(option_number, options.texts)),
            label=read.label(len(options.texts)),
            program=read.program(),
            has_diagram=bool(row.get("has_diagram", row.get("image") is not None)),
            uncertain=bool(row.get("uncertain", uncertain)),
        )

    def to_row(self) -> dict[str, object]:
        """The columns of the completed data set, without the image: `from_row` reads them back."""
        return {
            "id": self.id,
            "type": self.problem_type,
            "question": self.question,
            "numbers": list(self.numbers),
            "choices": list(self.options.texts),
            "choice_nums": list(self.option_numbers),
            "label": self.label,
            "program": self.program,
            "has_diagram": self.has_diagram,
            "uncertain": self.uncertain,
        }


class _RowReader:
    """Takes the cells of one row, each checked, and names the row in every complaint."""

    def __init__(self, row: Row, position: int) -> None:
        self._row = row
        self.id = str(position)
        identity = self._required("id") if "id" in row else position
        if isinstance(identity, bool) or not isinstance(identity, (int, str)):
            raise self._error("id", "is neither a whole number nor a string", identity)
        self.id = str(identity)

    def question(self) -> str:
        for column in QUESTION_COLUMNS:
            text = self._row.get(column)
            if text is not None and not isinstance(text, str):
                raise self._error(column, "is not a text", text)
            if text and text.strip():
                return text.strip()
        column = next((name for name in QUESTION_COLUMNS if name in self._row), "question")
        wanted = ", ".join(QUESTION_COLUMNS)
        raise self._error(column, f"has no text, and no other of the columns {wanted} has one")

    def options(self) -> Options:
        texts = self._sequence("choices", self._required("choices"))
        for text in texts:
            if not isinstance(text, str):
                raise self._error("choices", "holds an option that is not a text", text)
        try:
            return Options(without_labels([str(text) for text in texts]))
        except ValueError as error:
            raise self._error("choices", str(error), texts) from error

    def label(self, options: int) -> int:
        label = self._required("label")
        if isinstance(label, bool) or not isinstance(label, int) or not 0 <= label < options:
            trouble = f"is not the position of one of {options} options, counted from 0"
            raise self._error("label", trouble, label)
        return label

    def numbers(self) -> tuple[float, ...] | None:
        given = self._row.get("numbers")
        if given is None:
            return None
        return tuple(self._number("numbers", n) for n in self._sequence("numbers", given))

    def option_numbers(self, options: int) -> tuple[float | None, ...] | None:
        given = self._row.get("choice_nums")
        if given is None:
            return None
        cells = self._sequence("choice_nums", given)
        if len(cells) != options:
            raise self._error(
                "choice_nums", f"has not one entry for each of {options} options", cells
            )
        return tuple(None if n is None else self._number("choice_nums", n) for n in cells)

    def program(self) -> str | None:
        given = self._row.get("program")
        if given is not None and not isinstance(given, str):
            raise self._error("program", "is not a text", given)
        return given or None

    def problem_type(self) -> ProblemType:
        given = self._row.get("type")
        if not isinstance(given, (str, type(None))) or given not in _PROBLEM_TYPES:
            raise self._error("type", "is none of angle, length, area, other", given)
        return _PROBLEM_TYPES[given]

    def _required(self, column: str) -> object:
        value = present(self._row, column, self.id)
        if value is None:
            raise self._error(column, "the value is missing")
        return value

    def _sequence(self, column: str, cells: object) -> Sequence[object]:
        if isinstance(cells, (str, bytes)) or not isinstance(cells, Sequence):
            raise self._error(column, "is not a list", cells)
        return cells

    def _number(self, column: str, cell: object) -> float:
        trouble = "holds an entry that is not a finite number"
        if isinstance(cell, bool) or not isinstance(cell, (int, float)):
            raise self._error(column, trouble, cell)
        try:
            number = float(cell)
        except OverflowError as error:
            raise self._error(column, trouble, cell) from error
        if not math.isfinite(number):
            raise self._error(column, trouble, cell)
        return number

    def _error(self, column: str, trouble: str, value: object = None) -> RowError:
        return RowError(self.id, column, trouble, value=value)
