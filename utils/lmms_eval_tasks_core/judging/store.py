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
from weakref import finalize, ref

from lmms_eval_tasks_core.environment import VERDICTS
from lmms_eval_tasks_core.judging.kept import Kept
from lmms_eval_tasks_core.judging.mending import is_damage, locks_beside, opened, replaced
from lmms_eval_tasks_core.judging.process_locks import ProcessLocks
from lmms_eval_tasks_core.judging.uses import Group, Tally
from lmms_eval_tasks_core.judging.verdict_file import VerdictFile

_log = logging.getLogger(__name__)
T = TypeVar("T")


class VerdictStore:
    """Keeps replies in a file that threads and processes share; opened on first use.

    A process must have one store for a file (see `ProcessLocks`). It counts how often a reply was
    bought and how often a kept one was reused: purchases with the reply itself, reuses every other
    second and at the end, so that a process that is killed loses those of its last seconds.

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
        self._tally = Tally()
        finalize(self, _close_if_alive, ref(self))

    def get(self, key: str) -> Kept | None:
        """What is kept under a key."""
        return self._done(lambda file: file.get(key), self._switch_off)

    def reuse(self, kept: Kept) -> None:
        """Count that something kept was of use."""
        self._done(lambda file: self._count(file, kept), self._switch_off)

    def put(self, key: str, kept: Kept) -> None:
        """Keep a reply that was bought."""
        if self._takes_more:
            self._done(lambda file: self._put(file, key, kept), self._take_no_more)

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

    def close(self) -> None:
        """Write down what was counted, and close the file; it is opened again on the next use."""
        with self._lock:
            if self._file is not None and self._process == os.getpid():
                self._write_down(self._file)
                self._file.close()
                self._file = None

    def _count(self, file: VerdictFile, kept: Kept) -> None:
        self._tally.reused(_group(kept))
        if self._tally.is_due():
            self._write_down(file)

    def _put(self, file: VerdictFile, key: str, kept: Kept) -> None:
        file.put([(key, kept)], uses=self._tally.counted(bought=_group(kept)))
        self._tally.clear()

    def _write_down(self, file: VerdictFile) -> None:
        """Write the counts down, if nobody else is writing; a count is worth no warning."""
        uses = self._tally.counted()
        if not uses:
            return
        try:
            file.count(uses)
        except sqlite3.Error:
            self._tally.wait_again()
        else:
            self._tally.clear()

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
            self._tally.clear()
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


def _group(kept: Kept) -> Group:
    return kept.judge, kept.server, kept.version


def _close_if_alive(store: ref[VerdictStore]) -> None:
    """At the end of the process; a store that is gone before that has been closed, or not used."""
    if (alive := store()) is not None:
        alive.close()
