"""From the data sets that hold GeoQA to one set of columns, the diagrams left as they are."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import TYPE_CHECKING

from loguru import logger

from lmms_eval_tasks.geoqa.diagrams import diagram_of
from lmms_eval_tasks.geoqa.records import GeoQARecord, Row
from lmms_eval_tasks_core.columns import distinct
from lmms_eval_tasks_core.errors import DatasetUnavailableError, RowError

if TYPE_CHECKING:  # `datasets` takes seconds to import, and only `complete_rows` needs it
    from datasets import Dataset, Features

_HUB_COLUMNS = {"subject", "formal_point", "original_split"}
_NAMED_AT_MOST = 5


def complete_rows(dataset: Dataset) -> Dataset:
    """Validate every row and give all of them the same columns.

    Understood are the Hub's port of the first release (`_HUB_COLUMNS` among its columns), of which
    only the 754 test problems are kept, and rows of a user's own with the columns that
    `GeoQARecord.from_row` names.

    Args:
        dataset: One split. Its ``image`` column may be missing, or null in some rows.

    Returns:
        A data set with the columns of `GeoQARecord.to_row`, and ``image``, undecoded, where there
        was one. No picture is copied or encoded again. ``has_diagram`` is false where a picture is
        missing or cannot be decoded: such a row is asked as text.

    Raises:
        RowError: A row lacks something or holds a bad value; it names the row and the column.
        DatasetUnavailableError: None of the rows is a test problem.
    """
    from datasets import Dataset, concatenate_datasets  # noqa: PLC0415 - see TYPE_CHECKING above

    pictures = _pictures(dataset)
    texts = dataset.remove_columns(["image"]) if "image" in dataset.column_names else dataset
    types = _types_by_id() if set(texts.column_names) >= _HUB_COLUMNS else None
    rows: list[Mapping[str, object]] = []
    kept: list[int] = []
    broken: list[int] = []
    for position, row in enumerate(texts):
        if types is not None and row.get("id") not in types:
            rows.append(dict.fromkeys(_features()))
            continue
        cell = None if pictures is None else pictures[position]["image"]
        shown = diagram_of(cell) is not None
        if cell is not None and not shown:
            broken.append(position)
        typed = row if types is None else {**row, "type": types[row["id"]]}
        rows.append(_completed(typed, position, has_diagram=shown))
        kept.append(position)
    _check_count(len(kept), None if types is None else len(types))
    _name_broken([str(rows[position]["id"]) for position in broken])
    completed = Dataset.from_list(_apart(rows, kept), features=_features())
    if pictures is not None:
        completed = concatenate_datasets([completed, pictures], axis=1)
    # The selection comes last: joining columns to a selection would copy the pictures.
    return completed if len(kept) == len(rows) else completed.select(kept)


def rows_without_diagrams(dataset: Dataset) -> Dataset:
    """The same rows as `complete_rows`, with every diagram taken away.

    Raises:
        RowError: As there.
        DatasetUnavailableError: As there.
    """
    if "image" in dataset.column_names:
        dataset = dataset.remove_columns(["image"])
    return complete_rows(dataset)


def _pictures(dataset: Dataset) -> Dataset | None:
    """The image column alone, read without decoding; None where there is nothing in it."""
    from datasets import Image, Value  # noqa: PLC0415 - see TYPE_CHECKING above

    if "image" not in dataset.column_names or dataset.features["image"] == Value("null"):
        return None
    try:
        return dataset.select_columns(["image"]).cast_column("image", Image(decode=False))
    except (TypeError, ValueError, NotImplementedError) as error:
        trouble = "is neither a column of images nor of paths to image files"
        raise RowError(0, "image", trouble, value=dataset.features["image"]) from error


def _apart(rows: Sequence[Mapping[str, object]], kept: Sequence[int]) -> list[dict[str, object]]:
    """The rows, those that are kept with an id of their own each."""
    ids = dict(zip(kept, distinct([str(rows[position]["id"]) for position in kept]), strict=True))
    return [{**row, "id": ids.get(position)} for position, row in enumerate(rows)]


def _name_broken(ids: Sequence[str]) -> None:
    if ids:
        named = ", ".join(ids[:_NAMED_AT_MOST]) + (", …" if len(ids) > _NAMED_AT_MOST else "")
        logger.warning(
            f"GeoQA: {len(ids)} diagrams are not there or cannot be decoded ({named}); their "
            "problems are asked as text. A relative path counts from where lmms-eval was started."
        )


def _completed(row: Row, position: int, *, has_diagram: bool) -> dict[str, object]:
    return GeoQARecord.from_row({**row, "has_diagram": has_diagram}, position).to_row()


def _types_by_id() -> dict[int, str]:
    """The type of each test problem by its id."""
    shipped = resources.files("lmms_eval_tasks.geoqa").joinpath("test_ids.json")
    ids_by_type: dict[str, list[int]] = json.loads(shipped.read_text(encoding="utf-8"))
    return {identity: name for name, ids in ids_by_type.items() for identity in ids}


def _check_count(kept: int, expected: int | None) -> None:
    if not kept:
        raise DatasetUnavailableError(
            "The data set has no row that geoqa could ask.",
            "Point dataset_path at a data set with GeoQA's test problems, or run geoqa_sample.",
        )
    if expected is not None and kept != expected:
        logger.warning(f"GeoQA: the data set holds {kept} of the {expected} test problems.")


def _features() -> Features:
    """The columns of `GeoQARecord.to_row`."""
    from datasets import Features, Value  # noqa: PLC0415 - see TYPE_CHECKING above

    return Features(
        {
            "id": Value("string"),
            "type": Value("string"),
            "question": Value("string"),
            "numbers": [Value("float64")],
            "choices": [Value("string")],
            "choice_nums": [Value("float64")],
            "label": Value("int64"),
            "program": Value("string"),
            "has_diagram": Value("bool"),
            "uncertain": Value("bool"),
        }
    )
