"""The store of verdicts: what was bought once is not bought again, and nothing here ever fails.

A store that cannot be read or written is worth one warning; a run goes on without it.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from lmms_eval_tasks_core.environment import VERDICTS
from lmms_eval_tasks_core.judging.kept import Kept
from lmms_eval_tasks_core.judging.mending import is_damage, locks_beside, opened, replaced
from lmms_eval_tasks_core.judging.process_locks import ProcessLocks
from lmms_eval_tasks_core.judging.verdict_file import VerdictFile

_log = logging.getLogger(__name__)
T = TypeVar("T")


class VerdictStore:
    """Keeps replies in a file that threads and processes share; opened on first use.

    A process must have one store for a file (see `ProcessLocks`).

    Args:
        path: The file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._locks: ProcessLocks | None = None
        self._file: VerdictFile | None = None
        self._inherited: list[VerdictFile] = []
        self._process = 0
        self._is_off = False
        self._takes_more = True
        self._was_replaced = False

    def get(self, key: str) -> Kept | None:
        """What is kept under a key."""
        return self._done(lambda file: file.get(key), self._switch_off)

    def put(self, key: str, kept: Kept) -> None:
        """Keep a reply."""
        if self._takes_more:
            self._done(lambda file: file.put([(key, kept)]), self._take_no_more)

    def knows(self, judge: str, server: str) -> bool:
        """Whether a reply of this model at this server is kept."""
        return bool(self._done(lambda file: file.knows(judge, server), self._switch_off))

    @contextmanager
    def asking(self, key: str) -> Iterator[None]:
        """Keep other processes from buying the same reply; they wait, and find it here."""
        with self._lock:
            self._ready()
            locks = self._locks if self._takes_more and not self._is_off else None
        if locks is None:
            yield
            return
        with locks.held(key):
            yield

    def _done(self, act: Callable[[VerdictFile], T], give_up: Callable[[object], None]) -> T | None:
        with self._lock:
            try:
                file = self._ready()
                return None if file is None else self._mended(file, act)
            except (sqlite3.Error, OSError) as error:
                give_up(error)
                return None

    def _mended(self, file: VerdictFile, act: Callable[[VerdictFile], T]) -> T:
        """Act on the file; on another one in its place if this one turns out to be damaged."""
        try:
            return act(file)
        except sqlite3.DatabaseError as error:
            if not is_damage(error) or self._was_replaced or self._locks is None:
                raise
            self._file = None
            self._file = replaced(file, self._locks, self._say_moved, str(error))
            return act(self._file)

    def _ready(self) -> VerdictFile | None:
        """The open file; the lock is held."""
        if self._is_off:
            return None
        if self._file is not None and self._process != os.getpid():
            # A connection must not be used, nor closed, on the other side of a fork.
            self._inherited.append(self._file)
            self._file = None
        if self._file is None:
            try:
                self._locks = self._locks or locks_beside(self._path)
                self._file = opened(self._path, self._locks, self._say_moved)
            except (sqlite3.Error, OSError) as error:
                self._switch_off(error)
            self._process = os.getpid()
        return self._file

    def _say_moved(self, aside: Path, why: str) -> None:
        self._was_replaced = True
        _log.warning(
            "The store of verdicts %s cannot be used (%s). It is now %s, and a new one begins.",
            self._path,
            why,
            aside.name,
        )

    def _switch_off(self, error: object) -> None:
        self._is_off = True
        self._say_lost(f"cannot be used ({error})")

    def _take_no_more(self, error: object) -> None:
        self._say_lost(f"takes no more ({error})")

    def _say_lost(self, trouble: str) -> None:
        if self._takes_more:
            self._takes_more = False
            _log.warning(
                "The store of verdicts %s %s: verdicts of this run are not kept, and would be "
                "bought again. %s names another file; `off` says that this is meant.",
                self._path,
                trouble,
                VERDICTS,
            )
