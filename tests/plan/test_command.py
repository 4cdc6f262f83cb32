"""`lmms-eval-tasks plan`: which tasks a name stands for, what they cost, and how that is said."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
import time
from pathlib import Path

import pytest

import lmms_eval_tasks
from tests.plan.running import planned, said, tasks

PACK = Path(lmms_eval_tasks.__file__).parent
SAMPLES = "worldqa_sample,worldbench_sample,geoqa_sample"


@pytest.fixture(autouse=True)
def _nothing_in_the_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    for name in ("JUDGE", "JUDGE_MODEL", "JUDGE_BASE_URL", "MATCHER", "MATCHER_MODEL", "VIDEOS"):
        monkeypatch.delenv(f"LMMS_EVAL_TASKS_{name}", raising=False)


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ("worldqa", ["worldqa_open_ended", "worldqa_circular"]),
        ("geoqa, geoqa ,geoqa_choice", ["geoqa", "geoqa_choice"]),
        ("worldbench*", ["worldbench", "worldbench_sample"]),
        (
            "worldqa_settings",
            [
                f"worldqa_{kind}{setting}"
                for kind in ("open_ended", "circular")
                for setting in ("", "_question", "_description", "_frames8", "_audio")
            ],
        ),
    ],
)
def test_names_stand_for_tasks(names, expected):
    assert list(tasks("--tasks", names)) == expected


def test_a_users_own_tasks_groups_and_tags_are_known(tmp_path):
    base = f"include: {PACK}/worldqa/worldqa_circular_sample.yaml\n"
    (tmp_path / "one.yaml").write_text(f"{base}task: one\ntag: mine_tagged\n")
    (tmp_path / "deeper").mkdir()
    (tmp_path / "deeper" / "two.yaml").write_text(f"{base}task: two\ntag: [mine_tagged, other]\n")
    (tmp_path / "group.yaml").write_text("group: mine\ntask: [one, {task: two}, geoqa_sample]\n")
    (tmp_path / "broken.yaml").write_text("task: [unclosed\n")
    (tmp_path / "foreign.yaml").write_text("Resources: !Ref something\n")
    include = ("--include-path", tmp_path)
    assert list(tasks("--tasks", "mine", *include)) == ["one", "two", "geoqa_sample"]
    assert list(tasks("--tasks", "mine_tagged", *include)) == ["two", "one"]
    words = said("--tasks", "broken", *include, exit_code=1)
    assert "broken.yaml cannot be read" in words


def test_a_users_own_task_takes_the_place_of_ours(tmp_path):
    (tmp_path / "geoqa.yaml").write_text(
        f"include: {PACK}/geoqa/geoqa_sample.yaml\ntask: geoqa\n", encoding="utf-8"
    )
    assert tasks("--tasks", "geoqa", "--include-path", tmp_path)["geoqa"]["requests"] == 20


def test_a_file_that_includes_itself_is_no_endless_story(tmp_path):
    (tmp_path / "round.yaml").write_text("include: round.yaml\ntask: round\n")
    words = said("--tasks", "round", "--include-path", tmp_path, exit_code=1)
    assert "includes itself" in words


def test_a_name_that_is_not_there_is_answered_with_those_that_are_near():
    words = said("--tasks", "geoqa,worldqa_circulr", exit_code=1)
    assert "There is no task 'worldqa_circulr'. Did you mean worldqa_circular" in words
    assert len(words.strip().splitlines()) == 1


def test_tasks_that_are_not_ours_are_named_and_left_out(tmp_path):
    (tmp_path / "alien.yaml").write_text(
        "task: alien\ndataset_path: a/b\nmetric_list: [{metric: accuracy}]\n", encoding="utf-8"
    )
    plan = planned("--tasks", "mme,alien,geoqa_sample", "--include-path", tmp_path)
    assert plan["left_out"] == ["alien", "mme"]
    assert [task["name"] for task in plan["tasks"]] == ["geoqa_sample"]
    assert "Left out, not of this package: mme." in said("--tasks", "mme")


def test_a_function_that_cannot_be_imported_is_named(tmp_path):
    (tmp_path / "mine.yaml").write_text(
        f"include: {PACK}/geoqa/geoqa_sample.yaml\ntask: mine\n"
        "doc_to_text: !function no_such_module.text\n"
    )
    words = said("--tasks", "mine", "--include-path", tmp_path, exit_code=1)
    assert "mine.yaml: `!function no_such_module.text` cannot be imported" in words


def test_money_is_tokens_times_prices():
    prices = (
        "--price-in",
        "2",
        "--price-out",
        "8",
        "--judge-price-in",
        "1",
        "--judge-price-out",
        "3",
    )
    plan = planned("--tasks", "worldqa,geoqa_sample", *prices)
    total = 0.0
    for task in plan["tasks"]:
        model = (2 * task["prompt_tokens"] + 8 * task["answer_tokens"]) / 1e6
        assert task["usd_model"] == pytest.approx(model)
        asked = task["asked"]
        if asked is None:
            assert task["usd_judge"] is None
            judge = 0.0
        else:
            judge = (asked["input_tokens"] + 3 * asked["output_tokens"]) / 1e6
            assert task["usd_judge"] == pytest.approx(judge)
        total += model + judge
    assert plan["usd"] == pytest.approx(total)
    assert planned("--tasks", "geoqa_sample")["usd"] is None
    words = said("--tasks", "geoqa_sample", "--price-in", "2", "--price-out", "8")
    assert "20 pictures are not in the tokens nor in USD" in words


def test_a_price_alone_and_two_earlier_runs_are_refused(tmp_path):
    words = said("--tasks", "geoqa", "--judge-price-in", "1", exit_code=2)
    assert "Give both: --judge-price-in and --judge-price-out" in words
    (tmp_path / "r.jsonl").write_text("")
    both = ("--from-run", tmp_path, "--responses", tmp_path / "r.jsonl")
    assert "Give one of the two" in said("--tasks", "geoqa", *both, exit_code=2)


def test_pictures_count_as_the_user_says():
    plain = tasks("--tasks", SAMPLES)
    counted = tasks("--tasks", SAMPLES, "--image-tokens", "1000")
    for name, pictures in (("worldbench_sample", 12), ("geoqa_sample", 20)):
        difference = counted[name]["prompt_tokens"] - plain[name]["prompt_tokens"]
        assert difference == 1_000 * pictures
    assert "pictures are not in the tokens" not in said("--tasks", SAMPLES, "--image-tokens", "9")


def test_responses_are_as_long_as_the_user_says_and_never_longer_than_they_may_be():
    task = tasks("--tasks", "geoqa_sample", "--responses-tokens", "50")["geoqa_sample"]
    assert task["answer_tokens"] == 20 * 50
    assert task["answer_tokens_at_most"] == 20 * 4_096
    assert tasks("--tasks", "geoqa_sample")["geoqa_sample"]["answer_tokens"] == 20 * 300


def run(*arguments: str, **keywords) -> subprocess.CompletedProcess[str]:
    code = "from lmms_eval_tasks.cli import main; main()"
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, **keywords)


def test_piped_it_is_aligned_and_has_no_frames():
    lines = run("plan", "--tasks", SAMPLES).stdout.splitlines()
    assert lines[0].split() == [
        *("task", "requests", "tokens", "in", "tokens", "out", "media"),
        *("judge", "requests", "judge", "in", "judge", "out"),
    ]
    assert lines[1].split()[:2] == ["worldqa_open_ended_sample", "6"]
    assert lines[5].split()[:2] == ["together", "61"]
    assert not any(sign in "".join(lines) for sign in "─│┃\x1b")
    column = lines[0].index("requests") + len("requests")
    assert {line[column - 1] for line in lines[1:5]} == {"6", "3", "2", "0"}


def test_on_a_narrow_terminal_it_is_a_table_and_no_number_is_cut():
    master, slave = pty.openpty()
    environment = {**os.environ, "COLUMNS": "80", "TERM": "xterm"}
    code = "from lmms_eval_tasks.cli import main; main()"
    prices = ("--price-in", "1", "--price-out", "2")
    process = subprocess.Popen(
        [sys.executable, "-c", code, "plan", "--tasks", "worldqa_settings", *prices],
        stdout=slave,
        env=environment,
    )
    os.close(slave)
    shown = b""
    while True:
        try:
            part = os.read(master, 4_096)
        except OSError:
            break
        if not part:
            break
        shown += part
    assert process.wait() == 0
    text = shown.decode()
    assert "─" in text
    assert "…" not in text
    assert "3,387" in text
    assert max(len(line) for line in text.splitlines() if "\x1b" not in line) <= 80


def test_help_is_quick_and_imports_nothing_heavy():
    code = (
        "import sys; from lmms_eval_tasks.cli import main;"
        "main(['plan', '--help'], standalone_mode=False);"
        "print(sorted({'torch', 'datasets', 'lmms_eval', 'openai', 'yaml', 'rich', 'PIL'}"
        " & set(sys.modules)))"
    )
    took = []
    for _ in range(3):
        began = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        )
        took.append(time.perf_counter() - began)
    assert done.stdout.splitlines()[-1] == "[]"
    assert "lmms-eval-tasks plan --tasks worldqa" in done.stdout
    assert min(took) < 1


def test_planning_imports_neither_lmms_eval_nor_torch():
    code = (
        "import sys; from lmms_eval_tasks.cli import main;"
        f"main(['plan', '--tasks', '{SAMPLES}', '--json'], standalone_mode=False);"
        "print(json.dumps(sorted({'torch', 'lmms_eval'} & set(sys.modules))))"
    ).replace("import sys;", "import json, sys;")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout.splitlines()[-1]) == []


def test_the_plan_of_the_samples_is_what_a_run_of_them_asks():
    # The responses to be replayed are one for each request of a run.
    replay = (PACK / "samples/replay/responses.jsonl").read_text(encoding="utf-8").splitlines()
    asked = [json.loads(line)["task"] for line in replay]
    found = tasks("--tasks", SAMPLES)
    assert {name: task["requests"] for name, task in found.items()} == {
        name: asked.count(name) for name in found
    }
