r"""From a response to the option that a model chose, or to the reason why none can be told.

In this order, the first rule that decides wins:

1. The response is an option: its letter ("B", "(b)."), its text, or both ("D. She went home").
2. It declares an answer: "the answer is B", "I choose (B)", ``\boxed{B}``, "选B", "B is correct".
   The last declaration counts. One that names several options, a letter outside the row, or that
   is hedged, leaves the response undecided; one that is denied, assumed or reported is none.
   A declaration that a second thought turns against ("Actually, D fits better") is undecided.
3. Its first line opens with an option and goes on to explain it, or its last line is an option.
4. Its last sentence points at the only option that it points at: "which corresponds to option B".

Where the model goes on with a question of its own, both parts are read and must not disagree.

A letter counts only where it stands for itself: never an article, part of a name, of a number or
of a word. Option lists repeated from the question choose nothing. What stays open is undecided:
there is no guessing, and no rule prefers a position.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass
from enum import Enum
from operator import attrgetter

from lmms_eval_tasks_core.options import Options
from lmms_eval_tasks_core.outcome import NoAnswer, NoAnswerReason
from lmms_eval_tasks_core.reading.declarations import statements
from lmms_eval_tasks_core.reading.echo import without_echo
from lmms_eval_tasks_core.reading.lines import (
    exact_option,
    first_line_option,
    last_line_option,
    option_after_lead_in,
)
from lmms_eval_tasks_core.reading.markup import before_next_question, first_turn, plain, shortened
from lmms_eval_tasks_core.reading.naming import Naming, Stance
from lmms_eval_tasks_core.reading.option_text import OptionTexts, option_texts
from lmms_eval_tasks_core.reading.revisions import concluded, reconsidered
from lmms_eval_tasks_core.responses import answer_text


class Rule(str, Enum):
    """What decided a choice."""

    LETTER = "letter"
    TEXT = "text"
    DECLARED_LETTER = "declared_letter"
    DECLARED_TEXT = "declared_text"
    FIRST_LINE = "first_line"
    LAST_LINE = "last_line"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class Choice:
    """The option that a model chose.

    Attributes:
        letter: Its letter.
        rule: What decided.
    """

    letter: str
    rule: Rule


@dataclass(frozen=True, slots=True)
class Abstention:
    """No option can be told from the response without guessing.

    Attributes:
        reason: Why: nothing was said, several options or none of this question were named, …
    """

    reason: NoAnswerReason


_REASONS = {
    Stance.OUTSIDE: NoAnswerReason.NOT_A_LETTER,
    Stance.SEVERAL: NoAnswerReason.SEVERAL_LETTERS,
    Stance.UNSETTLED: NoAnswerReason.UNDECIDED,
}


def choose_option(response: str, options: Options) -> Choice | Abstention:
    """Find the option that a response chooses.

    Args:
        response: What the model said; `responses.answer_text` may have seen it already.
        options: The options in the order the model saw them.

    Returns:
        The choice and what decided it, or why there is none. Never raises for what a model said,
        and takes time linear in its length: of a very long response, the beginning and the end
        are searched for declarations (`markup.shortened`).
    """
    answer = answer_text(response)
    if isinstance(answer, NoAnswer):
        return Abstention(NoAnswerReason(answer.reason))
    turn, texts = first_turn(answer), option_texts(options)
    found = _chosen(turn, texts)
    before = before_next_question(turn)
    if before and isinstance(found, Choice):
        first = _chosen(before, texts)
        if isinstance(first, Choice) and first.letter != found.letter:
            return Abstention(NoAnswerReason.SEVERAL_LETTERS)
    return found


def _chosen(turn: str, texts: OptionTexts) -> Choice | Abstention:
    whole = exact_option(turn, texts) or option_after_lead_in(turn, texts)
    if whole:
        return _decided(whole)
    text = without_echo(shortened(plain(shortened(turn))), texts)
    named, revised = statements(text, texts), [*reconsidered(text, texts)]
    closing = last_line_option(text, texts)
    standing = _standing(sorted([*named, *revised], key=attrgetter("start")))
    if standing and standing.stance is Stance.DECLARED:
        if closing and closing.letter != standing.letter:
            return Abstention(NoAnswerReason.SEVERAL_LETTERS)
        return _decided(standing, Rule.DECLARED_LETTER, Rule.DECLARED_TEXT)
    if standing and not (closing and closing.start > standing.start):
        return _decided(standing)
    taken_back = {naming.letter for naming in named if naming.stance is Stance.TAKEN_BACK}
    first = first_line_option(text, texts)
    if first and any(naming.letter == first.letter for naming in revised):
        first = None
    conclusion = None if standing or first or closing else concluded(text, texts)
    if conclusion and conclusion.letter not in taken_back:
        return _decided(conclusion, Rule.DECLARED_LETTER)
    return _by_lines(first, closing, taken_back)


def _standing(named: Iterable[Naming]) -> Naming | None:
    """The last statement, unless it was taken back."""
    standing: Naming | None = None
    for naming in named:
        if naming.stance is not Stance.TAKEN_BACK:
            standing = naming
        elif standing and standing.letter == naming.letter:
            standing = None
    return standing


def _by_lines(
    first: Naming | None, closing: Naming | None, taken_back: Container[str]
) -> Choice | Abstention:
    """What the first and the last line choose, if they do not contradict each other."""
    if first and closing and (first.letter, first.stance) != (closing.letter, closing.stance):
        return Abstention(NoAnswerReason.SEVERAL_LETTERS)
    line = first or closing
    if not line or line.letter in taken_back:
        return Abstention(NoAnswerReason.UNDECIDED)
    rule = Rule.FIRST_LINE if first else Rule.LAST_LINE
    return _decided(line, rule, rule)


def _decided(
    named: Naming, by_letter: Rule = Rule.LETTER, by_text: Rule = Rule.TEXT
) -> Choice | Abstention:
    if named.stance is not Stance.DECLARED:
        return Abstention(_REASONS[named.stance])
    return Choice(named.letter, by_text if named.by_text else by_letter)
