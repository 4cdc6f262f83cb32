"""A judge at Azure OpenAI: another URL, another header, no list of deployments."""

from __future__ import annotations

import pytest

from lmms_eval_tasks.worldqa.rubric import GRADE_OF_RELATION, RUBRIC
from lmms_eval_tasks_core.environment import ENVIRONMENT
from lmms_eval_tasks_core.errors import JudgeUnavailableError
from lmms_eval_tasks_core.judging.configured import configured_judge
from lmms_eval_tasks_core.judging.protocol import Verdict
from lmms_eval_tasks_core.judging.purchases import Purchases
from lmms_eval_tasks_core.judging.store import VerdictStore
from lmms_eval_tasks_core.outcome import NotJudged, NotJudgedReason
from tests.support.judges import CORRECT, INQUIRY, KEY, in_turn, judge_at
from tests.support.openai_server import Fault, OpenAIServer

VERSION = "2024-10-21"
THEIRS = ("AZURE_OPENAI_API_KEY", "AZURE_OPENAI_AD_TOKEN", "AZURE_OPENAI_ENDPOINT")


@pytest.fixture(autouse=True)
def _settings_of_other_programs(monkeypatch):
    for variable in ENVIRONMENT:
        if "VERDICTS" not in variable.name:
            monkeypatch.delenv(variable.name, raising=False)
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    for name in THEIRS:
        monkeypatch.setenv(name, "http://127.0.0.1:9/not-ours")
    monkeypatch.setenv("OPENAI_API_VERSION", "1999-01-01")


@pytest.mark.parametrize("spelling", ["", "/", "/openai", "/openai/deployments/other"])
def test_a_deployment_is_asked_with_our_key_and_version(spelling):
    with OpenAIServer(CORRECT, key=KEY, azure_api=VERSION) as server:
        verdict = judge_at(server, base_url=server.url + spelling, model="my judge").grade(INQUIRY)
    assert isinstance(verdict, Verdict), verdict
    assert server.paths == [
        f"/openai/deployments/my%20judge/chat/completions?api-version={VERSION}"
    ]


def test_a_wrong_key_stops_the_run_with_azures_words():
    with OpenAIServer(CORRECT, key="another-key", azure_api=VERSION) as server:
        judge = judge_at(server)
        with pytest.raises(JudgeUnavailableError, match="HTTP 401: Incorrect API key") as caught:
            judge.preflight()
        outcome = judge.grade(INQUIRY)
    assert isinstance(outcome, NotJudged)
    assert outcome.reason is NotJudgedReason.JUDGE_REJECTED
    assert KEY not in f"{caught.value} {outcome}"
    assert len(server.requests) == 2


def test_a_version_it_does_not_speak():
    with OpenAIServer(CORRECT, key=KEY, azure_api=VERSION) as server:
        outcome = judge_at(server, azure_api="2000-01-01").grade(INQUIRY)
    assert isinstance(outcome, NotJudged)
    assert "HTTP 404" in str(outcome.detail["trouble"])


def test_what_may_pass_is_tried_again_and_what_it_does_not_take_is_left_out():
    answers = in_turn(Fault(status=503), Fault(status=503), Fault(status=503), CORRECT)
    with OpenAIServer(answers, key=KEY, azure_api=VERSION, rejects=("max_tokens",)) as server:
        assert isinstance(judge_at(server).grade(INQUIRY), Verdict)
    assert "max_completion_tokens" in server.requests[-1]


def test_its_content_filter():
    error = {"code": "content_filter", "innererror": {"code": "ResponsibleAIPolicyViolation"}}
    with OpenAIServer(Fault(status=400, error=error), key=KEY, azure_api=VERSION) as server:
        outcome = judge_at(server).grade(INQUIRY)
    assert isinstance(outcome, NotJudged)
    assert outcome.reason is NotJudgedReason.CONTENT_FILTER


def test_a_deployment_known_from_an_earlier_run_is_tried_out_as_there_is_no_list(tmp_path):
    with OpenAIServer(CORRECT, key=KEY, azure_api=VERSION) as server:
        for _ in range(2):
            purchases = Purchases(VerdictStore(tmp_path / "verdicts.sqlite"))
            judge = judge_at(server, purchases=purchases)
            judge.preflight()
            judge.grade(INQUIRY)
    assert len(server.requests) == 3
    assert not any("/models" in path for path in server.paths)


def configure(monkeypatch, **settings: str) -> None:
    for name, value in settings.items():
        monkeypatch.setenv(f"LMMS_EVAL_TASKS_JUDGE_{name}", value)


def test_settings_lead_to_azure(monkeypatch):
    with OpenAIServer(CORRECT, key=KEY, azure_api=VERSION) as server:
        configure(monkeypatch, MODEL="m", BASE_URL=server.url, API_KEY=KEY, AZURE_API=VERSION)
        judge = configured_judge(RUBRIC, GRADE_OF_RELATION, "openai")
        judge.preflight()
        assert isinstance(judge.grade(INQUIRY), Verdict)
        configure(monkeypatch, AZURE_API="2000-01-01")
        another = configured_judge(RUBRIC, GRADE_OF_RELATION, "openai")
        with pytest.raises(JudgeUnavailableError, match="HTTP 404"):
            another.preflight()


def test_another_patience_is_another_client(monkeypatch):
    with OpenAIServer(Fault(status=503)) as server:
        configure(monkeypatch, MODEL="m", BASE_URL=server.url, PATIENCE="86400")
        configured_judge(RUBRIC, GRADE_OF_RELATION, "openai")
        configure(monkeypatch, PATIENCE="1")
        judge = configured_judge(RUBRIC, GRADE_OF_RELATION, "openai")
        assert isinstance(judge.grade(INQUIRY), NotJudged)


@pytest.mark.parametrize(
    ("settings", "missing"),
    [
        ({"API_KEY": KEY}, "nothing says where the Azure resource is"),
        ({"BASE_URL": "http://127.0.0.1:9"}, "at Azure needs a key"),
    ],
)
def test_what_is_missing_is_said_in_our_words(monkeypatch, settings, missing):
    configure(monkeypatch, MODEL="m", AZURE_API=VERSION, **settings)
    with pytest.raises(JudgeUnavailableError, match=missing) as caught:
        configured_judge(RUBRIC, GRADE_OF_RELATION, "openai")
    assert "LMMS_EVAL_TASKS_JUDGE_BASE_URL" in caught.value.remedy
