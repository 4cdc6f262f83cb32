"""What requests show beside their text, and the words of every setting's prompt."""

from __future__ import annotations

import wave

import pytest
from PIL import Image

from lmms_eval_tasks.worldqa import utils
from lmms_eval_tasks_core.errors import SettingError
from tests.conftest import REPOSITORY
from tests.support.clips import SIZE, steady, write_clip

GOLDEN = REPOSITORY / "tests" / "golden"
ROW = {
    "id": "v1/7",
    "question_idx": "7",
    "question": "Why does she open the umbrella indoors?",
    "answer": "To check it",
    "video_idx": "v1",
    "object_description": "A woman stands in a hall and opens an umbrella.",
}
CHOICE = ROW | {
    "id": "v1/7#1",
    "answer": "B. To check it",
    "option": ["A. To dry it", "B. To check it", "C. Dr. Vale asked her to"],
    "group": "v1/7",
    "pass": 1,
    "passes": 3,
    "shift": 1,
}


@pytest.mark.parametrize(
    ("hook", "row", "golden"),
    [
        (utils.open_ended_text, ROW, "worldqa_open_ended"),
        (utils.circular_text, CHOICE, "worldqa_circular"),
        (utils.open_ended_description_text, ROW, "worldqa_open_ended_description"),
        (utils.circular_description_text, CHOICE, "worldqa_circular_description"),
    ],
)
def test_every_prompt_is_the_golden_one(hook, row, golden):
    assert hook(row) == (GOLDEN / f"{golden}.txt").read_text(encoding="utf-8")


@pytest.fixture
def sounding(tmp_path):
    clip = write_clip(tmp_path / "v1.mp4", steady(2, 5), sound_s=2)
    return ROW | {"video": str(clip), "has_sound": True}


def test_by_default_the_path_is_handed_over(sounding):
    assert utils.video(sounding) == [sounding["video"]]


def test_nothing_is_shown_where_the_question_is_all():
    assert utils.nothing(ROW) == []


def test_eight_pictures(sounding):
    shown = utils.eight_frames(sounding)
    assert [type(picture) for picture in shown] == [Image.Image] * 8
    assert {picture.size for picture in shown} == {SIZE}


def test_sound_comes_beside_the_video_in_the_form_the_model_takes(sounding):
    path, audio = utils.video_and_sound(sounding)
    assert path == sounding["video"]
    assert (audio["type"], audio["sampling_rate"], audio["array"].ndim) == ("audio", 16_000, 1)
    _, by_url = utils.video_and_sound(sounding, {"audio_form": "url"})
    assert by_url["url"].startswith("data:audio/wav;base64,")
    _, by_file = utils.video_and_sound(sounding, {"audio_form": "file"})
    with wave.open(by_file["url"]) as file:
        assert file.getnframes() == len(audio["array"])
    with pytest.raises(SettingError, match="there is no form 'mp3'"):
        utils.video_and_sound(sounding, {"audio_form": "mp3"})


def test_a_clip_without_sound_is_handed_over_alone(tmp_path):
    clip = write_clip(tmp_path / "v1.mp4", steady(1, 5))
    row = ROW | {"video": str(clip), "has_sound": False}
    assert utils.video_and_sound(row) == [str(clip)]


def test_lmms_eval_takes_what_is_handed_over_for_what_it_is(sounding):
    task = pytest.importorskip("lmms_eval.api.task").ConfigurableMessagesTask
    shown = [*utils.video_and_sound(sounding), *utils.eight_frames(sounding)[:1]]
    assert [task._visual_to_content(each)["type"] for each in shown] == ["video", "audio", "image"]
    (_, by_url) = utils.video_and_sound(sounding, {"audio_form": "url"})
    assert task._visual_to_content(by_url)["url"] == by_url["url"]
