"""Taking values out of rows, or naming the row and the column they are missing from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import count

from lmms_eval_tasks_core.errors import RowError


def present(row: Mapping[str, object], column: str, name: str) -> object:
    """The value of a column, whatever it is.

    Args:
        row: The row.
        column: The column.
        name: What names the row in an error.

    Raises:
        RowError: The row has no such column.
    """
    if column not in row:
        raise RowError(
            name,
            column,
            f"the column is missing (the row has {', '.join(row)})",
            remedy="Name the columns as the README of the task does.",
        )
    return row[column]


def text(row: Mapping[str, object], column: str, name: str) -> str:
    """The text of a column, without surrounding white space.

    Raises:
        RowError: The row has no such column, or no text in it.
    """
    value = present(row, column, name)
    if not isinstance(value, str) or not value.strip():
        raise RowError(name, column, "the value is missing or not a text", value=value)
    return value.strip()


def distinct(names: Sequence[str]) -> list[str]:
    """Tell rows of the same name apart, in their order: the second becomes ``name~2``."""
    seen: Counter[str] = Counter()
    taken = set(names)
    apart: list[str] = []
    for name in names:
        seen[name] += 1
        if seen[name] == 1:
            apart.append(name)
            continue
        free = next(f"{name}~{n}" for n in count(seen[name]) if f"{name}~{n}" not in taken)
        taken.add(free)
        apart.append(free)
    return apart
