"""A report that cannot be written costs a line in the log, and never the run."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest
from loguru import logger

from lmms_eval_tasks import _report_at_end


class EvaluationTracker:
    """As much of lmms-eval's as the seams know."""

    def __init__(self, output_path):
        self.output_path = output_path
        self.general_config_tracker = SimpleNamespace(model_name_sanitized="m")
        self.date_id = "20260101_000000"
        self.saved = []

    def save_results_aggregated(self, results, samples, datetime_str):
        self.saved.append("results")

    def save_results_samples(self, task_name, samples):
        self.saved.append(task_name)


@pytest.fixture
def tracker(monkeypatch, tmp_path):
    made = type("EvaluationTracker", (EvaluationTracker,), {})
    module = SimpleNamespace(__name__="tracking", EvaluationTracker=made)
    monkeypatch.setitem(sys.modules, "lmms_eval.loggers.evaluation_tracker", module)
    monkeypatch.setenv("LMMS_EVAL_TASKS_REPORT", "1")
    _report_at_end.prepare()
    return made(str(tmp_path))


@pytest.fixture
def lines():
    heard: list[str] = []
    sink = logger.add(heard.append, format="{message}")
    yield heard
    logger.remove(sink)


@pytest.mark.parametrize("written", ["", "{", '{"results": {}}', "[]"])
def test_whatever_is_wrong_with_the_results_file(tracker, lines, tmp_path, written):
    if written:
        (tmp_path / "m").mkdir()
        (tmp_path / "m" / "20260101_000000_results.json").write_text(written)
    results = {"configs": {"one": {}, "two": {}}}
    tracker.save_results_aggregated(
        results=results, samples={"one": [], "two": []}, datetime_str="20260101_000000"
    )
    tracker.save_results_samples(task_name="one", samples=[])
    assert lines == []
    tracker.save_results_samples(task_name="two", samples=[])
    assert tracker.saved == ["results", "one", "two"]
    (line,) = lines
    assert line.startswith("No report of this run: ")


def test_nothing_is_touched_where_no_report_is_wanted(monkeypatch):
    made = type("EvaluationTracker", (EvaluationTracker,), {})
    before = made.save_results_samples
    module = SimpleNamespace(__name__="tracking", EvaluationTracker=made)
    monkeypatch.setitem(sys.modules, "lmms_eval.loggers.evaluation_tracker", module)
    monkeypatch.delenv("LMMS_EVAL_TASKS_REPORT", raising=False)
    _report_at_end.prepare()
    assert made.save_results_samples is before
