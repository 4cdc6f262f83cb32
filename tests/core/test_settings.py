from __future__ import annotations

from pathlib import Path

import pytest

from lmms_eval_tasks_core import settings
from lmms_eval_tasks_core.environment import ENVIRONMENT
from lmms_eval_tasks_core.errors import SettingError
from lmms_eval_tasks_core.settings import (
    JudgeSettings,
    judge_settings,
    registration_disabled,
    unjudged_limit,
    verdicts_file,
    video_folder,
)


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch):
    others = ("OPENAI_BASE_URL", "OPENAI_API_KEY", "HF_HOME", "XDG_CACHE_HOME")
    for name in (*(variable.name for variable in ENVIRONMENT), *others):
        monkeypatch.delenv(name, raising=False)


def test_nothing_is_set():
    assert judge_settings() == JudgeSettings(None, None, None, None)
    assert registration_disabled() is False
    released = Path("~/.cache/huggingface/multi-hop-reasoning/videos")
    assert video_folder() == released.expanduser()


def test_our_own_names_come_first(monkeypatch):
    monkeypatch.setenv("LMMS_EVAL_TASKS_JUDGE", " OpenAI ")
    monkeypatch.setenv("LMMS_EVAL_TASKS_JUDGE_MODEL", "judge-1")
    monkeypatch.setenv("LMMS_EVAL_TASKS_JUDGE_BASE_URL", "http://judge:8000/v1")
    monkeypatch.setenv("LMMS_EVAL_TASKS_JUDGE_API_KEY", "ours")
    monkeypatch.setenv("OPENAI_BASE_URL", "not looked at")
    monkeypatch.setenv("OPENAI_API_KEY", "theirs")
    assert judge_settings() == JudgeSettings("openai", "judge-1", "http://judge:8000/v1", "ours")


def test_the_names_of_the_client_stand_in(monkeypatch):
    monkeypatch.setenv("LMMS_EVAL_TASKS_JUDGE", "lexical")
    monkeypatch.setenv("LMMS_EVAL_TASKS_JUDGE_BASE_URL", "  ")
    monkeypatch.setenv("LMMS_EVAL_TASKS_JUDGE_API_KEY", "")
    monkeypatch.setenv("OPENAI_BASE_URL", "https://gateway/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "theirs")
    assert judge_settings() == JudgeSettings("lexical", None, "https://gateway/v1", "theirs")


def test_the_url_of_the_endpoint_is_cut_to_the_base_url(monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "http://localhost:8000/v1/chat/completions/")
    assert judge_settings().base_url == "http://localhost:8000/v1"


def test_the_key_is_never_shown(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    assert "secret" not in repr(judge_settings())


@pytest.mark.parametrize(
    ("name", "value", "read"),
    [
        ("LMMS_EVAL_TASKS_JUDGE", "gpt-4", judge_settings),
        ("LMMS_EVAL_TASKS_JUDGE_BASE_URL", "localhost:8000", judge_settings),
        ("LMMS_EVAL_TASKS_JUDGE_BASE_URL", "ftp://host/v1", judge_settings),
        ("OPENAI_BASE_URL", "http://", judge_settings),
        ("LMMS_EVAL_TASKS_DISABLE", "maybe", registration_disabled),
        ("LMMS_EVAL_TASKS_VIDEOS", "$NO_SUCH_VARIABLE/videos", video_folder),
        ("LMMS_EVAL_TASKS_VIDEOS", "~no-such-user-here/videos", video_folder),
        ("HF_HOME", "${NO_SUCH_VARIABLE}/hf", video_folder),
        ("LMMS_EVAL_TASKS_VERDICTS", "$NO_SUCH_VARIABLE/v.sqlite", verdicts_file),
        ("LMMS_EVAL_TASKS_UNJUDGED_LIMIT", "some", unjudged_limit),
    ],
)
def test_a_bad_value_is_named(monkeypatch, name, value, read):
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingError) as caught:
        read()
    assert caught.value.name == name
    assert caught.value.remedy


def test_a_password_in_a_bad_url_is_not_shown(monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "user:pass@host")
    with pytest.raises(SettingError) as caught:
        judge_settings()
    assert "pass@" not in str(caught.value)


@pytest.mark.parametrize(
    ("value", "disabled"),
    [("1", True), ("TRUE", True), ("yes", True), ("on", True), ("0", False), ("", False)],
)
def test_opting_out(monkeypatch, value, disabled):
    monkeypatch.setenv("LMMS_EVAL_TASKS_DISABLE", value)
    assert registration_disabled() is disabled


def test_where_the_videos_lie(monkeypatch, tmp_path):
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    assert video_folder() == tmp_path / "multi-hop-reasoning" / "videos"
    monkeypatch.setenv("LMMS_EVAL_TASKS_VIDEOS", "$HF_HOME/mine")
    assert video_folder() == tmp_path / "mine"
    monkeypatch.setenv("LMMS_EVAL_TASKS_VIDEOS", "~/mine")
    assert video_folder() == Path.home() / "mine"


def test_where_verdicts_are_kept(monkeypatch, tmp_path):
    assert verdicts_file() == Path("~/.cache/lmms-eval-tasks/verdicts.sqlite").expanduser()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert verdicts_file() == tmp_path / "lmms-eval-tasks" / "verdicts.sqlite"
    monkeypatch.setenv("LMMS_EVAL_TASKS_VERDICTS", "$XDG_CACHE_HOME/mine.sqlite")
    assert verdicts_file() == tmp_path / "mine.sqlite"
    monkeypatch.setenv("LMMS_EVAL_TASKS_VERDICTS", "Off")
    assert verdicts_file() is None


def test_without_a_home_folder_nothing_is_kept(monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", "~no-such-user-here")
    assert verdicts_file() is None


def test_the_limit_is_a_percentage(monkeypatch):
    assert unjudged_limit() == 0.05
    monkeypatch.setenv("LMMS_EVAL_TASKS_UNJUDGED_LIMIT", "12.5 %")
    assert unjudged_limit() == 0.125


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("LMMS_EVAL_TASKS_JUDGE_IN_FLIGHT", settings.judgements_in_flight),
        ("LMMS_EVAL_TASKS_JUDGE_PATIENCE", judge_settings),
        ("LMMS_EVAL_TASKS_UNJUDGED_LIMIT", unjudged_limit),
    ],
)
@pytest.mark.parametrize("value", ["-1", "many", "1e3", "100000", "nan"])
def test_a_number_out_of_its_range_is_refused(monkeypatch, name, read, value):
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingError, match=name):
        read()


