"""What can be wrong with an official archive."""

from __future__ import annotations

from lmms_eval_tasks_core.errors import TasksError

_FETCH = "Download the archive again from the page that its authors name."


class ArchiveError(TasksError):
    """An archive cannot be used; the subclasses say why."""


class ArchiveRefusedError(ArchiveError):
    """An archive does what no honest one does: nothing of it is unpacked.

    Attributes:
        member: The file in the archive that is at fault.
    """

    def __init__(self, member: str, trouble: str) -> None:
        super().__init__(
            f"Refused: the file {_shortened(member)!r} in the archive {trouble}.", _FETCH
        )
        self.member = member


class ArchiveDamagedError(ArchiveError):
    """An archive cannot be read to its end."""

    def __init__(self, trouble: str) -> None:
        super().__init__(f"The archive cannot be read: {trouble}.", _FETCH)


class ArchiveLayoutError(ArchiveError):
    """An archive does not hold the files that make a data set."""


class PickleDamagedError(ArchiveError):
    """A pickle cannot be read to its end."""

    def __init__(self, source: str, trouble: str, position: int) -> None:
        super().__init__(f"{source} cannot be read: {trouble}, at byte {position}.", _FETCH)


class PickleRefusedError(ArchiveError):
    """A pickle holds more than plain containers and numpy arrays; nothing of it was run.

    Attributes:
        refused: What it holds, as a dotted name or as the name of a pickle instruction.
        position: Where that stands, in bytes from the start.
    """

    def __init__(self, source: str, refused: str, position: int, trouble: str = "") -> None:
        why = trouble or "which is neither a plain container nor a numpy array"
        super().__init__(
            f"Refused: {source} holds {_shortened(refused)}, {why}, at byte {position}. "
            "Nothing of it was run.",
            _FETCH,
        )
        self.refused = refused
        self.position = position


def _shortened(text: str, limit: int = 120) -> str:
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
