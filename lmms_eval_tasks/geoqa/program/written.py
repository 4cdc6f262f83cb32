"""Steps as a response wrote them, before it is settled what their operands refer to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from lmms_eval_tasks.geoqa.program.lexer import Lexeme
from lmms_eval_tasks.geoqa.program.operators import OPERATORS


@dataclass(eq=False, slots=True)
class RawStep:
    """A step as it was written.

    Attributes:
        operator: The operator's token.
        lexeme: Where the operator stands.
        item: The number of the line, or of the piece between separators, that it begins in.
        name: What its value is assigned to, or None.
        nested: Whether it is an operand of another step.
        operands: Lexemes, or the steps nested inside it.
        closings: How many parentheses have to be closed before it is complete.
    """

    operator: str
    lexeme: Lexeme
    item: int
    name: str | None
    nested: bool
    closings: int
    operands: list[Operand] = field(default_factory=list)

    @property
    def arity(self) -> int:
        """How many operands its operator takes."""
        return OPERATORS[self.operator].arity


Operand: TypeAlias = "Lexeme | RawStep"
