"""Several runs, each beside the first."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from string import ascii_uppercase

from lmms_eval_tasks.compare.comparison import Compared, TaskComparison, compare_task
from lmms_eval_tasks.compare.conditions import Side
from lmms_eval_tasks.compare.reading import answered
from lmms_eval_tasks.compare.statistics import holm
from lmms_eval_tasks.results.run import Run, RunError, TaskRun
from lmms_eval_tasks_core.errors import TasksError

MOST_RUNS = len(ascii_uppercase)
_ALIKE = "Compare runs that were made alike, or add --anyway to compare them all the same."


class NotComparableError(TasksError):
    """Runs differ in more than their answers.

    Attributes:
        differences: A sentence for each thing that differs.
    """

    def __init__(self, differences: Sequence[str]) -> None:
        listed = "".join(f"\n  {sentence}" for sentence in differences)
        super().__init__(f"These runs are not comparable:{listed}\n", _ALIKE)
        self.differences = tuple(differences)


@dataclass(frozen=True, slots=True)
class Report:
    """Runs beside each other.

    Attributes:
        runs: By label: "A" is the first, which the others are compared with.
        tasks: A comparison for each task and each other run.
        uncompared: Tasks that only one of two runs has, as sentences.
    """

    runs: Mapping[str, Run]
    tasks: Sequence[TaskComparison]
    uncompared: Sequence[str]

    @property
    def warnings(self) -> list[str]:
        """A sentence for each thing that forbids a comparison that was made anyway."""
        return [sentence for task in self.tasks for sentence in sentences(task, forbidding=True)]


def compare_runs(
    runs: Sequence[Run], only: Collection[str] = (), *, anyway: bool = False
) -> Report:
    """Compare each run with the first, task by task.

    Args:
        runs: Two to twenty-six.
        only: Names of tasks; all that are shared unless told.
        anyway: Compare runs that are not comparable, too. Tasks of other names but of one kind are
            then compared as well.

    Raises:
        NotComparableError: The runs differ in more than their answers.
        RunError: The runs share no task, or their samples cannot be read.
    """
    labelled = dict(zip(ascii_uppercase, runs, strict=False))
    base = labelled["A"]
    sides: dict[str, Side] = {}
    found: list[TaskComparison] = []
    uncompared: list[str] = []
    for label, run in list(labelled.items())[1:]:
        pairs = _matched(base, run, only)
        if not pairs:
            raise RunError(
                f"{base.file} and {run.file} share no task ({_names(base)}; {_names(run)}).",
                "Compare runs of the same task.",
            )
        for ours, theirs in pairs:
            # The first run is read once for all; the others need not stay in memory.
            if ours.name not in sides:
                sides[ours.name] = Side(base, ours, answered(ours))
            other = Side(run, theirs, answered(theirs))
            found.append(compare_task(sides[ours.name], other, "A", label))
        uncompared += _left_over(base, run, label, pairs, only)
    report = Report(labelled, _corrected(found), uncompared)
    if report.warnings and not anyway:
        raise NotComparableError(report.warnings)
    return report


def sentences(task: TaskComparison, *, forbidding: bool) -> list[str]:
    """What differs between two runs of a task, in words."""
    return [
        f"{task.task}, {task.a} and {task.b}: {condition.what}: {condition.a} in {task.a}, "
        f"{condition.b} in {task.b}"
        for condition in task.conditions
        if condition.forbids is forbidding
    ]


def _matched(base: Run, run: Run, only: Collection[str]) -> list[tuple[TaskRun, TaskRun]]:
    """The tasks of one name; where there are none, those that are the only one of their kind."""
    ours, theirs = (
        {name: task for name, task in one.tasks.items() if not only or name in only}
        for one in (base, run)
    )
    shared = [(ours[name], theirs[name]) for name in ours if name in theirs]
    if shared:
        return shared
    return [
        (mine[0], yours[0])
        for kind in dict.fromkeys(task.kind for task in ours.values())
        if len(mine := [task for task in ours.values() if task.kind is kind]) == 1
        and len(yours := [task for task in theirs.values() if task.kind is kind]) == 1
    ]


def _left_over(
    base: Run,
    run: Run,
    label: str,
    pairs: Sequence[tuple[TaskRun, TaskRun]],
    only: Collection[str],
) -> list[str]:
    taken = {task.name for pair in pairs for task in pair}
    return [
        f"{name} is only in {holder}, and is not compared."
        for holder, one in (("A", base), (label, run))
        for name in one.tasks
        if name not in taken and (not only or name in only)
    ]


def _corrected(found: Sequence[TaskComparison]) -> list[TaskComparison]:
    """The comparisons with Holm's correction over the runs, where there are several."""
    families: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for place, task in enumerate(found):
        for number, compared in enumerate(task.measures):
            if compared.overall is not None:
                name = task.task.partition(" / ")[0]
                families.setdefault((name, compared.measure.metric), []).append((place, number))
    measures = [list(task.measures) for task in found]
    for members in families.values():
        if len(members) > 1:
            p_values = holm([_p(measures[place][number]) for place, number in members])
            for (place, number), p in zip(members, p_values, strict=True):
                measures[place][number] = replace(measures[place][number], corrected_p=p)
    return [replace(task, measures=new) for task, new in zip(found, measures, strict=True)]


def _p(compared: Compared) -> float:
    return 1.0 if compared.overall is None else compared.overall.p


def _names(run: Run) -> str:
    return ", ".join(run.tasks)
