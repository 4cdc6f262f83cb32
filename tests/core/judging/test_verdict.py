from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lmms_eval_tasks.worldqa.rubric import GRADES
from lmms_eval_tasks_core.judging.protocol import Grade
from lmms_eval_tasks_core.judging.verdict import read_verdict

CASES = json.loads(Path(__file__).with_name("replies.json").read_text("utf-8"))
LETTERS = (Grade("a", 1, ""), Grade("b", 0, ""), Grade("none", 0, ""))
BY_NAME = {grade.name: grade for grade in GRADES}


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_own_cases(case):
    read = read_verdict(case["reply"], GRADES)
    found = (read.points, read.grade) if read else (None, None)
    assert found == (case["points"], case["grade"]), case["why"]


def test_shared_cases(shared_cases):
    cases = json.loads((shared_cases / "judge_replies.json").read_text("utf-8"))
    read = {case["id"]: read_verdict(case["reply"], GRADES) for case in cases}
    points = {name: verdict and verdict.points for name, verdict in read.items()}
    assert points == {case["id"]: case["points"] for case in cases}


@pytest.mark.parametrize(
    ("reply", "rationale"),
    [
        ("Rationale:\nSame meaning.\nPoint:\n1", "Same meaning."),
        ("Key points:\nShe left.\n**Rationale:** It fits.\nPoint:\n0.5 point", "It fits."),
        ("It fits.\nGrade: correct", "It fits."),
        ("Point:\n1\n\nIt is the same.", "It is the same."),
        ('{"grade": "correct", "reason": "same"}', "same"),
        ('{"grade": "correct", "rationale": ["same"]}', ""),
        ('{"grade": "correct", "rationale": "\\ud800"}', "\ufffd"),
        ("correct", ""),
    ],
)
def test_what_was_said_for_it(reply, rationale):
    read = read_verdict(reply, GRADES)
    assert read is not None
    assert read.rationale == rationale


def test_a_rationale_is_cut_and_the_verdict_behind_it_still_read():
    read = read_verdict(f"{'so much to say ' * 5000}\nGrade: redundant", GRADES)
    assert read is not None
    assert (read.grade, len(read.rationale)) == ("redundant", 2000)


def test_points_worth_one_grade_name_it():
    read = read_verdict("Point: 0", (Grade("no", 0, ""), Grade("yes", 1, "")))
    assert read is not None
    assert read.grade == "no"


@pytest.mark.parametrize(("reply", "grade"), [("Grade: B", "b"), ("Grade: Bat", None)])
def test_any_closed_scale_will_do(reply, grade):
    read = read_verdict(reply, LETTERS)
    assert (read and read.grade) == grade


names = st.sampled_from(GRADES)
prose = st.text(st.characters(categories=("Lu", "Ll", "Zs", "Nd", "Po", "Sm")), max_size=80)


@given(grade=names, said=prose)
def test_json_reads_back(grade, said):
    read = read_verdict(json.dumps({"rationale": said, "grade": grade.name}), GRADES)
    assert read is not None
    assert (read.grade, read.points) == (grade.name, grade.points)


@given(before=prose, grade=names)
@example(before="Grade: correct\nPoint: 1", grade=GRADES[4])
def test_the_last_labelled_line_decides(before, grade):
    read = read_verdict(f"{before}\n\nGrade: {grade.name}", GRADES)
    assert read is not None
    assert read.grade == grade.name


@given(st.text())
def test_whatever_is_said_is_on_the_scale_or_nothing(reply):
    read = read_verdict(reply, GRADES)
    assert read is None or read.points in {grade.points for grade in GRADES}


@given(st.floats() | st.integers(), st.sampled_from(["Point: {}", "Score:\n{}", '{{"point": {}}}']))
def test_no_other_number_is_a_verdict(number, form):
    read = read_verdict(form.format(number), GRADES)
    offered = number in (0, 0.3, 0.5, 1) and not str(number).startswith("-")
    assert read is not None or not offered
    assert read is None or read.points == number


@pytest.mark.parametrize(
    "reply",
    [
        "{" * 100_000,
        '{"a":' * 20_000,
        '{"a": "' * 15_000,
        "Point: " * 15_000,
        "Point:\n" * 15_000,
        f"Point:{' ' * 100_000}x",
        f"Point: {'0.5,' * 25_000}",
        "the " * 25_000,
        "final. " * 15_000,
        "." * 100_000,
        "(" * 100_000,
        "rationale:\n" * 9_000,
        "1" * 100_000,
        "\n" * 100_000,
        '{"point": ' + "1" * 100_000 + "}",
    ],
    ids=range(15),
)
def test_time_is_bounded_on_hostile_replies(reply):
    began = time.process_time()
    read_verdict(reply, GRADES)
    assert time.process_time() - began < 5
