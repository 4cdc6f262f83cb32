"""The command `lmms-eval-tasks doctor`, run as a user runs it."""

from __future__ import annotations

import json
import os
import pty
import shutil
import signal
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from typing_extensions import Self

from lmms_eval_tasks_core.judging.verdict_file import VerdictFile
from tests.core.judging.test_store import kept, key
from tests.support.clips import steady, write_clip
from tests.support.interrupting import start
from tests.support.openai_server import Fault, OpenAIServer

COMMAND = Path(sys.executable).with_name("lmms-eval-tasks")
KEY = "key-that-must-stay-secret"
# What these tasks need is quickly looked at.
SAMPLE = ("--tasks", "worldqa_sample")
TO_UNSET = ("LMMS_EVAL_TASKS_", "OPENAI_", "HF_", "NO_COLOR", "FORCE_COLOR")


def environment(folder: Path, **settings: object) -> dict[str, str]:
    """The current environment with nothing set for the pack but this, and a cache of its own."""
    plain = {k: v for k, v in os.environ.items() if not k.startswith(TO_UNSET)}
    own = {
        "HF_HOME": folder / "hf",
        "HF_HUB_OFFLINE": "1",
        "LMMS_EVAL_TASKS_VERDICTS": folder / "v.sqlite",
        **settings,
    }
    return {**plain, **{name: str(value) for name, value in own.items()}}


def run(folder: Path, *arguments: str, **settings: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [COMMAND, "doctor", *arguments],
        env=environment(folder, **settings),
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )


def found(folder: Path, *arguments: str, **settings: object) -> dict[str, tuple[str, str, str]]:
    """What `--quick --json` finds: by name, the level, what was found and what to do."""
    done = run(folder, "--quick", "--json", *arguments, **settings)
    assert done.stderr == ""
    report = json.loads(done.stdout)
    levels = {each["level"] for each in report["findings"]}
    assert done.returncode == ("error" in levels) == (not report["ok"])
    return {
        each["name"]: (each["level"], each["found"], each["remedy"]) for each in report["findings"]
    }


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    """What is found where nothing is set, nothing is cached, and the Hub is out of reach."""
    return found(tmp_path_factory.mktemp("bare"))


def test_a_sound_installation_is_said_to_be_one(bare):
    for name in ("Python", "lmms-eval", "filelock", "other packages", "registration", "PyAV"):
        assert bare[name][0] == "ok", bare[name]
    assert "<4.3" in bare["filelock"][1]
    assert "8 frames and 5.0 s of sound" in bare["PyAV"][1]
    assert bare["tasks"] == ("skipped", "lmms-eval was not asked (--quick).", "")


def test_what_one_benchmark_lacks_is_a_warning_with_a_remedy(bare):
    assert {name for name, (level, *_) in bare.items() if level == "error"} == set()
    for name in ("zlab-princeton/WorldBench", "hz2475/geoQA", "lmms-eval/worldqa MC", "videos"):
        level, words, remedy = bare[name]
        assert (level, bool(remedy)) == ("warning", True), words
    level, words, remedy = bare["judge or matcher"]
    assert level == "warning"
    assert "LMMS_EVAL_TASKS_JUDGE_MODEL" in words
    assert "LMMS_EVAL_TASKS_JUDGE=lexical" in remedy
    assert bare["matcher"][0] == "warning"


def test_what_a_named_task_lacks_is_an_error(tmp_path):
    lacking = found(tmp_path, "--tasks", "worldqa,geoqa_sample")
    assert lacking["lmms-eval/worldqa Generation"][0] == "error"
    assert lacking["judge or matcher"][0] == "error"
    assert "hz2475/geoQA" not in lacking
    assert "zlab-princeton/WorldBench" not in lacking


def test_a_sample_needs_nothing(tmp_path):
    sample = found(tmp_path, "--tasks", "worldqa_sample,worldbench_sample,geoqa_sample")
    assert {level for level, *_ in sample.values()} <= {"ok", "skipped"}
    assert "lexical" in sample["judge"][1]
    assert "videos" not in sample


def test_a_task_that_is_not_there_is_answered_with_one_that_is(tmp_path):
    done = run(tmp_path, "--tasks", "worldqa,geoqua")
    assert done.returncode == 1
    assert "no task 'geoqua'. Did you mean geoqa" in done.stderr