def test_a_whole_number_of_judgements_is_in_flight(monkeypatch):
    assert settings.judgements_in_flight() == 32
    monkeypatch.setenv("LMMS_EVAL_TASKS_JUDGE_IN_FLIGHT", "64")
    assert settings.judgements_in_flight() == 64
    monkeypatch.setenv("LMMS_EVAL_TASKS_JUDGE_IN_FLIGHT", "6.5")
    with pytest.raises(SettingError, match="whole"):
        settings.judgements_in_flight()


def test_a_report_is_wanted_only_where_somebody_says_so(monkeypatch):
    assert settings.report_wanted() is False
    monkeypatch.setenv("LMMS_EVAL_TASKS_REPORT", "yes")
    assert settings.report_wanted() is True


def test_no_bad_setting_hides_another(monkeypatch):
    assert list(settings.bad_settings()) == []
    bad = {
        "LMMS_EVAL_TASKS_JUDGE": "oracle",
        "LMMS_EVAL_TASKS_JUDGE_BASE_URL": "localhost",
        "LMMS_EVAL_TASKS_JUDGE_PATIENCE": "-3",
        "LMMS_EVAL_TASKS_JUDGE_IN_FLIGHT": "6.5",
        "LMMS_EVAL_TASKS_MATCHER": "oracle",
        "LMMS_EVAL_TASKS_UNJUDGED_LIMIT": "abc",
        "LMMS_EVAL_TASKS_VERDICTS": "$NO_SUCH_VARIABLE/v.sqlite",
        "LMMS_EVAL_TASKS_VIDEOS": "$NO_SUCH_VARIABLE/videos",
        "LMMS_EVAL_TASKS_REPORT": "perhaps",
        "LMMS_EVAL_TASKS_DISABLE": "perhaps",
    }
    for name, value in bad.items():
        monkeypatch.setenv(name, value)
    assert sorted(error.name for error in settings.bad_settings()) == sorted(bad)


def test_what_is_to_be_hidden_is_known_though_a_setting_is_bad(monkeypatch):
    assert settings.judge_access() == (None, None)
    monkeypatch.setenv("OPENAI_API_KEY", "theirs")
    monkeypatch.setenv("LMMS_EVAL_TASKS_JUDGE_BASE_URL", "user:pass@host")
    monkeypatch.setenv("LMMS_EVAL_TASKS_JUDGE_PATIENCE", "long")
    assert settings.judge_access() == ("theirs", "user:pass@host")


def test_names_that_only_look_like_ours_are_unknown(monkeypatch):
    monkeypatch.setenv("LMMS_EVAL_TASKS_JUDGE_MODEL", "judge-1")
    monkeypatch.setenv("_LMMS_EVAL_TASKS_COMPLETE", "bash_source")
    assert settings.unknown_names() == []
    monkeypatch.setenv("LMMS_EVAL_TASKS_JUDGE_MODLE", "judge-1")
    monkeypatch.setenv("LMMS_EVAL_TASKS_", "")
    assert settings.unknown_names() == ["LMMS_EVAL_TASKS_", "LMMS_EVAL_TASKS_JUDGE_MODLE"]


def test_the_table_lists_every_variable_of_ours_with_its_meaning():
    ours = {
        value
        for name, value in vars(settings).items()
        if name.isupper() and isinstance(value, str) and value.startswith("LMMS_EVAL_TASKS_")
    }
    assert {variable.name for variable in ENVIRONMENT} == ours
    assert all(variable.meaning and variable.default for variable in ENVIRONMENT)
