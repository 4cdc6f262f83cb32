"""From a multiple-choice response to its outcome, and to what lmms-eval stores for each metric."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from loguru import logger

from lmms_eval_tasks.worldqa.accounting import costs, unjudged
from lmms_eval_tasks.worldqa.records import CircularRecord
from lmms_eval_tasks_core.answers import Abstention, choose_option
from lmms_eval_tasks_core.environment import MATCHER, MATCHER_MODEL
from lmms_eval_tasks_core.errors import TasksError
from lmms_eval_tasks_core.matching.configured import configured_matcher
from lmms_eval_tasks_core.matching.lexical import NAME as LEXICAL
from lmms_eval_tasks_core.matching.protocol import Match, Matcher, Undecided
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
MatcherSource = Callable[[], Matcher]

# Metrics of whole questions: their items carry no score, or lmms-eval would take a standard error
# over the passes.
_OF_GROUPS = (
    *("circular_acc_stderr", "circular_lower", "circular_upper", "incomplete_groups"),
    *(f"at_least_{right}_rate" for right in (1, 2, 3, 4)),
)


class CircularScorer:
    """Scores passes of CircularEval by rules, and by a matcher where rules cannot tell.

    Calling it is lmms-eval's ``process_results``.

    Args:
        default_matcher: "openai", "lexical", or None for a model where the settings name one, else
            "lexical".
        counts_sound: Whether the setting hands over sound, so that clips without it are counted.
    """

    def __init__(self, default_matcher: str | None, *, counts_sound: bool = False) -> None:
        self._default_matcher = default_matcher
        self._counts_sound = counts_sound

    def __repr__(self) -> str:
        return f"{type(self).__module__}.{type(self).__name__}({self._default_matcher!r})"

    def __call__(self, doc: Row, results: Sequence[object]) -> Items:
        """Score one pass; never raises for what a model said."""
        record = CircularRecord.from_row(doc)
        outcome = score_circular(record, results[0] if results else None, self._matcher)
        identity = {"id": record.id, "group": record.group, "video_idx": record.video_idx}
        item = to_item(outcome, identity)
        score = item.pop("score", None)
        item |= {
            "pass": record.number,
            "passes": record.passes,
            "right": score == 1.0,
            "right_answer": record.options.letter_at(record.right),
            "right_position": record.right,
        }
        scores = {
            **_pass_scores(outcome, record.number),
            "reused_rate": float(bool(item["reused"])) if "reused" in item else None,
            "coverage": doc.get("coverage", 1.0),
            **(
                {"with_sound_rate": float(bool(doc.get("has_sound")))} if self._counts_sound else {}
            ),
        }
        return {
            "circular_acc": item,
            **dict.fromkeys(_OF_GROUPS, _group_fields(item)),
            "position_bias": _position_fields(item),
            **{metric: _scored(identity, score) for metric, score in scores.items()},
            "not_judged_rate": _unjudged(identity, outcome),
            **costs("matcher", item, identity),
            **unjudged(outcome, identity),
        }

    def preflight(self) -> None:
        """Check that the matcher answers, if it is a model.

        Raises:
            JudgeUnavailableError: It is not configured, or does not answer.
            SettingError: A setting has a value that cannot be used.
        """
        unjudged_limit()
        judgements_in_flight()
        matcher = self._matcher()
        if matcher.name == LEXICAL and self._default_matcher is None:
            logger.warning(
                "WorldQA: where rules cannot tell the option a response means, words are compared "
                f"(matcher: lexical). For a model, as the paper has it, set {MATCHER_MODEL}; "
                f"{MATCHER}=lexical says that this is meant."
            )
        matcher.preflight()

    def at_once(self) -> int:
        """How many passes to score at once: as many as the matcher is asked for, 1 if offline.

        Raises:
            JudgeUnavailableError: The matcher is not configured.
            SettingError: A setting has a value that cannot be used.
        """
        return 1 if self._matcher().name == LEXICAL else judgements_in_flight()

    def provenance(self) -> dict[str, object]:
        """What a number must cite: the matcher, and the version of its prompt or rule."""
        try:
            matcher = self._matcher()
        except TasksError:
            return {"matcher": "none"}
        return {"matcher": matcher.name, "matcher_version": matcher.version}

    def _matcher(self) -> Matcher:
        return configured_matcher(self._default_matcher)


def score_circular(record: CircularRecord, response: object, matcher: MatcherSource) -> Outcome:
    """Find the option a model chose in one pass.

    Args:
        record: The pass.
        response: What the model said.
        matcher: Gives the matcher; it is not asked for where rules can tell, or nothing was said.

    Returns:
        1 or 0 with the chosen letter and what found it; or why no option was chosen; or why the
        matcher could not tell.
    """
    text = answer_text(response)
    if isinstance(text, NoAnswer):
        return text
    choice = choose_option(text, record.options)
    if not isinstance(choice, Abstention):
        return _scored_choice(record, choice.letter, {"rule": str(choice.rule)})
    if not any(character.isalnum() for character in text):
        return NoAnswer(choice.reason)
    match = _matched(Undecided(record.question, record.options, text), matcher)
    if isinstance(match, NotJudged):
        return match
    cited = {
        "matcher": match.matcher,
        "matcher_version": match.version,
        "reused": match.reused,
        **match.cost.to_fields(),
    }
    if match.letter is None:
        return NoAnswer(choice.reason, cited)
    return _scored_choice(record, match.letter, {"rule": "matcher", **cited})


def _matched(undecided: Undecided, matcher: MatcherSource) -> Match | NotJudged:
    try:
        return matcher().match(undecided)
    except TasksError as error:
        return NotJudged(NotJudgedReason.JUDGE_NOT_CONFIGURED, {"trouble": str(error)})


def _scored_choice(record: CircularRecord, letter: str, found: Mapping[str, object]) -> Scored:
    position = record.options.position_of(letter)
    detail = {"chosen": letter, "chosen_position": position, **found}
    return Scored(float(position == record.right), detail)


def _pass_scores(outcome: Outcome, number: int) -> dict[str, object]:
    """The scores of one pass by metric; None where it is none of the metric's passes."""
    if isinstance(outcome, NotJudged):
        return {
            **dict.fromkeys(("mean_acc", "answered_acc", "undecided_rate", "request_failed_rate")),
            **({"first_pass_acc": None} if number == 0 else {}),
        }
    score = outcome.value if isinstance(outcome, Scored) else 0.0
    failed = isinstance(outcome, NoAnswer) and outcome.reason is NoAnswerReason.REQUEST_FAILED
    return {
        "mean_acc": score,
        "answered_acc": score if isinstance(outcome, Scored) else None,
        **({"first_pass_acc": score} if number == 0 else {}),
        "undecided_rate": float(isinstance(outcome, NoAnswer)),
        "request_failed_rate": float(failed),
    }


def _scored(identity: Mapping[str, object], score: object) -> dict[str, object]:
    return {**identity, **({} if score is None else {"score": score})}


def _unjudged(identity: Mapping[str, object], outcome: Outcome) -> dict[str, object]:
    """Whether a pass is not judged, and why, for the sentence that says how many are not."""
    if isinstance(outcome, NotJudged):
        return {**identity, "score": 1.0, "reason": outcome.reason.value}
    return {**identity, "score": 0.0}


def _group_fields(item: Mapping[str, object]) -> dict[str, object]:
    fields = ("group", "pass", "passes", "outcome", "right", "video_idx")
    return {key: item[key] for key in fields}


def _position_fields(item: Mapping[str, object]) -> dict[str, object]:
    return {key: item.get(key) for key in ("chosen_position", "right_position")}
