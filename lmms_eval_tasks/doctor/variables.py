"""Whether every setting can be used, and every variable that looks like one is one."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from importlib import import_module

from lmms_eval_tasks.doctor.chosen import Chosen
from lmms_eval_tasks.doctor.finding import Check, Finding, Level
from lmms_eval_tasks_core.environment import DISABLE, ENVIRONMENT, MATCHER, PREFIX, REPORT, VIDEOS
from lmms_eval_tasks_core.settings import bad_settings, unknown_names

_FAMILY = "Settings"
_SECONDS = 20.0
_EVERY_RUN = (DISABLE, REPORT)
_OF_VIDEOS = (VIDEOS, "HF_HOME")


def checks(chosen: Chosen) -> list[Check]:
    """The checks of this family."""
    return [Check(_FAMILY, "settings", _SECONDS, lambda: list(variables(chosen)))]


def variables(chosen: Chosen) -> Iterator[Finding]:
    """A line for each variable that cannot be used or that means nothing."""
    found = [*_bad(chosen), *_unknown()]
    yield from found or [Finding("settings", Level.OK, "Every one that is set can be used.")]


def judging(chosen: Chosen) -> dict[str, object]:
    """Those scorers of the chosen tasks that need a judge or a matcher, by dotted name."""
    hooks = {each: _imported(each) for each in chosen.scorers}
    return {name: hook for name, hook in hooks.items() if hasattr(hook, "preflight")}


def stops(name: str, chosen: Chosen) -> bool:
    """Whether a run of the chosen tasks reads this variable, and stops where it is bad."""
    from lmms_eval_tasks.worldqa.circular_scoring import CircularScorer  # noqa: PLC0415 - rapidfuzz

    if name in _EVERY_RUN:
        return True
    if name in _OF_VIDEOS:
        return chosen.need_videos
    scorers = judging(chosen).values()
    if name == MATCHER:
        return any(isinstance(each, CircularScorer) for each in scorers)
    return bool(scorers)


def _bad(chosen: Chosen) -> Iterator[Finding]:
    for error in bad_settings():
        words = error.problem.removeprefix(f"{error.name}: ")
        if stops(error.name, chosen):
            yield Finding(error.name, Level.ERROR, words, error.remedy)
        else:
            words += " A run of these tasks does not stop at it."
            yield Finding(error.name, Level.WARNING, words, error.remedy)


def _unknown() -> Iterator[Finding]:
    # What all have in common would make any two look alike.
    known = [variable.name.removeprefix(PREFIX) for variable in ENVIRONMENT]
    for name in unknown_names():
        close = difflib.get_close_matches(name.removeprefix(PREFIX), known, n=1)
        meant = f"Did you mean {PREFIX}{close[0]}?" if close else "Unset it, or correct its name."
        # A name may hold what no terminal can show.
        shown = name.encode("unicode_escape", "backslashreplace").decode("ascii")
        yield Finding(shown, Level.WARNING, "No variable of this package has this name.", meant)


def _imported(hook: str) -> object:
    module, _, name = hook.rpartition(".")
    return getattr(import_module(module), name)