def judged_by(server: OpenAIServer, **settings: object) -> dict[str, object]:
    return {
        "LMMS_EVAL_TASKS_JUDGE_MODEL": "test-model",
        "LMMS_EVAL_TASKS_JUDGE_BASE_URL": server.url.replace("//", "//me:pass-word@"),
        "LMMS_EVAL_TASKS_JUDGE_API_KEY": KEY,
        **settings,
    }


def test_a_judge_is_asked_once_and_nothing_is_kept(tmp_path):
    with OpenAIServer('{"rationale": "", "grade": "correct"}') as server:
        with_judge = found(tmp_path, "--tasks", "worldqa", **judged_by(server))
        assert len(server.requests) == 1
    assert with_judge["judge"] == ("ok", "test-model, rubric worldqa-1: it answers.", "")
    assert with_judge["matcher"][0] == "ok"
    assert "test-model" in with_judge["matcher"][1]
    assert not (tmp_path / "v.sqlite").exists()


def test_a_judge_that_refuses_is_an_error_in_its_own_words_without_the_key(tmp_path):
    with OpenAIServer("", key="another") as server:
        done = run(tmp_path, "--quick", **judged_by(server))
    assert done.returncode == 1
    assert "✗ error" in done.stdout
    assert "HTTP 401: Incorrect API key provided" in done.stdout
    assert "→ Set LMMS_EVAL_TASKS_JUDGE_MODEL" in done.stdout
    assert KEY not in done.stdout + done.stderr
    assert "pass-word" not in done.stdout + done.stderr


def test_offline_asks_nobody(tmp_path):
    with OpenAIServer(Fault(status=500)) as server, Hub() as hub:
        settings = judged_by(server, HF_HUB_OFFLINE="0", HF_ENDPOINT=hub.url)
        offline = found(tmp_path, "--offline", **settings)
        assert (server.requests, hub.asked) == ([], [])
    assert offline["judge"][0] == "skipped"
    assert "--offline" in offline["hz2475/geoQA"][1]


def test_the_lexical_judge_is_named_for_what_it_is(tmp_path):
    lexical = found(tmp_path, LMMS_EVAL_TASKS_JUDGE="lexical")
    assert lexical["judge"][0] == lexical["matcher"][0] == "ok"
    assert "no model's" in lexical["judge"][1]


def test_a_setting_that_cannot_be_used_is_one_red_line_and_the_rest_is_looked_at(tmp_path):
    settings = {"LMMS_EVAL_TASKS_JUDGE": "oracle", "LMMS_EVAL_TASKS_DISABLE": "perhaps"}
    odd = found(tmp_path, *SAMPLE, **settings)
    for name, value in settings.items():
        assert odd[name][0] == "error"
        assert repr(value) in odd[name][1]
    for part, name in zip(("judge", "registration"), settings, strict=True):
        assert odd[part] == ("skipped", f"It was not looked at: {name} cannot be used.", "")
    assert odd["filelock"][0] == "ok"


def test_no_bad_setting_hides_another_or_what_the_judge_lacks(tmp_path):
    settings = {
        "LMMS_EVAL_TASKS_UNJUDGED_LIMIT": "abc",
        "LMMS_EVAL_TASKS_JUDGE_PATIENCE": "-3",
        "LMMS_EVAL_TASKS_JUDGE_IN_FLIGHT": "0",
        "LMMS_EVAL_TASKS_REPORT": "perhaps",
    }
    odd = found(tmp_path, "--offline", **settings)
    assert {name for name, (level, *_) in odd.items() if level == "error"} == set(settings)
    assert all(odd[name][2] for name in settings)
    assert "JUDGE_MODEL names no model" in odd["judge or matcher"][1]


def test_a_judge_is_asked_though_a_number_is_bad(tmp_path):
    with OpenAIServer("", key="another") as server:
        settings = judged_by(server, LMMS_EVAL_TASKS_JUDGE_PATIENCE="-3")
        done = run(tmp_path, "--quick", *SAMPLE, LMMS_EVAL_TASKS_JUDGE="openai", **settings)
        assert server.requests
    assert "LMMS_EVAL_TASKS_JUDGE_PATIENCE: '-3' is no number" in done.stdout
    assert "HTTP 401" in done.stdout
    assert KEY not in done.stdout
    assert "pass-word" not in done.stdout


