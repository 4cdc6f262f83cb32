"""The interpreter against a loop over a dictionary of functions, side by side in one run.

Within a round no text comes twice, so that what is measured is reading and running a program.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

import pytest

from lmms_eval_tasks.geoqa.program.interpreter import evaluate
from lmms_eval_tasks.geoqa.program.operators import CONSTANTS, OPERATORS

Run = Callable[[str, Sequence[float]], float]
Case = tuple[str, list[float]]

LEAST_RATIO = 2.5
LEAST_PROGRAMS_A_SECOND = 150_000
ROUNDS = 15
ATTEMPTS = 5
REPEATS = 40

# In the manner of the benchmark's golds, for a checkout without its rows: 1 to 4 operators.
OWN_GOLDS: list[Case] = [
    ("g_double N_0", [35.0]),
    ("g_minus C_3 N_1", [2.0, 40.0]),
    ("g_half C_2", [40.0]),
    ("gougu_add N_0 N_1", [5.0, 12.0]),
    ("g_minus C_3 N_0 g_half V_0", [44.0]),
    ("g_half N_0 gougu_minus N_1 V_0", [6.0, 5.0]),
    ("g_add N_0 N_1 g_minus C_3 V_0", [55.0, 65.0]),
    ("g_bili N_0 N_1 N_2", [2.0, 3.0, 6.0]),
    ("g_sin N_0 g_mul N_1 V_0", [30.0, 8.0]),
    ("g_divide N_0 N_1 g_acos V_0 g_double V_1", [3.0, 6.0]),
    ("g_minus C_2 N_0 g_minus C_3 V_0 g_half V_1 g_add V_2 N_0", [20.0]),
    ("gougu_minus N_1 N_0 g_half V_0 cal_circle_area V_1", [3.0, 5.0]),
]

FUNCTIONS = {token: operator.function for token, operator in OPERATORS.items()}
DOMAINS = {token: operator.defined for token, operator in OPERATORS.items() if operator.defined}
ARITIES = {token: operator.arity for token, operator in OPERATORS.items()}


class NoResultError(Exception):
    pass


def read_operand(token: str, numbers: Sequence[float], values: Sequence[float]) -> float:
    bank, _, digits = token.partition("_")
    if not digits.isdigit():
        raise NoResultError
    banks = {"N": numbers, "V": values, "C": CONSTANTS}
    index = int(digits)
    if bank not in banks or index >= len(banks[bank]):
        raise NoResultError
    return banks[bank][index]


def straightforward(text: str, numbers: Sequence[float]) -> float:
    """The same strict rules, looked up and checked as one would write them down at first."""
    tokens = text.split()
    values: list[float] = []
    position = 0
    while position < len(tokens):
        name = tokens[position]
        if name not in FUNCTIONS:
            raise NoResultError
        arity = ARITIES[name]
        written = tokens[position + 1 : position + 1 + arity]
        if len(written) < arity:
            raise NoResultError
        operands = [read_operand(token, numbers, values) for token in written]
        if name in DOMAINS and not DOMAINS[name](*operands):
            raise NoResultError
        value = FUNCTIONS[name](*operands)
        if not math.isfinite(value):
            raise NoResultError
        values.append(value)
        position += 1 + arity
    return values[-1]


def seconds_a_program(run: Run, cases: list[Case]) -> float:
    begun = time.process_time()
    for text, numbers in cases:
        run(text, numbers)
    return (time.process_time() - begun) / len(cases)


def golds(repository: Path) -> list[Case]:
    rows = repository.parent / "shared" / "data" / "geoqa_test_rows_150.json"
    if not rows.is_file():
        return OWN_GOLDS
    return [(row["program"], row["numbers"]) for row in json.loads(rows.read_text("utf-8"))]


def without_repeats(cases: list[Case]) -> list[Case]:
    """The programs many times over, every text another by the blanks at its end."""
    distinct = dict(cases)
    return [
        (text + " " * blanks, numbers)
        for blanks in range(REPEATS)
        for text, numbers in distinct.items()
    ]


def measured(fresh: list[Case]) -> tuple[float, float]:
    """The median ratio of pairs taken in turn, and the median number of programs a second."""
    pairs = [
        (seconds_a_program(straightforward, fresh), seconds_a_program(evaluate, fresh))
        for _ in range(ROUNDS)
    ]
    ratio = median(loop / table for loop, table in pairs)
    programs_a_second = median(1 / table for _, table in pairs)
    print(  # noqa: T201 - a benchmark's result is what it prints
        f"\n{len(fresh)} programs, no text twice: {programs_a_second:,.0f}/s, "
        f"{ratio:.2f} times the loop"
    )
    return ratio, programs_a_second


@pytest.mark.benchmark
def test_the_table_is_faster_than_a_dictionary_of_functions() -> None:
    cases = golds(Path(__file__).resolve().parents[2])
    assert all(evaluate(*case) == straightforward(*case) for case in cases)
    fresh = without_repeats(cases)
    # Whatever else runs on the machine disturbs one side of a pair more than the other.
    best = max(measured(fresh) for _ in range(ATTEMPTS))
    assert best[0] >= LEAST_RATIO
    assert best[1] >= LEAST_PROGRAMS_A_SECOND
