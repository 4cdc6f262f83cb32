"""A matcher that needs no network: it compares the words of a response with those of the options.

It finds an option that was written down inexactly - another ending, a slip of the pen near the end
of a word, an article more or less - and nothing else. It knows nothing of what words mean, so one
word without a counterpart is enough to say "none". Its name stands in every result.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import zip_longest

from lmms_eval_tasks_core.matching.protocol import Match, Undecided

NAME = "lexical"
VERSION = "lexical-match-1"
# The least similarity of two words that count as one, in percent of rapidfuzz's normalised Indel
# similarity, and what they begin with. docs/circular_eval.md says how these were measured.
THRESHOLD = 85.0
_SHARED_BEGINNING = 4
_LONGEST = 2_000
# Words that come and go without changing what is said.
_LIGHT = frozenset({"a", "an", "the", "is", "are", "was", "were", "be", "been", "being"})
# "E. She left" is one sentence: a letter with a period ends none.
_SENTENCE_END = re.compile(r"(?<=\w\w[.!?])\s+|(?<=[。！？])|\n+")
_WORD = re.compile(r"[^\W_]+(?:[.'][^\W_]+)*")
_CLOSING = " \t\n.!\"')”’*"


class LexicalMatcher:
    """Matches the whole response, or its last sentence, if it is nearly the text of one option."""

    @property
    def name(self) -> str:
        """``lexical``."""
        return NAME

    @property
    def version(self) -> str:
        """The version of the rule."""
        return VERSION

    def preflight(self) -> None:
        """Nothing can be missing."""

    def match(self, undecided: Undecided) -> Match:
        """Find the one option that the response nearly says, or none."""
        near = [
            letter
            for letter, text in undecided.options.labelled()
            if any(is_nearly(said, text) for said in _said(undecided.response))
        ]
        return Match(near[0] if len(near) == 1 else None, NAME, VERSION)


def is_nearly(said: str, option: str) -> bool:
    """Whether a text has the words of an option, in its order and each in nearly the same form."""
    pairs = list(zip_longest(_words(said), _words(option), fillvalue=""))
    return bool(pairs) and all(_is_one_word(one, other) for one, other in pairs)


def _said(response: str) -> list[str]:
    """What may be an answer: the response, and its last sentence; never a question."""
    text = response[-_LONGEST:]
    sentences = [part for part in _SENTENCE_END.split(text) if part.strip(_CLOSING)]
    return [said for said in (text, *sentences[-1:]) if not said.rstrip(_CLOSING).endswith("?")]


def _words(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    return [word for word in _WORD.findall(plain) if word not in _LIGHT]


def _is_one_word(one: str, other: str) -> bool:
    """Whether two words are one; numbers and short words only if they are the same."""
    if one == other:
        return True
    if not (one.isalpha() and other.isalpha()):
        return False
    if one[:_SHARED_BEGINNING] != other[:_SHARED_BEGINNING]:
        return False
    from rapidfuzz import fuzz  # noqa: PLC0415 - importing the pack stays cheap

    return bool(fuzz.ratio(one, other) >= THRESHOLD)
