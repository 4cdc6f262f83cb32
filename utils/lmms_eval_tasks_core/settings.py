"""What users set in the environment. No other module reads it, and nothing is read at import."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

from lmms_eval_tasks_core.environment import (
    DISABLE,
    JUDGE,
    JUDGE_API_KEY,
    JUDGE_AZURE_API,
    JUDGE_BASE_URL,
    JUDGE_IN_FLIGHT,
    JUDGE_MODEL,
    JUDGE_PATIENCE,
    MATCHER,
    MATCHER_MODEL,
    NUMBERS,
    REPORT,
    UNJUDGED_LIMIT,
    VERDICTS,
    VIDEOS,
    strangers,
)
from lmms_eval_tasks_core.errors import SettingError

JudgeKind: TypeAlias = Literal["openai", "lexical"]
JUDGE_KINDS: tuple[JudgeKind, ...] = ("openai", "lexical")

_RELEASED_FOLDER = Path("multi-hop-reasoning", "videos")
_VERDICTS_IN_CACHE = Path("lmms-eval-tasks", "verdicts.sqlite")
_TRUE, _FALSE = ("1", "true", "yes", "on"), ("0", "false", "no", "off")
_UNEXPANDED = re.compile(r"\$\{?([A-Za-z_][A-Za-z0-9_]*)")


@dataclass(frozen=True, slots=True)
class JudgeSettings:
    """What users set about the judge; None where they set nothing.

    Attributes:
        kind: Which judge.
        model: The name of its model.
        base_url: The base URL of its server.
        api_key: Its key; never shown.
        azure_api: The API version of a server at Azure; None for any other server.
        patience: The seconds that one question may take with all its retries.
    """

    kind: JudgeKind | None
    model: str | None
    base_url: str | None
    api_key: str | None = field(repr=False)
    azure_api: str | None = None
    patience: float = NUMBERS[JUDGE_PATIENCE].default


@dataclass(frozen=True, slots=True)
class MatcherSettings:
    """What users set about the matcher of multiple-choice responses.

    Attributes:
        kind: Which matcher; None where nothing says.
        model: The name of its model; None where no model is named.
        server: The judge's settings, whose server is the matcher's too.
    """

    kind: JudgeKind | None
    model: str | None
    server: JudgeSettings


def judge_settings() -> JudgeSettings:
    """What is set about the judge.

    Raises:
        SettingError: The kind is unknown, the base URL is not an http(s) URL, or the patience is
            no number of seconds.
    """
    return JudgeSettings(
        kind=_kind(JUDGE),
        model=_value(JUDGE_MODEL),
        base_url=_judge_url(),
        api_key=judge_access()[0],
        azure_api=_value(JUDGE_AZURE_API),
        patience=_number(JUDGE_PATIENCE),
    )


def judge_access() -> tuple[str | None, str | None]:
    """The key and the URL of the judge's server as they are set, usable or not, to hide them."""
    return _value(JUDGE_API_KEY, "OPENAI_API_KEY"), _value(JUDGE_BASE_URL, "OPENAI_BASE_URL")


def matcher_settings() -> MatcherSettings:
    """What is set about the matcher; ``LMMS_EVAL_TASKS_JUDGE=lexical`` keeps it offline too.

    Raises:
        SettingError: A kind is unknown, or the base URL is not an http(s) URL.
    """
    judge = judge_settings()
    own_model = _value(MATCHER_MODEL)
    kind = _kind(MATCHER)
    if kind is None and own_model is None and judge.kind == "lexical":
        kind = "lexical"
    return MatcherSettings(kind=kind, model=own_model or judge.model, server=judge)


def verdicts_file() -> Path | None:
    """The file that keeps verdicts; None where none are to be kept, or there is no home folder.

    Raises:
        SettingError: The path names a variable or a user that does not exist.
    """
    if value := _value(VERDICTS):
        return None if value.lower() in _FALSE else _expanded(VERDICTS, value)
    try:
        return Path(_value("XDG_CACHE_HOME") or "~/.cache").expanduser() / _VERDICTS_IN_CACHE
    except RuntimeError:
        return None


def unjudged_limit() -> float:
    """The share of answers without a verdict, 0 to 1, beyond which a run says so in words.

    Raises:
        SettingError: The value is not a percentage.
    """
    return _number(UNJUDGED_LIMIT, unit="%") / 100


