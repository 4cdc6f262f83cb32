"""Reads steps out of lexemes: prefix form, calls that may be nested, lists in parentheses, names.

The steps keep their operands as they were written. What a `V_k` or a name refers to is decided
later, when it is clear which steps make up one program (`references`).
"""

from __future__ import annotations

from dataclasses import dataclass

from lmms_eval_tasks.geoqa.program import faults
from lmms_eval_tasks.geoqa.program.errors import ProgramError, TooLongError, UnreadableError
from lmms_eval_tasks.geoqa.program.lexer import Kind, Lexeme
from lmms_eval_tasks.geoqa.program.phrases import (
    OPERATORS_AND_NAMES,
    after_remark,
    after_result_words,
    assigns,
)
from lmms_eval_tasks.geoqa.program.written import RawStep

MAX_NESTING = 50

_ANNOTATES = frozenset({Kind.EQUALS, Kind.ARROW})
_IGNORED = frozenset({Kind.SPLIT, Kind.COMMENT})


@dataclass(slots=True)
class Reading:
    """What a run of lexemes holds.

    Attributes:
        steps: The complete steps, in the order in which they are computed.
        failure: What stopped the reading, or None.
        end: The index of the first lexeme that was not read.
    """

    steps: list[RawStep]
    failure: ProgramError | None
    end: int


def read_steps(lexemes: list[Lexeme], *, in_prose: bool = False) -> Reading:
    """Read as many steps as there are.

    Args:
        lexemes: Those of one block.
        in_prose: Whether the program ends, without a failure, where ordinary words go on.
    """
    parser = _Parser(lexemes, in_prose=in_prose)
    failure = None
    try:
        parser.run()
    except ProgramError as error:
        failure = error
    return Reading(parser.steps, failure, parser.at)


