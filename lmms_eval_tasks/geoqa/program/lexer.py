"""Cuts one line of a response into lexemes, in the spellings that language models use.

Nothing here decides whether a line is a program; a lexeme only says what a piece of text could be.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from lmms_eval_tasks.geoqa.program.operators import OPERATORS


class Kind(Enum):
    """What a piece of text could be."""

    OPERATOR = "operator"
    # Looks like an operator's token and is none: `g_root`.
    ODD_OPERATOR = "odd operator"
    # An operator's name in the paper, which may also be an English word: `Minus`, `Half`.
    NAME = "name"
    OPERAND = "operand"
    NUMBER = "number"
    WORD = "word"
    OPEN = "("
    CLOSE = ")"
    EQUALS = "="
    COLON = ":"
    ARROW = "arrow"
    SPLIT = "split"
    COMMENT = "comment"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Lexeme:
    """A piece of a response.

    Attributes:
        kind: What it could be.
        text: In the spelling of the token form, where it has one there; else as it stands.
        start: The index of its first character in the response.
        end: The index after its last character.
    """

    kind: Kind
    text: str
    start: int
    end: int


PI = "C_5"

# One character for one character, so that every offset stays that of the response.
_PLAIN = {
    **{code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)},
    **{0x2080 + digit: ord("0") + digit for digit in range(10)},
    **dict.fromkeys(map(ord, "、"), ","),
    **dict.fromkeys(map(ord, "。．"), "."),
    **dict.fromkeys(map(ord, "“”„«»「」『』"), '"'),
    **dict.fromkeys(map(ord, "‘’"), "'"),
    **dict.fromkeys(map(ord, "\u00a0\u2009\u202f\u3000\u200b\u2060\ufeff"), " "),
    **dict.fromkeys(map(ord, "→⇒⟶➜⟹"), "→"),
    **dict.fromkeys(map(ord, "‐‑–—−"), "-"),
    ord("【"): "[",
    ord("】"): "]",
    ord("\r"): " ",
}


def plain(response: str) -> str:
    """Write full-width and typographic characters plainly; the length stays the same."""
    return response.translate(_PLAIN)


def _spellings() -> dict[str, tuple[Kind, str]]:
    spellings: dict[str, tuple[Kind, str]] = {}
    for operator in OPERATORS.values():
        name = re.sub(r"[ -]", "_", operator.name.lower())
        bare = re.sub(r"^(?:g|cal)_", "", operator.token)
        for kind, spelling in (
            (Kind.NAME, name),
            (Kind.NAME, bare),
            (Kind.OPERATOR, operator.token),
        ):
            spellings[spelling] = spellings[spelling.replace("_", "")] = (kind, operator.token)
    return spellings


_SPELLINGS = _spellings()
_NAMES_OF_SEVERAL_WORDS = "|".join(
    re.sub(r"[ -]", "[ _-]", operator.name)
    for operator in OPERATORS.values()
    if not operator.name.isalpha()
)
_NO_WORD_BEHIND = r"(?![A-Za-z0-9_]|\\_)"
_FRAMES = "text|texttt|textbf|mathrm|mathtt|mathbf|operatorname|boxed|quad|qquad"

# In LaTeX and Markdown an underscore may be escaped. Every alternative is linear in what it takes.
_LEXEME = re.compile(
    rf"""
      (?P<split>[;|]+ | \\\\ | \\n(?=[\s"GgCcVv0-9]|\Z) | <br\s?/?> | <sep> | ["']\ ?,\ ?["'])
    | (?P<space>[ \t\f\v,"'`*\[\]{{}}$!?]+ | \\[,;:!\ ()\[\]] | \\(?:{_FRAMES})\b
               | \.(?=[\s"'`*$)\]}}]|\Z))
    | (?P<comment>\#[^\n]* | //[^\n]*)
    | (?P<arrow>→ | [-=]?-> | => | --(?=\s))
    | (?P<equals>:?=+ | ≈ | ← | <-)
    | (?P<colon>:)
    | (?P<open>\()
    | (?P<close>\))
    | (?P<pi>π | (?<![A-Za-z0-9_])\\?(?i:pi){_NO_WORD_BEHIND})
    | (?P<names>(?<![A-Za-z0-9_])(?i:{_NAMES_OF_SEVERAL_WORDS}){_NO_WORD_BEHIND})
    | (?P<operand>(?<![A-Za-z0-9_])(?P<bank>[NVCnvc])(?:\\?_)?
        (?:(?P<index>[0-9]+) | \{{(?P<braced>[0-9]+)\}} | \[(?P<bracketed>[0-9]+)\])
        {_NO_WORD_BEHIND})
    | (?P<number>[0-9]+(?:\.[0-9]+)?(?![A-Za-z0-9_]))
    | (?P<word>(?:[A-Za-z0-9]|\\?_)+ | [^\W\d_A-Za-z]+)
    | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_PLAIN_KINDS = {
    "comment": Kind.COMMENT,
    "split": Kind.SPLIT,
    "arrow": Kind.ARROW,
    "equals": Kind.EQUALS,
    "colon": Kind.COLON,
    "open": Kind.OPEN,
    "close": Kind.CLOSE,
    "number": Kind.NUMBER,
    "other": Kind.OTHER,
}
_ODD_OPERATOR = re.compile(r"(?i:g|gougu|cal)_[A-Za-z0-9_]+")


def lex(text: str, start: int, end: int) -> list[Lexeme]:
    """Cut ``text[start:end]``, which lies within one line of a `plain` response."""
    return [
        Lexeme(*_meaning(match), match.start(), match.end())
        for match in _LEXEME.finditer(text, start, end)
        if match.lastgroup != "space"
    ]


def _meaning(match: re.Match[str]) -> tuple[Kind, str]:
    group = match.lastgroup or "other"
    if group in _PLAIN_KINDS:
        return _PLAIN_KINDS[group], match.group()
    if group == "pi":
        return Kind.OPERAND, PI
    if group == "operand":
        index = match["index"] or match["braced"] or match["bracketed"]
        return Kind.OPERAND, f"{match['bank'].upper()}_{index}"
    if group == "names":
        return _SPELLINGS[re.sub(r"[ -]", "_", match.group().lower())]
    word = match.group().replace("\\", "")
    if known := _SPELLINGS.get(word.lower()):
        return known
    return (Kind.ODD_OPERATOR if _ODD_OPERATOR.fullmatch(word) else Kind.WORD), word
