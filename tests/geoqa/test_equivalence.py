"""Whether a program is the gold's own formula, decided within limits."""

from __future__ import annotations

import json
import math
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lmms_eval_tasks.geoqa.equivalence import (
    MAX_FORMULA_SIZE,
    Comparison,
    Equivalence,
    UndecidedReason,
    compare,
    formula_size,
)
from lmms_eval_tasks.geoqa.program.errors import ProgramError
from lmms_eval_tasks.geoqa.program.interpreter import evaluate
from lmms_eval_tasks.geoqa.program.operators import OPERATORS
from lmms_eval_tasks.geoqa.program.syntax import parse
from lmms_eval_tasks.geoqa.prover import Prover, ProverFailedError, ProverTimeoutError
from lmms_eval_tasks.geoqa.symbolic import Finding, compare_formulas

EQUIVALENT = Comparison(Equivalence.EQUIVALENT)
DIFFERENT = Comparison(Equivalence.DIFFERENT)


def undecided(reason: UndecidedReason) -> Comparison:
    return Comparison(Equivalence.UNDECIDED, reason)


def never(*_: object) -> Finding:
    pytest.fail("sympy was asked")


@pytest.mark.parametrize(
    ("candidate", "gold", "numbers"),
    [
        ("g_half N_0 g_minus C_2 V_0", "g_minus C_3 N_0 g_half V_0", [50.0]),
        ("g_minus N_0 C_3 g_half V_0", "g_minus C_3 N_0 g_half V_0", [50.0]),
        ("g_equal N_0", "g_minus C_3 N_0 g_minus C_3 V_0", [50.0]),
        ("gougu_add N_1 N_0", "gougu_add N_0 N_1", [3.0, 4.0]),
        ("g_equal N_1", "gougu_minus N_0 N_1 gougu_minus N_0 V_0", [13.0, 5.0]),
        ("g_mul N_0 N_2 g_divide V_0 N_1", "g_bili N_0 N_1 N_2", [3.0, 4.0, 5.0]),
        ("g_minus C_2 N_0 g_cos V_0", "g_sin N_0", [30.0]),
        ("g_sin N_0 g_cos N_0 g_divide V_0 V_1", "g_tan N_0", [30.0]),
        ("g_acos N_0 g_minus C_2 V_0", "g_asin N_0", [0.5]),
        ("g_half N_0", "g_cos C_1 g_mul V_0 N_0", [8.0]),
        ("g_mul N_0 N_0 g_mul V_0 C_5", "cal_circle_area N_0", [3.0]),
        ("g_double N_0 g_mul V_0 C_5", "cal_circle_perimeter N_0", [3.0]),
        ("g_mul C_5 N_0 g_mul V_0 N_1", "cal_cone N_0 N_1", [3.0, 5.0]),
        ("g_minus N_1 N_0", "g_minus N_0 N_1", [8.0, 8.0]),
        ("g_add N_0 N_1", "g_add N_1 N_0", [0.0, 2.0]),
        ("g_double N_0 g_half N_0 g_double V_1", "g_equal N_0", [7.0]),
    ],
)
def test_the_same_formula_written_in_another_way(
    candidate: str, gold: str, numbers: list[float]
) -> None:
    assert compare(candidate, gold, numbers) == EQUIVALENT
    assert compare(gold, candidate, numbers) == EQUIVALENT


@pytest.mark.parametrize(
    ("candidate", "gold", "numbers"),
    [
        ("g_mul N_0 N_0", "g_double N_0", [2.0]),
        ("g_equal C_0", "gougu_add N_0 N_1", [18.0, 24.0]),
        ("g_equal N_1", "g_equal N_0", [30.0, 30.0]),
        ("g_half C_2", "g_minus C_3 N_0 g_half V_0", [90.0]),
        ("g_tan C_0 g_mul V_0 N_0", "g_sin C_0 g_mul V_0 N_1", [math.sqrt(3), 2.0]),
    ],
)
def test_a_right_answer_from_another_formula(
    candidate: str, gold: str, numbers: list[float]
) -> None:
    assert evaluate(candidate, numbers) == pytest.approx(evaluate(gold, numbers))
    assert compare(candidate, gold, numbers) == DIFFERENT


