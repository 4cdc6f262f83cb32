"""Processes that a test interrupts."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path


def start(*command: str | Path, environment: dict[str, str] | None = None) -> subprocess.Popen[str]:
    """Start a command that SIGINT reaches, its outputs captured as text.

    A shell that starts tests in the background has them ignore SIGINT, and all they start.
    """
    return subprocess.Popen(
        command,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # One system call, which no lock of another thread can hold up.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    )
