from __future__ import annotations

import pytest

from lmms_eval_tasks.report.material.panels import panels
from lmms_eval_tasks.results.run import Kind
from tests.report_material.made import FAILED, circular, open_ended, samples, task
from tests.report_material.svg import filled, texts

TRUTH = "the red kettle boils"
# One of each grade, two ways of no answer, and one that no judge was there for.
FREE = (
    open_ended(TRUTH, "the red kettle boils", "one"),
    open_ended(TRUTH, "the red kettle boils over slowly", "one", number=1),
    open_ended(TRUTH, "the kettle", "one", number=2),
    open_ended(TRUTH, "the kettle sleeps", "two", number=3),
    open_ended(TRUTH, "nothing", "two", number=4),
    open_ended(TRUTH, "", "two", number=5),
    open_ended(TRUTH, FAILED, "two", number=6),
    open_ended(TRUTH, "a kettle", "two", judge="openai", number=7),
)
# All right; right only at the first position; a refusal and a failure among right ones; 3 options.
PASSES = [
    *circular(("A", "D", "C", "B"), "one"),
    *circular(("A", "A", "A", "A"), "one", number=1),
    *circular(("A", "I cannot tell", FAILED, "B"), "two"),
    *circular(("A", "C", "the right one is B"), "two", number=1, options=("x1", "y2", "z3")),
]


def by_id(found):
    return {panel.id.rpartition("worldqa-")[2]: panel for panel in found}


@pytest.fixture
def free(tmp_path, monkeypatch):
    monkeypatch.delenv("LMMS_EVAL_TASKS_JUDGE_MODEL", raising=False)
    run = task(Kind.OPEN_ENDED, FREE, tmp_path)
    return by_id(panels(run, samples(run)))


@pytest.fixture
def passes(tmp_path):
    run = task(Kind.CIRCULAR, PASSES, tmp_path)
    return by_id(panels(run, samples(run)))


def test_every_grade_is_counted_with_what_has_none(free):
    table = free["open-ended-grades"].table
    assert [row[:3] for row in table.rows] == [
        ("correct", "1", "1"),
        ("redundant", "0.5", "1"),
        ("incomplete", "0.5", "1"),
        ("partly contradicting", "0.3", "1"),
        ("incorrect", "0", "1"),
        ("no answer", "0", "2"),
        ("not judged", "–", "1"),
    ]
    assert sum(float(row[3].removesuffix(" %")) for row in table.rows) == pytest.approx(100, abs=1)


def test_the_grades_fill_one_bar(free):
    widths = [width for width in filled(free["open-ended-grades"].svg, "var(--") if width != 10]
    assert len(widths) == 7
    assert sum(widths) == pytest.approx(400, abs=0.1)


def test_the_mean_is_over_judged_answers_and_no_answer_is_worth_nothing(free):
    # 100 + 50 + 50 + 30 + 0 + 0 + 0 over seven.
    assert free["open-ended-grades"].lead.startswith("Mean 32.9 of 100 over 7 answers")


def test_reasons_are_counted(free):
    assert free["open-ended-no-answer"].table.rows == [
        ("empty", "1", "12.5 %"),
        ("request failed", "1", "12.5 %"),
    ]
    assert free["open-ended-not-judged"].table.rows == [("judge not configured", "1", "12.5 %")]


def test_videos_stand_from_the_lowest_score_to_the_highest(free):
    # 30 over four judged answers; 200 over three.
    assert free["open-ended-videos"].table.rows == [("two", "5", "7.5"), ("one", "3", "66.7")]


def test_many_videos_are_a_table_alone(tmp_path):
    run = task(Kind.OPEN_ENDED, [open_ended("a", "a", f"v{n}") for n in range(13)], tmp_path)
    found = by_id(panels(run, samples(run)))["open-ended-videos"]
    assert found.svg is None
    assert len(found.table.rows) == 13


def test_a_grade_of_half_without_a_name_is_its_own_part(tmp_path):
    line = open_ended(TRUTH, "the kettle")
    del line["open_ended_score"]["grade"]
    run = task(Kind.OPEN_ENDED, [line], tmp_path)
    found = by_id(panels(run, samples(run)))["open-ended-grades"]
    assert ("half, unnamed", "0.5", "1", "100.0 %") in found.table.rows


def test_strict_and_mean_accuracy_stand_beside_blind_guessing(passes):
    rows = passes["circular-accuracies"].table.rows
    # Questions: right, wrong, wrong, right. Passes: 4 + 1 + 2 + 3 of 15. First passes: 4 of 4.
    assert [row[:2] for row in rows] == [
        ("all orders right", "50.0 %"),
        ("mean over passes", "66.7 %"),
        ("first pass alone", "100.0 %"),
    ]
    strict, mean = (3 / 4**4 + 1 / 3**3) / 4, (3 / 4 + 1 / 3) / 4
    assert rows[0][3] == f"{100 * strict:.2f} %"
    assert rows[1][3] == f"{100 * mean:.2f} %"


