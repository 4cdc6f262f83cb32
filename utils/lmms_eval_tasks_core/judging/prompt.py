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

# ASCII letters, digits and the signs that tags and labels are made of have other forms: circled,
# for vertical lines, small, full-width, mathematical.
_OTHER_FORMS = (
    range(0x24B6, 0x24EA),
    range(0xFE13, 0xFE14),
    range(0xFE50, 0xFE6C),
    range(0xFF01, 0xFF5F),
    range(0x1D400, 0x1D800),
)
_PLAIN_FORM = {
    code: plain
    for codes in _OTHER_FORMS
    for code in codes
    if (plain := unicodedata.normalize("NFKC", chr(code))).isascii()
    and (plain.isalnum() or plain in "\"'/:<=>[]_{|}")
}
# Zero-width and bidi controls, soft hyphens and tag characters are format characters (Cf); the
# variation selectors can carry hidden text and are none.
_SELECTORS = (range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))
# "<" may be written as an entity, or as an escape of JSON or of a URL.
_TAG_OPENING = re.compile(
    r"(?:<|&(?:lt|#0*60|#x0*3c);?|\\u003c|%3c)(?=\s*[/!?|<a-z])|\[(?=\s*/?\s*(?:inst|sys)\b)",
    re.IGNORECASE,
)
# No word needs to begin at a label: "final_grade" is one, and so is what a control code stands at.
_VERDICT_SIGN = re.compile(
    r"(points?|scores?|grades?|verdict|rating|judge?ment|rationale"
    r"|[评評得]分|分[数數]|[等评評][级級]|[结結][论論]|判定)"
    r"([\s\"'“”‘’*_`\\)\]]{0,8})"
    r"([:=：︰꞉ː]+|-{1,2}>|→|(?<=\s)[-–—](?=\s))",
    re.IGNORECASE,
)
# Without this a member of a JSON object could have its name in escapes and be none of the labels.
_MEMBER_SIGN = re.compile(r'(?<=")(\s*):')


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
    - Full-width, mathematical and other forms of ASCII letters, digits and signs become plain
      ones, so that the next two rules see them.
    - What opens a tag (``</answer>``, ``&lt;/answer>``, ``<|im_end|>``, ``[INST]``) opens with
      ``‹`` or ``⟦``.
    - A word that labels a verdict keeps its value, but its colon becomes ``∶`` (U+2236), which
      labels nothing: ``Point: 1`` reads ``Point∶ 1``. So does the colon behind a ``"``, which is
      what makes a member of a JSON object.
    """
    lines = valid_unicode(text).translate(_PLAIN_FORM).splitlines()
    visible = "\n".join("".join(filter(_is_visible, line)) for line in lines)
    without_tags = _TAG_OPENING.sub(lambda sign: "⟦" if sign[0] == "[" else "‹", visible)
    without_members = _MEMBER_SIGN.sub(r"\1∶", without_tags)
    return _VERDICT_SIGN.sub(r"\1\2∶", without_members).strip("\n")


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
