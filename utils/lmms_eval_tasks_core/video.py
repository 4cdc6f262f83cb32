"""What a video shows and sounds like, decoded here by PyAV.

How frames are sampled: the time from the first frame to the end of the last one is cut into equal
segments, and each gives the frame that a viewer sees at its centre. Time is presentation time, so
neither a variable frame rate nor the number of frames changes what is sampled, and a frame that
stays on the screen is given as often as segments have their centre in it. Frames are turned the
way the file says they are shown. Of a file with a broken tail, the time is that of the part which
is there.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lmms_eval_tasks_core.caching import Kept

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL.Image import Image

FRAMES = 8
SOUND_RATE = 16_000
# Decoded frames and sound of the videos asked last; the questions on one video stand together.
_FRAMES_KEPT = 8
_SOUNDS_KEPT = 4
_CLIPS_KEPT = 10_000
_OPENED_AT_ONCE = 8


@dataclass(frozen=True, slots=True)
class Clip:
    """What is known of a video that can be shown.

    Attributes:
        path: Its file.
        has_sound: Whether it has a sound track that can be decoded.
    """

    path: Path
    has_sound: bool


def probe(paths: Iterable[Path]) -> dict[Path, Clip]:
    """Open videos and decode the first frame and the first sound of each.

    Returns:
        The videos that can be shown; those that cannot be opened, or show nothing, are not in it.
    """
    with ThreadPoolExecutor(_OPENED_AT_ONCE) as pool:
        clips = list(pool.map(_clip, paths))
    return {clip.path: clip for clip in clips if clip}


def frames(path: Path) -> list[Image]:
    """Eight frames of a video at equal distances in time, as the module says; thread-safe.

    They are decoded once, and kept while few other videos are asked for.

    Returns:
        Pictures in mode RGB and the video's own size, each the caller's own; [] where nothing of
        the video can be decoded.
    """
    return [picture.copy() for picture in _frames(path)]


def sound(path: Path) -> NDArray[np.float32] | None:
    """The sound track of a video, decoded once and kept for a while; thread-safe.

    Returns:
        Samples from -1 to 1 at 16 kHz, one channel, shape (n,); None where there is no sound.
    """
    return _sound(path)


def centres(count: int, start: float, end: float) -> list[float]:
    """The centres of ``count`` equal segments from ``start`` to ``end``."""
    return [start + (end - start) * (2 * k + 1) / (2 * count) for k in range(count)]


def _probed(path: Path) -> Clip | None:
    if not any(True for _ in _decoded(path, "video")):
        return None
    return Clip(path, any(True for _ in _decoded(path, "audio")))


def _decode_frames(path: Path) -> list[Image]:
    starts, end = _timeline(path)
    if not starts:
        return []
    wanted = [starts[bisect(starts, at) - 1] for at in centres(FRAMES, starts[0], end)]
    pictures = {at: _picture(path, at) for at in sorted(set(wanted))}
    return _without_gaps([pictures[at] for at in wanted])


def _timeline(path: Path) -> tuple[list[int], int]:
    """When each frame comes and when the last one goes, in the stream's own units.

    Nothing is decoded. The last frame stays as long as its packet says, else to the end that the
    file gives if all of its frames are there, else as long as the one before it.
    """
    packets = [
        (packet.pts, packet.duration or 0, _end_of(packet.stream))
        for packet in _packets(path, "video")
        if packet.pts is not None and not (packet.is_corrupt or packet.is_discard)
    ]
    if not packets:
        return [], 0
    starts = sorted(pts for pts, _, _ in packets)
    last, length, (count, duration) = max(packets)
    if not length and count == len(packets):
        length = starts[0] + duration - last
    if length <= 0:
        length = last - starts[-2] if len(starts) > 1 else 1
    return starts, last + length


def _end_of(stream: Any) -> tuple[int, int]:  # noqa: ANN401 - PyAV is untyped here
    """How many frames a file says it has, and for how long they go on; 0 where it does not say."""
    return stream.frames or 0, stream.duration or 0


def _picture(path: Path, at: int) -> Image | None:
    """The last frame shown at or before a time; the first one after it where there is none."""
    shown = None
    for frame in _decoded(path, "video", start=at):
        if frame.pts is None:
            continue
        if shown is None or frame.pts <= at:
            shown = frame
        if frame.pts >= at:
            break
    if shown is None:
        return None
    picture: Image = shown.to_image()
    # PyAV gives the turn that undoes the display matrix counter-clockwise, as Pillow takes it.
    return picture.rotate(shown.rotation, expand=True) if shown.rotation else picture


def _without_gaps(pictures: Sequence[Image | None]) -> list[Image]:
    """What cannot be decoded is replaced by what was shown before it, else by what comes first."""
    known = next((picture for picture in pictures if picture), None)
    if known is None:
        return []
    filled: list[Image] = []
    for picture in pictures:
        known = picture or known
        filled.append(known)
    return filled


def _decode_sound(path: Path) -> NDArray[np.float32] | None:
    import av  # noqa: PLC0415 - importing the pack stays cheap
    import numpy as np  # noqa: PLC0415

    resampler = av.AudioResampler(format="flt", layout="mono", rate=SOUND_RATE)
    parts: list[NDArray[np.float32]] = []
    for frame in (*_decoded(path, "audio"), None):
        try:
            parts += [part.to_ndarray()[0] for part in resampler.resample(frame)]
        except (av.FFmpegError, ValueError):  # noqa: PERF203 - what is broken is passed over
            continue
    return np.concatenate(parts).astype(np.float32, copy=False) if parts else None


def _decoded(path: Path, kind: str, start: int | None = None) -> Iterator[Any]:
    """The frames of a stream in order; what cannot be decoded is passed over."""
    import av  # noqa: PLC0415 - importing the pack stays cheap

    for packet in _packets(path, kind, start):
        try:
            yield from packet.decode()
        except (av.FFmpegError, ValueError):  # noqa: PERF203 - what is broken is passed over
            continue


def _packets(path: Path, kind: str, start: int | None = None) -> Iterator[Any]:
    """The packets of a file's best stream of a kind, from the key frame before a time on.

    They end where the file does, or where it can no longer be read; the last one is empty and makes
    the decoder give up what it has kept back.
    """
    import av  # noqa: PLC0415 - importing the pack stays cheap

    try:
        with av.open(str(path)) as container:
            stream = container.streams.best(kind)
            if stream is None:
                return
            stream.thread_type = "AUTO"
            if start is not None:
                container.seek(start, stream=stream)
            yield from container.demux(stream)
    except (av.FFmpegError, OSError, ValueError):
        return


# Every task of a run opens the same videos.
_clip = Kept(_probed, _CLIPS_KEPT)
_frames = Kept(_decode_frames, _FRAMES_KEPT)
_sound = Kept(_decode_sound, _SOUNDS_KEPT)
