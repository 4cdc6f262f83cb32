"""CircularEval: every question is asked once per option, with the options moved on by one.

This module decides which passes are asked; `circular_metrics` makes numbers of what became of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")


def rotate(options: Sequence[T], shift: int) -> tuple[T, ...]:
    """Move options on: position k shows what stood at ``(k + shift) mod N``."""
    turn = shift % len(options)
    return (*options[turn:], *options[:turn])


def followed(position: int, shift: int, count: int) -> int:
    """Where the option at ``position`` stands after `rotate`: at ``(position - shift) mod N``."""
    return (position - shift) % count


@dataclass(frozen=True, slots=True)
class Shown:
    """One row: a question with its options in one order.

    Attributes:
        question: What makes two rows the same question, apart from their options.
        texts: The option texts, without labels, in the row's order.
    """

    question: Hashable
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pass:
    """One asking of one question.

    Attributes:
        row: The row to ask it from.
        group: The question, numbered by first appearance from 0.
        number: Which pass of its question this is, from 0.
        passes: How many passes the question needs, one per option.
        shift: By how much the row's options are moved on; 0 where rows come rotated.
    """

    row: int
    group: int
    number: int
    passes: int
    shift: int


def plan_passes(rows: Sequence[Shown]) -> list[Pass]:
    """Decide from the rows themselves whether they come rotated, and list the passes to ask.

    Rows are one question if they share `Shown.question` and the options, in whatever order. If any
    question comes in several orders, the whole set is rotated already: nothing is moved again, a
    repeated order is left out, and a question that lacks some orders stays incomplete. Otherwise
    every row is asked once per option.

    Returns:
        The passes, those of one question together and in order, questions by first appearance.
    """
    groups: dict[Hashable, dict[tuple[str, ...], int]] = defaultdict(dict)
    for row, shown in enumerate(rows):
        groups[shown.question, tuple(sorted(shown.texts))].setdefault(shown.texts, row)
    come_rotated = any(len(orders) > 1 for orders in groups.values())
    planned: list[Pass] = []
    for group, orders in enumerate(groups.values()):
        passes = len(next(iter(orders)))
        if come_rotated:
            numbered = sorted(zip(_numbers(list(orders)), orders.values(), strict=True))
            planned += [Pass(row, group, number, passes, 0) for number, row in numbered]
        else:
            (row,) = orders.values()
            planned += [Pass(row, group, shift, passes, shift) for shift in range(passes)]
    return planned


def _numbers(orders: Sequence[tuple[str, ...]]) -> list[int]:
    """Number the orders of one question by their shift from the first; others come after those."""
    shifts = {rotate(orders[0], shift): shift for shift in reversed(range(len(orders[0])))}
    numbers = [shifts.get(order) for order in orders]
    spare = iter(sorted(set(range(len(orders[0]) + len(orders))) - set(numbers)))
    return [next(spare) if number is None else number for number in numbers]
