"""Judges behind an OpenAI-compatible server. The only module of the pack that speaks HTTP."""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Callable
from json import JSONDecodeError
from typing import TYPE_CHECKING, cast

from lmms_eval_tasks_core.errors import JudgeUnavailableError
from lmms_eval_tasks_core.judging.completion import (
    LONGEST_QUOTE,
    Reply,
    Usage,
    reply_of,
    usage_of,
)
from lmms_eval_tasks_core.judging.dialect import Dialect
from lmms_eval_tasks_core.judging.protocol import Inquiry, Rubric, Verdict
from lmms_eval_tasks_core.judging.verdict import read_verdict
from lmms_eval_tasks_core.outcome import NotJudged, NotJudgedReason
from lmms_eval_tasks_core.settings import JUDGE, JUDGE_API_KEY, JUDGE_BASE_URL, JUDGE_MODEL

if TYPE_CHECKING:
    from openai import APIStatusError, OpenAI

_log = logging.getLogger(__name__)

DEFAULT_BASE_URL = "https://api.openai.com/v1"
REMEDY = (
    f"Set {JUDGE_MODEL}, {JUDGE_BASE_URL} and {JUDGE_API_KEY} to a judge that answers, "
    f"or {JUDGE}=lexical to grade offline by comparing words."
)
# One more than the parameters a server may reject one after the other.
_MOST_DIALECTS = 5
_REJECTED = (400, 401, 403, 404, 405, 413, 422)
# What another asking may mend; a refusal or a filter gives the same answer to the same question.
_ASK_AGAIN = (NotJudgedReason.EMPTY_REPLY, NotJudgedReason.UNREADABLE_REPLY)
_FILTER_CODES = ("content_filter", "content_policy_violation", "responsibleaipolicyviolation")
_KEY_SHAPED = re.compile(r"\bsk-[A-Za-z0-9_*.-]{8,}|(?<=Bearer )\S+")
_USER_INFO = re.compile(r"(?<=://)[^/@\s]+@")
# Placeholders such as "x" are no secrets, and striking them out would strike out half the text.
_NO_SECRET = 3
_TRIAL = Inquiry("What colour is a clear sky at noon?", "It is blue.", "Blue.")


