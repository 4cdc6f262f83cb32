"""Opening the file of verdicts, whatever lies in its place."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

from lmms_eval_tasks_core.judging.process_locks import ProcessLocks
from lmms_eval_tasks_core.judging.verdict_file import ForeignFileError, VerdictFile, folder_made

_OPENING = "0" * 14
_COMPANIONS = ("", "-wal", "-shm")


def is_damage(error: sqlite3.Error) -> bool:
    """Whether an error says that the file is none of ours, or no longer whole.

    SQLite's other errors (no space, no permission, locked) have classes of their own.
    """
    return type(error) in (sqlite3.DatabaseError, ForeignFileError)


def locks_beside(path: Path) -> ProcessLocks:
    """The locks of a file's users, and its folder if it is missing.

    Raises:
        OSError: The folder cannot be made.
    """
    return ProcessLocks(folder_made(path).with_name(f"{path.name}.lock"))


def opened(path: Path, locks: ProcessLocks, on_aside: Callable[[Path, str], None]) -> VerdictFile:
    """Open the file, or begin it; what is damaged or foreign is moved aside.

    Args:
        path: The file.
        locks: Those of `locks_beside`.
        on_aside: Told where a file was moved, and why.

    Raises:
        sqlite3.Error: It can be neither read nor written.
        OSError: A file cannot be moved aside.
    """
    with locks.held(_OPENING):
        try:
            return VerdictFile(path)
        except sqlite3.DatabaseError as error:
            if not is_damage(error):
                raise
            on_aside(_moved_aside(path), str(error))
        return VerdictFile(path)


def replaced(
    damaged: VerdictFile, locks: ProcessLocks, on_aside: Callable[[Path, str], None], why: str
) -> VerdictFile:
    """Move aside a file that turned out to be damaged, and open another in its place.

    Raises:
        sqlite3.Error: As for `opened`.
        OSError: As for `opened`.
    """
    damaged.close()
    with locks.held(_OPENING):
        # Unless another process has done so.
        if damaged.is_still_there():
            on_aside(_moved_aside(damaged.path), why)
        return VerdictFile(damaged.path)


def _moved_aside(path: Path) -> Path:
    """Move a file and what belongs to it out of the way; nothing is overwritten."""
    names = (path.with_name(f"{path.name}.aside-{number}") for number in range(1, 10_000))
    aside = next(name for name in names if not name.exists())
    for companion in _COMPANIONS:
        source = path.with_name(path.name + companion)
        if source.exists():
            os.replace(source, aside.with_name(aside.name + companion))  # noqa: PTH105 - same on every system
    return aside
