"""One sample as a reader sees it."""

from __future__ import annotations

from lmms_eval_tasks.report.material import geoqa, worldbench, worldqa_circular, worldqa_open_ended
from lmms_eval_tasks.report.model import SampleView
from lmms_eval_tasks.results.run import Kind, Sample, TaskRun

_VIEWS = {
    Kind.OPEN_ENDED: worldqa_open_ended.view,
    Kind.CIRCULAR: worldqa_circular.view,
    Kind.WORLDBENCH: worldbench.view,
    Kind.GEOQA: geoqa.view,
}


def view(task: TaskRun, sample: Sample) -> SampleView:
    """A sample with its question, its response and its verdict, without its pictures.

    What the log of a task of a user's own lacks is left empty; nothing is guessed.
    """
    return _VIEWS[task.kind](task, sample)
