"""How long to wait for a server, in view of how it answered so far."""

from __future__ import annotations

import logging
import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from lmms_eval_tasks_core.judging.failures import may_pass

_log = logging.getLogger(__name__)

# The client doubles its pauses with every retry, up to 8 s; a new round begins with short ones.
MOST_RETRIES_IN_A_ROUND = 2
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.5, 8.0
_TRIES_IN_A_PATIENCE = 3
_SHORT_WAIT = 1 / 12
_ENOUGH = 3


@dataclass(frozen=True, slots=True)
class Allowance:
    """What one question may take.

    Attributes:
        end: When it is to be given up, on the monotonic clock.
        one_try: The seconds that one try may take.
        retries: How often to try again; None for as often as there is time.
    """

    end: float
    one_try: float
    retries: int | None

    @property
    def left(self) -> float:
        """The seconds left, 0 or more."""
        return max(self.end - time.monotonic(), 0.0)

    def rounds(self) -> Iterator[tuple[int, float]]:
        """The retries of each round, and the seconds to pause before the next round."""
        done, pause = 0, _FIRST_PAUSE_S
        while self.retries is None or done <= self.retries:
            most = MOST_RETRIES_IN_A_ROUND if self.retries is None else self.retries - done
            retries = min(most, MOST_RETRIES_IN_A_ROUND)
            yield retries, pause * random.uniform(0.75, 1)  # noqa: S311 - only spreads requests
            done += retries + 1
            pause = min(2 * pause, _LONGEST_PAUSE_S)


class Patience:
    """Waits long for a server that is slow or busy, and not for one that is down; thread-safe.

    A question may take the whole patience, and one try a third of it. When three questions ended
    in vain without a success in between, patience is **lost**: a question is tried once, for a
    twelfth of the patience. Only now and then one gets a whole try, as a **probe**, so that a
    server that is back is noticed even if its answers take long: one at a time, with a break as
    long as a try in between. The first success brings all patience back.

    Args:
        seconds: The longest time that one question may take, whatever the server does.
        who: Whose patience is told of in the log, such as "the judge".
    """

    def __init__(self, seconds: float, who: str) -> None:
        self._seconds = seconds
        self._who = who
        self._lock = threading.Lock()
        self._in_vain = 0
        self._is_probed = False
        self._next_probe = 0.0

    @property
    def one_try(self) -> float:
        """The seconds that one try may take."""
        return self._seconds / _TRIES_IN_A_PATIENCE

    @contextmanager
    def granted(self, retries: int | None = None) -> Iterator[Allowance]:
        """An allowance for one question; what the block raises says what became of it.

        Args:
            retries: How often to try again at most; None for as often as there is time.
        """
        allowance, is_full, is_probe = self._allowance(retries)
        try:
            yield allowance
        except Exception as error:
            if is_full and may_pass(error):
                self._note_failure()
            raise
        else:
            self._note_success()
        finally:
            if is_probe:
                self._end_probe()

    def _allowance(self, retries: int | None) -> tuple[Allowance, bool, bool]:
        """An allowance, whether it is all there is to give, and whether it is the probe's."""
        with self._lock:
            is_full = self._in_vain < _ENOUGH
            is_due = not self._is_probed and time.monotonic() >= self._next_probe
            is_probe = is_due and not is_full
            self._is_probed = self._is_probed or is_probe
        seconds = self._seconds
        if not is_full:
            seconds *= 1 / _TRIES_IN_A_PATIENCE if is_probe else _SHORT_WAIT
            retries = 0
        one_try = min(self.one_try, seconds)
        return Allowance(time.monotonic() + seconds, one_try, retries), is_full, is_probe

    def _end_probe(self) -> None:
        with self._lock:
            self._is_probed = False
            self._next_probe = time.monotonic() + self.one_try

    def _note_failure(self) -> None:
        with self._lock:
            self._in_vain += 1
            is_lost_now = self._in_vain == _ENOUGH
        if is_lost_now:
            _log.warning(
                "%s left %d questions in a row without an answer. Until it answers one, each is "
                "tried once.",
                self._who,
                _ENOUGH,
            )

    def _note_success(self) -> None:
        with self._lock:
            was_lost = self._in_vain >= _ENOUGH
            self._in_vain = 0
        if was_lost:
            _log.warning("%s answers again.", self._who)
