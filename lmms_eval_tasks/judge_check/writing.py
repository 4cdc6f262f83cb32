"""Where the figures of a check are written, and how: whole or not at all."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile

import click

from lmms_eval_tasks.judge_check.measured import FILE_NAME, JudgeCheckError

_ELSEWHERE = "Name another file or folder with --output."


def target_of(output: Path) -> Path:
    """The file that an ``--output`` means: itself if it ends in ``.json``, else one in that folder.

    Folders that are missing are made, so that a check does not end in a figure nobody can keep.

    Raises:
        JudgeCheckError: A file cannot be written there.
    """
    is_file = output.suffix.lower() == ".json" and not output.is_dir()
    target = output if is_file else output / FILE_NAME
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}."):
            pass
    except OSError as error:
        raise _not_written(target, error) from None
    return target


def write(target: Path, report: Mapping[str, object]) -> None:
    """Write a report; whatever was there before stays until all of it is on disk.

    Raises:
        JudgeCheckError: It cannot be written.
    """
    text = json.dumps(report, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
    beside = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        beside.write_text(text, encoding="utf-8", errors="replace")
        beside.replace(target)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise _not_written(target, error) from None


@contextmanager
def written(target: Path, report: Mapping[str, object]) -> Iterator[None]:
    """Write a report before it is shown, and say so after.

    Nobody may be there to read what is shown: the file does not depend on that. Where it cannot be
    written, the report is shown all the same.

    Raises:
        JudgeCheckError: It cannot be written; raised when the report has been shown.
    """
    trouble = None
    try:
        write(target, report)
    except JudgeCheckError as error:
        trouble = error
    try:
        yield
    finally:
        if trouble:
            raise trouble
        click.echo(f"Wrote {target}.", err=True)


def _not_written(target: Path, error: OSError) -> JudgeCheckError:
    return JudgeCheckError(f"{target} cannot be written ({error.strerror}).", _ELSEWHERE)
