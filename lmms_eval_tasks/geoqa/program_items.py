"""From the outcome of a beam of programs to what lmms-eval stores for each metric."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import TypeAlias

from lmms_eval_tasks.geoqa.equivalence import Comparison, Equivalence, compare
from lmms_eval_tasks.geoqa.program.reader import Candidate
from lmms_eval_tasks.geoqa.records import GeoQARecord
from lmms_eval_tasks.geoqa.scoring import (
    FULL_MARKS,
    SHOWN_VALUES,
    Beam,
    OfficialChoice,
    as_float,
    beam_of,
    choose_officially,
    responses_of,
    score_strict,
)
from lmms_eval_tasks_core.outcome import NoAnswer, NoAnswerReason, Outcome, Scored, to_item

Row: TypeAlias = Mapping[str, object]
Item: TypeAlias = dict[str, object]
Items: TypeAlias = dict[str, Item]

BEAM_SIZES = (1, 5, 10)
_NO_PROGRAM = "no_program"


def program_items(doc: Row, results: Sequence[object], most: int = 1) -> Items:
    """Score the responses to one row: lmms-eval's ``process_results``.

    Args:
        doc: The row.
        results: The responses; several of them are one beam, in their order.
        most: How many candidates each response was asked for.

    Returns:
        An item for each metric that the row counts for. Never raises for what a model said.
    """
    record = GeoQARecord.from_row(doc)
    beam, asked = beam_of(results, most), most * max(1, len(responses_of(results)))
    outcome, official = score_strict(record, beam), choose_officially(record, beam)
    comparison = _compared(record, beam, outcome)
    identity: Item = {
        "id": record.id,
        "type": record.problem_type,
        "beam": asked,
        "label": record.label,
    }
    headline = to_item(outcome, identity) | {
        "candidates": len(beam),
        "options": list(record.options.texts),
        "option_numbers": list(record.option_numbers),
        "official": _shown_choice(official),
        "asked_as_text": not record.has_diagram,
        **({} if record.program is None else _shown_comparison(comparison)),
    }
    failed = isinstance(outcome, NoAnswer) and outcome.reason is NoAnswerReason.REQUEST_FAILED
    scores = {
        f"accuracy_{record.problem_type}": headline["score"],
        **_by_beam_size(outcome, asked),
        "no_result_rate": float(isinstance(outcome, NoAnswer)),
        "request_failed_rate": float(failed),
        "asked_as_text": float(not record.has_diagram),
        "uncertain_rows": float(record.uncertain),
        "beam_size": float(asked),
        **({reason_metric(outcome.reason): 1.0} if isinstance(outcome, NoAnswer) else {}),
    }
    found: Items = {
        "accuracy": headline,
        "accuracy_official": {
            **identity,
            **_shown_choice(official),
            "score": FULL_MARKS * (official.chosen == record.label),
        },
        **{name: {**identity, "score": score} for name, score in scores.items()},
    }
    if record.program is not None:
        found |= _by_equivalence(identity, outcome, comparison)
    return found


def reason_metric(reason: Enum) -> str:
    """The metric that counts the problems without a result for this reason.

    No such name may be part of another: lmms-eval's groups look for metrics by a part of the name.
    """
    name = "empty_response" if reason is NoAnswerReason.EMPTY else reason.value
    return f"no_result_{name}"


def _by_beam_size(outcome: Outcome, asked: int) -> dict[str, float]:
    """The accuracy of the best 1, 5, 10 candidates; nothing where one was asked for.

    The walk ends at the first candidate that matches: a shorter beam has that one in it, or none.
    """
    if asked == 1:
        return {}
    value, rank = 0.0, 0
    if isinstance(outcome, Scored):
        value, rank = outcome.value, _rank(outcome)
    return {f"accuracy_beam{n}": value if rank < n else 0.0 for n in BEAM_SIZES if n <= asked}


def _compared(record: GeoQARecord, beam: Beam, outcome: Outcome) -> Comparison | None:
    """How the candidate that decided, or the best one, relates to the gold program."""
    candidate = beam[_rank(outcome) if isinstance(outcome, Scored) else 0]
    if record.program is None or not isinstance(candidate, Candidate) or candidate.failure:
        return None
    return compare(candidate.text, record.program, record.numbers)


def _rank(outcome: Scored) -> int:
    """The position in the beam, from 0, of the candidate that decided."""
    rank = outcome.detail["rank"]
    return rank if isinstance(rank, int) else 0


def _shown_comparison(comparison: Comparison | None) -> Item:
    if comparison is None:
        return {"equivalence": _NO_PROGRAM}
    reason = comparison.reason
    why = {} if reason is None else {"equivalence_reason": reason.value}
    return {"equivalence": comparison.outcome.value, **why}


def _by_equivalence(identity: Item, outcome: Outcome, comparison: Comparison | None) -> Items:
    """The items that a known gold program makes possible; an undecided comparison has no score."""
    item = identity | _shown_comparison(comparison)
    known = comparison is None or comparison.outcome is not Equivalence.UNDECIDED
    same = comparison is not None and comparison.outcome is Equivalence.EQUIVALENT
    found = {
        "program_equivalence": {**item, **({"score": float(same)} if known else {})},
        "equivalence_undecided": {**item, "score": float(not known)},
    }
    if isinstance(outcome, Scored) and outcome.value:
        other = {"score": float(not same)} if known else {}
        found["right_by_other_program_rate"] = {**item, **other}
    return found


def _shown_choice(choice: OfficialChoice) -> Item:
    """The choice in values that JSON can hold."""
    run = choice.run
    return {
        "chosen": choice.chosen,
        "status": "no_program" if run is None else run.status.value,
        "values": [] if run is None else list(map(_shown_value, run.values[-SHOWN_VALUES:])),
    }


def _shown_value(value: float) -> float | str:
    if isinstance(value, bool):
        return value
    number = as_float(value)
    return number if math.isfinite(number) else str(number)
