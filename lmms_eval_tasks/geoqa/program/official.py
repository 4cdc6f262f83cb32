"""The published interpreter's behaviour, quirks included, for comparison with old papers.

What differs from the strict interpreter, and must: a domain failure is ``False``, which later steps
take for 0; only the first letter and the last character of an operand are looked at; a last
character that is no digit ends the run with a ValueError; the empty program has no values and is no
failure; a value may be infinite or not a number. Source: the behaviour of ``ManualProgram`` in
github.com/chen-judge/GeoQA.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from lmms_eval_tasks.geoqa.program.operators import CONSTANTS, OPERATORS, Operator
from lmms_eval_tasks.geoqa.program.syntax import MAX_CHARACTERS


class OfficialStatus(Enum):
    """How a run of the published interpreter ends."""

    VALUES = "values"
    NONE = "none"
    CRASH = "crash"
    TOO_LONG = "too_long"


@dataclass(frozen=True, slots=True)
class OfficialRun:
    """What the published interpreter makes of a program.

    Attributes:
        status: VALUES, NONE (it rejected the program), CRASH (it raised), or TOO_LONG (more than
            `MAX_CHARACTERS` characters: our limit, not the published one).
        values: One per step, ``False`` where an operator failed; empty unless the status is VALUES.
        error: The name of the exception it raised, where it did.
    """

    status: OfficialStatus
    values: tuple[float, ...] = ()
    error: str | None = None

    @property
    def answer(self) -> float | None:
        """The last value, which may be ``False``; None where there is none."""
        return self.values[-1] if self.values else None


def run_official(text: str, numbers: Sequence[float]) -> OfficialRun:
    """Run a program as the published interpreter does. Never raises for a program.

    Args:
        text: The program in the token form, well-formed or not.
        numbers: The values of N_0, N_1, …
    """
    if len(text) > MAX_CHARACTERS:
        return OfficialRun(OfficialStatus.TOO_LONG)
    try:
        values = _values(text.split(), numbers)
    except (ValueError, OverflowError) as error:
        return OfficialRun(OfficialStatus.CRASH, error=type(error).__name__)
    if values is None:
        return OfficialRun(OfficialStatus.NONE)
    return OfficialRun(OfficialStatus.VALUES, tuple(values))


def _values(tokens: list[str], numbers: Sequence[float]) -> list[float] | None:
    values: list[float] = []
    banks: Mapping[str, Sequence[float]] = {"N": numbers, "V": values, "C": CONSTANTS}
    position = 0
    while position < len(tokens):
        operator = OPERATORS.get(tokens[position])
        if operator is None or position + operator.arity >= len(tokens):
            return None
        operands: list[float] = []
        for token in tokens[position + 1 : position + 1 + operator.arity]:
            bank = banks.get(token[0])
            if bank is None or (index := int(token[-1])) >= len(bank):
                return None
            operands.append(bank[index])
        values.append(_apply(operator, operands))
        position += 1 + operator.arity
    return values


def _apply(operator: Operator, operands: list[float]) -> float:
    if operator.defined is not None and not operator.defined(*operands):
        return False
    return operator.function(*operands)
