"""Taking values out of rows, or naming the row and the column they are missing from."""

from __future__ import annotations

from collections.abc import Mapping

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
        raise RowError(name, column, f"the column is missing (the row has {', '.join(row)})")
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