@pytest.mark.parametrize(
    ("candidate", "found"),
    [
        ("g_minus C_3 N_0", EQUIVALENT),
        ("  g_minus\nC_3 N_0 ", EQUIVALENT),
        ("g_half N_0", DIFFERENT),
        ("g_sin N_0", DIFFERENT),
        ("g_half N_7", DIFFERENT),
        ("", DIFFERENT),
        ("nothing of the kind", DIFFERENT),
    ],
)
def test_most_cases_need_no_sympy(candidate: str, found: Comparison) -> None:
    assert compare(candidate, "g_minus C_3 N_0", [50.0], never) == found


@pytest.mark.parametrize("gold", ["", "g_sin N_0", "g_half N_7", "no program"])
def test_a_gold_that_does_not_run_decides_nothing(gold: str) -> None:
    assert compare("g_half N_0", gold, [50.0], never) == undecided(UndecidedReason.GOLD_FAILS)


def squared(times: int) -> str:
    return " ".join(["g_mul N_0 N_0", *(f"g_mul V_{k} V_{k}" for k in range(times))])


def test_a_formula_that_doubles_with_every_step_is_too_large() -> None:
    assert formula_size(parse("g_half N_0 g_half V_0")) == 3
    assert formula_size(parse(squared(3))) == 2**5 - 1
    assert formula_size(parse(squared(900))) == MAX_FORMULA_SIZE + 1
    found = compare(squared(20), f"{squared(20)} g_equal V_20", [1.0], never)
    assert found == undecided(UndecidedReason.TOO_LARGE)


def failing(error: Exception) -> Any:
    def prove(*_: object) -> Finding:
        raise error

    return prove


@pytest.mark.parametrize(
    ("prove", "reason"),
    [
        (failing(ProverTimeoutError("x")), UndecidedReason.TIME_LIMIT),
        (failing(ProverFailedError("x")), UndecidedReason.NO_PROVER),
        (lambda *_: Finding.NOT_PROVEN, UndecidedReason.NOT_PROVEN),
    ],
)
def test_what_sympy_does_not_answer_has_its_reason(prove: Any, reason: UndecidedReason) -> None:
    assert compare("g_add N_0 N_0", "g_double N_0", [1.0], prove) == undecided(reason)


def sine_of_a_sum(angles: int) -> tuple[str, str]:
    """The sine of N_0 + N_1 + … by the addition theorem, and directly: slow to prove."""
    steps: list[str] = []

    def add(step: str) -> str:
        steps.append(step)
        return f"V_{len(steps) - 1}"

    sine, cosine = add("g_sin N_0"), add("g_cos N_0")
    for index in range(1, angles):
        next_sine, next_cosine = add(f"g_sin N_{index}"), add(f"g_cos N_{index}")
        products = [
            add(f"g_mul {one} {other}")
            for one, other in (
                (sine, next_cosine),
                (cosine, next_sine),
                (cosine, next_cosine),
                (sine, next_sine),
            )
        ]
        cosine = add(f"g_minus {products[2]} {products[3]}")
        sine = add(f"g_add {products[0]} {products[1]}")
    sums = ["g_add N_0 N_1", *(f"g_add V_{k} N_{k + 2}" for k in range(angles - 2))]
    return " ".join(steps), " ".join([*sums, f"g_sin V_{angles - 2}"])


def test_the_time_limit_holds_in_threads_and_the_next_question_is_answered() -> None:
    prover = Prover(time_limit_s=0.5)
    slow, direct = sine_of_a_sum(6)
    numbers = [15.0] * 6
    assert evaluate(slow, numbers) == pytest.approx(evaluate(direct, numbers))

    def ask(_: int) -> float:
        started = time.perf_counter()
        with pytest.raises(ProverTimeoutError):
            prover.compare(slow, direct, numbers)
        return time.perf_counter() - started

    with ThreadPoolExecutor(2) as threads:
        assert max(threads.map(ask, range(2))) < 30
    assert prover.compare("g_add N_0 N_1", "g_add N_1 N_0", numbers) is Finding.SAME
    prover.close()


def test_many_threads_share_one_process() -> None:
    prover = Prover()
    pairs = [("g_add N_0 N_1", f"g_half N_{k % 2} g_double V_0") for k in range(40)]
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda pair: prover.compare(*pair, [1.0, 2.0]), pairs))
    assert found == [Finding.DIFFERENT] * 40
    prover.close()
    assert prover.compare("g_half N_0", "g_half N_0", [1.0]) is Finding.SAME
    prover.close()
    prover.close()


