"""Sounds with a meaning, made of sine waves: a bell, a telephone, a kettle."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

RATE = 44_100
"""Samples a second."""
Wave: TypeAlias = npt.NDArray[np.float32]
"""Samples from -1 to 1, one channel, shape ``(samples,)``."""


def silence(seconds: float) -> Wave:
    """A track on which sounds can be laid."""
    return np.zeros(round(seconds * RATE), dtype=np.float32)


def lay(track: Wave, sound: Wave, second: float) -> None:
    """Add a sound to a track, from a second on; what reaches beyond the track's end is cut off."""
    start = round(second * RATE)
    room = track[start : start + len(sound)]
    room += sound[: len(room)]


def bell() -> Wave:
    """One stroke of a bell, 0.55 seconds: partials that die away."""
    time = _time(0.55)
    partials = ((880.0, 0.45), (1760.0, 0.2), (2637.0, 0.12))
    tones = sum(share * np.sin(2 * np.pi * pitch * time) for pitch, share in partials)
    return np.asarray(tones * np.exp(-5.5 * time) * _fade(time), dtype=np.float32)


def telephone() -> Wave:
    """One ring of a telephone, 0.7 seconds: two pitches in quick turns."""
    time = _time(0.7)
    pitch = np.where((time * 16).astype(int) % 2 == 0, 950.0, 1250.0)
    phase = 2 * np.pi * np.cumsum(pitch) / RATE
    return np.asarray(0.4 * np.sin(phase) * _fade(time), dtype=np.float32)


def kettle(seconds: float) -> Wave:
    """A whistle that rises from 300 to 2,000 Hz and grows louder."""
    time = _time(seconds)
    part = time / seconds
    pitch = 300.0 * (2000.0 / 300.0) ** part
    phase = 2 * np.pi * np.cumsum(pitch) / RATE
    return np.asarray((0.08 + 0.4 * part) * np.sin(phase) * _fade(time), dtype=np.float32)


def _time(seconds: float) -> npt.NDArray[np.float64]:
    return np.arange(round(seconds * RATE)) / RATE


def _fade(time: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Ten milliseconds of fading in and out, against clicks."""
    gain = np.minimum(time, time[-1] - time) / 0.01
    return np.asarray(np.clip(gain, 0.0, 1.0), dtype=np.float64)