def test_a_bad_url_has_nobody_asked_instead(tmp_path):
    with OpenAIServer("") as server:
        settings = {
            **judged_by(server),
            "OPENAI_BASE_URL": server.url,
            "LMMS_EVAL_TASKS_JUDGE_BASE_URL": "me:pass-word@host",
        }
        odd = found(tmp_path, "--tasks", "worldqa_open_ended", **settings)
        assert server.requests == []
    assert odd["LMMS_EVAL_TASKS_JUDGE_BASE_URL"][0] == "error"
    assert odd["judge"][0] == "skipped"
    assert "pass-word" not in str(odd)


def test_a_bad_setting_that_a_run_of_the_named_tasks_does_not_stop_at_is_a_warning(tmp_path):
    settings = {
        "LMMS_EVAL_TASKS_MATCHER": "oracle",
        "LMMS_EVAL_TASKS_UNJUDGED_LIMIT": "abc",
        "LMMS_EVAL_TASKS_VIDEOS": "$NO_SUCH_VARIABLE/videos",
    }

    def levels(tasks: str) -> list[str]:
        odd = found(tmp_path, "--offline", "--tasks", tasks, **settings)
        return [odd[name][0] for name in settings]

    assert levels("geoqa_sample") == ["warning", "warning", "warning"]
    assert levels("worldqa_open_ended_sample") == ["warning", "error", "warning"]
    assert levels("worldqa_circular_sample") == ["error", "error", "warning"]
    assert levels("worldqa_open_ended") == ["warning", "error", "error"]


def test_a_judge_without_a_model_is_told_offline_too(tmp_path):
    lacking = found(tmp_path, "--offline", *SAMPLE, LMMS_EVAL_TASKS_JUDGE="openai")
    assert lacking["judge or matcher"][0] == "error"
    assert "names no model" in lacking["judge or matcher"][1]


def test_misspelt_variables_are_told_by_name_and_never_by_value(tmp_path):
    settings = {
        "LMMS_EVAL_TASKS_JUDGE_MODLE": "value-one",
        "LMMS_EVAL_TASKS_JUDGE_API_KYE": "value-two",
        "LMMS_EVAL_TASKS_XYZZY": "value-three",
        "LMMS_EVAL_TASKS_\udcff\x1b[2J": "value-four",
    }
    done = run(tmp_path, "--quick", "--offline", *SAMPLE, **settings)
    assert (done.returncode, done.stderr) == (0, "")
    assert "! warning  LMMS_EVAL_TASKS_JUDGE_MODLE: " in done.stdout
    assert "→ Did you mean LMMS_EVAL_TASKS_JUDGE_MODEL?" in done.stdout
    assert "→ Did you mean LMMS_EVAL_TASKS_JUDGE_API_KEY?" in done.stdout
    assert done.stdout.count("Did you mean") == 2
    assert "LMMS_EVAL_TASKS_XYZZY: " in done.stdout
    assert "value-" not in done.stdout
    assert "\x1b" not in done.stdout


def test_what_was_skipped_is_not_said_to_be_there(tmp_path):
    with OpenAIServer(Fault(status=500)) as server:
        settings = judged_by(server, LMMS_EVAL_TASKS_JUDGE="openai")
        done = run(tmp_path, "--quick", "--offline", *SAMPLE, **settings)
    assert done.returncode == 0
    last = done.stdout.splitlines()[-1]
    assert last == "Nothing is missing in what was checked; 2 checks were skipped."


def test_a_registration_that_is_off_is_a_warning(tmp_path):
    off = found(tmp_path, *SAMPLE, LMMS_EVAL_TASKS_DISABLE="1")["registration"]
    assert off[0] == "warning"
    assert "--include_path" in off[2]


def test_verdicts_that_are_kept_are_counted(tmp_path):
    file = VerdictFile(tmp_path / "v.sqlite")
    file.put([(key(n), kept("Grade: correct", "judge", "2026-02-01T10:00:00Z")) for n in range(3)])
    file.close()
    assert found(tmp_path, *SAMPLE)["verdicts"][1].startswith(f"3 in {tmp_path}/v.sqlite, 0.")