def test_questions_and_passes_are_told_apart_where_both_are_drawn(passes):
    panel = passes["circular-accuracies"]
    assert "“All orders right” counts questions" in panel.lead
    assert "“Mean over passes” counts every pass" in panel.lead
    assert panel.lead.endswith("different metrics: compare each with its own kind only.")
    assert not panel.notes


def test_the_ladder_goes_from_any_pass_to_all(passes):
    assert passes["circular-ladder"].table.rows == [
        ("≥ 1", "100.0 %"),
        ("≥ 2", "75.0 %"),
        ("≥ 3", "50.0 %"),
        ("≥ 4", "50.0 %"),
    ]


def test_accuracy_by_the_position_of_the_right_option(passes):
    # Right option at A: all four first passes. At D, C, B: the later ones.
    assert passes["circular-positions"].table.rows == [
        ("A", "4", "4", "100.0 %"),
        ("B", "4", "3", "75.0 %"),
        ("C", "4", "2", "50.0 %"),
        ("D", "3", "1", "33.3 %"),
    ]


def test_chosen_positions_beside_right_ones(passes):
    # 13 passes with a choice: A B C D chosen 7, 3, 2, 1 times, right there 4, 4, 3, 2 times.
    assert passes["circular-choices"].table.rows == [
        ("A", "7", "53.8 %", "4", "30.8 %"),
        ("B", "3", "23.1 %", "4", "30.8 %"),
        ("C", "2", "15.4 %", "3", "23.1 %"),
        ("D", "1", "7.7 %", "2", "15.4 %"),
    ]
    assert "0.231" in passes["circular-choices"].lead


def test_what_found_the_choice_and_what_did_not(passes):
    rows = {row[0]: row[1] for row in passes["circular-found-by"].table.rows}
    assert sum(map(int, rows.values())) == len(PASSES)
    assert rows["undecided"] == "2"
    assert rows["rule: letter"] == "12"
    assert passes["circular-no-answer"].table.rows == [
        ("request failed", "1", "6.7 %"),
        ("undecided", "1", "6.7 %"),
    ]


def test_a_pass_that_is_not_judged_is_in_no_share(tmp_path, monkeypatch):
    monkeypatch.delenv("LMMS_EVAL_TASKS_JUDGE_MODEL", raising=False)
    lines = [*circular(("A", "D", "C", "B")), *circular(("A", "hm"), number=1, matcher="openai")]
    run = task(Kind.CIRCULAR, lines, tmp_path)
    found = by_id(panels(run, samples(run)))
    assert found["circular-accuracies"].table.rows[1][:2] == ("mean over passes", "100.0 %")
    assert found["circular-positions"].table.rows[3] == ("D", "1", "1", "100.0 %")
    rows = {row[0]: row[1] for row in found["circular-found-by"].table.rows}
    assert (rows["rule: letter"], rows["not judged"]) == ("5", "1")
    assert found["circular-not-judged"].table.rows[0][0] == "judge not configured"


def test_ids_are_unique_among_tasks_of_one_kind(tmp_path):
    first = task(Kind.CIRCULAR, PASSES, tmp_path, name="mine")
    second = task(Kind.CIRCULAR, PASSES, tmp_path, name="mine_too")
    ids = [panel.id for run in (first, second) for panel in panels(run, samples(run))]
    assert len(set(ids)) == len(ids)


def test_an_interval_only_where_there_are_videos_enough(tmp_path):
    few = task(Kind.CIRCULAR, PASSES, tmp_path, stderrs={"circular_acc": 0.1})
    row = by_id(panels(few, samples(few)))["circular-accuracies"].table.rows[0]
    assert row[2] == "–"
    lines = [line for n in range(12) for line in circular(("A", "D", "C", "B"), f"v{n}")]
    lines += [line for n in range(12) for line in circular(("B", "D", "C", "B"), f"v{n}", number=1)]
    many = task(Kind.CIRCULAR, lines, tmp_path, stderrs={"circular_acc": 0.1})
    row = by_id(panels(many, samples(many)))["circular-accuracies"].table.rows[0]
    assert row[2] == "30.4 to 69.6"


def test_a_task_without_samples_has_no_panels(tmp_path):
    for kind in Kind:
        assert panels(task(kind, [], tmp_path), []) == []


def test_marks_have_a_legend(passes):
    assert "blind guessing" in texts(passes["circular-accuracies"].svg)
