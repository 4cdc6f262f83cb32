"""Asking another process, for what would take long to import or might never come back."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from dataclasses import dataclass
from typing import Any

_MARK = "lmms-eval-tasks doctor: "
_LAST_WORDS = 400
# As with the command `lmms-eval`, the current folder is none to import from.
_START = (
    "import sys; sys.path[:] = [each for each in sys.path if each]; "
    "from lmms_eval_tasks.doctor.inside import main; main(sys.argv[1:])"
)
_running: set[subprocess.Popen[str]] = set()
_lock = threading.Lock()


class NoAnswerError(Exception):
    """The other process has no answer; the message says why, with its last words."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What another process says.

    Attributes:
        value: Its answer.
        output: Everything else it has written, to either stream.
    """

    value: dict[str, Any]
    output: str


def ask(question: str, *arguments: str, seconds: float) -> Answer:
    """Have another process answer a question of `inside`.

    Raises:
        NoAnswerError: It fails, or takes longer than this.
    """
    # The arguments are ours, and the program is the Python that runs this.
    process = subprocess.Popen(  # noqa: S603
        [sys.executable, "-c", _START, question, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
    )
    with _lock:
        _running.add(process)
    try:
        output, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        raise NoAnswerError(f"no answer within {seconds:g} s") from None
    finally:
        process.kill()
        with _lock:
            _running.discard(process)
    lines = output.splitlines()
    answers = [line.removeprefix(_MARK) for line in lines if line.startswith(_MARK)]
    if not answers:
        raise NoAnswerError(_last_words(lines, process.returncode))
    rest = "\n".join(line for line in lines if not line.startswith(_MARK))
    return Answer(json.loads(answers[-1]), rest)


def stop() -> None:
    """End every process that is still being asked."""
    with _lock:
        for process in _running:
            process.kill()


def answer(value: dict[str, Any]) -> None:
    """Said by the other process: this is the answer."""
    sys.stdout.write(f"\n{_MARK}{json.dumps(value)}\n")
    sys.stdout.flush()


def _last_words(lines: list[str], code: int) -> str:
    said = [line.strip() for line in lines if line.strip()]
    words = said[-1][-_LAST_WORDS:] if said else "no words"
    if code < 0:
        return f"the process was ended by signal {-code} ({words})"
    return words
