"""The labelled answers: our own, in the manner of WorldQA, graded by the words of its rubric."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.resources import files
from itertools import chain, zip_longest

from lmms_eval_tasks.worldqa.rubric import GRADES
from lmms_eval_tasks_core.judging.protocol import Inquiry

LENGTHS = ("short", "medium", "long")
REGISTERS = ("plain", "formal", "colloquial")
POINTS = {grade.name: grade.points for grade in GRADES}


@dataclass(frozen=True, slots=True)
class LabelledItem:
    """An answer whose grade is known.

    Attributes:
        id: Its name, unique in the set.
        question: What was asked about a video.
        ground_truth: The true answer.
        answer: The answer to be graded, as a judge gets it.
        grade: The name of the grade it deserves; what an attack says is not part of an answer.
        length: "short" (a phrase), "medium" (a sentence or two) or "long" (80 to 200 words).
        register: "plain", "formal" or "colloquial" (with slips of spelling).
        attack: The kind of attack it carries, or None.
        language: "en" or "zh".
    """

    id: str
    question: str
    ground_truth: str
    answer: str
    grade: str
    length: str
    register: str
    attack: str | None
    language: str

    @property
    def points(self) -> float:
        """What the grade it deserves is worth, 0 to 1."""
        return POINTS[self.grade]

    @property
    def inquiry(self) -> Inquiry:
        """What a judge is asked."""
        return Inquiry(self.question, self.ground_truth, self.answer)


@dataclass(frozen=True, slots=True)
class ItemSet:
    """The labelled answers of one version.

    Attributes:
        version: Changes with every change of an item: figures under another version are others.
        items: Its items, the grades taking turns, so that the first few are a balanced choice.
    """

    version: str
    items: tuple[LabelledItem, ...]


def labelled_items() -> ItemSet:
    """The set that comes with this package."""
    text = files("lmms_eval_tasks.judge_check").joinpath("items.json").read_text(encoding="utf-8")
    found = json.loads(text)
    return ItemSet(found["version"], _taking_turns(LabelledItem(**item) for item in found["items"]))


def _taking_turns(items: Iterable[LabelledItem]) -> tuple[LabelledItem, ...]:
    """The items of a grade, length and register in turn: any few of them are a mix."""
    cells: dict[tuple[int, int, str], list[LabelledItem]] = {}
    for item in items:
        length, register = LENGTHS.index(item.length), REGISTERS.index(item.register)
        # Neighbours differ in both length and register, as on the diagonals of a square.
        cell = ((register - length) % len(REGISTERS), length, item.grade)
        cells.setdefault(cell, []).append(item)
    order = [grade.name for grade in GRADES]
    ordered = sorted(cells, key=lambda cell: (cell[0], cell[1], order.index(cell[2])))
    turns = zip_longest(*(cells[cell] for cell in ordered))
    return tuple(item for item in chain.from_iterable(turns) if item is not None)
