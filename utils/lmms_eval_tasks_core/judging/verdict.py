"""From a judge's reply to one grade of a closed scale, or to nothing.

Read as verdicts: a JSON object with a member such as ``grade`` or ``point``; a labelled line
(``Grade: incomplete``, ``Point:`` with the value on the line below); a line that is a value with
its own unit (``0.5 point``, ``0.5/1``); and a reply that is a value and nothing else.

Three rules decide the rest:

- Only the values of the scale count. A number without a label is no verdict, and neither is a
  value that a sentence goes on from ("Point: 0 would be harsh") or a list of different values
  (the template echoed back).
- The last valid verdict in the reply wins. A later line that is labelled but off the scale
  ("Point: 7") is no verdict, so it does not undo an earlier one.
- What a judge quotes is not what it says: a line that opens with a quotation mark or ``>`` is not
  a labelled line, and the strings inside a JSON object are not searched for verdicts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lmms_eval_tasks_core.judging.protocol import Grade
from lmms_eval_tasks_core.judging.scale import Scale, Value, plain, scale_of
from lmms_eval_tasks_core.outcome import NoAnswer
from lmms_eval_tasks_core.responses import answer_text, valid_unicode

_LONGEST_RATIONALE = 2_000
# Bounds on the work a hostile reply can cause; no verdict needs as much.
_LONGEST_LINE = 300
_MOST_OBJECTS = 200

_LABELS = ("point", "points", "score", "grade", "verdict", "rating", "judgement", "judgment")
_LABEL = (
    r"_*(?:(?:the|my|final|overall|total)\s+){0,3}"
    rf"(?P<label>{'|'.join(sorted(_LABELS, reverse=True))})"
    r"(?:\s+(?:awarded|given|assigned|out\s+of\s+1))?_*(?:\s*[(\[][^()\[\]]{0,60}[)\]])?_*\s*"
)
_LABELLED = re.compile(
    rf"[\s#•+-]*(?:[0-9]{{1,2}}[.)]\s+)?{_LABEL}(?:(?:[:=]|(?<=\s)-(?=\s))(?P<value>.*))?$"
)
_STATED = re.compile(rf"{_LABEL}(?<=\s)is(?::\s*|\s+)(?P<value>.*)$")
_AT_THE_END = re.compile(rf".*[.!?;]\s+{_LABEL}[:=](?P<value>.*)$")
_RATIONALE = re.compile(
    r"^[\s#*_]*(?:rationale|reason(?:ing)?|explanation)[*_]*:", re.IGNORECASE | re.MULTILINE
)
_RATIONALE_KEYS = ("rationale", "reasoning", "reason", "explanation")

_ENUMERATED = re.compile(r"\s*[0-9]+[.)]\s+\S")
_BULLET = re.compile(r"\s*[-•+]\s+")
_QUOTATION_MARK = re.compile(r"[\"'“”‘’]")
_QUOTES = (">", '"', "'", "“", "‘", "「")


@dataclass(frozen=True, slots=True)
class ReadVerdict:
    """What a reply says.

    Attributes:
        points: One of the points of the scale.
        grade: The grade's name, or None where only points were given that several grades share.
        rationale: What was said for it, cut at 2,000 characters; may be empty.
    """

    points: float
    grade: str | None
    rationale: str


def read_verdict(reply: str, grades: Sequence[Grade]) -> ReadVerdict | None:
    """Read the last valid verdict in a judge's reply.

    Args:
        reply: The text of the reply, as the judge sent it.
        grades: The closed scale.

    Returns:
        The verdict, or None where the reply holds none that can be read without guessing.
    """
    # Reasoning tags stand before a reply; inside a JSON string they are something quoted.
    text = reply if reply.lstrip().startswith(("{", "```")) else answer_text(reply)
    if isinstance(text, NoAnswer):
        return None
    scale = scale_of(tuple(grades))
    last: ReadVerdict | None = None
    resume = 0
    for start, end, found in _objects(text):
        last = _in_lines(text, resume, start, scale) or last
        last = _in_object(found, scale) or last
        resume = end
    return _in_lines(text, resume, len(text), scale) or last or _alone(text, scale)


def _objects(text: str) -> Iterator[tuple[int, int, dict[str, object]]]:
    """The JSON objects in a text that are not inside another one, with where they start and end."""
    decoder = json.JSONDecoder(strict=False)
    start = text.find("{")
    for _ in range(_MOST_OBJECTS):
        if start < 0:
            return
        try:
            found, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            start = text.find("{", start + 1)
        else:
            yield start, end, found
            start = text.find("{", end)


def _in_object(found: dict[str, object], scale: Scale) -> ReadVerdict | None:
    for candidate in (*(inner for inner in found.values() if isinstance(inner, dict)), found):
        members = {str(key).strip().casefold(): value for key, value in candidate.items()}
        given = [members[label] for label in _LABELS if label in members]
        values = [scale.of_member(value) for value in given if not isinstance(value, dict | list)]
        read = [(value.points, value.grade) for value in values if value]
        agreed = scale.agreed(read) if len(read) == len(values) else None
        if agreed:
            said = (members.get(key) for key in _RATIONALE_KEYS)
            rationale = next((text for text in said if isinstance(text, str)), "")
            return ReadVerdict(agreed.points, agreed.grade, _shortened(rationale))
    return None


def _in_lines(text: str, start: int, end: int, scale: Scale) -> ReadVerdict | None:
    """The last verdict in the lines from one position of the text to another."""
    ends: list[int] = []
    lines: list[str] = []
    for line in text[start:end].splitlines(keepends=True):
        start += len(line)
        if line.strip():
            ends.append(start)
            lines.append(line)
    for index in range(len(lines) - 1, -1, -1):
        value, used = _at_line(lines, index, scale)
        if value:
            before = text[: ends[index] - len(lines[index])]
            return ReadVerdict(
                value.points, value.grade, _said_for(before, text[ends[index + used - 1] :])
            )
    return None


def _at_line(lines: Sequence[str], index: int, scale: Scale) -> tuple[Value | None, int]:
    """The verdict a line gives, and over how many lines it goes."""
    head = plain(lines[index][:_LONGEST_LINE])
    quoted = lines[index].lstrip().startswith(_QUOTES)
    labelled = None if quoted else _LABELLED.match(head)
    if labelled and not (labelled["value"] or "").strip(" _"):
        return _below_a_label(lines[index + 1 : index + 3], scale), 2
    value = _at_the_end(lines[index], scale)
    if value or quoted:
        return value, 1
    if labelled:
        listed = labelled["label"] == "points" and _ENUMERATED.match(labelled["value"])
        return None if listed else scale.read(labelled["value"]), 1
    stated = _STATED.match(head)
    if stated:
        return scale.read(stated["value"], to_the_end=True), 1
    return _with_a_unit(lines, index, scale), 1


def _at_the_end(line: str, scale: Scale) -> Value | None:
    """The value of a label that stands behind a sentence and ends the line, outside quotes."""
    ending = _AT_THE_END.match(plain(line[-_LONGEST_LINE:]))
    if ending is None or _QUOTATION_MARK.search(ending["value"]):
        return None
    return scale.read(ending["value"], to_the_end=True)


def _below_a_label(lines: Sequence[str], scale: Scale) -> Value | None:
    """The value on the line under a label, unless it opens a list."""
    below = [_BULLET.sub("", plain(line[:_LONGEST_LINE]), count=1) for line in lines]
    if not below or _ENUMERATED.match(below[0]):
        return None
    value = scale.read(below[0])
    return None if value and _others(below[1:], value, scale) else value


def _with_a_unit(lines: Sequence[str], index: int, scale: Scale) -> Value | None:
    """The value that is all of a line and says its own unit, unless it is one line of a list."""
    value = scale.read(plain(lines[index][:_LONGEST_LINE]), to_the_end=True)
    if value is None or not value.has_unit:
        return None
    beside = [*lines[max(index - 1, 0) : index], *lines[index + 1 : index + 2]]
    heads = [plain(line[:_LONGEST_LINE]) for line in beside]
    # Under a label it is the label's to say whether the value counts.
    under_a_label = index > 0 and _LABELLED.match(heads[0]) is not None
    return None if under_a_label or _others(heads, value, scale) else value


def _others(lines: Sequence[str], value: Value, scale: Scale) -> bool:
    """Whether one of the lines is another value of the scale, as in a template."""
    read = [scale.read(line, to_the_end=True) for line in lines]
    return any(other is not None and other.points != value.points for other in read)


def _alone(text: str, scale: Scale) -> ReadVerdict | None:
    """The value that is all of a reply."""
    if len(text) > _LONGEST_LINE:
        return None
    value = scale.read(plain(text), to_the_end=True)
    return ReadVerdict(value.points, value.grade, "") if value else None


def _said_for(before: str, after: str) -> str:
    labels = list(_RATIONALE.finditer(before))
    return _shortened(before[labels[-1].end() :] if labels else before.strip() or after)


def _shortened(text: str) -> str:
    return valid_unicode(text.strip(" \t\r\n*_")[:_LONGEST_RATIONALE])
