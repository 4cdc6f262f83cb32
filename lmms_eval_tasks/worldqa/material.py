"""What a setting shows of each video, and for which questions it is there.

A material says for each record what there is to show, or None where it is missing. It names what is
missing in one line of the log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from loguru import logger

from lmms_eval_tasks.worldqa.records import CircularRecord, OpenEndedRecord
from lmms_eval_tasks_core.errors import RowError, VideosMissingError
from lmms_eval_tasks_core.media import find_videos
from lmms_eval_tasks_core.video import Clip, probe

Record: TypeAlias = OpenEndedRecord | CircularRecord


@dataclass(frozen=True, slots=True)
class Shown:
    """What a question's request is made of.

    Attributes:
        file: The video's file; "" where no video is shown.
        has_sound: Whether the video has sound.
    """

    file: str = ""
    has_sound: bool = False


Material: TypeAlias = Callable[[Sequence[Record]], list[Shown | None]]


def nothing(records: Sequence[Record]) -> list[Shown | None]:
    """The setting that shows nothing of the video: every question can be asked."""
    return [Shown() for _ in records]


def description(records: Sequence[Record]) -> list[Shown | None]:
    """The setting that shows what people wrote about the video.

    Raises:
        RowError: No question has a description.
    """
    if records and not any(record.description for record in records):
        raise RowError(records[0].id, "object_description", "no row describes its video")
    shown = [Shown() if record.description else None for record in records]
    _name_lost("have no description", records, shown)
    return shown


def videos_in(folder: Path) -> Material:
    """The settings that show the video.

    Args:
        folder: Where the videos lie.

    Returns:
        A material that raises `VideosMissingError` where no video at all is there or can be opened.
    """

    def videos(records: Sequence[Record]) -> list[Shown | None]:
        names = {record.video_idx for record in records}
        found = find_videos(folder, names)
        clips = probe(set(found.values()))
        if not clips:
            raise _none_there(len(names), folder, are_there=bool(found))
        shown = [_shown(clips.get(found.get(record.video_idx, folder))) for record in records]
        _name_lost(f"are missing in {folder} or cannot be opened", records, shown)
        return shown

    return videos


def _shown(clip: Clip | None) -> Shown | None:
    return Shown(str(clip.path), clip.has_sound) if clip else None


def _none_there(count: int, folder: Path, *, are_there: bool) -> VideosMissingError:
    fault = "that are there can be opened" if are_there else "is there"
    return VideosMissingError(
        f"None of the {count} videos of WorldQA {fault}: they were looked for in {folder}.",
        "lmms-eval unpacks them there from the data set lmms-eval/worldqa; if you have them "
        "elsewhere, set LMMS_EVAL_TASKS_VIDEOS to their folder.",
    )


def _name_lost(fault: str, records: Iterable[Record], shown: Sequence[Shown | None]) -> None:
    lost = [record.video_idx for record, found in zip(records, shown, strict=True) if not found]
    if not lost:
        return
    names = sorted(set(lost))
    logger.warning(
        f"WorldQA: {len(names)} videos {fault} ({', '.join(names)}); {len(lost)} of {len(shown)} "
        "requests are left out, and every result states its coverage."
    )
