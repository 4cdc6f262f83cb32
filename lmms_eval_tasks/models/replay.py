"""`replay`: a model that gives saved responses, so that any engine's output can be scored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from loguru import logger

from lmms_eval_tasks.models.offline import OfflineModel, refuse_unknown
from lmms_eval_tasks.models.saved import read_saved
from lmms_eval_tasks_core.errors import ReplayError, SettingError

SAMPLE_RESPONSES = Path(__file__).parents[1] / "samples" / "replay" / "responses.jsonl"
_MISSING = ("error", "empty")


class Replay(OfflineModel):
    """Answers from files of saved responses; no model runs.

    Args:
        responses: A file, folder or glob pattern, see `read_saved`. Left out, the responses that
            come with the samples.
        missing: What to do where no response is saved: "error" stops before anything is answered
            and names the questions; "empty" answers with nothing, which counts as no answer.
        **arguments: What lmms-eval passes to every model.

    Raises:
        ReplayError: The files cannot be read.
        SettingError: `missing` has another value, or an argument is unknown.
    """

    def __init__(
        self,
        responses: str = "",
        missing: str = "error",
        **arguments: object,
    ) -> None:
        super().__init__()
        refuse_unknown(arguments, "responses and missing")
        if missing not in _MISSING:
            choice = " or ".join(f"missing={value}" for value in _MISSING)
            raise SettingError("missing", f"{missing!r} is unknown", f"Use {choice}.")
        self._saved = read_saved(responses or str(SAMPLE_RESPONSES))
        self._missing = missing

    def generate_until(self, requests: list[Any]) -> list[str]:
        """Give the saved response to each request; the n-th time a question comes, the n-th.

        Args:
            requests: Instances whose arguments are (context, doc_to_messages, generation_kwargs,
                doc_id, task, split).

        Raises:
            ReplayError: Responses are missing and `missing` is "error", or there are some, but to
                questions of other tasks only.
        """
        # lmms-eval repeats a request by listing it again, and evens processes out with copies of a
        # request, whose responses it throws away: only the former are further askings.
        asked: Counter[int] = Counter()
        given: list[str | None] = []
        lacking: dict[str, str] = {}
        for request in requests:
            *_, position, task, split = request.args
            doc = self.task_dict[task][split][position]
            saved = self._saved.find(task, doc, position) or []
            turn = asked[id(request)]
            asked[id(request)] += 1
            given.append(saved[turn] if turn < len(saved) else None)
            if given[-1] is None:
                lacking[f"{task} {doc.get('id', position)}"] = task
        if lacking:
            self._tell_of(lacking, len(asked), {request.args[4] for request in requests})
        return [response or "" for response in given]

    def _tell_of(self, lacking: Mapping[str, str], asked: int, tasks: set[str]) -> None:
        """Say which questions have no response; a slip in the name of a task is no choice."""
        words = (
            f"No saved response to {len(lacking)} of {asked} questions, the first of them "
            f"{', '.join(list(lacking)[:3])}; looked in "
            f"{', '.join(str(file) for file in self._saved.files[:3])}"
        )
        if not tasks & self._saved.tasks:
            answered = ", ".join(sorted(self._saved.tasks)) or "no task"
            raise ReplayError(
                f"{words}, which answer questions of {answered} only.",
                "Name the tasks as --tasks does.",
            )
        if self._missing == "error":
            raise ReplayError(
                f"{words}.",
                "Add them (a question asked several times takes a list, a response for each "
                "time), or pass --model_args missing=empty to count them as unanswered.",
            )
        for task, count in Counter(lacking.values()).items():
            logger.warning(f"{task}: no saved response to {count} questions; left unanswered.")
