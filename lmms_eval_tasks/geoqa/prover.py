"""Runs sympy's comparison of two programs within a time limit.

Sympy has no limit of its own, a thread cannot be stopped, and the threads in which lmms-eval scores
cannot use signals. So one process per evaluation process answers all questions, one at a time, and
is ended and replaced when it takes too long.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Sequence

from lmms_eval_tasks.geoqa.program.errors import ProgramError
from lmms_eval_tasks.geoqa.symbolic import Finding, compare_formulas

# The first answer takes as long as it takes to import sympy on a busy machine.
START_LIMIT_S = 60.0
TIME_LIMIT_S = 5.0
_END_LIMIT_S = 2.0
_READY = "ready"
# The parent's own import path, so that both find the same packages and nothing else.
_WORKER = (
    "import sys, json; sys.path[:] = json.loads(sys.argv[1]); "
    "from lmms_eval_tasks.geoqa.prover import serve; serve()"
)


class ProverTimeoutError(Exception):
    """The comparison took longer than its limit."""


class ProverFailedError(Exception):
    """The process could not be started, or ended by itself."""


class Prover:
    """Answers questions in a process of its own, which starts with the first one.

    Any number of threads may ask; each waits for its turn, and its time starts with it.

    Args:
        time_limit_s: The longest a question may take, in seconds.
    """

    def __init__(self, time_limit_s: float = TIME_LIMIT_S) -> None:
        self._time_limit_s = time_limit_s
        self._turn = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._owner: int | None = None

    def compare(self, first: str, second: str, numbers: Sequence[float]) -> Finding:
        """Compare two programs that run; see `symbolic.compare_formulas`.

        Raises:
            ProverTimeoutError: It took longer than the limit.
            ProverFailedError: There is no process to ask.
        """
        question = json.dumps([first, second, [float(number) for number in numbers]])
        with self._turn:
            process = self._running()
            try:
                return Finding(_exchange(process, question, self._time_limit_s))
            except (ProverTimeoutError, ProverFailedError):
                self._end()
                raise

    def close(self) -> None:
        """End the process, if there is one; the next question starts another."""
        with self._turn:
            self._end()

    def _running(self) -> subprocess.Popen[str]:
        # A forked copy of this object must not share the pipes of the original.
        if self._process is not None and self._owner == os.getpid():
            if self._process.poll() is None:
                return self._process
            self._end()
        self._process = self._started()
        if self._owner is None:
            atexit.register(self.close)
        self._owner = os.getpid()
        return self._process

    def _started(self) -> subprocess.Popen[str]:
        try:
            process = subprocess.Popen(  # noqa: S603 - this interpreter, and words of our own
                [sys.executable, "-I", "-c", _WORKER, json.dumps(sys.path)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                encoding="utf-8",
            )
        except OSError as error:
            raise ProverFailedError(f"the process that runs sympy cannot start: {error}") from error
        try:
            _exchange(process, None, START_LIMIT_S)
        except (ProverTimeoutError, ProverFailedError) as error:
            _end(process)
            raise ProverFailedError("the process that runs sympy does not start") from error
        return process

    def _end(self) -> None:
        if self._process is not None and self._owner == os.getpid():
            _end(self._process)
        self._process = None


def serve() -> None:
    """Answer questions from standard input, one a line, until it ends."""
    import sympy  # noqa: F401, PLC0415 - its import belongs to the start, not to the first question

    sys.stdout.write(f"{_READY}\n")
    sys.stdout.flush()
    for line in sys.stdin:
        first, second, numbers = json.loads(line)
        try:
            finding = compare_formulas(first, second, numbers)
        except (ProgramError, ArithmeticError, ValueError, TypeError, RecursionError):
            # Sympy's own failures; the two programs have been run before.
            finding = Finding.NOT_PROVEN
        sys.stdout.write(f"{finding.value}\n")
        sys.stdout.flush()


def _exchange(process: subprocess.Popen[str], question: str | None, limit_s: float) -> str:
    """Send a question, if there is one, and read the answer.

    Raises:
        ProverTimeoutError: There was none within the limit; the process has been killed.
        ProverFailedError: There is none, because the process has ended.
    """
    late = threading.Event()

    def end() -> None:
        late.set()
        process.kill()

    timer = threading.Timer(limit_s, end)
    timer.daemon = True
    timer.start()
    try:
        if question is not None and process.stdin is not None:
            process.stdin.write(f"{question}\n")
            process.stdin.flush()
        answer = process.stdout.readline().strip() if process.stdout is not None else ""
    except OSError:
        answer = ""
    finally:
        timer.cancel()
    if answer:
        return answer
    if late.is_set():
        raise ProverTimeoutError(f"no answer within {limit_s} s")
    raise ProverFailedError("the process that runs sympy has ended")


def _end(process: subprocess.Popen[str]) -> None:
    """Let the process end, or end it; what is left in a buffer cannot be delivered any more."""
    with contextlib.suppress(OSError):
        if process.stdin is not None:
            process.stdin.close()
    try:
        process.wait(_END_LIMIT_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdout is not None:
        process.stdout.close()
