"""The figures of a check as tables for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from lmms_eval_tasks.judge_check.figures import GRADE_NAMES, UNJUDGED, UNNAMED

if TYPE_CHECKING:  # drawing tables is for those who see them
    from rich.console import Console
    from rich.table import Table

Json = Mapping[str, Any]
_LEAST_WIDTH = 110
_SIGNED = "+.2f"
_NONE = "–"


def show(report: Json) -> None:
    """Print a report to standard output."""
    console = _console()
    for line in _headlines(report):
        console.print(line)
    console.print(_confusion(report["confusion"]))
    console.print(_groups(report["groups"]))


def _console() -> Console:
    from rich.console import Console  # noqa: PLC0415 - see TYPE_CHECKING

    console = Console(highlight=False, markup=False)
    # A file or a pipe has no width; there the tables must not be squeezed into the usual 80.
    return (
        console
        if console.is_terminal
        else Console(highlight=False, markup=False, width=_LEAST_WIDTH)
    )


def _headlines(report: Json) -> Iterator[str]:
    judge, bias = report["judge"], report["groups"]["all"]["all"]["bias"]
    at = f" at {judge['server']}" if judge["server"] else ""
    items = report["item_set"]["version"]
    yield f"Judge {judge['name']}{at}, rubric {report['rubric_version']}, items {items}"
    yield _judged(report)
    agreement, in_points = map(_figure, (report["agreement"], report["agreement_in_points"]))
    yield f"Agreement with the labels  {agreement}; in points {in_points}"
    kappa, weighted = map(_figure, (report["kappa"], report["kappa_weighted"]))
    yield f"Cohen's kappa              {kappa}; weighted by points {weighted}"
    yield f"Mean error in points       {_figure(bias, _SIGNED)}; above 0 it is lenient"
    yield f"Agreement with itself      {_itself(report['second_asking'])}"
    yield f"Cost                       {_cost(report['cost'])}"


def _judged(report: Json) -> str:
    reasons = in_words(report["unjudged"])
    without = (
        f"; {report['asked'] - report['judged']} without a verdict{reasons}" if reasons else ""
    )
    reused = f"; {report['reused']} verdicts were kept from before" if report["reused"] else ""
    return f"{report['judged']} of {report['asked']} answers judged{without}{reused}"


def in_words(reasons: Mapping[str, int]) -> str:
    """Why answers have no verdict, in brackets; nothing where all have one."""
    named = ", ".join(f"{count} {reason}" for reason, count in reasons.items())
    return f" ({named})" if named else ""


def _itself(second: Json | None) -> str:
    if second is None:
        return "not asked"
    if second["by_construction"]:
        return "1 by construction: it compares words, and says the same each time"
    same = second["same_grade"]
    reasons = in_words(second["unjudged"])
    return f"{_figure(same)} of {same['n']} asked anew and judged both times{reasons}"


def _cost(cost: Json) -> str:
    tokens = "tokens not counted by the server"
    if cost["input_tokens"] is not None:
        tokens = f"{cost['input_tokens']:,} tokens in, {cost['output_tokens']:,} out"
    money = "" if cost["usd"] is None else f", {cost['usd']:.4f} USD"
    return f"{cost['replies']} replies, {tokens}{money}, {cost['seconds']:.1f} s"


def _confusion(confusion: Mapping[str, Mapping[str, int]]) -> Table:
    columns = (*GRADE_NAMES, UNNAMED, UNJUDGED)
    table = _table("label \\ verdict", *map(_spaced, columns))
    for label in GRADE_NAMES:
        cells = (confusion[label][column] for column in columns)
        table.add_row(_spaced(label), *(str(count) if count else "·" for count in cells))
    return table


def _groups(groups: Mapping[str, Mapping[str, Json]]) -> Table:
    heads = ("judged", "not judged", "agreement", "mean error", "too high", "too low")
    table = _table("answers", *heads)
    for values in groups.values():
        for value, group in values.items():
            table.add_row(
                _spaced(value),
                str(group["judged"]),
                str(group["unjudged"]),
                _figure(group["agreement"]),
                _figure(group["bias"], _SIGNED),
                str(group["too_high"]),
                str(group["too_low"]),
            )
        table.add_section()
    return table


def _spaced(name: str) -> str:
    return name.replace("_", " ")


def _table(first: str, *others: str) -> Table:
    from rich.box import SIMPLE  # noqa: PLC0415 - see TYPE_CHECKING
    from rich.table import Table  # noqa: PLC0415 - see TYPE_CHECKING

    table = Table(box=SIMPLE, pad_edge=False)
    table.add_column(first)
    for other in others:
        table.add_column(other, justify="right")
    return table


def _figure(figure: Json, form: str = ".2f") -> str:
    """A figure with its 95 % interval, as far as there are any."""
    if figure["value"] is None:
        return _NONE
    value = format(figure["value"], form)
    if figure["low"] is None:
        return value
    return f"{value} [{figure['low']:{form}}, {figure['high']:{form}}]"
