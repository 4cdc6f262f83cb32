"""Recognising the text of an option."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache

from lmms_eval_tasks_core.options import Options
from lmms_eval_tasks_core.reading.markup import plain

_QUOTES = " \"'“”‘’«»`*"


def tidy(text: str) -> str:
    """A text in NFC, with single spaces, without outer quotes and a final period."""
    spaced = " ".join(unicodedata.normalize("NFC", text).split())
    return spaced.lstrip(_QUOTES).rstrip(f"{_QUOTES}.。!")


def loose(text: str) -> str:
    """A text without markup and case as well."""
    return tidy(plain(text)).casefold()


# From the strictest to the loosest: "US" and "us" may be two options, and so may "3²" and "32".
_COMPARISONS: tuple[Callable[[str], str], ...] = (str.strip, tidy, loose)


class OptionTexts:
    """The option texts of one question, ready to be compared with what a model wrote.

    Attributes:
        options: The options.
        longest: The length up to which a text is worth comparing, in characters.
    """

    def __init__(self, options: Options) -> None:
        self.options = options
        self.longest = 2 * max(map(len, options.texts))
        self._spellings = [
            [(letter, compare(text)) for letter, text in options.labelled()]
            for compare in _COMPARISONS
        ]
        self._loose = dict(self._spellings[-1])
        opening = (re.escape(tidy(plain(text))) for text in options.texts)
        longest_first = sorted((text for text in opening if text), key=len, reverse=True)
        self._opening = re.compile("|".join(longest_first) or r"(?!)", re.IGNORECASE)

    def letters_of(self, text: str) -> list[str]:
        """The letters of the options that a text is, by the strictest comparison that finds any."""
        for compare, spellings in zip(_COMPARISONS, self._spellings, strict=True):
            wanted = compare(text)
            found = [letter for letter, spelling in spellings if wanted and spelling == wanted]
            if found:
                return found
        return []

    def is_text_of(self, letter: str, text: str) -> bool:
        """Whether a plain text is the text of this option, whichever others have the same."""
        own = self._loose[letter]
        return bool(own) and own in {tidy(text).casefold(), loose(text)}

    def words_of(self, letter: str) -> frozenset[str]:
        """The words of this option's text, in lower case."""
        return frozenset(re.findall(r"\w+", self._loose[letter]))

    def at(self, text: str, position: int) -> re.Match[str] | None:
        """The longest option text that a plain text has at a position."""
        return self._opening.match(text, position)

    def others_named(self, letter: str, text: str) -> bool:
        """Whether a text mentions another option's text outside this option's own."""
        rest = loose(text).replace(self._loose[letter], "")
        others = (other for key, other in self._loose.items() if key != letter and other)
        return any(re.search(rf"(?<!\w){re.escape(other)}(?!\w)", rest) for other in others)


@lru_cache(maxsize=256)
def option_texts(options: Options) -> OptionTexts:
    """The texts of these options; kept, because one question is read many times."""
    return OptionTexts(options)
