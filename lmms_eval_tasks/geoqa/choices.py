"""Letter choice: from a response to its outcome, and to what lmms-eval stores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from lmms_eval_tasks.geoqa.records import GeoQARecord
from lmms_eval_tasks.geoqa.scoring import FULL_MARKS, responses_of
from lmms_eval_tasks_core.answers import Abstention, choose_option
from lmms_eval_tasks_core.outcome import NoAnswer, NoAnswerReason, Outcome, Scored, to_item
from lmms_eval_tasks_core.responses import answer_text

Row: TypeAlias = Mapping[str, object]
Items: TypeAlias = dict[str, dict[str, object]]


def score_choice(record: GeoQARecord, response: object) -> Outcome:
    """Find the option a model chose.

    Returns:
        100 or 0 with the chosen letter and the rule that found it, or why no option was chosen.
    """
    text = answer_text(response)
    if isinstance(text, NoAnswer):
        return text
    choice = choose_option(text, record.options)
    if isinstance(choice, Abstention):
        return NoAnswer(choice.reason)
    right = record.options.position_of(choice.letter) == record.label
    return Scored(FULL_MARKS * right, {"chosen": choice.letter, "rule": str(choice.rule)})


def choice_items(doc: Row, results: Sequence[object]) -> Items:
    """Score the response to one row: lmms-eval's ``process_results``.

    Returns:
        An item for each metric that the row counts for. Never raises for what a model said.
    """
    record = GeoQARecord.from_row(doc)
    responses = responses_of(results)
    outcome = score_choice(record, responses[0] if responses else None)
    identity: dict[str, object] = {
        "id": record.id,
        "type": record.problem_type,
        "right_answer": record.options.letter_at(record.label),
    }
    headline = {**to_item(outcome, identity), "asked_as_text": not record.has_diagram}
    failed = isinstance(outcome, NoAnswer) and outcome.reason is NoAnswerReason.REQUEST_FAILED
    scores = {
        f"accuracy_{record.problem_type}": headline["score"],
        "undecided_rate": float(isinstance(outcome, NoAnswer)),
        "request_failed_rate": float(failed),
        "asked_as_text": float(not record.has_diagram),
    }
    return {
        "accuracy": headline,
        **{name: {**identity, "score": score} for name, score in scores.items()},
    }
