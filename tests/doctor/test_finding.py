"""Looking without waiting, failing, or telling secrets."""

from __future__ import annotations

import pwd
import threading
import time
from collections import namedtuple

import pytest

from lmms_eval_tasks.doctor import installation, judges
from lmms_eval_tasks.doctor.asking import NoAnswerError, ask
from lmms_eval_tasks.doctor.finding import Check, Finding, Level, Once, examined, without_secrets
from lmms_eval_tasks.doctor.report import in_words
from lmms_eval_tasks_core.errors import SettingError

GOOD = Finding("good", Level.OK, "fine")


def look(*checks: Check) -> dict[str, Finding]:
    return {f.name: f for _, findings in examined(checks) for f in findings}


def test_a_check_that_hangs_is_a_red_line_and_delays_nobody():
    hangs = Check("f", "hangs", 0.2, lambda: [GOOD] if threading.Event().wait(60) else [])
    began = time.monotonic()
    lines = look(hangs, Check("f", "good", 5, lambda: [GOOD]))
    assert time.monotonic() - began < 5
    assert lines["hangs"].level is Level.ERROR
    assert "after 0.2 s" in lines["hangs"].found
    assert lines["good"] == GOOD


def test_a_check_that_fails_is_a_red_line_with_its_evidence():
    lines = look(
        Check("f", "fails", 5, lambda: [GOOD] * (1 // 0)), Check("f", "g", 5, lambda: [GOOD])
    )
    assert lines["fails"].level is Level.ERROR
    assert "ZeroDivisionError" in lines["fails"].found
    assert "report" in lines["fails"].remedy
    assert lines["good"] == GOOD


def test_a_check_that_a_bad_setting_stops_is_skipped_and_names_it():
    def stopped():
        raise SettingError("HF_HOME", "its value is odd", "Correct it.")

    line = look(Check("f", "stopped", 5, stopped))["stopped"]
    assert line == Finding(
        "stopped", Level.SKIPPED, "It was not looked at: HF_HOME cannot be used."
    )


@pytest.mark.parametrize(
    ("levels", "words"),
    [
        ("ok ok", "Everything is there."),
        ("ok skipped", "Nothing is missing in what was checked; 1 check was skipped."),
        ("skipped skipped", "Nothing is missing in what was checked; 2 checks were skipped."),
        ("error warning warning", "1 error, 2 warnings."),
        ("warning skipped", "1 warning; 1 check was skipped."),
    ],
)
def test_the_closing_words_count_what_was_skipped(levels, words):
    assert in_words([Level(level) for level in levels.split()]) == words


def test_what_several_checks_need_is_got_once():
    got = []
    value = Once(lambda: got.append(1) or len(got))
    threads = [threading.Thread(target=value) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (value(), got) == (1, [1])
    failing = Once(lambda: 1 // 0)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            failing()


def test_keys_and_passwords_are_struck_out(monkeypatch):
    monkeypatch.setenv("LMMS_EVAL_TASKS_JUDGE_API_KEY", "a-key-of-mine")
    # A setting that cannot be used keeps no key in sight.
    monkeypatch.setenv("LMMS_EVAL_TASKS_JUDGE_PATIENCE", "long")
    told = "a-key-of-mine sk-1234567890abc hf_AbCdEfGhIjKl https://me:secret@host/v1"
    shown = without_secrets(Finding("n", Level.ERROR, told, told))
    for text in (shown.found, shown.remedy):
        assert text == "*** *** *** https://host/v1"


def test_another_process_that_dies_or_takes_too_long_leaves_its_last_words():
    with pytest.raises(NoAnswerError, match="KeyError: 'nonsense'"):
        ask("nonsense", seconds=30)
    with pytest.raises(NoAnswerError, match=r"no answer within 0\.01 s"):
        ask("decode", "clip.mp4", seconds=0.01)


def test_without_a_home_folder_no_verdicts_are_kept_and_that_is_said(monkeypatch):
    for name in ("HOME", "XDG_CACHE_HOME", "LMMS_EVAL_TASKS_VERDICTS"):
        monkeypatch.delenv(name, raising=False)

    def nobody(_):
        raise KeyError

    monkeypatch.setattr(pwd, "getpwuid", nobody)
    finding = judges.verdicts()
    assert finding.level is Level.WARNING
    assert "no home folder" in finding.found


def test_a_package_that_is_too_new_is_an_error_that_says_why(monkeypatch):
    versions = {"filelock": "4.3.1", "lmms-eval": "0.6.9"}
    real = installation.version
    monkeypatch.setattr(installation, "version", lambda name: versions.get(name) or real(name))
    lines = {finding.name: finding for finding in installation.packages()}
    assert lines["filelock"].level is lines["lmms-eval"].level is Level.ERROR
    assert "evaluates nothing" in lines["filelock"].found
    assert lines["filelock"].remedy == "pip install 'filelock<4.3'"


def test_a_python_that_is_too_old_is_an_error(monkeypatch):
    version = namedtuple("version", "major minor")(3, 9)  # noqa: PYI024
    monkeypatch.setattr(installation.sys, "version_info", version)
    assert installation.python().level is Level.ERROR


def test_a_command_of_another_environment_is_a_warning(monkeypatch, tmp_path):
    other = tmp_path / "lmms-eval"
    other.write_text("#!/bin/sh\n")
    other.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "another environment" in installation.command().found
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    finding = installation.command()
    assert finding.level is Level.WARNING
    assert "not on the PATH" in finding.found
