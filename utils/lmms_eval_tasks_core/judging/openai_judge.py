"""A judge that is a model behind an OpenAI-compatible server."""

from __future__ import annotations

from dataclasses import replace

from lmms_eval_tasks_core.environment import JUDGE, JUDGE_API_KEY, JUDGE_BASE_URL, JUDGE_MODEL
from lmms_eval_tasks_core.errors import JudgeUnavailableError
from lmms_eval_tasks_core.judging.asking import Asker
from lmms_eval_tasks_core.judging.dialect import closed_choice
from lmms_eval_tasks_core.judging.kept import Question
from lmms_eval_tasks_core.judging.protocol import Inquiry, Rubric, Verdict
from lmms_eval_tasks_core.judging.transport import ChatModel
from lmms_eval_tasks_core.judging.verdict import read_verdict
from lmms_eval_tasks_core.outcome import NotJudged

REMEDY = (
    f"Set {JUDGE_MODEL}, {JUDGE_BASE_URL} and {JUDGE_API_KEY} to a judge that answers, "
    f"or {JUDGE}=lexical to grade offline by comparing words."
)
_TRIAL = Inquiry("What colour is a clear sky at noon?", "It is blue.", "Blue.")


class OpenAIJudge:
    """Asks a model for a grade.

    Args:
        rubric: The scale and the words in which to ask.
        model: The model to ask.
        askings: How often to ask for a verdict where the replies hold none.
    """

    def __init__(self, rubric: Rubric, model: ChatModel, *, askings: int = 3) -> None:
        self._rubric = rubric
        self._model = model
        self._asker = Asker(model, self._verdict, askings)
        names = [grade.name for grade in rubric.grades]
        self._format = closed_choice("verdict", "grade", names, "rationale")

    @property
    def name(self) -> str:
        """The name of the model."""
        return self._model.name

    def preflight(self) -> None:
        """Ask for one verdict, once in the life of the model.

        A reply without a verdict is good enough here: the run counts those by reason.

        Raises:
            JudgeUnavailableError: The server cannot be reached or rejects the request.
        """
        try:
            self._model.check(self._rubric.render(_TRIAL), self._format, "judge")
        except JudgeUnavailableError as error:
            problem = f"Nothing can be graded, because {error.problem}"
            raise JudgeUnavailableError(problem, REMEDY) from None

    def grade(self, inquiry: Inquiry) -> Verdict | NotJudged:
        """Grade one answer, or say why it has no verdict; thread-safe, and never raises."""
        question = Question(self._rubric.render(inquiry), self._format, self._rubric.version)
        found = self._asker.answer(question)
        if isinstance(found, NotJudged):
            return found
        return replace(found.value, reused=found.reused, cost=found.cost)

    def _verdict(self, reply: str) -> Verdict | None:
        read = read_verdict(reply, self._rubric.grades)
        if read is None:
            return None
        rationale = self._model.redacted(read.rationale)
        return Verdict(read.points, read.grade, rationale, self.name, self._rubric.version)
