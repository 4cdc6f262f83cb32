"""Completing WorldQA's data sets: ids, passes, videos."""

from __future__ import annotations

import hashlib
import io
from itertools import pairwise

import pytest
from datasets import Dataset, Features, Image, List, Value
from loguru import logger
from PIL import Image as PillowImage

from lmms_eval_tasks.worldqa import rows
from lmms_eval_tasks.worldqa.records import CircularRecord, OpenEndedRecord
from lmms_eval_tasks_core.circular import rotate
from lmms_eval_tasks_core.errors import RowError, VideosMissingError

TEXTS = ("Dr. Vale called", "It rained", "3.5 km", "Nobody knew")


@pytest.fixture
def folder(tmp_path):
    for name in ("v1.mp4", "v2.MP4"):
        (tmp_path / name).write_bytes(b"video")
    (tmp_path / "empty.mp4").write_bytes(b"")
    return tmp_path


@pytest.fixture
def warnings():
    heard: list[str] = []
    sink = logger.add(heard.append, format="{message}", level="WARNING")
    yield heard
    logger.remove(sink)


def generation(**columns):
    row = {
        "question_idx": "7",
        "question": "Why?",
        "answer": "It rained",
        "video_idx": "v1",
        "object_description": "A street.",
        "rationale": "Umbrellas.",
    }
    return row | columns


def choice(texts=TEXTS, right=1, **columns):
    labelled = [f"{letter}. {text}" for letter, text in zip("ABCDE", texts, strict=False)]
    row = {
        "question_idx": "7",
        "question": "Why?",
        "answer": labelled[right],
        "video_idx": "v1",
        "object_description": "A street.",
        "option": labelled,
    }
    return row | columns


def released(texts=TEXTS, right=1, **columns):
    """One question as the release has it: a row for each rotation."""
    count = len(texts)
    return [
        choice(rotate(texts, shift), (right - shift) % count, **columns) for shift in range(count)
    ]


def test_open_ended_rows_get_an_id_and_their_video(folder):
    done = rows.open_ended(Dataset.from_list([generation(), generation(video_idx="v2")]), folder)
    assert done["id"] == ["v1/7", "v2/7"]
    assert done["video"] == [str(folder / "v1.mp4"), str(folder / "v2.MP4")]
    assert done["coverage"] == [1.0, 1.0]
    assert OpenEndedRecord.from_row(done[0]).answer == "It rained"


def test_two_rows_of_one_name_are_told_apart(folder):
    dataset = Dataset.from_list([generation(), generation(question="How?"), generation()])
    assert rows.open_ended(dataset, folder)["id"] == ["v1/7", "v1/7~2", "v1/7~3"]


def test_unrotated_rows_are_shown_once_per_option_with_the_right_one_followed(folder):
    done = rows.circular(
        Dataset.from_list([choice(), choice(TEXTS[:3], 2, question_idx="8")]), folder
    )
    records = [CircularRecord.from_row(row) for row in done]
    assert [record.id for record in records] == [
        *[f"v1/7#{k}" for k in range(4)],
        *[f"v1/8#{k}" for k in range(3)],
    ]
    for record in records:
        wanted = "It rained" if record.group == "v1/7" else "3.5 km"
        assert record.options.texts[record.right] == wanted
    assert records[1].options.texts == rotate(TEXTS, 1)
    assert {record.passes for record in records[:4]} == {4}


def test_released_rows_are_shown_as_they_are(folder):
    done = rows.circular(Dataset.from_list(released()[2:] + released()[:2]), folder)
    records = [CircularRecord.from_row(row) for row in done]
    assert [record.number for record in records] == [0, 1, 2, 3]
    for record in records:
        assert record.options.texts[record.right] == "It rained"
    for before, after in pairwise(records):
        assert after.options.texts == rotate(before.options.texts, 1)


def test_pictures_that_rows_carry_are_repeated_untouched_and_by_reference(folder):
    buffer = io.BytesIO()
    PillowImage.effect_noise((64, 64), 90).save(buffer, format="JPEG", quality=93)
    features = Features(
        {
            **{name: Value("string") for name in choice() if name != "option"},
            "option": List(Value("string")),
            "image": Image(decode=False),
        }
    )
    picture = {"bytes": buffer.getvalue(), "path": None}
    dataset = Dataset.from_list([choice(image=picture)] * 1, features=features)
    done = rows.circular(dataset, folder)
    digests = {hashlib.sha256(row["image"]["bytes"]).digest() for row in done}
    assert digests == {hashlib.sha256(buffer.getvalue()).digest()}
    assert len(done) == 4


def test_questions_without_their_video_are_left_out_and_named(folder, warnings):
    dataset = Dataset.from_list(
        [generation(), generation(video_idx="gone"), generation(video_idx="empty")]
    )
    done = rows.open_ended(dataset, folder)
    assert done["id"] == ["v1/7"]
    assert done["coverage"] == [pytest.approx(1 / 3)]
    (line,) = warnings
    assert "empty, gone" in line
    assert "2 questions are left out" in line


def test_no_video_at_all_stops_with_where_they_were_looked_for(tmp_path):
    with pytest.raises(VideosMissingError, match="LMMS_EVAL_TASKS_VIDEOS") as caught:
        rows.open_ended(Dataset.from_list([generation()]), tmp_path / "nowhere")
    assert str(tmp_path / "nowhere") in str(caught.value)


@pytest.mark.parametrize("column", ["question", "answer", "video_idx"])
@pytest.mark.parametrize("value", [None, " "])
def test_a_missing_value_is_named_by_row_and_column(folder, column, value):
    bad = generation(**{column: value}, question_idx="9")
    with pytest.raises(RowError) as caught:
        rows.open_ended(Dataset.from_list([generation(), bad]), folder)
    assert caught.value.column == column
    assert caught.value.row in {"v1/9", "1"}


def test_an_unknown_schema_is_named_with_the_columns_that_are_there(folder):
    with pytest.raises(RowError, match=r"'video_idx': the column is missing .*prompt"):
        rows.open_ended(
            Dataset.from_list([{"prompt": "x", "question": "?", "answer": "y"}]), folder
        )


@pytest.mark.parametrize(
    ("columns", "column"),
    [
        ({"option": ["A. one"]}, "option"),
        ({"option": ["A. one", " "]}, "option"),
        ({"option": None}, "option"),
        ({"answer": "E. elsewhere"}, "answer"),
    ],
)
def test_options_that_cannot_be_asked_are_named(folder, columns, column):
    with pytest.raises(RowError) as caught:
        rows.circular(Dataset.from_list([choice(**columns)]), folder)
    assert caught.value.column == column


@pytest.mark.parametrize("answer", ["B. It rained", "It rained", "B"])
def test_an_answer_is_an_option_its_text_or_its_letter(folder, answer):
    (first, *_) = rows.circular(Dataset.from_list([choice(answer=answer)]), folder)
    assert CircularRecord.from_row(first).right == 1
