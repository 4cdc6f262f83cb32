"""From a free answer to its outcome, and from that to what lmms-eval stores for each metric."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from lmms_eval_tasks.worldqa.accounting import costs, unjudged
from lmms_eval_tasks.worldqa.records import OpenEndedRecord
from lmms_eval_tasks.worldqa.rubric import GRADE_OF_RELATION, GRADES, RUBRIC
from lmms_eval_tasks_core.errors import JudgeUnavailableError
from lmms_eval_tasks_core.judging.configured import configured_judge
from lmms_eval_tasks_core.judging.lexical import NAME as LEXICAL
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
from lmms_eval_tasks_core.settings import judgements_in_flight, unjudged_limit

Row = Mapping[str, object]
Items = dict[str, dict[str, object]]
JudgeSource = Callable[[], Judge]
FULL_MARKS = 100.0


class OpenEndedScorer:
    """Scores free answers with a judge: the one that settings name, else the task's own default.

    Calling it is lmms-eval's ``process_results``.

    Args:
        default_judge: "openai" or "lexical".
        counts_sound: Whether the setting hands over sound, so that clips without it are counted.
    """

    def __init__(self, default_judge: str, *, counts_sound: bool = False) -> None:
        self._default_judge = default_judge
        self._counts_sound = counts_sound

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
            "score_lower": item.get("score", 0.0),
            "score_upper": item.get("score", FULL_MARKS),
            "no_answer_rate": float(isinstance(outcome, NoAnswer)),
            "request_failed_rate": float(item.get("reason") == NoAnswerReason.REQUEST_FAILED.value),
            "coverage": doc.get("coverage", 1.0),
            **(
                {"with_sound_rate": float(bool(doc.get("has_sound")))} if self._counts_sound else {}
            ),
        }
        return {
            "open_ended_score": item,
            **{metric: {**identity, "score": score} for metric, score in rates.items()},
            "judged_rate": {**identity, "score": float(judged), **_reason(item)},
            "reused_rate": {**identity, **_reused(item)},
            **costs("judge", item, identity),
            **unjudged(outcome, identity),
            **_by_grade(item, identity),
        }

    def preflight(self) -> None:
        """Check that the judge answers.

        Raises:
            JudgeUnavailableError: It is not configured, or does not answer.
            SettingError: A setting has a value that cannot be used.
        """
        unjudged_limit()
        judgements_in_flight()
        self._judge().preflight()

    def at_once(self) -> int:
        """How many answers to score at once: as many as the judge is asked for, 1 if offline.

        Raises:
            JudgeUnavailableError: The judge is not configured.
            SettingError: A setting has a value that cannot be used.
        """
        return 1 if self._judge().name == LEXICAL else judgements_in_flight()

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
            **verdict.cost.to_fields(),
        },
    )


def _reason(item: Mapping[str, object]) -> dict[str, object]:
    """Why an answer is not judged, for the sentence that says how many are not."""
    return {} if "score" in item else {"reason": item["reason"]}


def _reused(item: Mapping[str, object]) -> dict[str, object]:
    """Whether a verdict was paid for before; nothing is said where there is no verdict."""
    return {"score": float(bool(item["reused"]))} if "reused" in item else {}


def _by_grade(item: Mapping[str, object], identity: Mapping[str, object]) -> Items:
    """For each grade whether the answer got it; nothing is said of an answer nobody judged.

    A judge may give only points, and two grades are worth the same: then the grade is unnamed.
    """
    given = item.get("grade") or ("unnamed" if item["outcome"] == "scored" else None)
    rates: Items = {}
    for grade in (*(grade.name for grade in GRADES), "unnamed"):
        score = {"score": float(grade == given)} if "score" in item else {}
        rates[f"grade_{grade}_rate"] = {**identity, **score}
    return rates
