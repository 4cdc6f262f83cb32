from __future__ import annotations

from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

from lmms_eval_tasks.worldqa.records import CircularRecord, OpenEndedRecord

CLIPS = ("kitchen", "library", "kettle")
SHARED = ["question_idx", "question", "answer", "video_idx", "object_description"]


def sound_of(file: Path) -> tuple[np.ndarray, int]:
    with av.open(str(file)) as clip:
        frames = [frame.to_ndarray()[0] for frame in clip.decode(audio=0)]
        return np.concatenate(frames), clip.streams.audio[0].rate


def loudness(sound: np.ndarray, rate: int, start: float, end: float) -> float:
    part = sound[round(start * rate) : round(end * rate)]
    return float(np.sqrt(np.mean(part**2)))


def pitch(sound: np.ndarray, rate: int, second: float) -> float:
    part = sound[round(second * rate) : round((second + 0.1) * rate)]
    spectrum = np.abs(np.fft.rfft(part * np.hanning(len(part))))
    return float(np.argmax(spectrum) * rate / len(part))


def test_open_ended_rows_have_the_columns_of_the_release(load: Any, samples: Path) -> None:
    rows = load(samples / "worldqa" / "open_ended.jsonl")
    assert rows.column_names == [*SHARED, "rationale"]
    assert {feature.dtype for feature in rows.features.values()} == {"string"}
    assert len(rows) == 6
    records = [OpenEndedRecord.from_row(row) for row in rows]
    assert {record.id for record in records} == {f"{c}/{n}" for c in CLIPS for n in (0, 1)}


def test_multiple_choice_rows_have_the_columns_of_the_release(load: Any, samples: Path) -> None:
    rows = load(samples / "worldqa" / "multiple_choice.jsonl")
    assert rows.column_names == [*SHARED, "option"]
    assert rows.features["option"].feature.dtype == "string"
    records = [CircularRecord.from_row(row) for row in rows]
    assert sorted(len(record.options.texts) for record in records) == [3, 4, 4, 4, 4, 4]
    for row in rows:
        assert row["answer"] in row["option"]


def test_no_question_is_rotated_already(load: Any, samples: Path) -> None:
    rows = load(samples / "worldqa" / "multiple_choice.jsonl")
    assert len({(row["video_idx"], row["question"]) for row in rows}) == len(rows) == 6


def test_the_right_option_stands_at_every_position(load: Any, samples: Path) -> None:
    rows = load(samples / "worldqa" / "multiple_choice.jsonl")
    assert {CircularRecord.from_row(row).right for row in rows} == {0, 1, 2, 3}


def test_option_texts_with_periods_survive_the_taking_off_of_labels(
    load: Any, samples: Path
) -> None:
    rows = load(samples / "worldqa" / "multiple_choice.jsonl")
    texts = {text for row in rows for text in CircularRecord.from_row(row).options.texts}
    assert {"3.5 seconds", "Dr. Vale has a toothache"} <= texts
    assert "She is counting the books. One is missing" in texts


def test_both_forms_ask_the_same_questions(load: Any, samples: Path) -> None:
    open_ended = load(samples / "worldqa" / "open_ended.jsonl")
    choice = load(samples / "worldqa" / "multiple_choice.jsonl")
    assert open_ended["question"] == choice["question"]
    letters_off = [answer.split(". ", 1)[1] for answer in choice["answer"]]
    assert list(open_ended["answer"]) == letters_off


@pytest.mark.parametrize("name", CLIPS)
def test_a_clip_has_picture_and_sound_and_is_small(samples: Path, name: str) -> None:
    file = samples / "worldqa" / "videos" / f"{name}.mp4"
    assert file.stat().st_size < 300_000
    with av.open(str(file)) as clip:
        assert clip.streams.video[0].codec_context.name == "h264"
        assert clip.streams.audio[0].codec_context.name == "aac"
        seconds = clip.duration / av.time_base
        pictures = [frame.to_image() for frame in clip.decode(video=0)]
    assert 3 <= seconds <= 6
    assert len(pictures) == round(seconds * 10)
    assert {picture.size for picture in pictures} == {(320, 180)}
    first, last = (np.asarray(pictures[place], dtype=float) for place in (0, -1))
    assert np.abs(first - last).mean() > 1, "nothing happens"


def test_the_oven_rings_three_times(samples: Path) -> None:
    sound, rate = sound_of(samples / "worldqa" / "videos" / "kitchen.mp4")
    strokes = [
        second / 10
        for second in range(1, 49)
        if loudness(sound, rate, second / 10, second / 10 + 0.1)
        > 0.1 + loudness(sound, rate, second / 10 - 0.1, second / 10)
    ]
    assert strokes == pytest.approx([1.0, 1.6, 2.2], abs=0.11)


def test_the_telephone_rings_twice(samples: Path) -> None:
    sound, rate = sound_of(samples / "worldqa" / "videos" / "library.mp4")
    for silent, loud in ((0.3, 1.1), (1.6, 2.1), (3.5, 2.1)):
        quiet = loudness(sound, rate, silent, silent + 0.1)
        assert loudness(sound, rate, loud, loud + 0.2) > 10 * quiet


def test_the_kettle_whistles_ever_higher_for_three_and_a_half_seconds(samples: Path) -> None:
    sound, rate = sound_of(samples / "worldqa" / "videos" / "kettle.mp4")
    pitches = [pitch(sound, rate, second) for second in (0.7, 1.7, 2.7, 3.7)]
    assert pitches == sorted(pitches)
    assert pitches[-1] > 4 * pitches[0]
    assert loudness(sound, rate, 0.0, 0.4) < 0.01
    assert loudness(sound, rate, 4.2, 5.0) < 0.01
