"""What a verdict cost: requests, tokens, and when it was asked for."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace

from lmms_eval_tasks_core.judging.completion import Usage


@dataclass(frozen=True, slots=True)
class Cost:
    """What one question cost this process; nothing where somebody else had paid for its answer.

    Attributes:
        requests: How many replies were asked for. What the client sends anew until it gets one
            (after 429, say) is one request.
        input_tokens: Tokens of the prompts, as the server counts them.
        output_tokens: Tokens of the replies, unreadable ones and reasoning included.
        began: When the first request was sent, in seconds since 1970; None without a request.
        ended: When the last reply, or the end of the patience for it, came.
    """

    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    began: float | None = None
    ended: float | None = None

    def to_fields(self) -> dict[str, object]:
        """The same as plain values by name; empty where nothing was asked."""
        return asdict(self) if self.requests else {}


class Bill:
    """Adds up the cost of one question; one thread at a time."""

    def __init__(self) -> None:
        self._cost = Cost()

    @property
    def cost(self) -> Cost:
        """What it comes to so far."""
        return self._cost

    def request(self) -> None:
        """A request is about to be sent."""
        now = time.time()
        began = now if self._cost.began is None else self._cost.began
        requests = self._cost.requests + 1
        self._cost = replace(self._cost, requests=requests, began=began, ended=now)

    def usage(self, usage: Usage) -> None:
        """A reply came, with the tokens that it cost."""
        read = self._cost.input_tokens + usage.input_tokens
        written = self._cost.output_tokens + usage.output_tokens
        self._cost = replace(self._cost, input_tokens=read, output_tokens=written)

    def end(self) -> None:
        """A request has its reply, or will never have one."""
        self._cost = replace(self._cost, ended=time.time())


def wall_time(items: Sequence[Mapping[str, object]]) -> float:
    """The seconds from the first request to the last reply, over items with ``began``, ``ended``.

    Questions are asked side by side, also by several processes of one run, so that the sum of their
    own times would be many times longer.
    """
    began = [value for item in items if isinstance(value := item.get("began"), float)]
    ended = [value for item in items if isinstance(value := item.get("ended"), float)]
    return max(max(ended) - min(began), 0.0) if began and ended else 0.0
