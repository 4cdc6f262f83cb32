"""Real runs of the samples through lmms-eval, compared."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lmms_eval_tasks.models.replay import SAMPLE_RESPONSES
from lmms_eval_tasks.results.run import Kind, read_run
from tests.compare.invoking import compared, invoke
from tests.integration.harness import Run, run
from tests.results import layout

pytestmark = pytest.mark.slow

TASKS = "worldqa_sample,worldbench_sample,geoqa_sample"
BETTER = {
    "kettle/0": "She waits for the tea",
    "kitchen/1#1": "D",
    "kitchen/1#2": "C",
    "kitchen/1#3": "B",
    "s07": "g_half N_0",
}


def replayed(folder: Path, *arguments: str) -> Run:
    return run("--model", "replay", "--tasks", TASKS, "--log_samples", *arguments, folder=folder)


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    folder = tmp_path_factory.mktemp("first")
    return replayed(folder), folder


@pytest.fixture(scope="module")
def second(tmp_path_factory):
    """A run whose circular question kitchen/1 is right, and one request of WorldBench failed."""
    folder = tmp_path_factory.mktemp("second")
    saved = folder / "responses.jsonl"
    with SAMPLE_RESPONSES.open(encoding="utf-8") as lines, saved.open("w", encoding="utf-8") as out:
        for text in lines:
            line = json.loads(text)
            line["response"] = BETTER.get(line["id"], line["response"])
            if line["id"] == "62df8041876ee81e":
                line["response"] = "[LMMS_EVAL_REQUEST_FAILED after 5 retries] timeout"
            out.write(json.dumps(line) + "\n")
    return replayed(folder, "--model_args", f"responses={saved}"), folder


@pytest.fixture(scope="module")
def found(first, second):
    return {task["task"]: task for task in compared(first[1], second[1])["tasks"]}


def test_a_run_reads_as_lmms_eval_reported_it(first):
    done, folder = first
    read = read_run(folder)
    assert read.file.parent in (folder / "out", *(folder / "out").glob("*"))
    assert read.model == "replay"
    assert {task.kind for task in read.tasks.values()} == set(Kind)
    for name, task in read.tasks.items():
        assert task.metrics == done.values(name)
        samples = list(task.samples())
        assert len(samples) == task.asked == task.planned == len(done.samples[name])
        assert all(sample.id and sample.prompt and sample.target for sample in samples)
        assert any(sample.whole_response != sample.response for sample in samples)


def test_standard_errors_are_those_of_the_table(first):
    done, folder = first
    tasks = read_run(folder).tasks
    open_ended = done.results["results"]["worldqa_open_ended_sample"]
    key = "open_ended_score_stderr_clustered,none"
    assert tasks["worldqa_open_ended_sample"].stderrs["open_ended_score"] == open_ended[key]
    worldbench = done.results["results"]["worldbench_sample"]
    assert tasks["worldbench_sample"].stderrs["accuracy"] == worldbench["accuracy_stderr_clt,none"]
    circular = done.results["results"]["worldqa_circular_sample"]["circular_acc_stderr,none"]
    assert tasks["worldqa_circular_sample"].stderrs["circular_acc"] == circular


def test_written_runs_look_like_real_ones(first):
    done, _ = first
    written = {
        "worldqa_open_ended_sample": layout.open_ended(0, 100.0),
        "worldqa_circular_sample": layout.passes(0, [True])[0],
        "worldbench_sample": layout.worldbench(0, right=True),
        "geoqa_sample": layout.geoqa(0, right=True),
    }
    for task, line in written.items():
        real = done.samples[task][0]
        assert line.keys() <= real.keys()
        for metric, item in line.items():
            if isinstance(item, dict):
                assert item.keys() <= real[metric].keys(), (task, metric)
        assert done.results["configs"][task].get("cluster_key") == layout.task_config(
            task.removesuffix("_sample")
        ).get("cluster_key")
    assert layout.results({}, {}).keys() <= done.results.keys()


def test_a_run_against_itself_differs_in_nothing(first):
    for task in compared(first[1], first[1])["tasks"]:
        for measure in task["measures"].values():
            assert measure["overall"]["value"] == 0
            assert measure["flips"] == []
            assert measure["overall"]["a"] == pytest.approx(measure["reported_a"])


def test_what_differs_is_found(found):
    circular = found["worldqa_circular_sample"]["measures"]["circular_acc"]
    assert [flip["id"] for flip in circular["flips"]] == ["kitchen/1"]
    assert circular["flips"][0]["a"]["said"] == "1 of 4 right: A A A A"
    assert circular["flips"][0]["b"]["said"] == "4 of 4 right: A D C B"
    assert circular["overall"]["value"] == pytest.approx(1 / 6)
    worldbench = found["worldbench_sample"]["measures"]["accuracy"]
    assert [(one["run"], one["id"]) for one in worldbench["failed"]] == [
        ("A", "1b48ebb08d5d927a"),
        ("B", "1b48ebb08d5d927a"),
        ("B", "62df8041876ee81e"),
    ]
    assert worldbench["overall"]["value"] == pytest.approx(-100 / 12)
    assert (worldbench["without_failed"]["questions"], worldbench["without_failed"]["value"]) == (
        10,
        0,
    )


def test_values_are_those_that_the_runs_report(found):
    for task in found.values():
        for measure in task["measures"].values():
            assert measure["overall"]["a"] == pytest.approx(measure["reported_a"])
            assert measure["overall"]["b"] == pytest.approx(measure["reported_b"])


def test_a_real_run_with_a_limit_is_refused(first, tmp_path):
    limited = replayed(tmp_path, "--limit", "3")
    assert limited.results is not None, limited.output[-4000:]
    refused = invoke(first[1], tmp_path, exit_code=2).stderr
    assert "limit: none in A, 3" in refused
    assert "ids: 9 the other lacks" in refused