class OpenAIJudge:
    """Asks a model behind an OpenAI-compatible server for a grade.

    The client is made on first use and shared by all threads. It retries timeouts, lost
    connections, 408, 409, 429 and 5xx itself, honouring Retry-After; other errors fail at once.

    Args:
        rubric: The scale and the words in which to ask.
        model: The name the server knows the model by.
        base_url: The server's base URL; None for OpenAI's own.
        api_key: Its key; None where it needs none. Never shown.
        timeout: Seconds to wait for one reply before the client tries again.
        max_retries: How often the client tries again.
        askings: How often to ask for a verdict where the replies hold none.
        on_usage: Called with what each reply cost, from the thread that asked.
    """

    def __init__(  # noqa: PLR0913 - each is a setting of its own, and all but one go by keyword
        self,
        rubric: Rubric,
        *,
        model: str,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout: float = 60.0,
        max_retries: int = 5,
        askings: int = 3,
        on_usage: Callable[[Usage], None] | None = None,
    ) -> None:
        self._rubric = rubric
        self._model = model
        self._base_url = base_url or DEFAULT_BASE_URL
        self._api_key = api_key
        self._timeout = timeout
        self._max_retries = max_retries
        self._askings = askings
        self._on_usage = on_usage
        self._lock = threading.Lock()
        self._client: OpenAI | None = None
        self._dialect = Dialect()
        self._has_answered = False

    @property
    def name(self) -> str:
        """The name of the model."""
        return self._model

    def preflight(self) -> None:
        """Ask for one verdict, once in the life of this judge.

        A reply without a verdict is good enough here: the run counts those by reason.

        Raises:
            JudgeUnavailableError: The server cannot be reached or rejects the request.
        """
        if self._has_answered:
            return
        prompt, retries = self._rubric.render(_TRIAL), min(2, self._max_retries)
        outcome = self.ask(prompt, max_retries=retries)
        if isinstance(outcome, NotJudged) and "trouble" in outcome.detail:
            url = self._redacted(self._base_url).partition("?")[0]
            where = f"the judge {self._model!r} at {url}"
            problem = f"Nothing can be graded, because {where} does not answer"
            raise JudgeUnavailableError(f"{problem}: {outcome.detail['trouble']}.", REMEDY)
        self._has_answered = True

    def grade(self, inquiry: Inquiry) -> Verdict | NotJudged:
        """Grade one answer, or say why it has no verdict; thread-safe, and never raises."""
        prompt = self._rubric.render(inquiry)
        outcome = self._grade_once(prompt)
        for _ in range(1, self._askings):
            if isinstance(outcome, Verdict) or outcome.reason not in _ASK_AGAIN:
                break
            outcome = self._grade_once(prompt)
        return outcome

    def ask(self, prompt: str, *, max_retries: int | None = None) -> Reply | NotJudged:
        """Send one prompt and take the text of the reply; never raises.

        Returns:
            The reply; or why there is none, where ``detail["trouble"]`` gives the server's words
            if the request itself failed.
        """
        try:
            completion = self._complete(prompt, max_retries)
        except Exception as error:  # noqa: BLE001 - one answer never ends a run; the reason is kept
            return self._failure(error)
        self._report(completion)
        return reply_of(completion)

    def _grade_once(self, prompt: str) -> Verdict | NotJudged:
        reply = self.ask(prompt)
        if isinstance(reply, NotJudged):
            return reply
        # The last line of a reply that was cut off may be half a value: "0" of "0.5".
        text = reply.text.rpartition("\n")[0] if reply.is_cut else reply.text
        read = read_verdict(text, self._rubric.grades)
        if read is None:
            detail = {"reply": self._quoted(reply.text), "cut_off": reply.is_cut}
            return NotJudged(NotJudgedReason.UNREADABLE_REPLY, detail)
        version = self._rubric.version
        return Verdict(read.points, read.grade, self._redacted(read.rationale), self.name, version)

    def _complete(self, prompt: str, max_retries: int | None) -> object:
        """Send a prompt, leaving out what the server turns out not to take."""
        from openai import APIStatusError  # noqa: PLC0415 - importing the pack stays cheap

        client, dialect = self._connect(), self._dialect
        if max_retries is not None:
            client = client.with_options(max_retries=max_retries)
        create = cast("Callable[..., object]", client.chat.completions.create)
        messages = [{"role": "user", "content": prompt}]
        for _ in range(_MOST_DIALECTS):
            parameters = dialect.parameters(self._rubric.grades)
            try:
                completion = create(model=self._model, messages=messages, **parameters)
            except APIStatusError as error:
                narrower = dialect.without(error.param, _words(error))
                if error.status_code not in (400, 422) or narrower is None:
                    raise
                dialect = narrower
            else:
                with self._lock:
                    self._dialect = self._dialect.and_also(dialect)
                return completion
        raise AssertionError  # pragma: no cover - a dialect has only four steps to narrow

    def _connect(self) -> OpenAI:
        from openai import OpenAI  # noqa: PLC0415 - importing the pack stays cheap

        with self._lock:
            if self._client is None:
                self._client = OpenAI(
                    base_url=self._base_url,
                    # The client insists on a key; servers without one take any.
                    api_key=self._api_key or "none",
                    timeout=self._timeout,
                    max_retries=self._max_retries,
                )
            return self._client

    def _failure(self, error: Exception) -> NotJudged:
        from openai import (  # noqa: PLC0415 - importing the pack stays cheap
            APIConnectionError,
            APIResponseValidationError,
            APIStatusError,
        )

        reason = NotJudgedReason.JUDGE_UNREACHABLE
        if isinstance(error, APIStatusError):
            trouble = f"HTTP {error.status_code}: {_words(error)}"
            if error.status_code in _REJECTED:
                reason = NotJudgedReason.JUDGE_REJECTED
            if str(error.code).lower() in _FILTER_CODES:
                reason = NotJudgedReason.CONTENT_FILTER
        elif isinstance(error, APIConnectionError):
            trouble = f"{error.message.rstrip('.')} ({error.__cause__})"
        elif isinstance(error, JSONDecodeError | UnicodeDecodeError | APIResponseValidationError):
            reason = NotJudgedReason.UNREADABLE_REPLY
            trouble = f"its reply is not a chat completion ({error})"
        else:
            trouble = f"{type(error).__name__}: {error}"
        return NotJudged(reason, {"trouble": self._quoted(trouble)})

    def _report(self, completion: object) -> None:
        if self._on_usage is None:
            return
        try:
            self._on_usage(usage_of(completion, self._model))
        except Exception:  # noqa: BLE001 - a verdict is worth more than the count of its tokens
            _log.warning("What a judge's reply cost could not be reported.", exc_info=True)

    def _quoted(self, text: str) -> str:
        return self._redacted(text)[:LONGEST_QUOTE].rstrip(" .\n")

    def _redacted(self, text: str) -> str:
        if self._api_key and len(self._api_key) > _NO_SECRET:
            text = text.replace(self._api_key, "***")
        return _KEY_SHAPED.sub("***", _USER_INFO.sub("", text))


def _words(error: APIStatusError) -> str:
    """What the server says about an error."""
    body = error.body
    if isinstance(body, dict):
        body = body.get("message") or body.get("detail") or body
    return str(body or error.message)
