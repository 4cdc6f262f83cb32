"""The matcher that settings ask for."""

from __future__ import annotations

from lmms_eval_tasks_core.environment import JUDGE_MODEL, MATCHER, MATCHER_MODEL
from lmms_eval_tasks_core.errors import JudgeUnavailableError
from lmms_eval_tasks_core.judging.configured import shared_model
from lmms_eval_tasks_core.matching.lexical import LexicalMatcher
from lmms_eval_tasks_core.matching.openai_matcher import OpenAIMatcher
from lmms_eval_tasks_core.matching.protocol import Matcher
from lmms_eval_tasks_core.settings import MatcherSettings, matcher_settings


def configured_matcher(default: str | None) -> Matcher:
    """The matcher that the settings ask for.

    Args:
        default: The kind of matcher where the settings name none: "openai", "lexical", or None for
            a model where the settings name one, else "lexical".

    Raises:
        JudgeUnavailableError: The settings leave out what the matcher needs.
        SettingError: A setting has a value that cannot be used.
    """
    settings = matcher_settings()
    if (settings.kind or default or _by_model(settings)) == "lexical":
        return LexicalMatcher()
    if settings.model is None:
        raise JudgeUnavailableError(
            f"Responses are to be matched to options by a model, and {MATCHER_MODEL} names none.",
            f"Set it (or {JUDGE_MODEL}), or {MATCHER}=lexical to match offline by comparing words.",
        )
    return OpenAIMatcher(shared_model(settings.model, settings.server))


def _by_model(settings: MatcherSettings) -> str:
    return "openai" if settings.model else "lexical"
