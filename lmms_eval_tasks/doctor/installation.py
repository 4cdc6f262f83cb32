"""Whether the right packages are there, and the registration is on."""

from __future__ import annotations

import platform
import shutil
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, entry_points, requires, version
from pathlib import Path

from lmms_eval_tasks import __version__
from lmms_eval_tasks.doctor.finding import Check, Finding, Level
from lmms_eval_tasks_core.environment import DISABLE
from lmms_eval_tasks_core.settings import registration_disabled

_FAMILY = "Installation"
_PACKAGE = "lmms-eval-tasks"
_ENTRY = "lmms_eval_tasks"
_SECONDS = 20.0
_OLDEST_PYTHON = (3, 10)
_WHY = {
    "filelock": " (lmms-eval uses a private module that newer ones lack, and evaluates nothing)",
    "av": " (older ones do not say how a frame is turned)",
    "lmms-eval": " (older releases lack their templates or their tasks)",
}


def checks() -> list[Check]:
    """The checks of this family."""
    return [
        Check(_FAMILY, "Python", _SECONDS, lambda: [python()]),
        Check(_FAMILY, "packages", _SECONDS, lambda: list(packages())),
        Check(_FAMILY, "command", _SECONDS, lambda: [command()]),
        Check(_FAMILY, "registration", _SECONDS, lambda: [registration()]),
    ]


def python() -> Finding:
    """The version of Python."""
    found = f"{platform.python_version()} at {sys.executable}"
    if sys.version_info < _OLDEST_PYTHON:
        return Finding("Python", Level.ERROR, found, "Use Python 3.10 or newer.")
    return Finding("Python", Level.OK, found)


def packages() -> Iterator[Finding]:
    """What this package requires, against what is there."""
    from packaging.requirements import Requirement  # noqa: PLC0415 - not for a help text

    present = []
    for line in requires(_PACKAGE) or ():
        requirement = Requirement(line)
        if requirement.marker and not requirement.marker.evaluate({"extra": ""}):
            continue
        name, install = requirement.name, f"pip install '{requirement}'"
        wanted = str(requirement.specifier)
        why = _WHY.get(name, "")
        try:
            found = version(name)
        except PackageNotFoundError:
            yield Finding(name, Level.ERROR, f"It is not installed; needed is {wanted}.", install)
            continue
        if not requirement.specifier.contains(found, prereleases=True):
            yield Finding(name, Level.ERROR, f"{found}, but needed is {wanted}{why}.", install)
        elif name in ("lmms-eval", "filelock"):
            yield Finding(name, Level.OK, f"{found} (needed is {wanted})")
        else:
            present.append(f"{name} {found}")
    yield Finding("other packages", Level.OK, ", ".join(present))


def command() -> Finding:
    """Whether the command `lmms-eval` is the one of this environment."""
    here = Path(sys.executable).parent
    found = shutil.which("lmms-eval")
    if found is None:
        own = shutil.which("lmms-eval", path=str(here))
        where = f"The command lmms-eval is not on the PATH{f', but at {own}' if own else ''}."
        remedy = f"Activate this environment, or start {own or f'{sys.executable} -m lmms_eval'}."
        return Finding("command lmms-eval", Level.WARNING, where, remedy)
    if Path(found).parent.resolve() != here.resolve():
        return Finding(
            "command lmms-eval",
            Level.WARNING,
            f"{found} belongs to another environment than this package ({here}).",
            f"Activate this environment, or start {sys.executable} -m lmms_eval.",
        )
    return Finding("command lmms-eval", Level.OK, found)


def registration() -> Finding:
    """Whether lmms-eval is told of this package."""
    found = [entry for entry in entry_points(group="lmms_eval.models") if entry.name == _ENTRY]
    if not found:
        return Finding(
            "registration",
            Level.ERROR,
            "The entry point lmms_eval_tasks of lmms_eval.models is not there.",
            "Install the package again: pip install --force-reinstall --no-deps lmms-eval-tasks",
        )
    if registration_disabled():
        return Finding(
            "registration",
            Level.WARNING,
            f"{DISABLE} keeps this package out of lmms-eval.",
            f'Unset {DISABLE}, or add --include_path "$(lmms-eval-tasks path)" to commands.',
        )
    return Finding("registration", Level.OK, f"lmms-eval-tasks {__version__}, {found[0].value}")
