"""Completing a data set: ids, passes, and what there is to show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lmms_eval_tasks.worldqa.material import Material, Shown
from lmms_eval_tasks.worldqa.records import CircularRecord, OpenEndedRecord, row_name
from lmms_eval_tasks_core.circular import Pass, plan_passes
from lmms_eval_tasks_core.columns import distinct

if TYPE_CHECKING:
    from datasets import Dataset

# The features of `datasets` by their names: importing it here would cost every command seconds.
_MEDIA = ("Audio", "Image", "Video")


def open_ended(dataset: Dataset, material: Material) -> Dataset:
    """Check every row, name it, and leave out the questions whose material is missing.

    Args:
        dataset: Rows of the config Generation.
        material: What is shown beside the question.

    Returns:
        The rows whose material is there, with the columns ``id``, ``video``, ``has_sound`` and
        ``coverage`` (the share of all questions that are left, 0 to 1).

    Raises:
        RowError: A column is missing or holds no text.
        VideosMissingError: No video is there at all.
    """
    plain = _texts(dataset)
    records = [OpenEndedRecord.from_row(row, i) for i, row in enumerate(plain)]
    ids = distinct([row_name(row, i) for i, row in enumerate(plain)])
    order = list(range(len(ids)))
    return _selected(dataset.add_column("id", ids), order, material(records))


def circular(dataset: Dataset, material: Material) -> Dataset:
    """Check every row, plan the passes of CircularEval, and leave out what cannot be shown.

    Rows are repeated by reference: whatever media they carry is neither copied nor touched.

    Args:
        dataset: Rows of the config MC, rotated already (as released) or not.
        material: What is shown beside the question.

    Returns:
        One row a pass, with the columns ``id``, ``group``, ``pass``, ``passes``, ``shift``,
        ``video``, ``has_sound`` and ``coverage`` (the share of all passes that are left, 0 to 1).

    Raises:
        RowError: A column is missing or empty, or an answer is none of its options.
        VideosMissingError: No video is there at all.
    """
    from datasets import concatenate_datasets  # noqa: PLC0415 - heavy, and loaded by now

    plain = _texts(dataset)
    records = [CircularRecord.from_row(row, i) for i, row in enumerate(plain)]
    passes = plan_passes([record.shown() for record in records])
    first_rows = {p.group: p.row for p in reversed(passes)}
    names = distinct([row_name(plain[row], row) for _, row in sorted(first_rows.items())])

    # A view per pass number, each with columns of its own, then one selection: adding columns to
    # a selection would copy the rows.
    layers = [_layer(passes, number) for number in range(max(p.number for p in passes) + 1)]
    views = [_add_pass_columns(dataset, layer, names) for layer in layers]
    order = [p.number * len(dataset) + p.row for p in passes]
    shown = material([records[p.row] for p in passes])
    return _selected(concatenate_datasets(views), order, shown)


def _texts(dataset: Dataset) -> Dataset:
    """The rows without their media, which reading a row would decode."""
    media = {name for name, kind in dataset.features.items() if type(kind).__name__ in _MEDIA}
    return dataset.select_columns([name for name in dataset.column_names if name not in media])


def _layer(passes: Sequence[Pass], number: int) -> dict[int, Pass]:
    """The passes of one number, by row."""
    return {p.row: p for p in passes if p.number == number}


def _add_pass_columns(dataset: Dataset, layer: dict[int, Pass], names: Sequence[str]) -> Dataset:
    unused = Pass(row=-1, group=0, number=0, passes=0, shift=0)
    passes = [layer.get(row, unused) for row in range(len(dataset))]
    columns: dict[str, list[str] | list[int]] = {
        "id": [f"{names[p.group]}#{p.number}" for p in passes],
        "group": [names[p.group] for p in passes],
        "pass": [p.number for p in passes],
        "passes": [p.passes for p in passes],
        "shift": [p.shift for p in passes],
    }
    for name, values in columns.items():
        dataset = dataset.add_column(name, values)
    return dataset


def _selected(dataset: Dataset, order: Sequence[int], shown: Sequence[Shown | None]) -> Dataset:
    """Select the rows in this order whose material is there, and say in each what it is.

    Args:
        dataset: The rows to select from.
        order: The selected rows, by position.
        shown: What there is to show for each of them.
    """
    kept = [(row, found) for row, found in zip(order, shown, strict=True) if found]
    found_in = dict(kept)
    each = [found_in.get(row, Shown()) for row in range(len(dataset))]
    dataset = dataset.add_column("video", [found.file for found in each])
    dataset = dataset.add_column("has_sound", [found.has_sound for found in each])
    dataset = dataset.add_column("coverage", [len(kept) / len(order)] * len(dataset))
    return dataset.select([row for row, _ in kept])
