"""Pictures and sound to an MP4 file: H.264 and AAC, by PyAV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
from PIL import Image

from lmms_eval_tasks.samples.make.sound import RATE, Wave

FRAMES_A_SECOND = 10
_SOUND_FRAME = 1024


def write_clip(path: Path, pictures: Sequence[Image.Image], sound: Wave) -> None:
    """Write a clip.

    Args:
        path: The MP4 file; its folder is made.
        pictures: One per tenth of a second, mode RGB, all of one size with even sides.
        sound: The sound track, one channel.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    # Nothing of the encoders' names or the time of day goes into the file, and one thread
    # encodes: the same pictures give the same bytes.
    options = {"fflags": "+bitexact", "movflags": "+faststart"}
    with av.open(str(path), "w", options=options) as clip:
        video = clip.add_stream("h264", rate=FRAMES_A_SECOND)
        video.width, video.height = pictures[0].size
        video.pix_fmt = "yuv420p"
        video.options = {"crf": "24", "preset": "medium", "threads": "1", "flags": "+bitexact"}
        audio = clip.add_stream("aac", rate=RATE, layout="mono")
        audio.bit_rate = 64_000
        audio.options = {"flags": "+bitexact"}
        _encode(clip, video, (av.VideoFrame.from_image(picture) for picture in pictures))
        _encode(clip, audio, _sound_frames(sound))


def _encode(clip: Any, stream: Any, frames: Iterator[Any]) -> None:  # noqa: ANN401 - PyAV is untyped here
    for number, frame in enumerate(frames):
        if frame.pts is None:
            frame.pts, frame.time_base = number, Fraction(1, FRAMES_A_SECOND)
        clip.mux(stream.encode(frame))
    clip.mux(stream.encode(None))


def _sound_frames(sound: Wave) -> Iterator[Any]:
    for start in range(0, len(sound), _SOUND_FRAME):
        samples = np.ascontiguousarray(sound[None, start : start + _SOUND_FRAME])
        frame = av.AudioFrame.from_ndarray(samples, format="fltp", layout="mono")
        frame.sample_rate, frame.pts, frame.time_base = RATE, start, Fraction(1, RATE)
        yield frame
