"""From responses to candidate programs, to a choice among the options, to what lmms-eval stores."""

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
from lmms_eval_tasks_core.outcome import NoAnswer, NoAnswerReason, Outcome, Scored, to_item
from lmms_eval_tasks_core.responses import answer_text

Row: TypeAlias = Mapping[str, object]
Items: TypeAlias = dict[str, dict[str, object]]
Beam: TypeAlias = Sequence[Candidate | NoAnswer]

TOLERANCE = 0.001
FULL_MARKS = 100.0
_SHOWN_CHARACTERS, _SHOWN_VALUES = 1_000, 16


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


def beam_of(responses: Sequence[object], most: int = 1) -> Beam:
    """The candidate programs of all responses to one problem, best first.

    Args:
        responses: What ``process_results`` got; lists in it (``take_first_k``) are opened.
        most: How many candidates each response was asked for.

    Returns:
        At least one candidate, or why a response holds none.
    """
    beam: list[Candidate | NoAnswer] = []
    for response in _opened(responses):
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
        answer = None if run.answer is None else _as_float(run.answer)
        matched = () if answer is None else matching_options(answer, record.option_numbers)
        if matched:
            return OfficialChoice(matched[-1], run)
    return OfficialChoice(None, runs[0] if runs else None)


def items(doc: Row, results: Sequence[object]) -> Items:
    """Score the responses to one row: lmms-eval's ``process_results``.

    Returns:
        An item for each metric that the row counts for. Never raises for what a model said.
    """
    record = GeoQARecord.from_row(doc)
    beam = beam_of(results)
    outcome = score_strict(record, beam)
    official = choose_officially(record, beam)
    identity: dict[str, object] = {
        "id": record.id,
        "type": record.problem_type,
        "beam": len(beam),
        "label": record.label,
    }
    headline = to_item(outcome, identity)
    headline["option_numbers"] = list(record.option_numbers)
    headline["official"] = _shown_choice(official)
    headline["asked_as_text"] = not record.has_diagram
    failed = isinstance(outcome, NoAnswer) and outcome.reason is NoAnswerReason.REQUEST_FAILED
    brief = {**identity, "score": headline["score"]}
    rates = {
        "no_result_rate": isinstance(outcome, NoAnswer),
        "request_failed_rate": failed,
        "asked_as_text": not record.has_diagram,
        "uncertain_rows": record.uncertain,
    }
    return {
        "accuracy": headline,
        f"accuracy_{record.problem_type}": brief,
        "accuracy_official": {
            **identity,
            **_shown_choice(official),
            "score": FULL_MARKS * (official.chosen == record.label),
        },
        **{name: {**identity, "score": float(counts)} for name, counts in rates.items()},
    }


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
    detail = {**program, "values": list(values[-_SHOWN_VALUES:]), "matched": list(matched)}
    if not matched:
        return NoAnswer(NoResultReason.NO_OPTION_MATCHES, detail)
    return Scored(FULL_MARKS * (record.label in matched), detail)


def _failed(error: ProgramError, detail: Mapping[str, object]) -> NoAnswer:
    place = {"token": error.token, "position": error.position, "trouble": error.why}
    return NoAnswer(error.reason, {**detail, **place})


def _shown_choice(choice: OfficialChoice) -> dict[str, object]:
    """The choice in values that JSON can hold."""
    run = choice.run
    return {
        "chosen": choice.chosen,
        "status": "no_program" if run is None else run.status.value,
        "values": [] if run is None else list(map(_shown_value, run.values[-_SHOWN_VALUES:])),
    }


def _shown_value(value: float) -> float | str:
    if isinstance(value, bool):
        return value
    number = _as_float(value)
    return number if math.isfinite(number) else str(number)


def _as_float(value: float) -> float:
    """A whole number of the published interpreter may outgrow every float."""
    try:
        return float(value)
    except OverflowError:
        return math.inf
