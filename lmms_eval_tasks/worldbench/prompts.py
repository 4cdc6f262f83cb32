"""What a model is asked."""

from __future__ import annotations

from lmms_eval_tasks.worldbench.records import WorldBenchRecord

INSTRUCTION = (
    "Think as long as you need. Then end your response with a final line of exactly this form, "
    "where X is A, B, C or D:\nANSWER: X"
)


def question_prompt(record: WorldBenchRecord) -> str:
    """The question, the options A to D, and the final line that is asked for."""
    return f"{record.question}\n\n{record.options.render()}\n\n{INSTRUCTION}"
