"""Models behind an OpenAI-compatible server, for whoever has a question."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from datetime import datetime, timezone

from lmms_eval_tasks_core.errors import JudgeUnavailableError
from lmms_eval_tasks_core.judging.client import Address
from lmms_eval_tasks_core.judging.completion import (
    LONGEST_QUOTE,
    Reply,
    Usage,
    reply_of,
    usage_of,
)
from lmms_eval_tasks_core.judging.dialect import Dialect
from lmms_eval_tasks_core.judging.failures import reason_and_trouble, server_words
from lmms_eval_tasks_core.judging.kept import server_of
from lmms_eval_tasks_core.judging.patience import Patience
from lmms_eval_tasks_core.judging.purchases import Purchases
from lmms_eval_tasks_core.judging.secrets import redacted
from lmms_eval_tasks_core.judging.server import Server
from lmms_eval_tasks_core.judging.shutdown import is_near, shutdown_day
from lmms_eval_tasks_core.outcome import NotJudged

_log = logging.getLogger(__name__)
ResponseFormat = Mapping[str, object]

DEFAULT_BASE_URL = "https://api.openai.com/v1"
# One more than the parameters a server may reject one after the other.
_MOST_DIALECTS = 5
_UNTAKEN = (400, 422)
_RETRIES_IN_A_TRIAL = 2
_LONGEST_LISTING_S = 5.0


class ChatModel:
    """A model behind an OpenAI-compatible server, for whatever it is asked.

    Its connections are made on first use and shared by all threads. Timeouts, lost connections,
    408, 409, 429 and 5xx are tried again until a question has taken all its patience; other
    errors fail at once. A server that seems to be down gets less: see `Patience`. What the server
    turns out not to take is left out of all later requests.

    Args:
        model: The name the server knows the model by; a deployment's name at Azure.
        base_url: The server's base URL; None for OpenAI's own.
        api_key: Its key; None where it needs none. Never shown.
        azure_api: The version of Azure's API; None for any other server.
        patience: The longest time in seconds that one question may take, whatever the server
            does; one try may take a third of it.
        max_retries: How often to try again; None for as often as there is time.
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
        azure_api: str | None = None,
        patience: float = 180.0,
        max_retries: int | None = None,
        on_usage: Callable[[Usage], None] | None = None,
        purchases: Purchases | None = None,
    ) -> None:
        self._model = model
        self._address = Address(base_url or DEFAULT_BASE_URL, api_key, azure_api)
        self._secrets = self._address.secrets
        self._patience = Patience(patience, f"The model {model!r}")
        self._max_retries = max_retries
        self._on_usage = on_usage
        self.server = server_of(self._address.url)
        self.purchases = purchases
        self._lock = threading.Lock()
        self._requests = Server(self._address)
        self._dialect = Dialect()
        self._has_answered = False

    @property
    def name(self) -> str:
        """The name of the model."""
        return self._model

    def check(self, prompt: str, response_format: ResponseFormat, role: str) -> None:
        """Ask once, unless it has answered before; whatever it says is good enough.

        A model that gave verdicts in an earlier run is not asked if its server lists it. A list
        that says the model is taken away soon is worth a warning.

        Args:
            prompt: A question of the kind that the run will ask.
            response_format: As for `ask`.
            role: What the model is to the run: "judge", "matcher".

        Raises:
            JudgeUnavailableError: The server cannot be reached or rejects the request. The remedy
                is left to the caller, who knows the settings.
        """
        if self._has_answered:
            return
        listed = self._listed()
        if not self._is_trusted(listed):
            self._try_out(prompt, response_format, role)
        self._has_answered = True
        self._warn_of_shutdown(listed.get(self._model), role)

    def ask(
        self,
        prompt: str,
        response_format: ResponseFormat,
        *,
        max_retries: int | None = None,
        on_usage: Callable[[Usage], None] | None = None,
    ) -> Reply | NotJudged:
        """Send one prompt and take the text of the reply; never raises.

        Args:
            prompt: The one message of the conversation.
            response_format: The schema to reply by, where the server takes one.
            max_retries: How often to try again, where not as the model was told.
            on_usage: Called with what the reply cost, beside the listener of the model.

        Returns:
            The reply; or why there is none, where ``detail["trouble"]`` gives the server's words
            if the request itself failed.
        """
        retries = self._max_retries if max_retries is None else max_retries
        try:
            completion = self._complete(prompt, response_format, retries)
        except Exception as error:  # noqa: BLE001 - one answer never ends a run; the reason is kept
            reason, trouble = reason_and_trouble(error)
            return NotJudged(reason, {"trouble": self._quoted(trouble)})
        usage = usage_of(completion, self._model)
        for listener in (on_usage, self._on_usage):
            if listener is not None:
                self._report(listener, usage)
        return self._without_secrets(reply_of(completion))

    def redacted(self, text: str) -> str:
        """A text without the key, and without whatever looks like one."""
        return redacted(text, self._secrets)

    def _listed(self) -> dict[str, object]:
        """What its server lists, asked once and shortly; nothing where it has no list.

        Azure lists the models that a resource may deploy, but not its deployments.
        """
        if self._address.azure_api is not None:
            return {}
        try:
            return self._requests.listed(min(_LONGEST_LISTING_S, self._patience.one_try))
        except Exception:  # noqa: BLE001 - not every server has a list; a trial tells the truth
            return {}

    def _is_trusted(self, listed: Mapping[str, object]) -> bool:
        """Whether it gave verdicts in an earlier run, and its server still lists it."""
        is_known = self.purchases is not None and self.purchases.knows(self._model, self.server)
        return is_known and self._model in listed

    def _try_out(self, prompt: str, response_format: ResponseFormat, role: str) -> None:
        most = _RETRIES_IN_A_TRIAL
        retries = most if self._max_retries is None else min(most, self._max_retries)
        outcome = self.ask(prompt, response_format, max_retries=retries)
        if isinstance(outcome, NotJudged) and "trouble" in outcome.detail:
            url = self.redacted(self._address.url.partition("?")[0])
            where = f"the {role} {self._model!r} at {url}"
            raise JudgeUnavailableError(
                f"{where} does not answer: {outcome.detail['trouble']}.", "Set another one."
            )

    def _warn_of_shutdown(self, said: object, role: str) -> None:
        day = shutdown_day(said)
        if day is not None and is_near(day, datetime.now(timezone.utc).date()):
            _log.warning(
                "The %s %r is to be shut down on %s, says its server. What it grades cannot be "
                "graded again by it after that.",
                role,
                self._model,
                day.isoformat(),
            )

    def _complete(
        self, prompt: str, response_format: ResponseFormat, retries: int | None
    ) -> object:
        """Send a prompt, leaving out what the server turns out not to take."""
        from openai import APIStatusError  # noqa: PLC0415 - importing the pack stays cheap

        request = {"model": self._model, "messages": [{"role": "user", "content": prompt}]}
        dialect = self._dialect
        with self._patience.granted(retries) as allowance:
            for _ in range(_MOST_DIALECTS):
                parameters = dialect.parameters(response_format)
                try:
                    completion = self._requests.completed({**request, **parameters}, allowance)
                except APIStatusError as error:
                    narrower = dialect.without(error.param, server_words(error))
                    if error.status_code not in _UNTAKEN or narrower is None:
                        raise
                    # Other threads may have learned more in the meantime.
                    dialect = narrower.and_also(self._dialect)
                else:
                    self._learn(dialect)
                    return completion
        raise AssertionError  # pragma: no cover - a dialect has only four steps to narrow

    def _learn(self, dialect: Dialect) -> None:
        with self._lock:
            self._dialect = self._dialect.and_also(dialect)

    def _report(self, listener: Callable[[Usage], None], usage: Usage) -> None:
        try:
            listener(usage)
        except Exception:  # noqa: BLE001 - a verdict is worth more than the count of its tokens
            _log.warning("What a judge's reply cost could not be reported.", exc_info=True)

    def _without_secrets(self, outcome: Reply | NotJudged) -> Reply | NotJudged:
        """An outcome whose quotes hold no key; a reply is told whole, as its reader needs it."""
        if isinstance(outcome, Reply):
            return outcome
        detail = {
            name: self.redacted(value)[:LONGEST_QUOTE] if isinstance(value, str) else value
            for name, value in outcome.detail.items()
        }
        return NotJudged(outcome.reason, detail)

    def _quoted(self, text: str) -> str:
        return self.redacted(text)[:LONGEST_QUOTE].rstrip(" .\n")
