"""Keeping keys out of what is shown, logged or stored."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator
from urllib.parse import parse_qsl, quote, unquote, urlsplit

_KEY_SHAPED = re.compile(r"\bsk-[A-Za-z0-9_*.-]{8,}|(?<=Bearer )\S+")
_USER_INFO = re.compile(r"(?<=://)[^/@\s]+@")
_NAMES_A_SECRET = re.compile(r"key|token|secret|sig|auth|pass|code", re.IGNORECASE)
# Placeholders such as "x" are no secrets, and striking them out would strike out half the text.
_NO_SECRET = 3
# Nor is a short value in a query whose name does not say so: "v=2026-01-01", "mode=fast".
_NO_SECRET_IN_A_QUERY = 15


def secrets_of(key: str | None, url: str) -> tuple[str, ...]:
    """What must not be shown of a server: its key, and the password and keys in its URL.

    Each comes in plain words and as a URL or a header spells it, the longest first.
    """
    plain = [key, *_in_url(url)]
    forms = {form for secret in plain if secret for form in (secret, quote(secret, safe=""))}
    return tuple(sorted((form for form in forms if len(form) > _NO_SECRET), key=len, reverse=True))


def redacted(text: str, secrets: tuple[str, ...]) -> str:
    """A text without these secrets, without what looks like one, and without users in URLs."""
    for secret in secrets:
        text = text.replace(secret, "***")
    return _KEY_SHAPED.sub("***", _USER_INFO.sub("", text))


def _in_url(url: str) -> Iterator[str]:
    try:
        parts = urlsplit(url)
    except ValueError:
        return
    if parts.password:
        user, password = unquote(parts.username or ""), unquote(parts.password)
        yield password
        yield b64encode(f"{user}:{password}".encode()).decode()
    for name, value in parse_qsl(parts.query):
        if _NAMES_A_SECRET.search(name) or len(value) > _NO_SECRET_IN_A_QUERY:
            yield value
