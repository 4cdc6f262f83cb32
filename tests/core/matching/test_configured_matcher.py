from __future__ import annotations

import pytest

from lmms_eval_tasks.worldqa.rubric import GRADE_OF_RELATION, RUBRIC
from lmms_eval_tasks_core.environment import ENVIRONMENT
from lmms_eval_tasks_core.errors import JudgeUnavailableError, SettingError
from lmms_eval_tasks_core.judging.configured import configured_judge
from lmms_eval_tasks_core.matching.configured import configured_matcher
from tests.support.openai_server import OpenAIServer

JUDGE, MODEL = "LMMS_EVAL_TASKS_JUDGE", "LMMS_EVAL_TASKS_JUDGE_MODEL"
MATCHER, MATCHER_MODEL = "LMMS_EVAL_TASKS_MATCHER", "LMMS_EVAL_TASKS_MATCHER_MODEL"


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch):
    names = [variable.name for variable in ENVIRONMENT]
    for name in (*names, "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", "key")


@pytest.mark.parametrize(
    ("environment", "default", "name"),
    [
        ({}, None, "lexical"),
        ({}, "lexical", "lexical"),
        ({MODEL: "judge"}, None, "judge"),
        ({MODEL: "judge"}, "lexical", "lexical"),
        ({MODEL: "judge", JUDGE: "lexical"}, None, "lexical"),
        ({MODEL: "judge", MATCHER: "lexical"}, None, "lexical"),
        ({MODEL: "judge", MATCHER_MODEL: "small"}, None, "small"),
        ({JUDGE: "lexical", MATCHER_MODEL: "small"}, None, "small"),
        ({MATCHER: "openai", MODEL: "judge"}, "lexical", "judge"),
    ],
)
def test_which_matcher_there_is(monkeypatch, environment, default, name):
    for variable, value in environment.items():
        monkeypatch.setenv(variable, value)
    assert configured_matcher(default).name == name


def test_a_matcher_without_a_model_says_what_to_set(monkeypatch):
    monkeypatch.setenv(MATCHER, "openai")
    with pytest.raises(JudgeUnavailableError, match=MATCHER_MODEL):
        configured_matcher(None)


def test_an_unknown_matcher_is_named(monkeypatch):
    monkeypatch.setenv(MATCHER, "gpt-4")
    with pytest.raises(SettingError, match="there is no matcher 'gpt-4'"):
        configured_matcher(None)


def test_judge_and_matcher_of_one_model_share_one_client(monkeypatch):
    with OpenAIServer("Option: A", rejects=("temperature",)) as server:
        monkeypatch.setenv("LMMS_EVAL_TASKS_JUDGE_BASE_URL", server.url)
        monkeypatch.setenv(MODEL, "shared-model")
        configured_judge(RUBRIC, GRADE_OF_RELATION, "openai").preflight()
        asked = len(server.requests)
        configured_matcher(None).preflight()
    assert len(server.requests) == asked == 2
