"""Frames of WorldQA's videos, found again where the run looked for them."""

from __future__ import annotations

import re
from functools import cached_property
from pathlib import Path

from lmms_eval_tasks.report.material.counting import field
from lmms_eval_tasks.report.material.sources import NoPictureError, Source
from lmms_eval_tasks.report.material.thumbnails import strip
from lmms_eval_tasks.results.run import Sample
from lmms_eval_tasks_core.errors import SettingError

_SHOWN_FRAMES = (0, 2, 5, 7)  # of the eight that are sampled
# lmms-eval logs hooks by their names: "<function nothing at 0x…>".
_NOTHING = re.compile(r"\bnothing\b")
_SAMPLE = re.compile(r"\b\w+_sample_docs\b")


class Videos(Source):
    """Strips of four frames of WorldQA's videos, looked for where the run looked for them."""

    def key(self, sample: Sample) -> str:
        """The video: every pass of every question on it shows the same strip."""
        return field(sample.item, "video_idx")

    def make(self, sample: Sample) -> str:
        """The strip of the sample's video, where the model saw the video."""
        from lmms_eval_tasks_core.media import find_videos  # noqa: PLC0415 - opens Pillow
        from lmms_eval_tasks_core.video import frames  # noqa: PLC0415

        if _NOTHING.search(str(self._task.config.get("doc_to_visual"))):
            raise NoPictureError("no video was shown in this setting")
        name = self.key(sample)
        file = find_videos(self._folder, [name]).get(name)
        if file is None:
            raise NoPictureError(f"the video {name} is not on this disk")
        try:
            decoded = frames(file)
            made = strip([decoded[place] for place in _SHOWN_FRAMES]) if decoded else ""
        except Exception as error:
            # Decoders of broken files raise nearly anything.
            raise NoPictureError(f"the video {name} cannot be decoded") from error
        if not made:
            raise NoPictureError(f"the video {name} cannot be decoded")
        return made

    @cached_property
    def _folder(self) -> Path:
        from lmms_eval_tasks import samples  # noqa: PLC0415 - only its place is needed
        from lmms_eval_tasks_core.settings import video_folder  # noqa: PLC0415

        if _SAMPLE.search(str(self._task.config.get("process_docs"))):
            return Path(str(samples.__file__)).parent / "worldqa" / "videos"
        try:
            return video_folder()
        except SettingError as error:
            raise NoPictureError("the setting of the videos' folder cannot be used") from error
