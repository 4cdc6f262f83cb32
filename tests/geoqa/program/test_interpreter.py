from __future__ import annotations

import json
import math
import re
from pathlib import Path

import pytest

from lmms_eval_tasks.geoqa.program.errors import (
    DomainError,
    FailureReason,
    NotFiniteError,
    ProgramError,
    TooLargeError,
    TooLongError,
    UnboundOperandError,
)
from lmms_eval_tasks.geoqa.program.interpreter import evaluate, evaluate_steps
from lmms_eval_tasks.geoqa.program.official import run_official
from lmms_eval_tasks.geoqa.program.syntax import MAX_CHARACTERS, MAX_STEPS


def test_the_answer_is_the_last_value() -> None:
    assert evaluate("g_minus C_3 N_0 g_half V_0", [50.0]) == 65.0
    assert evaluate_steps("g_minus C_3 N_0 g_half V_0", [50.0]) == (130.0, 65.0)


def test_a_step_may_use_any_earlier_one_and_need_not_be_used() -> None:
    assert evaluate_steps("g_half N_0 g_double N_1 g_bili V_0 V_1 C_0", [8.0, 2.0]) == (4, 4, 30)
    assert evaluate_steps("g_half N_0 g_double N_1 g_add C_0 C_1", [8.0, 2.0]) == (4, 4, 90)


def test_indices_are_whole() -> None:
    numbers = [float(number) for number in range(100, 113)]
    assert evaluate("g_equal N_10", numbers) == 110.0
    program = "g_equal N_0 " * 11 + "g_add V_10 N_12"
    assert evaluate(program, numbers) == 212.0


def test_id_110_the_published_interpreter_is_right_by_a_failure() -> None:
    program = "g_minus C_3 N_0 g_tan V_0 g_minus V_1 N_0"
    assert run_official(program, [50.0]).values == (130.0, False, 50.0)
    with pytest.raises(DomainError) as caught:
        evaluate(program, [50.0])
    assert (caught.value.token, caught.value.position) == ("g_tan", 3)
    assert "130" in caught.value.why


@pytest.mark.parametrize(
    ("program", "token", "position"),
    [
        ("g_half N_2", "N_2", 1),
        ("g_half N_0 g_add V_0 N_999", "N_999", 4),
        ("g_half V_0", "V_0", 1),
        ("g_half N_0 g_add V_0 V_1", "V_1", 4),
        ("g_half N_0 g_half V_10", "V_10", 3),
        ("g_half C_7", "C_7", 1),
        ("g_half C_13", "C_13", 1),
        # The first one, whatever it refers to.
        ("g_half N_2 g_half V_5 g_half C_7", "N_2", 1),
        ("g_bili N_0 V_0 N_2", "V_0", 2),
        # That an operand does not exist comes before what a step before it would yield.
        ("g_tan C_3 g_half N_2", "N_2", 3),
    ],
)
def test_an_operand_that_does_not_exist_is_unbound(program: str, token: str, position: int) -> None:
    with pytest.raises(UnboundOperandError) as caught:
        evaluate(program, [1.0, 2.0])
    assert (caught.value.token, caught.value.position) == (token, position)


def test_a_number_that_does_not_exist_never_reads_a_step() -> None:
    with pytest.raises(UnboundOperandError):
        evaluate("g_half N_0 g_half N_1", [1.0])


