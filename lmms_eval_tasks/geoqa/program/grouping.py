"""Decides which programs of a response are its candidates.

The rules, in the order in which they apply:

1. Items of a list (`1.`, `2.`, …) are steps of one program where one program was asked for and a
   later item begins with a `V_k`; where several were asked for, only if together they make a
   program whose every step is used. Else they are candidates, as under `Candidate 1:`.
2. Candidates with rising numbers are one beam. Of several beams, the last counts.
3. One program asked for: the last draft is the answer, or the first of the beam it belongs to. That
   an earlier draft can be read, and the last cannot, makes no difference.
4. Several asked for and none numbered: every line of every draft is one, unless its lines together
   make a program whose every step is used.
"""

from __future__ import annotations

from itertools import groupby

from lmms_eval_tasks.geoqa.program.drafts import (
    Draft,
    begins_with_a_value,
    join,
    value_names,
    values_of,
)
from lmms_eval_tasks.geoqa.program.errors import AmbiguousError, ProgramError
from lmms_eval_tasks.geoqa.program.labels import Label, LabelKind
from lmms_eval_tasks.geoqa.program.layout import add_line
from lmms_eval_tasks.geoqa.program.lexer import Kind, Lexeme
from lmms_eval_tasks.geoqa.program.phrases import position_of
from lmms_eval_tasks.geoqa.program.recognition import first_operator
from lmms_eval_tasks.geoqa.program.references import token_form
from lmms_eval_tasks.geoqa.program.steps import read_steps
from lmms_eval_tasks.geoqa.program.syntax import parse
from lmms_eval_tasks.geoqa.program.written import RawStep


def candidates_of(drafts: list[Draft], most: int) -> list[Draft]:
    """The programs that a response offers, best first.

    Args:
        drafts: At least one, in the order in which they stand in the response.
        most: How many candidates were asked for.
    """
    runs = [whole for run in _runs(drafts) for whole in _steps_or_candidates(run, most)]
    if most == 1:
        return runs[-1][:1]
    numbered = [run for run in runs if run[0].label is not None]
    if numbered:
        return numbered[-1]
    return [line for run in runs for draft in run for line in _lines_apart(draft)]


def ambiguity(draft: Draft) -> AmbiguousError | None:
    """A failure where a later line with a `V_k` in it could also be a program by itself."""
    if value_names(draft):
        return None
    lines = [list(line) for _, line in groupby(draft.steps, key=lambda step: step.item)]
    for line in lines[1:]:
        value = next(values_of(line), None)
        if value is not None and _stands_alone(line):
            position = position_of(draft.lexemes, draft.lexemes.index(value))
            why = "its line could be a program by itself or go on with the lines above"
            return AmbiguousError(value.text, position, why, value.start)
    return None


def _stands_alone(line: list[RawStep]) -> bool:
    return all(
        int(value.text[2:6]) < place
        for place, step in enumerate(line)
        for value in values_of([step])
    )


def _runs(drafts: list[Draft]) -> list[list[Draft]]:
    """Drafts with rising numbers together, every other one by itself."""
    runs: list[list[Draft]] = []
    for draft in drafts:
        if runs and _counts_on(runs[-1][-1].label, draft.label):
            runs[-1].append(draft)
        else:
            runs.append([draft])
    return runs


def _counts_on(before: Label | None, label: Label | None) -> bool:
    if before is None or label is None:
        return False
    return before.kind is label.kind and before.number < label.number


def _steps_or_candidates(run: list[Draft], most: int) -> list[list[Draft]]:
    label = run[0].label
    if label is None or label.kind is not LabelKind.NUMBER:
        return [run]
    if len(run) == 1 or label.number > 1:
        # Not a list: a number that happens to stand in front.
        return [[_unlabelled(draft)] for draft in run]
    whole = _unlabelled(join(run))
    if most == 1:
        are_steps = any(begins_with_a_value(draft) for draft in run[1:])
    else:
        are_steps = _uses_every_step(whole)
    return [[whole]] if are_steps else [run]


def _unlabelled(draft: Draft) -> Draft:
    return Draft(draft.lexemes, draft.steps, draft.failure, None, draft.step, draft.committed)


def _uses_every_step(draft: Draft) -> bool:
    if draft.failure is not None:
        return False
    try:
        steps = parse(token_form(draft.steps)).steps
    except ProgramError:
        return False
    used = {operand.index for step in steps for operand in step.operands if operand.bank == "V"}
    return used.issuperset(range(len(steps) - 1))


def _lines_apart(draft: Draft) -> list[Draft]:
    """The lines of a draft as candidates, unless they are steps of one program."""
    if draft.step is not None or value_names(draft) or _uses_every_step(draft):
        return [draft]
    lines: list[list[Lexeme]] = [[]]
    for is_split, piece in groupby(draft.lexemes, key=lambda lexeme: lexeme.kind is Kind.SPLIT):
        if is_split:
            continue
        line = list(piece)
        if first_operator(line) == -1:
            add_line(lines[-1], line)
        else:
            lines.append(line)
    readings = [(line, read_steps(line)) for line in lines if line]
    return [Draft(line, reading.steps, reading.failure) for line, reading in readings]
