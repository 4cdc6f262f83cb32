"""The pictures of samples, made small for the page, within what the page may weigh."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor

from lmms_eval_tasks.report.material.picture_sources import Diagrams, Photos
from lmms_eval_tasks.report.material.sources import NoPictureError, Source
from lmms_eval_tasks.report.material.videos import Videos
from lmms_eval_tasks.results.run import Kind, Sample, TaskRun

USED_UP = "left out: the page's budget of pictures is used up"
_AT_ONCE = 4
_BATCH = 64
_SOURCES: dict[Kind, type[Source]] = {
    Kind.OPEN_ENDED: Videos,
    Kind.CIRCULAR: Videos,
    Kind.WORLDBENCH: Photos,
    Kind.GEOQA: Diagrams,
}


class Pictures:
    """The pictures of one task's samples.

    They are taken from where the run took them, as far as that is on this disk: the network is
    never asked, and nothing is downloaded. Samples that show the same picture get the same string.

    Args:
        task: The task.
        budget_bytes: How many characters all data URIs may have together, each counted once.
    """

    def __init__(self, task: TaskRun, budget_bytes: int) -> None:
        self._source = _SOURCES[task.kind](task)
        self._left = budget_bytes
        self._made: dict[str, str] = {}
        self._missing: dict[str, str] = {}

    def prepare(self, samples: Iterable[Sample]) -> None:
        """Make the pictures of many samples side by side, so that `of` has them.

        The budget goes to the samples in their order, as if `of` were called for each.
        """
        by_key = {self._source.key(sample): sample for sample in reversed(list(samples))}
        unmade = [sample for key, sample in reversed(by_key.items()) if not self._is_known(key)]
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            for start in range(0, len(unmade), _BATCH):
                if self._left <= 0:
                    return
                batch = unmade[start : start + _BATCH]
                for sample, found in zip(batch, pool.map(self._tried, batch), strict=True):
                    self._keep(self._source.key(sample), found)

    def of(self, sample: Sample) -> tuple[Sequence[str], str]:
        """The picture of a sample.

        Returns:
            A data URI of a WebP of at most 256 pixels a side, or of a strip of four frames 640
            pixels wide, and ""; or nothing, and why. It never raises for a picture that is not
            there or is broken.
        """
        key = self._source.key(sample)
        if not self._is_known(key):
            self._keep(key, self._tried(sample) if self._left > 0 else "")
        if key in self._made:
            return (self._made[key],), ""
        return (), self._missing[key]

    def _is_known(self, key: str) -> bool:
        return key in self._made or key in self._missing

    def _tried(self, sample: Sample) -> str | NoPictureError:
        try:
            return self._source.make(sample)
        except NoPictureError as error:
            return error

    def _keep(self, key: str, found: str | NoPictureError) -> None:
        if isinstance(found, NoPictureError) and self._left > 0:
            self._missing[key] = str(found)
        elif isinstance(found, str) and 0 < len(found) <= self._left:
            self._left -= len(found)
            self._made[key] = found
        else:
            # Smaller ones that come later must not take its place: the first samples have theirs.
            self._left = 0
            self._missing[key] = USED_UP
