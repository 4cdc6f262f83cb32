"""Runs of `lmms-eval` that begin in a fraction of a second, and can be killed.

A process imports lmms-eval once and forks for every run. As a script, this module is that process:
for each line of JSON that it reads, ``{"arguments": [...], "output": file}``, it prints the id of
the process it forked, and how that ended.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from typing_extensions import Self

from tests.conftest import REPOSITORY
from tests.support.untraced import untraced


class ForkedRuns:
    """Starts one run at a time once it is entered.

    Args:
        environment: Variables set beside the current ones.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.forked_runs"],
            cwd=REPOSITORY,
            env={**untraced(), **environment, "HF_HUB_OFFLINE": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._child = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def start(self, arguments: Sequence[str], output: Path) -> None:
        """Start a run whose output goes to a file."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"arguments": arguments, "output": str(output)}))
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        self._child = int(self._line())

    def kill(self) -> None:
        """Kill the run by SIGKILL."""
        os.kill(self._child, signal.SIGKILL)
        assert int(self._line()) == -signal.SIGKILL

    def wait(self) -> int:
        """Wait for the run to end and return its exit code."""
        return int(self._line())

    def _line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline()


def main() -> None:
    """Serve until the input ends."""
    from lmms_eval.__main__ import cli_evaluate  # noqa: PLC0415 - once, for all runs

    for line in sys.stdin:
        order = json.loads(line)
        child = os.fork()
        if child == 0:
            output = os.open(order["output"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(output, 1)
            os.dup2(output, 2)
            sys.argv = ["lmms-eval", *order["arguments"]]
            cli_evaluate()
            sys.stdout.flush()
            os._exit(0)
        print(child, flush=True)  # noqa: T201 - the answer to the order
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)  # noqa: T201 - the answer to the order


if __name__ == "__main__":
    main()
