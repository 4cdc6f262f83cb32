"""The charts and tables of one task."""

from __future__ import annotations

from collections.abc import Sequence

from lmms_eval_tasks.report.material import geoqa, worldbench, worldqa_circular, worldqa_open_ended
from lmms_eval_tasks.report.model import Panel
from lmms_eval_tasks.results.run import Kind, Sample, TaskRun

_PANELS = {
    Kind.OPEN_ENDED: worldqa_open_ended.panels,
    Kind.CIRCULAR: worldqa_circular.panels,
    Kind.WORLDBENCH: worldbench.panels,
    Kind.GEOQA: geoqa.panels,
}


def panels(task: TaskRun, samples: Sequence[Sample]) -> list[Panel]:
    """What there is to see of a task as a whole.

    Args:
        task: The task.
        samples: All of its samples.

    Returns:
        Panels with ids that are unique in the run; none where there are no samples.
    """
    return _PANELS[task.kind](task, samples) if samples else []
