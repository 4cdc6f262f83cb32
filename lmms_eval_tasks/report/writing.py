"""Writing the report of a run to disk."""

from __future__ import annotations

import os
from pathlib import Path

from lmms_eval_tasks.report.building import Progress, Wishes, built
from lmms_eval_tasks.results.run import Run, RunError, read_run

_RESULTS = "_results.json"


def write_report(results_file: Path, target: Path | None = None) -> Path:
    """Write the report of a finished run.

    Args:
        results_file: The run's ``<date>_results.json``, or a folder of which the newest is taken.
        target: The page; beside the results file unless told.

    Returns:
        Where the page is.

    Raises:
        RunError: There is no run, or its files cannot be used; it names the file.
    """
    return write_page(read_run(results_file), target, Wishes())


def write_page(
    run: Run, target: Path | None, wishes: Wishes, progress: Progress = lambda _: None
) -> Path:
    """Write the report of a run as a reader wants it.

    Args:
        run: The run.
        target: The page; ``<date>_report.html`` beside the results file unless told.
        wishes: What the page is to hold.
        progress: Is told what is done next.

    Returns:
        Where the page is. A page that was there is replaced once the new one is complete.

    Raises:
        RunError: The logged samples of a task cannot be read, or the page's folder is not there.
    """
    from lmms_eval_tasks.report.page import rendered  # noqa: PLC0415 - jinja2 is for those who write

    page = target or beside(run.file)
    if not page.parent.is_dir():
        raise RunError(f"There is no folder {page.parent}.", "Make it, or name another place.")
    html = rendered(built(run, wishes, progress))
    progress("writing the page")
    _replace(page, html)
    return page


def beside(results_file: Path) -> Path:
    """Where the report of a results file goes."""
    return results_file.with_name(f"{results_file.name.removesuffix(_RESULTS)}_report.html")


def _replace(page: Path, html: str) -> None:
    draft = page.with_name(f".{page.name}.{os.getpid()}")
    try:
        draft.write_text(html, encoding="utf-8", errors="replace")
        draft.replace(page)
    finally:
        draft.unlink(missing_ok=True)
