from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from lmms_eval_tasks.samples.make import golds
from lmms_eval_tasks.samples.make.problems import DRAWN

OPERATORS = {
    "g_equal",
    "g_double",
    "g_half",
    "g_add",
    "g_minus",
    "g_mul",
    "g_divide",
    "g_sin",
    "g_cos",
    "g_tan",
    "g_asin",
    "g_acos",
    "gougu_add",
    "gougu_minus",
    "g_bili",
    "cal_circle_area",
    "cal_circle_perimeter",
    "cal_cone",
}


@pytest.fixture
def rows(load: Any, samples: Path) -> Any:
    return load(samples / "geoqa" / "problems.parquet")


def test_columns_and_types(rows: Any) -> None:
    assert set(rows.column_names) == {
        "id",
        "type",
        "question",
        "numbers",
        "choices",
        "choice_nums",
        "label",
        "program",
        "image",
    }
    assert rows.features["numbers"].feature.dtype == "float64"
    assert rows.features["choice_nums"].feature.dtype == "float64"
    assert rows.features["choices"].feature.dtype == "string"
    assert rows.features["label"].dtype == "int64"
    assert rows["id"] == [f"s{number:02}" for number in range(1, 21)]


def test_all_types_and_both_languages_occur(rows: Any) -> None:
    assert set(rows["type"]) == {"angle", "length", "other"}
    chinese = [question for question in rows["question"] if re.search("[一-鿿]", question)]
    assert len(chinese) == 3


def test_golds_cover_every_operator_and_constant(rows: Any) -> None:
    tokens = {token for program in rows["program"] for token in program.split()}
    assert tokens >= OPERATORS
    assert {f"C_{index}" for index in range(7)} <= tokens
    assert {token for token in tokens if token[:2] not in ("N_", "V_", "C_")} == OPERATORS


def test_gold_right_option_and_figure_agree(rows: Any) -> None:
    for row in rows:
        figure = DRAWN[row["id"]]
        values = (
            golds.value_of(row["program"], row["numbers"]),
            row["choice_nums"][row["label"]],
            figure.asked(figure.figure),
        )
        assert values == pytest.approx([values[0]] * 3, abs=0.001), row["id"]


def test_the_script_refuses_a_gold_that_misses_its_option() -> None:
    golds.check("x", gold=1.0, option=1.0005, measured=1.0)
    with pytest.raises(ValueError, match="the gold gives 2"):
        golds.check("x", gold=2.0, option=1.0, measured=1.0)
    with pytest.raises(ValueError, match="the figure says 3"):
        golds.check("x", gold=1.0, option=1.0, measured=3.0)


def test_numbers_are_those_of_the_text_in_order(rows: Any) -> None:
    for row in rows:
        written = re.findall(r"(?<!∠)\d+(?:\.\d+)?", row["question"])
        assert row["numbers"] == [float(number) for number in written], row["id"]


def test_four_options_each_with_a_place_for_its_number(rows: Any) -> None:
    for row in rows:
        assert len(row["choices"]) == len(row["choice_nums"]) == 4
        assert row["choice_nums"][row["label"]] is not None
    assert set(rows["label"]) == {0, 1, 2, 3}


def test_the_odd_cases_are_there(rows: Any) -> None:
    without_number = [row["id"] for row in rows if None in row["choice_nums"]]
    assert without_number == ["s04", "s12"]
    repeated_text = [row["id"] for row in rows if len(set(row["choices"])) < 4]
    assert repeated_text == ["s10"]
    # As problem 8456 of the real data: two options of one number, and the first is right.
    row = rows[18]
    assert Counter(row["choice_nums"])[row["choice_nums"][row["label"]]] == 2
    assert [place for place, n in enumerate(row["choice_nums"]) if n == 53.0] == [0, 3]
    assert row["label"] == 0
    # A failed program counts as 0 in the published evaluation.
    assert any(0.0 in row["choice_nums"] for row in rows)
    # |a - b|, as golds 3191 and 5508 of the real data need it.
    assert "g_minus V_0 C_3" in rows[0]["program"]


def test_diagrams_decode_in_the_promised_modes(rows: Any) -> None:
    pictures = [row["image"] for row in rows]
    assert {(picture.format, picture.size) for picture in pictures} == {("PNG", (300, 220))}
    assert Counter(picture.mode for picture in pictures) == {"L": 13, "RGB": 3, "LA": 2, "RGBA": 2}
    for picture in pictures:
        darkest, brightest = picture.convert("LA").getextrema()[0]
        assert darkest < 64, "nothing is drawn"
        assert brightest > 192 or "A" in picture.mode
