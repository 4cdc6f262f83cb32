"""Completing a data set: ids, passes, and the videos that are there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from loguru import logger

from lmms_eval_tasks.worldqa.records import CircularRecord, OpenEndedRecord, row_name
from lmms_eval_tasks_core.circular import Pass, plan_passes
from lmms_eval_tasks_core.errors import VideosMissingError
from lmms_eval_tasks_core.media import find_videos

if TYPE_CHECKING:
    from datasets import Dataset

_NAMED_AT_MOST = 10


def open_ended(dataset: Dataset, folder: Path) -> Dataset:
    """Check every row, name it, and leave out the questions whose video is missing.

    Args:
        dataset: Rows of the config Generation.
        folder: Where the videos lie.

    Returns:
        The rows whose video is there, with the columns ``id``, ``video`` and ``coverage`` (the
        share of all questions that are left, 0 to 1).

    Raises:
        RowError: A column is missing or holds no text.
        VideosMissingError: No video is there at all.
    """
    records = [OpenEndedRecord.from_row(row, i) for i, row in enumerate(dataset)]
    ids = _distinct([row_name(row, i) for i, row in enumerate(dataset)])
    videos = [record.video_idx for record in records]
    return _with_videos(dataset.add_column("id", ids), videos, list(range(len(ids))), folder)


def circular(dataset: Dataset, folder: Path) -> Dataset:
    """Check every row, plan the passes of CircularEval, and leave out missing videos.

    Rows are repeated by reference: whatever media they carry is neither copied nor touched.

    Args:
        dataset: Rows of the config MC, rotated already (as released) or not.
        folder: Where the videos lie.

    Returns:
        One row a pass, with the columns ``id``, ``group``, ``pass``, ``passes``, ``shift``,
        ``video`` and ``coverage`` (the share of all passes that are left, 0 to 1).

    Raises:
        RowError: A column is missing or empty, or an answer is none of its options.
        VideosMissingError: No video is there at all.
    """
    from datasets import concatenate_datasets  # noqa: PLC0415 - heavy, and loaded by now

    plain = dataset.select_columns([name for name in dataset.column_names if name in _TEXT_COLUMNS])
    records = [CircularRecord.from_row(row, i) for i, row in enumerate(plain)]
    passes = plan_passes([record.shown() for record in records])
    first_rows = {p.group: p.row for p in reversed(passes)}
    names = _distinct([row_name(plain[row], row) for _, row in sorted(first_rows.items())])

    # A view per pass number, each with columns of its own, then one selection: adding columns to
    # a selection would copy the rows.
    layers = [_layer(passes, number) for number in range(max(p.number for p in passes) + 1)]
    views = [_add_pass_columns(dataset, layer, names) for layer in layers]
    order = [p.number * len(dataset) + p.row for p in passes]
    videos = [records[p.row].video_idx for p in passes]
    return _with_videos(concatenate_datasets(views), videos, order, folder)


_TEXT_COLUMNS = ("question_idx", "question", "answer", "video_idx", "option")


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


def _with_videos(
    dataset: Dataset, videos: Sequence[str], order: Sequence[int], folder: Path
) -> Dataset:
    """Select the rows in this order whose video is there, and say in each which file it is.

    Args:
        dataset: The rows to select from.
        videos: The video of each selected row, in order.
        order: The selected rows, by position.
        folder: Where the videos lie.
    """
    found = find_videos(folder, set(videos))
    if not found:
        raise VideosMissingError(
            f"None of the {len(set(videos))} videos of WorldQA is in {folder}.",
            "lmms-eval unpacks them there from the data set lmms-eval/worldqa; if you have them "
            "elsewhere, set LMMS_EVAL_TASKS_VIDEOS to their folder.",
        )
    kept = [(row, video) for row, video in zip(order, videos, strict=True) if video in found]
    if len(kept) < len(order):
        _name_missing(videos, found, len(order) - len(kept), folder)
    files = [""] * len(dataset)
    for row, video in kept:
        files[row] = str(found[video])
    dataset = dataset.add_column("video", files)
    dataset = dataset.add_column("coverage", [len(kept) / len(order)] * len(dataset))
    return dataset.select([row for row, _ in kept])


def _name_missing(videos: Sequence[str], found: dict[str, Path], lost: int, folder: Path) -> None:
    missing = sorted(set(videos) - set(found))
    named = ", ".join(missing[:_NAMED_AT_MOST]) + (", …" if len(missing) > _NAMED_AT_MOST else "")
    logger.warning(
        f"WorldQA: {len(missing)} videos are missing or empty in {folder} ({named}); {lost} "
        f"questions are left out, and every result states its coverage."
    )


def _distinct(names: Sequence[str]) -> list[str]:
    """Tell rows of the same name apart: the second becomes ``name~2``."""
    seen: Counter[str] = Counter()
    taken = set(names)
    distinct: list[str] = []
    for name in names:
        seen[name] += 1
        if seen[name] == 1:
            distinct.append(name)
            continue
        free = next(f"{name}~{n}" for n in count(seen[name]) if f"{name}~{n}" not in taken)
        taken.add(free)
        distinct.append(free)
    return distinct
