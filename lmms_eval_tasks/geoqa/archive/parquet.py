"""Writes files whole or not at all: parquet in groups of rows, and text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # it takes a while to import, and only the writing needs it
    import pyarrow as pa  # type: ignore[import-untyped] # it ships no types

_ROWS_AT_ONCE = 200


def write_parquet(rows: Iterable[Mapping[str, object]], file: Path) -> int:
    """Write rows with the columns of `GeoQARecord.to_row` and ``image``.

    Args:
        rows: The rows; a group of them at a time is held in memory.
        file: Where to; nothing is there before all of it is, and what was there stays until then.

    Returns:
        How many rows there were.
    """
    import pyarrow as pa  # noqa: PLC0415 - see TYPE_CHECKING above
    import pyarrow.parquet as pq  # type: ignore[import-untyped] # noqa: PLC0415 - likewise

    schema, count, rest = _schema(), 0, iter(rows)
    with _moved_when_complete(file) as part, pq.ParquetWriter(part, schema) as writer:
        while group := [dict(row) for row in islice(rest, _ROWS_AT_ONCE)]:
            writer.write_table(pa.Table.from_pylist(group, schema=schema))
            count += len(group)
    return count


def write_text(text: str, file: Path) -> None:
    """Write a text file in UTF-8, whole or not at all."""
    with _moved_when_complete(file) as part:
        part.write_text(text, encoding="utf-8")


@contextmanager
def _moved_when_complete(file: Path) -> Iterator[Path]:
    # Not a YAML name: lmms-eval would take it for a task.
    part = file.with_name(f".{file.name}.part")
    try:
        yield part
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)


def _schema() -> pa.Schema:
    import pyarrow as pa  # noqa: PLC0415 - see TYPE_CHECKING above

    columns = {
        "id": pa.string(),
        "type": pa.string(),
        "question": pa.string(),
        "numbers": pa.list_(pa.float64()),
        "choices": pa.list_(pa.string()),
        "choice_nums": pa.list_(pa.float64()),
        "label": pa.int64(),
        "program": pa.string(),
        "has_diagram": pa.bool_(),
        "uncertain": pa.bool_(),
        "image": pa.struct([("bytes", pa.binary()), ("path", pa.string())]),
    }
    return pa.schema(list(columns.items()))
