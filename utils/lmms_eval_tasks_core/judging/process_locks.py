"""Locks between processes that cannot outlive the process that holds them."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

if sys.platform != "win32":
    import fcntl

# Offsets are signed 64-bit numbers.
_BYTES_OF_A_KEY = 7
_SHORTEST_PAUSE_S, _LONGEST_PAUSE_S = 0.002, 0.05


class ProcessLocks:
    """One lock for each key, between processes; threads of one process do not exclude each other.

    A lock is one byte of a file that stays empty. The system lets go of it when its process ends,
    however it ends. Where there are no such locks (the file cannot be made, the file system knows
    none, Windows) nothing is excluded, and nothing fails.

    A process must have one instance for a file and keep it: closing the file anywhere in a process
    lets go of all its locks.

    Args:
        path: The file.
    """

    def __init__(self, path: Path) -> None:
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o666)
        except OSError:
            self._file = -1

    @contextmanager
    def held(self, key: str) -> Iterator[None]:
        """Wait for the lock of a key, and hold it.

        Args:
            key: At least 14 hexadecimal digits, of which the first 14 count.
        """
        start = int(key[: 2 * _BYTES_OF_A_KEY], 16)
        is_held = self._waited_for(start)
        try:
            yield
        finally:
            if is_held:
                self._let_go(start)

    if sys.platform == "win32":

        def _waited_for(self, _: int) -> bool:
            return False

        def _let_go(self, _: int) -> None: ...

    else:

        def _waited_for(self, start: int) -> bool:
            """Wait by asking again: the system's own waiting takes threads for deadlocks."""
            pause = _SHORTEST_PAUSE_S
            while (got := self._got(start)) is False:
                time.sleep(pause)
                pause = min(2 * pause, _LONGEST_PAUSE_S)
            return bool(got)

        def _got(self, start: int) -> bool | None:
            """Whether the lock could be had at once; None where there are no locks."""
            if self._file < 0:
                return None
            try:
                fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, start)
            except (BlockingIOError, PermissionError):
                return False
            except OSError:
                return None
            return True

        def _let_go(self, start: int) -> None:
            fcntl.lockf(self._file, fcntl.LOCK_UN, 1, start)
