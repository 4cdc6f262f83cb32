"""CircularEval: every question is asked once per option, with the options moved on by one.

MMBench (Liu et al. 2023, arXiv 2307.06281, section 4.2) counts a question as right only if all its
passes are; averaging over the passes instead is another number, and both are given here.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

Item: TypeAlias = Mapping[str, object]
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


def by_group(items: Sequence[Item]) -> dict[object, list[Item]]:
    """Gather the items of each question; they may come in any order."""
    groups: dict[object, list[Item]] = defaultdict(list)
    for item in items:
        groups[item["group"]].append(item)
    return dict(groups)


def is_complete(passes: Sequence[Item]) -> bool:
    """Whether every pass of a question was asked and has an outcome of the model's own."""
    numbers = {item["pass"] for item in passes if item.get("outcome") != "not_judged"}
    return len(numbers) >= int(str(passes[0]["passes"]))


def circular_acc(items: Sequence[Item]) -> float:
    """The share of questions whose passes are all right, over complete questions; 0 for none."""
    complete = [passes for passes in by_group(items).values() if is_complete(passes)]
    right = sum(all(item["right"] for item in passes) for passes in complete)
    return right / len(complete) if complete else 0.0


def incomplete_groups(items: Sequence[Item]) -> float:
    """How many questions `circular_acc` leaves out because a pass is missing or not judged."""
    return float(sum(not is_complete(passes) for passes in by_group(items).values()))


def position_bias(items: Sequence[Item]) -> float:
    """How far the positions a model chooses are from those where the right option stands.

    The total variation distance ½ Σₖ |c(k)/n - r(k)/n| over the n passes with a choice, where c(k)
    counts choices of position k and r(k) right options at position k. 0: positions are chosen as
    often as they are right; 1: never. A model that always says A gets 0.75 with four options.
    """
    decided = [item for item in items if item.get("chosen_position") is not None]
    if not decided:
        return 0.0
    chosen = Counter(item["chosen_position"] for item in decided)
    right = Counter(item["right_position"] for item in decided)
    difference = sum(abs(chosen[k] - right[k]) for k in chosen.keys() | right.keys())
    return difference / (2 * len(decided))
