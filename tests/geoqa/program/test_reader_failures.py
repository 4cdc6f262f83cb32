"""What cannot be read with certainty is a typed failure that says where it stands."""

from __future__ import annotations

import time

import pytest

from lmms_eval_tasks.geoqa.program.errors import FailureReason
from lmms_eval_tasks.geoqa.program.official import OfficialStatus, run_official
from lmms_eval_tasks.geoqa.program.reader import MAX_RESPONSE_CHARACTERS, read_programs
from lmms_eval_tasks.geoqa.program.steps import MAX_NESTING
from lmms_eval_tasks.geoqa.program.syntax import MAX_STEPS


@pytest.mark.parametrize(
    ("response", "reason", "token", "position"),
    [
        ("g_minus 180 N_0", "malformed_operand", "180", 1),
        ("g_minus(C_3, 50)", "malformed_operand", "50", 2),
        ("g_minus C_3 x", "malformed_operand", "x", 2),
        ("g_minus C_3 N_x", "malformed_operand", "N_x", 2),
        ("g_minus C_3 N_06", "malformed_operand", "N_06", 2),
        ("```\nx = g_half N_0\ng_half y\n```", "malformed_operand", "y", 4),
        ("g_half N_0 g_half N_12345", "too_large", "N_12345", 3),
        ("g_root C_3", "unknown_operator", "g_root", 0),
        ("g_half N_0 root V_0", "unknown_operator", "root", 2),
        ("g_half(g_root(N_0))", "unknown_operator", "g_root", 1),
        ("```\ng_half N_0 gives\n```", "unknown_operator", "gives", 2),
        ("```\ng_half N_0\nreturn\n```", "unknown_operator", "return", 2),
        ("g_minus C_3", "missing_operand", "g_minus", 0),
        ("g_minus(C_3)", "missing_operand", "g_minus", 0),
        ("g_half g_minus C_3 N_0", "missing_operand", "g_half", 0),
        ("(g_minus C_3", "missing_operand", "g_minus", 0),
        ("g_half N_0 )) g_minus N_0 )", "missing_operand", "g_minus", 2),
        ("g_half N_0 N_1", "extra_operand", "N_1", 2),
        ("g_half N_0 130", "extra_operand", "130", 2),
        ("g_half(N_0, N_1)", "extra_operand", "N_1", 2),
        ("g_half(N_0 and", "extra_operand", "and", 2),
        ("```\nN_1 + g_half N_0\n```", "extra_operand", "N_1", 0),
        ("g_minus C_3 -N_0", "unreadable", "-", 2),
        ("g_minus C_3 + N_0", "unreadable", "+", 2),
        ("g_half N_0 * g_half N_1 √", "unreadable", "√", 4),
        ("g_half(N_0", "unreadable", "g_half", 0),
        ("g_half(N_0 g_half N_1)", "unreadable", "g_half", 2),
        ("g_half N_0 = g_double N_1", "unreadable", "=", 2),
        ("g_half N_0 (g_half", "missing_operand", "g_half", 2),
        ("g_minus C_3 (N_0)", "unreadable", "(", 2),
        ("g_half N_0 (N_1)", "unreadable", "(", 2),
        ("```\n(x) g_half N_0\n```", "unreadable", "(", 0),
        ("g_half N_0\n```\n= g_half N_0\n```", "unreadable", "=", 0),
    ],
)
def test_the_first_thing_that_cannot_be_read_is_named(
    response: str, reason: str, token: str, position: int
) -> None:
    (candidate,) = read_programs(response)
    failure = candidate.failure
    assert failure is not None
    assert failure.reason.value == reason
    assert (failure.token, failure.position) == (token, position)
    assert failure.offset is not None
    assert response[failure.offset :].startswith(token)


@pytest.mark.parametrize(
    "response",
    [
        "",
        " \n\t ",
        "The answer is B.",
        "180 - 50 = 130, so the angle is 65.",
        "C_3 - N_0",
        "```\nC_3 - N_0\n```",
        "```\n```",
        "Use g_minus and then g_half to get it.",
        "Minus the angle, add half of it: sin(30) = 1/2, cos(60) = 0.5.",
        "```python\nimport math\nprint(math.sin(0.5))\n```",
        "N_0 = 50",
        "Half",
        "(",
        "1.\n2.\n",
        "g_minus",
    ],
)
def test_a_response_without_a_program_says_so(response: str) -> None:
    (candidate,) = read_programs(response, 10)
    assert candidate.failure is not None
    assert candidate.failure.reason is FailureReason.NO_PROGRAM
    assert candidate.text == ""


def test_a_program_that_breaks_off_in_a_sentence_is_a_failure() -> None:
    (candidate,) = read_programs("The program is g_half N_0 g_minus C_3")
    assert candidate.failure is not None
    assert candidate.failure.reason is FailureReason.MISSING_OPERAND


def test_an_operator_that_does_not_exist_is_named_within_a_sentence() -> None:
    for most in (1, 10):
        (candidate,) = read_programs("The program is g_root N_0 then.", most)
        assert candidate.failure is not None
        assert candidate.failure.reason is FailureReason.UNKNOWN_OPERATOR
        assert candidate.text == "g_root"


def test_the_official_interpreter_gets_the_tokens_as_they_stand() -> None:
    (candidate,) = read_programs("V_0 = g_half(Number1)\nV_1 = g_add(V_0, N_0)")
    assert candidate.failure is not None
    assert candidate.text == "g_half Number1 g_add V_0 N_0"
    assert run_official(candidate.text, [10.0, 20.0]).values == (10.0, 20.0)
    (candidate,) = read_programs("g_half N_0 g_root V_0")
    assert run_official(candidate.text, [10.0]).status is OfficialStatus.NONE


def test_the_limits_have_names() -> None:
    deep = "g_half(" * MAX_NESTING + "N_0" + ")" * MAX_NESTING
    (candidate,) = read_programs(deep)
    assert (candidate.failure, candidate.text.count("g_half")) == (None, MAX_NESTING)
    for response in (
        f"g_half({deep})",
        "g_half N_0\n" * (MAX_STEPS + 1),
        "g_half N_0".ljust(MAX_RESPONSE_CHARACTERS + 1),
    ):
        (candidate,) = read_programs(response)
        assert candidate.failure is not None
        assert candidate.failure.reason is FailureReason.TOO_LONG


UNITS = (
    *("g_minus C_3 N_0 ", "g_half V_0\n\n", "g_half(", "((g_half ", "g_minus to ", "Add("),
    *(
        "g_half C_3 (",
        "1. g_half N_0\n",
        "# ",
        "-",
        "--",
        "```\n",
        "``` ",
        "step 1 ",
        "Candidate  ",
    ),
    *(":", ": g_half ", "V_0 = g_half N_0\n", "x = g_half x\n", "N_", "9", "\\", "g_", "C_3 = "),
    *("=", "|", '", "', "程序", "[", "<think>", "</think", "\n", " ", "Pythagorean ", "N[1", "(5 "),
    *("So g_half N_0 and ", "Step 1: g_half N_0\n", "answer = ", "g_half V_0 (V_0) ", "V_0 "),
)


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize(
    ("before", "after"),
    [("```\n", "g_half N_0\n```"), ("x ", " g_half")],
)
def test_a_hostile_response_takes_bounded_time(unit: str, before: str, after: str) -> None:
    response = before + unit * (50_000 // len(unit)) + after
    begun = time.process_time()
    for most in (1, 10):
        assert 1 <= len(read_programs(response, most)) <= most
    # Quadratic time would be minutes; this leaves a slow machine a factor of twenty.
    assert time.process_time() - begun < 20
