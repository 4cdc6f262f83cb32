"""Why a program has no result: one class per reason, each naming the token and its position."""

from __future__ import annotations

from enum import Enum
from typing import ClassVar

_SHOWN_CHARACTERS = 60


class FailureReason(Enum):
    """Why a program has no result. The values are what results and counts show."""

    NO_PROGRAM = "no_program"
    UNREADABLE = "unreadable"
    AMBIGUOUS = "ambiguous"
    EMPTY_PROGRAM = "empty_program"
    UNKNOWN_OPERATOR = "unknown_operator"
    MISSING_OPERAND = "missing_operand"
    EXTRA_OPERAND = "extra_operand"
    MALFORMED_OPERAND = "malformed_operand"
    UNBOUND_OPERAND = "unbound_operand"
    OUT_OF_DOMAIN = "out_of_domain"
    NOT_FINITE = "not_finite"
    TOO_LONG = "too_long"
    TOO_LARGE = "too_large"


class ProgramError(Exception):
    """Root of the tree. Only the leaves, which have a reason, are raised.

    Attributes:
        reason: The reason, one per class.
        token: The token at fault, shortened; empty where there is none.
        position: The token's index in the program as it was written, counted from 0.
        why: One clause for a reader.
        offset: The index of the token's first character in the text that was read, or None where
            the failure came from running the program.
    """

    reason: ClassVar[FailureReason]

    def __init__(self, token: str, position: int, why: str, offset: int | None = None) -> None:
        self.token = shortened(token)
        self.position = position
        self.why = why
        self.offset = offset
        super().__init__(self.token, position, why, offset)

    def __str__(self) -> str:
        place = "" if self.offset is None else f" (character {self.offset})"
        return f"{self.reason.value}: token {self.position}{place}, {self.token!r}: {self.why}"


class ReadingError(ProgramError):
    """A response does not hold one program that can be told with certainty."""


class NoProgramError(ReadingError):
    """Nothing in the response looks like a program."""

    reason = FailureReason.NO_PROGRAM


class UnreadableError(ReadingError):
    """Something stands inside the program that is no part of the language."""

    reason = FailureReason.UNREADABLE


class AmbiguousError(ReadingError):
    """The text can be read as different programs."""

    reason = FailureReason.AMBIGUOUS


class ProgramSyntaxError(ProgramError):
    """The tokens do not form a program."""


class EmptyProgramError(ProgramSyntaxError):
    """There is no token at all."""

    reason = FailureReason.EMPTY_PROGRAM


class UnknownOperatorError(ProgramSyntaxError):
    """A token stands where an operator is due and is not one."""

    reason = FailureReason.UNKNOWN_OPERATOR


class MissingOperandError(ProgramSyntaxError):
    """An operator has fewer operands than it takes."""

    reason = FailureReason.MISSING_OPERAND


class ExtraOperandError(ProgramSyntaxError):
    """An operand is left over after an operator has all of its own."""

    reason = FailureReason.EXTRA_OPERAND


class MalformedOperandError(ProgramSyntaxError):
    """A token stands where an operand is due and is not one: a number, a bad index, a word."""

    reason = FailureReason.MALFORMED_OPERAND


class ExecutionError(ProgramError):
    """A well-formed program cannot be carried out with these numbers."""


class UnboundOperandError(ExecutionError):
    """An operand refers to a number, constant or earlier step that does not exist."""

    reason = FailureReason.UNBOUND_OPERAND


class DomainError(ExecutionError):
    """An operator is not defined for its operands."""

    reason = FailureReason.OUT_OF_DOMAIN


class NotFiniteError(ExecutionError):
    """A step yields an infinite value, or none that is a number."""

    reason = FailureReason.NOT_FINITE


class LimitError(ProgramError):
    """A named limit of the language was met."""


class TooLongError(LimitError):
    """Too many characters, steps, or levels of nesting."""

    reason = FailureReason.TOO_LONG


class TooLargeError(LimitError):
    """An index has too many digits, or a whole number outgrew the largest float."""

    reason = FailureReason.TOO_LARGE


def shortened(token: str) -> str:
    """Cut a token to what fits a message; a hostile one may be megabytes long."""
    return token if len(token) <= _SHOWN_CHARACTERS else f"{token[: _SHOWN_CHARACTERS - 1]}…"
