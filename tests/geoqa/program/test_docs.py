from __future__ import annotations

import re
from pathlib import Path

import pytest

from lmms_eval_tasks.geoqa.program.errors import FailureReason, ProgramError
from lmms_eval_tasks.geoqa.program.interpreter import evaluate
from lmms_eval_tasks.geoqa.program.official import OfficialStatus, run_official
from lmms_eval_tasks.geoqa.program.operators import constant_reference, operator_reference
from lmms_eval_tasks.geoqa.program.reader import MAX_RESPONSE_CHARACTERS
from lmms_eval_tasks.geoqa.program.steps import MAX_NESTING
from lmms_eval_tasks.geoqa.program.syntax import MAX_CHARACTERS, MAX_STEPS

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "geoqa_program.md").read_text("utf-8")


def rows_below(header: str) -> list[list[str]]:
    table = PAGE.split(header, 1)[1].split("\n\n", 1)[0]
    return [line.strip("|").split(" | ") for line in table.splitlines()[2:]]


DIFFERENCES = rows_below("| the published interpreter | program | numbers |")


def test_the_page_shows_the_generated_references() -> None:
    assert f"\n\n{operator_reference()}\n\n" in PAGE
    assert constant_reference() in PAGE


def test_the_page_names_every_reason_and_limit() -> None:
    named = [re.sub(r"[ `]", "", row[0]) for row in rows_below("| reason | when |")]
    assert sorted(named) == sorted(reason.value for reason in FailureReason)
    for limit in (MAX_CHARACTERS, MAX_STEPS, MAX_RESPONSE_CHARACTERS, MAX_NESTING):
        assert f"{limit:,}" in PAGE


def published(program: str, numbers: list[float]) -> str:
    run = run_official(program, numbers)
    if run.status is OfficialStatus.VALUES:
        return ", ".join(map(repr, run.values)) or "no value"
    return run.error or "rejected"


def strict(program: str, numbers: list[float]) -> str:
    try:
        return repr(evaluate(program, numbers))
    except ProgramError as error:
        return error.reason.value


@pytest.mark.parametrize("row", DIFFERENCES, ids=[row[0].strip() for row in DIFFERENCES])
def test_each_difference_is_as_the_page_says(row: list[str]) -> None:
    _, program, written, expected, expected_strict = (cell.strip() for cell in row)
    numbers = [] if written == "–" else [float(number) for number in written.split(", ")]
    program = program.strip("`")
    assert published(program, numbers) == expected
    assert strict(program, numbers) == expected_strict
    assert expected != expected_strict
