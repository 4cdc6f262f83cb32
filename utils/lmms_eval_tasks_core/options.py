"""Multiple-choice options: their letters, and their labels on and off."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from string import ascii_uppercase

FEWEST_OPTIONS, MOST_OPTIONS = 2, len(ascii_uppercase)
_LABEL = re.compile(r"\s*\(?([A-Z])[.):．：]\s*(?=\S)")


@dataclass(frozen=True, slots=True)
class Options:
    """The options of one question, in the order the model sees them.

    Attributes:
        texts: The option texts without labels, at least two and at most 26.
    """

    texts: tuple[str, ...]

    def __post_init__(self) -> None:
        if not FEWEST_OPTIONS <= len(self.texts) <= MOST_OPTIONS:
            allowed = f"{FEWEST_OPTIONS} to {MOST_OPTIONS}"
            msg = f"a question has {allowed} options, not {len(self.texts)}"
            raise ValueError(msg)

    @property
    def letters(self) -> tuple[str, ...]:
        """The letters of the options, from "A" on."""
        return tuple(ascii_uppercase[: len(self.texts)])

    def letter_at(self, position: int) -> str:
        """The letter of the option at a position counted from 0."""
        return self.letters[position]

    def position_of(self, letter: str) -> int:
        """The position, counted from 0, of the option with this letter.

        Raises:
            ValueError: The question has no such option.
        """
        return self.letters.index(letter)

    def labelled(self) -> Iterator[tuple[str, str]]:
        """Each letter with its option text."""
        return zip(self.letters, self.texts, strict=True)

    def render(self) -> str:
        """The options as a prompt shows them: one line each, ``A. text``."""
        return "\n".join(f"{letter}. {text}" for letter, text in self.labelled())


def without_labels(options: Sequence[str]) -> tuple[str, ...]:
    """Take the leading labels off option strings such as ``"B. Dr. Smith left"``.

    The labels go only if every option has one and they read A, B, C, … in order: an option that
    begins with a letter and a period by chance ("C. elegans") is left alone.

    Args:
        options: The option strings of one question, in order.

    Returns:
        The texts, stripped of surrounding white space.
    """
    labels = [_LABEL.match(option) for option in options]
    expected = ascii_uppercase[: len(options)]
    if all(label and label[1] == letter for label, letter in zip(labels, expected, strict=False)):
        return tuple(
            option[label.end() :].strip()
            for option, label in zip(options, labels, strict=True)
            if label
        )
    return tuple(option.strip() for option in options)
