"""Turns the steps of one program, as they were written, into the token form."""

from __future__ import annotations

from dataclasses import dataclass, field

from lmms_eval_tasks.geoqa.program.errors import AmbiguousError, ProgramError
from lmms_eval_tasks.geoqa.program.lexer import Lexeme
from lmms_eval_tasks.geoqa.program.syntax import parse
from lmms_eval_tasks.geoqa.program.written import RawStep


def token_form(steps: list[RawStep]) -> str:
    """Write the steps of one program in the token form.

    A value that was given a name is what that name means, so that a program which counts its steps
    from V_1 is read as it was meant. A `V_k` that was never named counts operators from 0; where
    names or nested calls make that uncertain, the program is ambiguous.

    Raises:
        ProgramError: An operand is ambiguous, or the token form is no program. The failure has the
            offset of the token in the response.
    """
    return _Translation().run(steps)


@dataclass(slots=True)
class _Translation:
    tokens: list[str] = field(default_factory=list)
    offsets: list[int] = field(default_factory=list)
    named: dict[str, int] = field(default_factory=dict)
    places: dict[int, int] = field(default_factory=dict)
    # Whether the k-th operator and the value called V_k may differ from here on.
    shifted: bool = False
    unnamed: bool = False

    def run(self, steps: list[RawStep]) -> str:
        for place, step in enumerate(steps):
            self._emit(step.operator, step.lexeme)
            for operand in step.operands:
                if isinstance(operand, RawStep):
                    self.shifted = True
                    self._emit(f"V_{self.places[id(operand)]}", operand.lexeme)
                else:
                    self._emit(self._meaning(operand), operand)
            self.places[id(step)] = place
            self._remember(step, place)
        text = " ".join(self.tokens)
        try:
            parse(text)
        except ProgramError as error:
            offset = self.offsets[error.position] if self.offsets else None
            raise type(error)(error.token, error.position, error.why, offset) from None
        return text

    def _emit(self, token: str, lexeme: Lexeme) -> None:
        self.tokens.append(token)
        self.offsets.append(lexeme.start)

    def _meaning(self, operand: Lexeme) -> str:
        if operand.text in self.named:
            return f"V_{self.named[operand.text]}"
        if operand.text.startswith("V_") and self.shifted:
            why = "nested calls or names leave open which step this is"
            raise AmbiguousError(operand.text, *self._here(operand, why))
        return operand.text

    def _remember(self, step: RawStep, place: int) -> None:
        name = step.name
        if name is None:
            self.unnamed = self.unnamed or not step.nested
            return
        if name[:2] in {"N_", "C_"}:
            why = "a step's value is given the name of a number or constant"
            raise AmbiguousError(name, *self._here(step.lexeme, why))
        if name.startswith("V_") and name != f"V_{place}":
            self.shifted = True
            if self.unnamed:
                why = "this step has another index than its place"
                raise AmbiguousError(name, *self._here(step.lexeme, why))
        self.named[name] = place

    def _here(self, lexeme: Lexeme, why: str) -> tuple[int, str, int]:
        return len(self.tokens), why, lexeme.start
