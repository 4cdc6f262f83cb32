"""A row becomes a record, or an error that names the row and the column."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lmms_eval_tasks.geoqa.records import GeoQARecord
from lmms_eval_tasks_core.errors import RowError
from tests.geoqa.rows import row, without


def test_a_complete_row() -> None:
    record = GeoQARecord.from_row(row())
    assert record.id == "isosceles"
    assert record.problem_type == "angle"
    assert record.question_language == "en"
    assert record.numbers == (50.0,)
    assert record.options.texts == ("50°", "65°", "130°", "cannot be determined")
    assert record.option_numbers == (50.0, 65.0, 130.0, None)
    assert record.label == 1
    assert record.program == "g_minus C_3 N_0 g_half V_0"
    assert not record.has_diagram
    assert not record.uncertain


def test_what_a_row_may_lack() -> None:
    record = GeoQARecord.from_row(without("type", "numbers", "choice_nums", "program"))
    assert record.problem_type == "other"
    assert record.numbers == (50.0,)
    assert record.option_numbers == (50.0, 65.0, 130.0, None)
    assert record.program is None
    assert not record.uncertain


@pytest.mark.parametrize("column", ["type", "numbers", "choice_nums", "program", "image"])
def test_a_missing_value_is_as_good_as_a_missing_column(column: str) -> None:
    assert GeoQARecord.from_row(row(**{column: None})) == GeoQARecord.from_row(without(column))


@pytest.mark.parametrize("column", ["question", "subject", "question_zh", "question_en"])
def test_the_question_may_stand_in_any_of_its_columns(column: str) -> None:
    record = GeoQARecord.from_row(without("question", **{column: " 如图,∠A=50° "}))
    assert record.question == "如图,∠A=50°"
    assert record.question_language == "zh"


def test_the_original_text_comes_before_its_translation() -> None:
    both = without("question", question_zh="如图,∠A=50°", question_en="angle A = 50.0")
    assert GeoQARecord.from_row(both).question == "如图,∠A=50°"
    assert GeoQARecord.from_row({**both, "question_zh": None}).question == "angle A = 50.0"


@pytest.mark.parametrize(
    ("given_type", "reported"),
    [("angle", "angle"), ("length", "length"), ("area", "other"), ("other", "other")],
)
def test_types_are_those_the_paper_reports(given_type: str, reported: str) -> None:
    assert GeoQARecord.from_row(row(type=given_type)).problem_type == reported


def test_numbers_derived_without_certainty_are_marked() -> None:
    assert GeoQARecord.from_row(without("choice_nums", choices=["4", "6", "4或6", "8"])).uncertain
    assert GeoQARecord.from_row(without("numbers", question="如图,AB=2√3")).uncertain
    assert not GeoQARecord.from_row(row(question="如图,AB=2√3")).uncertain
    assert not GeoQARecord.from_row(row(choices=["4", "6", "4或6", "8"])).uncertain


def test_letters_in_front_of_options_go() -> None:
    record = GeoQARecord.from_row(without("choice_nums", choices=["A. 5cm", "B. 6cm"]))
    assert record.option_numbers == (5.0, 6.0)


def test_an_empty_table_of_numbers_is_one() -> None:
    assert GeoQARecord.from_row(row(numbers=[])).numbers == ()


def test_a_record_survives_the_columns_it_is_stored_in() -> None:
    record = GeoQARecord.from_row(row(id=7, has_diagram=True, uncertain=True))
    assert GeoQARecord.from_row(record.to_row()) == record
    assert record.has_diagram


@pytest.mark.parametrize(
    ("bad", "column"),
    [
        (row(id=None), "id"),
        (row(id=1.5), "id"),
        (row(id=True), "id"),
        (without("question"), "question"),
        (row(question=None), "question"),
        (row(question="  "), "question"),
        (row(question=5), "question"),
        (without("question", question_en=""), "question_en"),
        (without("choices"), "choices"),
        (row(choices=None), "choices"),
        (row(choices="50°"), "choices"),
        (row(choices=["50°", None]), "choices"),
        (row(choices=["50°"]), "choices"),
        (row(choices=["1"] * 27), "choices"),
        (without("label"), "label"),
        (row(label=None), "label"),
        (row(label=4), "label"),
        (row(label=-1), "label"),
        (row(label="B"), "label"),
        (row(label=True), "label"),
        (row(numbers="50"), "numbers"),
        (row(numbers=["50"]), "numbers"),
        (row(numbers=[None]), "numbers"),
        (row(numbers=[True]), "numbers"),
        (row(numbers=[float("nan")]), "numbers"),
        (row(numbers=[float("inf")]), "numbers"),
        (row(numbers=[10**400]), "numbers"),
        (row(choice_nums=[50.0, 65.0]), "choice_nums"),
        (row(choice_nums=[50.0, 65.0, 130.0, "x"]), "choice_nums"),
        (row(choice_nums=5), "choice_nums"),
        (row(program=["g_half", "N_0"]), "program"),
        (row(type="volume"), "type"),
        (row(type=["angle"]), "type"),
    ],
)
def test_a_bad_row_names_itself_and_the_column(bad: dict[str, Any], column: str) -> None:
    with pytest.raises(RowError) as caught:
        GeoQARecord.from_row(bad, position=17)
    assert caught.value.column == column
    assert caught.value.row == ("17" if column == "id" else "isosceles")
    assert column in str(caught.value)


cells = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.lists(st.text())


@given(st.sampled_from(sorted(row())), cells)
def test_any_cell_gives_a_record_or_a_row_error(column: str, cell: object) -> None:
    try:
        record = GeoQARecord.from_row(row(**{column: cell}))
    except RowError as error:
        assert error.column in row()  # noqa: PT017 - both endings are promised
    else:
        assert GeoQARecord.from_row(record.to_row()) == record


def test_every_real_row_is_read(shared_data: Path) -> None:
    text = (shared_data / "geoqa_test_rows_150.json").read_text(encoding="utf-8")
    records = [GeoQARecord.from_row(each) for each in json.loads(text)]
    assert len({record.id for record in records}) == 150
    assert {record.problem_type for record in records} == {"angle", "length", "other"}
    assert not any(record.uncertain for record in records)
