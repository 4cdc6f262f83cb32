"""Whether lmms-eval itself finds our tasks and models: it is asked, in a process of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lmms_eval_tasks.doctor.asking import Answer, NoAnswerError, ask
from lmms_eval_tasks.doctor.chosen import task_files
from lmms_eval_tasks.doctor.finding import Check, Finding, Level
from lmms_eval_tasks_core.settings import registration_disabled

_FAMILY = "lmms-eval"
# Importing it takes 5 to 20 s, and a minute from a slow network disk.
_SECONDS = 120.0
_INCLUDE = 'Add --include_path "$(lmms-eval-tasks path)" to commands, and please report this.'
_OURS = ("lmms-eval-tasks ", "Failed to load model entry-point")


def checks(*, quick: bool) -> list[Check]:
    """The checks of this family."""
    if quick:
        skipped = Finding("tasks", Level.SKIPPED, "lmms-eval was not asked (--quick).")
        return [Check(_FAMILY, "tasks", _SECONDS, lambda: [skipped])]
    return [Check(_FAMILY, "tasks", _SECONDS, lambda: list(asked()))]


def asked() -> Iterator[Finding]:
    """What lmms-eval knows of this package."""
    try:
        answer = ask("index", seconds=_SECONDS - 10)
    except NoAnswerError as error:
        yield Finding(
            "lmms-eval",
            Level.ERROR,
            f"lmms-eval cannot be imported, or finds no tasks: {error}.",
            'See it whole: python -c "import lmms_eval.tasks; lmms_eval.tasks.TaskManager()"',
        )
        return
    yield _tasks(answer)
    yield _models(answer)
    misfits = [line for line in map(_said, answer.output.splitlines()) if line]
    for line in misfits:
        yield Finding("fit", Level.WARNING, line)
    if not misfits and not registration_disabled():
        yield Finding("fit", Level.OK, "Every place where this package joins lmms-eval fits.")


def _tasks(answer: Answer) -> Finding:
    paths = {name: Path(path) for name, path in answer.value["paths"].items() if path}
    files = task_files()
    lost = [name for name, file in files.items() if not _is(paths.get(name), file)]
    if not lost:
        words = f"All {len(files)} tasks are found; `worldqa` is this package's."
        return Finding("tasks", Level.OK, words)
    worldqa = paths.get("worldqa")
    if registration_disabled():
        words = f"Registration is off, so `worldqa` is lmms-eval's own ({worldqa})."
        return Finding("tasks", Level.WARNING, words, _INCLUDE.partition(", and")[0] + ".")
    named = ", ".join(f"{name} ({paths.get(name, 'not there')})" for name in lost[:3])
    words = f"{len(lost)} of {len(files)} tasks are not this package's in lmms-eval: {named}."
    return Finding("tasks", Level.ERROR, words, _INCLUDE)


def _is(found: Path | None, file: Path) -> bool:
    return found is not None and found.resolve() == file.resolve()


def _models(answer: Answer) -> Finding:
    models = answer.value["models"]
    if models == ["chance", "replay"]:
        return Finding("models", Level.OK, "`replay` and `chance` are registered.")
    level = Level.WARNING if registration_disabled() else Level.ERROR
    return Finding("models", level, "`replay` and `chance` are not registered in lmms-eval.")


def _said(line: str) -> str:
    """What the registration, or lmms-eval about it, has logged as a warning; "" for other lines."""
    is_warning = "WARNING" in line and any(words in line for words in _OURS)
    return line.rpartition(" - ")[2].strip() if is_warning else ""
