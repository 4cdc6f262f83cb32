"""What tokens cost."""

from __future__ import annotations

from dataclasses import dataclass

from lmms_eval_tasks.plan.estimate import TaskPlan

_TOKENS_A_PRICE = 1_000_000


@dataclass(frozen=True, slots=True)
class Price:
    """What a model takes, in USD for a million tokens."""

    read: float
    written: float

    def of(self, read: int, written: int) -> float:
        """What so many tokens cost, in USD."""
        return (read * self.read + written * self.written) / _TOKENS_A_PRICE


@dataclass(frozen=True, slots=True)
class Prices:
    """The prices of the model under test and of the judge and matcher; None where not given."""

    model: Price | None = None
    judge: Price | None = None

    def of_model(self, plan: TaskPlan) -> float | None:
        """What the model's answers to a task cost, in USD."""
        if self.model is None:
            return None
        return self.model.of(plan.prompt_tokens, plan.answer_tokens)

    def of_judge(self, plan: TaskPlan) -> float | None:
        """What judging or matching a task costs, in USD."""
        if plan.asked is None or self.judge is None:
            return None
        return self.judge.of(plan.asked.input_tokens, plan.asked.output_tokens)
