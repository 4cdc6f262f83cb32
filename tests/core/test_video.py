"""Frames by presentation time, and the sound track, of real files in all their conditions."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from lmms_eval_tasks_core import video
from tests.support.clips import SIZE, levels_of, steady, turned, write_clip


def shown_at(times_ms: list[int], levels: list[int], at: float) -> int:
    """What a viewer sees at a time: the last frame that has come."""
    return [level for time, level in zip(times_ms, levels, strict=True) if time <= at][-1]


def expected(times_ms: list[int], levels: list[int], end: float) -> list[int]:
    start = times_ms[0]
    return [
        shown_at(times_ms, levels, start + (end - start) * (k + 0.5) / 8 + 1e-6) for k in range(8)
    ]


@pytest.mark.parametrize(("seconds", "rate"), [(8, 8), (4, 25), (3.2, 5), (16, 1)])
def test_eight_frames_at_the_centres_of_eight_equal_segments(tmp_path, seconds, rate):
    times = steady(seconds, rate)
    levels = [(7 * t) // times[-1] for t in times]
    end = round(1000 * seconds)
    clip = write_clip(tmp_path / "clip.mp4", times, end_ms=end, levels=levels)
    assert levels_of(video.frames(clip)) == expected(times, levels, end)


def test_a_variable_frame_rate_is_sampled_by_time_not_by_count(tmp_path):
    # One second at 50 frames a second, then a still of seven seconds with a frame each second.
    times = [*steady(1, 50), *range(1000, 8000, 1000)]
    levels = [0] * 50 + [1, 2, 3, 4, 5, 6, 7]
    clip = write_clip(tmp_path / "clip.mp4", times, end_ms=8000, levels=levels)
    assert levels_of(video.frames(clip)) == [0, 1, 2, 3, 4, 5, 6, 7]


def test_a_frame_that_stays_is_given_as_often_as_it_is_seen(tmp_path):
    times, levels = [0, 6_000, 7_000, 8_000], [1, 3, 5, 7]
    clip = write_clip(tmp_path / "clip.mp4", times, levels=levels)
    seen = levels_of(video.frames(clip))
    assert seen == sorted(seen)
    assert seen.count(1) >= 5
    assert len(seen) == 8


@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_fewer_than_eight_frames_still_give_eight_in_order(tmp_path, count):
    times = steady(count / 2, 2)
    levels = list(range(count))
    clip = write_clip(tmp_path / "clip.mp4", times, end_ms=500 * count, levels=levels)
    seen = levels_of(video.frames(clip))
    assert len(seen) == 8
    assert seen == sorted(seen)
    assert set(seen) == set(levels)


def test_a_turned_video_is_given_as_it_is_shown(tmp_path):
    plain = write_clip(tmp_path / "plain.mp4", steady(2, 8))
    (upright, *_), (shown, *_) = (
        video.frames(plain),
        video.frames(turned(plain, tmp_path / "turned.mp4")),
    )
    assert upright.size == SIZE
    assert shown.size == SIZE[::-1]
    # The white left half is on top after a quarter turn clockwise.
    pixels = np.asarray(shown.convert("L"), dtype=float)
    assert pixels[: SIZE[0] // 4].mean() > 230
    assert pixels[-SIZE[0] // 4 :].mean() < 60


@pytest.mark.parametrize("kept", [0.95, 0.7, 0.5])
def test_of_a_broken_tail_the_part_that_is_there_is_sampled(tmp_path, kept):
    times = steady(16, 10)
    rng = np.random.default_rng(0)
    levels = [(7 * t) // times[-1] for t in times]
    whole = write_clip(tmp_path / "whole.mp4", times, levels=levels, sound_s=16)
    content = whole.read_bytes()
    header = content.index(b"mdat")
    broken = tmp_path / "broken.mp4"
    broken.write_bytes(content[: header + round((len(content) - header) * kept)])
    assert video.probe([broken])
    seen = levels_of(video.frames(broken))
    assert len(seen) == 8
    assert seen == sorted(seen)
    assert seen[0] <= 1
    # And with noise where the tail was.
    noisy = bytearray(content)
    start = header + round((len(content) - header) * kept)
    noisy[start:] = rng.integers(0, 256, len(noisy) - start, dtype=np.uint8).tobytes()
    broken.write_bytes(noisy)
    assert len(video.frames(broken)) == 8


@pytest.mark.parametrize("content", [b"", b"video", b"\0" * 10_000, os.urandom(5_000)])
def test_what_is_no_video_is_neither_shown_nor_an_error(tmp_path, content):
    fake = tmp_path / "fake.mp4"
    fake.write_bytes(content)
    assert video.probe([fake, tmp_path / "gone.mp4"]) == {}
    assert video.frames(fake) == []
    assert video.sound(fake) is None


def test_sound_is_sixteen_kilohertz_mono_of_the_right_length(tmp_path):
    clip = write_clip(tmp_path / "clip.mp4", steady(3, 5), sound_s=3)
    assert video.probe([clip])[clip].has_sound
    samples = video.sound(clip)
    assert samples is not None
    assert samples.dtype == np.float32
    assert samples.ndim == 1
    assert abs(len(samples) - 3 * 16_000) < 1_600
    assert 0.4 < np.abs(samples).max() <= 1
    spectrum = np.abs(np.fft.rfft(samples[:16_000]))
    assert abs(int(spectrum.argmax()) - 440) <= 1


def test_a_clip_without_sound_says_so(tmp_path):
    clip = write_clip(tmp_path / "clip.mp4", steady(1, 5))
    assert not video.probe([clip])[clip].has_sound
    assert video.sound(clip) is None


def test_a_caller_may_change_its_frames(tmp_path):
    clip = write_clip(tmp_path / "clip.mp4", steady(2, 8))
    first = video.frames(clip)[0]
    first.paste("red", (0, 0, *SIZE))
    assert video.frames(clip)[0].getpixel((60, 40)) != (255, 0, 0)


def test_many_threads_decode_a_video_once(tmp_path, monkeypatch):
    clip = write_clip(tmp_path / "clip.mp4", steady(2, 8))
    opened: list[object] = []
    timeline = video._timeline

    def counted(path):
        opened.append(path)
        return timeline(path)

    monkeypatch.setattr(video, "_timeline", counted)
    with ThreadPoolExecutor(16) as pool:
        seen = list(pool.map(lambda _: levels_of(video.frames(clip)), range(64)))
    assert len(opened) == 1
    assert len({tuple(levels) for levels in seen}) == 1
