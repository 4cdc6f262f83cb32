"""Small real videos whose pictures tell which one they are."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import av
import numpy as np

SIZE = (64, 48)
_TIME_BASE = Fraction(1, 1000)
_LEVELS = 8


def write_clip(
    path: Path,
    times_ms: Sequence[int],
    *,
    end_ms: int = 0,
    levels: Sequence[int] | None = None,
    sound_s: float = 0.0,
    key_every: int = 12,
) -> Path:
    """Write an H.264 clip.

    Args:
        path: The MP4 file.
        times_ms: When each frame is shown, in milliseconds from 0, ascending.
        end_ms: When the last one goes.
        levels: The brightness of each frame, 0 to 7; its own number modulo 8 if not given. The
            left half is white, so that a turn can be seen.
        sound_s: Seconds of a tone as its sound track.
        key_every: The distance of key frames.
    """
    options = {"movflags": "+faststart"}
    with av.open(str(path), "w", options=options) as clip:
        video = clip.add_stream("h264", rate=25)
        video.width, video.height = SIZE
        video.pix_fmt = "yuv420p"
        video.time_base = video.codec_context.time_base = _TIME_BASE
        video.options = {"crf": "10", "preset": "veryfast", "g": str(key_every), "bf": "2"}
        audio = clip.add_stream("aac", rate=44_100, layout="stereo") if sound_s else None
        shown = levels or [number % _LEVELS for number in range(len(times_ms))]
        lengths = {a: b - a for a, b in pairwise([*times_ms, end_ms or times_ms[-1] + 40])}
        for at, level in zip(times_ms, shown, strict=True):
            frame = av.VideoFrame.from_ndarray(_picture(level), format="rgb24")
            frame.pts, frame.time_base = at, _TIME_BASE
            _mux(clip, video.encode(frame), lengths)
        _mux(clip, video.encode(None), lengths)
        if audio:
            _add_tone(clip, audio, sound_s)
    return path


def steady(seconds: float, rate: float) -> list[int]:
    """The times of frames at a constant rate, in milliseconds."""
    return [round(1000 * number / rate) for number in range(round(seconds * rate))]


def level_of(picture) -> int:
    """The brightness of a frame written by `write_clip`."""
    pixels = np.asarray(picture.convert("L"), dtype=float)
    right = pixels[:, pixels.shape[1] * 3 // 4 :]
    return round((right.mean() - 16) / 28)


def levels_of(pictures: Iterable) -> list[int]:
    return [level_of(picture) for picture in pictures]


def turned(source: Path, target: Path) -> Path:
    """A copy of a clip whose display matrix says: turn it a quarter clockwise to show it."""
    content = bytearray(source.read_bytes())
    header = content.index(b"tkhd") + 4
    # Version and flags, times, id, duration, layer, group and volume stand before the matrix.
    matrix = header + (40 if content[header] == 0 else 52)
    one = 1 << 16
    struct.pack_into(">9i", content, matrix, 0, one, 0, -one, 0, 0, SIZE[1] * one, 0, 1 << 30)
    target.write_bytes(content)
    return target


def _picture(level: int):
    picture = np.full((SIZE[1], SIZE[0], 3), 16 + 28 * level, dtype=np.uint8)
    picture[:, : SIZE[0] // 2] = 255
    return picture


def _mux(clip, packets, lengths: dict[int, int]) -> None:
    for packet in packets:
        packet.duration = lengths[packet.pts]
        clip.mux(packet)


def _add_tone(clip, audio, seconds: float) -> None:
    wave = np.sin(np.arange(round(seconds * 44_100)) * 2 * np.pi * 440 / 44_100) / 2
    for start in range(0, len(wave), 1024):
        part = np.tile(wave[start : start + 1024].astype(np.float32), (2, 1))
        frame = av.AudioFrame.from_ndarray(np.ascontiguousarray(part), format="fltp")
        frame.sample_rate, frame.pts, frame.time_base = 44_100, start, Fraction(1, 44_100)
        clip.mux(audio.encode(frame))
    clip.mux(audio.encode(None))
