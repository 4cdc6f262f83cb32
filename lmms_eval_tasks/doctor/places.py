"""Folders and disks: what lies where, how much room there is, whether it can be written."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

_GB = 1_000_000_000


def nearest(path: Path) -> Path:
    """The path, or the folder above it that is there."""
    return next((each for each in (path, *path.parents) if each.exists()), path)


def trouble_writing(path: Path) -> str:
    """Why no file can be made in a folder, or in the one that it would be made in; "" if it can.

    A file without a name is made and gone again.
    """
    folder = nearest(path)
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"x")
    except OSError as error:
        return f"{folder} cannot be written ({error.strerror or error})"
    return ""


def free_bytes(path: Path) -> int:
    """The room on the disk of a path that need not be there yet."""
    return shutil.disk_usage(nearest(path)).free


def gigabytes(count: float) -> str:
    """A number of bytes in words."""
    return f"{count / _GB:,.1f} GB"
