"""What a judge or a matcher will be asked, and what the store of verdicts holds of it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from lmms_eval_tasks.plan.asked import LEXICAL, Asked, Exact
from lmms_eval_tasks.plan.earlier import Earlier, Ledger
from lmms_eval_tasks.plan.task_files import Task
from lmms_eval_tasks.plan.tokens import tokens_of
from lmms_eval_tasks.results.kinds import Kind
from lmms_eval_tasks.worldqa.circular_scoring import score_circular
from lmms_eval_tasks.worldqa.records import CircularRecord, OpenEndedRecord
from lmms_eval_tasks.worldqa.rubric import RUBRIC
from lmms_eval_tasks.worldqa.scoring import score_open_ended
from lmms_eval_tasks_core.judging.openai_judge import OpenAIJudge
from lmms_eval_tasks_core.judging.protocol import Inquiry
from lmms_eval_tasks_core.judging.transport import ChatModel
from lmms_eval_tasks_core.matching import prompt as matching
from lmms_eval_tasks_core.matching.openai_matcher import OpenAIMatcher
from lmms_eval_tasks_core.matching.protocol import Undecided
from lmms_eval_tasks_core.settings import (
    JudgeSettings,
    judge_settings,
    matcher_settings,
    verdicts_file,
)

if TYPE_CHECKING:  # SQLite is for those who have a store
    from lmms_eval_tasks_core.judging.uses import Holding
    from lmms_eval_tasks_core.judging.verdict_file import VerdictFile

Row = Mapping[str, Any]
# Stands for a model that is still to be named, where requests are only counted.
_UNNAMED = "(no model named)"
_ROLES = {Kind.OPEN_ENDED: "judge", Kind.CIRCULAR: "matcher"}
# A verdict is a JSON object with one or two sentences, a match one with a letter.
_OUTPUT_TOKENS = {"judge": 100, "matcher": 15}


class Office:
    """Who judges and matches by the settings, and what they have been asked before.

    Args:
        earlier: The responses of an earlier run; None where there is none.
        undecided_share: The share of multiple-choice responses, 0 to 1, that rules cannot read.

    Attributes:
        store: The file that keeps verdicts; None where none are kept.

    Raises:
        SettingError: A setting has a value that cannot be used.
    """

    def __init__(self, earlier: Earlier | None, undecided_share: float) -> None:
        self._earlier = earlier
        self._undecided_share = undecided_share
        self.store = verdicts_file()
        self._holdings = _holdings()

    def asked(
        self, task: Task, rows: Sequence[Row], count: int, answer_tokens: int
    ) -> Asked | None:
        """What is asked for one task.

        Args:
            task: The task.
            rows: Its rows, or those of a sample in their place.
            count: How many requests the task makes; the rows are all of them, or stand for them.
            answer_tokens: How long a response is, where no earlier run tells.

        Returns:
            None for a task that needs neither a judge nor a matcher.
        """
        role = _ROLES.get(task.kind) if task.kind else None
        if role is None:
            return None
        model, version = _named(task, role)
        if model == LEXICAL:
            return Asked(role, model, "", version, 0, 0, 0, 0, None, 0, 0)
        settings = _server_settings(role)
        chat = _chat_model(model, settings, None)
        server = chat.server if model else None
        holding = self._holding(model, server, version)
        exact = self._exact(task, role, rows, model, settings)
        kept = holding.verdicts if holding else 0
        least, most, expected = self._numbers(role, count, kept, exact)
        prompts = [_prompt_tokens(role, row, answer_tokens) for row in rows]
        read = round(expected * sum(prompts) / max(len(prompts), 1))
        written = holding.output_tokens / holding.verdicts if holding else _OUTPUT_TOKENS[role]
        return Asked(
            role=role,
            model=model,
            server=server,
            version=version,
            least=least,
            most=most,
            expected=expected,
            kept=kept,
            exact=exact,
            input_tokens=read,
            output_tokens=round(expected * written),
        )

    def _numbers(
        self, role: str, count: int, kept: int, exact: Exact | None
    ) -> tuple[int, int, int]:
        """The fewest, the most and the likely number of requests."""
        certain = exact.to_buy if exact else 0
        rest = count - (exact.responses if exact else 0)
        if role == "judge":
            # Some of the rest may be kept, but nobody knows which before the model has answered.
            unused = max(kept - (exact.in_store if exact else 0), 0)
            return certain + max(rest - unused, 0), certain + rest, certain + rest
        return certain, certain + rest, certain + math.ceil(self._undecided_share * rest)

    def _holding(self, model: str | None, server: str | None, version: str) -> Holding | None:
        wanted = (model, server, version)
        held = (each for each in self._holdings if each.verdicts)
        return next((h for h in held if (h.judge, h.server, h.version) == wanted), None)

    def _exact(
        self,
        task: Task,
        role: str,
        rows: Sequence[Row],
        model: str | None,
        settings: JudgeSettings,
    ) -> Exact | None:
        """Score the earlier responses as in a run, with a ledger in the place of a shop."""
        if self._earlier is None:
            return None
        with _store() as file:
            ledger = Ledger(file)
            chat = _chat_model(model, settings, ledger)
            judge, matcher = OpenAIJudge(RUBRIC, chat), OpenAIMatcher(chat)
            responses = 0
            for position, row in enumerate(rows):
                response = self._earlier.response(task.name, row, position)
                if response is None:
                    continue
                responses += 1
                if role == "judge":
                    score_open_ended(OpenEndedRecord.from_row(row), response, lambda: judge)
                else:
                    score_circular(CircularRecord.from_row(row), response, lambda: matcher)
        if not responses:
            return None
        return Exact(responses, ledger.askings, len(ledger.in_store), len(ledger.to_buy))


def _named(task: Task, role: str) -> tuple[str | None, str]:
    """The model that the task's scorer would ask, if one is named, and the version to cite."""
    cited: Mapping[str, object] = getattr(task.function("process_results"), "provenance", dict)()
    versions = {"judge": RUBRIC.version, "matcher": matching.VERSION}
    name: str | None = str(cited.get(role, "none"))
    version = str(cited.get("rubric_version") or cited.get("matcher_version") or versions[role])
    if name == "none":
        # Without a key, say, a run would stop; what it would cost can be said all the same.
        name = _own_model(role) or None
        version = versions[role]
    return name, version


