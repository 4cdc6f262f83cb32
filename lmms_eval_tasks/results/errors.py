"""What can be wrong with the files of a run."""

from __future__ import annotations

from lmms_eval_tasks_core.errors import TasksError


class RunError(TasksError):
    """The files of a run are not there, or cannot be used; the message names the file."""
