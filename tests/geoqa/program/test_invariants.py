"""What holds for every text and every program."""

from __future__ import annotations

import math

from hypothesis import given, settings
from hypothesis import strategies as st

from lmms_eval_tasks.geoqa.program.errors import ProgramError
from lmms_eval_tasks.geoqa.program.interpreter import evaluate, evaluate_steps
from lmms_eval_tasks.geoqa.program.official import OfficialStatus, run_official
from lmms_eval_tasks.geoqa.program.operators import OPERATORS
from lmms_eval_tasks.geoqa.program.reader import read_programs
from lmms_eval_tasks.geoqa.program.syntax import Operand, Program, Step, parse, render

# A shared machine may be slow; time is the matter of other tests.
ALWAYS = settings(deadline=None, max_examples=300)

operands = st.builds(Operand, st.sampled_from("NVC"), st.integers(0, 999))


@st.composite
def steps(draw: st.DrawFn) -> Step:
    operator = draw(st.sampled_from(list(OPERATORS.values())))
    return Step(operator.token, tuple(draw(operands) for _ in range(operator.arity)))


@st.composite
def bound_programs(draw: st.DrawFn, most_index: int = 12) -> Program:
    """Programs whose operands exist if there are enough numbers."""
    made: list[Step] = []
    for earlier in range(draw(st.integers(1, 14))):
        operator = draw(st.sampled_from(list(OPERATORS.values())))
        bound = st.builds(Operand, st.just("N"), st.integers(0, most_index)) | st.builds(
            Operand, st.just("C"), st.integers(0, 6)
        )
        if earlier:
            bound |= st.builds(Operand, st.just("V"), st.integers(0, earlier - 1))
        made.append(Step(operator.token, tuple(draw(bound) for _ in range(operator.arity))))
    return Program(tuple(made))


programs = st.builds(Program, st.lists(steps(), min_size=1, max_size=8).map(tuple))
numbers = st.lists(
    st.sampled_from([0.0, 0.5, 1.0, 15.0, 45.0, 90.0]) | st.floats() | st.integers(-400, 400),
    max_size=14,
)
fragments = st.sampled_from(
    [
        *OPERATORS,
        *("N_0", "N_1", "N_10", "V_0", "V_1", "V_10", "C_3", "C_5", "C_9", "N_x", "Number0", "N_²"),
        *("180", "g_root", "Minus", "Half", "Pythagorean Add", "x", "=", "(", ")", ",", ";", "|"),
        *("\n", "\n\n", "```", "`", "1.", "2.", "Step 1:", "Candidate 2:", "Program:", "# a", "→"),
        *(
            "return",
            "answer",
            ":",
            "<think>",
            "</think>",
            "pi",
            "π",
            "\\_",
            "-",
            "(a)",
            '", "',
            "#",
        ),
    ]
)
token_texts = st.lists(fragments, max_size=16).map(" ".join) | st.text()


@ALWAYS
@given(programs)
def test_parsing_undoes_rendering(program: Program) -> None:
    assert parse(render(program)) == program


def value_or_position(text: str, given_numbers: list[float]) -> float:
    try:
        return evaluate(text, given_numbers)
    except ProgramError as error:
        return error.position


@ALWAYS
@given(token_texts, numbers)
def test_both_interpreters_are_total(text: str, given_numbers: list[float]) -> None:
    run = run_official(text, given_numbers)
    assert (run.error is not None) == (run.status is OfficialStatus.CRASH)
    assert math.isfinite(value_or_position(text, given_numbers))


@ALWAYS
@given(bound_programs() | programs, numbers)
def test_strict_success_is_official_success(program: Program, given_numbers: list[float]) -> None:
    try:
        values = evaluate_steps(render(program), given_numbers)
    except ProgramError:
        return
    used = [operand for step in program.steps for operand in step.operands]
    if all(operand.index < 10 for operand in used):
        assert run_official(render(program), given_numbers).values == values


@ALWAYS
@given(bound_programs(most_index=9), numbers)
def test_an_official_value_without_failure_is_the_strict_one(
    program: Program, given_numbers: list[float]
) -> None:
    if any(operand.index > 9 for step in program.steps for operand in step.operands):
        return
    run = run_official(render(program), given_numbers)
    sound = run.status is OfficialStatus.VALUES and all(
        value is not False and math.isfinite(value) for value in run.values
    )
    try:
        values = evaluate_steps(render(program), given_numbers)
    except ProgramError:
        assert not sound
    else:
        assert sound
        assert values == run.values


@ALWAYS
@given(st.lists(fragments, max_size=24).map(" ".join) | st.text(), st.integers(1, 12))
def test_the_reader_is_total(response: str, most: int) -> None:
    candidates = read_programs(response, most)
    assert 1 <= len(candidates) <= most
    for candidate in candidates:
        if candidate.failure is None:
            assert render(parse(candidate.text)) == candidate.text
        else:
            assert candidate.failure.reason is not None
            assert candidate.failure.offset is not None
            assert 0 <= candidate.failure.offset <= len(response)


def _as_calls(program: Program) -> str:
    return "\n".join(
        f"{step.operator}({', '.join(map(str, step.operands))})" for step in program.steps
    )


def _as_assignments(program: Program) -> str:
    lines = _as_calls(program).splitlines()
    return "\n".join(f"V_{place} = {line}" for place, line in enumerate(lines))


def _as_numbered_steps(program: Program) -> str:
    return "\n".join(f"Step {place}: {step}" for place, step in enumerate(program.steps, start=1))


STYLES = (
    render,
    _as_calls,
    _as_assignments,
    _as_numbered_steps,
    lambda program: f"Some words.\n```\n{_as_calls(program)}\n```\nMore words.",
    lambda program: f"Program: {render(program)}",
    lambda program: f"Program: `{render(program).upper()}`.",
    lambda program: render(program).replace("_", "\\_"),
    lambda program: "; ".join(map(str, program.steps)),
)


@ALWAYS
@given(bound_programs(), st.sampled_from(STYLES))
def test_what_was_written_in_a_style_is_read_back(program: Program, style: object) -> None:
    (candidate,) = read_programs(style(program))  # type: ignore[operator]
    assert (candidate.text, candidate.failure) == (render(program), None)
