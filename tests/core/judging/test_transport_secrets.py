"""No key, wherever it was set, is ever shown, logged, raised or stored."""

from __future__ import annotations

import logging
from base64 import b64encode

import pytest

from lmms_eval_tasks_core.errors import JudgeUnavailableError
from lmms_eval_tasks_core.judging.client import Address
from lmms_eval_tasks_core.judging.protocol import Verdict
from lmms_eval_tasks_core.judging.purchases import Purchases
from lmms_eval_tasks_core.judging.secrets import redacted, secrets_of
from lmms_eval_tasks_core.judging.store import VerdictStore
from lmms_eval_tasks_core.outcome import NotJudged
from tests.support.judges import CORRECT, INQUIRY, judge_at
from tests.support.openai_server import Fault, OpenAIServer

# A key as Azure's are, a password that a URL has to spell otherwise, a key in a query.
KEY = "0123456789abcdef0123456789abcdef"
PASSWORD, SPELT = "pa/ss w:rd", "pa%2Fss%20w%3Ard"
TOKEN = "tok-in-the-query"  # noqa: S105 - it is to be found nowhere
BASIC = b64encode(f"ann:{PASSWORD}".encode()).decode()
SECRETS = (KEY, PASSWORD, SPELT, TOKEN, BASIC)
AZURE = "2024-10-21"


def with_secrets(server: OpenAIServer) -> str:
    """The server's URL with a user, a password and a query."""
    return f"{server.url.replace('http://', f'http://ann:{SPELT}@')}?access_token={TOKEN}&v=1"


def leaks(text: object) -> list[str]:
    return [secret for secret in SECRETS if secret in str(text)]


@pytest.mark.parametrize("azure_api", [None, AZURE], ids=["openai", "azure"])
@pytest.mark.parametrize(
    "answer",
    [
        Fault(status=401, words=f"Bad {' '.join(SECRETS)}."),
        Fault(status=503, words=f"Down {' '.join(SECRETS)}."),
        {"content": None, "refusal": f"I refuse {' '.join(SECRETS)}."},
        # The cut at 300 characters goes through the key.
        {"content": None, "refusal": f"{'x' * 280} {KEY}"},
        Fault(status=400, words=f"{'x' * 280} {KEY}"),
        f"no verdict {' '.join(SECRETS)}",
        f'{{"rationale": "as {" ".join(SECRETS)}", "grade": "correct"}}',
        Fault("drop"),
        Fault("page"),
    ],
    ids=lambda answer: answer.kind if isinstance(answer, Fault) else type(answer).__name__,
)
def test_nowhere(answer, azure_api, caplog, tmp_path):
    caplog.set_level(logging.DEBUG)
    path = tmp_path / "verdicts.sqlite"
    with OpenAIServer(answer, azure_api=azure_api) as server:
        judge = judge_at(
            server,
            base_url=with_secrets(server),
            api_key=KEY,
            max_retries=1,
            purchases=Purchases(VerdictStore(path)),
        )
        raised = ""
        try:
            judge.preflight()
        except JudgeUnavailableError as error:
            raised = f"{error!r} {error} {error.problem} {error.remedy}"
        graded = judge.grade(INQUIRY)
    assert not leaks(f"{judge!r} {judge._model!r} {judge._model._address!r} {raised} {graded!r}")
    assert not leaks(caplog.text)
    assert all(secret.encode() not in path.read_bytes() for secret in SECRETS)
    if isinstance(graded, NotJudged):
        assert "0123456789" not in str(graded)


def test_user_and_query_of_a_url_reach_the_server(caplog):
    caplog.set_level(logging.DEBUG)
    with OpenAIServer(CORRECT, key="unused") as server:
        server._key = None
        judge = judge_at(server, base_url=with_secrets(server))
        judge.preflight()
        assert isinstance(judge.grade(INQUIRY), Verdict)
    assert server.paths[0] == f"/v1/models?access_token={TOKEN}&v=1"
    assert set(server.paths[1:]) == {f"/v1/chat/completions?access_token={TOKEN}&v=1"}
    assert "access_token=***" in caplog.text


def test_an_address_does_not_show_its_keys():
    address = Address(f"https://ann:{SPELT}@host/v1?key={TOKEN}", KEY, None)
    assert repr(address) == "Address('https://host/v1')"


@pytest.mark.parametrize(
    "text",
    ["A basic understanding of x-rays", "mode=fast since 2026-01-01", "None of the above: none"],
)
def test_what_is_no_secret_stays(text):
    secrets = secrets_of("x", "https://host/v1?mode=fast&since=2026-01-01&none=none")
    assert redacted(text, secrets) == text