def test_a_damaged_store_is_told_and_left_as_it_is(tmp_path):
    path = tmp_path / "v.sqlite"
    path.write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
    level, words, remedy = found(tmp_path, *SAMPLE)["verdicts"]
    assert (level, "cannot be used" in words, "moves a damaged file" in remedy) == (
        *("warning", True, True),
    )
    assert path.read_bytes().endswith(b"\xff" * 5000)
    assert [each.name for each in tmp_path.iterdir()] == ["v.sqlite"]


def test_folders_that_cannot_be_written_are_told(tmp_path):
    (tmp_path / "file").write_text("")
    inside = tmp_path / "file" / "inside"
    places = found(tmp_path, *SAMPLE, HF_HOME=inside, LMMS_EVAL_TASKS_VERDICTS=inside / "v.sqlite")
    assert places["verdicts"][0] == "warning"
    assert f"{tmp_path}/file cannot be written" in places["verdicts"][1]
    assert places["disk of HF_HOME"][0] == "error"
    assert "set HF_HOME" in places["disk of HF_HOME"][2]


def test_a_store_that_is_off_is_said_to_be(tmp_path):
    assert "is off" in found(tmp_path, *SAMPLE, LMMS_EVAL_TASKS_VERDICTS="off")["verdicts"][1]


FILL = """
import sys
from datasets.packaged_modules.json.json import Json
file, config, cache = sys.argv[1:]
builder = Json(cache_dir=cache, dataset_name="worldqa", config_name=config, hash="abc",
               data_files={"test": [file]})
builder.repo_id = "lmms-eval/worldqa"
builder._cache_dir = builder._build_cache_dir()
builder.download_and_prepare()
"""


def fill_cache(folder: Path, count: int) -> None:
    """Rows of WorldQA in a cache, put there by `datasets` itself."""
    rows = folder / "rows.jsonl"
    lines = [
        {"question": "Why?", "answer": "So.", "video_idx": f"v{n % 3}", "question_idx": str(n)}
        for n in range(count)
    ]
    rows.write_text("\n".join(map(json.dumps, lines)))
    subprocess.run(
        [sys.executable, "-c", FILL, rows, "Generation", folder / "hf" / "datasets"],
        check=True,
        capture_output=True,
    )


def test_rows_in_the_cache_are_counted_and_say_which_videos_are_wanted(tmp_path):
    fill_cache(tmp_path, 851)
    videos = tmp_path / "hf" / "multi-hop-reasoning" / "videos"
    videos.mkdir(parents=True)
    lacking = found(tmp_path)
    assert lacking["lmms-eval/worldqa Generation"] == ("ok", "851 rows in the cache.", "")
    assert lacking["lmms-eval/worldqa MC"][0] == "warning"
    # lmms-eval leaves a folder that is there as it is, so the videos would never come.
    assert lacking["videos"][0] == "error"
    assert f"Delete {videos.parent}" in lacking["videos"][2]

    clip = write_clip(tmp_path / "clip.mp4", steady(1, 4))
    shutil.copy(clip, videos / "v0.mp4")
    shutil.copy(clip, videos / "v2.MP4")
    (videos / "v1.mp4").write_bytes(b"")
    level, words, remedy = found(tmp_path)["videos"]
    assert level == "warning"
    assert words == f"2 of 3 are in {videos}; lacking: v1."
    assert "left out" in remedy

    shutil.copy(clip, videos / "v1.mp4")
    assert found(tmp_path)["videos"] == ("ok", f"All 3 are in {videos}.", "")
    elsewhere = found(tmp_path, LMMS_EVAL_TASKS_VIDEOS=tmp_path / "nowhere")
    assert elsewhere["videos"][0] == "error"


def test_other_rows_than_the_release_are_a_warning(tmp_path):
    fill_cache(tmp_path, 4)
    level, words, _ = found(tmp_path)["lmms-eval/worldqa Generation"]
    assert (level, "4 rows" in words, "851" in words) == ("warning", True, True)


class Hub:
    """Answers for every data set that it has one file of these many bytes."""

    def __init__(self, size: int = 3_000_000, status: int = 200, latency: float = 0.0) -> None:
        asked = self.asked = []
        closing = self._closing = threading.Event()

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                asked.append(self.path)
                closing.wait(latency)
                files = [{"rfilename": "data.parquet", "size": size}]
                body = json.dumps({"id": "a/b", "siblings": files}).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()