def test_a_process_that_dies_is_said_and_replaced() -> None:
    prover = Prover()
    assert prover.compare("g_half N_0", "g_half N_0", [1.0]) is Finding.SAME
    process = prover._process
    assert process is not None
    process.kill()
    process.wait()
    assert prover.compare("g_half N_0", "g_half N_0", [1.0]) is Finding.SAME
    prover.close()


@pytest.mark.parametrize("interpreter", ["/no/such/python", "/bin/false"])
def test_where_no_process_can_start_nothing_is_decided(
    monkeypatch: pytest.MonkeyPatch, interpreter: str
) -> None:
    monkeypatch.setattr("sys.executable", interpreter)
    prover = Prover()
    with pytest.raises(ProverFailedError):
        prover.compare("g_half N_0", "g_half N_0", [1.0])
    found = compare("g_add N_0 N_0", "g_double N_0", [1.0], prover.compare)
    assert found == undecided(UndecidedReason.NO_PROVER)


def test_a_question_sympy_chokes_on_is_not_proven_and_the_next_is_answered() -> None:
    prover = Prover()
    assert prover.compare("g_half N_7", "g_half N_0", [1.0]) is Finding.NOT_PROVEN
    assert prover.compare("g_half N_0", "g_half N_0", [1.0]) is Finding.SAME
    prover.close()


operands = st.sampled_from(["N_0", "N_1", "C_0", "C_5", "V_0", "V_1"])


@st.composite
def programs(draw: st.DrawFn) -> str:
    names = draw(st.lists(st.sampled_from(sorted(OPERATORS)), min_size=1, max_size=3))
    return " ".join(
        " ".join([name, *(draw(operands) for _ in range(OPERATORS[name].arity))]) for name in names
    )


def value_of(program: str, numbers: list[float]) -> float:
    try:
        return evaluate(program, numbers)
    except ProgramError:
        return math.nan


@settings(deadline=None, max_examples=150)
@given(programs(), programs())
def test_any_two_programs_have_an_outcome_that_their_values_bear_out(
    candidate: str, gold: str
) -> None:
    numbers = [30.0, 45.0]
    found = compare(candidate, gold, numbers, compare_formulas)
    values = [value_of(text, numbers) for text in (candidate, gold)]
    if found == EQUIVALENT:
        assert values[0] == pytest.approx(values[1], rel=1e-6, abs=1e-6)
    if found.reason is UndecidedReason.GOLD_FAILS:
        assert math.isnan(values[1])


@settings(deadline=None, max_examples=60)
@given(programs())
def test_a_program_with_a_needless_step_is_the_same(program: str) -> None:
    numbers = [30.0, 45.0]
    last = len(parse(program).steps) - 1
    longer = f"{program} g_double V_{last} g_half V_{last + 1}"
    found = compare(longer, program, numbers, compare_formulas)
    assert found in (EQUIVALENT, undecided(UndecidedReason.GOLD_FAILS), DIFFERENT)
    if found == DIFFERENT:
        # Twice the largest float is none.
        with pytest.raises(ProgramError):
            evaluate(longer, numbers)


def test_real_golds_are_told_from_each_other(shared_data: Path) -> None:
    text = (shared_data / "geoqa_test_rows_150.json").read_text(encoding="utf-8")
    rows: list[dict[str, Any]] = json.loads(text)
    for row in rows:
        program, numbers = row["program"], row["numbers"]
        last = len(parse(program).steps) - 1
        longer = f"g_equal C_0 {shifted(program)} g_double V_{last + 1} g_half V_{last + 2}"
        assert compare(longer, program, numbers) == EQUIVALENT, row["id"]
        if (value := row["choice_nums"][row["label"]]) and len(numbers) and "N_" in program:
            constant = compare(f"g_equal N_{len(numbers)}", program, [*numbers, value])
            assert constant.outcome is not Equivalence.EQUIVALENT, row["id"]


def shifted(program: str) -> str:
    """The program with every V_k one place further."""
    return " ".join(
        f"V_{int(token[2:]) + 1}" if token.startswith("V_") else token for token in program.split()
    )
