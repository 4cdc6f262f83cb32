"""What a model is asked."""

from __future__ import annotations

from lmms_eval_tasks.worldqa.records import CircularRecord, OpenEndedRecord

CHOICE_INSTRUCTION = "Answer with the letter of the right option."


def open_ended_prompt(record: OpenEndedRecord) -> str:
    """The question alone, as the released task asks it."""
    return record.question


def circular_prompt(record: CircularRecord) -> str:
    """The question, the options in the order of this pass, and how to answer."""
    return f"{record.question}\n{record.options.render()}\n{CHOICE_INSTRUCTION}"
