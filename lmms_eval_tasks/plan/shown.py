"""A plan in words and tables, and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from lmms_eval_tasks.plan.asked import LEXICAL
from lmms_eval_tasks.plan.estimate import Plan, TaskPlan
from lmms_eval_tasks.plan.figures import about, size
from lmms_eval_tasks.plan.prices import Prices
from lmms_eval_tasks.plan.remarks import remarks
from lmms_eval_tasks.plan.tokens import RULE

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

_WIDE = 240
_HEADS = (
    *("requests", "tokens\nin", "tokens\nout", "media"),
    *("judge\nrequests", "judge\nin", "judge\nout"),
)


def as_json(plan: Plan, prices: Prices) -> dict[str, object]:
    """The plan for scripts: counts, tokens, bytes and USD as plain numbers, null if unknown."""
    tasks = [
        {**asdict(task), "usd_model": prices.of_model(task), "usd_judge": prices.of_judge(task)}
        for task in plan.tasks
    ]
    return {
        "tasks": tasks,
        "left_out": list(plan.others),
        "videos": plan.videos and asdict(plan.videos),
        "store": plan.store or None,
        "usd": _total(plan, prices),
        "token_rule": RULE,
    }


def show(plan: Plan, prices: Prices, *, image_tokens: int | None) -> None:
    """Print the plan: a table on a terminal, aligned columns where it is piped."""
    from rich.console import Console  # noqa: PLC0415 - the help of the command needs none

    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=_WIDE)
    if plan.tasks:
        console.print(_table(plan, prices, console))
    for line in remarks(plan, prices, image_tokens):
        console.print(line, markup=False, soft_wrap=not console.is_terminal)


def _table(plan: Plan, prices: Prices, console: Console) -> Table:
    from rich import box  # noqa: PLC0415 - see above
    from rich.table import Table  # noqa: PLC0415

    style = box.SIMPLE_HEAD if console.is_terminal else None
    table = Table(box=style, pad_edge=False, header_style="bold", collapse_padding=True)
    # Where it is narrow, words are folded: nothing is cut off.
    table.add_column("task", overflow="fold", no_wrap=not console.is_terminal)
    money = prices != Prices()
    for head in [*_HEADS, *(["USD"] if money else [])]:
        words = head if console.is_terminal else head.replace("\n", " ")
        table.add_column(words, justify="right", overflow="fold")
    for task in plan.tasks:
        table.add_row(*_cells(task), *([_usd(_cost(task, prices))] if money else []))
    if len(plan.tasks) > 1:
        table.add_section()
        table.add_row(*_sums(plan.tasks), *([_usd(_total(plan, prices))] if money else []))
    return table


def _cells(task: TaskPlan) -> list[str]:
    asked = task.asked
    is_paid = asked is not None and asked.model != LEXICAL
    return [
        task.name + ("" if task.is_measured else " *"),
        f"{task.requests:,}",
        about(task.prompt_tokens),
        about(task.answer_tokens),
        "?" if task.media.bytes is None else size(task.media.bytes),
        f"{asked.expected:,}" if asked and is_paid else ("offline" if asked else "none"),
        about(asked.input_tokens) if asked and is_paid else "",
        about(asked.output_tokens) if asked and is_paid else "",
    ]


def _sums(tasks: Sequence[TaskPlan]) -> list[str]:
    sizes = [task.media.bytes for task in tasks]
    known = sum(size for size in sizes if size is not None)
    asked = [task.asked for task in tasks if task.asked]
    return [
        "together",
        f"{sum(task.requests for task in tasks):,}",
        about(sum(task.prompt_tokens for task in tasks)),
        about(sum(task.answer_tokens for task in tasks)),
        _of_some(known, is_all=None not in sizes),
        f"{sum(each.expected for each in asked):,}",
        about(sum(each.input_tokens for each in asked)),
        about(sum(each.output_tokens for each in asked)),
    ]


def _of_some(known: int, *, is_all: bool) -> str:
    """A sum of what is known."""
    if is_all:
        return size(known)
    return f"> {size(known)}" if known else "?"


def _cost(task: TaskPlan, prices: Prices) -> float | None:
    costs = [cost for cost in (prices.of_model(task), prices.of_judge(task)) if cost is not None]
    return sum(costs) if costs else None


def _total(plan: Plan, prices: Prices) -> float | None:
    costs = [cost for task in plan.tasks if (cost := _cost(task, prices)) is not None]
    return sum(costs) if costs else None


def _usd(cost: float | None) -> str:
    return "" if cost is None else f"{cost:,.2f}"
