"""Whether a program computes an answer in the way the gold program does.

A right answer from another formula than the gold's is a right answer by luck more often than not:
four options are close to each other, and short programs land on many values.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from lmms_eval_tasks.geoqa.program.errors import ProgramError
from lmms_eval_tasks.geoqa.program.interpreter import evaluate
from lmms_eval_tasks.geoqa.program.syntax import Program, parse, render
from lmms_eval_tasks.geoqa.prover import Prover, ProverFailedError, ProverTimeoutError
from lmms_eval_tasks.geoqa.symbolic import Finding

Proof: TypeAlias = Callable[[str, str, Sequence[float]], Finding]

MAX_FORMULA_SIZE = 200
_SAME_VALUE = 1e-6


class Equivalence(Enum):
    """How a program relates to the gold program."""

    EQUIVALENT = "equivalent"
    DIFFERENT = "different"
    UNDECIDED = "undecided"


class UndecidedReason(Enum):
    """Why it is not known how a program relates to the gold program."""

    TOO_LARGE = "too_large"
    TIME_LIMIT = "time_limit"
    NOT_PROVEN = "not_proven"
    GOLD_FAILS = "gold_fails"
    NO_PROVER = "no_prover"


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a comparison with the gold program found.

    Attributes:
        outcome: How the program relates to it.
        reason: Why that is not known; None where it is.
    """

    outcome: Equivalence
    reason: UndecidedReason | None = None


_SHARED = Prover()
_FINDINGS = {
    Finding.SAME: Comparison(Equivalence.EQUIVALENT),
    Finding.DIFFERENT: Comparison(Equivalence.DIFFERENT),
    Finding.NOT_PROVEN: Comparison(Equivalence.UNDECIDED, UndecidedReason.NOT_PROVEN),
}


def compare(
    candidate: str,
    gold: str,
    numbers: Sequence[float],
    prove: Proof = _SHARED.compare,
) -> Comparison:
    """Tell whether a program is the same formula of the problem's numbers as the gold program.

    Most cases need no algebra: a program that fails or has another value is different, and one
    that is the gold itself is equivalent. What is left goes to sympy, within limits.

    Args:
        candidate: The program in the token form, well-formed or not.
        gold: The gold program in the token form.
        numbers: The values of N_0, N_1, …
        prove: Compares two programs with equal values; the default asks a process that is shared by
            all threads, and starts with the first question.

    Returns:
        EQUIVALENT, DIFFERENT, or UNDECIDED with its reason: a formula of more than
        `MAX_FORMULA_SIZE` operators and operands, more than `prover.TIME_LIMIT_S` seconds, equal
        values that sympy cannot explain, or a gold program that does not run.
    """
    try:
        expected, gold_program = evaluate(gold, numbers), parse(gold)
    except ProgramError:
        return _undecided(UndecidedReason.GOLD_FAILS)
    try:
        value, program = evaluate(candidate, numbers), parse(candidate)
    except ProgramError:
        return Comparison(Equivalence.DIFFERENT)
    if program == gold_program:
        return Comparison(Equivalence.EQUIVALENT)
    if not math.isclose(value, expected, rel_tol=_SAME_VALUE, abs_tol=_SAME_VALUE):
        return Comparison(Equivalence.DIFFERENT)
    return _proven(program, gold_program, numbers, prove)


def _proven(program: Program, gold: Program, numbers: Sequence[float], prove: Proof) -> Comparison:
    if max(formula_size(program), formula_size(gold)) > MAX_FORMULA_SIZE:
        return _undecided(UndecidedReason.TOO_LARGE)
    try:
        return _FINDINGS[prove(render(program), render(gold), numbers)]
    except ProverTimeoutError:
        return _undecided(UndecidedReason.TIME_LIMIT)
    except ProverFailedError:
        return _undecided(UndecidedReason.NO_PROVER)


def _undecided(reason: UndecidedReason) -> Comparison:
    return Comparison(Equivalence.UNDECIDED, reason)


def formula_size(program: Program) -> int:
    """How many operators and operands the last step's formula has, written out in full.

    It can double with every step; anything above `MAX_FORMULA_SIZE` is given as one more than that.
    """
    sizes: list[int] = []
    for step in program.steps:
        parts = (sizes[o.index] if o.bank == "V" else 1 for o in step.operands)
        sizes.append(min(1 + sum(parts), MAX_FORMULA_SIZE + 1))
    return sizes[-1]