def _own_model(role: str) -> str | None:
    return judge_settings().model if role == "judge" else matcher_settings().model


def _server_settings(role: str) -> JudgeSettings:
    return judge_settings() if role == "judge" else matcher_settings().server


def _chat_model(model: str | None, server: JudgeSettings, ledger: Ledger | None) -> ChatModel:
    """The model as a run makes it, but for what it bought; it is never asked here."""
    return ChatModel(
        model=model or _UNNAMED,
        base_url=server.base_url,
        api_key=server.api_key,
        azure_api=server.azure_api,
        purchases=ledger,
    )


def _prompt_tokens(role: str, row: Row, answer_tokens: int) -> int:
    """The tokens of a prompt about a response of this length."""
    if role == "judge":
        record = OpenEndedRecord.from_row(row)
        text = RUBRIC.render(Inquiry(record.question, record.answer, ""))
    else:
        passed = CircularRecord.from_row(row)
        text = matching.render(Undecided(passed.question, passed.options, ""))
    return tokens_of(text) + answer_tokens


def _holdings() -> list[Holding]:
    """What the store holds; nothing where it turns out to be damaged."""
    from lmms_eval_tasks_core.judging.verdict_file import FileError  # noqa: PLC0415 - see below

    try:
        with _store() as file:
            return file.holdings() if file else []
    except FileError:
        return []


@contextmanager
def _store() -> Iterator[VerdictFile | None]:
    """The store of verdicts; None where there is none, or none that can be read."""
    from lmms_eval_tasks_core.judging.verdict_file import (  # noqa: PLC0415 - see TYPE_CHECKING
        FileError,
        VerdictFile,
    )

    path = verdicts_file()
    file = None
    try:
        if path is not None and path.exists():
            file = VerdictFile(path)
    except (FileError, OSError):
        file = None
    try:
        yield file
    finally:
        if file is not None:
            file.close()
