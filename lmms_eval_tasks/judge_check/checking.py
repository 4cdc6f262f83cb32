"""One check of the configured judge, from settings to the report that is shown and written."""

from __future__ import annotations

from datetime import datetime, timezone

from lmms_eval_tasks import __version__
from lmms_eval_tasks.judge_check.asking import Begins, ask, judge_in_use
from lmms_eval_tasks.judge_check.figures import Json, Prices, figures
from lmms_eval_tasks.judge_check.items import labelled_items
from lmms_eval_tasks.judge_check.measured import SCHEMA_VERSION, JudgeCheckError
from lmms_eval_tasks.judge_check.report import in_words
from lmms_eval_tasks.worldqa.rubric import RUBRIC
from lmms_eval_tasks_core.settings import judgements_in_flight


def checked(
    *,
    limit: int | None,
    again: bool,
    in_flight: int | None,
    prices: Prices | None,
    begins: Begins,
) -> Json:
    """Measure the judge that the settings ask for.

    Args:
        limit: How many of the labelled answers; None for all.
        again: Whether to ask a second time.
        in_flight: How many answers are graded at once; None for what the settings say.
        prices: What the judge's tokens cost, if that is known.
        begins: See `ask`.

    Returns:
        The report, as ``judge_check.json`` holds it; docs/judge_check.md describes it.

    Raises:
        JudgeCheckError: No answer has a verdict.
        JudgeUnavailableError: The judge is not configured, or does not answer.
        SettingError: A setting has a value that cannot be used.
    """
    at_once = in_flight or judgements_in_flight()
    in_use, labelled = judge_in_use(), labelled_items()
    asked = ask(in_use, labelled.items[:limit], again=again, in_flight=at_once, begins=begins)
    found = figures(asked, same_by_construction=in_use.afresh is None, prices=prices)
    name = in_use.judge.name
    if not found["judged"]:
        why = f"The judge {name} gave no verdict on any of {len(asked.items)} answers"
        raise JudgeCheckError(f"{why}{in_words(asked.reasons)}.", "Set another one.")
    return {
        "schema_version": SCHEMA_VERSION,
        "date": datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "lmms_eval_tasks": __version__,
        "judge": {"name": name, "server": in_use.server},
        "rubric_version": RUBRIC.version,
        "item_set": {"version": labelled.version, "size": len(labelled.items)},
        **found,
    }
