"""What went wrong with a request: whether it may pass, and what a reader is told of it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from http import HTTPStatus
from json import JSONDecodeError
from typing import TYPE_CHECKING

from lmms_eval_tasks_core.outcome import NotJudgedReason

if TYPE_CHECKING:
    from openai import APIStatusError

_REJECTED = (400, 401, 403, 404, 405, 413, 422)
_PASSING = (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.CONFLICT, HTTPStatus.TOO_MANY_REQUESTS)
_FILTER_CODES = ("content_filter", "content_policy_violation", "responsibleaipolicyviolation")
_NO_QUOTA = "insufficient_quota"
_DELAYS = {"retry-after-ms": 1_000, "retry-after": 1}


def may_pass(error: BaseException) -> bool:
    """Whether the same request may succeed a moment later.

    So it is with timeouts, lost connections, 408, 409, 429 and 5xx, unless the server says in
    ``x-should-retry``, as OpenAI's does, that another try is of no use, or that nothing is left of
    what was paid for.
    """
    from openai import APIConnectionError, APIStatusError  # noqa: PLC0415 - importing the pack stays cheap

    if isinstance(error, APIStatusError):
        if error.response.headers.get("x-should-retry") == "false" or _is_out_of_quota(error):
            return False
        return (
            error.status_code in _PASSING or error.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR
        )
    return isinstance(error, APIConnectionError)


def delay_asked(headers: Mapping[str, str]) -> float | None:
    """The seconds a server asks to be left alone, where it gives a number of them."""
    for name, parts_of_a_second in _DELAYS.items():
        try:
            delay = float(headers.get(name, "")) / parts_of_a_second
        except ValueError:
            continue
        if math.isfinite(delay) and delay > 0:
            return delay
    return None


def reason_and_trouble(error: Exception) -> tuple[NotJudgedReason, str]:
    """Why a request led to no reply, and the same in words: the server's, where it has any."""
    from openai import (  # noqa: PLC0415 - importing the pack stays cheap
        APIConnectionError,
        APIResponseValidationError,
        APIStatusError,
    )

    reason = NotJudgedReason.JUDGE_UNREACHABLE
    if isinstance(error, APIStatusError):
        trouble = f"HTTP {error.status_code}: {server_words(error)}"
        if error.status_code in _REJECTED or _is_out_of_quota(error):
            reason = NotJudgedReason.JUDGE_REJECTED
        if _is_filtered(error):
            reason = NotJudgedReason.CONTENT_FILTER
        if delay := delay_asked(error.response.headers):
            trouble = f"{trouble.rstrip('. ')} (not to be asked again for {delay:g} s)"
    elif isinstance(error, APIConnectionError):
        cause = str(error.__cause__ or "")
        trouble = error.message.rstrip(".") + (f" ({cause})" if cause else "")
    elif isinstance(error, JSONDecodeError | UnicodeDecodeError | APIResponseValidationError):
        reason = NotJudgedReason.UNREADABLE_REPLY
        trouble = f"its reply is not a chat completion ({error})"
    else:
        trouble = f"{type(error).__name__}: {error}"
    return reason, trouble


def server_words(error: APIStatusError) -> str:
    """What the server says about an error."""
    body = error.body
    if isinstance(body, dict):
        body = body.get("message") or body.get("detail") or body
    return str(body or error.message)


def _is_out_of_quota(error: APIStatusError) -> bool:
    return str(error.code).lower() == _NO_QUOTA


def _is_filtered(error: APIStatusError) -> bool:
    return str(error.code).lower() in _FILTER_CODES
