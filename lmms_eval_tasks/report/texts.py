"""Texts as the page shows them: what cannot be seen is made visible, what is very long is cut."""

from __future__ import annotations

import re
from typing import TypeAlias

Cut: TypeAlias = tuple[str, int, str]
"""The beginning of a text, how many characters are left out, and its end."""

# A tab and a line break stay what they are. Marks of direction are shown because they can make a
# text read as what it is not.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff]"
)
_HEAD = 0.6


def visible(text: str) -> str:
    """A text in which control characters and marks of direction are visible: ⟨U+202E⟩."""
    return _UNSEEN.sub(lambda found: f"⟨U+{ord(found[0]):04X}⟩", text.replace("\r\n", "\n"))


def cut(text: str, most: int) -> str | Cut:
    """A text as it is, or its beginning and its end, where answers stand.

    Args:
        text: The text.
        most: How many characters of it are kept.
    """
    if len(text) <= most:
        return text
    head = max(1, int(_HEAD * most))
    tail = max(1, most - head)
    return text[:head], len(text) - head - tail, text[-tail:]
