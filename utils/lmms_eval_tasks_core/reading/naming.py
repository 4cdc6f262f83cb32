"""Telling an option that is named from a letter that only looks like one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from lmms_eval_tasks_core.reading import surroundings, wording
from lmms_eval_tasks_core.reading.option_text import OptionTexts

_OPENING = 12
# Chinese, Japanese and Korean go on without a space.
_LETTER = re.compile(
    r"[A-Za-z](?:(?![\w'°%^+#&*=-])|(?=-\ |[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3]))"
)
_LETTERS = re.compile(r"[A-Z]{2,26}(?!\w)")
# What may stand between a letter and its text.
_MARKS, _MOST_MARKS = frozenset(" )]}】.:,;–—-([{【"), 8
_LETTER_ADDED = re.compile(r" ?\(([A-Z])\)")


class Stance(Enum):
    """What a response says about an answer it names."""

    DECLARED = "declared"
    TAKEN_BACK = "taken back"
    OUTSIDE = "not a letter of the question"
    SEVERAL = "several at once"
    UNSETTLED = "hedged, asked, or said to be unknown"


@dataclass(frozen=True, slots=True)
class Naming:
    """An answer named at one place of a plain text.

    Attributes:
        start: Where it starts, in characters.
        end: Where it ends.
        stance: What is said about it.
        letter: The letter of the option; empty unless it was declared or taken back.
        by_text: Whether the option's text was given rather than its letter.
    """

    start: int
    end: int
    stance: Stance
    letter: str = ""
    by_text: bool = False


def skip_to_name(text: str, position: int, texts: OptionTexts) -> int:
    """Skip the words and marks that may stand before a name, unless an option begins with them."""
    for _ in range(wording.MOST_FILLERS):
        if _text_at(text, position, texts):
            return position
        filler = wording.FILLER.match(text, position)
        if not filler:
            return position
        position = filler.end()
    return position


def named_at(text: str, position: int, texts: OptionTexts) -> Naming | None:
    """The option named at a position of a plain text, if the name stands for itself.

    Returns:
        A name that is declared, outside the row or one of several; None where there is no letter,
        or one that belongs to something else ("a man", "C major", "B. Franklin").
    """
    by_text = _text_at(text, position, texts)
    if by_text:
        return by_text
    if _are_several(text, position, texts):
        return Naming(position, position, Stance.SEVERAL)
    match = _LETTER.match(text, position)
    if not match:
        return None
    return _with_own_text(text, match, texts) or _alone(text, match, texts)


def _are_several(text: str, position: int, texts: OptionTexts) -> bool:
    """Whether letters of the row stand there without a gap: "ABD"."""
    run = _LETTERS.match(text, position)
    return bool(run and set(run[0]) <= set(texts.options.letters) and len(set(run[0])) > 1)


def _alone(text: str, match: re.Match[str], texts: OptionTexts) -> Naming | None:
    if surroundings.TOGETHER.match(text, match.end()):
        return Naming(match.start(), match.end(), Stance.SEVERAL)
    if not _stands_for_itself(text, match, texts):
        return None
    return single_letter(text, match.start(), texts)


def _text_at(text: str, position: int, texts: OptionTexts) -> Naming | None:
    match = texts.at(text, position)
    if not match or (match.end() - position == 1 and match[0].isalpha()):
        return None
    if surroundings.NAMES_A_LETTER.search(text[max(0, position - _OPENING) : position]):
        # "Option 2" may be the second one or the one whose text is 2.
        return None
    letters, end = texts.letters_of(match[0]), match.end()
    added = _LETTER_ADDED.match(text, end)
    if added:
        letters, end = [letter for letter in letters if letter == added[1]], added.end()
    if not surroundings.TEXT_ENDS.match(text, end):
        return None
    if len(letters) != 1:
        return Naming(position, end, Stance.SEVERAL)
    return Naming(position, end, Stance.DECLARED, letters[0], by_text=True)


def _with_own_text(text: str, match: re.Match[str], texts: OptionTexts) -> Naming | None:
    """A letter that its own option's text follows, or another one's: that names two options."""
    start = match.end()
    while start - match.end() < _MOST_MARKS and text[start : start + 1] in _MARKS:
        start += 1
    if _lacks_an_article(text[start : start + texts.longest], match[0], texts):
        return Naming(match.start(), match.end(), Stance.SEVERAL)
    following = texts.at(text, start)
    if not following or start == match.end():
        return None
    letter = match[0].upper()
    if letter in texts.letters_of(following[0]):
        # Without a mark, "A" may be the article of a longer phrase.
        marked = bool(text[match.end() : start].strip())
        ends = surroundings.WORD_ENDS if marked else surroundings.TEXT_ENDS
        if surroundings.OR_ELSE.match(text, following.end()):
            return Naming(match.start(), match.end(), Stance.SEVERAL)
        if ends.match(text, following.end()):
            return Naming(match.start(), following.end(), Stance.DECLARED, letter)
    if _text_at(text, start, texts):
        return Naming(match.start(), match.end(), Stance.SEVERAL)
    return None


def _lacks_an_article(following: str, letter: str, texts: OptionTexts) -> bool:
    """Whether "A. stranger" or "C. stranger" may as well be another option, "A stranger"."""
    for article in ("a", "an", "the"):
        phrase = texts.at(f"{article} {following}", 0)
        if not phrase or phrase.end() <= len(f"{article} "):
            continue
        if letter.upper() in texts.letters_of(phrase[0]):
            return False
        if surroundings.TEXT_ENDS.match(phrase.string, phrase.end()):
            return True
    return False


def _stands_for_itself(text: str, match: re.Match[str], texts: OptionTexts) -> bool:
    end = match.end()
    ends = surroundings.SMALL_LETTER_ENDS if match[0].islower() else surroundings.GOES_ON
    if not ends.match(text, end):
        return False
    initial = surroundings.INITIAL.match(text, end)
    if initial is None or match[0] not in texts.options.letters:
        return initial is None
    words = re.findall(r"\w+", initial["name"].casefold())
    return texts.words_of(match[0]).issuperset(words)


def single_letter(text: str, position: int, texts: OptionTexts) -> Naming:
    """The option whose letter stands at a position, unless that letter is another one's text."""
    end, letter = position + 1, text[position].upper()
    known = letter in texts.options.letters
    letters = {letter} if known else set()
    if not surroundings.NAMES_A_LETTER.search(text[max(0, position - _OPENING) : position]):
        letters.update(texts.letters_of(text[position]))
    if not letters:
        return Naming(position, end, Stance.OUTSIDE)
    if len(letters) > 1:
        return Naming(position, end, Stance.SEVERAL)
    return Naming(position, end, Stance.DECLARED, letters.pop(), by_text=not known)
