"""An event loop in a thread of its own: what runs there can be given up at any moment."""

from __future__ import annotations

import asyncio
import atexit
import os
import threading
from collections.abc import Coroutine
from typing import Any, Protocol, TypeVar
from weakref import WeakSet

T = TypeVar("T")
_LONGEST_GOODBYE_S = 2.0


class Closable(Protocol):
    """What holds connections that belong to the loop."""

    async def aclose(self) -> None:
        """Close them."""
        ...


class Background:
    """A running event loop, for as long as the process lives.

    Attributes:
        process: The process whose thread runs it: a loop does not outlive a fork.
    """

    def __init__(self) -> None:
        self.process = os.getpid()
        self._loop = asyncio.new_event_loop()
        self._open: WeakSet[Closable] = WeakSet()
        self._thread = threading.Thread(
            target=self._loop.run_forever, name="lmms-eval-tasks-judge", daemon=True
        )
        self._thread.start()
        atexit.register(self._stop)

    def result(self, work: Coroutine[Any, Any, T]) -> T:
        """What a coroutine returns or raises; it is cancelled where its caller is interrupted."""
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def close_at_exit(self, holder: Closable) -> None:
        """Have something closed at the end of the process, unless `close` came first."""
        self._open.add(holder)

    def close(self, holder: Closable) -> None:
        """Have something closed soon; never waits, as a garbage collector may be the caller."""
        if self.process == os.getpid() and self._thread.is_alive():
            self._loop.call_soon_threadsafe(lambda: self._loop.create_task(holder.aclose()))

    def _stop(self) -> None:
        if self.process != os.getpid():
            return
        goodbye = asyncio.run_coroutine_threadsafe(self._closed(), self._loop)
        try:
            goodbye.result(_LONGEST_GOODBYE_S)
        except Exception:  # noqa: BLE001 - the process ends anyway
            return
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_LONGEST_GOODBYE_S)
        if not self._thread.is_alive():
            self._loop.close()

    async def _closed(self) -> None:
        asked = asyncio.all_tasks() - {asyncio.current_task()}
        for task in asked:
            task.cancel()
        await asyncio.gather(*asked, return_exceptions=True)
        closing = (holder.aclose() for holder in tuple(self._open))
        await asyncio.gather(*closing, return_exceptions=True)


_lock = threading.Lock()
_backgrounds: list[Background] = []


def background() -> Background:
    """The one event loop of this process, started on first use and anew after a fork."""
    with _lock:
        if not _backgrounds or _backgrounds[-1].process != os.getpid():
            # The old one stays in the list: a loop of another process must not be closed here.
            _backgrounds.append(Background())
        return _backgrounds[-1]
