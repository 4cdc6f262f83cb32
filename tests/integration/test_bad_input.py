"""What stops a run does so before the first request, in one sentence that says what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.integration.harness import Run, run
from tests.support.openai_server import OpenAIServer

pytestmark = pytest.mark.slow


def last_word(done: Run) -> str:
    assert done.results is None
    return next(line for line in done.output.splitlines() if "Error during evaluation" in line)


def test_a_data_set_that_cannot_be_had(tmp_path):
    sentence = last_word(run("--model", "chance", "--tasks", "worldbench", folder=tmp_path))
    assert "zlab-princeton/WorldBench could not be loaded" in sentence
    assert "lmms-eval-tasks path worldbench" in sentence
    assert "worldbench_sample" in sentence
    assert "RetryError" not in sentence


def open_ended_with(folder: Path, **environment: str) -> tuple[Run, int]:
    """Run the open-ended sample with a real model behind a server; count what reaches it."""
    with OpenAIServer(reply=lambda request: "an answer") as model:
        done = run(
            *("--model", "openai", "--tasks", "worldqa_open_ended_sample"),
            *("--model_args", f"model_version=m,base_url={model.url},api_key=k,max_frames_num=2"),
            folder=folder,
            environment=environment,
        )
        return done, len(model.requests)


def test_a_run_that_needs_a_judge_stops_where_none_is_configured(tmp_path):
    done, asked = open_ended_with(
        tmp_path, LMMS_EVAL_TASKS_JUDGE="openai", LMMS_EVAL_TASKS_JUDGE_MODEL=""
    )
    assert "LMMS_EVAL_TASKS_JUDGE_MODEL" in last_word(done)
    assert asked == 0


def test_a_run_that_needs_a_judge_stops_where_it_does_not_answer(tmp_path):
    done, asked = open_ended_with(
        tmp_path,
        LMMS_EVAL_TASKS_JUDGE="openai",
        LMMS_EVAL_TASKS_JUDGE_MODEL="no-such-judge",
        LMMS_EVAL_TASKS_JUDGE_BASE_URL="http://127.0.0.1:9/v1",
        LMMS_EVAL_TASKS_JUDGE_API_KEY="secret-key",
    )
    sentence = last_word(done)
    assert "no-such-judge" in sentence
    assert "http://127.0.0.1:9/v1" in sentence
    assert "secret-key" not in done.output
    assert asked == 0


def test_predictions_alone_need_no_judge(tmp_path):
    done = run(
        *("--model", "replay", "--tasks", "worldqa_open_ended_sample", "--predict_only"),
        folder=tmp_path,
        environment={"LMMS_EVAL_TASKS_JUDGE": "openai", "LMMS_EVAL_TASKS_JUDGE_MODEL": ""},
    )
    assert done.results is not None, done.output
    assert len(done.samples["worldqa_open_ended_sample"]) == 6
