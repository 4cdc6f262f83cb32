"""Models behind an OpenAI-compatible server. The only module of the pack that speaks HTTP."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
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
from lmms_eval_tasks_core.judging.kept import server_of
from lmms_eval_tasks_core.judging.purchases import Purchases
from lmms_eval_tasks_core.judging.secrets import redacted
from lmms_eval_tasks_core.outcome import NotJudged, NotJudgedReason

if TYPE_CHECKING:
    from openai import APIStatusError, OpenAI

_log = logging.getLogger(__name__)
ResponseFormat = Mapping[str, object]

DEFAULT_BASE_URL = "https://api.openai.com/v1"
# One more than the parameters a server may reject one after the other.
_MOST_DIALECTS = 5
_REJECTED = (400, 401, 403, 404, 405, 413, 422)
_FILTER_CODES = ("content_filter", "content_policy_violation", "responsibleaipolicyviolation")
_RETRIES_IN_A_TRIAL = 2


class ChatModel:
    """A model behind an OpenAI-compatible server, for whatever it is asked.

    The client is made on first use and shared by all threads. It retries timeouts, lost
    connections, 408, 409, 429 and 5xx itself, honouring Retry-After; other errors fail at once.
    What the server turns out not to take is left out of all later requests.

    Args:
        model: The name the server knows the model by.
        base_url: The server's base URL; None for OpenAI's own.
        api_key: Its key; None where it needs none. Never shown.
        timeout: Seconds to wait for one reply before the client tries again.
        max_retries: How often the client tries again.
        on_usage: Called with what each reply cost, from the thread that asked.
        purchases: What was bought before; None buys every reply anew.

    Attributes:
        server: Its server, as `server_of` names it.
        purchases: As given.
    """

    def __init__(  # noqa: PLR0913 - each is a choice of its own, and all but one have a default
        self,
        *,
        model: str,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout: float = 60.0,
        max_retries: int = 5,
        on_usage: Callable[[Usage], None] | None = None,
        purchases: Purchases | None = None,
    ) -> None:
        self._model = model
        self._base_url = base_url or DEFAULT_BASE_URL
        self._api_key = api_key
        self._timeout = timeout
        self._max_retries = max_retries
        self._on_usage = on_usage
        self.server = server_of(self._base_url)
        self.purchases = purchases
        self._lock = threading.Lock()
        self._client: OpenAI | None = None
        self._dialect = Dialect()
        self._has_answered = False

    @property
    def name(self) -> str:
        """The name of the model."""
        return self._model

    def check(self, prompt: str, response_format: ResponseFormat, role: str) -> None:
        """Ask once, unless it has answered before; whatever it says is good enough.

        A model that gave verdicts in an earlier run is not asked if its server lists it.

        Args:
            prompt: A question of the kind that the run will ask.
            response_format: As for `ask`.
            role: What the model is to the run: "judge", "matcher".

        Raises:
            JudgeUnavailableError: The server cannot be reached or rejects the request. The remedy
                is left to the caller, who knows the settings.
        """
        if self._has_answered or self._is_trusted():
            self._has_answered = True
            return
        retries = min(_RETRIES_IN_A_TRIAL, self._max_retries)
        outcome = self.ask(prompt, response_format, max_retries=retries)
        if isinstance(outcome, NotJudged) and "trouble" in outcome.detail:
            url = self.redacted(self._base_url).partition("?")[0]
            where = f"the {role} {self._model!r} at {url}"
            raise JudgeUnavailableError(
                f"{where} does not answer: {outcome.detail['trouble']}.", "Set another one."
            )
        self._has_answered = True

    def ask(
        self, prompt: str, response_format: ResponseFormat, *, max_retries: int | None = None
    ) -> Reply | NotJudged:
        """Send one prompt and take the text of the reply; never raises.

        Args:
            prompt: The one message of the conversation.
            response_format: The schema to reply by, where the server takes one.
            max_retries: How often the client tries again, where not as it was told.

        Returns:
            The reply; or why there is none, where ``detail["trouble"]`` gives the server's words
            if the request itself failed.
        """
        try:
            completion = self._complete(prompt, response_format, max_retries)
        except Exception as error:  # noqa: BLE001 - one answer never ends a run; the reason is kept
            return self._failure(error)
        self._report(completion)
        return reply_of(completion)

    def redacted(self, text: str) -> str:
        """A text without the key, and without whatever looks like one."""
        return redacted(text, self._api_key)

    def _is_trusted(self) -> bool:
        """Whether it gave verdicts in an earlier run, and its server still lists it."""
        if self.purchases is None or not self.purchases.knows(self._model, self.server):
            return False
        try:
            listed = self._connect().with_options(max_retries=0).models.list()
            return any(model.id == self._model for model in listed.data)
        except Exception:  # noqa: BLE001 - not every server has a list; then the model is asked
            return False

    def _complete(
        self, prompt: str, response_format: ResponseFormat, max_retries: int | None
    ) -> object:
        """Send a prompt, leaving out what the server turns out not to take."""
        from openai import APIStatusError  # noqa: PLC0415 - importing the pack stays cheap

        client, dialect = self._connect(), self._dialect
        if max_retries is not None:
            client = client.with_options(max_retries=max_retries)
        create = cast("Callable[..., object]", client.chat.completions.create)
        messages = [{"role": "user", "content": prompt}]
        for _ in range(_MOST_DIALECTS):
            parameters = dialect.parameters(response_format)
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
        return self.redacted(text)[:LONGEST_QUOTE].rstrip(" .\n")


def _words(error: APIStatusError) -> str:
    """What the server says about an error."""
    body = error.body
    if isinstance(body, dict):
        body = body.get("message") or body.get("detail") or body
    return str(body or error.message)
