"""Numbers of problems and options from their text."""

from __future__ import annotations

import json
import math
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lmms_eval_tasks.geoqa.numbers import (
    are_numbers_certain,
    is_option_certain,
    numbers_in,
    option_number,
)

# Options that the official data reads otherwise than their text: a misread l00°, and 无法确定 as 0.
ODD_OPTIONS = {("1518", "l00°"), ("3771", "无法确定")}
# English texts that have lost or moved numbers of the original.
ODD_ENGLISH = {"2431", "4591", "4828", "5719", "7802"}


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("如图,AB∥CD,∠1=35°,∠2=2∠1,则∠3=()", (35, 2)),
        ("如图,∠ 1=35°", (35,)),
        ("如图1,点A1,B2在直线上,AB=2.5cm,则()", (2.5,)),
        ("如图(2)所示,BC=7", (7,)),
        ("见图 3,BC=7", (7,)),
        ("(4分)如图,∠A=50°", (50,)),
        ("（ 12 分 ）如图,∠A=50°", (50,)),
        ("(2014•某市)如图,∠A=50°", (50,)),
        ("9时30分,小明出发", (9, 30)),
        ("AO:OD=2:3", (2, 3)),
        (r"\frac{AO}{OD}=\frac{2}{3}", (2, 3)),
        ("点P(0,5),Q(3,0)", (0, 5, 3, 0)),
        ("面积为20cm^2^", (20, 2)),
        ("面积为20cm²", (20,)),
        ("S~1~=6,S~2~=9", (1, 6, 2, 9)),
        ("2012年5月8日", (2012, 5, 8)),
        ("sin30°与cos60°", (30, 60)),
        ("将三角板的30°角", (30,)),
        ("边长为12的正方形", (12,)),
        ("如图,三角形有一个圆", ()),
        ("", ()),
        ("In triangle ABC, angle 1 = 40°, angle A = 65 degrees, AB = 3.5 cm", (40, 65, 3.5)),
        ("As shown in Figure 1, point A1 has an angle 30° to the axis", (30,)),
        ("angle 1 = 70.0, the area is 100.0 ^ 2 and the point N_3", (70, 100)),
        ("angle 2 = 5", (5,)),
    ],
)
def test_numbers_in_order_of_appearance(text: str, numbers: tuple[float, ...]) -> None:
    assert numbers_in(text) == numbers


@pytest.mark.parametrize("text", ["AB=2√3", "l~1~∥l~2~", "△A1B1C1", "A(-2,0)", "第3题图"])
def test_a_numbering_no_official_row_bears_out_is_uncertain(text: str) -> None:
    assert not are_numbers_certain(text)


def test_plain_problems_are_certain() -> None:
    assert are_numbers_certain("如图,∠1=35°,AB=2.5cm,则∠3=()")


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("40°", 40),
        ("40", 40),
        ("1.25cm", 1.25),
        (" 60 ° ", 60),
        ("35度", 35),
        ("20℃", 20),
        ("12平方米", 12),
        ("5平方单位", 5),
        ("3.5海里", 3.5),
        ("8米/秒", 8),
        ("60km/h", 60),
        ("7 cm²", 7),
        ("7cm^{2}", 7),
        ("7cm^2^", 7),
        ("9cm³", 9),
        ("50 degrees", 50),
        ("4 square centimeters", 4),
        ("16个单位长度", 16),
        ("2√3", 2 * math.sqrt(3)),
        ("10√{3}cm", 10 * math.sqrt(3)),
        ("√{15}米", math.sqrt(15)),
        ("√12", math.sqrt(12)),
        ("√(5)", math.sqrt(5)),
        ("√[3]{8}", 2),
        (r"2\sqrt{3}\mathrm{cm}", 2 * math.sqrt(3)),
        (r"$\frac{\sqrt{3}}{2}$", math.sqrt(3) / 2),
        (r"\frac{10√{3}}{3}", 10 * math.sqrt(3) / 3),
        (r"\dfrac{1}{2}", 0.5),
        (r"\frac12", 0.5),
        (r"\frac{2}{3}πcm²", 2 * math.pi / 3),
        ("√3/2", math.sqrt(3) / 2),
        ("3/4", 0.75),
        ("π", math.pi),
        ("4π", 4 * math.pi),
        ("-π", -math.pi),
        ("2π-4", 2 * math.pi - 4),
        ("16+π", 16 + math.pi),
        ("√{3}π", math.sqrt(3) * math.pi),
        ("22-3√{3}", 22 - 3 * math.sqrt(3)),
        ("(160-160√{3})m", 160 - 160 * math.sqrt(3)),
        ("(√{3}-1)小时", math.sqrt(3) - 1),
        ("-5", -5),
        ("﹣5", -5),
        ("−0.5", -0.5),
        ("1:2", 0.5),
        ("√2：1", math.sqrt(2)),
        (r"30^{\circ}", 30),
        (r"30^\circ", 30),
        ("22°30′", 22.5),
        ("6sin30°米", 3),
        (r"\frac{6}{\tan 45°}", 6),
        ("½", 0.5),
        (r"1\frac{1}{2}", 1.5),
        (r"2\frac{√3}{3}", 2 * math.sqrt(3) / 3),
        ("3.5×10^2", 350),
        ("2(√3+1)", 2 * (math.sqrt(3) + 1)),
        ("1,200m", 1200),
        ("约10米", 10),
        ("AB=5cm", 5),
        ("６０°", 60),
        ("6.", 6),
        (".70°", 0.7),
        ("25°、155°", 25),
        ("4或6cm", 4),
        ("5 or 7", 5),
    ],
)
def test_option_with_a_number(text: str, number: float) -> None:
    found = option_number(text)
    assert found is not None
    assert math.isclose(found, number, rel_tol=1e-15, abs_tol=1e-15)


