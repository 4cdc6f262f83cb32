"""From a response to its outcome, and from an outcome to what lmms-eval stores for each metric."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from lmms_eval_tasks.worldqa.records import CircularRecord, OpenEndedRecord
from lmms_eval_tasks.worldqa.rubric import GRADE_OF_RELATION, RUBRIC
from lmms_eval_tasks_core.answers import Abstention, choose_option
from lmms_eval_tasks_core.errors import JudgeUnavailableError
from lmms_eval_tasks_core.judging.configured import configured_judge
from lmms_eval_tasks_core.judging.protocol import Inquiry, Judge
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
JudgeSource = Callable[[], Judge]
FULL_MARKS = 100.0


class OpenEndedScorer:
    """Scores free answers with a judge: the one that settings name, else the task's own default.

    Calling it is lmms-eval's ``process_results``.

    Args:
        default_judge: "openai" or "lexical".
    """

    def __init__(self, default_judge: str) -> None:
        self._default_judge = default_judge

    def __repr__(self) -> str:
        return f"{type(self).__module__}.{type(self).__name__}({self._default_judge!r})"

    def __call__(self, doc: Row, results: Sequence[object]) -> Items:
        """Score the response to one row; never raises for what a model said."""
        record = OpenEndedRecord.from_row(doc)
        outcome = score_open_ended(record, results[0] if results else None, self._judge)
        identity = {"id": record.id, "video_idx": record.video_idx}
        item = to_item(outcome, identity)
        judged = "score" in item
        rates = {
            "judged_rate": float(judged),
            "score_lower": item.get("score", 0.0),
            "score_upper": item.get("score", FULL_MARKS),
            "no_answer_rate": float(isinstance(outcome, NoAnswer)),
            "request_failed_rate": float(_failed(outcome)),
            "coverage": doc.get("coverage", 1.0),
        }
        return {
            "open_ended_score": item,
            **{metric: {**identity, "score": score} for metric, score in rates.items()},
        }

    def preflight(self) -> None:
        """Check that the judge answers.

        Raises:
            JudgeUnavailableError: It is not configured, or does not answer.
        """
        self._judge().preflight()

    def provenance(self) -> dict[str, object]:
        """What a score must cite: the judge and the version of the rubric."""
        try:
            judge = self._judge().name
        except JudgeUnavailableError:
            judge = "none"
        return {"judge": judge, "rubric_version": RUBRIC.version}

    def _judge(self) -> Judge:
        return configured_judge(RUBRIC, GRADE_OF_RELATION, self._default_judge)


def score_open_ended(record: OpenEndedRecord, response: object, judge: JudgeSource) -> Outcome:
    """Have one answer judged.

    Args:
        record: The question.
        response: What the model said.
        judge: Gives the judge; it is not asked for where there is no answer to judge.

    Returns:
        0 to 100 with the verdict in its detail. A response without a single letter or digit needs
        no judge: it is no answer (":" alone has talked judges into full marks, arXiv 2507.08794).
    """
    text = answer_text(response)
    if isinstance(text, NoAnswer):
        return text
    if not any(character.isalnum() for character in text):
        return NoAnswer(NoAnswerReason.EMPTY)
    try:
        verdict = judge().grade(Inquiry(record.question, record.answer, text))
    except JudgeUnavailableError as error:
        return NotJudged(NotJudgedReason.JUDGE_NOT_CONFIGURED, {"trouble": str(error)})
    if isinstance(verdict, NotJudged):
        return verdict
    return Scored(
        FULL_MARKS * verdict.points,
        {
            "grade": verdict.grade,
            "points": verdict.points,
            "rationale": verdict.rationale,
            "judge": verdict.judge,
            "rubric_version": verdict.rubric_version,
            "reused": verdict.reused,
        },
    )


def score_circular(record: CircularRecord, response: object) -> Outcome:
    """Find the option a model chose in one pass.

    Returns:
        1 or 0 with the chosen letter and the rule that found it, or why no option was chosen.
    """
    text = answer_text(response)
    if isinstance(text, NoAnswer):
        return text
    choice = choose_option(text, record.options)
    if isinstance(choice, Abstention):
        return NoAnswer(choice.reason)
    position = record.options.position_of(choice.letter)
    detail = {"chosen": choice.letter, "chosen_position": position, "rule": str(choice.rule)}
    return Scored(float(position == record.right), detail)


def circular_items(doc: Row, results: Sequence[object]) -> Items:
    """Score one pass: lmms-eval's ``process_results``; never raises for what a model said.

    The item of the headline carries no score of its own: whether a question counts is known only
    from all its passes, and lmms-eval would take a standard error over the passes.
    """
    record = CircularRecord.from_row(doc)
    outcome = score_circular(record, results[0] if results else None)
    identity = {"id": record.id, "group": record.group, "video_idx": record.video_idx}
    item = to_item(outcome, identity)
    score = item.pop("score")
    item |= {
        "pass": record.number,
        "passes": record.passes,
        "right": score == 1.0,
        "right_answer": record.options.letter_at(record.right),
        "right_position": record.right,
    }
    rates = {
        "mean_acc": score,
        "undecided_rate": float(isinstance(outcome, NoAnswer)),
        "request_failed_rate": float(_failed(outcome)),
        "coverage": doc.get("coverage", 1.0),
        **({"first_pass_acc": score} if record.number == 0 else {}),
    }
    return {
        "circular_acc": item,
        "incomplete_groups": _group_fields(item),
        "position_bias": _position_fields(item),
        **{metric: {**identity, "score": value} for metric, value in rates.items()},
    }


def _group_fields(item: dict[str, object]) -> dict[str, object]:
    return {key: item[key] for key in ("group", "pass", "passes", "outcome")}


def _position_fields(item: dict[str, object]) -> dict[str, object]:
    return {key: item.get(key) for key in ("chosen_position", "right_position")}


def _failed(outcome: Outcome) -> bool:
    return isinstance(outcome, NoAnswer) and outcome.reason is NoAnswerReason.REQUEST_FAILED