@pytest.mark.parametrize(
    ("program", "numbers", "reason", "token", "position"),
    [
        ("g_divide N_0 N_1", [1.0, 0.0], FailureReason.OUT_OF_DOMAIN, "g_divide", 0),
        ("g_half N_0 g_asin N_1", [1.0, 1.0], FailureReason.OUT_OF_DOMAIN, "g_asin", 2),
        ("g_bili N_0 N_0 N_1", [1.0, -1.0], FailureReason.OUT_OF_DOMAIN, "g_bili", 0),
        ("g_sin N_0", [math.nan], FailureReason.OUT_OF_DOMAIN, "g_sin", 0),
        ("g_equal N_0", [math.nan], FailureReason.NOT_FINITE, "g_equal", 0),
        ("g_equal N_0", [-math.inf], FailureReason.NOT_FINITE, "g_equal", 0),
        ("g_mul N_0 N_0", [1e200], FailureReason.NOT_FINITE, "g_mul", 0),
        ("gougu_add N_0 N_1", [10**200, 1], FailureReason.TOO_LARGE, "gougu_add", 0),
        ("g_equal N_0", [10**400], FailureReason.TOO_LARGE, "g_equal", 0),
        ("g_half N_0", [10**400], FailureReason.TOO_LARGE, "g_half", 0),
    ],
)
def test_what_has_no_finite_value_fails_with_its_reason(
    program: str, numbers: list[float], reason: FailureReason, token: str, position: int
) -> None:
    with pytest.raises(ProgramError) as caught:
        evaluate(program, numbers)
    assert (caught.value.reason, caught.value.token) == (reason, token)
    assert caught.value.position == position


def test_a_whole_number_cannot_grow_without_limit() -> None:
    program = "g_mul C_4 C_4 " + " ".join(f"g_mul V_{k} V_{k}" for k in range(900))
    with pytest.raises(TooLargeError) as caught:
        evaluate(program, [])
    assert caught.value.position < 3 * 12


def test_a_number_cannot_grow_without_limit() -> None:
    program = "g_mul C_5 C_4 " + " ".join(f"g_mul V_{k} V_{k}" for k in range(900))
    with pytest.raises(NotFiniteError):
        evaluate(program, [])


def test_the_same_text_runs_with_any_number_of_numbers() -> None:
    program = "g_half N_0 g_add V_0 C_0"
    assert evaluate(program, [2.0]) == 31.0
    assert evaluate(program, [4.0, 1.0, 1.0]) == 32.0
    with pytest.raises(UnboundOperandError):
        evaluate(program, [])


def test_a_long_program_runs_like_a_short_one() -> None:
    assert evaluate("g_add N_0 N_0 " + "g_half V_0 " * 100, [3.0]) == 3.0


def test_the_limits_of_the_language_hold_where_a_program_would_run() -> None:
    assert evaluate_steps("g_half N_0 " * MAX_STEPS, [8.0]) == (4.0,) * MAX_STEPS
    assert evaluate("g_half N_0".ljust(MAX_CHARACTERS), [8.0]) == 4.0
    for text in ("g_half N_0 " * (MAX_STEPS + 1), "g_half N_0".ljust(MAX_CHARACTERS + 1)):
        with pytest.raises(TooLongError):
            evaluate(text, [8.0])


def test_every_gold_program_at_hand_lands_on_its_option(shared_data: Path) -> None:
    rows = json.loads((shared_data / "geoqa_test_rows_150.json").read_text("utf-8"))
    assert len(rows) == 150
    for row in rows:
        value = evaluate(row["program"], row["numbers"])
        assert abs(value - row["choice_nums"][row["label"]]) < 0.001, row["id"]
        assert run_official(row["program"], row["numbers"]).answer == value, row["id"]


def outcome(program: str, numbers: list[float]) -> list[float] | FailureReason:
    try:
        return list(evaluate_steps(program, numbers))
    except ProgramError as error:
        return error.reason


def test_on_the_vectors_strict_agrees_or_says_why_not(shared_cases: Path) -> None:
    vectors = json.loads((shared_cases / "geoqa_program_vectors.json").read_text("utf-8"))
    agreed = failed = 0
    for vector in vectors:
        strict = outcome(vector["program"], vector["numbers"])
        values = vector["official"].get("values")
        operands = [token for token in vector["program"].split() if token[0] in "NVC"]
        if not values:
            assert isinstance(strict, FailureReason), vector
        elif any(value is False for value in values):
            failed += 1
            assert isinstance(strict, FailureReason), vector
        elif all(re.fullmatch("[NVC]_[0-9]", operand) for operand in operands):
            agreed += 1
            assert strict == values, vector
    assert agreed > 100
    assert failed > 100
