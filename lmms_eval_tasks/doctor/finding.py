"""What is looked at, what was found, and how it is got without ever waiting too long."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Generic, TypeVar

from lmms_eval_tasks_core.errors import SettingError, TasksError
from lmms_eval_tasks_core.judging.secrets import redacted, secrets_of
from lmms_eval_tasks_core.settings import judge_access

T = TypeVar("T")
_HUB_TOKEN = re.compile(r"\bhf_[A-Za-z0-9]{8,}")
_REPORT_IT = "This is a fault of `doctor`: please report it with this line."


class Level(Enum):
    """How bad a finding is."""

    OK = "ok"
    SKIPPED = "skipped"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report.

    Attributes:
        name: What was looked at.
        level: How bad it is.
        found: What was found, with the evidence in it.
        remedy: What to do about it; "" where nothing needs doing.
    """

    name: str
    level: Level
    found: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    """Something to look at.

    Attributes:
        family: The heading it stands under.
        name: What it looks at.
        seconds: How long it may take.
        look: Looks. Whatever it raises becomes a finding.
    """

    family: str
    name: str
    seconds: float
    look: Callable[[], Sequence[Finding]]


class Once(Generic[T]):
    """A value that several checks need and one of them gets, the others waiting for it.

    Args:
        get: Gets it; what it raises, every caller is told.
    """

    def __init__(self, get: Callable[[], T]) -> None:
        self._get = get
        self._lock = threading.Lock()
        self._values: list[T] = []
        self._error: Exception | None = None

    def __call__(self) -> T:
        """The value."""
        with self._lock:
            if self._error:
                raise self._error
            if not self._values:
                try:
                    self._values.append(self._get())
                except Exception as error:
                    self._error = error
                    raise
            return self._values[0]


def examined(checks: Sequence[Check]) -> Iterator[tuple[Check, list[Finding]]]:
    """Look at everything at once, and give what was found in the order of the checks.

    A check that takes longer than it may is left behind: it neither delays the others nor keeps
    the process from ending.
    """
    start = time.monotonic()
    found: dict[int, list[Finding]] = {}
    done = [threading.Event() for _ in checks]

    def look(number: int, check: Check) -> None:
        found[number] = _looked(check)
        done[number].set()

    for number, check in enumerate(checks):
        threading.Thread(target=look, args=(number, check), daemon=True).start()
    for number, check in enumerate(checks):
        if done[number].wait(max(0.0, start + check.seconds - time.monotonic())):
            yield check, [without_secrets(finding) for finding in found[number]]
        else:
            words = f"Nothing is known after {check.seconds:g} s."
            remedy = "A disk or a server may hang; what stands beside this line may say which."
            yield check, [Finding(check.name, Level.ERROR, words, remedy)]


def without_secrets(finding: Finding) -> Finding:
    """The finding, with keys and passwords struck out."""
    key, url = judge_access()
    secrets = secrets_of(key, url or "")

    def hidden(text: str) -> str:
        return _HUB_TOKEN.sub("***", redacted(text, secrets))

    return replace(finding, found=hidden(finding.found), remedy=hidden(finding.remedy))


def _looked(check: Check) -> list[Finding]:
    try:
        return list(check.look())
    except SettingError as error:
        # What is wrong with it is a line of its own, under the settings.
        words = f"It was not looked at: {error.name} cannot be used."
        return [Finding(check.name, Level.SKIPPED, words)]
    except TasksError as error:
        return [Finding(check.name, Level.ERROR, error.problem, error.remedy)]
    except OSError as error:
        return [Finding(check.name, Level.ERROR, f"{type(error).__name__}: {error}.")]
    except Exception as error:  # noqa: BLE001 - what is wrong with a check is worth a line, too
        words = f"The check failed: {type(error).__name__}: {error}."
        return [Finding(check.name, Level.ERROR, words, _REPORT_IT)]
