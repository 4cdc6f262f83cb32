"""Keeping keys out of what is shown, logged or stored."""

from __future__ import annotations

import re

_KEY_SHAPED = re.compile(r"\bsk-[A-Za-z0-9_*.-]{8,}|(?<=Bearer )\S+")
_USER_INFO = re.compile(r"(?<=://)[^/@\s]+@")
# Placeholders such as "x" are no secrets, and striking them out would strike out half the text.
_NO_SECRET = 3


def redacted(text: str, key: str | None) -> str:
    """A text without the key, without what looks like one, and without passwords in URLs."""
    if key and len(key) > _NO_SECRET:
        text = text.replace(key, "***")
    return _KEY_SHAPED.sub("***", _USER_INFO.sub("", text))
