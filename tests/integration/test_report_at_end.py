"""A run that was asked for a report ends with one."""

from __future__ import annotations

import pytest

from tests.integration.harness import run

pytestmark = pytest.mark.slow

ASKED = {"LMMS_EVAL_TASKS_REPORT": "1"}
SAMPLES = ("--model", "replay", "--tasks", "geoqa_sample,worldqa_sample")


def test_the_report_lies_beside_the_results_and_is_whole(tmp_path):
    done = run(*SAMPLES, "--log_samples", folder=tmp_path, environment=ASKED)
    assert done.results is not None
    (page,) = (tmp_path / "out").rglob("*_report.html")
    assert page.name.partition("_report")[0] == done.results["date"]
    assert str(page) in done.output
    html = page.read_text(encoding="utf-8")
    for task, metric in (
        ("geoqa_sample", "accuracy"),
        ("worldqa_open_ended_sample", "open_ended_score"),
        ("worldqa_circular_sample", "circular_acc"),
    ):
        assert [key for key in done.items(task, metric) if f'"{key}"' not in html] == []


def test_without_samples_one_line_says_what_is_missing(tmp_path):
    done = run(*SAMPLES, folder=tmp_path, environment=ASKED)
    assert done.results is not None
    assert list((tmp_path / "out").rglob("*.html")) == []
    assert "LMMS_EVAL_TASKS_REPORT is set, but a report needs --log_samples" in done.output


def test_a_value_that_says_neither_stops_the_run_before_it_costs_anything(tmp_path):
    done = run(*SAMPLES, folder=tmp_path, environment={"LMMS_EVAL_TASKS_REPORT": "html"})
    assert done.results is None
    assert "'html' says neither yes nor no" in done.output
