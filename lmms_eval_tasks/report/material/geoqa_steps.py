"""A program of GeoQA as a reader follows it: each step's operator, operands and value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lmms_eval_tasks.geoqa.program.errors import ProgramError
from lmms_eval_tasks.geoqa.program.interpreter import evaluate_steps
from lmms_eval_tasks.geoqa.program.operators import CONSTANTS, OPERATORS
from lmms_eval_tasks.geoqa.program.syntax import Operand, Program, Step, parse, render
from lmms_eval_tasks.report.material.counting import field, plain_number

MOST_STEPS = 40


def steps_of(item: Mapping[str, object], numbers: Sequence[float]) -> list[tuple[str, str]]:
    """Run the program of a logged item again, step by step, in strict mode.

    Args:
        item: The headline item of a sample; without a ``program`` there are no steps.
        numbers: N_0, N_1, …, as the prompt lists them.

    Returns:
        For each step its name with the step as it was written, and what it computes; the first that
        fails says why, and ends the list. A program that cannot be parsed stands there whole.
    """
    text = field(item, "program")
    if not text:
        return []
    try:
        program = parse(text)
    except ProgramError as error:
        return [("program", f"{text} ({error.why})")]
    found: list[tuple[str, str]] = []
    values: tuple[float, ...] = ()
    for place, step in enumerate(program.steps[:MOST_STEPS]):
        label = f"V_{place} = {step}"
        try:
            values = evaluate_steps(render(Program(program.steps[: place + 1])), numbers)
        except ProgramError as error:
            return [*found, (label, f"{_operator(step)}: no value, {error.why}")]
        found.append((label, _computed(step, numbers, values)))
    left = len(program.steps) - MOST_STEPS
    return [*found, ("…", f"{left} more steps")] if left > 0 else found


def _operator(step: Step) -> str:
    operator = OPERATORS[step.operator]
    return f"{operator.name}, {operator.meaning}"


def _computed(step: Step, numbers: Sequence[float], values: Sequence[float]) -> str:
    """What a step computes: "Add, a + b; a = 50, b = 60: 110"."""
    given = ", ".join(
        f"{letter} = {plain_number(_value(operand, numbers, values))}"
        for letter, operand in zip("abc", step.operands, strict=False)
    )
    return f"{_operator(step)}; {given}: {plain_number(values[-1])}"


def _value(operand: Operand, numbers: Sequence[float], values: Sequence[float]) -> float:
    banks: dict[str, Sequence[float]] = {"N": numbers, "C": CONSTANTS, "V": values}
    return banks[operand.bank][operand.index]
