"""What a model is asked. A changed prompt is a changed file in tests/golden and a new version."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lmms_eval_tasks.geoqa.program_items import program_items as items
from lmms_eval_tasks.geoqa.prompts import choice_prompt, program_prompt
from lmms_eval_tasks.geoqa.records import GeoQARecord
from lmms_eval_tasks_core.errors import SettingError
from tests.geoqa.rows import row

GOLDEN = Path(__file__).parents[1] / "golden"
CHINESE = "如图,在△ABC中,AB=AC,∠A=50°,则∠B=()"


def prompt(language: str = "en", **changes: Any) -> str:
    return program_prompt(GeoQARecord.from_row(row(**changes)), language)


@pytest.mark.parametrize(
    ("name", "language", "changes"),
    [
        ("geoqa_en", "en", {"has_diagram": True}),
        ("geoqa_en_text", "en", {"numbers": [50.0, 2.5], "has_diagram": False}),
        (
            "geoqa_zh",
            "zh",
            {"question": CHINESE, "has_diagram": True},
        ),
        ("geoqa_zh_text", "zh", {"question": CHINESE, "has_diagram": False}),
        ("geoqa_zh_no_numbers", "zh", {"question": "如图,求∠B的度数", "numbers": []}),
    ],
)
def test_golden(name: str, language: str, changes: dict[str, Any]) -> None:
    assert prompt(language, **changes) == golden(name)


@pytest.mark.parametrize(
    ("language", "changes"),
    [("en", {"has_diagram": True}), ("zh", {"question": CHINESE, "has_diagram": True})],
)
def test_golden_variants(language: str, changes: dict[str, Any]) -> None:
    record = GeoQARecord.from_row(row(**changes))
    for name, text in {
        "beam10": program_prompt(record, language, most=10),
        "options_shown": program_prompt(record, language, show_options=True),
        "choice": choice_prompt(record, language),
    }.items():
        assert text == golden(f"geoqa_{name}_{language}")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_options_stand_only_in_the_variants_that_show_them(language: str) -> None:
    record = GeoQARecord.from_row(row(choices=["41°", "12347°", "?", "77777°"], choice_nums=None))
    for text, shown in (
        (program_prompt(record, language, most=10), False),
        (program_prompt(record, language, show_options=True), True),
        (choice_prompt(record, language), True),
    ):
        assert ("B. 12347°" in text) is shown


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_candidates_of_the_beam_examples_are_read_in_their_order(language: str) -> None:
    shown = program_prompt(GeoQARecord.from_row(row()), language, most=10)
    blocks = re.findall(r"```\n(?:Candidate .+\n)+```", shown)
    assert len(blocks) == 2
    first, second = (items(row(numbers=[5.0, 12.0]), [block], 10)["accuracy"] for block in blocks)
    assert (first["candidates"], second["candidates"]) == (2, 2)
    assert first["program"] == "g_minus C_3 N_0 g_half V_0"
    assert second["program"] == "gougu_add N_0 N_1 g_half V_0 cal_circle_area V_1"


def golden(name: str) -> str:
    return (GOLDEN / f"{name}.txt").read_text(encoding="utf-8").removesuffix("\n")


def test_the_options_are_not_shown() -> None:
    shown = prompt(choices=["41°", "12347°", "cannot be told", "77777°"], choice_nums=None)
    assert not re.search(r"41|12347|cannot be told|77777", shown)


@pytest.mark.parametrize(("language", "word"), [("en", "diagram"), ("zh", "图形")])
def test_without_a_diagram_none_is_mentioned(language: str, word: str) -> None:
    assert word in prompt(language, has_diagram=True)
    assert word not in prompt(language, has_diagram=False)


def test_the_problem_stays_in_its_own_language() -> None:
    question = "如图,求∠B的度数"
    assert question in prompt("en", question=question)
    assert question in prompt("zh", question=question)


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), max_size=12))
def test_the_table_gives_every_number_exactly(numbers: list[float]) -> None:
    table = prompt(numbers=numbers).split("How large is angle B?")[1]
    shown = re.findall(r"^N_(\d+) = (.+)$", table, re.MULTILINE)
    assert [(int(index), float(text)) for index, text in shown] == list(enumerate(numbers))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_worked_examples_are_read_and_run(language: str) -> None:
    shown = prompt(language)
    examples = re.findall(r"((?:^N_\d+ = .+\n)+).+\n(```\n(?:\w.+\n)+```)", shown, re.MULTILINE)
    assert len(examples) == 2
    for (table, program), answer in zip(examples, (71.0, 132.73228961416876), strict=True):
        numbers = [float(number) for number in re.findall(r"= (.+)", table)]
        found = items(row(numbers=numbers, choice_nums=[answer, 1.0, 2.0, 3.0], label=0), [program])
        assert found["accuracy"]["score"] == 100.0


def test_an_unknown_language_is_named() -> None:
    with pytest.raises(SettingError, match=r"prompt_language.*'de'.*en or zh"):
        prompt("de")
    with pytest.raises(SettingError, match=r"prompt_language.*'de'.*en or zh"):
        choice_prompt(GeoQARecord.from_row(row()), "de")
