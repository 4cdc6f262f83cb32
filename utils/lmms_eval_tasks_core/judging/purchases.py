"""No reply is bought twice: not by two runs, not by two processes, not by two threads at once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future

from lmms_eval_tasks_core.judging.kept import Kept
from lmms_eval_tasks_core.judging.store import VerdictStore
from lmms_eval_tasks_core.outcome import NotJudged


class Purchases:
    """What a process has bought, and is buying.

    Args:
        store: Where replies are kept; None to share only what is in flight.
    """

    def __init__(self, store: VerdictStore | None) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._in_flight: dict[str, Future[tuple[Kept | NotJudged, bool]]] = {}

    def obtained(
        self, key: str, buy: Callable[[], Kept | NotJudged], is_good: Callable[[Kept], bool]
    ) -> tuple[Kept | NotJudged, bool]:
        """A reply from the store, from a thread or process that is asking for it, or bought.

        Args:
            key: What the reply answers.
            buy: Asks for it, or says why there is none, which is not kept.
            is_good: Whether a reply that was kept is still to be had; else it is bought anew.

        Returns:
            The reply or why there is none, and whether somebody else asked for it.
        """
        with self._lock:
            shared = self._in_flight.get(key)
            if shared is None:
                mine = self._in_flight[key] = Future()
        if shared is not None:
            return shared.result()[0], True
        try:
            found = self._kept_or_bought(key, buy, is_good)
            mine.set_result(found)
        except BaseException as error:
            mine.set_exception(error)
            raise
        else:
            return found
        finally:
            with self._lock:
                del self._in_flight[key]

    def knows(self, judge: str, server: str) -> bool:
        """Whether a reply of this model at this server is kept."""
        return self._store is not None and self._store.knows(judge, server)

    def _kept_or_bought(
        self, key: str, buy: Callable[[], Kept | NotJudged], is_good: Callable[[Kept], bool]
    ) -> tuple[Kept | NotJudged, bool]:
        store = self._store
        if store is None:
            return buy(), False
        if kept := self._reused(store, key, is_good):
            return kept, True
        with store.asking(key):
            # Another process may have bought it in the meantime.
            if kept := self._reused(store, key, is_good):
                return kept, True
            bought = buy()
            if isinstance(bought, Kept) and is_good(bought):
                store.put(key, bought)
            return bought, False

    @staticmethod
    def _reused(store: VerdictStore, key: str, is_good: Callable[[Kept], bool]) -> Kept | None:
        kept = store.get(key)
        if kept is None or not is_good(kept):
            return None
        store.reuse(kept)
        return kept
