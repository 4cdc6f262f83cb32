"""Runs that are not comparable are refused with both values; --anyway compares them and says so."""

from __future__ import annotations

import pytest

from tests.compare.invoking import compared, invoke
from tests.results.layout import METADATA, geoqa, open_ended, passes, task_config, write_run

LINES = {
    "worldqa_open_ended": [open_ended(number, 50.0) for number in range(6)],
    "worldqa_circular": passes(0, [True, True]),
    "geoqa": [geoqa(number, right=True) for number in range(6)],
}


def pair(tmp_path, task, *, of_task=(), lines=None, **changes):
    """Two runs of a task, of which the second has another configuration, samples or results."""
    changed = task_config(task) | dict(of_task)
    return (
        write_run(tmp_path / "a", {task: LINES[task]}),
        write_run(tmp_path / "b", {task: lines or LINES[task]}, {task: changed}, **changes),
    )


def metadata(task, **changes):
    return {"metadata": {"version": "1.0", **METADATA[task], **changes}}


def run_options(**changes):
    return {"config": {"model": "replay", "model_args": "", "limit": None, "offset": 0, **changes}}


def with_item(lines, metric, **changes):
    return [line | {metric: line[metric] | changes} for line in lines]


OPEN, CIRCULAR, GEOQA = "worldqa_open_ended", "worldqa_circular", "geoqa"
REASONS = {
    "judge": (
        OPEN,
        {"of_task": metadata(OPEN, judge="lexical")},
        "judge: gpt-4o in A, lexical in B",
    ),
    "judge stated by one alone": (
        OPEN,
        {"of_task": {"metadata": {"version": "1.0", "rubric_version": "worldqa-1"}}},
        "judge: gpt-4o in A, not stated in B",
    ),
    "judge of the verdicts": (
        OPEN,
        {"lines": with_item(LINES[OPEN], "open_ended_score", judge="gpt-4.1")},
        "judge in the samples: gpt-4o in A, gpt-4.1 in B",
    ),
    "rubric": (
        OPEN,
        {"of_task": metadata(OPEN, rubric_version="worldqa-2")},
        "version of the rubric: worldqa-1 in A, worldqa-2 in B",
    ),
    "matcher": (
        CIRCULAR,
        {"of_task": metadata(CIRCULAR, matcher="gpt-4o")},
        "matcher: lexical in A, gpt-4o in B",
    ),
    "version of the matcher": (
        CIRCULAR,
        {"of_task": metadata(CIRCULAR, matcher_version="match-1")},
        "version of the matcher: lexical-match-1 in A, match-1 in B",
    ),
    "beam": (GEOQA, {"of_task": metadata(GEOQA, beam=10)}, "beam: 1 in A, 10 in B"),
    "beam as asked": (
        GEOQA,
        {"lines": with_item(LINES[GEOQA], "accuracy", beam=3)},
        "beam in the samples: 1 in A, 3 in B",
    ),
    "version": (
        GEOQA,
        {"of_task": metadata(GEOQA, version="2.0")},
        "task version: 1.0 in A, 2.0 in B",
    ),
    "data set": (
        GEOQA,
        {"of_task": {"dataset_path": "me/mine"}},
        "data (dataset_path): hub/geoqa in A, me/mine in B",
    ),
    "configuration of the data": (
        OPEN,
        {"of_task": {"dataset_name": "MC"}},
        "data (dataset_name): not stated in A, MC in B",
    ),
    "split": (GEOQA, {"of_task": {"test_split": "val"}}, "data (test_split): test in A, val in B"),
    "revision": (
        GEOQA,
        {"of_task": {"dataset_kwargs": {"revision": "abc"}}},
        "data (revision): not stated in A, abc in B",
    ),
    "file": (
        GEOQA,
        {"of_task": {"dataset_kwargs": {"data_files": {"test": ["/x/mine.parquet"]}}}},
        "data (files): not stated in A, test: mine.parquet in B",
    ),
    "rows": (
        GEOQA,
        {"n-samples": {"geoqa": {"original": 7, "effective": 6}}},
        "data (number of rows): 6 in A, 7 in B",
    ),
    "limit": (GEOQA, run_options(limit=6), "limit: none in A, 6 in B"),
    "offset": (GEOQA, run_options(offset=3), "offset: none in A, 3 in B"),
    "ids": (
        GEOQA,
        {"lines": [geoqa(number, right=True) for number in range(1, 6)]},
        "ids: 1 the other lacks (g0) in A, none the other lacks in B",
    ),
    "prompt": (
        GEOQA,
        {"lines": [line | {"input": "Other words?"} for line in LINES[GEOQA]]},
        "prompt or right answer: 6 of 6 questions (g0, g1, g2, …)",
    ),
    "right answer": (
        GEOQA,
        {"lines": [LINES[GEOQA][0] | {"target": "D"}, *LINES[GEOQA][1:]]},
        "prompt or right answer: 1 of 6 questions (g0)",
    ),
}


@pytest.mark.parametrize("reason", REASONS)
def test_it_refuses_and_says_what_differs_with_both_values(tmp_path, reason):
    task, changes, words = REASONS[reason]
    a, b = pair(tmp_path, task, **changes)
    refused = invoke(a, b, exit_code=2)
    assert f"  {task}, A and B: {words}" in refused.stderr
    assert "--anyway" in refused.stderr
    assert refused.stdout == ""
    assert invoke(a, b, "--json", "--html", tmp_path / "page.html", exit_code=2).stdout == ""
    assert not (tmp_path / "page.html").exists()


