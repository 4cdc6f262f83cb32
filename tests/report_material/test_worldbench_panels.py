from __future__ import annotations

import math

import pytest

from lmms_eval_tasks.report.material.panels import panels
from lmms_eval_tasks.results.run import Kind
from lmms_eval_tasks.worldbench.published import published_table
from tests.report_material.made import FAILED, samples, task, worldbench
from tests.report_material.svg import texts

LINES = (
    worldbench("ANSWER: B", 0),
    worldbench("ANSWER: A", 1),
    worldbench("Answer: B", 2),
    worldbench("It is B.", 3, domain="scenes"),
    worldbench(FAILED, 4, domain="scenes"),
    worldbench("ANSWER: B", 5, domain="Embodied AI"),
    worldbench("ANSWER: B", 6, domain="agents", image_problem="The image has no bytes."),
)


def made(folder, **changes):
    run = task(Kind.WORLDBENCH, LINES, folder, **changes)
    return {p.id.rpartition("worldbench-")[2]: p for p in panels(run, samples(run))}


def wilson(right: int, total: int) -> str:
    z, share = 1.959963984540054, right / total
    centre = (share + z * z / 2 / total) / (1 + z * z / total)
    half = z * math.sqrt(share * (1 - share) / total + (z / 2 / total) ** 2) / (1 + z * z / total)
    low, high = 100 * max(0, centre - half), 100 * min(1, centre + half)
    return f"{100 * share:.1f} [{low:.1f}, {high:.1f}]"


def test_each_domain_has_its_accuracy_and_interval(tmp_path):
    table = made(tmp_path)["domains"].table
    row = dict(zip(table.columns, table.rows[0], strict=True))
    assert row["all questions"] == wilson(2, 6)
    assert row["objects"] == wilson(1, 3)
    assert row["scenes"] == wilson(0, 2)
    assert row["agents"] == wilson(1, 1)
    assert row["academics"] == "–"


def test_a_picture_nobody_could_be_shown_is_in_no_accuracy(tmp_path):
    found = made(tmp_path)
    assert (
        dict(zip(found["domains"].table.columns, found["domains"].table.rows[1], strict=True))[
            "all questions"
        ]
        == "6"
    )
    assert found["readings"].table.rows[0][-1] == "1 (14.3 %)"


def test_rows_of_one_s_own_stand_beside_no_published_model(tmp_path):
    found = made(tmp_path, planned=7)["domains"]
    assert [row[0] for row in found.table.rows] == ["this run", "questions asked"]
    assert "no published number compares" in found.notes[0]


def test_every_published_model_is_in_the_table_and_three_in_the_chart(tmp_path):
    found = made(tmp_path, planned=2_000)["domains"]
    published = published_table().accuracies
    assert [row[0] for row in found.table.rows[2:]] == list(published)
    row = dict(zip(found.table.columns, found.table.rows[2], strict=True))
    assert row["objects"] == f"{published['Gemini-3.1-Pro']['objects']:.1f}"
    # 33.3 %: the best one, and those nearest to it.
    drawn = {name for name in published if name in texts(found.svg)}
    assert drawn == {"Gemini-3.1-Pro", "Gemma-4-E4B", "InternVL-3.5"}
    assert any("7 of 2,000" in note for note in found.notes)


def test_both_readings_are_counted(tmp_path):
    strict, normalised = made(tmp_path)["readings"].table.rows
    assert strict[:4] == ("strict", "2 (28.6 %)", "1 (14.3 %)", "3 (42.9 %)")
    assert normalised[:4] == ("normalised", "3 (42.9 %)", "1 (14.3 %)", "2 (28.6 %)")


def test_what_the_strict_reading_cannot_read_is_told_by_reason(tmp_path):
    assert made(tmp_path)["unread"].table.rows == [
        ("no answer line", "2", "1", "1"),
        ("request failed", "1", "0", "0"),
    ]


def test_nothing_unread_makes_no_panel(tmp_path):
    run = task(Kind.WORLDBENCH, LINES[:2], tmp_path)
    assert len(panels(run, samples(run))) == 2


@pytest.mark.parametrize("planned", [999, 1_000])
def test_half_of_the_benchmark_s_rows_compare(tmp_path, planned):
    rows = made(tmp_path, planned=planned)["domains"].table.rows
    assert (len(rows) > 2) == (planned == 1_000)
