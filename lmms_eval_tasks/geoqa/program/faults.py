"""What is wrong where the steps of a response cannot be read on."""

from __future__ import annotations

from lmms_eval_tasks.geoqa.program.errors import (
    ExtraOperandError,
    MalformedOperandError,
    MissingOperandError,
    ProgramError,
    UnknownOperatorError,
    UnreadableError,
)
from lmms_eval_tasks.geoqa.program.lexer import Kind, Lexeme
from lmms_eval_tasks.geoqa.program.phrases import position_of
from lmms_eval_tasks.geoqa.program.written import RawStep


def at_lexeme(error: type[ProgramError], lexemes: list[Lexeme], at: int, why: str) -> ProgramError:
    """A failure that names a lexeme and where it stands."""
    return error(lexemes[at].text, position_of(lexemes, at), why, lexemes[at].start)


def not_an_operator(lexemes: list[Lexeme], at: int) -> ProgramError:
    """What stands where an operator is due."""
    kind = lexemes[at].kind
    if kind in {Kind.OPERAND, Kind.NUMBER}:
        why = "an operand stands where an operator is due"
        return at_lexeme(ExtraOperandError, lexemes, at, why)
    if kind in {Kind.WORD, Kind.ODD_OPERATOR}:
        return at_lexeme(UnknownOperatorError, lexemes, at, "no operator has this name")
    return at_lexeme(UnreadableError, lexemes, at, "this is no part of the language")


def not_an_operand(lexemes: list[Lexeme], at: int) -> ProgramError:
    """What stands where an operand is due."""
    kind = lexemes[at].kind
    if kind is Kind.NUMBER:
        why = "numbers are written as N_i or C_i"
        return at_lexeme(MalformedOperandError, lexemes, at, why)
    if kind is Kind.WORD:
        why = "an operand is N_i, V_i or C_i with a whole index"
        return at_lexeme(MalformedOperandError, lexemes, at, why)
    return at_lexeme(UnreadableError, lexemes, at, "an operand is due")


def left_over(lexemes: list[Lexeme], at: int, step: RawStep) -> ProgramError:
    """What stands where the parenthesis of a step with all its operands has to close."""
    if lexemes[at].kind in {Kind.OPERAND, Kind.NUMBER, Kind.WORD}:
        why = f"{step.operator} takes {step.arity} operand(s)"
        return at_lexeme(ExtraOperandError, lexemes, at, why)
    return at_lexeme(UnreadableError, lexemes, at, "a closing parenthesis is due")


def missing_operand(lexemes: list[Lexeme], step: RawStep) -> ProgramError:
    """A step that another one, or a closing parenthesis, cuts short."""
    why = f"takes {step.arity} operand(s) and has {len(step.operands)}"
    return at_lexeme(MissingOperandError, lexemes, lexemes.index(step.lexeme), why)


def unfinished(lexemes: list[Lexeme], step: RawStep) -> ProgramError:
    """A step that is not complete where the text ends."""
    if len(step.operands) < step.arity:
        return missing_operand(lexemes, step)
    why = "its parenthesis never closes"
    return at_lexeme(UnreadableError, lexemes, lexemes.index(step.lexeme), why)
