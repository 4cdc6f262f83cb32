"""What a user reads when a data set cannot be had."""

from __future__ import annotations

from types import SimpleNamespace

from lmms_eval_tasks._unavailable import unavailable


def source(**fields):
    return SimpleNamespace(**({"task": "t", "dataset_path": "p/q", "dataset_name": None} | fields))


def test_a_hub_data_set_sends_to_the_hub_a_local_copy_or_the_samples():
    error = unavailable(source(dataset_name="MC"), ConnectionError("no\n  route"))
    assert error.problem == "Task t: the data set p/q MC could not be loaded (no route)."
    assert "lmms-eval-tasks path t" in error.remedy
    assert "geoqa_sample" in error.remedy


def test_local_files_send_to_the_files_and_the_cache():
    error = unavailable(source(dataset_path="json"), OSError("Read-only file system"))
    assert "data_files" in error.remedy
    assert "HF_HOME" in error.remedy
    assert "Hub" not in error.remedy


def test_the_cause_behind_a_vague_failure_is_said():
    trouble = RuntimeError("generating failed")
    trouble.__cause__ = ValueError("Expected object at position 1")
    assert "generating failed: Expected object at position 1" in str(unavailable(source(), trouble))


def test_a_failure_without_words_says_its_kind():
    assert "(TimeoutError)" in str(unavailable(source(), TimeoutError()))
