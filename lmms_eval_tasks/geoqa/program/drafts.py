"""Gathers blocks into drafts: the steps of what may be one program.

A block ends where a value is assigned again that it has assigned before: `V_0 = …` anew. A block
goes on with the block before it where its first step uses a `V_k` or a name from there, so that it
could not be meant by itself; where it assigns a further `V_k`; or where its label is a later step.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from lmms_eval_tasks.geoqa.program.errors import MalformedOperandError, ProgramError
from lmms_eval_tasks.geoqa.program.labels import Label
from lmms_eval_tasks.geoqa.program.layout import Block, Layout, add_line
from lmms_eval_tasks.geoqa.program.lexer import Kind, Lexeme
from lmms_eval_tasks.geoqa.program.phrases import assigns
from lmms_eval_tasks.geoqa.program.recognition import is_operator
from lmms_eval_tasks.geoqa.program.steps import read_steps
from lmms_eval_tasks.geoqa.program.syntax import MAX_STEPS
from lmms_eval_tasks.geoqa.program.written import RawStep

# The longest program that is looked for within one sentence, in lexemes.
_LONGEST_IN_PROSE = 4 * MAX_STEPS


@dataclass(frozen=True, slots=True)
class Draft:
    """What may be one program, as it was written.

    Attributes:
        lexemes: What it was read from.
        steps: Its steps, as far as they could be read.
        failure: What stopped the reading, or None.
        label: The label that numbers it.
        step: The number of the step it begins with, where a label says so.
        committed: Whether a word in front of it says that it is the program.
    """

    lexemes: list[Lexeme]
    steps: list[RawStep]
    failure: ProgramError | None
    label: Label | None = None
    step: int | None = None
    committed: bool = False


def drafts_of(layout: Layout) -> list[Draft]:
    """Read every block or, where there is none, every program that stands within prose."""
    parts = [part for block in layout.blocks for part in _cut_where_values_restart(block)]
    if not parts:
        parts = _of_prose(layout.prose)
    # Lines that only restate given values hold no step.
    parts = [part for part in parts if part.steps or part.failure]
    groups: list[list[Draft]] = []
    names: set[str] = set()
    for part in parts:
        if not (groups and _continues(groups[-1][-1], names, part)):
            groups.append([])
            names = set()
        groups[-1].append(part)
        names |= _all_names(part)
    return [join(group) for group in groups]


def _cut_where_values_restart(block: Block) -> Iterator[Draft]:
    cuts = [0]
    seen: set[str] = set()
    for at, lexeme in enumerate(block.lexemes):
        if lexeme.text.startswith("V_") and assigns(block.lexemes, at):
            if lexeme.text in seen:
                cuts.append(at)
                seen.clear()
            seen.add(lexeme.text)
    for start, end in pairwise([*cuts, len(block.lexemes)]):
        lexemes = block.lexemes[start:end]
        reading = read_steps(lexemes)
        label, step = (block.label, block.step) if start == 0 else (None, None)
        yield Draft(lexemes, reading.steps, reading.failure, label, step, block.committed)


def _of_prose(prose: list[list[Lexeme]]) -> list[Draft]:
    found = [draft for line in prose for draft in _within_prose(line)]
    # A mention of an operator is no program while there is a complete one.
    return [draft for draft in found if draft.failure is None] or found


def _within_prose(line: list[Lexeme]) -> Iterator[Draft]:
    at = 0
    while at < len(line):
        if not is_operator(line, at):
            at += 1
            continue
        start = max(at - 2, 0)
        start = start if assigns(line, start) else at
        lexemes = line[start : start + _LONGEST_IN_PROSE]
        reading = read_steps(lexemes, in_prose=True)
        is_mention = reading.failure is not None and not _is_attempt(line, at)
        if not is_mention:
            end = reading.end + (reading.failure is not None)
            yield Draft(lexemes[:end], reading.steps, reading.failure)
        at = max(at + 1, start + reading.end)


def _is_attempt(line: list[Lexeme], at: int) -> bool:
    begun = [lexeme.kind for lexeme in line[at : at + 3]]
    return begun[0] is not Kind.NAME and Kind.OPERAND in begun


def _continues(before: Draft, names: set[str], draft: Draft) -> bool:
    if draft.label is not None or draft.committed:
        return False
    if draft.step is not None and before.step is not None:
        return draft.step > before.step
    own = value_names(draft)
    if own and names:
        return "V_0" not in own and own.isdisjoint(names)
    uses_a_name = isinstance(draft.failure, MalformedOperandError) and draft.failure.token in names
    return uses_a_name or begins_with_a_value(draft)


def value_names(draft: Draft) -> set[str]:
    """The `V_k` that the draft assigns."""
    return {name for name in _all_names(draft) if name.startswith("V_")}


def _all_names(draft: Draft) -> set[str]:
    return {step.name for step in draft.steps if step.name is not None}


def begins_with_a_value(draft: Draft) -> bool:
    """Whether the first step uses a `V_k`, which none before it in the draft can be."""
    first: list[RawStep] = []
    for step in draft.steps:
        first.append(step)
        if not step.nested:
            break
    return any(True for _ in values_of(first))


def values_of(steps: Iterable[RawStep]) -> Iterator[Lexeme]:
    """The operands `V_k` of these steps."""
    for step in steps:
        for operand in step.operands:
            if isinstance(operand, Lexeme) and operand.text.startswith("V_"):
                yield operand


def join(group: list[Draft]) -> Draft:
    """Read the lexemes of several drafts as those of one."""
    if len(group) == 1:
        return group[0]
    lexemes: list[Lexeme] = []
    for draft in group:
        add_line(lexemes, draft.lexemes)
    reading = read_steps(lexemes)
    first, last = group[0], group[-1]
    return Draft(lexemes, reading.steps, reading.failure, first.label, last.step, first.committed)
