"""Reads the script's own tables, and writes the samples' files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from datasets import Dataset, Features
from pyarrow.parquet import write_table  # type: ignore[import-untyped]  # it ships none


def table(name: str) -> Any:  # noqa: ANN401 - JSON has no narrower type; each caller knows its table
    """Read the table ``data/<name>.json`` of this script."""
    source = files("lmms_eval_tasks.samples.make") / "data" / f"{name}.json"
    return json.loads(source.read_text(encoding="utf-8"))


def write_parquet(rows: Iterable[Mapping[str, object]], features: Features, path: Path) -> None:
    """Write rows as one parquet file with the feature types that ``datasets`` restores."""
    arrow = Dataset.from_list(list(rows), features=features).data.table.combine_chunks()
    # From release 4 on, datasets calls a list "List", which release 3 cannot read; both read
    # the old word.
    described = arrow.schema.metadata[b"huggingface"].replace(b'"List"', b'"Sequence"')
    path.parent.mkdir(parents=True, exist_ok=True)
    described_table = arrow.replace_schema_metadata({b"huggingface": described})
    write_table(described_table, path, compression="zstd")


def write_jsonl(rows: Iterable[Mapping[str, object]], path: Path) -> None:
    """Write rows as JSON lines in UTF-8."""
    lines = [json.dumps(row, ensure_ascii=False) for row in rows]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join([*lines, ""]), encoding="utf-8", newline="\n")
