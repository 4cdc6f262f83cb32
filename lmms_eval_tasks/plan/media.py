"""What a run sends beside its text, and the videos it needs on the disk."""

from __future__ import annotations

import io
import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lmms_eval_tasks.plan.data import Data
from lmms_eval_tasks.plan.task_files import Task
from lmms_eval_tasks.worldbench.images import MOST_ENCODED
from lmms_eval_tasks.worldqa import visuals
from lmms_eval_tasks_core.media import VIDEO_SUFFIXES, find_videos, source_bytes
from lmms_eval_tasks_core.settings import video_folder, videos_are_elsewhere
from lmms_eval_tasks_core.video import FRAMES, frames, sound

if TYPE_CHECKING:  # `datasets` takes seconds to import
    from datasets import Dataset

RELEASED_VIDEOS = 303
# Decoding all videos would take longer than a plan may.
_MEASURED = 3
_WAV_HEADER, _BYTES_A_SAMPLE = 44, 2


@dataclass(frozen=True, slots=True)
class Media:
    """What all requests of a task send beside their text.

    Attributes:
        pictures: How many pictures.
        bytes: How many bytes they are as base64 text; None where that is not known.
        rule: What is counted.
    """

    pictures: int
    bytes: int | None
    rule: str


NOTHING = Media(0, 0, "text only")


@dataclass(frozen=True, slots=True)
class VideoSpace:
    """The videos of WorldQA on the disk.

    Attributes:
        folder: Where they are looked for.
        needed: How many the tasks need.
        there: How many of them are there.
        bytes_there: How many bytes those are.
        bytes_missing: About how many bytes the others are; None where none is there to go by.
        free: How many bytes are free on that disk; None where nobody can tell.
        comes: What happens to those that are missing, in words.
    """

    folder: str
    needed: int
    there: int
    bytes_there: int
    bytes_missing: int | None
    free: int | None
    comes: str


def shows_videos(task: Task) -> bool:
    """Whether a task shows videos, or what is taken out of them."""
    return _visual(task) in (visuals.video, visuals.eight_frames, visuals.video_and_sound)


def media_of(task: Task, data: Data, count: int) -> Media:
    """What the first requests of a task send.

    Args:
        task: The task.
        data: Its rows.
        count: How many of them are asked.
    """
    if shows_videos(task):
        if not data.has_videos:
            return media_unknown(task, data.rows, count)
        files = [Path(file) for file in data.rows.select(range(count))["video"]]
        return _videos(_visual(task), files)
    if "image" not in data.rows.column_names:
        return NOTHING
    return _pictures(data.rows.select(range(count)))


def media_unknown(task: Task, rows: Dataset, count: int) -> Media:
    """What requests send, where that is not there to be measured.

    Args:
        task: The task.
        rows: Rows that stand for its own.
        count: How many requests there are.
    """
    if shows_videos(task):
        pictures = FRAMES if _visual(task) is visuals.eight_frames else 0
    elif "image" in rows.column_names:
        pictures = 1
    else:
        return NOTHING
    return Media(pictures * count, None, "not on this disk to be measured")


def video_space(names: Iterable[str] | None) -> VideoSpace:
    """Which videos of WorldQA are there, and whether the others have room.

    Args:
        names: The names of those that are needed; None where the data set is not there to say.

    Raises:
        SettingError: The folder's setting has a value that cannot be used.
    """
    folder = video_folder()
    wanted = set(_all_in(folder) if names is None else names)
    found = find_videos(folder, wanted)
    size = sum(path.stat().st_size for path in found.values())
    needed = max(len(wanted), RELEASED_VIDEOS) if names is None else len(wanted)
    missing = needed - len(found)
    return VideoSpace(
        folder=str(folder),
        needed=needed,
        there=len(found),
        bytes_there=size,
        bytes_missing=round(missing * size / len(found)) if found else (None if missing else 0),
        free=_free(folder),
        comes=_what_comes(folder, missing),
    )


def _visual(task: Task) -> Callable[..., Any]:
    return task.function("doc_to_visual")


def _videos(visual: Callable[..., Any], files: Sequence[Path]) -> Media:
    whole = sum(_base64(file.stat().st_size) for file in files)
    if visual is visuals.eight_frames:
        mean = _mean_of_some(files, _frames_as_png)
        rule = f"{FRAMES} frames a request as PNG, measured on up to {_MEASURED} videos"
        return Media(FRAMES * len(files), round(mean * len(files)), rule)
    if visual is visuals.video:
        return Media(0, whole, "at most: whole video files; frames are the model's own choice")
    mean = _mean_of_some(files, _sound_as_wav)
    rule = f"at most: whole video files, and WAV sound measured on up to {_MEASURED} of them"
    return Media(0, whole + round(mean * len(files)), rule)


def _pictures(rows: Dataset) -> Media:
    sizes = [len(source_bytes(cell)) for cell in rows.select_columns(["image"])["image"]]
    sent = [min(_base64(size), MOST_ENCODED) for size in sizes if size]
    return Media(len(sent), sum(sent), "pictures as the data set has them, in base64")


def _mean_of_some(files: Sequence[Path], measure: Callable[[Path], int]) -> float:
    """The mean over a few videos from all over the data set."""
    distinct = list(dict.fromkeys(files))
    step = max(len(distinct) // _MEASURED, 1)
    measured = [measure(file) for file in distinct[::step][:_MEASURED]]
    return sum(measured) / len(measured) if measured else 0.0


def _frames_as_png(file: Path) -> int:
    total = 0
    for picture in frames(file):
        buffer = io.BytesIO()
        picture.save(buffer, format="PNG")
        total += _base64(buffer.tell())
    return total


def _sound_as_wav(file: Path) -> int:
    samples = sound(file)
    return 0 if samples is None else _base64(_WAV_HEADER + _BYTES_A_SAMPLE * len(samples))


def _base64(size: int) -> int:
    return 4 * -(-size // 3)


def _all_in(folder: Path) -> list[str]:
    try:
        return [file.stem for file in folder.iterdir() if file.suffix in VIDEO_SUFFIXES]
    except OSError:
        return []


def _free(folder: Path) -> int | None:
    there = next((parent for parent in (folder, *folder.parents) if parent.exists()), None)
    try:
        return None if there is None else shutil.disk_usage(there).free
    except OSError:
        return None


def _what_comes(folder: Path, missing: int) -> str:
    if not missing:
        return "all are there"
    if videos_are_elsewhere():
        return "LMMS_EVAL_TASKS_VIDEOS names this folder, so nothing is downloaded"
    if folder.parent.exists():
        return f"lmms-eval downloads none while {folder.parent} exists"
    return (
        "lmms-eval downloads the archives, keeps them and unpacks them: about twice the size of "
        "the videos"
    )
