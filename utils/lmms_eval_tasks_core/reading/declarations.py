"""Finding the answers that a response declares: "the answer is B", "选B", "B is correct"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from operator import attrgetter

from lmms_eval_tasks_core.reading import surroundings, wording
from lmms_eval_tasks_core.reading.naming import Naming, Stance, named_at, skip_to_name
from lmms_eval_tasks_core.reading.option_text import OptionTexts

# How far back a clause is searched for a negation, and how far ahead for a question mark.
_CONTEXT = 300
_OPENING = 40


def statements(text: str, texts: OptionTexts) -> list[Naming]:
    """Everything that a plain text declares, takes back or leaves open, in the order of the text.

    Args:
        text: What `markup.plain` returned.
        texts: The options of the question.
    """
    found = (
        *_after_heads(text, texts),
        *_verdicts(text, texts),
        *_text_verdicts(text, texts),
        *_denials(text, texts),
    )
    return sorted(found, key=attrgetter("start"))


def _after_heads(text: str, texts: OptionTexts) -> Iterator[Naming]:
    for head in wording.HEAD.finditer(text):
        named = _object(text, head, texts)
        if named is None:
            continue
        stance = _stance(text, head, named)
        if stance is Stance.DECLARED:
            yield named
        elif stance is not None:
            yield replace(named, stance=stance)


def _object(text: str, head: re.Match[str], texts: OptionTexts) -> Naming | None:
    """The answer that a head is about."""
    start = skip_to_name(text, head.end(), texts)
    negation = wording.NOT.match(text, start)
    if negation:
        return _instead(text, negation.end(), texts)
    listed = surroundings.LIST.match(text, start)
    if listed and ord(listed[2]) == ord(listed[1]) + 1:
        return None
    named = named_at(text, start, texts)
    kind = head.lastgroup
    if named is None and kind in {"noun", "maybe"} and wording.UNKNOWN.match(text, start):
        return Naming(start, start, Stance.UNSETTLED)
    if (
        named
        and kind == "result"
        and (named.by_text or not surroundings.CLOSED.match(text, named.end))
    ):
        return None
    return named


def _instead(text: str, position: int, texts: OptionTexts) -> Naming | None:
    """B in "not A but B", whose position is that of A."""
    turn = wording.BUT_RATHER.match(text, position)
    return named_at(text, turn.end(), texts) if turn else None


def _stance(text: str, head: re.Match[str], named: Naming) -> Stance | None:
    """What is said about the answer after a head; None where it is only reported or assumed."""
    stance = said_before(text, head.start(), head.lastgroup)
    if head.lastgroup == "noun" and stance is Stance.DECLARED:
        aside = head[0]
        if surroundings.NEGATED.search(aside) or wording.AGAINST.search(aside):
            return None
    if stance is Stance.DECLARED and head.lastgroup == "maybe":
        stance = Stance.UNSETTLED
    return said_after(text, named, stance)


def said_after(text: str, named: Naming, stance: Stance | None) -> Stance | None:
    """What the words after a name make of it: a condition or a question undoes a declaration."""
    if stance is None or surroundings.CONDITION_AFTER.match(text, named.end):
        return None
    end = surroundings.SENTENCE_END.search(text, named.end, named.end + _CONTEXT)
    if end and end[0] == "?":
        # A question in the middle of a response is answered by what follows.
        return Stance.UNSETTLED if not text[end.end() :].strip(" \n)?") else None
    return named.stance if stance is Stance.DECLARED else stance


def said_before(text: str, position: int, kind: str | None = None) -> Stance | None:
    """What the words before a head or a verdict make of it; None if they make it no statement."""
    context = text[max(0, position - _CONTEXT) : position]
    sentence = _after_last(surroundings.SENTENCE_END, context)
    turn = _after_last(surroundings.TURN, sentence)
    clause = _after_last(surroundings.CLAUSE_END, turn)
    if surroundings.GOES_BACK.match(clause) or (kind == "verb" and not clause.strip()):
        clause = sentence
    if len(clause) == _CONTEXT or _is_reported(sentence, turn, clause, kind):
        return None
    if surroundings.NEGATED.search(surroundings.CERTAIN.sub("", wording.DENIAL.sub("", clause))):
        return Stance.TAKEN_BACK
    if surroundings.OTHER_ANSWER.search(clause):
        return None
    if surroundings.OR_BEFORE.search(sentence):
        return Stance.SEVERAL
    return Stance.UNSETTLED if surroundings.HEDGED.search(clause) else Stance.DECLARED


def _is_reported(sentence: str, turn: str, clause: str, kind: str | None) -> bool:
    """Whether the words are assumed, an example, or somebody else's."""
    by_another = kind == "verb" and surroundings.THIRD_PERSON.search(clause)
    said = surroundings.REPORTED.search(
        surroundings.FORCED.sub("", turn)
    ) or surroundings.QUOTED.search(sentence)
    return bool(said or by_another)


def _after_last(pattern: re.Pattern[str], text: str) -> str:
    end = 0
    for match in pattern.finditer(text):
        end = match.end()
    return text[end:]


def _verdicts(text: str, texts: OptionTexts) -> Iterator[Naming]:
    for match in wording.VERDICT.finditer(text):
        before = text[max(0, match.start() - _OPENING) : match.start()]
        letter, position = match["letter"], match.start("letter")
        right = bool(match["right"] or match["fits"] or match["zh_right"])
        if letter not in texts.options.letters or (match["denied"] and not right):
            continue
        named = Naming(position, match.end(), Stance.DECLARED, letter)
        if wording.PAIRED.search(before):
            if right:
                yield replace(named, stance=Stance.SEVERAL)
        elif wording.VERDICT_OPENS.search(before):
            stance = _verdict_stance(text, match, named, right=right)
            if stance is not None:
                yield replace(named, stance=stance)


def _verdict_stance(
    text: str, match: re.Match[str], named: Naming, *, right: bool
) -> Stance | None:
    if not right or match["denied"]:
        return Stance.TAKEN_BACK
    if not (match["fits"] or wording.VERDICT_ENDS.match(text, match.end())):
        return None
    return said_after(text, named, said_before(text, match.start()))


def _text_verdicts(text: str, texts: OptionTexts) -> Iterator[Naming]:
    for match in wording.TEXT_VERDICT.finditer(text):
        before = text[max(0, match.start() - _CONTEXT) : match.start()]
        letters = texts.letters_of(_after_last(surroundings.SENTENCE_END, before))
        if len(letters) == 1:
            named = Naming(match.start(), match.end(), Stance.DECLARED, letters[0], by_text=True)
            stance = said_after(text, named, Stance.DECLARED)
            if stance is not None:
                yield replace(named, stance=stance)


def _denials(text: str, texts: OptionTexts) -> Iterator[Naming]:
    for match in wording.DENIAL.finditer(text):
        if match["letter"] in texts.options.letters:
            yield Naming(match.start("letter"), match.end(), Stance.TAKEN_BACK, match["letter"])
