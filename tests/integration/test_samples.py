"""Whole runs on the samples: what a new user types first, and each way of running it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.integration.harness import Run, run
from tests.support.openai_server import OpenAIServer

pytestmark = pytest.mark.slow

SAMPLES = "worldqa_sample,worldbench_sample,geoqa_sample"
TASKS = {
    "worldqa_open_ended_sample": 6,
    "worldqa_circular_sample": 23,
    "worldbench_sample": 12,
    "geoqa_sample": 20,
}
# Without --multi_gpu accelerate starts a single process on a machine without a GPU.
ACCELERATE = (
    str(Path(sys.executable).with_name("accelerate")),
    *("launch", "--multi_gpu", "--num_processes", "2", "--main_process_port", "0"),
    *("-m", "lmms_eval"),
)


@pytest.fixture(scope="module")
def replayed(tmp_path_factory) -> Run:
    folder = tmp_path_factory.mktemp("replay")
    return run("--model", "replay", "--tasks", SAMPLES, "--log_samples", folder=folder)


def share(part: int, whole: int, scale: float = 1.0):
    return pytest.approx(scale * part / whole)


def free(who: str) -> dict[str, float]:
    """What judging costs without a model."""
    return {f"{who}_{what}": 0.0 for what in COSTS}


COSTS = ("requests", "input_tokens", "output_tokens", "seconds")


def test_open_ended_numbers_follow_from_the_saved_responses(replayed):
    # One answer of each grade (1, 0.5, 0.5, 0.3, 0) and one failed request.
    assert replayed.values("worldqa_open_ended_sample") == {
        "open_ended_score": share(230, 6),
        "score_lower": share(230, 6),
        "score_upper": share(230, 6),
        "judged_rate": 1.0,
        "reused_rate": 0.0,
        **{f"grade_{grade}_rate": share(1, 6) for grade in GRADES},
        "grade_unnamed_rate": 0.0,
        "no_answer_rate": share(1, 6),
        "request_failed_rate": share(1, 6),
        "coverage": 1.0,
        **free("judge"),
    }


GRADES = ("correct", "incomplete", "redundant", "partly_contradicting", "incorrect")


def test_circular_numbers_follow_from_the_saved_responses(replayed):
    # All right: kitchen/0, library/1, kettle/1 (three options). Always A: kitchen/1, right once.
    # library/0 is right on two passes and silent or off the list on two; kettle/0 on none.
    assert replayed.values("worldqa_circular_sample") == {
        "circular_acc": share(3, 6),
        "circular_lower": share(3, 6),
        "circular_upper": share(3, 6),
        "mean_acc": share(4 + 1 + 2 + 4 + 0 + 3, 23),
        "answered_acc": share(4 + 1 + 2 + 4 + 0 + 3, 17),
        "first_pass_acc": share(5, 6),
        "at_least_1_rate": share(5, 6),
        "at_least_2_rate": share(4, 6),
        "at_least_3_rate": share(3, 6),
        "at_least_4_rate": share(3, 6),
        "undecided_rate": share(6, 23),
        "request_failed_rate": share(1, 23),
        "not_judged_rate": 0.0,
        "reused_rate": 0.0,
        # 17 choices; A is chosen 3 times more often than it is right, B, C and D once less.
        "position_bias": share(3, 17),
        "incomplete_groups": 0.0,
        "coverage": 1.0,
        **free("matcher"),
    }


def test_worldbench_numbers_follow_from_the_saved_responses(replayed):
    values = replayed.values("worldbench_sample")
    domains = {name: values.pop(name) for name in list(values) if name in DOMAINS}
    margins = {name: values.pop(name) for name in list(values) if name.endswith("_margin")}
    assert set(margins) == {
        f"{name}_margin" for name in (*DOMAINS, *values) if name.startswith("accuracy")
    }
    assert margins["accuracy_margin"] == pytest.approx(28.14, abs=0.01)
    assert values == {
        "accuracy": share(2, 12, 100),
        "accuracy_normalised": share(4, 12, 100),
        "accuracy_answered": share(2, 11, 100),
        "answer_parsed": share(3, 12),
        "request_failed_rate": share(1, 12),
        "image_unusable": 0.0,
    }
    assert domains == {
        **dict.fromkeys(DOMAINS, 0.0),
        "accuracy_living_things": 100.0,
        "accuracy_objects": 50.0,
    }


DOMAINS = {
    f"accuracy_{domain}"
    for domain in (
        *("living_things", "objects", "scenes", "digital_world", "academics"),
        *("documents_charts_tables", "agents"),
    )
}


def test_geoqa_numbers_follow_from_the_saved_responses(replayed):
    values = replayed.values("geoqa_sample")
    assert values["accuracy"] == share(9, 20, 100)
    assert values["accuracy_official"] == share(9, 20, 100)
    assert values["asked_as_text"] == 0.0
    items = replayed.items("geoqa_sample", "accuracy")
    official = replayed.items("geoqa_sample", "accuracy_official")
    differ = {key for key, item in items.items() if item["score"] != official[key]["score"]}
    # s19: two options have the same number. s20: a failed step counts as 0 officially.
    assert differ == {"s19", "s20"}
    assert values["no_result_rate"] == share(
        sum(item["outcome"] == "no_answer" for item in items.values()), 20
    )


def test_every_sample_is_logged_with_what_a_reader_needs(replayed):
    assert {task: len(lines) for task, lines in replayed.samples.items()} == TASKS
    for item in replayed.items("geoqa_sample", "accuracy").values():
        assert {"id", "type", "beam", "label", "outcome"} <= item.keys()
        assert item["outcome"] == "scored" or item["reason"]
    for item in replayed.items("worldqa_circular_sample", "circular_acc").values():
        assert {"group", "pass", "passes", "right", "right_answer"} <= item.keys()
        assert item["outcome"] == "no_answer" or item["chosen"]
    open_ended = replayed.items("worldqa_open_ended_sample", "open_ended_score").values()
    assert {item.get("judge", "lexical") for item in open_ended} == {"lexical"}


def test_the_strict_number_has_the_standard_error_of_its_questions_by_video(replayed):
    # Right: kitchen 1 of 2, library 1 of 2, kettle 1 of 2; alike in every video, so the clusters
    # vary not at all, and the error is that of Miller's equation 4 with its small-sample term.
    error = replayed.results["results"]["worldqa_circular_sample"]["circular_acc_stderr,none"]
    assert error == pytest.approx((6 / 4 / 5 / 6 - 6 / 4 / 36) ** 0.5)
    row = next(line for line in replayed.output.splitlines() if "|circular_acc " in line)
    assert f"{error:.4f}" in row
    assert "circular_acc_stderr" not in replayed.output.partition("|Tasks")[2]


def test_results_cite_the_judge_and_the_version_of_the_rubric(replayed):
    metadata = replayed.results["configs"]["worldqa_open_ended_sample"]["metadata"]
    assert metadata["judge"] == "lexical"
    assert metadata["rubric_version"]
    metadata = replayed.results["configs"]["worldqa_circular_sample"]["metadata"]
    assert (metadata["matcher"], metadata["matcher_version"]) == ("lexical", "lexical-match-1")
    assert replayed.results["versions"]["geoqa_sample"] == "1.0"


def test_two_processes_give_the_numbers_of_one(replayed, tmp_path):
    both = run(
        *("--model", "replay", "--tasks", SAMPLES, "--log_samples"),
        folder=tmp_path,
        launcher=ACCELERATE,
        environment={"ACCELERATE_USE_CPU": "true"},
    )
    assert "Running on rank 1" in both.output
    for task, count in TASKS.items():
        assert both.values(task) == pytest.approx(replayed.values(task))
        assert len(both.samples[task]) == count


def test_chance_is_the_floor_and_guesses_alike_in_any_run(tmp_path):
    first = run("--model", "chance", "--tasks", SAMPLES, folder=tmp_path)
    assert first.value("worldqa_circular_sample", "undecided_rate") == 0.0
    assert first.value("worldbench_sample", "answer_parsed") == 1.0
    assert first.value("worldqa_open_ended_sample", "no_answer_rate") == 1.0
    assert first.value("geoqa_sample", "no_result_rate") == 1.0
    (tmp_path / "again").mkdir()
    again = run("--model", "chance", "--tasks", SAMPLES, folder=tmp_path / "again")
    other = run(
        *("--model", "chance", "--model_args", "seed=7", "--tasks", "worldqa_circular_sample"),
        folder=tmp_path,
    )
    for task in TASKS:
        assert again.values(task) == first.values(task)
    assert other.values("worldqa_circular_sample") != first.values("worldqa_circular_sample")


def answer(request: dict) -> str:
    """A model that always picks the first option, and computes with the first number."""
    text = request["messages"][-1]["content"][-1]["text"]
    return "g_equal N_0" if "N_0 =" in text else "Looks like the first.\nANSWER: A"


def test_a_model_behind_an_api_is_asked_with_every_picture_and_frame(tmp_path):
    with OpenAIServer(reply=answer) as server:
        done = run(
            *("--model", "openai", "--tasks", SAMPLES, "--log_samples", "--model_args"),
            f"model_version=m,base_url={server.url},api_key=k,num_concurrent=4,max_frames_num=2",
            folder=tmp_path,
        )
    assert len(server.requests) == sum(TASKS.values())
    pictures = [
        sum(part["type"] == "image_url" for part in r["messages"][-1]["content"])
        for r in server.requests
    ]
    assert pictures.count(1) == 12 + 20
    assert pictures.count(2) == 6 + 23
    assert done.value("worldbench_sample", "answer_parsed") == 1.0
    assert done.value("worldbench_sample", "accuracy") == share(3, 12, 100)
    assert done.value("worldqa_circular_sample", "mean_acc") == share(6, 23)
    assert done.value("worldqa_circular_sample", "circular_acc") == 0.0
    assert {r["max_tokens"] for r in server.requests} >= {32768}


def test_limit_and_offset_count_passes_and_leave_incomplete_questions_out(tmp_path):
    done = run(
        *("--model", "replay", "--tasks", "worldqa_circular_sample,worldbench_sample"),
        *("--limit", "7", "--offset", "2", "--log_samples"),
        folder=tmp_path,
    )
    ids = list(done.items("worldqa_circular_sample", "circular_acc"))
    assert ids == [
        *("kitchen/0#2", "kitchen/0#3"),
        *(f"kitchen/1#{k}" for k in range(4)),
        "library/0#0",
    ]
    assert done.value("worldqa_circular_sample", "incomplete_groups") == 2.0
    assert done.value("worldqa_circular_sample", "circular_acc") == 0.0
    assert len(done.samples["worldbench_sample"]) == 7


def test_predictions_are_kept_without_scores(tmp_path):
    done = run(
        *("--model", "replay", "--tasks", SAMPLES, "--predict_only"),
        folder=tmp_path,
    )
    assert {task: len(lines) for task, lines in done.samples.items()} == TASKS
    assert "accuracy" not in done.samples["geoqa_sample"][0]


def test_cached_responses_are_scored_alike_and_asked_for_once(tmp_path):
    with OpenAIServer(reply=answer) as server:
        arguments = (
            *("--model", "openai", "--tasks", "worldbench_sample,geoqa_sample"),
            *("--use_cache", str(tmp_path / "cache"), "--model_args"),
            f"model_version=m,base_url={server.url},api_key=k",
        )
        first = run(*arguments, folder=tmp_path)
        asked = len(server.requests)
        again = run(*arguments, folder=tmp_path)
        assert (asked, len(server.requests)) == (32, 32)
    for task in ("worldbench_sample", "geoqa_sample"):
        assert again.values(task) == first.values(task)


NASTY = {
    "worldbench_sample": [None, "", "\ud800 ANSWER: B", "ANSWER: A " * 10_000, "<think>" * 2000],
    "geoqa_sample": [None, "\udfff", "g_add " * 20_000, "V_0 = " * 20_000, "(" * 100_000],
    "worldqa_circular_sample": ["A" * 100_000, "\ud83d", "None", "\x00", "A. B. C. D. " * 8_000],
    "worldqa_open_ended_sample": ["x " * 50_000, "\udc00\udc00", ":", "\u200b", "Grade: correct"],
}


def test_whatever_a_model_says_is_a_counted_outcome(tmp_path):
    from lmms_eval_tasks.models.replay import SAMPLE_RESPONSES  # noqa: PLC0415
    from lmms_eval_tasks.models.saved import read_saved  # noqa: PLC0415

    lines = []
    for number, (task, key) in enumerate(read_saved(str(SAMPLE_RESPONSES)).by_id):
        nasty = NASTY[task]
        lines.append({"task": task, "id": key, "response": nasty[number % len(nasty)]})
    saved = tmp_path / "nasty.jsonl"
    saved.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    done = run(
        *("--model", "replay", "--model_args", f"responses={saved}"),
        *("--tasks", SAMPLES, "--log_samples"),
        folder=tmp_path,
    )
    assert {task: len(found) for task, found in done.samples.items()} == TASKS
    for task, metric in {
        "worldbench_sample": "accuracy",
        "geoqa_sample": "accuracy",
        "worldqa_circular_sample": "circular_acc",
        "worldqa_open_ended_sample": "open_ended_score",
    }.items():
        items = done.items(task, metric)
        assert len(items) == TASKS[task]
        assert {item["outcome"] for item in items.values()} <= {"scored", "no_answer"}