@pytest.mark.parametrize(
    "text",
    [
        "无法确定",
        "不存在",
        "不能计算",
        "以上都不对",
        "",
        " ",
        "l00°",
        "1O°",
        "10 2",
        "10~20",
        "10-20",
        "x>5",
        "5sinα",
        "6sin52米",
        "2r",
        "3a²",
        "±5",
        "20%",
        "3:4:5",
        "(2,3)",
        "4或无法确定",
        "①",
        "10m-x",
        "3+",
        "√",
        "√{-1}",
        "√[0]{8}",
        "10/0",
        r"\frac{1}{0}",
        r"\frac{1}",
        "((1)",
        "5 apples",
        "9^99",
        "2^1.5",
        "m",
        "1e5",
        "NaN",
        "inf",
    ],
)
def test_option_without_a_certain_number(text: str) -> None:
    assert option_number(text) is None


@pytest.mark.parametrize("text", ["l00°", "25°、155°", "4或6", "20%", ".70°", "2r"])
def test_an_option_that_does_not_say_one_number_is_uncertain(text: str) -> None:
    assert not is_option_certain(text)


@pytest.mark.parametrize("text", ["40°", "√{3}", "无法确定", "不存在"])
def test_an_option_with_one_number_or_none_is_certain(text: str) -> None:
    assert is_option_certain(text)


@given(st.text() | st.text("0123456789.√π{}()[]+-*/:^°'=或,frac\\ cm∠图"))
def test_the_readers_are_total(text: str) -> None:
    assert all(math.isfinite(number) for number in numbers_in(text))
    number = option_number(text)
    assert number is None or math.isfinite(number)
    assert isinstance(is_option_certain(text), bool)
    assert isinstance(are_numbers_certain(text), bool)


@given(st.lists(st.integers(0, 999) | st.decimals(0, 99, places=2), max_size=8))
def test_every_length_of_a_problem_is_found(values: list[float]) -> None:
    text = "如图," + ",".join(f"线段长为{value}cm" for value in values)
    assert numbers_in(text) == tuple(float(value) for value in values)


@given(st.integers(-99, 999), st.integers(2, 99), st.integers(1, 9))
def test_a_written_out_option_has_its_value(a: int, b: int, c: int) -> None:
    number = option_number(rf"\frac{{{a}√{{{b}}}}}{{{c}}}cm")
    assert number is not None
    assert math.isclose(number, a * math.sqrt(b) / c, rel_tol=1e-14, abs_tol=1e-14)


@pytest.mark.parametrize(
    "hostile",
    [
        "9" * 100_000,
        "(" * 100_000,
        "√" * 100_000,
        "1+" * 50_000,
        r"\frac{" * 20_000,
        " " * 100_000,
        "图(" * 50_000 + "1",
        "(2014•" * 20_000,
        "1,000" * 20_000,
        "\ud800" * 1_000,
        "\N{ARABIC LIGATURE SALLALLAHOU ALAYHE WASALLAM}" * 50_000,
        "(" * 99 + "1" + ")" * 99,
        "5" + "cm" * 90,
        "2^" * 90 + "2",
    ],
)
def test_hostile_texts_take_no_time(hostile: str) -> None:
    start = time.process_time()
    numbers_in(hostile)
    are_numbers_certain(hostile)
    assert option_number(hostile) is None
    assert time.process_time() - start < 5


@pytest.fixture(scope="module")
def real_rows(shared_data: Path) -> list[dict[str, object]]:
    text = (shared_data / "geoqa_test_rows_150.json").read_text(encoding="utf-8")
    rows: list[dict[str, object]] = json.loads(text)
    return rows


def test_the_chinese_texts_give_the_official_numbers(real_rows: list[dict[str, object]]) -> None:
    with_text = [row for row in real_rows if row.get("question_zh")]
    assert with_text
    for row in with_text:
        assert list(numbers_in(str(row["question_zh"]))) == row["numbers"], row["id"]


def test_the_english_texts_do_but_for_the_odd_ones(real_rows: list[dict[str, object]]) -> None:
    for row in real_rows:
        if str(row["id"]) not in ODD_ENGLISH:
            assert list(numbers_in(str(row["question_en"]))) == row["numbers"], row["id"]


def test_the_options_give_the_official_numbers(real_rows: list[dict[str, object]]) -> None:
    for row in real_rows:
        texts, official = row["choices"], row["choice_nums"]
        assert isinstance(texts, list)
        assert isinstance(official, list)
        for text, number in zip(texts, official, strict=True):
            if (str(row["id"]), text) in ODD_OPTIONS:
                assert option_number(text) is None
            else:
                assert option_number(text) == number, (row["id"], text)
