"""The environment of processes in which coverage is not measured."""

from __future__ import annotations

import os


def untraced() -> dict[str, str]:
    """This process's environment, without what has a Python started in it measure coverage.

    Measuring takes longer than importing all of lmms-eval does, and imports modules of its own.
    """
    return {name: value for name, value in os.environ.items() if "COVERAGE" not in name}
