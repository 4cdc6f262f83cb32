"""A judge at a server of the tests, and what it is asked."""

from __future__ import annotations

from collections.abc import Callable

from lmms_eval_tasks.worldqa.rubric import RUBRIC
from lmms_eval_tasks_core.judging.openai_judge import OpenAIJudge
from lmms_eval_tasks_core.judging.protocol import Inquiry
from lmms_eval_tasks_core.judging.transport import ChatModel
from tests.support.openai_server import Answer, Json, OpenAIServer

KEY = "secret-key-0123456789"
INQUIRY = Inquiry("What colour is it?", "Blue.", "It is blue.")
CORRECT = '{"rationale": "the same", "grade": "correct"}'


def judge_at(server: OpenAIServer, **settings) -> OpenAIJudge:
    given = {
        "model": "test-model",
        "base_url": server.url,
        "api_key": KEY,
        "azure_api": server.azure_api,
        **settings,
    }
    return OpenAIJudge(RUBRIC, ChatModel(**given))


def in_turn(*answers: Answer) -> Callable[[Json], Answer]:
    """Answer the first requests one by one, and all further ones like the last."""
    left = list(answers)
    return lambda _: left.pop(0) if len(left) > 1 else left[0]
