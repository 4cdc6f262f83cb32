"""Calling `lmms-eval-tasks compare` in this process."""

from __future__ import annotations

import json
from typing import Any

from click.testing import CliRunner, Result

from lmms_eval_tasks.cli import main


def invoke(*arguments: object, exit_code: int = 0) -> Result:
    """Call the command; fails where it ends otherwise, or with a traceback."""
    done = CliRunner().invoke(main, ["compare", *map(str, arguments)])
    assert done.exit_code == exit_code, done.output
    assert "Traceback" not in done.output
    return done


def compared(*arguments: object) -> dict[str, Any]:
    """What the command prints as JSON."""
    return json.loads(invoke(*arguments, "--json").stdout, parse_constant=_no_number)


def _no_number(constant: str) -> None:
    raise AssertionError(constant)