class _Parser:
    """Goes over the lexemes once, with an explicit stack of the steps that are not complete."""

    def __init__(self, lexemes: list[Lexeme], *, in_prose: bool) -> None:
        self.lexemes = lexemes
        self.at = 0
        self.in_prose = in_prose
        self.steps: list[RawStep] = []
        self.open: list[RawStep] = []
        self.names: set[str] = set()
        self.name: str | None = None
        self.item = 0

    def run(self) -> None:
        while self.at < len(self.lexemes):
            if self.open:
                self._inside_a_step()
            elif not self._between_steps():
                return
        if self.open:
            raise faults.unfinished(self.lexemes, self.open[-1])

    def _kind(self, ahead: int = 0) -> Kind | None:
        index = self.at + ahead
        return self.lexemes[index].kind if index < len(self.lexemes) else None

    def _between_steps(self) -> bool:
        """Read one thing where an operator is due; False where prose goes on."""
        kind = self._kind()
        if kind in OPERATORS_AND_NAMES:
            self._begin(nested=False, closings=0)
        elif kind in _IGNORED or kind is Kind.CLOSE:
            self.item += kind is Kind.SPLIT
            self.at += 1
        elif self.in_prose and kind is not Kind.OPERAND:
            return False
        elif kind is Kind.OPEN:
            self._parenthesis()
        elif kind in _ANNOTATES and self.steps:
            self._skip_to(self._end_of_piece())
        else:
            self._assignment_or_result()
        return True

    def _parenthesis(self) -> None:
        if self._kind(1) in OPERATORS_AND_NAMES:
            self.at += 1
            self._begin(nested=False, closings=1)
            return
        end = after_remark(self.lexemes, self.at, besides=self._last_value())
        if end is None or not self.steps:
            raise faults.not_an_operator(self.lexemes, self.at)
        self.at = end

    def _assignment_or_result(self) -> None:
        here = self.lexemes[self.at]
        if assigns(self.lexemes, self.at):
            self.name = here.text
            self.at += 2
        elif self._kind(1) is Kind.EQUALS and self._is_known(here):
            # A value restated, `N_0 = 50`, computes nothing.
            self._skip_to(self._end_of_piece())
        else:
            self._result()

    def _is_known(self, lexeme: Lexeme) -> bool:
        is_given = lexeme.kind is Kind.OPERAND and lexeme.text[0] in "NC"
        return is_given or lexeme.text in self.names

    def _result(self) -> None:
        """Pass over the last value, handed back: `return V_1`, `print(x)`, `Answer: V_1`."""
        last = {self.steps[-1].name or "", self._last_value()} if self.steps else set()
        at = after_result_words(self.lexemes, self.at, last)
        if at == len(self.lexemes) or self.lexemes[at].text not in last:
            raise faults.not_an_operator(self.lexemes, self.at)
        self.at = at + 1

    def _last_value(self) -> str:
        return f"V_{len(self.steps) - 1}"

    def _begin(self, *, nested: bool, closings: int) -> None:
        lexeme = self.lexemes[self.at]
        if lexeme.kind is Kind.ODD_OPERATOR:
            raise faults.not_an_operator(self.lexemes, self.at)
        if len(self.open) == MAX_NESTING:
            why = f"calls are nested at most {MAX_NESTING} deep"
            raise faults.at_lexeme(TooLongError, self.lexemes, self.at, why)
        self.at += 1
        # In `(f (g …) …)` the inner parenthesis is g's, in `(f(g(…), …))` it is f's.
        touches = self._kind() is Kind.OPEN and self.lexemes[self.at].start == lexeme.end
        if self._kind() is Kind.OPEN and (touches or not closings):
            closings += 1
            self.at += 1
        step = RawStep(lexeme.text, lexeme, self.item, self.name, nested, closings)
        self.name = None
        self.open.append(step)

    def _inside_a_step(self) -> None:
        step, kind = self.open[-1], self._kind()
        if kind in _IGNORED:
            self.at += 1
        elif kind is Kind.CLOSE:
            self._close(step)
        elif len(step.operands) == step.arity:
            raise faults.left_over(self.lexemes, self.at, step)
        elif kind is Kind.OPERAND or (kind is Kind.WORD and self._word() in self.names):
            self._operand(step)
        elif kind in OPERATORS_AND_NAMES:
            self._nested_call(step)
        elif kind is Kind.OPEN and self._kind(1) in OPERATORS_AND_NAMES:
            self.at += 1
            self._begin(nested=True, closings=1)
        else:
            raise faults.not_an_operand(self.lexemes, self.at)

    def _word(self) -> str:
        return self.lexemes[self.at].text

    def _operand(self, step: RawStep) -> None:
        step.operands.append(self.lexemes[self.at])
        self.at += 1
        self._skip_annotation()
        self._complete()

    def _skip_annotation(self) -> None:
        if self._kind() is Kind.OPEN:
            self.at = after_remark(self.lexemes, self.at) or self.at

    def _nested_call(self, step: RawStep) -> None:
        if step.closings == 0 and self._kind(1) is not Kind.OPEN:
            raise faults.missing_operand(self.lexemes, step)
        self._begin(nested=True, closings=0)

    def _close(self, step: RawStep) -> None:
        if step.closings == 0 or len(step.operands) < step.arity:
            raise faults.missing_operand(self.lexemes, step)
        step.closings -= 1
        self.at += 1
        self._complete()

    def _complete(self) -> None:
        while self.open:
            step = self.open[-1]
            if len(step.operands) < step.arity or step.closings:
                return
            self.open.pop()
            self.steps.append(step)
            if step.name is not None:
                self.names.add(step.name)
            if self.open:
                self.open[-1].operands.append(step)

    def _skip_to(self, end: int) -> None:
        for lexeme in self.lexemes[self.at : end]:
            if lexeme.kind in OPERATORS_AND_NAMES:
                why = "what follows this would be skipped, and holds an operator"
                raise faults.at_lexeme(UnreadableError, self.lexemes, self.at, why)
        self.at = end

    def _end_of_piece(self) -> int:
        end = self.at
        while end < len(self.lexemes) and self.lexemes[end].kind not in _IGNORED:
            if end > self.at and assigns(self.lexemes, end):
                break
            end += 1
        return end
