"""The command `lmms-eval-tasks verdicts`."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from lmms_eval_tasks.cli import main
from lmms_eval_tasks_core.judging.store import VerdictStore
from lmms_eval_tasks_core.judging.verdict_file import VerdictFile
from tests.core.judging.test_store import kept, key


@pytest.fixture
def path(monkeypatch, tmp_path) -> Path:
    path = tmp_path / "cache" / "verdicts.sqlite"
    monkeypatch.setenv("LMMS_EVAL_TASKS_VERDICTS", str(path))
    return path


@pytest.fixture
def filled(path) -> Path:
    path.parent.mkdir()
    file = VerdictFile(path)
    file.put(
        [
            (key(1), kept("Grade: correct", "old-judge", "2025-05-01T10:00:00Z")),
            (key(2), kept("Grade: 正確", "old-judge", "2026-02-01T10:00:00Z")),
            (key(3), kept("Grade: correct", "new-judge", "2026-02-02T10:00:00Z")),
        ]
    )
    file.close()
    return path


def invoke(*arguments: object, exit_code: int = 0) -> str:
    done = CliRunner().invoke(main, ["verdicts", *map(str, arguments)])
    assert done.exit_code == exit_code, done.output
    assert "Traceback" not in done.output
    return done.output


def test_it_counts_by_judge_and_version(filled):
    lines = invoke().splitlines()
    assert lines[0].startswith(f"{filled}: 3 verdicts, 0.")
    assert lines[1:] == [
        f"  {judge} at server, v-1: {kept_of_it}; uses not counted yet"
        for judge, kept_of_it in (
            ("new-judge", "1 verdicts, 10 tokens in and 5 out, 2026-02-02 to 2026-02-02"),
            ("old-judge", "2 verdicts, 20 tokens in and 10 out, 2025-05-01 to 2026-02-01"),
        )
    ]


@pytest.fixture
def used(filled) -> Path:
    """The same, after a run that reused three verdicts of the old judge and bought one."""
    store = VerdictStore(filled)
    for name in (1, 2, 1):
        found = store.get(key(name))
        assert found is not None
        store.reuse(found)
    store.put(key(4), kept("Grade: correct", "old-judge", "2026-02-03T10:00:00Z"))
    store.close()
    return filled


def test_it_says_how_often_verdicts_were_reused(used):
    new, old = invoke().splitlines()[1:]
    assert new.endswith("; uses not counted yet")
    assert "old-judge at server, v-1: 3 verdicts" in old
    assert "; reused 3 of 4 times (75.0%) since 20" in old


def test_scripts_get_the_same_as_json(used):
    said = json.loads(invoke("--json"))
    assert said["file"] == str(used)
    assert said["verdicts"] == 4
    assert said["bytes"] > 0
    new, old = said["by_judge"]
    assert (new["judge"], new["verdicts"], new["hit_rate"]) == ("new-judge", 1, None)
    counted = {name: old[name] for name in ("reused", "bought", "hit_rate", "input_tokens")}
    assert counted == {"reused": 3, "bought": 1, "hit_rate": 0.75, "input_tokens": 30}


def test_where_nothing_is_kept_json_says_so(path):
    said = json.loads(invoke("--json"))
    assert said == {"file": str(path), "bytes": 0, "verdicts": 0, "by_judge": []}


def test_counts_go_with_the_last_verdict_of_their_judge(used):
    invoke("prune", "--judge", "old-judge", "--before", "2026-02-02")
    assert "1 verdicts" in invoke().splitlines()[2]
    assert "reused 3 of 4" in invoke().splitlines()[2]
    invoke("prune", "--judge", "old-judge")
    invoke("prune", "--judge", "new-judge")
    store = VerdictStore(used)
    store.put(key(1), kept("Grade: correct", "old-judge", "2026-02-03T10:00:00Z"))
    store.close()
    assert "reused 0 of 1 times" in invoke()


def test_an_import_is_no_purchase(used, tmp_path, monkeypatch):
    target = tmp_path / "verdicts.jsonl"
    invoke("export", target)
    monkeypatch.setenv("LMMS_EVAL_TASKS_VERDICTS", str(tmp_path / "other.sqlite"))
    invoke("import", target)
    assert invoke().count("uses not counted yet") == 2


def test_what_is_exported_can_be_imported_elsewhere(filled, tmp_path, monkeypatch):
    target = tmp_path / "verdicts.jsonl"
    assert "Wrote 3 verdicts" in invoke("export", target)
    lines = [json.loads(line) for line in target.read_text(encoding="utf-8").splitlines()]
    assert [line["key"] for line in lines] == [key(1), key(2), key(3)]
    assert lines[1]["reply"] == "Grade: 正確"
    monkeypatch.setenv("LMMS_EVAL_TASKS_VERDICTS", str(tmp_path / "new folder" / "v.sqlite"))
    assert "Added 3 of 3" in invoke("import", target)
    assert "Added 0 of 3" in invoke("import", target)
    again = tmp_path / "again.jsonl"
    invoke("export", again)
    assert again.read_bytes() == target.read_bytes()


def test_an_import_with_a_bad_line_imports_nothing(filled, tmp_path):
    source = tmp_path / "bad.jsonl"
    invoke("export", source)
    source.write_text(source.read_text(encoding="utf-8") + "\n{}\n", encoding="utf-8")
    assert f"{source}, line 5: `key` is missing" in invoke("import", source, exit_code=1)


@pytest.mark.parametrize(
    ("options", "left"),
    [
        (("--judge", "old-judge"), [key(3)]),
        (("--before", "2026-01-01"), [key(2), key(3)]),
        (("--judge", "new-judge", "--before", "2026-01-01"), [key(1), key(2), key(3)]),
        (("--judge", "old-judge", "--before", "2026-02-02"), [key(3)]),
        (("--judge", "nobody"), [key(1), key(2), key(3)]),
    ],
)
def test_pruning_forgets_what_is_named(filled, options, left):
    assert f"Forgot {3 - len(left)} verdicts" in invoke("prune", *options)
    file = VerdictFile(filled)
    assert [name for name, _ in file.entries()] == left


def test_a_judge_of_whom_nothing_is_kept_is_answered_with_those_that_are(filled):
    done = CliRunner().invoke(main, ["verdicts", "prune", "--judge", "old-juge"])
    assert (done.exit_code, done.stdout) == (0, "Forgot 0 verdicts.\n")
    said = "No verdicts of 'old-juge' are kept; there are those of new-judge, old-judge.\n"
    assert done.stderr == said
    known = invoke("prune", "--judge", "new-judge", "--before", "2026-01-01")
    assert known == "Forgot 0 verdicts.\n"
    assert invoke("prune", "--before", "2020-01-01") == "Forgot 0 verdicts.\n"
    for judge in ("old-judge", "new-judge"):
        assert "are kept" not in invoke("prune", "--judge", judge)
    assert "No verdicts of 'm' are kept; there are none." in invoke("prune", "--judge", "m")


def test_pruning_everything_has_to_be_said(filled):
    assert "Say which" in invoke("prune", exit_code=2)
    assert "3 verdicts" in invoke()


def test_where_nothing_is_kept_it_says_so_and_makes_no_file(path, tmp_path, monkeypatch):
    assert "no verdicts yet" in invoke()
    assert "no verdicts yet" in invoke("prune", "--judge", "m", exit_code=1)
    assert "no verdicts yet" in invoke("export", tmp_path / "out.jsonl", exit_code=1)
    assert not path.parent.exists()
    monkeypatch.setenv("LMMS_EVAL_TASKS_VERDICTS", "OFF")
    assert "LMMS_EVAL_TASKS_VERDICTS is off" in invoke(exit_code=1)
    monkeypatch.setenv("LMMS_EVAL_TASKS_VERDICTS", "$NO_SUCH_VARIABLE/v")
    assert "NO_SUCH_VARIABLE" in invoke(exit_code=1)


def test_a_file_of_something_else_is_named_and_left_where_it_is(path):
    path.parent.mkdir()
    path.write_text("something else")
    assert "it is not a database" in invoke(exit_code=1)
    assert path.read_text() == "something else"


def test_it_is_quick_and_imports_nothing_heavy(filled):
    code = (
        "import sys; from lmms_eval_tasks.cli import main;"
        "main(['verdicts'], standalone_mode=False);"
        "print(sorted({'torch', 'datasets', 'lmms_eval', 'openai', 'av'} & set(sys.modules)))"
    )
    began = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert time.perf_counter() - began < 1
    assert done.stdout.splitlines()[-1] == "[]"
