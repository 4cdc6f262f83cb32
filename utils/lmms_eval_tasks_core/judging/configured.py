"""The judge that settings ask for, the clients of models, the store: each made once per process."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from lmms_eval_tasks_core.environment import (
    JUDGE,
    JUDGE_API_KEY,
    JUDGE_AZURE_API,
    JUDGE_BASE_URL,
    JUDGE_MODEL,
)
from lmms_eval_tasks_core.errors import JudgeUnavailableError
from lmms_eval_tasks_core.judging.completion import Usage
from lmms_eval_tasks_core.judging.lexical import LexicalJudge, SetRelation
from lmms_eval_tasks_core.judging.openai_judge import OpenAIJudge
from lmms_eval_tasks_core.judging.protocol import Judge, Rubric
from lmms_eval_tasks_core.judging.purchases import Purchases
from lmms_eval_tasks_core.judging.store import VerdictStore
from lmms_eval_tasks_core.judging.transport import ChatModel
from lmms_eval_tasks_core.settings import JudgeSettings, judge_settings, verdicts_file

_lock = threading.Lock()
_judges: dict[tuple[str, JudgeSettings, str | None, Path | None], Judge] = {}
_models: dict[tuple[str, JudgeSettings, Path | None], ChatModel] = {}
_purchases: dict[Path | None, Purchases] = {}
_listeners: list[Callable[[Usage], None]] = []


def configured_judge(
    rubric: Rubric, words: Mapping[SetRelation, str], default: str | None
) -> Judge:
    """The judge that the settings ask for.

    There is one per version of a rubric and settings, shared by all threads.

    Args:
        rubric: The scale.
        words: The grade for each relation between words, for the lexical judge.
        default: The kind of judge where the settings name none: "openai", "lexical" or None.

    Raises:
        JudgeUnavailableError: The settings leave out what the judge needs.
        SettingError: A setting has a value that cannot be used.
    """
    settings = judge_settings()
    key = (rubric.version, settings, default, verdicts_file())
    with _lock:
        if key not in _judges:
            _judges[key] = _made(rubric, words, settings, settings.kind or default)
        return _judges[key]


def shared_model(model: str, server: JudgeSettings) -> ChatModel:
    """The one client of a model in this process, whoever asks it and for what.

    Args:
        model: The name the server knows it by.
        server: The settings of the server.

    Raises:
        JudgeUnavailableError: The server needs a key, and none is set.
    """
    with _lock:
        return _shared(model, server)


def on_judge_usage(listener: Callable[[Usage], None]) -> None:
    """Have a listener told what every judge and matcher of this process costs, reply by reply.

    It is called from the threads that ask. Adding it again changes nothing.
    """
    with _lock:
        if listener not in _listeners:
            _listeners.append(listener)


def _made(
    rubric: Rubric, words: Mapping[SetRelation, str], settings: JudgeSettings, kind: str | None
) -> Judge:
    if kind == "lexical":
        return LexicalJudge(rubric, words)
    offline = f"or {JUDGE}=lexical to grade offline by comparing words."
    if kind is None:
        problem = "Open-ended answers need a judge, and none is set."
        raise JudgeUnavailableError(problem, f"Set {JUDGE}=openai and {JUDGE_MODEL}, {offline}")
    if settings.model is None:
        problem = f"Open-ended answers need a judge, and {JUDGE_MODEL} names no model."
        where = f"with {JUDGE_BASE_URL} and {JUDGE_API_KEY} for its server"
        raise JudgeUnavailableError(problem, f"Set it, {where}, {offline}")
    return OpenAIJudge(rubric, _shared(settings.model, settings))


def _shared(model: str, server: JudgeSettings) -> ChatModel:
    """The one client of a model in this process; the lock is held."""
    _check_access(model, server)
    path = verdicts_file()
    if path not in _purchases:
        _purchases[path] = Purchases(VerdictStore(path) if path else None)
    key = (model, replace(server, kind=None, model=None), path)
    if key not in _models:
        _models[key] = ChatModel(
            model=model,
            base_url=server.base_url,
            api_key=server.api_key,
            azure_api=server.azure_api,
            patience=server.patience,
            on_usage=_tell_listeners,
            purchases=_purchases[path],
        )
    return _models[key]


def _check_access(model: str, server: JudgeSettings) -> None:
    """A server needs a key unless it is one's own, and nobody knows a resource at Azure."""
    offline = f"or {JUDGE}=lexical to do without a model."
    if server.azure_api is not None and server.base_url is None:
        problem = f"{JUDGE_AZURE_API} is set, and nothing says where the Azure resource is."
        where = f"{JUDGE_BASE_URL} to its endpoint, such as https://NAME.openai.azure.com"
        raise JudgeUnavailableError(problem, f"Set {where}, {offline}")
    if server.api_key is None and (server.base_url is None or server.azure_api is not None):
        owner = "OpenAI" if server.azure_api is None else "Azure"
        problem = f"The model {model!r} at {owner} needs a key, and none is set."
        where = f"{JUDGE_API_KEY} (or OPENAI_API_KEY), {JUDGE_BASE_URL} for a server of your own"
        raise JudgeUnavailableError(problem, f"Set {where}, {offline}")


def _tell_listeners(usage: Usage) -> None:
    for listener in tuple(_listeners):
        listener(usage)
