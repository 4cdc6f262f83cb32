"""What rotating the options of rows costs that carry pictures."""

from __future__ import annotations

import hashlib
import random
import time

import pyarrow as pa
import pytest
from datasets import Dataset, Features, Image, List, Value

from lmms_eval_tasks.worldqa import rows
from lmms_eval_tasks.worldqa.material import nothing
from lmms_eval_tasks.worldqa.records import CircularRecord

pytestmark = pytest.mark.benchmark

QUESTIONS, PICTURE_BYTES, PASSES = 500, 300_000, 4
MOST_SECONDS = 0.2


@pytest.fixture(scope="module")
def released():
    noise = random.Random(0)
    columns = {
        "question_idx": [str(number) for number in range(QUESTIONS)],
        "question": [f"What happens in scene {number}?" for number in range(QUESTIONS)],
        "answer": ["B. It rains"] * QUESTIONS,
        "video_idx": [f"v{number // 3}" for number in range(QUESTIONS)],
        "object_description": ["A street."] * QUESTIONS,
        "option": [["A. It snows", "B. It rains", "C. They leave", "D. Nothing"]] * QUESTIONS,
        # No decoder would take these bytes: whoever decodes them fails.
        "image": [{"bytes": noise.randbytes(PICTURE_BYTES), "path": None}] * QUESTIONS,
    }
    kinds = {name: Value("string") for name in columns}
    features = Features({**kinds, "option": List(Value("string")), "image": Image()})
    return Dataset.from_dict(columns, features=features)


def test_rotating_costs_next_to_nothing(released, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    took: list[float] = []
    for _ in range(5):
        held = pa.total_allocated_bytes()
        started = time.perf_counter()
        done = rows.circular(released, nothing)
        took.append(time.perf_counter() - started)
        grown = pa.total_allocated_bytes() - held
    assert len(done) == QUESTIONS * PASSES
    assert min(took) < MOST_SECONDS, took
    assert grown < QUESTIONS * PICTURE_BYTES / 50, "a copy of the pictures was made"
    assert done.cache_files == []
    assert list(tmp_path.iterdir()) == []


def test_every_pass_carries_the_same_bytes_and_another_order(released):
    done = rows.circular(released, nothing).cast_column("image", Image(decode=False))
    digests = {hashlib.sha256(row["image"]["bytes"]).digest() for row in done.select(range(8))}
    original = released.cast_column("image", Image(decode=False))[0]["image"]["bytes"]
    assert digests == {hashlib.sha256(original).digest()}
    shown = [CircularRecord.from_row(row).options.texts for row in done.select(range(PASSES))]
    assert len(set(shown)) == PASSES
