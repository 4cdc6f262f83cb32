"""The strict interpreter: a number, or a typed failure that names the token and its position.

Every token is looked up in a table that holds all of the language: for an operator how many
operands it takes and its function, for an operand its bank and its place there. So a program runs
while its tokens are read, once, and nothing is kept. Only a program that has no result is parsed,
to tell why.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from lmms_eval_tasks.geoqa.program.errors import (
    DomainError,
    NotFiniteError,
    ProgramError,
    TooLargeError,
    UnboundOperandError,
)
from lmms_eval_tasks.geoqa.program.operators import CONSTANTS, OPERATORS, Operator
from lmms_eval_tasks.geoqa.program.syntax import (
    MAX_CHARACTERS,
    MAX_STEPS,
    OPERANDS,
    Program,
    parse,
)

_LEAST, _LARGEST = -sys.float_info.max, sys.float_info.max
_UNARY, _BINARY = 1, 2
# In the order in which `_run` lists the banks.
_BANKS = {"C": "constants", "N": "number(s) in the problem", "V": "step(s) before"}
_FUNCTIONS = {token: (operator.arity, operator.total()) for token, operator in OPERATORS.items()}
_PLACES = {
    token: (list(_BANKS).index(operand.bank), operand.index) for token, operand in OPERANDS.items()
}


def evaluate(text: str, numbers: Sequence[float]) -> float:
    """Run a program and return the value of its last step.

    Args:
        text: The program in the token form.
        numbers: The values of N_0, N_1, …

    Raises:
        ProgramError: It has no result. The syntax of the whole program is at fault, or else the
            first operand that does not exist, or else the first step without a finite value.
    """
    return _run(text, numbers)[-1]


def evaluate_steps(text: str, numbers: Sequence[float]) -> tuple[float, ...]:
    """Run a program and return the value of each step; for the arguments see `evaluate`."""
    return tuple(_run(text, numbers))


def _run(text: str, numbers: Sequence[float]) -> list[float]:
    values: list[float] = []
    banks = (CONSTANTS, numbers, values)
    tokens = iter(text.split() if len(text) <= MAX_CHARACTERS else ())
    try:
        for token in tokens:
            arity, function = _FUNCTIONS[token]
            bank, index = _PLACES[next(tokens)]
            first = banks[bank][index]
            if arity == _UNARY:
                value = function(first)
            else:
                bank, index = _PLACES[next(tokens)]
                second = banks[bank][index]
                if arity == _BINARY:
                    value = function(first, second)
                else:
                    bank, index = _PLACES[next(tokens)]
                    value = function(first, second, banks[bank][index])
            # False for NaN too, which marks an operator outside its domain.
            if not _LEAST <= value <= _LARGEST:
                break
            values.append(value)
        else:
            if 0 < len(values) <= MAX_STEPS:
                return values
    except (LookupError, StopIteration, OverflowError):
        pass
    raise _failure(text, numbers, values)


def _failure(text: str, numbers: Sequence[float], values: list[float]) -> ProgramError:
    """Why a program has no result whose first steps yielded these values."""
    program = parse(text)
    unbound = _unbound(program, len(numbers))
    if unbound is not None:
        return unbound
    done = len(values)
    step = program.steps[done]
    banks: dict[str, Sequence[float]] = {"C": CONSTANTS, "N": numbers, "V": values}
    operands = [banks[operand.bank][operand.index] for operand in step.operands]
    position = sum(1 + len(earlier.operands) for earlier in program.steps[:done])
    return _reason(OPERATORS[step.operator], operands, position)


def _unbound(program: Program, numbers: int) -> UnboundOperandError | None:
    """The failure of the first operand that does not exist."""
    position = 0
    for done, step in enumerate(program.steps):
        available = {"C": len(CONSTANTS), "N": numbers, "V": done}
        for place, operand in enumerate(step.operands, start=position + 1):
            if operand.index >= available[operand.bank]:
                why = f"there are {available[operand.bank]} {_BANKS[operand.bank]}"
                return UnboundOperandError(str(operand), place, why)
        position += 1 + len(step.operands)
    return None


def _reason(operator: Operator, operands: list[float], position: int) -> ProgramError:
    values = ", ".join(map(_shown, operands))
    if operator.defined is not None and not operator.defined(*operands):
        why = f"defined for {operator.domain}, not for {values}"
        return DomainError(operator.token, position, why)
    try:
        grown = isinstance(operator.function(*operands), int)
    except OverflowError:
        grown = True
    if grown:
        why = f"a whole number outgrew the largest float, from {values}"
        return TooLargeError(operator.token, position, why)
    return NotFiniteError(operator.token, position, f"no finite value from {values}")


def _shown(value: float) -> str:
    # A whole number that came with the problem may be too large to be written as a float.
    return f"{value:.6g}" if abs(value) <= _LARGEST or isinstance(value, float) else "a huge number"
