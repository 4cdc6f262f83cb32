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


def described_open_ended_prompt(record: OpenEndedRecord) -> str:
    """The description of the video, and the question."""
    return f"{_described(record.description)}{open_ended_prompt(record)}"


def described_circular_prompt(record: CircularRecord) -> str:
    """The description of the video, and what is asked of one pass."""
    return f"{_described(record.description)}{circular_prompt(record)}"


def _described(description: str) -> str:
    return f"Description of the video:\n{description}\n\n"
