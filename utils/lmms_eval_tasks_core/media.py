"""Pictures and videos where they lie: in a row, or in a folder."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from pathlib import Path

from PIL import Image

from lmms_eval_tasks_core.settings import videos_are_elsewhere

VIDEO_SUFFIXES = (".mp4", ".MP4")
_DOWNLOAD_OF_VIDEOS = ("video", "cache_dir")


def source_bytes(value: object) -> bytes:
    """The encoded picture that a row carries.

    Args:
        value: What the image column holds: undecoded (``{"bytes": …, "path": …}``), bytes, a path,
            a picture that `datasets` has decoded already, or None.

    Returns:
        The bytes as they were encoded; b"" where there is no picture or its file cannot be read.
        A decoded picture, whose bytes are gone, is encoded as PNG.
    """
    if isinstance(value, Mapping):
        return source_bytes(value.get("bytes") or value.get("path"))
    if isinstance(value, (bytes, bytearray)):
        return bytes(value)
    if isinstance(value, Image.Image):
        buffer = io.BytesIO()
        value.save(buffer, format="PNG")
        return buffer.getvalue()
    if isinstance(value, (str, Path)):
        try:
            return Path(value).expanduser().read_bytes()
        except (OSError, ValueError):
            return b""
    return b""


def data_to_download(dataset_kwargs: Mapping[str, object] | None) -> dict[str, object] | None:
    """The settings of a data set in lmms-eval, as far as they are needed.

    Returns:
        The settings; without those that have lmms-eval download and unpack videos, where users keep
        the videos in a folder of their own.
    """
    if dataset_kwargs is None:
        return None
    is_needless = bool(dataset_kwargs.get("video")) and videos_are_elsewhere()
    left_out = _DOWNLOAD_OF_VIDEOS if is_needless else ()
    return {key: value for key, value in dataset_kwargs.items() if key not in left_out}


def find_videos(folder: Path, names: Iterable[str]) -> dict[str, Path]:
    """Look for videos by name.

    Args:
        folder: Where the videos lie, as ``<name>.mp4`` or ``<name>.MP4``.
        names: The names to look for, without ending.

    Returns:
        The names that were found, each with its file. A file of no bytes counts as missing.
    """
    try:
        present = {path.name: path for path in folder.iterdir() if path.stat().st_size}
    except OSError:
        return {}
    found: dict[str, Path] = {}
    for name in names:
        for suffix in VIDEO_SUFFIXES:
            if path := present.get(f"{name}{suffix}"):
                found[name] = path
                break
    return found
