from __future__ import annotations

import base64
import io
import wave
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from lmms_eval_tasks_core.wav import wav_file, wav_url

SAMPLES = np.array([0.0, 0.5, -0.5, 1.5, -1.5], dtype=np.float32)


def read(source) -> list[int]:
    with wave.open(source) as file:
        assert (file.getframerate(), file.getnchannels(), file.getsampwidth()) == (16_000, 1, 2)
        return np.frombuffer(file.readframes(file.getnframes()), dtype="<i2").tolist()


def test_samples_become_a_url_any_reader_takes():
    head, _, body = wav_url(SAMPLES).partition(",")
    assert head == "data:audio/wav;base64"
    assert read(io.BytesIO(base64.b64decode(body))) == [0, 16383, -16383, 32767, -32767]


def test_the_sound_of_a_video_is_written_once():
    with ThreadPoolExecutor(8) as pool:
        files = list(pool.map(lambda _: wav_file(Path("v.mp4"), SAMPLES), range(32)))
    assert len(set(files)) == 1
    assert read(str(files[0])) == [0, 16383, -16383, 32767, -32767]
    assert wav_file(Path("w.mp4"), SAMPLES) not in files
