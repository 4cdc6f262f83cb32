"""From a response to its outcome under both readings, and to what lmms-eval stores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from lmms_eval_tasks.worldbench.pictures import image_problem
from lmms_eval_tasks.worldbench.readings import normalised_letter, strict_letter
from lmms_eval_tasks.worldbench.records import WorldBenchRecord
from lmms_eval_tasks_core.options import Options
from lmms_eval_tasks_core.outcome import (
    NoAnswer,
    NoAnswerReason,
    NotJudged,
    NotJudgedReason,
    Outcome,
    Scored,
    to_item,
)
from lmms_eval_tasks_core.responses import answer_text

Row = Mapping[str, object]
Items = dict[str, dict[str, object]]
Reading = Callable[[str, Options], str | NoAnswerReason]
FULL_MARKS = 100.0


def score(record: WorldBenchRecord, response: object, reading: Reading) -> Outcome:
    """Read a response and compare the letter with the answer.

    Args:
        record: The question.
        response: What the model said.
        reading: `strict_letter` or `normalised_letter`.

    Returns:
        100 or 0 with the chosen letter; why there is none; or that the picture was unusable, which
        is not the model's failure.
    """
    if problem := image_problem(record):
        return NotJudged(NotJudgedReason.IMAGE_UNUSABLE, {"trouble": problem})
    text = answer_text(response)
    if isinstance(text, NoAnswer):
        return text
    letter = reading(text, record.options)
    if isinstance(letter, NoAnswerReason):
        return NoAnswer(letter)
    return Scored(FULL_MARKS * (letter == record.answer), {"chosen": letter})


def items(doc: Row, results: Sequence[object]) -> Items:
    """Score the response to one row: lmms-eval's ``process_results``.

    Returns:
        An item for each metric that this row counts for: its own domain's, and the accuracy over
        answered rows only if the request was answered. Never raises for what a model said.
    """
    record = WorldBenchRecord.from_row(doc)
    response = results[0] if results else None
    identity = {
        "id": record.id,
        "category": record.category,
        "domain": record.domain.value,
        "answer": record.answer,
    }
    strict = score(record, response, strict_letter)
    headline = to_item(strict, identity)
    unusable = isinstance(strict, NotJudged)
    failed = isinstance(strict, NoAnswer) and strict.reason is NoAnswerReason.REQUEST_FAILED
    found: Items = {
        "accuracy": headline,
        "accuracy_normalised": to_item(score(record, response, normalised_letter), identity),
        "image_unusable": {"id": record.id, "score": float(unusable)},
    }
    if unusable:
        return found
    brief = {"id": record.id, "score": headline["score"]}
    found["answer_parsed"] = {"id": record.id, "score": float("chosen" in headline)}
    found["request_failed_rate"] = {"id": record.id, "score": float(failed)}
    found[f"accuracy_{record.domain.value}"] = brief
    if not failed:
        found["accuracy_answered"] = brief
    return found | _margins(found)


def _margins(found: Items) -> Items:
    """An item for the margin of each accuracy among the metrics."""
    return {
        f"{metric}_margin": {"id": item["id"], "points": item["score"]}
        for metric, item in found.items()
        if metric.startswith("accuracy")
    }
