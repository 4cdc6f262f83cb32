"""Both schemas end in the same columns, checked, with the pictures as they were."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import datasets
import pytest
from loguru import logger

from lmms_eval_tasks.geoqa.records import GeoQARecord
from lmms_eval_tasks.geoqa.rows import complete_rows
from lmms_eval_tasks_core.errors import DatasetUnavailableError, RowError
from tests.geoqa.rows import png, row, without

COLUMNS = [
    "id",
    "type",
    "question",
    "numbers",
    "choices",
    "choice_nums",
    "label",
    "program",
    "has_diagram",
    "uncertain",
]


def hub_row(identity: int, **changes: Any) -> dict[str, Any]:
    """A row in the schema of the Hub's port; its text is ours."""
    return {
        "id": identity,
        "subject": "如图,在△ABC中,AB=AC,∠A=50°,则∠B=()",
        "choices": ["50°", "65°", "√{3}cm", "无法确定"],
        "label": 1,
        "formal_point": ["等腰三角形"],
        "answer": "",
        "comment": "",
        "original_split": "test",
        **changes,
    }


def with_images(rows: list[dict[str, Any]], images: list[Any]) -> datasets.Dataset:
    return (
        datasets.Dataset.from_list(rows)
        .add_column("image", images)
        .cast_column("image", datasets.Image())
    )


def image(content: bytes) -> dict[str, Any]:
    return {"bytes": content, "path": None}


def test_own_rows_get_the_common_columns() -> None:
    completed = complete_rows(datasets.Dataset.from_list([row(), without("type", id="second")]))
    assert completed.column_names == COLUMNS
    assert [each["id"] for each in completed] == ["isosceles", "second"]
    assert completed[0]["choice_nums"] == [50.0, 65.0, 130.0, None]
    assert GeoQARecord.from_row(completed[0]) == GeoQARecord.from_row(row())


def test_of_the_hub_only_test_problems_are_kept() -> None:
    # 0 and 22 are of type angle, 2 is no test problem, 9918 is of type length.
    source = datasets.Dataset.from_list([hub_row(i) for i in (2, 22, 9918, 0)])
    completed = complete_rows(source)
    assert [(each["id"], each["type"]) for each in completed] == [
        ("22", "angle"),
        ("9918", "length"),
        ("0", "angle"),
    ]
    assert completed[0]["numbers"] == [50.0]
    assert completed[0]["choice_nums"] == [50.0, 65.0, pytest.approx(3**0.5), None]
    assert completed[0]["program"] is None


def test_a_bad_row_outside_the_test_set_does_no_harm() -> None:
    completed = complete_rows(datasets.Dataset.from_list([hub_row(2, label=9), hub_row(0)]))
    assert len(completed) == 1


def test_an_incomplete_port_is_reported() -> None:
    said: list[str] = []
    sink = logger.add(said.append, format="{message}")
    try:
        complete_rows(datasets.Dataset.from_list([hub_row(0)]))
    finally:
        logger.remove(sink)
    assert said == ["GeoQA: the data set holds 1 of the 754 test problems.\n"]


def test_nothing_to_ask_is_an_error() -> None:
    with pytest.raises(DatasetUnavailableError, match="no row"):
        complete_rows(datasets.Dataset.from_list([hub_row(2)]))


def test_pictures_keep_their_bytes_and_stay_undecoded() -> None:
    pictures = [png("black"), png((0, 0, 0, 0), "RGBA"), png("red")]
    rows = [hub_row(0), hub_row(2), hub_row(22)]
    completed = complete_rows(with_images(rows, [image(p) for p in pictures]))
    assert completed.column_names == [*COLUMNS, "image"]
    assert [each["image"]["bytes"] for each in completed] == [pictures[0], pictures[2]]
    assert completed.features["image"] == datasets.Image(decode=False)
    assert all(completed["has_diagram"])


