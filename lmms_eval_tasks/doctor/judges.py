"""Whether the judge and the matcher answer, and whether verdicts can be kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lmms_eval_tasks.doctor.asking import NoAnswerError, ask
from lmms_eval_tasks.doctor.chosen import Chosen
from lmms_eval_tasks.doctor.finding import Check, Finding, Level
from lmms_eval_tasks.doctor.places import trouble_writing
from lmms_eval_tasks.doctor.variables import judging, stops
from lmms_eval_tasks_core.environment import (
    JUDGE,
    JUDGE_BASE_URL,
    JUDGE_MODEL,
    MATCHER,
    MATCHER_MODEL,
    VERDICTS,
)
from lmms_eval_tasks_core.settings import bad_settings, verdicts_file

_FAMILY = "Judging"
_SECONDS = 60.0
_WHO_IS_ASKED = (JUDGE, MATCHER, JUDGE_BASE_URL, "OPENAI_BASE_URL")
_ANOTHER = f"Set {VERDICTS} to a file on a local disk, or to `off` if none are to be kept."


def checks(chosen: Chosen, *, offline: bool) -> list[Check]:
    """The checks of this family, where a task needs a judge or a matcher."""
    scorers = list(judging(chosen))
    if not scorers:
        return []
    return [
        Check(_FAMILY, "judge", _SECONDS, lambda: list(_judges(chosen, scorers, offline=offline))),
        Check(_FAMILY, "verdicts", _SECONDS / 2, lambda: [verdicts()]),
    ]


def verdicts() -> Finding:
    """Whether the file of verdicts is whole and can be written. It is not changed."""
    from lmms_eval_tasks_core.judging.verdict_file import FileError  # noqa: PLC0415 - SQLite

    path = verdicts_file()
    if path is None:
        words = f"None are kept: {VERDICTS} is off, or there is no home folder."
        return Finding("verdicts", Level.WARNING, words, "A repeated run buys every verdict anew.")
    if trouble := trouble_writing(path.parent):
        words = f"None can be kept in {path}: {trouble}."
        return Finding("verdicts", Level.WARNING, words, _ANOTHER)
    if not path.exists():
        return Finding("verdicts", Level.OK, f"None yet; they will be kept in {path}.")
    try:
        count = _count(path)
    except (FileError, OSError) as error:
        words = f"{path} cannot be used: {error}."
        remedy = f"A run moves a damaged file aside and begins a new one. {_ANOTHER}"
        return Finding("verdicts", Level.WARNING, words, remedy)
    size = path.stat().st_size / 1e6
    return Finding("verdicts", Level.OK, f"{count:,} in {path}, {size:,.1f} MB.")


def _count(path: Path) -> int:
    """The number of verdicts in a file, each of them read."""
    from lmms_eval_tasks_core.judging.verdict_file import VerdictFile  # noqa: PLC0415 - SQLite

    file = VerdictFile(path)
    try:
        return sum(1 for _ in file.entries())
    finally:
        file.close()


def _judges(chosen: Chosen, scorers: list[str], *, offline: bool) -> Iterator[Finding]:
    for error in bad_settings():
        # Nobody else is asked instead: another server would be handed the key.
        if error.name in _WHO_IS_ASKED and stops(error.name, chosen):
            raise error
    network = "offline" if offline else "online"
    try:
        answer = ask("preflight", network, *scorers, seconds=_SECONDS - 15).value
    except NoAnswerError as error:
        words = f"The judge or the matcher does not answer: {error}."
        yield Finding("judge", Level.ERROR, words, f"Check {JUDGE_MODEL} and its server.")
        return
    if answer["said"] is None:
        yield Finding("judge", Level.SKIPPED, "It was not asked (--offline).")
        return
    mild = answer["is_nobody"] and not chosen.are_named
    seen: list[Finding] = []
    for each in answer["said"]:
        finding = _finding(each, mild=mild, compares_words=answer["compares_words"])
        if finding not in seen:
            seen.append(finding)
            yield finding


def _finding(said: dict[str, Any], *, mild: bool, compares_words: bool) -> Finding:
    if "problem" in said:
        level = Level.WARNING if mild else Level.ERROR
        return Finding("judge or matcher", level, said["problem"], said["remedy"])
    cites: dict[str, str] = said["cites"]
    if "judge" in cites:
        words = f"{cites['judge']}, rubric {cites['rubric_version']}"
        if cites["judge"] == "lexical":
            return Finding("judge", Level.OK, f"{words}: it compares words, and is no model's.")
        return Finding("judge", Level.OK, f"{words}: it answers.")
    words = f"{cites.get('matcher')}, {cites.get('matcher_version')}"
    if cites.get("matcher") != "lexical":
        return Finding("matcher", Level.OK, f"{words}: it answers.")
    if compares_words or "sample" in said["hook"]:
        return Finding("matcher", Level.OK, f"{words}: it compares words.")
    return Finding(
        "matcher",
        Level.WARNING,
        f"{words}: responses that rules cannot read are matched by comparing words.",
        f"For numbers to be cited, set {MATCHER_MODEL} or {JUDGE_MODEL} to a model; "
        f"{MATCHER}=lexical (or {JUDGE}=lexical) says that this is meant.",
    )
