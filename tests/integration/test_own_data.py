"""A user's own data: a YAML of five lines that includes one of ours."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import lmms_eval_tasks
from tests.integration.harness import run

pytestmark = pytest.mark.slow

GEOQA = Path(lmms_eval_tasks.__file__).parent / "geoqa" / "geoqa.yaml"
FIVE_LINES = f"""\
include: {GEOQA}
task: my_geoqa
dataset_path: json
dataset_kwargs: {{data_files: {{test: rows.json}}}}
test_split: test
"""


def write(folder: Path, rows: list[dict], responses: dict[str, str]) -> Path:
    (folder / "my_geoqa.yaml").write_text(FIVE_LINES)
    (folder / "rows.json").write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
    lines = [{"task": "my_geoqa", "id": key, "response": text} for key, text in responses.items()]
    saved = folder / "saved.jsonl"
    saved.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return saved


def evaluate(folder: Path, saved: Path, *more: str):
    return run(
        *("--model", "replay", "--model_args", f"responses={saved}"),
        *("--include_path", str(folder), "--tasks", "my_geoqa", "--log_samples", *more),
        folder=folder,
    )


def test_the_gold_programs_of_real_rows_get_full_marks(tmp_path, shared_data):
    rows = json.loads((shared_data / "geoqa_test_rows_150.json").read_text(encoding="utf-8"))
    saved = write(tmp_path, rows, {str(row["id"]): row["program"] for row in rows})
    done = evaluate(tmp_path, saved)
    assert done.value("my_geoqa", "accuracy") == 100.0
    assert done.value("my_geoqa", "no_result_rate") == 0.0
    assert done.value("my_geoqa", "asked_as_text") == 150.0
    official = done.items("my_geoqa", "accuracy_official")
    assert [key for key, item in official.items() if item["score"] == 0.0] == ["8456"]


OWN_ROW = {
    "id": "mine-1",
    "question_en": "In triangle ABC, angle A = 50 and angle B = 60. Find angle C.",
    "numbers": [50.0, 60.0],
    "choices": ["60°", "70°", "80°", "none of these"],
    "choice_nums": [60.0, 70.0, 80.0, None],
    "label": 1,
    "program": "g_add N_0 N_1 g_minus C_3 V_0",
}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"choices": None}, "column 'choices'"),
        ({"label": 7}, "column 'label'"),
        ({"question_en": ""}, "question"),
    ],
)
def test_a_row_that_cannot_be_asked_stops_the_run_before_the_first_request(tmp_path, change, words):
    saved = write(tmp_path, [OWN_ROW, {**OWN_ROW, "id": "mine-2", **change}], {})
    done = evaluate(tmp_path, saved)
    assert done.results is None
    last = next(line for line in done.output.splitlines() if "Error during evaluation" in line)
    assert "mine-2" in last
    assert words in last
    assert "No saved response" not in done.output


def test_a_response_that_is_not_saved_is_an_error_or_if_asked_an_empty_one(tmp_path):
    saved = write(tmp_path, [OWN_ROW], {"another": "g_half N_0"})
    assert "No saved response to 1 of 1 questions" in evaluate(tmp_path, saved).output
    done = run(
        *("--model", "replay", "--model_args", f"responses={saved},missing=empty"),
        *("--include_path", str(tmp_path), "--tasks", "my_geoqa", "--log_samples"),
        folder=tmp_path,
    )
    assert done.items("my_geoqa", "accuracy")["mine-1"]["reason"] == "empty"
    assert "my_geoqa: no saved response to 1 question" in done.output


def test_responses_to_another_task_are_no_unanswered_questions(tmp_path):
    saved = write(tmp_path, [OWN_ROW], {})
    saved.write_text('{"task": "my_geoqua", "id": "mine-1", "response": "g_half N_0"}\n')
    done = run(
        *("--model", "replay", "--model_args", f"responses={saved},missing=empty"),
        *("--include_path", str(tmp_path), "--tasks", "my_geoqa"),
        folder=tmp_path,
    )
    assert done.results is None
    assert "which answer questions of my_geoqua only" in done.output
