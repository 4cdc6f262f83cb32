"""Recognises one value of a closed scale at the start of a text: a grade's name, or its points."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from lmms_eval_tasks_core.judging.protocol import Grade

_UNIT = r"\s*(?:points?|pts?)(?![a-z])"
# "0.5/1" and "0.5 out of 1" are one value; "1/0.5/0.3/0" is a list.
_OUT_OF_ONE = r"\s*(?:/|(?:out\s+)?of\b)\s*1(?:[.,]0+)?(?!\s*/)"
_NUMBER = (
    r"(?P<number>(?:0|[1-9][0-9]*)(?:[.,][0-9]+)?|\.[0-9]+)"
    rf"(?P<unit>(?:{_UNIT})?{_OUT_OF_ONE}(?:{_UNIT})?|{_UNIT})?"
    r"(?![0-9a-z%]|[.,][0-9]|\. [0-9]+\s*$)"
)
# "<0.5>" is a value, "<0.5" is a bound.
_OPENING = re.compile(r"(?:[\s_\"'“”‘’(\[{$]|<(?=[^<>\n]{1,40}>))*")
_CLOSING = re.compile(r"[\s_\"'“”‘’)\]>}$]*")
_JOINT = re.compile(r"(?:[\s_\"'“”‘’,;/|()\[\]<>{}:=&→–—-]|or\b|and\b)*")
_CLEAN_END = re.compile(r"[\s_\"'“”‘’]*(?:$|[,;/|)\]>}.:!–—]|\([0-9.]{1,4}\)|or\b|and\b)")
_GOES_ON = re.compile(r"$|[.,;:!(\[—–→]|-\s|(?:because|since|as|for)\b")
# Chat end marks, LaTeX around the value, ornaments and invisible characters say nothing.
_NOISE = re.compile(
    r"<\|[^<>|\n]{1,40}\|>|</s>|\\(?:[()\[\]]|(?:boxed|text(?:bf|rm)?|mathbf)(?=\{))"
    "|[✅✔☑\u200b-\u200f\u2060\ufe0f\ufeff]"
)
_MARKUP = str.maketrans("", "", "*`")


@dataclass(frozen=True, slots=True)
class Value:
    """One value of the scale.

    Attributes:
        points: What it is worth.
        grade: The grade it names, or None where several grades are worth as much.
        has_unit: Whether the text itself says what the number counts ("0.5 point", "0.5/1").
    """

    points: float
    grade: str | None
    has_unit: bool = False


class Scale:
    """Recognises the values of a closed scale, by name or by points."""

    def __init__(self, grades: tuple[Grade, ...]) -> None:
        self._grades = {_spaced(grade.name): grade for grade in grades}
        by_length = sorted(self._grades, key=len, reverse=True)
        names = "|".join(r"[\s_-]+".join(map(re.escape, name.split())) for name in by_length)
        self._value = re.compile(rf"(?:{_NUMBER}|(?P<name>{names})(?![a-z0-9]))")

    def read(self, text: str, *, to_the_end: bool = False) -> Value | None:
        """Read the value that a text opens with.

        Further values right behind it must mean the same ("incomplete (0.5)").

        Args:
            text: What `plain` made of the text.
            to_the_end: Whether the value must be all there is. Without it, an explanation may
                follow after punctuation or "because", but a sentence may not go on from the value.
        """
        match = self._value.match(text, _end(_OPENING, text, 0))
        if match is None:
            return None
        end, meant, has_unit = match.end(), [self._meant(match)], bool(match["unit"])
        ended = _GOES_ON.match(text, _end(_CLOSING, text, end)) is not None
        while match := self._value.match(text, _end(_JOINT, text, end)):
            # "(correct but incomplete)" and "2 of 3 facts" are explanations, not further values.
            if _CLEAN_END.match(text, match.end()) is None:
                break
            end, ended = match.end(), True
            meant.append(self._meant(match))
        if to_the_end:
            ended = text[_end(_CLOSING, text, end) :].strip() in ("", ".")
        agreed = self.agreed(meant) if ended else None
        return agreed and Value(agreed.points, agreed.grade, has_unit)

    def of_member(self, value: object) -> Value | None:
        """Read the value of a JSON member."""
        if isinstance(value, str):
            return self.read(plain(value), to_the_end=True)
        if isinstance(value, bool) or not isinstance(value, int | float):
            return None
        return self.agreed([(value, None)])

    def agreed(self, meant: Sequence[tuple[float, str | None]]) -> Value | None:
        """The one value that all pairs of points and grade mean, if it is on the scale."""
        points = {worth for worth, _ in meant}
        offered = [grade for grade in self._grades.values() if grade.points in points]
        if len(points) != 1 or not offered:
            return None
        names = {name for _, name in meant if name} or {grade.name for grade in offered}
        return Value(float(offered[0].points), names.pop() if len(names) == 1 else None)

    def _meant(self, match: re.Match[str]) -> tuple[float, str | None]:
        if match["name"]:
            grade = self._grades[_spaced(match["name"])]
            return grade.points, grade.name
        return float(match["number"].replace(",", ".")), None


@lru_cache(maxsize=32)
def scale_of(grades: tuple[Grade, ...]) -> Scale:
    """The scale of some grades; made once."""
    return Scale(grades)


def plain(text: str) -> str:
    """A text in lower case, in compatibility form, without emphasis marks."""
    return (
        unicodedata.normalize("NFKC", _NOISE.sub("", text.translate(_MARKUP)))
        .casefold()
        .strip("\r\n")
    )


def _spaced(name: str) -> str:
    return re.sub(r"[\s_-]+", " ", name.casefold()).strip()


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    """Where a pattern that may match nothing stops matching."""
    match = pattern.match(text, at)
    return match.end() if match else at
