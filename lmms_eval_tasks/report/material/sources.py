"""What finds a sample's picture again: one source for each place that pictures come from."""

from __future__ import annotations

from abc import ABC, abstractmethod

from lmms_eval_tasks.results.run import Sample, TaskRun


class NoPictureError(Exception):
    """Why a sample has no picture, in a few words."""


class Source(ABC):
    """Makes the pictures of one task's samples.

    Args:
        task: The task.
    """

    def __init__(self, task: TaskRun) -> None:
        self._task = task

    @abstractmethod
    def key(self, sample: Sample) -> str:
        """What samples that show the same picture have in common."""

    @abstractmethod
    def make(self, sample: Sample) -> str:
        """The sample's picture as a data URI.

        Raises:
            NoPictureError: There is none, or it is broken.
        """
