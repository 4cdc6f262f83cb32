"""What judging cost, how many answers nobody judged, and a sentence where these are many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from loguru import logger

from lmms_eval_tasks_core import circular_metrics
from lmms_eval_tasks_core.aggregate import mean_score
from lmms_eval_tasks_core.circular_metrics import incomplete_groups
from lmms_eval_tasks_core.environment import UNJUDGED_LIMIT
from lmms_eval_tasks_core.errors import SettingError
from lmms_eval_tasks_core.outcome import NotJudged, Outcome
from lmms_eval_tasks_core.settings import unjudged_limit

Items = Sequence[Mapping[str, object]]
Item = Mapping[str, object]
_COUNTED = ("requests", "input_tokens", "output_tokens")


def costs(who: str, item: Item, identity: Item) -> dict[str, dict[str, object]]:
    """The items of the metrics that say what a judge or a matcher cost.

    They have no ``score``, or lmms-eval would take a standard error of a bill.

    Args:
        who: "judge" or "matcher", with which the metrics begin.
        item: The item of the outcome, with the fields of `Cost` where something was asked.
        identity: The fields that say which sample this is.
    """
    counted = {f"{who}_{field}": {field: item.get(field, 0)} for field in _COUNTED}
    times = {key: item[key] for key in ("began", "ended") if key in item}
    metrics = {**counted, f"{who}_seconds": times}
    return {metric: {**identity, **fields} for metric, fields in metrics.items()}


def unjudged(outcome: Outcome, identity: Item) -> dict[str, dict[str, object]]:
    """The item of the metric that counts answers without a verdict for this one's reason."""
    if not isinstance(outcome, NotJudged):
        return {}
    return {f"unjudged_{outcome.reason.value}": dict(identity)}


def summed(field: str) -> Callable[[Items], float]:
    """The metric that sums up a field of all items: requests, tokens."""

    def total(items: Items) -> float:
        return float(sum(value for item in items if isinstance(value := item.get(field), int)))

    return total


def counted(items: Items) -> float:
    """The number of items."""
    return float(len(items))


def judged_rate(items: Items) -> float:
    """The share of free answers that were judged; says so if too many were not.

    Args:
        items: Items with ``score`` 1 or 0, and ``reason`` where it is 0.
    """
    _say_if_many(
        items,
        "WorldQA, open-ended: {missing} of {all} answers have no verdict ({reasons}). "
        "`open_ended_score` is over the others, and `score_lower` and `score_upper` bound what "
        "these could change",
    )
    return mean_score(items)


def circular_acc(items: Items) -> float:
    """The share of complete questions whose passes are all right; says so if none is complete."""
    if items and incomplete_groups(items) == len({item["group"] for item in items}):
        logger.warning(
            "WorldQA, multiple choice: no question has all of its passes, so that `circular_acc` "
            "is 0 for want of one; `circular_lower` and `circular_upper` say what is known."
        )
    return circular_metrics.circular_acc(items)


def not_judged_rate(items: Items) -> float:
    """The share of multiple-choice passes that were not judged; says so if these are too many.

    Args:
        items: Items with ``score`` 1 or 0, and ``reason`` where it is 1.
    """
    _say_if_many(
        items,
        "WorldQA, multiple choice: {missing} of {all} passes were not matched ({reasons}). "
        "`circular_acc` is over the questions without one, and `circular_lower` and "
        "`circular_upper` bound what these could change",
    )
    return mean_score(items)


def _say_if_many(items: Items, sentence: str) -> None:
    reasons = Counter(str(item["reason"]) for item in items if "reason" in item)
    missing = reasons.total()
    if missing > _limit() * len(items):
        named = ", ".join(f"{reason}: {count}" for reason, count in reasons.most_common())
        said = sentence.format(missing=missing, all=len(items), reasons=named)
        logger.warning(f"{said} ({UNJUDGED_LIMIT} sets from how many on this is said).")


def _limit() -> float:
    """The limit that is set; a bad one, which stops a run early, must not lose a finished one."""
    try:
        return unjudged_limit()
    except SettingError as error:
        logger.warning(str(error))
        return 0.0
