"""What can be wrong with what is planned."""

from __future__ import annotations

from lmms_eval_tasks_core.errors import TasksError


class PlanError(TasksError):
    """A task is not there, its file cannot be read, or there is nothing to plan."""
