from __future__ import annotations

from lmms_eval_tasks.report.material.panels import panels
from lmms_eval_tasks.results.run import Kind
from tests.geoqa.rows import row
from tests.report_material.made import FAILED, geoqa, geoqa_choice, samples, task

GOLD = "g_minus C_3 N_0 g_half V_0"
# 65 by the gold's own formula, 65 by another, 130, a value that matches nothing, and failures.
LINES = (
    geoqa(row(), GOLD),
    geoqa(row(id="2", type="length"), "g_half N_0 g_minus C_2 V_0"),
    geoqa(row(id="3", type="length", program="g_half N_0 g_add C_1 N_0"), GOLD),
    geoqa(row(id="4", type="area"), "g_minus C_3 N_0"),
    geoqa(row(id="5"), "g_double C_4"),
    geoqa(row(id="6"), "g_sin N_0"),
    geoqa(row(id="7"), FAILED),
)


def made(lines, folder, **changes):
    run = task(Kind.GEOQA, lines, folder, **changes)
    return {p.id.rpartition("geoqa-")[2]: p for p in panels(run, samples(run))}


def test_outcomes_by_type(tmp_path):
    table = made(LINES, tmp_path)["types"].table
    assert [r[:5] for r in table.rows] == [
        ("all problems", "7", "3 (42.9 %)", "1 (14.3 %)", "3 (42.9 %)"),
        ("angle", "4", "1 (25.0 %)", "0 (0.0 %)", "3 (75.0 %)"),
        ("length", "2", "2 (100.0 %)", "0 (0.0 %)", "0 (0.0 %)"),
        ("other", "1", "0 (0.0 %)", "1 (100.0 %)", "0 (0.0 %)"),
    ]


def test_reasons_of_no_result(tmp_path):
    assert made(LINES, tmp_path)["no-result"].table.rows == [
        ("no option matches", "1", "14.3 %"),
        ("out of domain", "1", "14.3 %"),
        ("request failed", "1", "14.3 %"),
    ]


def test_one_candidate_makes_no_curve(tmp_path):
    assert "beam" not in made(LINES, tmp_path)


def test_the_curve_is_the_accuracy_of_shorter_beams(tmp_path):
    def beam(*programs):
        listed = [f"Candidate {at}: {text}" for at, text in enumerate(programs, start=1)]
        return "```\n" + "\n".join(listed) + "\n```"

    lines = [
        geoqa(row(), beam(GOLD, "g_half N_0"), 10),
        geoqa(row(id="2"), beam("g_double C_4", "g_sin N_0", GOLD), 10),
        geoqa(row(id="3"), beam("g_minus C_3 N_0", GOLD), 10),
        geoqa(row(id="4"), FAILED, 10),
    ]
    panel = made(lines, tmp_path)["beam"]
    # The first is right at once, the second with its third; the third's first candidate is wrong.
    assert panel.table.rows == [
        ("1", "25.0 %"),
        ("2", "25.0 %"),
        *((f"{k}", "50.0 %") for k in range(3, 11)),
    ]


def test_both_evaluations_stand_against_each_other(tmp_path):
    # sin 50° fails: the published interpreter takes it for 0, and this problem has an option of 0.
    telling = row(id="8", choice_nums=[0.0, 65.0, 130.0, None], label=0)
    table = made([*LINES, geoqa(telling, "g_sin N_0")], tmp_path)["official"].table
    assert table.rows == [
        ("strict: right", "3", "0", "0"),
        ("strict: wrong", "0", "1", "0"),
        ("strict: no result", "1", "0", "3"),
    ]


def test_programs_beside_the_gold_s(tmp_path):
    table = made(LINES, tmp_path)["equivalence"].table
    rows = {cells[0]: cells[1:] for cells in table.rows}
    assert rows["right"] == ("2 (66.7 %)", "1 (33.3 %)", "0 (0.0 %)", "0 (0.0 %)")
    assert rows["wrong"] == ("0 (0.0 %)", "1 (100.0 %)", "0 (0.0 %)", "0 (0.0 %)")


def test_rows_without_a_gold_program_have_no_such_panel(tmp_path):
    lines = [geoqa(row(program=None), GOLD)]
    assert "equivalence" not in made(lines, tmp_path)


def test_the_letter_choice_has_outcomes_and_reasons_alone(tmp_path):
    lines = [
        geoqa_choice(row(), "Answer: B"),
        geoqa_choice(row(id="2"), "Answer: A"),
        geoqa_choice(row(id="3"), "I cannot tell."),
    ]
    found = made(lines, tmp_path)
    assert set(found) == {"types", "no-result"}
    assert found["types"].table.rows[0][2:5] == ("1 (33.3 %)", "1 (33.3 %)", "1 (33.3 %)")
