"""Completing WorldQA's data sets: ids, passes, videos."""

from __future__ import annotations

import hashlib
import io
import shutil
from itertools import pairwise
from pathlib import Path

import pytest
from datasets import Dataset, Features, Image, List, Value
from loguru import logger
from PIL import Image as PillowImage

from lmms_eval_tasks import samples
from lmms_eval_tasks.worldqa import rows
from lmms_eval_tasks.worldqa.material import description, nothing, videos_in
from lmms_eval_tasks.worldqa.records import CircularRecord, OpenEndedRecord
from lmms_eval_tasks_core.circular import rotate
from lmms_eval_tasks_core.errors import RowError, VideosMissingError
from tests.support.clips import write_clip

CLIP = Path(samples.__file__).parent / "worldqa" / "videos" / "kettle.mp4"
TEXTS = ("Dr. Vale called", "It rained", "3.5 km", "Nobody knew")


@pytest.fixture
def folder(tmp_path):
    for name in ("v1.mp4", "v2.MP4"):
        shutil.copy(CLIP, tmp_path / name)
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
    done = rows.open_ended(
        Dataset.from_list([generation(), generation(video_idx="v2")]), videos_in(folder)
    )
    assert done["id"] == ["v1/7", "v2/7"]
    assert done["video"] == [str(folder / "v1.mp4"), str(folder / "v2.MP4")]
    assert done["coverage"] == [1.0, 1.0]
    assert OpenEndedRecord.from_row(done[0]).answer == "It rained"


def test_two_rows_of_one_name_are_told_apart(folder):
    dataset = Dataset.from_list([generation(), generation(question="How?"), generation()])
    assert rows.open_ended(dataset, videos_in(folder))["id"] == ["v1/7", "v1/7~2", "v1/7~3"]


def test_unrotated_rows_are_shown_once_per_option_with_the_right_one_followed(folder):
    done = rows.circular(
        Dataset.from_list([choice(), choice(TEXTS[:3], 2, question_idx="8")]), videos_in(folder)
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
    done = rows.circular(Dataset.from_list(released()[2:] + released()[:2]), videos_in(folder))
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
    done = rows.circular(dataset, videos_in(folder))
    digests = {hashlib.sha256(row["image"]["bytes"]).digest() for row in done}
    assert digests == {hashlib.sha256(buffer.getvalue()).digest()}
    assert len(done) == 4


def test_questions_without_their_video_are_left_out_and_named(folder, warnings):
    dataset = Dataset.from_list(
        [generation(), generation(video_idx="gone"), generation(video_idx="empty")]
    )
    done = rows.open_ended(dataset, videos_in(folder))
    assert done["id"] == ["v1/7"]
    assert done["coverage"] == [pytest.approx(1 / 3)]
    (line,) = warnings
    assert "empty, gone" in line
    assert "2 of 3 requests are left out" in line


def test_no_video_at_all_stops_with_where_they_were_looked_for(tmp_path):
    with pytest.raises(VideosMissingError, match="LMMS_EVAL_TASKS_VIDEOS") as caught:
        rows.open_ended(Dataset.from_list([generation()]), videos_in(tmp_path / "nowhere"))
    assert str(tmp_path / "nowhere") in str(caught.value)


@pytest.mark.parametrize("column", ["question", "answer", "video_idx"])
@pytest.mark.parametrize("value", [None, " "])
def test_a_missing_value_is_named_by_row_and_column(folder, column, value):
    bad = generation(**{column: value}, question_idx="9")
    with pytest.raises(RowError) as caught:
        rows.open_ended(Dataset.from_list([generation(), bad]), videos_in(folder))
    assert caught.value.column == column
    assert caught.value.row in {"v1/9", "1"}


def test_an_unknown_schema_is_named_with_the_columns_that_are_there(folder):
    with pytest.raises(RowError, match=r"'video_idx': the column is missing .*prompt"):
        rows.open_ended(
            Dataset.from_list([{"prompt": "x", "question": "?", "answer": "y"}]), videos_in(folder)
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
        rows.circular(Dataset.from_list([choice(**columns)]), videos_in(folder))
    assert caught.value.column == column


@pytest.mark.parametrize("answer", ["B. It rained", "It rained", "B"])
def test_an_answer_is_an_option_its_text_or_its_letter(folder, answer):
    (first, *_) = rows.circular(Dataset.from_list([choice(answer=answer)]), videos_in(folder))
    assert CircularRecord.from_row(first).right == 1


@pytest.mark.parametrize("fill", [rows.open_ended, rows.circular])
def test_a_setting_without_the_video_needs_no_folder(fill):
    row = generation() if fill is rows.open_ended else choice()
    done = fill(Dataset.from_list([row]), nothing)
    assert set(done["video"]) == {""}
    assert set(done["coverage"]) == {1.0}


def test_questions_without_a_description_are_left_out_and_named(warnings):
    dataset = Dataset.from_list([generation(), generation(video_idx="v9", object_description=" ")])
    done = rows.open_ended(dataset, description)
    assert (done["id"], done["coverage"]) == (["v1/7"], [0.5])
    assert "v9" in warnings[0]


def test_rows_without_any_description_name_the_column():
    row = generation()
    del row["object_description"]
    with pytest.raises(RowError) as caught:
        rows.open_ended(Dataset.from_list([row]), description)
    assert caught.value.column == "object_description"


def test_a_video_that_cannot_be_opened_is_left_out_and_named(folder, warnings):
    (folder / "broken.mp4").write_bytes(b"no video at all")
    dataset = Dataset.from_list(released() + released(video_idx="broken"))
    done = rows.circular(dataset, videos_in(folder))
    assert {row["video_idx"] for row in done} == {"v1"}
    assert done["coverage"] == [0.5] * 4
    assert "broken" in warnings[0]
    assert "4 of 8 requests are left out" in warnings[0]


def test_videos_none_of_which_can_be_opened_stop_the_run(tmp_path):
    (tmp_path / "v1.mp4").write_bytes(b"no video at all")
    with pytest.raises(VideosMissingError, match=r"None of the 1 videos .* can be opened"):
        rows.open_ended(Dataset.from_list([generation()]), videos_in(tmp_path))


def test_whether_a_video_has_sound_stands_in_its_rows(folder):
    write_clip(folder / "silent.mp4", [0, 500])
    dataset = Dataset.from_list([generation(), generation(video_idx="silent")])
    assert rows.open_ended(dataset, videos_in(folder))["has_sound"] == [True, False]
