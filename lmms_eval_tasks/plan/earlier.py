"""The responses of an earlier run, and what a judge would be asked about them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from lmms_eval_tasks.models.saved import SavedResponses, read_saved
from lmms_eval_tasks.results.run import read_run
from lmms_eval_tasks_core.judging.kept import Kept
from lmms_eval_tasks_core.judging.purchases import Purchases
from lmms_eval_tasks_core.judging.verdict_file import FileError, VerdictFile
from lmms_eval_tasks_core.outcome import NotJudged, NotJudgedReason

NOBODY = NotJudged(NotJudgedReason.JUDGE_NOT_CONFIGURED)


class Ledger(Purchases):
    """Notes what would be bought, and buys nothing.

    A judge or matcher that has it in the place of `Purchases` makes up its questions as in a run.

    Args:
        file: What is kept; None where nothing is.
    """

    def __init__(self, file: VerdictFile | None) -> None:
        super().__init__(None)
        self._file = file
        self.in_store: set[str] = set()
        self.to_buy: set[str] = set()
        self.askings = 0

    def obtained(
        self, key: str, buy: Callable[[], Kept | NotJudged], is_good: Callable[[Kept], bool]
    ) -> tuple[Kept | NotJudged, bool]:
        """Note whether a reply is kept; `buy` is never called."""
        del buy
        self.askings += 1
        kept = None
        with suppress(FileError):
            kept = self._file.get(key) if self._file else None
        if kept is not None and is_good(kept):
            self.in_store.add(key)
            return kept, True
        self.to_buy.add(key)
        return NOBODY, False


@dataclass(frozen=True)
class Earlier:
    """The responses of an earlier run.

    Attributes:
        name: Where they come from.
        of_run: The scored response to each question, by task and id.
        saved: Those of a file of saved responses.
    """

    name: str
    of_run: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    saved: SavedResponses = field(default_factory=SavedResponses)

    def response(self, task: str, row: Mapping[str, object], position: int) -> str | None:
        """The response to a row of a task; None where there is none."""
        if task in self.of_run:
            return self.of_run[task].get(str(row.get("id", position)))
        found = self.saved.find(task, row, position)
        return found[0] if found else None


def earlier_run(folder: Path) -> Earlier:
    """The newest run below a folder, or of a results file.

    Raises:
        RunError: There is no run that can be read.
    """
    run = read_run(folder)
    tasks = {
        name: {sample.id: sample.response for sample in task.samples()}
        for name, task in run.tasks.items()
        if task.samples_file is not None
    }
    return Earlier(str(run.file), of_run=tasks)


def saved_responses(file: Path) -> Earlier:
    """Responses as the model `replay` takes them.

    Raises:
        ReplayError: They cannot be read.
    """
    return Earlier(str(file), saved=read_saved(str(file)))
