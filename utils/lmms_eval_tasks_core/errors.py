"""The errors a user can meet: each names the evidence and what to do about it."""

from __future__ import annotations


class TasksError(Exception):
    """Root of every error this pack raises on purpose.

    Attributes:
        problem: One sentence that says what is wrong, with the evidence in it.
        remedy: One sentence that tells the user what to do.
    """

    def __init__(self, problem: str, remedy: str) -> None:
        super().__init__(f"{problem} {remedy}")
        self.problem = problem
        self.remedy = remedy


class RowError(TasksError):
    """A row of a data set does not have the shape its benchmark needs.

    Attributes:
        row: The row's id where it has one, else its position counted from 0.
        column: The column that is missing or holds a bad value.
    """

    def __init__(
        self,
        row: str | int,
        column: str,
        trouble: str,
        *,
        value: object = None,
        remedy: str = "Correct the row, or leave it out of the data file.",
    ) -> None:
        shown = "" if value is None else f" (value: {_shortened(value)})"
        super().__init__(f"Row {row!r}, column {column!r}: {trouble}{shown}.", remedy)
        self.row = row
        self.column = column


class DatasetUnavailableError(TasksError):
    """A data set could neither be loaded nor downloaded."""


class VideosMissingError(TasksError):
    """None of the videos a task needs lies where it was looked for."""


class SettingError(TasksError):
    """A setting has a value that cannot be used.

    Attributes:
        name: The environment variable or argument.
    """

    def __init__(self, name: str, trouble: str, remedy: str) -> None:
        super().__init__(f"{name}: {trouble}.", remedy)
        self.name = name


class JudgeUnavailableError(TasksError):
    """A run needs a judge and none is configured, or the configured one does not answer."""


class ReplayError(TasksError):
    """A file of saved responses cannot be read, or lacks the response to a question."""


def _shortened(value: object, limit: int = 80) -> str:
    text = repr(value)
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
