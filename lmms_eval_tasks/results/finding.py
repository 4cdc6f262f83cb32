"""Finding the results files of runs below a folder."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path

from lmms_eval_tasks.results.errors import RunError

RESULTS = "_results.json"
DEEPEST = 4
"""How many levels of folders below the one named are searched.

lmms-eval writes ``OUTPUT_PATH/<model>/<date>_results.json``; this leaves room for folders that
people sort their runs into, and ends the search where somebody names the root of a disk.
"""
_DATED = re.compile(r"\d{8}_\d{6}")


def find_runs(path: Path) -> list[Path]:
    """The results files below a folder, or the very file that is named.

    Folders and files that may not be read are passed over, links to folders are not followed, and
    nothing deeper than `DEEPEST` levels is looked at.

    Returns:
        The newest last, by the date in the file's name; files named otherwise come first.
    """
    if path.is_file():
        return [path] if path.name.endswith(RESULTS) else []
    return [file for _, file in sorted(_aged(path))]


def no_run(path: Path) -> RunError:
    """What to say where `find_runs` finds none."""
    if not path.exists():
        return RunError(f"There is no {path}.", "Name the --output_path of a run.")
    if path.is_file():
        return RunError(
            f"{path} is no results file of lmms-eval (<date>{RESULTS}).",
            "Name that file, or the folder it is in.",
        )
    try:
        next(path.iterdir(), None)
    except OSError as error:
        return RunError(
            f"{path} cannot be read ({error.strerror}).", "Check that it is a folder and yours."
        )
    return RunError(
        f"{path} holds no run of lmms-eval: no <date>{RESULTS} is in it or in the folders up to "
        f"{DEEPEST} levels below that can be read.",
        "Name the --output_path of a run that has finished.",
    )


def _aged(folder: Path) -> Iterator[tuple[tuple[str, float, str], Path]]:
    # Unlike `Path.rglob`, `os.walk` passes over whatever cannot be listed, whyever it cannot.
    for place, folders, names in os.walk(folder):
        here = Path(place)
        if len(here.relative_to(folder).parts) >= DEEPEST:
            folders.clear()
        for name in names:
            if not name.endswith(RESULTS):
                continue
            file = here / name
            try:
                status = file.stat()
            except OSError:
                continue
            if stat.S_ISREG(status.st_mode):
                dated = _DATED.match(name)
                yield (dated[0] if dated else "", status.st_mtime, str(file)), file
