"""A matcher that is a model behind an OpenAI-compatible server."""

from __future__ import annotations

from lmms_eval_tasks_core.environment import JUDGE_API_KEY, JUDGE_BASE_URL, MATCHER, MATCHER_MODEL
from lmms_eval_tasks_core.errors import JudgeUnavailableError
from lmms_eval_tasks_core.judging.asking import Asker
from lmms_eval_tasks_core.judging.dialect import closed_choice
from lmms_eval_tasks_core.judging.kept import Question
from lmms_eval_tasks_core.judging.transport import ChatModel
from lmms_eval_tasks_core.matching.prompt import NONE, VERSION, choices, read_choice, render
from lmms_eval_tasks_core.matching.protocol import Match, Undecided
from lmms_eval_tasks_core.options import Options
from lmms_eval_tasks_core.outcome import NotJudged

REMEDY = (
    f"Set {MATCHER_MODEL}, {JUDGE_BASE_URL} and {JUDGE_API_KEY} to a model that answers, "
    f"or {MATCHER}=lexical to match offline by comparing words."
)
_TRIAL = Undecided("What colour is the sky?", Options(("blue", "green")), "The colour of the sea.")


class OpenAIMatcher:
    """Asks a model which option a response means.

    Args:
        model: The model to ask.
        askings: How often to ask where the replies hold no choice.
    """

    def __init__(self, model: ChatModel, *, askings: int = 3) -> None:
        self._model = model
        self._askings = askings

    @property
    def name(self) -> str:
        """The name of the model."""
        return self._model.name

    @property
    def version(self) -> str:
        """The version of the prompt."""
        return VERSION

    def preflight(self) -> None:
        """Ask once in the life of the model; whatever it says is good enough.

        Raises:
            JudgeUnavailableError: The server cannot be reached or rejects the request.
        """
        try:
            self._model.check(render(_TRIAL), _format(_TRIAL.options), "matcher")
        except JudgeUnavailableError as error:
            problem = f"No response can be matched to an option, because {error.problem}"
            raise JudgeUnavailableError(problem, REMEDY) from None

    def match(self, undecided: Undecided) -> Match | NotJudged:
        """Ask for the option that a response means; thread-safe, and never raises."""
        options = undecided.options
        asker = Asker(self._model, lambda reply: read_choice(reply, options), self._askings)
        found = asker.answer(Question(render(undecided), _format(options), VERSION))
        if isinstance(found, NotJudged):
            return found
        letter = None if found.value == NONE else found.value
        return Match(letter, self.name, VERSION, found.reused, found.cost)


def _format(options: Options) -> dict[str, object]:
    return closed_choice("match", "option", choices(options))
