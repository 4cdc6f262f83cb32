"""One problem of the official archives, made into one of our rows."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lmms_eval_tasks.geoqa.archive.arrays import PickledArray, as_list
from lmms_eval_tasks.geoqa.archive.pictures import PictureError, png_of
from lmms_eval_tasks.geoqa.records import GeoQARecord
from lmms_eval_tasks_core.errors import RowError
from lmms_eval_tasks_core.responses import valid_unicode

_TEXTS = {"zh": ("subject", "English_problem"), "en": ("English_problem",)}
# No number of a problem comes near; a pickle may hold one of a million digits.
_LARGEST = 10**18
_TYPES = ("angle", "length", "area", "other")


@dataclass(frozen=True, slots=True)
class OfficialProblem:
    """A problem as our data set has it.

    Attributes:
        row: The columns of `GeoQARecord.to_row`, and ``image`` (a mapping with PNG ``bytes``, or
            None).
        picture_trouble: Why there is no picture, or None.
    """

    row: Mapping[str, object]
    picture_trouble: str | None


def official_problem(
    problem: object, position: int, types: Mapping[str, str], language: str
) -> OfficialProblem:
    """Read one problem.

    Args:
        problem: What the pickle holds: a mapping with ``id``, ``subject`` (and in UniGeo
            ``English_problem``), ``numbers``, ``choices``, ``choice_nums``, ``label``,
            ``manual_program`` and ``image``.
        position: Where it stands in its file, from 0.
        types: The type of each problem by its id.
        language: "zh" asks in the original Chinese (in English where there is none), "en" in
            UniGeo's English.

    Raises:
        RowError: A field is missing or holds what it cannot hold; it is named by the archive's own
            name.
    """
    read = _Fields(problem, position)
    png, trouble = read.picture()
    row = {
        "id": read.id,
        "type": types.get(read.id),
        "question": read.text(_TEXTS[language]),
        "numbers": read.numbers("numbers"),
        "choices": read.texts("choices"),
        "choice_nums": read.numbers_or_none("choice_nums"),
        "label": read.label(),
        "program": read.program(),
    }
    completed = GeoQARecord.from_row({**row, "has_diagram": png is not None}, position).to_row()
    image = None if png is None else {"bytes": png, "path": f"{read.id}.png"}
    return OfficialProblem({**completed, "image": image}, trouble)


def types_in(content: object) -> dict[str, str]:
    """The type of each problem, from what ``sub_dataset_dict.pk`` holds; others are left out."""
    if not isinstance(content, Mapping):
        return {}
    return {str(key): value for key, value in content.items() if value in _TYPES}


class _Fields:
    """Takes the fields of one problem; values of a wrong type are named by it, never shown.

    What a pickle holds may contain itself many times over, and so must not be written out.
    """

    def __init__(self, problem: object, position: int) -> None:
        self.id = str(position)
        if not isinstance(problem, Mapping):
            raise self._error("problem", "is no mapping", problem)
        self._fields: Mapping[Any, object] = problem
        identity = self._required("id")
        if isinstance(identity, bool) or not isinstance(identity, (int, str)):
            raise self._error("id", "is neither a whole number nor a text", identity)
        if isinstance(identity, int) and abs(identity) > _LARGEST:
            raise self._error("id", "is too large a number")
        self.id = valid_unicode(str(identity))

    def text(self, columns: tuple[str, ...]) -> str:
        for column in columns:
            text = self._fields.get(column)
            if text is not None and not isinstance(text, str):
                raise self._error(column, "is no text", text)
            if text and text.strip():
                return valid_unicode(text)
        raise self._error(columns[0], "has no text")

    def texts(self, column: str) -> list[str]:
        texts = self._list(column)
        if not all(isinstance(text, str) for text in texts):
            raise self._error(column, "holds something else than texts", texts)
        return [valid_unicode(str(text)) for text in texts]

    def numbers(self, column: str) -> list[float]:
        return [self._number(column, number) for number in self._list(column)]

    def numbers_or_none(self, column: str) -> list[float | None]:
        return [
            None if _is_no_number(number) else self._number(column, number)
            for number in self._list(column)
        ]

    def label(self) -> int:
        label = self._required("label")
        if isinstance(label, bool) or not isinstance(label, int):
            raise self._error("label", "is no whole number", label)
        if abs(label) > _LARGEST:
            raise self._error("label", "is too large a number")
        return label

    def program(self) -> str | None:
        program = self._fields.get("manual_program")
        if program is None or isinstance(program, str):
            return program and valid_unicode(program)
        return " ".join(self.texts("manual_program"))

    def picture(self) -> tuple[bytes | None, str | None]:
        image = self._fields.get("image")
        if not isinstance(image, PickledArray):
            return None, f"it is {type(image).__name__} in place of an array"
        try:
            return png_of(image), None
        except PictureError as error:
            return None, str(error)

    def _list(self, column: str) -> list[object]:
        values = as_list(self._required(column))
        if values is None:
            raise self._error(column, "is no list", self._fields[column])
        return list(values)

    def _number(self, column: str, value: object) -> float:
        if isinstance(value, str):
            try:
                value = float(value)
            except ValueError:
                raise self._error(column, "holds a text in place of a number") from None
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise self._error(column, "holds something else than numbers", value)
        if abs(value) > _LARGEST:
            raise self._error(column, "holds too large a number")
        return value

    def _required(self, column: str) -> object:
        value = self._fields.get(column)
        if value is None:
            raise self._error(column, "the field is missing")
        return value

    def _error(self, column: str, trouble: str, value: object = None) -> RowError:
        kind = "" if value is None else f" but {type(value).__name__}"
        return RowError(self.id, column, f"{trouble}{kind}")


def _is_no_number(value: object) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))
