from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from lmms_eval_tasks.worldqa.rubric import GRADE_OF_RELATION, RUBRIC
from lmms_eval_tasks_core.environment import ENVIRONMENT
from lmms_eval_tasks_core.errors import JudgeUnavailableError, SettingError
from lmms_eval_tasks_core.judging.completion import Usage
from lmms_eval_tasks_core.judging.configured import configured_judge, on_judge_usage
from lmms_eval_tasks_core.judging.lexical import LexicalJudge
from lmms_eval_tasks_core.judging.openai_judge import OpenAIJudge
from lmms_eval_tasks_core.judging.protocol import Inquiry, Judge
from tests.support.openai_server import OpenAIServer


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch):
    names = [variable.name for variable in ENVIRONMENT]
    for name in (*names, "OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)


def judge_of(default: str | None) -> Judge:
    return configured_judge(RUBRIC, GRADE_OF_RELATION, default)


def test_the_tasks_own_default():
    assert isinstance(judge_of("lexical"), LexicalJudge)


def test_the_setting_beats_the_default(monkeypatch):
    monkeypatch.setenv("LMMS_EVAL_TASKS_JUDGE", "lexical")
    assert isinstance(judge_of("openai"), LexicalJudge)
    monkeypatch.setenv("LMMS_EVAL_TASKS_JUDGE", "openai")
    monkeypatch.setenv("LMMS_EVAL_TASKS_JUDGE_MODEL", "m")
    monkeypatch.setenv("OPENAI_API_KEY", "key")
    judge = judge_of("lexical")
    assert isinstance(judge, OpenAIJudge)
    assert judge.name == "m"


@pytest.mark.parametrize(
    ("default", "environment", "missing"),
    [
        (None, {}, "none is set"),
        ("openai", {}, "LMMS_EVAL_TASKS_JUDGE_MODEL names no model"),
        ("openai", {"LMMS_EVAL_TASKS_JUDGE_MODEL": "m"}, "needs a key"),
    ],
)
def test_what_is_missing_and_what_to_set(monkeypatch, default, environment, missing):
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(JudgeUnavailableError) as caught:
        judge_of(default)
    assert missing in caught.value.problem
    assert caught.value.remedy.startswith("Set ")
    assert "LMMS_EVAL_TASKS_JUDGE=lexical" in caught.value.remedy


def test_a_bad_setting(monkeypatch):
    monkeypatch.setenv("LMMS_EVAL_TASKS_JUDGE", "oracle")
    with pytest.raises(SettingError):
        judge_of("lexical")


def test_there_is_one_judge_for_all_threads(monkeypatch):
    monkeypatch.setenv("LMMS_EVAL_TASKS_JUDGE_MODEL", "shared")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    with ThreadPoolExecutor(16) as pool:
        judges = set(pool.map(judge_of, ["openai"] * 64))
    assert len(judges) == 1
    monkeypatch.setenv("LMMS_EVAL_TASKS_JUDGE_MODEL", "another")
    assert judge_of("openai") not in judges


def test_usage_reaches_every_listener(monkeypatch):
    spent: list[Usage] = []
    with OpenAIServer("Grade: correct") as server:
        monkeypatch.setenv("LMMS_EVAL_TASKS_JUDGE_MODEL", "m")
        monkeypatch.setenv("LMMS_EVAL_TASKS_JUDGE_BASE_URL", server.url)
        listener = spent.append
        on_judge_usage(listener)
        on_judge_usage(listener)
        judge_of("openai").grade(Inquiry("?", "Yes.", "Yes."))
    assert [usage.model for usage in spent] == ["m"]
