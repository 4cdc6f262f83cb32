from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from lmms_eval_tasks.geoqa.program.official import OfficialRun, OfficialStatus, run_official
from lmms_eval_tasks.geoqa.program.syntax import MAX_CHARACTERS

NUMBERS = [float(number) for number in range(10, 23)]


def test_every_vector_agrees_to_the_last_bit(shared_cases: Path) -> None:
    vectors = json.loads((shared_cases / "geoqa_program_vectors.json").read_text("utf-8"))
    assert len(vectors) >= 360
    for vector in vectors:
        run = run_official(vector["program"], vector["numbers"])
        found: dict[str, object] = {"status": run.status.value}
        if run.status is OfficialStatus.VALUES:
            found["values"] = list(run.values)
        if run.error is not None:
            found["error"] = run.error
        # As text, False differs from 0 and 180 from 180.0.
        assert json.dumps(found) == json.dumps(vector["official"]), vector


def values(expected: list[float]) -> OfficialRun:
    return OfficialRun(OfficialStatus.VALUES, tuple(expected))


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("", values([])),
        ("g_equal N_10", values([10.0])),
        ("g_equal N_25", values([15.0])),
        ("g_equal C_13", values([180])),
        ("g_equal Nonsense1", values([11.0])),
        ("g_equal N0", values([10.0])),
        ("g_equal N_٣", values([13.0])),
        ("g_half N_0 g_add V_10 V_20", values([5.0, 10.0])),
        ("g_tan C_3 g_add V_0 N_0 g_equal V_0", values([False, 10.0, False])),
        ("g_asin C_3 g_cos V_0", values([False, 1.0])),
        ("g_asin C_3 g_half V_0 g_double V_0", values([False, 0.0, 0])),
        ("g_mul C_4 C_4", values([129600])),
    ],
)
def test_the_quirks_are_there(program: str, expected: OfficialRun) -> None:
    run = run_official(program, NUMBERS)
    assert run == expected
    assert list(map(type, run.values)) == list(map(type, expected.values))


@pytest.mark.parametrize(
    "program",
    [
        "g_root N_0",
        "g_half N_0 N_1",
        "g_half",
        "g_half N_0 g_add V_0",
        "g_half n_0",
        "g_half V_0",
        "g_half C_7",
        "g_half V_10",
        "g_half X_y",
        "g_add C_9 N_x",
        # What came before it runs is of no interest: the whole program is rejected.
        "g_half N_0 g_half V_1",
    ],
)
def test_it_rejects(program: str) -> None:
    assert run_official(program, NUMBERS) == OfficialRun(OfficialStatus.NONE)


@pytest.mark.parametrize(
    "program", ["g_half N", "g_half N_", "g_half N_x", "g_add N_0 C", "g_half N_²"]
)
def test_it_crashes_on_an_index_that_ends_in_no_digit(program: str) -> None:
    assert run_official(program, NUMBERS) == OfficialRun(OfficialStatus.CRASH, error="ValueError")


def test_it_crashes_where_a_whole_number_outgrows_a_float() -> None:
    program = "g_mul C_4 C_4 " + " ".join(f"g_mul V_{k} V_{k}" for k in range(9)) + " g_half V_9"
    run = run_official(program, [])
    assert run == OfficialRun(OfficialStatus.CRASH, error="OverflowError")


def test_it_goes_on_with_infinity() -> None:
    run = run_official("g_mul N_0 N_0 g_divide V_0 V_0", [1e300])
    assert run.values[0] == math.inf
    assert math.isnan(run.values[1])


def test_its_answer_is_its_last_value() -> None:
    assert run_official("g_half N_0 g_tan V_0", [8.0]).answer is False
    assert run_official("g_half N_0", [8.0]).answer == 4.0
    assert run_official("", [8.0]).answer is None
    assert run_official("g_root N_0", [8.0]).answer is None


def test_a_text_without_end_is_not_run() -> None:
    text = "g_half N_0 ".ljust(MAX_CHARACTERS + 1)
    assert run_official(text, [8.0]) == OfficialRun(OfficialStatus.TOO_LONG)
    assert run_official(text[:MAX_CHARACTERS], [8.0]).answer == 4.0
