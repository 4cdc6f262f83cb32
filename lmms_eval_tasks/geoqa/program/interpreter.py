"""The strict interpreter: a number, or a typed failure that names the token and its position.

A program is translated once into a table of instructions whose operands are places in one list:
constants, then the problem's numbers, then the steps' values. Values are addressed from the end of
the list, so that the table does not depend on how many numbers a problem has and can be reused.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from lmms_eval_tasks.geoqa.program.errors import (
    DomainError,
    ExecutionError,
    LimitError,
    NotFiniteError,
    TooLargeError,
    UnboundOperandError,
)
from lmms_eval_tasks.geoqa.program.operators import CONSTANTS, OPERATORS, Function, Operator
from lmms_eval_tasks.geoqa.program.syntax import Program, parse

_LARGEST = sys.float_info.max
_FUNCTIONS = {operator.token: operator.total() for operator in OPERATORS.values()}
_UNARY, _BINARY = 1, 2
_NO_PLACE = 0
_BANKS = {"N": "number(s) in the problem", "V": "step(s) before", "C": "constants"}
# Beams repeat short programs; a hostile long one must not stay in memory.
_KEPT_TABLES = 4_096
_KEPT_CHARACTERS = 256


# Arity, function, and the places of up to three operands.
_Instruction: TypeAlias = tuple[int, Function, int, int, int]


class _Table(NamedTuple):
    program: Program
    instructions: tuple[_Instruction, ...]
    numbers_needed: int


def evaluate(text: str, numbers: Sequence[float]) -> float:
    """Run a program and return the value of its last step.

    Args:
        text: The program in the token form.
        numbers: The values of N_0, N_1, …

    Raises:
        ProgramError: It has no result. The syntax of the whole program is checked first, then
            whether every operand exists, then the steps run from left to right.
    """
    return _run(text, numbers)[-1]


def evaluate_steps(text: str, numbers: Sequence[float]) -> tuple[float, ...]:
    """Run a program and return the value of each step; for the arguments see `evaluate`."""
    return tuple(_run(text, numbers)[len(CONSTANTS) + len(numbers) :])


def _run(text: str, numbers: Sequence[float]) -> list[float]:
    table = _kept_table(text) if len(text) <= _KEPT_CHARACTERS else _table(text)
    if table.numbers_needed > len(numbers):
        raise _unbound(table.program, 0, "N", len(numbers))
    memory = [*CONSTANTS, *numbers]
    try:
        for arity, function, first, second, third in table.instructions:
            if arity == _BINARY:
                value = function(memory[first], memory[second])
            elif arity == _UNARY:
                value = function(memory[first])
            else:
                value = function(memory[first], memory[second], memory[third])
            # False for NaN too, which marks an operator outside its domain.
            if not -_LARGEST <= value <= _LARGEST:
                break
            memory.append(value)
        else:
            return memory
    except OverflowError:
        pass
    raise _failure(table, memory, len(numbers))


def _table(text: str) -> _Table:
    program = parse(text)
    instructions: list[_Instruction] = []
    numbers_needed = 0
    for earlier, step in enumerate(program.steps):
        places = []
        for operand in step.operands:
            bank, index = operand.bank, operand.index
            if bank == "N":
                places.append(len(CONSTANTS) + index)
                numbers_needed = max(numbers_needed, index + 1)
                continue
            available = earlier if bank == "V" else len(CONSTANTS)
            if index >= available:
                raise _unbound(program, earlier, bank, available)
            places.append(index - earlier if bank == "V" else index)
        places += [_NO_PLACE] * (3 - len(places))
        function = _FUNCTIONS[step.operator]
        instructions.append((len(step.operands), function, places[0], places[1], places[2]))
    return _Table(program, tuple(instructions), numbers_needed)


_kept_table = lru_cache(maxsize=_KEPT_TABLES)(_table)


def _unbound(program: Program, done: int, bank: str, available: int) -> UnboundOperandError:
    """The failure of the first operand of this bank, from a step on, whose index is too high."""
    position = sum(1 + len(step.operands) for step in program.steps[:done])
    position, operand = next(
        (position, operand)
        for position, operand in enumerate(
            (operand for step in program.steps[done:] for operand in (None, *step.operands)),
            start=position,
        )
        if operand is not None and operand.bank == bank and operand.index >= available
    )
    why = f"there are {available} {_BANKS[bank]}"
    return UnboundOperandError(str(operand), position, why)


def _failure(table: _Table, memory: list[float], numbers: int) -> ExecutionError | LimitError:
    done = len(memory) - len(CONSTANTS) - numbers
    operator = OPERATORS[table.program.steps[done].operator]
    arity, _, *places = table.instructions[done]
    operands = [memory[place] for place in places[:arity]]
    position = sum(1 + len(step.operands) for step in table.program.steps[:done])
    return _reason(operator, operands, position)


def _reason(
    operator: Operator, operands: list[float], position: int
) -> ExecutionError | LimitError:
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
