"""Whether WorldQA's videos are there, can be decoded, and have room to come."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lmms_eval_tasks import samples
from lmms_eval_tasks.doctor.asking import NoAnswerError, ask
from lmms_eval_tasks.doctor.chosen import Chosen
from lmms_eval_tasks.doctor.data import DataSets
from lmms_eval_tasks.doctor.finding import Check, Finding, Level
from lmms_eval_tasks.doctor.places import free_bytes, gigabytes, nearest, trouble_writing
from lmms_eval_tasks_core.environment import VIDEOS
from lmms_eval_tasks_core.settings import video_folder, videos_are_elsewhere

_FAMILY = "Videos and disk"
_SECONDS = 60.0
_CLIP = Path(samples.__file__).parent / "worldqa" / "videos" / "kitchen.mp4"
_FRAMES = 8
_EXTRA = "pip install 'lmms-eval-tasks[video]'"
# Where the Hub does not say how much is to come.
_ROOM = 20_000_000_000
_NAMED_AT_MOST = 5


def checks(chosen: Chosen, data_sets: DataSets) -> list[Check]:
    """The checks of this family; those of videos only where a task shows them."""
    found = [Check(_FAMILY, "disk", _SECONDS, lambda: list(disk(chosen, data_sets)))]
    if chosen.need_videos:
        found[:0] = [
            Check(_FAMILY, "videos", _SECONDS, lambda: [videos(data_sets)]),
            Check(_FAMILY, "decoders", _SECONDS, lambda: list(decoders())),
        ]
    return found


def videos(data_sets: DataSets) -> Finding:
    """How many of the videos are there that the rows ask about."""
    from lmms_eval_tasks_core.media import VIDEO_SUFFIXES, find_videos  # noqa: PLC0415 - Pillow

    folder, own = video_folder(), videos_are_elsewhere()
    there = {p.stem for p in folder.glob("*") if p.suffix in VIDEO_SUFFIXES and p.stat().st_size}
    if not there:
        return _none_there(folder, own=own)
    try:
        names = data_sets.videos()
    except NoAnswerError:
        names = []
    if not names:
        words = f"{len(there)} videos in {folder}; the rows that say which are wanted are not here."
        return Finding("videos", Level.OK, words)
    lost = sorted(set(names) - set(find_videos(folder, names)))
    if not lost:
        return Finding("videos", Level.OK, f"All {len(names)} are in {folder}.")
    named = ", ".join(lost[:_NAMED_AT_MOST]) + (", …" if len(lost) > _NAMED_AT_MOST else "")
    words = f"{len(names) - len(lost)} of {len(names)} are in {folder}; lacking: {named}."
    remedy = (
        f"Put them there, or run on: their questions are left out. lmms-eval unpacks only where "
        f"there is no {folder.parent} yet; delete it to have it unpack again."
    )
    if own:
        remedy = "Put them there, or run on: their questions are left out and counted."
    return Finding("videos", Level.WARNING, words, remedy)


def decoders() -> Iterator[Finding]:
    """What the decoders make of a clip that comes with the package."""
    try:
        found = ask("decode", str(_CLIP), seconds=_SECONDS - 15).value
    except NoAnswerError as error:
        remedy = "Install it again: pip install --force-reinstall av"
        yield Finding("PyAV", Level.ERROR, f"It does not decode a clip: {error}.", remedy)
        return
    words = f"{found['frames']} frames and {found['samples'] / 16_000:.1f} s of sound of a clip."
    if found["frames"] == _FRAMES and found["samples"]:
        yield Finding("PyAV", Level.OK, f"It decodes {words}")
    else:
        remedy = "Install it again: pip install --force-reinstall av"
        yield Finding("PyAV", Level.ERROR, f"It decodes only {words}", remedy)
    yield _for_apis(found["decord"], has_fetch=found["qwen_vl_utils"])


def disk(chosen: Chosen, data_sets: DataSets) -> Iterator[Finding]:
    """Whether there is room for what is to come, and whether it can be written."""
    from huggingface_hub import constants  # noqa: PLC0415 - not for a help text

    home = Path(constants.HF_HOME)
    try:
        coming = data_sets.bytes_to_come()
    except NoAnswerError:
        coming = None
    yield _room("disk of HF_HOME", home, coming)
    if chosen.need_videos and not videos_are_elsewhere():
        folder = video_folder()
        if not folder.is_dir() and nearest(folder).stat().st_dev != nearest(home).stat().st_dev:
            yield _room("disk of videos", folder, coming)


def _none_there(folder: Path, *, own: bool) -> Finding:
    if own:
        words = f"{VIDEOS} names {folder}, and no video is there: a run would stop."
        remedy = "Correct it, or unset it to have lmms-eval download and unpack them."
        return Finding("videos", Level.ERROR, words, remedy)
    if folder.parent.exists():
        words = f"None is in {folder}, and lmms-eval unpacks only where {folder.parent} is not."
        remedy = f"Delete {folder.parent} to have it unpack them, or set {VIDEOS} to their folder."
        return Finding("videos", Level.ERROR, words, remedy)
    return Finding(
        "videos",
        Level.WARNING,
        f"None is there yet; the first run of a task with videos unpacks them to {folder}.",
        f"If you have them elsewhere, set {VIDEOS} to their folder.",
    )


def _for_apis(decord: str | None, *, has_fetch: bool) -> Finding:
    name = "video for API models"
    if decord is None and has_fetch:
        return Finding(name, Level.OK, "decord decodes the clip, qwen-vl-utils is there.")
    lacking = [f"decord: {decord}"] if decord else []
    lacking += [] if has_fetch else ["qwen-vl-utils: not installed"]
    return Finding(
        name,
        Level.WARNING,
        f"lmms-eval's `openai` and `async_openai` cannot cut frames ({'; '.join(lacking)}).",
        f"{_EXTRA}; or run the tasks `worldqa_…_frames8`, whose frames are cut here.",
    )


def _room(name: str, folder: Path, coming: int | None) -> Finding:
    if trouble := trouble_writing(folder):
        remedy = "Make it writable, or set HF_HOME to a folder that is."
        return Finding(name, Level.ERROR, f"{trouble}.", remedy)
    free = free_bytes(folder)
    words = f"{gigabytes(free)} free at {folder}"
    remedy = "Make room, or set HF_HOME to a folder on another disk."
    if coming is None:
        level = Level.OK if free >= _ROOM else Level.WARNING
        words += "; how much is to come is not known"
        return Finding(name, level, f"{words}.", "" if level is Level.OK else remedy)
    if not coming:
        return Finding(name, Level.OK, f"{words}; the data are here.")
    # What is packed lies beside what is unpacked from it.
    words += f"; up to {gigabytes(2 * coming)} are needed, packed and unpacked"
    level = Level.OK if free >= 2 * coming else Level.ERROR
    return Finding(name, level, f"{words}.", "" if level is Level.OK else remedy)
