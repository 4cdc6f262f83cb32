"""Which program of a response is the answer, and which are the candidates."""

from __future__ import annotations

import pytest

from lmms_eval_tasks.geoqa.program.errors import AmbiguousError, ProgramError
from lmms_eval_tasks.geoqa.program.reader import read_programs

HALF = "g_minus C_3 N_0 g_half V_0"
DOUBLE = "g_double N_0"


def texts(response: str, most: int = 10) -> list[str]:
    candidates = read_programs(response, most)
    assert all(candidate.failure is None for candidate in candidates)
    return [candidate.text for candidate in candidates]


@pytest.mark.parametrize(
    "response",
    [
        f"1. {HALF}\n2. {DOUBLE}",
        f"1) `{HALF}`\n\n2) `{DOUBLE}`",
        f"(1) {HALF}\n(2) {DOUBLE}",
        f"#1 {HALF}\n#2 {DOUBLE}",
        f"**1.** {HALF}\n**2.** {DOUBLE}",
        f"Candidate 1: {HALF}\nCandidate 2: {DOUBLE}",
        f"1. Candidate 1: {HALF}\n2. Candidate 2: {DOUBLE}",
        f"### Candidate 1\n```\n{HALF}\n```\n### Candidate 2\n```\n{DOUBLE}\n```",
        f"Candidate 1 (most likely):\nIt halves.\n{HALF}\n\nCandidate 2:\n{DOUBLE}",
        "Program 1:\nStep 1: g_minus C_3 N_0\nStep 2: g_half V_0\nProgram 2:\nStep 1: g_double N_0",
        f"```\n# Candidate 1\n{HALF}\n# Candidate 2\n{DOUBLE}\n```",
        f"候选1：{HALF}\n候选2：{DOUBLE}",
        f"方案 1：{HALF}\n方案 2：{DOUBLE}",
        f"{HALF}\n{DOUBLE}",
        f"{HALF}\n\n{DOUBLE}",
        f"{HALF} | {DOUBLE}",
        f"{HALF}; {DOUBLE}",
        f'["{HALF}", "{DOUBLE}"]',
        f"```\n{HALF}\n{DOUBLE}\n```",
        f"```\n{HALF}\n```\nor\n```\n{DOUBLE}\n```",
        f"<candidate>{HALF}</candidate><candidate>{DOUBLE}</candidate>",
        f"{HALF}<br>{DOUBLE}",
        "V_0 = g_minus C_3 N_0\nV_1 = g_half V_0\nV_0 = g_double N_0",
        "g_minus C_3 N_0\ng_half V_0\n---\ng_double N_0",
        "1. V_0 = g_minus C_3 N_0\n   V_1 = g_half V_0\n2. V_0 = g_double N_0",
        "I think of g_minus C_3 N_0 g_half V_0 and then of g_double N_0 too.",
    ],
)
def test_candidates_come_in_order(response: str) -> None:
    assert texts(response) == [HALF, DOUBLE]


def test_there_are_never_more_than_were_asked_for() -> None:
    response = "\n".join(f"{number}. g_half N_{number}" for number in range(1, 20))
    assert texts(response, 10) == [f"g_half N_{number}" for number in range(1, 11)]
    assert texts(response, 1) == ["g_half N_1"]
    assert len(texts(response, 50)) == 19


def test_asking_for_none_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(ValueError, match="most is 0"):
        read_programs(HALF, 0)


@pytest.mark.parametrize(
    "response",
    [
        "g_minus C_3 N_0\ng_half V_0",
        "1. g_minus C_3 N_0\n2. g_half V_0",
        "Step 1: g_minus C_3 N_0\nStep 2: g_half V_0",
        "V_0 = g_minus C_3 N_0\n\nV_1 = g_half V_0",
        "g_minus C_3 N_0; g_half V_0",
        '["g_minus", "C_3", "N_0", "g_half", "V_0"]',
    ],
)
@pytest.mark.parametrize("most", [1, 10])
def test_steps_of_one_program_are_one_program(response: str, most: int) -> None:
    assert texts(response, most) == [HALF]


def test_a_list_is_read_as_steps_if_one_program_was_asked_for_and_it_cannot_be_anything_else() -> (
    None
):
    response = "1. g_half N_0\n2. g_half N_1\n3. g_double V_1"
    assert texts(response, 1) == ["g_half N_0 g_half N_1 g_double V_1"]


def test_a_list_with_a_broken_candidate_stays_a_list_if_several_were_asked_for() -> None:
    response = "1. g_half N_0\n2. g_half N_1\n3. g_double V_1"
    assert texts(response, 10) == ["g_half N_0", "g_half N_1", "g_double V_1"]


def test_one_candidate_that_cannot_be_read_does_not_spoil_the_others() -> None:
    for response in (
        f"1. {HALF}\n2. g_half 180\n3. {DOUBLE}",
        f"{HALF}\ng_half 180\n{DOUBLE}",
        f"{HALF} | g_half 180 | {DOUBLE}",
    ):
        first, second, third = read_programs(response, 10)
        assert (first.text, first.failure) == (HALF, None)
        assert (second.text, second.failure is None) == ("g_half 180", False)
        assert (third.text, third.failure) == (DOUBLE, None)


