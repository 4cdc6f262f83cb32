"""Short turns of phrase inside programs, told by the kinds of their lexemes."""

from __future__ import annotations

from collections.abc import Collection

from lmms_eval_tasks.geoqa.program.lexer import PI, Kind, Lexeme

OPERATORS_AND_NAMES = frozenset({Kind.OPERATOR, Kind.NAME, Kind.ODD_OPERATOR})
TOKENS = OPERATORS_AND_NAMES | {Kind.OPERAND, Kind.NUMBER, Kind.WORD}

# Behind a word, a colon introduces: `Program: …`.
_ASSIGNMENTS = frozenset(
    {(Kind.OPERAND, Kind.EQUALS), (Kind.OPERAND, Kind.COLON), (Kind.WORD, Kind.EQUALS)}
)
_BEHIND = 2  # what is assigned stands behind the name and the sign
_LEADS_TO_A_RESULT = frozenset({Kind.EQUALS, Kind.COLON, Kind.OPEN})
_RESULT_WORDS = frozenset({"return", "print", "answer", "result", "output", "final"})
_LONGEST_REMARK = 100


def assigns(lexemes: list[Lexeme], at: int) -> bool:
    """Whether ``name =`` or ``V_k:`` stands here, with a step behind it."""
    kinds = tuple(lexeme.kind for lexeme in lexemes[at : at + 4])
    if kinds[:2] not in _ASSIGNMENTS or len(kinds) <= _BEHIND:
        return False
    return kinds[_BEHIND] in OPERATORS_AND_NAMES or (
        kinds[_BEHIND] is Kind.OPEN and kinds[-1] in OPERATORS_AND_NAMES
    )


def after_result_words(lexemes: list[Lexeme], at: int, names: Collection[str] = ()) -> int:
    """The index after words that hand back a value: `return`, `print(`, `final answer =`.

    Args:
        lexemes: Those of one block.
        at: Where to begin.
        names: Names of values, which are no such words.
    """
    while at < len(lexemes) and lexemes[at].text not in names:
        lexeme = lexemes[at]
        if lexeme.kind not in _LEADS_TO_A_RESULT and lexeme.text.lower() not in _RESULT_WORDS:
            break
        at += 1
    return at


def after_remark(lexemes: list[Lexeme], at: int, besides: str = PI) -> int | None:
    """The index after the parenthesis that opens at ``at``; None where it is no remark.

    A remark is short and holds neither an operator nor an operand, except one that may be
    repeated: `C_5 (pi)`.
    """
    depth = 0
    for end in range(at, min(at + _LONGEST_REMARK, len(lexemes))):
        lexeme = lexemes[end]
        if lexeme.kind in OPERATORS_AND_NAMES:
            return None
        if lexeme.kind is Kind.OPERAND and lexeme.text != besides:
            return None
        depth += (lexeme.kind is Kind.OPEN) - (lexeme.kind is Kind.CLOSE)
        if depth == 0:
            return end + 1
    return None


def position_of(lexemes: list[Lexeme], index: int) -> int:
    """How many tokens stand before the lexeme at this index."""
    return sum(lexeme.kind in TOKENS for lexeme in lexemes[:index])
