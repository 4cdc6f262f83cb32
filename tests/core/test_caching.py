from __future__ import annotations

import os

from lmms_eval_tasks_core.caching import Kept


def test_the_last_few_values_are_kept_and_a_changed_file_is_another(tmp_path):
    made: list[str] = []
    files = [tmp_path / name for name in "abc"]
    for file in files:
        file.write_text(file.name)

    def make(path):
        made.append(path.name)
        return path.read_text()

    kept = Kept(make, most=2)
    first, second, third = files
    assert [kept(first), kept(first), kept(second)] == ["a", "a", "b"]
    assert made == ["a", "b"]
    kept(third)
    kept(first)
    assert made == ["a", "b", "c", "a"]
    first.write_text("changed")
    os.utime(first, (1, 1))
    assert kept(first) == "changed"


def test_a_file_that_is_not_there_is_asked_for_all_the_same(tmp_path):
    assert Kept(lambda path: path.name, most=1)(tmp_path / "gone") == "gone"
