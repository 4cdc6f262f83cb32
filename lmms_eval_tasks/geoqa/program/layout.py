"""Finds the lines of a response that are programs, and gathers them into blocks.

A block is a run of program lines without a gap: nothing blank, no prose, no border of a fence
between them. What stands in a fence with an operator in it is meant as a program even where it
cannot be read; a line outside counts only if it begins like a program, perhaps after ``Program:``
or the like, and does not go on in prose.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lmms_eval_tasks.geoqa.program.labels import Label, LabelKind, labels_at
from lmms_eval_tasks.geoqa.program.lexer import Kind, Lexeme, lex
from lmms_eval_tasks.geoqa.program.recognition import (
    after_introduction,
    begins_like_a_program,
    first_operator,
    is_aside,
    may_go_on,
)


@dataclass(slots=True)
class Block:
    """Lines of program without a gap between them.

    Attributes:
        lexemes: What they hold; a SPLIT stands between two lines.
        label: The label that numbers it as a candidate, or as an item of a list.
        step: The number of the step it begins with, where a label says so.
        committed: Whether a word in front of it says that it is the program.
    """

    lexemes: list[Lexeme]
    label: Label | None
    step: int | None
    committed: bool


@dataclass(frozen=True, slots=True)
class Layout:
    """The blocks of a response, and its lines of prose that mention an operator."""

    blocks: list[Block]
    prose: list[list[Lexeme]]


@dataclass(frozen=True, slots=True)
class _Line:
    labels: tuple[Label, ...]
    lexemes: list[Lexeme]


_FENCE = re.compile(r"[ \t>*]*(?:```+|~~~+)[ \t]*(?:[\w+.-]+[ \t]*)?")
# A tag such as `</think>` or `<program>` ends a line as a newline does.
_LINE_END = re.compile(
    r"\n|</?(?i:program|answer|code|final|output|result|solution|candidate|think)[^<>\n]{0,20}>|\Z"
)
_COMMITS = frozenset(
    {"program", "programs", "answer", "output", "result", "solution", "code", "tokens"}
    | {"candidate", "candidates", "程序", "答案", "候选", "最终程序", "最终答案"}
)


def lay_out(text: str) -> Layout:
    """Find the blocks of a `plain` response."""
    builder = _Builder()
    for lines, fenced in _stretches(text):
        builder.add(lines, fenced=fenced)
    return Layout(builder.blocks, builder.prose)


def _stretches(text: str) -> Iterator[tuple[list[_Line], bool]]:
    """Single lines outside fences, and all lines of a fence together."""
    fenced: list[_Line] | None = None
    start = 0
    for line_end in _LINE_END.finditer(text):
        end = line_end.start()
        if _FENCE.fullmatch(text, start, end):
            if fenced is not None:
                yield fenced, True
            fenced = [] if fenced is None else None
        else:
            labels, body = labels_at(text, start, end, in_fence=fenced is not None)
            read = _Line(labels, lex(text, body, end))
            if fenced is None:
                yield [read], False
            else:
                fenced.append(read)
        start = line_end.end()
    if fenced is not None:
        yield fenced, True


class _Builder:
    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.prose: list[list[Lexeme]] = []
        self.gap = True
        # Whether the fence at hand has begun a block.
        self.opened = False
        self.pending: Label | None = None

    def add(self, lines: list[_Line], *, fenced: bool) -> None:
        """Take in one line outside fences, or one fence."""
        self.gap = self.gap or fenced
        self.opened = False
        in_program = fenced and any(first_operator(line.lexemes) >= 0 for line in lines)
        for line in lines:
            introduction, lexemes = after_introduction(line.lexemes)
            if in_program:
                is_program = self._belongs_in_a_fence(lexemes)
            else:
                is_program = not fenced and self._belongs_outside(lexemes)
            if is_program:
                committed = any(word.text.lower() in _COMMITS for word in introduction)
                self._program(line.labels, lexemes, committed=committed)
            else:
                self._prose(line)
        self.gap = self.gap or fenced

    def _belongs_outside(self, lexemes: list[Lexeme]) -> bool:
        return begins_like_a_program(lexemes) or (not self.gap and may_go_on(lexemes))

    def _belongs_in_a_fence(self, lexemes: list[Lexeme]) -> bool:
        if self.opened:
            return bool(lexemes) and not is_aside(lexemes)
        return any(lexeme.kind is Kind.OPERAND for lexeme in lexemes) or (
            first_operator(lexemes) >= 0
        )

    def _prose(self, line: _Line) -> None:
        self.gap = True
        if count := _count(line.labels):
            self.pending = count
        elif line.lexemes and self.pending and self.pending.kind is LabelKind.NUMBER:
            self.pending = None
        if first_operator(line.lexemes) >= 0:
            self.prose.append(line.lexemes)

    def _program(
        self, labels: tuple[Label, ...], lexemes: list[Lexeme], *, committed: bool
    ) -> None:
        count = _count(labels)
        step = next((label.number for label in labels if label.kind is LabelKind.STEP), None)
        holds_operator = first_operator(lexemes) >= 0
        is_labelled = count is not None or step is not None or committed
        if (holds_operator and (self.gap or is_labelled)) or (self.gap and not self.opened):
            self.blocks.append(Block(lexemes, count or self.pending, step, committed))
            self.pending = None
        else:
            add_line(self.blocks[-1].lexemes, lexemes)
        self.gap = False
        self.opened = True


def add_line(lexemes: list[Lexeme], line: list[Lexeme]) -> None:
    """Put the lexemes of another line behind these, with a SPLIT between the two."""
    if lexemes and line:
        lexemes.append(Lexeme(Kind.SPLIT, "\n", line[0].start, line[0].start))
    lexemes += line


def _count(labels: tuple[Label, ...]) -> Label | None:
    return next((label for label in labels if label.kind is not LabelKind.STEP), None)
