"""What makes two questions the same question, and what is kept of a reply to one."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import TypeVar
from urllib.parse import urlsplit

from lmms_eval_tasks_core.judging.completion import Reply, Usage
from lmms_eval_tasks_core.judging.dialect import Dialect

T = TypeVar("T")
_KEY = re.compile(r"[0-9a-f]{64}")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_LARGEST = 2**63 - 1
_TEXTS = ("judge", "server", "version", "time", "reply", "model")
_COUNTS = ("input_tokens", "output_tokens")
_OPTIONAL = ("finish", "fingerprint")


@dataclass(frozen=True, slots=True)
class Question:
    """What a model is asked.

    Attributes:
        prompt: The exact text sent.
        response_format: The schema to reply by, where the server takes one.
        version: The version of the rubric or the prompt.
    """

    prompt: str
    response_format: Mapping[str, object]
    version: str

    def key(self, model: str, server: str) -> str:
        """The SHA-256, in hexadecimal, of everything that an answer depends on.

        The parameters are those asked for. What a server does not take is left out of the request
        later, and is learned anew by each process, so it cannot be part of the key.
        """
        parts = {
            "model": model,
            "server": server,
            "parameters": Dialect().parameters(self.response_format),
            "version": self.version,
            "prompt": self.prompt,
        }
        return sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Kept:
    """A reply that held a verdict or a match.

    Attributes:
        judge: The model that was asked, by the name it was asked under.
        server: The base URL of its server, as `server_of` has it.
        version: The version of the rubric or the prompt.
        time: When the reply came, in UTC: ``2026-01-31T09:30:00Z``.
        reply: What it said, and what the server said of it.
    """

    judge: str
    server: str
    version: str
    time: str
    reply: Reply

    def to_fields(self) -> dict[str, str | int | None]:
        """The same as plain values by name, in the order of the store's columns."""
        reply = self.reply
        return {
            "judge": self.judge,
            "server": self.server,
            "version": self.version,
            "time": self.time,
            "reply": reply.text,
            "finish": reply.finish,
            "model": reply.model,
            "fingerprint": reply.fingerprint,
            "input_tokens": _bounded(reply.usage.input_tokens),
            "output_tokens": _bounded(reply.usage.output_tokens),
        }

    @staticmethod
    def from_fields(fields: Mapping[str, object]) -> Kept:
        """The inverse of `to_fields`.

        Raises:
            ValueError: A field is missing or has a value of another type; the message names it.
        """
        texts = {name: _checked(fields, name, str) for name in _TEXTS}
        counts = {name: _checked(fields, name, int) for name in _COUNTS}
        finish, fingerprint = (
            None if fields.get(name) is None else _checked(fields, name, str) for name in _OPTIONAL
        )
        if not all(0 <= count <= _LARGEST for count in counts.values()):
            raise ValueError("a number of tokens is out of bounds")
        if not _TIME.fullmatch(texts["time"]):
            raise ValueError("`time` is not of the form 2026-01-31T09:30:00Z")
        usage = Usage(1, counts["input_tokens"], counts["output_tokens"], texts["model"])
        reply = Reply(texts["reply"], finish, texts["model"], fingerprint, usage)
        return Kept(texts["judge"], texts["server"], texts["version"], texts["time"], reply)


def server_of(url: str) -> str:
    """A base URL as far as it says which server it is: no user, no password, no query.

    Models of one name on two servers, or on two ports of one machine, may be two models.
    """
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return ""
    return f"{parts.hostname or ''}{port}{parts.path.rstrip('/')}"


def to_line(key: str, kept: Kept) -> str:
    """One line of JSON, as ``lmms-eval-tasks verdicts export`` writes it."""
    return json.dumps({"key": key, **kept.to_fields()}, ensure_ascii=False)


def from_line(line: str) -> tuple[str, Kept]:
    """The inverse of `to_line`.

    Raises:
        ValueError: The line is no such line; the message says why.
    """
    try:
        fields = json.loads(line)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if not isinstance(fields, dict):
        raise ValueError("it is not a JSON object")  # noqa: TRY004 - one error for every bad line
    key = _checked(fields, "key", str)
    if not _KEY.fullmatch(key):
        raise ValueError("`key` is not a SHA-256 in hexadecimal")
    return key, Kept.from_fields(fields)


def _bounded(count: int) -> int:
    """A number that the file can hold, whatever a server says."""
    return min(max(int(count), 0), _LARGEST)


def _checked(fields: Mapping[str, object], name: str, kind: type[T]) -> T:
    value = fields.get(name)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise ValueError(f"`{name}` is missing, or not of type {kind.__name__}")  # noqa: TRY004 - see above
    return value