def test_the_hub_says_what_is_to_come(tmp_path):
    with Hub() as hub:
        there = found(tmp_path, HF_HUB_OFFLINE="0", HF_ENDPOINT=hub.url)
        # Its revision is asked for where a task names one.
        assert any("/zlab-princeton/WorldBench/revision/main" in path for path in hub.asked)
    assert there["hz2475/geoQA"][0] == "ok"
    assert "(3 MB)" in there["hz2475/geoQA"][1]
    assert "packed and unpacked" in there["disk of HF_HOME"][1]


def test_a_disk_without_room_is_an_error(tmp_path):
    with Hub(size=10**18) as hub:
        full = found(tmp_path, "--tasks", "geoqa", HF_HUB_OFFLINE="0", HF_ENDPOINT=hub.url)
    assert full["disk of HF_HOME"][0] == "error"
    assert "Make room" in full["disk of HF_HOME"][2]


def test_a_hub_that_does_not_answer_delays_nobody_for_long(tmp_path):
    began = time.monotonic()
    with Hub(latency=100) as hub:
        hung = found(tmp_path, "--tasks", "geoqa", HF_HUB_OFFLINE="0", HF_ENDPOINT=hub.url)
    assert hung["hz2475/geoQA"][0] == "error"
    assert time.monotonic() - began < 60


def test_colours_are_left_out_where_that_is_asked_for(tmp_path):
    arguments = ("--quick", "--offline", "--tasks", "geoqa_sample")
    assert "\x1b[32m" in run(tmp_path, *arguments, FORCE_COLOR="1").stdout
    assert "\x1b[" not in run(tmp_path, *arguments, FORCE_COLOR="1", NO_COLOR="1").stdout
    assert "\x1b[" not in run(tmp_path, *arguments).stdout


def test_a_terminal_without_unicode_gets_plain_marks(tmp_path):
    done = run(tmp_path, "--quick", "--offline", PYTHONIOENCODING="ascii")
    assert done.stderr == ""
    assert "  + ok" in done.stdout
    assert "-> " in done.stdout


def test_interrupting_stops_it_and_all_it_has_started(tmp_path):
    with OpenAIServer("", latency=60) as server:
        process = start(
            COMMAND, "doctor", "--quick", environment=environment(tmp_path, **judged_by(server))
        )
        while not server.requests:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
    assert process.returncode == 130
    assert errors.strip() == "Stopped."


def test_a_terminal_shows_what_is_waited_for(tmp_path):
    main, terminal = pty.openpty()
    process = subprocess.Popen(
        [COMMAND, "doctor", "--quick", "--offline"],
        env=environment(tmp_path, TERM="xterm"),
        stdout=subprocess.DEVNULL,
        stderr=terminal,
    )
    os.close(terminal)
    seen = b""
    try:
        while chunk := os.read(main, 1000):
            seen += chunk
    except OSError:  # the terminal is gone once its last user is
        pass
    process.wait(timeout=60)
    assert b"Data: " in seen


@pytest.mark.slow
def test_lmms_eval_itself_is_asked_whose_tasks_it_finds(tmp_path):
    sample = ("--json", "--tasks", "geoqa_sample")
    report = json.loads(run(tmp_path, *sample).stdout)
    asked = {f["name"]: f for f in report["findings"] if f["family"] == "lmms-eval"}
    assert {name: each["level"] for name, each in asked.items()} == {
        "tasks": "ok",
        "models": "ok",
        "fit": "ok",
    }
    assert "`worldqa` is this package's" in asked["tasks"]["found"]
    off = json.loads(run(tmp_path, *sample, LMMS_EVAL_TASKS_DISABLE="1").stdout)
    (tasks,) = (each for each in off["findings"] if each["name"] == "tasks")
    assert tasks["level"] == "warning"
    assert "lmms-eval's own" in tasks["found"]
    assert off["ok"]


@pytest.mark.slow
def test_an_lmms_eval_that_cannot_be_imported_is_an_error_with_its_last_words(tmp_path):
    (tmp_path / "lmms_eval").mkdir()
    broken = tmp_path / "lmms_eval" / "__init__.py"
    broken.write_text("raise ModuleNotFoundError(\"No module named 'filelock._api'\")")
    report = json.loads(run(tmp_path, "--json", "--offline", PYTHONPATH=tmp_path).stdout)
    (line,) = (f for f in report["findings"] if f["family"] == "lmms-eval")
    assert line["level"] == "error"
    assert "No module named 'filelock._api'" in line["found"]
