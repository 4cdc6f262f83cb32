from __future__ import annotations

import pickle

import pytest

from lmms_eval_tasks.geoqa.program.errors import (
    EmptyProgramError,
    ExtraOperandError,
    FailureReason,
    MalformedOperandError,
    MissingOperandError,
    ProgramError,
    TooLargeError,
    TooLongError,
    UnknownOperatorError,
)
from lmms_eval_tasks.geoqa.program.syntax import (
    MAX_CHARACTERS,
    MAX_STEPS,
    Operand,
    Program,
    Step,
    parse,
    render,
)


def test_a_program_is_read_into_steps() -> None:
    assert parse(" g_bili C_3 N_10\tV_0\n g_half V_0 ") == Program(
        (
            Step("g_bili", (Operand("C", 3), Operand("N", 10), Operand("V", 0))),
            Step("g_half", (Operand("V", 0),)),
        )
    )


def test_rendering_separates_tokens_by_single_spaces() -> None:
    assert render(parse("g_minus  C_3\nN_0   g_half V_0")) == "g_minus C_3 N_0 g_half V_0"


@pytest.mark.parametrize(
    ("text", "error", "token", "position"),
    [
        ("", EmptyProgramError, "", 0),
        (" \n\t", EmptyProgramError, "", 0),
        ("g_root C_3", UnknownOperatorError, "g_root", 0),
        ("G_HALF C_3", UnknownOperatorError, "G_HALF", 0),
        ("g_half C_3 half V_0", UnknownOperatorError, "half", 2),
        ("g_minus C_3", MissingOperandError, "g_minus", 0),
        ("g_half C_3 g_bili V_0 V_0", MissingOperandError, "g_bili", 2),
        ("g_minus C_3 g_half V_0", MissingOperandError, "g_minus", 0),
        ("g_half", MissingOperandError, "g_half", 0),
        ("g_half C_3 N_0", ExtraOperandError, "N_0", 2),
        ("N_0", ExtraOperandError, "N_0", 0),
        ("g_half 180", MalformedOperandError, "180", 1),
        ("g_half N_x", MalformedOperandError, "N_x", 1),
        ("g_half N_", MalformedOperandError, "N_", 1),
        ("g_half N", MalformedOperandError, "N", 1),
        ("g_half N0", MalformedOperandError, "N0", 1),
        ("g_half n_0", MalformedOperandError, "n_0", 1),
        ("g_half Number0", MalformedOperandError, "Number0", 1),
        ("g_half N_06", MalformedOperandError, "N_06", 1),
        ("g_half N_٣", MalformedOperandError, "N_٣", 1),
        ("g_half N_-1", MalformedOperandError, "N_-1", 1),
        ("g_half X_0", MalformedOperandError, "X_0", 1),
        ("g_half N_1000", TooLargeError, "N_1000", 1),
    ],
)
def test_a_fault_names_its_token_and_position(
    text: str, error: type[ProgramError], token: str, position: int
) -> None:
    with pytest.raises(error) as caught:
        parse(text)
    assert (caught.value.token, caught.value.position) == (token, position)
    assert text[caught.value.offset :].startswith(token)


def test_a_token_without_end_is_shortened_in_the_failure() -> None:
    with pytest.raises(TooLargeError) as caught:
        parse("g_half N_" + "9" * 50_000)
    assert len(caught.value.token) < 100


def test_the_limits_are_met_exactly() -> None:
    assert len(parse("g_half N_0 " * MAX_STEPS).steps) == MAX_STEPS
    with pytest.raises(TooLongError) as caught:
        parse("g_half N_0 " * (MAX_STEPS + 1))
    assert caught.value.position == 2 * MAX_STEPS
    assert parse("g_half N_0".ljust(MAX_CHARACTERS)).steps
    with pytest.raises(TooLongError):
        parse("g_half N_0".ljust(MAX_CHARACTERS + 1))


def test_each_reason_belongs_to_one_class() -> None:
    leaves: list[type[ProgramError]] = []
    waiting = [ProgramError]
    while waiting:
        below = waiting.pop().__subclasses__()
        waiting += below
        leaves += [error for error in below if not error.__subclasses__()]
    assert sorted(leaf.reason.value for leaf in leaves) == sorted(
        reason.value for reason in FailureReason
    )


def test_a_failure_says_all_it_knows_and_survives_a_process_border() -> None:
    error = MalformedOperandError("180", 1, "numbers are written as N_i or C_i", 7)
    assert str(error) == (
        "malformed_operand: token 1 (character 7), '180': numbers are written as N_i or C_i"
    )
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301 - pickled one line above
    assert (type(copy), str(copy)) == (type(error), str(error))
    assert "character" not in str(MissingOperandError("g_half", 0, "takes 1 and has 0"))
