"""Reading runs: what lmms-eval writes, and what else may lie in such a folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path

import pytest

from lmms_eval_tasks.results.run import Kind, RunError, find_runs, read_run
from lmms_eval_tasks_core.errors import TasksError
from tests.results.layout import (
    DATE,
    geoqa,
    line,
    open_ended,
    passes,
    results,
    task_config,
    worldbench,
    write_run,
)


def one_task(folder, lines, name="worldbench", **changes):
    return read_run(write_run(folder, {name: lines}, **changes)).tasks[name]


def message_of(path) -> str:
    with pytest.raises(RunError) as raised:
        read_run(path)
    return one_sentence(raised.value)


def one_sentence(error: TasksError) -> str:
    assert error.problem.endswith(".")
    assert error.remedy.endswith(".")
    assert "\n" not in str(error)
    return str(error)


def test_a_run_is_read_with_all_that_its_numbers_must_cite(tmp_path):
    run = read_run(
        write_run(
            tmp_path,
            {
                "worldqa_open_ended": [open_ended(0, 30.0)],
                "worldqa_circular": passes(0, [True, False]),
                "worldbench": [worldbench(0, right=True)],
                "geoqa": [geoqa(0, right=True)],
            },
        )
    )
    assert (run.model, run.date, run.lmms_eval_version) == ("replay", DATE, "0.7.3")
    assert run.folder == tmp_path
    assert {name: task.kind for name, task in run.tasks.items()} == {
        kind.value: kind for kind in Kind
    }
    task = run.tasks["worldqa_open_ended"]
    assert task.metadata["judge"] == "gpt-4o"
    assert (task.version, task.planned, task.asked) == ("1.0", 1, 1)


def test_a_users_own_task_is_known_by_its_metrics(tmp_path):
    configs = {"my_benchmark": task_config("geoqa")}
    run = read_run(write_run(tmp_path, {"my_benchmark": [geoqa(0, right=True)]}, configs))
    assert run.tasks["my_benchmark"].kind is Kind.GEOQA


def test_the_letter_choice_of_geoqa_is_geoqa_too(tmp_path):
    names = ("accuracy", "undecided_rate", "accuracy_angle", "accuracy_length", "accuracy_other")
    config = task_config("geoqa", metric_list=[{"metric": name} for name in names])
    run = read_run(
        write_run(tmp_path, {"geoqa_choice": [geoqa(0, right=True)]}, {"geoqa_choice": config})
    )
    assert run.tasks["geoqa_choice"].kind is Kind.GEOQA


def test_tasks_of_others_are_named_and_left_alone(tmp_path):
    other = task_config("geoqa", metric_list=[{"metric": "accuracy"}])
    samples = {"worldbench": [worldbench(0, right=True)], "mmmu": [{"doc_id": 0}]}
    run = read_run(write_run(tmp_path, samples, {"mmmu": other}))
    assert (list(run.tasks), list(run.others)) == (["worldbench"], ["mmmu"])


def test_a_sample_has_what_was_asked_said_and_scored(tmp_path):
    written = line(
        7,
        "ANSWER: B",
        {"accuracy": {"id": "x", "score": 100.0}, "image_unusable": {"id": "x", "score": 0.0}},
        resps="<think>B?</think>ANSWER: B",
        token_counts=[None],
        arguments={"until": []},
    )
    (sample,) = one_task(tmp_path, [written]).samples()
    assert (sample.doc_id, sample.id, sample.prompt, sample.target) == (7, "x", "Question 7?", "B")
    assert sample.response == "ANSWER: B"
    assert sample.whole_response == "<think>B?</think>ANSWER: B"
    assert sample.item == {"id": "x", "score": 100.0}
    assert set(sample.items) == {"accuracy", "image_unusable"}


@pytest.mark.parametrize(
    ("logged", "read"),
    [
        ("one", "one"),
        (["one"], "one"),
        ([["one", "two"]], "one\n\ntwo"),
        (None, ""),
        ([], ""),
        ([None, ""], ""),
        ({"text": "é"}, '{"text": "é"}'),
        (3, "3"),
    ],
)
def test_responses_are_read_in_whatever_form_they_are_logged(tmp_path, logged, read):
    written = line(0, logged, {"accuracy": {"id": "x"}}, resps=logged)
    (sample,) = one_task(tmp_path, [written]).samples()
    assert (sample.response, sample.whole_response) == (read, read)


def test_keys_that_may_be_missing_are_not_missed(tmp_path):
    (sample,) = one_task(tmp_path, [{"accuracy": {"score": 0.0}}]).samples()
    assert (sample.doc_id, sample.id) == (0, "0")
    assert (sample.prompt, sample.target, sample.response, sample.whole_response) == ("",) * 4


def test_a_results_file_of_the_bare_minimum_is_enough(tmp_path):
    content = {"results": {"worldbench": {}}, "configs": {"worldbench": task_config("worldbench")}}
    write_run(tmp_path, {"worldbench": [worldbench(0, right=True)]})
    (tmp_path / f"{DATE}_results.json").write_text(json.dumps(content), encoding="utf-8")
    run = read_run(tmp_path)
    assert (run.model, run.model_args, run.lmms_eval_version) == ("?", "", "")
    assert (run.tasks["worldbench"].planned, run.tasks["worldbench"].asked) == (0, 0)


def test_numbers_are_told_from_what_is_none(tmp_path):
    values = {
        "alias": "worldqa_circular",
        "circular_acc,none": 0.5,
        "circular_acc_stderr,none": 0.09,
        "circular_acc_stderr_clt,none": "N/A",
        "mean_acc,none": 0.25,
        "mean_acc_stderr,none": "N/A",
        "mean_acc_stderr_clt,none": 0.03,
        "mean_acc_stderr_clustered,none": 0.04,
        "coverage,none": float("nan"),
        "judged_rate,none": None,
    }
    task = one_task(
        tmp_path,
        passes(0, [True]),
        "worldqa_circular",
        results={"worldqa_circular": values},
    )
    assert task.metrics == {"circular_acc": 0.5, "mean_acc": 0.25}
    assert task.stderrs == {"circular_acc": 0.09, "mean_acc": 0.04}


def test_without_a_cluster_key_the_plain_standard_error_counts(tmp_path):
    values = {
        "accuracy,none": 50.0,
        "accuracy_stderr_clt,none": 3.0,
        "accuracy_stderr_clustered,none": 4.0,
    }
    task = one_task(tmp_path, [worldbench(0, right=True)], results={"worldbench": values})
    assert task.stderrs == {"accuracy": 3.0}


def test_keys_and_passwords_of_a_model_are_not_passed_on(tmp_path):
    arguments = (
        "model_version=m,api_key=hush-1,hf_token=hush-2,max_new_tokens=512,"
        "base_url=https://me:hush-3@host/v1?key=hush-4&x=1"
    )
    config = {"model": "openai", "model_args": arguments}
    run = read_run(write_run(tmp_path, {"worldbench": [worldbench(0, right=True)]}, config=config))
    assert "hush" not in run.model_args
    assert "model_version=m" in run.model_args
    assert "max_new_tokens=512" in run.model_args


def test_arguments_of_a_model_may_be_a_mapping(tmp_path):
    config = {"model": "m", "model_args": {"model_version": "v", "api_key": "hush"}}
    run = read_run(write_run(tmp_path, {"worldbench": [worldbench(0, right=True)]}, config=config))
    assert run.model_args == "model_version=v,api_key=***"


def test_the_newest_of_several_dates_is_taken_wherever_it_lies(tmp_path):
    samples = {"worldbench": [worldbench(0, right=True)]}
    write_run(tmp_path / "org__model", samples, date="20260101_000000")
    newest = write_run(tmp_path / "org__other" / "deep", samples, date="20260301_000000")
    write_run(tmp_path, samples, date="20260201_000000")
    assert read_run(tmp_path).folder == newest
    assert [file.name[:8] for file in find_runs(tmp_path)] == ["20260101", "20260201", "20260301"]
    oldest = tmp_path / "org__model" / "20260101_000000_results.json"
    assert read_run(oldest).file == oldest
    assert find_runs(oldest) == [oldest]


def test_a_file_named_otherwise_never_hides_a_run(tmp_path):
    write_run(tmp_path, {"worldbench": [worldbench(0, right=True)]})
    other = tmp_path / "my_results.json"
    other.write_text("{}", encoding="utf-8")
    os.utime(other, (4e9, 4e9))
    assert read_run(tmp_path).date == DATE


def test_what_is_not_there_is_said_in_one_sentence(tmp_path):
    missing = tmp_path / "nowhere"
    assert f"There is no {missing}." in message_of(missing)
    assert "holds no run of lmms-eval" in message_of(tmp_path)


@pytest.mark.parametrize(
    "name", ["results_2026-01-01T12-00-00.json", "metrics.json", f"{DATE}_samples_x.jsonl"]
)
def test_files_of_other_tools_are_no_runs(tmp_path, name):
    file = tmp_path / name
    file.write_text("{}", encoding="utf-8")
    assert "holds no run of lmms-eval" in message_of(tmp_path)
    assert "is no results file of lmms-eval" in message_of(file)


@pytest.mark.parametrize("foreign", ["[]", "3", '{"results": []}', '{"results": {"a": {}}}'])
def test_json_of_another_tool_is_told_apart(tmp_path, foreign):
    (tmp_path / f"{DATE}_results.json").write_text(foreign, encoding="utf-8")
    assert "is JSON, but no results file of lmms-eval" in message_of(tmp_path)


def test_a_results_file_cut_short_is_named(tmp_path):
    file = write_run(tmp_path, {"worldbench": [worldbench(0, right=True)]}) / f"{DATE}_results.json"
    whole = file.read_text(encoding="utf-8")
    for length in (0, 1, len(whole) // 2, len(whole) - 1):
        file.write_text(whole[:length], encoding="utf-8")
        assert f"{file} is cut short or no JSON." in message_of(tmp_path)


def test_a_run_without_a_task_of_ours_names_those_it_has(tmp_path):
    other = task_config("geoqa", metric_list=[{"metric": "accuracy"}])
    write_run(tmp_path, {"mmmu": [{"doc_id": 0}]}, {"mmmu": other})
    assert "no task of WorldQA, WorldBench or GeoQA (mmmu)" in message_of(tmp_path)


def without_samples(folder, date):
    write_run(folder, {"worldbench": []}, date=date)
    (folder / f"{date}_samples_worldbench.jsonl").unlink()


def test_where_the_newest_run_has_no_samples_the_newest_that_has_is_named(tmp_path):
    samples = {"worldbench": [worldbench(0, right=True)]}
    for date in ("20260101_000000", "20260102_000000"):
        write_run(tmp_path / "one", samples, date=date)
    without_samples(tmp_path / "one", "20260103_000000")
    (tmp_path / "one" / "20260104_000000_results.json").write_text("{", encoding="utf-8")
    write_run(tmp_path / "two", samples, date="20260105_000000")
    without_samples(tmp_path / "one", "20260106_000000")
    for named in (tmp_path, tmp_path / "one"):
        assert message_of(named) == (
            f"No logged samples lie beside {tmp_path / 'one' / '20260106_000000_results.json'}. "
            f"{tmp_path / 'one' / '20260102_000000_results.json'} has them: name that file."
        )
    without_samples(tmp_path / "three", "20260107_000000")
    assert "20260105_000000_results.json has them" in message_of(tmp_path)
    assert "--log_samples" in message_of(tmp_path / "three")


def test_a_run_says_of_how_many_it_is_the_newest(tmp_path):
    samples = {"worldbench": [worldbench(0, right=True)]}
    for date in ("20260101_000000", "20260102_000000"):
        write_run(tmp_path, samples, date=date)
    assert read_run(tmp_path).among == 2
    assert read_run(tmp_path / "20260101_000000_results.json").among == 1


def test_runs_are_looked_for_so_many_levels_down_and_no_deeper(tmp_path):
    deep = tmp_path.joinpath(*"abcd")
    samples = {"worldbench": [worldbench(0, right=True)]}
    write_run(deep / "e", samples)
    assert find_runs(tmp_path) == []
    assert "up to 4 levels below" in message_of(tmp_path)
    write_run(deep, samples)
    assert [file.parent for file in find_runs(tmp_path)] == [deep]


def test_a_link_in_a_circle_is_not_followed_and_one_to_nothing_is_no_run(tmp_path):
    folder = write_run(tmp_path / "run", {"worldbench": [worldbench(0, right=True)]})
    (folder / "circle").symlink_to(tmp_path)
    (folder / "lost_results.json").symlink_to(tmp_path / "nowhere")
    (folder / "folder_results.json").mkdir()
    assert [file.name for file in find_runs(tmp_path)] == [f"{DATE}_results.json"]


@pytest.mark.skipif(not Path("/proc/self/net").exists(), reason="needs the /proc of Linux")
def test_a_folder_that_cannot_be_listed_is_passed_over():
    ended = subprocess.Popen([sys.executable, "-c", ""], stdout=subprocess.PIPE)
    try:
        assert ended.stdout
        ended.stdout.read()
        folder = Path("/proc", str(ended.pid))
        # Of a process that has ended and was not waited for, Linux refuses to list this folder.
        deadline = time.monotonic() + 10
        while "State:\tZ" not in (folder / "status").read_text() and time.monotonic() < deadline:
            time.sleep(0.01)
        with pytest.raises(OSError, match="net"):
            list((folder / "net").iterdir())
        assert find_runs(folder) == []
        assert "net cannot be read (" in message_of(folder / "net")
    finally:
        ended.wait()


@pytest.mark.skipif(
    os.name == "nt" or os.geteuid() == 0, reason="nothing is forbidden to root, or on Windows"
)
def test_a_folder_of_somebody_else_is_passed_over(tmp_path):
    folder = write_run(tmp_path / "run", {"worldbench": [worldbench(0, right=True)]})
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o000)
    try:
        assert read_run(tmp_path).folder == folder
        assert f"{closed} cannot be read (" in message_of(closed)
    finally:
        closed.chmod(0o700)


def test_a_run_without_logged_samples_is_told_how_to_log_them(tmp_path):
    content = results({"worldbench": task_config("worldbench")}, {"worldbench": 1})
    (tmp_path / f"{DATE}_results.json").write_text(json.dumps(content), encoding="utf-8")
    assert "--log_samples" in message_of(tmp_path)


def test_a_task_without_samples_beside_one_with_them_says_so_when_read(tmp_path):
    samples = {"worldbench": [worldbench(0, right=True)], "geoqa": [geoqa(0, right=True)]}
    write_run(tmp_path, samples)
    (tmp_path / f"{DATE}_samples_geoqa.jsonl").unlink()
    task = read_run(tmp_path).tasks["geoqa"]
    assert task.samples_file is None
    with pytest.raises(RunError, match="no samples of geoqa") as raised:
        next(task.samples())
    assert "--log_samples" in one_sentence(raised.value)


def test_a_line_cut_short_is_named_and_those_before_it_are_read(tmp_path):
    task = one_task(tmp_path, [worldbench(number, right=True) for number in range(3)])
    whole = task.samples_file.read_bytes()
    for cut in (2, 30, len(whole) // 3 - 1):
        task.samples_file.write_bytes(whole[:-cut])
        samples = task.samples()
        assert [next(samples).doc_id for _ in range(2)] == [0, 1]
        with pytest.raises(RunError) as raised:
            next(samples)
        assert f"{task.samples_file}, line 3:" in one_sentence(raised.value)


@pytest.mark.parametrize("bad", ["[]", "null", '{"doc_id": 0}', "\0" * 40, "[" * 100_000])
def test_a_line_that_is_no_sample_of_the_task_is_named(tmp_path, bad):
    task = one_task(tmp_path, [worldbench(0, right=True)])
    with task.samples_file.open("a", encoding="utf-8") as file:
        file.write(f"\n{bad}\n")
    samples = task.samples()
    next(samples)
    with pytest.raises(RunError) as raised:
        next(samples)
    assert ", line 3:" in one_sentence(raised.value)


def test_text_that_no_file_can_hold_is_made_valid(tmp_path):
    task = one_task(tmp_path, [worldbench(0, right=True)])
    text = json.dumps(line(0, "a\ud83dz 😀\u2028", {"accuracy": {"id": "\udc00", "l": ["\ud800"]}}))
    broken = text.encode().replace(b"Question", b"\xff\xfe")
    task.samples_file.write_bytes(broken + b"\n")
    (sample,) = task.samples()
    assert sample.response == "a\ufffdz 😀\u2028"
    assert (sample.id, sample.item["l"]) == ("\ufffd", ["\ufffd"])
    assert sample.prompt.startswith("\ufffd\ufffd")


def test_scores_that_are_no_number_are_passed_on_as_they_are_logged(tmp_path):
    (sample,) = one_task(tmp_path, [worldbench(0, right=True, score=float("nan"))]).samples()
    assert sample.item["score"] != sample.item["score"]


def test_long_responses_are_never_held_all_at_once(tmp_path):
    size, count = 1_000_000, 60
    task = one_task(tmp_path, [worldbench(0, right=True)])
    with task.samples_file.open("w", encoding="utf-8") as file:
        for number in range(count):
            written = worldbench(number, right=True) | {"filtered_resps": "x" * size}
            file.write(json.dumps(written) + "\n")
    tracemalloc.start()
    try:
        assert sum(len(sample.response) for sample in task.samples()) == size * count
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 10 * size
