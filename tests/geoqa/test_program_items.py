"""What a beam of programs leaves in the log: accuracy by beam size, reasons, and the gold's kin."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lmms_eval_tasks.geoqa import program_items as module
from lmms_eval_tasks.geoqa.equivalence import Comparison, Equivalence, UndecidedReason
from lmms_eval_tasks.geoqa.program_items import BEAM_SIZES, program_items
from lmms_eval_tasks_core.aggregate import mean_score, total
from tests.geoqa.rows import row, without

GOLD, WRONG, NOTHING = "g_minus C_3 N_0 g_half V_0", "g_equal N_0", "g_double N_0"
SCORED = {GOLD: 100.0, WRONG: 0.0}


def ranked(*programs: str) -> str:
    lines = [f"Candidate {n}: {program}" for n, program in enumerate(programs, start=1)]
    return "\n".join(["Ten ways:", "```", *lines, "```"])


def beam(*programs: str) -> dict[str, Any]:
    return program_items(row(), [ranked(*programs)], 10)


def by_size(found: dict[str, Any]) -> list[float]:
    return [found[f"accuracy_beam{size}"]["score"] for size in BEAM_SIZES]


@pytest.mark.parametrize(
    ("programs", "scores"),
    [
        ([GOLD], [100.0, 100.0, 100.0]),
        ([WRONG, GOLD], [0.0, 0.0, 0.0]),
        ([NOTHING, GOLD, WRONG], [0.0, 100.0, 100.0]),
        ([*[NOTHING] * 4, GOLD], [0.0, 100.0, 100.0]),
        ([*[NOTHING] * 5, GOLD], [0.0, 0.0, 100.0]),
        ([*[NOTHING] * 9, GOLD], [0.0, 0.0, 100.0]),
        ([*[NOTHING] * 10, GOLD], [0.0, 0.0, 0.0]),
        ([NOTHING] * 10, [0.0, 0.0, 0.0]),
    ],
)
def test_accuracy_at_each_beam_size(programs: list[str], scores: list[float]) -> None:
    found = beam(*programs)
    assert by_size(found) == scores
    assert found["accuracy"]["score"] == scores[-1]
    assert found["accuracy_angle"]["score"] == scores[-1]
    assert found["beam_size"]["score"] == 10.0
    assert all(item["beam"] == 10 for item in found.values())
    assert found["accuracy"]["candidates"] == min(len(programs), 10)


@given(st.lists(st.sampled_from([GOLD, WRONG, NOTHING, "g_sin N_0"]), min_size=1, max_size=10))
def test_a_shorter_beam_is_what_asking_for_fewer_gives(programs: list[str]) -> None:
    found = beam(*programs)
    for size in BEAM_SIZES:
        alone = program_items(row(), programs[:size])
        assert found[f"accuracy_beam{size}"]["score"] == alone["accuracy"]["score"]
    first = next((SCORED[program] for program in programs if program in SCORED), 0.0)
    assert found["accuracy"]["score"] == first


def test_samples_are_another_way_to_a_beam() -> None:
    responses = [NOTHING, None, "no program", GOLD]
    for results in (responses, [responses]):
        found = program_items(row(), results)
        assert found["accuracy"]["beam"] == 4
        assert found["accuracy"]["rank"] == 3
        assert found["accuracy_beam1"]["score"] == 0.0
        assert "accuracy_beam5" not in found


def test_one_program_has_no_beam_sizes() -> None:
    found = program_items(row(), [GOLD])
    assert not [name for name in found if name.startswith("accuracy_beam")]
    assert found["beam_size"]["score"] == 1.0


def test_the_reason_is_counted_in_a_metric_of_its_own() -> None:
    answers = [GOLD, WRONG, NOTHING, NOTHING, "g_sin N_0", "", None, "[LMMS_EVAL_REQUEST_FAILED"]
    rows = [program_items(row(), [answer]) for answer in answers]
    names = {name for found in rows for name in found if name.startswith("no_result_")}
    counts = {name: total([found[name] for found in rows if name in found]) for name in names}
    rate = counts.pop("no_result_rate") / len(rows)
    assert counts == {
        "no_result_no_option_matches": 2,
        "no_result_out_of_domain": 1,
        "no_result_empty_response": 2,
        "no_result_request_failed": 1,
    }
    assert rate == mean_score([found["no_result_rate"] for found in rows]) == 6 / 8


def test_the_gold_in_other_words_is_equivalent_and_luck_is_not() -> None:
    lucky = row(numbers=[60.0], choice_nums=[50.0, 60.0, 130.0, None])
    rows = {
        "gold": program_items(lucky, [GOLD]),
        "other words": program_items(lucky, ["g_half N_0 g_minus C_2 V_0"]),
        "luck": program_items(lucky, ["g_equal N_0"]),
        "wrong": program_items(lucky, ["g_minus C_3 N_0 g_add V_0 C_6"]),
        "nothing": program_items(lucky, [""]),
    }
    outcomes = {name: found["accuracy"]["equivalence"] for name, found in rows.items()}
    assert outcomes == {
        "gold": "equivalent",
        "other words": "equivalent",
        "luck": "different",
        "wrong": "different",
        "nothing": "no_program",
    }
    same = [found["program_equivalence"] for found in rows.values()]
    assert mean_score(same) == 2 / 5
    other = "right_by_other_program_rate"
    assert [name for name, found in rows.items() if other in found] == [
        *("gold", "other words", "luck")
    ]
    assert mean_score([found[other] for found in rows.values() if other in found]) == 1 / 3


def test_in_a_beam_the_candidate_that_decided_is_compared() -> None:
    found = beam(NOTHING, "g_half N_0 g_minus C_2 V_0", WRONG)
    assert found["accuracy"]["equivalence"] == "equivalent"
    assert beam(NOTHING, NOTHING)["accuracy"]["equivalence"] == "different"


def test_an_undecided_comparison_has_no_score_and_is_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = Comparison(Equivalence.UNDECIDED, UndecidedReason.TIME_LIMIT)
    monkeypatch.setattr(module, "compare", lambda *_: found)
    undecided = program_items(row(), [GOLD])
    for name in ("program_equivalence", "right_by_other_program_rate"):
        assert "score" not in undecided[name]
        assert undecided[name]["equivalence_reason"] == "time_limit"
    assert undecided["equivalence_undecided"]["score"] == 1.0
    assert undecided["accuracy"]["equivalence_reason"] == "time_limit"


@pytest.mark.parametrize("doc", [without("program"), row(program=None), row(program="")])
def test_without_a_gold_program_nothing_is_compared(doc: dict[str, Any]) -> None:
    found = program_items(doc, [GOLD])
    assert not {"program_equivalence", "right_by_other_program_rate"} & set(found)
    assert "equivalence_undecided" not in found
    assert "equivalence" not in found["accuracy"]
