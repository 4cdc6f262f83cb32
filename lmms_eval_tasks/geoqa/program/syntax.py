"""Programs as values, and their token form: an operator, then its operands, separated by spaces."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice
from typing import cast

from lmms_eval_tasks.geoqa.program.errors import (
    EmptyProgramError,
    ExtraOperandError,
    MalformedOperandError,
    MissingOperandError,
    ProgramError,
    TooLargeError,
    TooLongError,
    UnknownOperatorError,
)
from lmms_eval_tasks.geoqa.program.operators import OPERATORS

MAX_CHARACTERS = 100_000
MAX_STEPS = 1_000
MAX_INDEX_DIGITS = 3

_TOKEN = re.compile(r"\S+")
_OPERAND = re.compile(r"([NVC])_(0|[1-9][0-9]*)")


@dataclass(frozen=True, slots=True)
class Operand:
    """What an operator is applied to.

    Attributes:
        bank: ``N`` (numbers of the problem), ``C`` (constants) or ``V`` (values of earlier steps).
        index: The whole index, from 0.
    """

    bank: str
    index: int

    def __str__(self) -> str:
        return f"{self.bank}_{self.index}"


# Every operand the language has, by its token.
OPERANDS = {
    f"{bank}_{index}": Operand(bank, index)
    for bank in "NVC"
    for index in range(10**MAX_INDEX_DIGITS)
}


@dataclass(frozen=True, slots=True)
class Step:
    """One operator with its operands; its value is what ``V_k`` means after k earlier steps."""

    operator: str
    operands: tuple[Operand, ...]

    def __str__(self) -> str:
        return " ".join((self.operator, *map(str, self.operands)))


@dataclass(frozen=True, slots=True)
class Program:
    """A well-formed program: known operators, each with as many operands as it takes.

    Whether the operands exist is a matter of running it.
    """

    steps: tuple[Step, ...]


def render(program: Program) -> str:
    """Write a program in the token form."""
    return " ".join(map(str, program.steps))


def parse(text: str) -> Program:
    """Read the token form.

    Args:
        text: Tokens separated by white space.

    Raises:
        ProgramSyntaxError: It is no program; the leaf says why.
        LimitError: It has more than `MAX_CHARACTERS` characters or `MAX_STEPS` steps, or an index
            of more than `MAX_INDEX_DIGITS` digits.
    """
    if len(text) > MAX_CHARACTERS:
        raise TooLongError(text, 0, f"a program has at most {MAX_CHARACTERS} characters", 0)
    tokens = text.split()
    if not tokens:
        raise EmptyProgramError("", 0, "there is no token", 0)
    steps: list[Step] = []
    position = 0
    while position < len(tokens):
        if len(steps) == MAX_STEPS:
            why = f"a program has at most {MAX_STEPS} steps"
            raise _failure(TooLongError, text, position, why)
        operator = OPERATORS.get(tokens[position])
        if operator is None:
            raise _no_operator(text, position, tokens[position])
        end = position + 1 + operator.arity
        operands = tuple(map(OPERANDS.get, tokens[position + 1 : end]))
        if len(operands) < operator.arity or None in operands:
            raise _bad_operand(text, tokens, position, operator.arity)
        steps.append(Step(operator.token, cast("tuple[Operand, ...]", operands)))
        position = end
    return Program(tuple(steps))


def _no_operator(text: str, position: int, token: str) -> ProgramError:
    if _OPERAND.fullmatch(token):
        why = "an operand stands where an operator is due"
        return _failure(ExtraOperandError, text, position, why)
    return _failure(UnknownOperatorError, text, position, "no operator has this name")


def _bad_operand(text: str, tokens: list[str], position: int, arity: int) -> ProgramError:
    place = position + 1
    while place < len(tokens) and tokens[place] in OPERANDS:
        place += 1
    if place == len(tokens) or tokens[place] in OPERATORS:
        why = f"takes {arity} operand(s) and has {place - position - 1}"
        return _failure(MissingOperandError, text, position, why)
    if _OPERAND.fullmatch(tokens[place]):
        why = f"an index has at most {MAX_INDEX_DIGITS} digits"
        return _failure(TooLargeError, text, place, why)
    why = "an operand is N_i, V_i or C_i with a whole index"
    return _failure(MalformedOperandError, text, place, why)


def _failure(error: type[ProgramError], text: str, position: int, why: str) -> ProgramError:
    token = next(islice(_TOKEN.finditer(text), position, None))
    return error(token.group(), position, why, token.start())
