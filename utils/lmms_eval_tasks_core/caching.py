"""Keeping what was made of the files asked for last."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(slots=True)
class _Entry(Generic[T]):
    made: list[T] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)


class Kept(Generic[T]):
    """A function of a file whose values for the last few files are kept; thread-safe.

    Threads that ask for one file at once wait for one of them to make the value; those that ask for
    different files don't wait for each other. A file that has changed since is another file.

    Args:
        make: Makes the value of a file.
        most: How many values are kept.
    """

    def __init__(self, make: Callable[[Path], T], most: int) -> None:
        self._make = make
        self._most = most
        self._lock = threading.Lock()
        self._entries: OrderedDict[tuple[str, float, int], _Entry[T]] = OrderedDict()

    def __call__(self, path: Path) -> T:
        """The value of a file, made now or before."""
        entry = self._entry(path)
        with entry.lock:
            if not entry.made:
                entry.made.append(self._make(path))
            return entry.made[0]

    def _entry(self, path: Path) -> _Entry[T]:
        key = _state(path)
        with self._lock:
            entry = self._entries.setdefault(key, _Entry())
            self._entries.move_to_end(key)
            while len(self._entries) > self._most:
                self._entries.popitem(last=False)
            return entry


def _state(path: Path) -> tuple[str, float, int]:
    try:
        found = path.stat()
    except OSError:
        return str(path), 0.0, 0
    return str(path), found.st_mtime, found.st_size