def test_a_candidate_may_go_on_in_the_next_line() -> None:
    assert texts(f"g_double(\n{DOUBLE[9:]})\n{HALF}\ng_half N_1") == [DOUBLE, HALF, "g_half N_1"]


def test_the_last_list_counts_where_there_are_several() -> None:
    response = f"1. g_half N_1\n2. g_half N_2\n\nBetter:\n\n1. {HALF}\n2. {DOUBLE}"
    assert texts(response) == [HALF, DOUBLE]
    assert texts(response, 1) == [HALF]


def test_a_list_of_one_and_a_list_that_begins_late_are_no_lists() -> None:
    assert texts(f"1. {HALF}") == [HALF]
    assert texts(f"3. {HALF}\n4. {DOUBLE}", 1) == [DOUBLE]
    reasoning = f"1. We know the angle.\n2. We know more.\n\nSo:\n{HALF}"
    assert texts(reasoning) == [HALF]


def test_the_last_program_is_the_answer() -> None:
    for response in (
        f"```\n{DOUBLE}\n```\nThat is wrong.\n```\n{HALF}\n```",
        f"{DOUBLE}\n\nNo.\n\n{HALF}",
        f"Draft: {DOUBLE}\nFinal program: {HALF}",
        f"1. {DOUBLE}\n2. g_half N_1\n\nFinal answer: {HALF}",
        f"<think>Perhaps {DOUBLE}</think>\n{HALF}",
        f"{DOUBLE}\n\ng_half(g_minus(C_3, N_0))",
        f"It could be g_double N_0, but the program is {HALF}.",
    ):
        assert texts(response, 1) == [HALF]


def test_a_last_program_that_cannot_be_read_is_the_answer_all_the_same() -> None:
    (candidate,) = read_programs(f"{DOUBLE}\n\nProgram: g_minus 180 N_0")
    assert candidate.failure is not None
    assert candidate.text == "g_minus 180 N_0"


def test_what_is_said_about_a_program_is_no_program() -> None:
    for response in (
        f"{HALF}\n\nHere g_minus C_3 N_0 is 130 and g_half V_0 is 65.",
        f"{HALF}\n\n- g_minus C_3 N_0: the supplement of the angle\n- g_half V_0: half of it",
        f"{HALF}\n\nOperators used:\n- g_minus\n- g_half",
        f"Add the angles: sin(30) = 0.5. Half of it.\n{HALF}\nsin(30) = 0.5\n",
        f"{HALF}\n```python\nimport math\nprint(math.pi)\n```",
        f"{HALF}\n\ng_half: takes one operand N_0",
        f"{HALF}\n\ng_half N_0 of the given angle",
    ):
        assert texts(response, 1) == [HALF]


def test_what_stands_in_a_fence_around_a_program_may_be_more_than_the_program() -> None:
    fence = (
        f'```json\n{{\n  "thoughts": "halve",\n  "program": "{HALF}",\n  "answer": 65\n}}\n```\n'
        "```\nimport math\n```"
    )
    assert texts(fence, 1) == [HALF]
    assert texts(f"```\nN_0 = 50\n\n1. {HALF}\nThis is the answer\n```", 1) == [HALF]


def test_a_value_may_be_handed_back_if_it_is_the_last() -> None:
    fence = "```\nV_0 = g_minus C_3 N_0\nV_1 = g_half V_0\n\n{}\n```"
    for line in ("return V_1", "print(V_1)", "V_1", "answer = V_1", "V_1 = 65"):
        assert texts(fence.format(line), 1) == [HALF]
    (candidate,) = read_programs(fence.format("return V_0"))
    assert candidate.failure is not None


def test_lines_that_could_be_programs_by_themselves_are_ambiguous() -> None:
    (candidate,) = read_programs(f"{DOUBLE}\n{HALF}")
    assert isinstance(candidate.failure, AmbiguousError)
    assert (candidate.failure.token, candidate.failure.position) == ("V_0", 6)
    assert candidate.text == f"{DOUBLE} {HALF}"
    # Written with names, or where only one reading is possible, they are not.
    assert texts("V_0 = g_double N_0\nV_1 = g_minus C_3 N_0; V_2 = g_half V_1", 1)
    assert texts(f"{HALF}\ng_double N_0", 1) == [f"{HALF} {DOUBLE}"]
    assert texts(f"{HALF}\ng_add V_1 N_0 g_half V_2", 1)
    assert texts(f"{DOUBLE}\ng_half N_0 g_add V_0 V_1", 1)


@pytest.mark.parametrize(
    ("response", "token"),
    [
        # V_0 may be the inner or the outer step.
        ("g_half(g_minus(C_3, N_0))\ng_add(V_0, N_0)", "V_0"),
        # V_1 may be the first or the second step.
        ("V_1 = g_half N_0\nV_3 = g_double V_1\ng_half V_0", "V_0"),
        ("g_half N_0\nV_0 = g_double N_0", "V_0"),
        ("N_1 = g_half N_0\ng_double N_1", "N_1"),
    ],
)
def test_a_value_that_could_be_two_steps_is_ambiguous(response: str, token: str) -> None:
    (candidate,) = read_programs(response)
    assert isinstance(candidate.failure, ProgramError)
    assert isinstance(candidate.failure, AmbiguousError)
    assert candidate.failure.token == token