def judgements_in_flight() -> int:
    """How many judgements and matches a process asks for at once.

    Raises:
        SettingError: The value is no number between 1 and 1000.
    """
    number = _number(JUDGE_IN_FLIGHT)
    if not number.is_integer():
        raise SettingError(JUDGE_IN_FLIGHT, f"{number} is no whole number", "Set it to 32, say.")
    return int(number)


def report_wanted() -> bool:
    """Whether a run is to end with a report of itself.

    Raises:
        SettingError: The value says neither yes nor no.
    """
    return _switch(REPORT)


def registration_disabled() -> bool:
    """Whether the pack is to stay out of lmms-eval.

    Raises:
        SettingError: The value says neither yes nor no.
    """
    return _switch(DISABLE)


def videos_are_elsewhere() -> bool:
    """Whether users keep the videos in a folder of their own, so that none are to be had."""
    return _value(VIDEOS) is not None


def video_folder() -> Path:
    """Where the WorldQA videos lie; the folder need not exist.

    Raises:
        SettingError: The path names a variable or a user that does not exist.
    """
    if folder := _value(VIDEOS):
        return _expanded(VIDEOS, folder)
    return _expanded("HF_HOME", _value("HF_HOME") or "~/.cache/huggingface") / _RELEASED_FOLDER


def bad_settings() -> Iterator[SettingError]:
    """Every setting whose value cannot be used; none hides another."""
    kinds = (lambda: _kind(JUDGE), lambda: _kind(MATCHER))
    numbers = (lambda: _number(JUDGE_PATIENCE), judgements_in_flight, unjudged_limit)
    others = (_judge_url, verdicts_file, video_folder, report_wanted, registration_disabled)
    for read in (*kinds, *numbers, *others):
        try:
            read()
        except SettingError as error:  # noqa: PERF203 - ten times in a command, once
            yield error


def unknown_names() -> list[str]:
    """The variables that are set, begin like ours and mean nothing to us; never their values."""
    return strangers(os.environ)


def _value(*names: str) -> str | None:
    """The first value without surrounding white space; None where all are unset or empty."""
    return next((value for name in names if (value := os.environ.get(name, "").strip())), None)


def _switch(name: str) -> bool:
    value = (_value(name) or _FALSE[0]).lower()
    if value not in _TRUE + _FALSE:
        raise SettingError(name, f"{value!r} says neither yes nor no", "Set it to 1 or to 0.")
    return value in _TRUE


def _number(name: str, unit: str = "") -> float:
    default, least, most = NUMBERS[name]
    value = (_value(name) or str(default)).removesuffix(unit).strip()
    if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", value) or not least <= float(value) <= most:
        remedy = f"Set it to {least:g} … {most:g}."
        raise SettingError(name, f"{value!r} is no number in its range", remedy)
    return float(value)


def _kind(name: str) -> JudgeKind | None:
    named = _value(name)
    kind = next((kind for kind in JUDGE_KINDS if named and kind == named.lower()), None)
    if named and kind is None:
        remedy = f"Set it to {' or '.join(JUDGE_KINDS)}."
        what = "judge" if name == JUDGE else "matcher"
        raise SettingError(name, f"there is no {what} {named!r}", remedy)
    return kind


def _judge_url() -> str | None:
    url = judge_access()[1]
    if url and not re.fullmatch(r"https?://[^\s/]\S*", url, re.IGNORECASE):
        # The value is not shown: a URL may carry a password.
        name = JUDGE_BASE_URL if _value(JUDGE_BASE_URL) else "OPENAI_BASE_URL"
        remedy = "Set it to the server's base URL, such as http://localhost:8000/v1."
        raise SettingError(name, "its value is no http:// or https:// URL", remedy)
    # Some tools want the whole URL of the endpoint under this name.
    return url and url.rstrip("/").removesuffix("/chat/completions")


def _expanded(name: str, value: str) -> Path:
    path = os.path.expandvars(value)
    if unknown := _UNEXPANDED.search(path):
        remedy = f"Set {unknown[1]}, or write the path out."
        raise SettingError(name, f"{value!r} names {unknown[1]}, which is not set", remedy)
    try:
        return Path(path).expanduser()
    except RuntimeError as error:
        remedy = "Write the path out."
        raise SettingError(name, f"the home folder in {value!r} cannot be found", remedy) from error
