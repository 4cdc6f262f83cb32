"""Asking an OpenAI-compatible server, within what one question may take."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping
from itertools import count
from typing import TYPE_CHECKING
from weakref import finalize

from lmms_eval_tasks_core.judging.background import Background, background
from lmms_eval_tasks_core.judging.client import (
    Address,
    Course,
    FutileError,
    course,
    http_client,
    openai_client,
)
from lmms_eval_tasks_core.judging.failures import delay_asked, may_pass
from lmms_eval_tasks_core.judging.patience import MOST_RETRIES_IN_A_ROUND, Allowance

if TYPE_CHECKING:
    from openai import AsyncOpenAI, OpenAIError


_PATH = "/chat/completions"
# A pool looks at all its connections for every request: four of sixteen are quicker than one of 64.
_POOLS = 4


class Server:
    """A server that completes chats; its connections are made on first use, and closed with it.

    The client tries again itself what may pass, with its own pauses, or those the server asks
    for in ``Retry-After``. As these pauses double with every retry, a question goes through rounds
    of few retries each. Where a server wants to be left alone for longer than there is time, the
    question ends at once.

    Args:
        address: Where it is.
    """

    def __init__(self, address: Address) -> None:
        self._address = address
        self._lock = threading.Lock()
        self._background: Background | None = None
        self._clients: dict[int, list[AsyncOpenAI]] = {}
        self._turns = count()

    def completed(self, request: Mapping[str, object], allowance: Allowance) -> object:
        """A completion of a chat, when `allowance` ends at the latest; thread-safe.

        Args:
            request: The body of the request, by the names the server uses.
            allowance: What it may take.

        Raises:
            OpenAIError: What the last try came to.
        """
        return self._ready().result(self._completed(request, allowance))

    def listed(self, seconds: float) -> dict[str, object]:
        """The models it lists, each with what it says under ``shutdown_date``, or None.

        Args:
            seconds: How long that may take; it is asked once.

        Raises:
            Exception: It gives no such list.
        """
        return self._ready().result(self._listed(seconds))

    async def _completed(self, request: Mapping[str, object], allowance: Allowance) -> object:
        from openai import OpenAIError  # noqa: PLC0415 - importing the pack stays cheap

        current = Course(allowance)
        course.set(current)
        pause = 0.0
        failure: OpenAIError | None = None
        for retries, next_pause in allowance.rounds():
            if failure is not None:
                if pause >= allowance.left:
                    break
                await asyncio.sleep(pause)
            outcome = await self._round(request, retries, current)
            if not isinstance(outcome, OpenAIError):
                return outcome
            failure, pause = outcome, _delay(outcome) or next_pause
        raise failure or current.failure()

    async def _round(self, request: Mapping[str, object], retries: int, current: Course) -> object:
        """A completion, or an error that may pass."""
        from openai import OpenAIError  # noqa: PLC0415 - importing the pack stays cheap
        from openai.types.chat import ChatCompletion  # noqa: PLC0415 - likewise

        allowance = current.allowance
        timeout = min(allowance.one_try, allowance.left)
        # `chat.completions.create` sends the same, after walking through every type it knows for
        # what it sends: a third of the time that a request takes.
        completion = self._client(retries).post(
            _PATH, cast_to=ChatCompletion, body=dict(request), options={"timeout": timeout}
        )
        try:
            return await asyncio.wait_for(completion, allowance.left)
        except asyncio.TimeoutError:
            return current.failure()
        except FutileError as futile:
            raise futile.error from None
        except OpenAIError as error:
            # Some versions of the client wrap what a try ended with.
            failure = error.__cause__ if isinstance(error.__cause__, OpenAIError) else error
            if not may_pass(failure):
                raise failure from failure.__cause__
            return failure

    async def _listed(self, seconds: float) -> dict[str, object]:
        listed = await asyncio.wait_for(self._client(0).models.list(timeout=seconds), seconds)
        return {model.id: getattr(model, "shutdown_date", None) for model in listed.data}

    def _client(self, retries: int) -> AsyncOpenAI:
        with self._lock:
            return self._clients[retries][next(self._turns) % _POOLS]

    def _ready(self) -> Background:
        """The loop to ask from, with clients whose connections belong to it."""
        loop = background()
        with self._lock:
            if self._background is not loop:
                pools = [http_client(self._address) for _ in range(_POOLS)]
                for pool in pools:
                    loop.close_at_exit(pool)
                    finalize(self, loop.close, pool).atexit = False
                self._clients = {
                    retries: [openai_client(self._address, retries, pool) for pool in pools]
                    for retries in range(MOST_RETRIES_IN_A_ROUND + 1)
                }
                self._background = loop
        return loop


def _delay(error: Exception) -> float | None:
    from openai import APIStatusError  # noqa: PLC0415 - importing the pack stays cheap

    return delay_asked(error.response.headers) if isinstance(error, APIStatusError) else None
