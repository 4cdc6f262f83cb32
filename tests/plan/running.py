"""Running the command, in this process and as a user does, where no network is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from lmms_eval_tasks.cli import main

# Whoever asks for the network is noted, even where a library swallows the refusal.
_WITHOUT_NETWORK = """
import socket, sys
asked = []
def refused(*arguments, **_):
    asked.append(arguments)
    raise OSError("there is no network")
socket.socket.connect = refused
socket.getaddrinfo = refused
from lmms_eval_tasks.cli import main
try:
    main(["plan", *sys.argv[1:]])
finally:
    assert not asked, asked
"""


def said(*arguments: object, exit_code: int = 0) -> str:
    """What the command prints, errors included."""
    done = CliRunner().invoke(main, ["plan", *map(str, arguments)])
    assert done.exit_code == exit_code, done.output
    assert "Traceback" not in done.output
    return done.output


def planned(*arguments: object) -> dict[str, Any]:
    """What the command prints for scripts."""
    done = CliRunner().invoke(main, ["plan", "--json", *map(str, arguments)])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def tasks(*arguments: object) -> dict[str, dict[str, Any]]:
    """The planned tasks by name."""
    return {task["name"]: task for task in planned(*arguments)["tasks"]}


def without_network(home: Path, *arguments: object, **environment: str) -> dict[str, Any]:
    """The same in a process of its own, with an empty environment and no network."""
    clean: Mapping[str, str] = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "HF_HOME": str(home / "hf"),
        **environment,
    }
    done = subprocess.run(
        [sys.executable, "-c", _WITHOUT_NETWORK, "--json", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        env=clean,
        cwd=home,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return json.loads(done.stdout)
