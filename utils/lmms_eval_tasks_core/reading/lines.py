"""Options that fill a line, or that a first line opens with."""

from __future__ import annotations

import re

from lmms_eval_tasks_core.reading import surroundings
from lmms_eval_tasks_core.reading.declarations import said_after
from lmms_eval_tasks_core.reading.markup import plain
from lmms_eval_tasks_core.reading.naming import Naming, Stance, named_at, single_letter
from lmms_eval_tasks_core.reading.option_text import OptionTexts

# A line that is an option is as long as the option, and some markup.
_LONGEST_LINE = 1_000
_NOUN = r"(?:(?:the )?(?:option|choice|answer|letter|选项|选) ?)?"
_OPEN, _CLOSE = r"[(\[{【<]{0,3}", r"[)\]}】>]{0,3}"
_LONE = re.compile(
    rf"(?:q?[0-9]{{1,2}}[.):] )?{_OPEN}{_NOUN}{_OPEN}([A-Z]){_CLOSE} ?(?:选项|项)?"
    r"[.:,;!。)\]}】]{0,3}",
    re.IGNORECASE,
)
_LABELLED = re.compile(rf"{_NOUN}{_OPEN}([A-Z])[)\].:,}}】 –—-]{{1,6}}", re.IGNORECASE)
_LETTER_ADDED = re.compile(r" ?\(([A-Z])\)[.。!]?$")
_LEAD_IN = re.compile(
    r"(?:i (?:think|believe|would say|'d say)(?: that)?|it(?: is|'s)|that(?: is|'s)|because"
    r"|(?:most )?(?:probably|likely)|definitely|clearly|obviously|certainly|surely"
    r"|ok(?:ay)?|h+mm*|um+|well|sure|let me (?:think|see)|let's see"
    r"|without (?:a|any) doubt|no doubt|if i (?:had|have) to (?:guess|choose|pick))[ ,:.!]+",
    re.IGNORECASE,
)
_OPENING = re.compile(rf"{_NOUN}{_OPEN}", re.IGNORECASE)
_LABEL_IN_TEXT = re.compile(
    r"(?:^|(?<=[\s(]))(?<!\bnot )(?:option |choice )?\(?([A-Z])(?:\)|[.:](?= |$))",
    re.IGNORECASE | re.MULTILINE,
)


def exact_option(line: str, texts: OptionTexts) -> Naming | None:
    """The option that a line is and holds nothing besides.

    Args:
        line: One line or a whole response, with or without markup.
        texts: The options of the question.

    Returns:
        The option whose letter, text, or letter and text it is; a naming of several options where
        it can be read in two ways; one outside the row; or None.
    """
    if len(line) > _LONGEST_LINE + texts.longest:
        return None
    bare = " ".join(plain(line).split())
    letters = {*texts.letters_of(line)}
    lone = _LONE.fullmatch(bare)
    if lone:
        named = single_letter(bare, lone.start(1), texts)
        return named if letters <= {named.letter} else _one_of({*letters, named.letter}, bare)
    labelled = _LABELLED.match(bare)
    if labelled and _is_own(labelled, texts):
        letters.add(labelled[1].upper())
        return _one_of(letters, bare, by_text=False)
    added = _LETTER_ADDED.search(bare)
    if added and added[1] in texts.letters_of(bare[: added.start()]):
        letters.add(added[1])
    return _one_of(letters, bare)


def option_after_lead_in(response: str, texts: OptionTexts) -> Naming | None:
    """The option that is all that a response says, save for "I think", "probably" or the like."""
    if len(response) > _LONGEST_LINE + texts.longest:
        return None
    bare = " ".join(plain(response).split())
    lead_in = _LEAD_IN.match(bare)
    return exact_option(bare[lead_in.end() :], texts) if lead_in else None


def last_line_option(text: str, texts: OptionTexts) -> Naming | None:
    """The option that the last line of a plain text is, counted from the start of the text."""
    start = text.rfind("\n") + 1
    named = exact_option(text[start:], texts)
    return named and Naming(start, len(text), named.stance, named.letter, named.by_text)


def first_line_option(text: str, texts: OptionTexts) -> Naming | None:
    """The option that the first line of a plain text is, or opens with before it explains it."""
    line = text.split("\n", 1)[0]
    exact = exact_option(line, texts)
    if exact:
        return exact
    opening = _OPENING.match(line)
    start = opening.end() if opening else 0
    named = named_at(text, start, texts)
    if not named or said_after(text, named, Stance.DECLARED) is not Stance.DECLARED:
        return None
    rest = line[named.end :]
    if surroundings.REJECTED.match(rest) or surroundings.SECOND_THOUGHT.search(rest):
        return None
    opens = _text_opens if named.by_text else _letter_opens
    return named if opens(text, named, texts) else None


def _text_opens(text: str, named: Naming, texts: OptionTexts) -> bool:
    follows = text[named.end : named.end + 1]
    return follows in ".,;!。—" and not texts.others_named(named.letter, text)


def _letter_opens(text: str, named: Naming, texts: OptionTexts) -> bool:
    """Whether a letter opens an explanation and is neither an article nor a speaker's name."""
    letter = named.letter
    others = {label[1].upper() for label in _LABEL_IN_TEXT.finditer(text)} - {letter}
    if others & set(texts.options.letters):
        return False
    if named.end - named.start > 1:
        return True
    if letter == "A" and named.start == 0 and text[1:2] == ":":
        return False
    word = surroundings.NAME_OR_SENTENCE.match(text, named.end)
    if word and not surroundings.OPENS_A_SENTENCE.fullmatch(word[1]):
        return word[1].casefold() in texts.words_of(letter)
    leads = surroundings.LEADS_AS_PRONOUN if letter == "I" else surroundings.LEADS
    return bool(leads.match(text, named.end))


def _is_own(label: re.Match[str], texts: OptionTexts) -> bool:
    letter = label[1].upper()
    own = letter in texts.options.letters
    return own and texts.is_text_of(letter, label.string[label.end() :])


def _one_of(letters: set[str], line: str, *, by_text: bool = True) -> Naming | None:
    """The only option of a set, or a naming of several."""
    if len(letters) > 1:
        return Naming(0, len(line), Stance.SEVERAL)
    for letter in letters:
        return Naming(0, len(line), Stance.DECLARED, letter, by_text)
    return None
