"""Reads what stands in front of a line: list signs, and labels: ``2.``, ``Candidate 2:``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum


class LabelKind(Enum):
    """What a label counts."""

    CANDIDATE = "candidate"  # `Candidate 2:`, `Program 2:`
    NUMBER = "number"  # `2.`, which may count candidates or steps
    STEP = "step"  # `Step 2:`


@dataclass(frozen=True, slots=True)
class Label:
    """A label with its number."""

    kind: LabelKind
    number: int


# Repetitions are bounded wherever two of them could share one run of blanks.
_DECORATION = re.compile(r"[ \t>*_~`\"'•·|+-]*(?:#{1,6}[ \t]+[ \t*_~`\"']*)?")
_COMMENT_SIGN = re.compile(r"[ \t]*(?:#|//)+(?![0-9])[ \t]*")
_SPACE = r"[ \t]{0,4}"
_NUMBER = r"(?P<number>\d{1,3})(?!\d)"
_AFTER = r"[ \t*_`]{0,4}(?:[:.)\],-]|(?=[ \t*_`(]|$))"
_CANDIDATE = (
    r"(?:candidate|program|option|solution|attempt|beam|rank|answer|guess|no\.)"
    r"(?:[ \t]{1,4}(?:program|candidate))?|候选程序|候选|方案|程序|答案"
)
_PATTERNS = (
    (LabelKind.STEP, re.compile(rf"(?i:step|步骤|第){_SPACE}{_NUMBER}{_SPACE}步?{_AFTER}")),
    (LabelKind.CANDIDATE, re.compile(rf"(?i:{_CANDIDATE}){_SPACE}#?{_SPACE}{_NUMBER}{_AFTER}")),
    (LabelKind.NUMBER, re.compile(rf"[(\[#]?{_NUMBER}[.):\]](?!\d)")),
    (LabelKind.NUMBER, re.compile(rf"#{_NUMBER}")),
)


def labels_at(text: str, start: int, end: int, *, in_fence: bool) -> tuple[tuple[Label, ...], int]:
    """Read the labels at the beginning of a line.

    Args:
        text: A `plain` response.
        start: Where the line begins.
        end: Where it ends.
        in_fence: Whether a ``#`` begins a comment, not a heading.

    Returns:
        The labels, and where the rest of the line begins. A comment has no rest: in
        ``# Candidate 2`` only the label counts.
    """
    comment = _COMMENT_SIGN.match(text, start, end) if in_fence else None
    at = _match_end(_DECORATION, text, comment.end() if comment else start, end)
    labels: list[Label] = []
    found = True
    # `2. **Candidate 2:**` has two; each kind is read at most once.
    while found and len(labels) < len(LabelKind):
        found = False
        for kind, pattern in _PATTERNS:
            if (match := pattern.match(text, at, end)) and not _has(labels, kind):
                labels.append(Label(kind, int(match["number"])))
                at = _match_end(_DECORATION, text, match.end(), end)
                found = True
                break
    return tuple(labels), end if comment else at


def _match_end(pattern: re.Pattern[str], text: str, start: int, end: int) -> int:
    match = pattern.match(text, start, end)
    return match.end() if match else start


def _has(labels: list[Label], kind: LabelKind) -> bool:
    return any(label.kind is kind for label in labels)
