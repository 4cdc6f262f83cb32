"""Tells lines that are programs from prose about geometry, by the kinds of their lexemes."""

from __future__ import annotations

from lmms_eval_tasks.geoqa.program.lexer import Kind, Lexeme
from lmms_eval_tasks.geoqa.program.operators import OPERATORS
from lmms_eval_tasks.geoqa.program.phrases import (
    OPERATORS_AND_NAMES,
    after_remark,
    after_result_words,
    assigns,
)

_GOES_ON = frozenset({Kind.OPERAND, Kind.CLOSE, Kind.COMMENT, Kind.SPLIT})
_ENDS_THE_PROGRAM = frozenset({Kind.EQUALS, Kind.ARROW, Kind.COMMENT, Kind.SPLIT})
_FOLLOWS_AN_OPERATOR = frozenset({Kind.OPERAND, Kind.NUMBER, Kind.OPEN})
_FOLLOWS_A_NAME = frozenset({Kind.OPERAND, Kind.OPEN})
_COMPUTES = OPERATORS_AND_NAMES | {Kind.OPERAND}
_HANDS_BACK = frozenset({"return", "print"})
_MOST_PARENTHESES = 3
_WORDS_OF_A_SENTENCE = 3


def is_operator(lexemes: list[Lexeme], at: int) -> bool:
    """Whether an operator stands here; one that is an English word needs an operand behind it."""
    kind = lexemes[at].kind
    if kind is not Kind.NAME:
        return kind in OPERATORS_AND_NAMES
    behind = _after_parentheses(lexemes, at + 1)
    if behind == len(lexemes):
        return False
    kind = lexemes[behind].kind
    return kind is Kind.OPERAND or (behind > at + 1 and kind in OPERATORS_AND_NAMES)


def first_operator(lexemes: list[Lexeme]) -> int:
    """The index of the first operator, or -1."""
    return next((at for at in range(len(lexemes)) if is_operator(lexemes, at)), -1)


def begins_like_a_program(lexemes: list[Lexeme], start: int = 0) -> bool:
    """Whether a line is, from here on, a program, though perhaps a faulty one, and not prose."""
    at = _after_parentheses(lexemes, start)
    if assigns(lexemes, at):
        at = _after_parentheses(lexemes, at + 2)
    if at == len(lexemes) or not is_operator(lexemes, at):
        return False
    behind = [lexeme.kind for lexeme in lexemes[at + 1 :]]
    if _FOLLOWS_AN_OPERATOR.isdisjoint(behind) or behind[0] is Kind.COLON:
        return False
    most_words = 0 if lexemes[at].kind is Kind.NAME else 1
    return _strange_words(lexemes, at) <= most_words


def may_go_on(lexemes: list[Lexeme]) -> bool:
    """Whether a line can belong to the program above it: operands, a parenthesis, a result."""
    rest = lexemes[after_result_words(lexemes, 0) :]
    return bool(rest) and all(lexeme.kind in _GOES_ON for lexeme in rest)


def is_aside(lexemes: list[Lexeme]) -> bool:
    """Whether a line in a program's fence says something of its own: `"answer": 65`, a sentence."""
    kinds = [lexeme.kind for lexeme in lexemes]
    if not _COMPUTES.isdisjoint(kinds) or lexemes[0].text in _HANDS_BACK:
        return False
    return Kind.COLON in kinds or kinds.count(Kind.WORD) >= _WORDS_OF_A_SENTENCE


def after_introduction(lexemes: list[Lexeme]) -> tuple[list[Lexeme], list[Lexeme]]:
    """Part a line at the colon that introduces its program: `So the final program is: …`."""
    operator = first_operator(lexemes)
    if not begins_like_a_program(lexemes):
        for at in range(operator):
            if lexemes[at].kind is Kind.COLON and begins_like_a_program(lexemes, at + 1):
                return lexemes[:at], lexemes[at + 1 :]
    return [], lexemes


def _after_parentheses(lexemes: list[Lexeme], at: int) -> int:
    end = at
    while end < len(lexemes) and end < at + _MOST_PARENTHESES and lexemes[end].kind is Kind.OPEN:
        end += 1
    return end


def _strange_words(lexemes: list[Lexeme], at: int) -> int:
    """How many words a program would not have; 2 for one behind a complete step, as prose has.

    A word counts once where an operand is due, or where it may be an operator that does not exist.
    """
    words = due = 0
    while at < len(lexemes) and lexemes[at].kind not in _ENDS_THE_PROGRAM:
        kind = lexemes[at].kind
        behind = lexemes[at + 1].kind if at + 1 < len(lexemes) else None
        if kind in OPERATORS_AND_NAMES:
            operator = OPERATORS.get(lexemes[at].text)
            due += operator.arity if operator else 1
        elif kind is Kind.WORD:
            words += 1 if due or behind in _FOLLOWS_A_NAME else 2
            due = max(due - 1, 0)
        elif kind in {Kind.OPERAND, Kind.NUMBER}:
            due = max(due - 1, 0)
        elif kind is Kind.OPEN and (end := after_remark(lexemes, at)):
            at = end - 1
        at += 1
    return words
