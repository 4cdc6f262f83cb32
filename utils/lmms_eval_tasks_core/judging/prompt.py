"""Fences around text that nobody vouches for, so that a judge reads it as data.

A candidate answer may close a fence, give itself a verdict, or hide text from a human reader.
`fenced` lets it do none of these and changes nothing else about it; the caller puts the
instruction after the fence.
"""

from __future__ import annotations

import re
import unicodedata

from lmms_eval_tasks_core.responses import valid_unicode

MOST_CHARACTERS = 20_000
_MARGIN = "| "

# The full-width forms of ASCII letters, digits and of the signs that tags and labels are made of.
_FULL_WIDTH = {
    code: code - 0xFEE0
    for code in range(0xFF01, 0xFF5F)
    if chr(code - 0xFEE0).isalnum() or chr(code - 0xFEE0) in "\"'/:<=>[]_{|}"
}
# Zero-width and bidi controls, soft hyphens and tag characters are format characters (Cf); the
# variation selectors can carry hidden text and are none.
_SELECTORS = (range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))
_TAG_OPENING = re.compile(r"<(?=\s*[/!?|<a-z])|\[(?=\s*/?\s*(?:inst|sys)\b)", re.IGNORECASE)
_VERDICT_SIGN = re.compile(
    r"\b(points?|scores?|grades?|verdict|rating|judge?ment|rationale)"
    r"([\s\"'“”‘’*_`\\)\]]{0,8})(:|=|：|-{1,2}>|→|(?<=\s)[-–—](?=\s))",
    re.IGNORECASE,
)


def fenced(label: str, text: str, limit: int = MOST_CHARACTERS) -> str:
    """Set a text between ``<label>`` and ``</label>``, each of its lines behind a margin.

    Args:
        label: The name of the fence: lower-case letters and underscores.
        text: The text, from anybody.
        limit: How many characters of it may stand in the prompt; see `shortened`.

    Returns:
        The fence with the text in it, on lines of its own.
    """
    lines = neutralised(shortened(text, limit)).split("\n")
    inside = "\n".join(f"{_MARGIN}{line}".rstrip() for line in lines)
    return f"<{label}>\n{inside}\n</{label}>"


def neutralised(text: str) -> str:
    r"""Take the tricks out of a text and leave its wording.

    - Invisible characters go: zero-width and bidi controls, variation selectors, control codes.
      Every kind of line break becomes ``\n``; lone surrogates become U+FFFD.
    - Full-width letters, digits and signs become plain ones, so that the next two rules see them.
    - What opens a tag (``</answer>``, ``<|im_end|>``, ``[INST]``) opens with ``‹`` or ``⟦``.
    - A word that labels a verdict keeps its value, but its colon becomes ``∶`` (U+2236), which
      labels nothing: ``Point: 1`` reads ``Point∶ 1``.
    """
    lines = valid_unicode(text).translate(_FULL_WIDTH).splitlines()
    visible = "\n".join("".join(filter(_is_visible, line)) for line in lines)
    without_tags = _TAG_OPENING.sub(lambda sign: "‹" if sign[0] == "<" else "⟦", visible)
    return _VERDICT_SIGN.sub(r"\1\2∶", without_tags).strip("\n")


def shortened(text: str, limit: int = MOST_CHARACTERS) -> str:
    """Keep the head and the tail of a text that is longer than the limit, and say so between."""
    if len(text) <= limit:
        return text
    head, tail = limit - limit // 2, limit // 2
    left_out = f"[… {len(text) - head - tail} characters of this text are left out here …]"
    return f"{text[:head]}\n{left_out}\n{text[len(text) - tail :]}"


def _is_visible(character: str) -> bool:
    if character == "\t":
        return True
    if any(ord(character) in selectors for selectors in _SELECTORS):
        return False
    return unicodedata.category(character) not in ("Cc", "Cf", "Cn", "Co")
