"""The `openai` package's client for a server, made so that a try ends when its time is over."""

from __future__ import annotations

import asyncio
import logging
import re
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, unquote, urlsplit, urlunsplit

from lmms_eval_tasks_core.judging.failures import delay_asked, may_pass
from lmms_eval_tasks_core.judging.patience import Allowance
from lmms_eval_tasks_core.judging.secrets import redacted, secrets_of

if TYPE_CHECKING:
    from openai import APIStatusError, AsyncOpenAI, DefaultAsyncHttpxClient, OpenAIError

_AZURE_PATH = re.compile(r"/openai(/deployments/[^/]*)?$")
_LOGS_OF_REQUESTS = ("httpx", "httpx2", "openai._base_client")


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server is and how it lets us in.

    Attributes:
        url: Its base URL, which may carry a user with a password, and a query.
        key: Its key; None where it needs none.
        azure_api: The version of Azure's API; None for any other server.
    """

    url: str
    key: str | None
    azure_api: str | None

    def __repr__(self) -> str:
        return f"Address({redacted(self.url.partition('?')[0], self.secrets)!r})"

    @property
    def secrets(self) -> tuple[str, ...]:
        """What must not be shown."""
        return secrets_of(self.key, self.url)


class FutileError(BaseException):
    """There is no use in trying again; no `Exception`, as some versions of the client retry those.

    Attributes:
        error: What the last try came to.
    """

    def __init__(self, error: APIStatusError) -> None:
        super().__init__(str(error))
        self.error = error


@dataclass(slots=True)
class Course:
    """How one question fares.

    Attributes:
        allowance: What it may take.
        last: What its last try came to: an answer of the server, an error, or None while it waits.
    """

    allowance: Allowance
    last: object = None

    def failure(self) -> OpenAIError:
        """The error for a question that is given up while it waits, or pauses after a try."""
        from openai import APIConnectionError  # noqa: PLC0415 - importing the pack stays cheap

        last: Any = self.last
        if isinstance(last, Exception):
            error = APIConnectionError(request=_NO_REQUEST)
            error.__cause__ = last
            return error
        if last is not None:
            return _status_error(last)
        return _timeout(_NO_REQUEST)


course: ContextVar[Course | None] = ContextVar("course", default=None)
_NO_REQUEST: Any = None


def http_client(address: Address) -> DefaultAsyncHttpxClient:
    """The connections to a server, to be shared by its clients."""
    parts = urlsplit(address.url)
    auth = None
    if parts.username or parts.password:
        auth = (unquote(parts.username or ""), unquote(parts.password or ""))
    if parts.query and address.secrets:
        _hide_in_logs(address.secrets)
    return _http_client_class()(auth=auth)


def openai_client(address: Address, retries: int, http: DefaultAsyncHttpxClient) -> AsyncOpenAI:
    """A client that tries again so many times.

    It is given all it needs, as it would look in environment variables of its own for the rest.
    """
    from openai import AsyncAzureOpenAI, AsyncOpenAI  # noqa: PLC0415 - importing the pack stays cheap

    parts = urlsplit(address.url)
    host = parts.netloc.rpartition("@")[2]
    url = urlunsplit((parts.scheme, host, parts.path.rstrip("/"), "", ""))
    # The client insists on a key; servers without one take any.
    key = address.key or "none"
    query: dict[str, object] = dict(parse_qsl(parts.query, keep_blank_values=True))
    if address.azure_api is None:
        return AsyncOpenAI(
            base_url=url, api_key=key, max_retries=retries, http_client=http, default_query=query
        )
    client = AsyncAzureOpenAI(
        azure_endpoint=_AZURE_PATH.sub("", url),
        api_version=address.azure_api,
        api_key=key,
        max_retries=retries,
        http_client=http,
        default_query={**query, "api-version": address.azure_api},
    )
    # Some versions prefer a token in AZURE_OPENAI_AD_TOKEN to the key they are given.
    client._azure_ad_token = None  # noqa: SLF001
    return client


@cache
def _http_client_class() -> type[DefaultAsyncHttpxClient]:
    from openai import DefaultAsyncHttpxClient  # noqa: PLC0415 - importing the pack stays cheap

    class TimedClient(DefaultAsyncHttpxClient):
        """Takes the time for a read as the time for a try; else one byte a second is no timeout."""

        async def send(self, request: Any, **options: Any) -> Any:  # noqa: ANN401 - see the base
            current = course.get()
            if current is None:
                return await super().send(request, **options)
            seconds = request.extensions.get("timeout", {}).get("read")
            current.last = None
            try:
                response = await asyncio.wait_for(super().send(request, **options), seconds)
            except asyncio.TimeoutError:
                raise _timeout(request) from None
            except Exception as error:
                current.last = error
                raise
            current.last = response
            if response.is_error:
                _raise_if_futile(_status_error(response), current.allowance)
            return response

    return TimedClient


def _raise_if_futile(error: APIStatusError, allowance: Allowance) -> None:
    """Give up at once where the server wants to be left alone for longer than there is time."""
    delay = delay_asked(error.response.headers)
    if delay is not None and delay > allowance.left and may_pass(error):
        raise FutileError(error)


def _status_error(response: Any) -> APIStatusError:  # noqa: ANN401 - of httpx or httpx2
    from openai import APIStatusError  # noqa: PLC0415 - importing the pack stays cheap

    try:
        body = response.json()
    except ValueError:
        body = response.text
    inner = body.get("error", body) if isinstance(body, dict) else body
    words = f"Error code: {response.status_code}"
    return APIStatusError(words, response=response, body=inner)


def _timeout(request: Any) -> OpenAIError:  # noqa: ANN401 - of httpx or httpx2
    from openai import APITimeoutError  # noqa: PLC0415 - importing the pack stays cheap

    return APITimeoutError(request=request)


class _NoSecrets(logging.Filter):
    def __init__(self, secrets: tuple[str, ...]) -> None:
        super().__init__()
        self.secrets = secrets

    def filter(self, record: logging.LogRecord) -> bool:
        """Let every record pass, without the secrets."""
        record.msg, record.args = redacted(record.getMessage(), self.secrets), ()
        if record.exc_info:
            trace = logging.Formatter().formatException(record.exc_info)
            record.exc_text, record.exc_info = redacted(trace, self.secrets), None
        return True


@cache
def _hide_in_logs(secrets: tuple[str, ...]) -> None:
    """Keep the keys in a query out of the log of requests, which cites whole URLs."""
    for name in _LOGS_OF_REQUESTS:
        logging.getLogger(name).addFilter(_NoSecrets(secrets))