def test_pictures_on_disk_are_not_copied(tmp_path: Path) -> None:
    source = with_images([hub_row(i) for i in (0, 2, 22)], [image(png())] * 3)
    source.save_to_disk(str(tmp_path / "port"))
    loaded = datasets.load_from_disk(str(tmp_path / "port"))
    completed = complete_rows(loaded)
    assert completed.cache_files == loaded.cache_files
    assert sorted(path.name for path in tmp_path.rglob("*.arrow")) == ["data-00000-of-00001.arrow"]


def test_a_missing_or_broken_picture_makes_a_row_of_text() -> None:
    rows = [row(id=str(i)) for i in range(3)]
    completed = complete_rows(with_images(rows, [image(png()), None, image(b"broken")]))
    assert completed["has_diagram"][:] == [True, False, False]


def test_pictures_that_cannot_be_used_are_named_and_absent_ones_are_not() -> None:
    heard: list[str] = []
    sink = logger.add(heard.append, format="{message}", level="WARNING")
    rows = [row(id=str(i)) for i in range(3)]
    complete_rows(with_images(rows, [image(png()), None, image(b"broken")]))
    logger.remove(sink)
    (line,) = heard
    assert "1 diagrams are not there or cannot be decoded (2)" in line


def test_rows_without_ids_are_named_by_their_position() -> None:
    completed = complete_rows(datasets.Dataset.from_list([without("id"), without("id")]))
    assert completed["id"][:] == ["0", "1"]


def test_two_rows_of_one_id_are_told_apart() -> None:
    completed = complete_rows(datasets.Dataset.from_list([row(id="7"), row(id="7")]))
    assert completed["id"][:] == ["7", "7~2"]


def test_a_column_of_nulls_is_no_column_of_images() -> None:
    completed = complete_rows(datasets.Dataset.from_list([row(image=None)]))
    assert completed.column_names == COLUMNS
    assert completed["has_diagram"][:] == [False]


def test_images_may_be_named_by_their_paths(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(png())
    rows = [row(image=str(tmp_path / "a.png")), row(id="b", image=str(tmp_path / "gone.png"))]
    completed = complete_rows(datasets.Dataset.from_list(rows))
    assert completed["has_diagram"][:] == [True, False]
    assert completed.features["image"] == datasets.Image(decode=False)


def test_a_column_that_holds_no_images_is_named() -> None:
    with pytest.raises(RowError, match="image"):
        complete_rows(datasets.Dataset.from_list([row(image=5)]))


def test_completing_twice_changes_nothing() -> None:
    once = complete_rows(with_images([row()], [image(png())]))
    twice = complete_rows(once)
    assert twice[0] == once[0]
    assert twice.features == once.features


@pytest.mark.parametrize(
    ("bad", "column"),
    [
        (row(id="late", label=4), "label"),
        (row(id="late", label=None), "label"),
        (row(id="late", choices=None), "choices"),
        (row(id="late", question=None), "question"),
    ],
)
def test_every_row_is_checked_before_any_is_asked(bad: dict[str, Any], column: str) -> None:
    with pytest.raises(RowError) as caught:
        complete_rows(datasets.Dataset.from_list([row(), bad]))
    assert (caught.value.row, caught.value.column) == ("late", column)


def test_a_json_file_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    rows = [row(), without("type", "program", "choice_nums", "question", question_zh="∠A=50°")]
    file.write_text(json.dumps(rows), encoding="utf-8")
    loaded = datasets.load_dataset(
        "json", data_files={"test": str(file)}, cache_dir=str(tmp_path / "cache")
    )["test"]
    completed = complete_rows(loaded)
    assert [each["question"] for each in completed] == [row()["question"], "∠A=50°"]


def test_the_shipped_ids_are_the_754_test_problems(shared_data: Path) -> None:
    facts = json.loads((shared_data / "geoqa_test_ids_by_type.json").read_text(encoding="utf-8"))
    wanted = {str(i): name for name, ids in facts.items() for i in ids}
    completed = complete_rows(datasets.Dataset.from_list([hub_row(i) for i in range(11_000)]))
    assert {each["id"]: each["type"] for each in completed} == wanted
    assert len(completed) == 754
