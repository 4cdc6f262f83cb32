"""A judge that needs no network: it compares the words of an answer with those of the truth.

It knows nothing of what the words mean, and its name stands in every result so that nobody takes
its score for that of a language model.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from enum import Enum

from lmms_eval_tasks_core.judging.protocol import Grade, Inquiry, Rubric, Verdict

NAME = "lexical"
# Scripts without spaces: one character is taken for a word (Han, kana, bopomofo).
_IDEOGRAPH = re.compile(
    "[々〇\u3040-\u30ff\u3105-\u312f\u31f0-\u31ff㐀-䶿一-鿿豈-\ufaff\U00020000-\U000323af]"
)
_THOUSANDS = re.compile(r"(?<=[0-9]),(?=[0-9]{3}(?![0-9]))")
_DECIMAL_POINT = re.compile(r"(?<=[0-9])\.(?=[0-9])")
_PLACE_OF_A_POINT = "\ue000"
_APOSTROPHES = "'’ʼ`"


class SetRelation(Enum):
    """How the set of words of an answer lies to the set of words of the reference."""

    EQUAL = "the answer has the words of the ground truth"
    SUBSET = "the answer has some of the words of the ground truth and no others"
    SUPERSET = "the answer has all words of the ground truth and others"
    OVERLAP = "the answer has some of the words of the ground truth and others"
    DISJOINT = "the answer has no word of the ground truth"


def words(text: str) -> frozenset[str]:
    """The set of normalised words of a text.

    Words are compared in compatibility form (NFKC) and without case. Apostrophes are dropped
    ("don't" is "dont"), a decimal point between digits stays, thousands separators go, and all
    other punctuation and symbols part words. Each Chinese or Japanese character is a word. No stop
    word is left out: "not" and "no" would be among them.
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    numbers = _DECIMAL_POINT.sub(_PLACE_OF_A_POINT, _THOUSANDS.sub("", folded))
    spaced = "".join(map(_word_part, numbers)).replace(_PLACE_OF_A_POINT, ".")
    return frozenset(_IDEOGRAPH.sub(r" \g<0> ", spaced).split())


def compare_words(answer: str, reference: str) -> SetRelation:
    """Compare the words of two texts as sets.

    Where neither text has a word (``+`` and ``-``), they are equal if their characters are.
    """
    said, true = words(answer), words(reference)
    if not said and not true:
        same = answer.split() == reference.split()
        return SetRelation.EQUAL if same else SetRelation.DISJOINT
    if said == true:
        return SetRelation.EQUAL
    if not said & true:
        return SetRelation.DISJOINT
    if said < true:
        return SetRelation.SUBSET
    return SetRelation.SUPERSET if said > true else SetRelation.OVERLAP


class LexicalJudge:
    """Grades by `compare_words`.

    Args:
        rubric: The scale.
        grade_of: The grade that each relation stands for.

    Raises:
        ValueError: A relation has no grade, or one that is not on the scale.
    """

    def __init__(self, rubric: Rubric, grade_of: Mapping[SetRelation, str]) -> None:
        offered = {grade.name: grade for grade in rubric.grades}
        unmapped = [rel.name for rel in SetRelation if grade_of.get(rel) not in offered]
        if unmapped:
            msg = f"no grade of rubric {rubric.version} for {', '.join(unmapped)}"
            raise ValueError(msg)
        self._version = rubric.version
        self._grades: dict[SetRelation, Grade] = {
            relation: offered[grade_of[relation]] for relation in SetRelation
        }

    @property
    def name(self) -> str:
        """``lexical``."""
        return NAME

    def preflight(self) -> None:
        """Nothing can be missing."""

    def grade(self, inquiry: Inquiry) -> Verdict:
        """Grade one answer; the rationale says which relation was found."""
        relation = compare_words(inquiry.answer, inquiry.reference)
        grade = self._grades[relation]
        return Verdict(grade.points, grade.name, relation.value, NAME, self._version)


def _word_part(character: str) -> str:
    """The character where it belongs to a word, else what parts words or nothing at all."""
    if character in _APOSTROPHES or unicodedata.category(character) == "Cf":
        return ""
    in_a_word = unicodedata.category(character)[0] in "LMN" or character == _PLACE_OF_A_POINT
    return character if in_a_word else " "
