"""From responses to candidate programs, and from these to a choice among the options."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from lmms_eval_tasks.geoqa.program.errors import ProgramError
from lmms_eval_tasks.geoqa.program.interpreter import evaluate_steps
from lmms_eval_tasks.geoqa.program.official import OfficialRun, run_official
from lmms_eval_tasks.geoqa.program.reader import Candidate, read_programs
from lmms_eval_tasks.geoqa.records import GeoQARecord
from lmms_eval_tasks_core.outcome import NoAnswer, NoAnswerReason, Outcome, Scored
from lmms_eval_tasks_core.responses import answer_text

Beam: TypeAlias = Sequence[Candidate | NoAnswer]

TOLERANCE = 0.001
FULL_MARKS = 100.0
SHOWN_VALUES = 16
_SHOWN_CHARACTERS = 1_000


class NoResultReason(Enum):
    """Why a program that runs has no result; `FailureReason` says why one does not run."""

    NO_OPTION_MATCHES = "no_option_matches"


@dataclass(frozen=True, slots=True)
class OfficialChoice:
    """What the published evaluation makes of a beam.

    Attributes:
        chosen: The position of the chosen option, counted from 0; None for no result.
        run: The run that decided, or the first one; None where no candidate is a program.
    """

    chosen: int | None
    run: OfficialRun | None


def matching_options(value: float, option_numbers: Sequence[float | None]) -> tuple[int, ...]:
    """The positions of the options whose number lies within 0.001 (strictly less) of a value.

    Args:
        value: What a program yields; a value that is not finite matches nothing.
        option_numbers: One per option; an option without a number (None) never matches.
    """
    return tuple(
        position
        for position, number in enumerate(option_numbers)
        if number is not None and abs(value - number) < TOLERANCE
    )


def responses_of(results: Sequence[object]) -> tuple[object, ...]:
    """The responses to one problem: what ``process_results`` got, its lists opened.

    The filter ``take_first_k`` delivers several responses as one list.
    """
    return tuple(_opened(results))


def beam_of(results: Sequence[object], most: int = 1) -> Beam:
    """The candidate programs of all responses to one problem, best first.

    Args:
        results: What ``process_results`` got.
        most: How many candidates each response was asked for.

    Returns:
        At least one candidate, or why a response holds none.
    """
    beam: list[Candidate | NoAnswer] = []
    for response in responses_of(results):
        text = answer_text(response)
        beam.extend([text] if isinstance(text, NoAnswer) else read_programs(text, most))
    return beam or [NoAnswer(NoAnswerReason.EMPTY)]


def score_strict(record: GeoQARecord, beam: Beam) -> Outcome:
    """Score a beam by its first candidate whose value matches an option.

    Returns:
        100 where the right option is among those that match, else 0, with the candidate, its
        values and the matching options; or, if no candidate matches any, why the best one did not.
    """
    failures: list[NoAnswer] = []
    for rank, candidate in enumerate(beam):
        found = _strict_match(record, candidate)
        if isinstance(found, NoAnswer):
            failures.append(found)
            continue
        return Scored(found.value, {**found.detail, "rank": rank})
    return failures[0]


def choose_officially(record: GeoQARecord, beam: Beam) -> OfficialChoice:
    """Choose an option as the published evaluation does.

    The first candidate whose value matches an option decides, a failed operator counting as 0; of
    several matching options it takes the last.
    """
    runs = [
        run_official(candidate.text, record.numbers)
        for candidate in beam
        if isinstance(candidate, Candidate)
    ]
    for run in runs:
        answer = None if run.answer is None else as_float(run.answer)
        matched = () if answer is None else matching_options(answer, record.option_numbers)
        if matched:
            return OfficialChoice(matched[-1], run)
    return OfficialChoice(None, runs[0] if runs else None)


def _opened(responses: Sequence[object]) -> Iterator[object]:
    for response in responses:
        if isinstance(response, (list, tuple)):
            yield from response
        else:
            yield response


def _strict_match(record: GeoQARecord, candidate: Candidate | NoAnswer) -> Scored | NoAnswer:
    if isinstance(candidate, NoAnswer):
        return candidate
    program = {"program": candidate.text[:_SHOWN_CHARACTERS]}
    if candidate.failure is not None:
        return _failed(candidate.failure, program)
    try:
        values = evaluate_steps(candidate.text, record.numbers)
    except ProgramError as error:
        return _failed(error, program)
    matched = matching_options(values[-1], record.option_numbers)
    detail = {**program, "values": list(values[-SHOWN_VALUES:]), "matched": list(matched)}
    if not matched:
        return NoAnswer(NoResultReason.NO_OPTION_MATCHES, detail)
    return Scored(FULL_MARKS * (record.label in matched), detail)


def _failed(error: ProgramError, detail: Mapping[str, object]) -> NoAnswer:
    place = {"token": error.token, "position": error.position, "trouble": error.why}
    return NoAnswer(error.reason, {**detail, **place})


def as_float(value: float) -> float:
    """The value as a float; a whole number of the published interpreter may outgrow every one."""
    try:
        return float(value)
    except OverflowError:
        return math.inf