@pytest.mark.parametrize("reason", REASONS)
def test_anyway_compares_and_says_so_at_the_top(tmp_path, reason):
    task, changes, words = REASONS[reason]
    a, b = pair(tmp_path, task, **changes)
    said = invoke(a, b, "--anyway").output.splitlines()
    assert said[0] == "NOT COMPARABLE, compared anyway:"
    warnings = said[1 : said.index("")]
    assert any(words in line for line in warnings)
    assert any(words in warning for warning in compared(a, b, "--anyway")["warnings"])


def test_every_difference_is_said_at_once(tmp_path):
    changes = {"of_task": metadata(OPEN, judge="lexical", rubric_version="worldqa-9")}
    refused = invoke(*pair(tmp_path, OPEN, **changes, **run_options(limit=6)), exit_code=2)
    for word in ("judge:", "version of the rubric:", "limit:"):
        assert word in refused.stderr


def test_one_setting_is_not_taken_for_another(tmp_path):
    question = "worldqa_open_ended_question"
    a = write_run(tmp_path / "a", {OPEN: LINES[OPEN]})
    b = write_run(tmp_path / "b", {question: LINES[OPEN]})
    words = f"setting (name of the task): {OPEN} in A, {question} in B"
    assert words in invoke(a, b, exit_code=2).stderr
    (task,) = compared(a, b, "--anyway")["tasks"]
    assert task["task"] == f"{OPEN} / {question}"


def test_one_name_for_two_kinds_of_task_is_refused(tmp_path):
    a = write_run(tmp_path / "a", {"mine": LINES[GEOQA]}, {"mine": task_config(GEOQA)})
    b = write_run(tmp_path / "b", {"mine": LINES[OPEN]}, {"mine": task_config(OPEN)})
    words = "setting (kind of task): geoqa in A, worldqa_open_ended in B"
    assert words in invoke(a, b, exit_code=2).stderr


def test_with_other_ids_the_shared_questions_are_compared_and_the_others_counted(tmp_path):
    lines = [geoqa(number, right=False) for number in range(2, 9)]
    a, b = pair(tmp_path, GEOQA, lines=lines)
    (task,) = compared(a, b, "--anyway")["tasks"]
    assert (task["only_a"], task["only_b"]) == (["g0", "g1"], ["g6", "g7", "g8"])
    assert task["measures"]["accuracy"]["overall"]["questions"] == 4
    said = invoke(a, b, "--anyway").output
    assert "Only in A, and not compared: 2 (g0, g1)." in said
    assert "Only in B, and not compared: 3 (g6, g7, g8)." in said


def test_runs_without_a_question_in_common_have_nothing_to_compare(tmp_path):
    a, b = pair(tmp_path, GEOQA, lines=[geoqa(number, right=True) for number in range(20, 25)])
    said = invoke(a, b, "--anyway", "--html", tmp_path / "page.html").output
    assert "accuracy: no question has a value in both runs." in said
    assert compared(a, b, "--anyway")["tasks"][0]["measures"]["accuracy"]["overall"] is None


COMPARABLE = {
    "only the interface of the task changed": (GEOQA, {"of_task": metadata(GEOQA, version="1.7")}),
    "other decoding": (GEOQA, {"of_task": {"generation_kwargs": {"temperature": 1.0}}}),
    "another lmms-eval": (GEOQA, {"lmms_eval_version": "0.9"}),
    "one run states more": (GEOQA, {"of_task": metadata(GEOQA, data={"fingerprint": "f"})}),
    "another model": (GEOQA, run_options(model="openai", model_args="model_version=m")),
    "rules needed no matcher": (
        CIRCULAR,
        {"lines": with_item(LINES[CIRCULAR], "circular_acc", matcher="lexical")},
    ),
}


@pytest.mark.parametrize("case", COMPARABLE)
def test_what_may_differ_is_not_refused(tmp_path, case):
    task, changes = COMPARABLE[case]
    assert compared(*pair(tmp_path, task, **changes))["warnings"] == []


def test_what_is_worth_knowing_is_said(tmp_path):
    changes = {"of_task": {"generation_kwargs": {"temperature": 1.0}}}
    said = invoke(*pair(tmp_path, GEOQA, **changes)).output
    assert "generation setting `temperature`: 0.0 in A, 1.0 in B" in said


def test_a_fingerprint_that_both_state_decides(tmp_path):
    configs = [{GEOQA: task_config(GEOQA) | metadata(GEOQA, data={"sha": sha})} for sha in "xy"]
    a, b = (
        write_run(tmp_path / name, {GEOQA: LINES[GEOQA]}, config)
        for name, config in zip("ab", configs, strict=True)
    )
    assert "metadata `data.sha`: x in A, y in B" in invoke(a, b, exit_code=2).stderr


def test_the_folder_a_file_lies_in_says_nothing_about_the_data(tmp_path):
    configs = [
        {GEOQA: task_config(GEOQA, dataset_kwargs={"data_files": {"test": f"/{home}/geo.parquet"}})}
        for home in ("here", "there")
    ]
    a, b = (
        write_run(tmp_path / name, {GEOQA: LINES[GEOQA]}, config)
        for name, config in zip("ab", configs, strict=True)
    )
    assert compared(a, b)["warnings"] == []
