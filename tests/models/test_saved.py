"""Saved responses: which files are understood, and which question a response answers."""

from __future__ import annotations

import json

import pytest

from lmms_eval_tasks.models.saved import read_saved
from lmms_eval_tasks_core.errors import ReplayError


def write(path, *lines):
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def test_plain_lines_are_found_by_task_and_id(tmp_path):
    file = write(tmp_path / "r.jsonl", {"task": "geoqa", "id": 3, "response": "g_double N_0"})
    saved = read_saved(str(file))
    assert saved.find("geoqa", {"id": "3"}, 7) == ["g_double N_0"]
    assert saved.find("geoqa", {"id": "4"}, 3) is None
    assert saved.find("worldqa", {"id": "3"}, 3) is None


def test_lmms_evals_own_samples_are_found_by_the_id_inside_a_metric(tmp_path):
    line = {"doc_id": 0, "filtered_resps": "B", "target": "A", "accuracy": {"id": "q9", "score": 0}}
    write(tmp_path / "20260101_120000_samples_worldbench.jsonl", line)
    saved = read_saved(str(tmp_path))
    assert saved.find("worldbench", {"id": "q9"}, 55) == ["B"]


def test_samples_of_tasks_without_ids_are_found_by_position(tmp_path):
    write(tmp_path / "20260101_120000_samples_mme.jsonl", {"doc_id": 4, "resps": [["Yes"]]})
    assert read_saved(str(tmp_path)).find("mme", {"question": "?"}, 4) == ["Yes"]


def test_what_the_model_said_is_taken_before_what_a_filter_left_of_it(tmp_path):
    line = {"doc_id": 0, "resps": ["<think>x</think>B"], "filtered_resps": "B"}
    write(tmp_path / "20260101_120000_samples_t.jsonl", line)
    assert read_saved(str(tmp_path)).find("t", {}, 0) == ["<think>x</think>B"]


def test_a_list_holds_one_response_for_each_asking(tmp_path):
    file = write(tmp_path / "r.jsonl", {"task": "t", "id": "1", "response": ["A", None, "B"]})
    assert read_saved(str(file)).find("t", {"id": "1"}, 0) == ["A", "", "B"]


def test_a_folder_a_pattern_and_a_home_are_understood(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "deep").mkdir()
    write(tmp_path / "deep" / "a.jsonl", {"task": "t", "id": "1", "response": "A"})
    for where in (str(tmp_path), f"{tmp_path}/*/a.jsonl", "~/deep/a.jsonl"):
        assert read_saved(where).find("t", {"id": "1"}, 0) == ["A"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{not json\n", "line 1: not JSON"),
        ("[1]\n", "line 1: not a JSON object"),
        ('{"task": "t", "id": 1}\n', "no response"),
        ('{"task": "t", "id": 1, "response": "A"}\n' * 2, "line 2: a second response to t 1"),
    ],
)
def test_a_line_that_cannot_be_used_is_named(tmp_path, text, words):
    (tmp_path / "r.jsonl").write_text(text)
    with pytest.raises(ReplayError, match=words):
        read_saved(str(tmp_path / "r.jsonl"))


def test_two_runs_in_one_folder_are_not_mixed(tmp_path):
    line = {"doc_id": 0, "filtered_resps": "B", "accuracy": {"id": "q9", "score": 0}}
    first = write(tmp_path / "20260101_120000_samples_t.jsonl", line)
    write(tmp_path / "20260101_130000_samples_other.jsonl", line)
    assert read_saved(str(tmp_path)).tasks == {"t", "other"}
    (tmp_path / "b").mkdir()
    write(tmp_path / "b" / "20260102_120000_samples_t.jsonl", line)
    with pytest.raises(ReplayError, match=r"second response to t q9; .* line 1\. Name the file"):
        read_saved(str(tmp_path))
    assert read_saved(str(first)).find("t", {"id": "q9"}, 0) == ["B"]


def test_a_second_response_at_one_position_is_one_too_many(tmp_path):
    for hour in (1, 2):
        write(tmp_path / f"20260101_0{hour}0000_samples_mme.jsonl", {"doc_id": 4, "resps": ["Y"]})
    with pytest.raises(ReplayError, match="a second response to mme number 4"):
        read_saved(str(tmp_path))


def test_a_logged_line_without_a_response_is_named(tmp_path):
    file = write(tmp_path / "20260101_120000_samples_t.jsonl", {"doc_id": 0})
    with pytest.raises(ReplayError, match="no doc_id, or no resps"):
        read_saved(str(file))


def test_nothing_there_is_said_with_the_forms_that_are_understood(tmp_path):
    with pytest.raises(ReplayError, match=r"No saved responses at .*\{task, id, response\}"):
        read_saved(str(tmp_path / "none.jsonl"))
