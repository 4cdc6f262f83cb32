"""Every input setting of the paper in one run, and a matcher that is a model."""

from __future__ import annotations

import base64
import json
from collections import Counter
from pathlib import Path

import pytest

import lmms_eval_tasks
from tests.integration.harness import Run, run
from tests.support import worldqa_release as release
from tests.support.clips import steady, write_clip
from tests.support.openai_server import Fault, OpenAIServer

pytestmark = pytest.mark.slow

PACK = Path(lmms_eval_tasks.__file__).parent / "worldqa"
KINDS = ("open_ended", "circular")
SETTINGS = ("", "_question", "_description", "_frames8", "_audio")
TASKS = [f"wq_{kind}{setting}" for kind in KINDS for setting in SETTINGS]
TEXTS = ("It rained", "They danced", "He fell asleep", "She wrote a letter")


def rows(kind: str) -> list[release.Json]:
    """Two questions on a video with sound and one on a video without."""
    return [
        {
            "question_idx": str(number),
            "question": f"What happened in scene {number}?",
            "answer": f"B. {TEXTS[1]}" if kind == "circular" else TEXTS[1],
            "video_idx": ("sounding", "sounding", "silent")[number],
            "object_description": f"Scene {number}: a hall full of people.",
            "option": [f"{'ABCD'[k]}. {text}" for k, text in enumerate(TEXTS)],
        }
        for number in range(3)
    ]


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("settings")
    (folder / "videos").mkdir()
    write_clip(folder / "videos" / "sounding.mp4", steady(2, 5), sound_s=2)
    write_clip(folder / "videos" / "silent.mp4", steady(2, 5))
    for kind in KINDS:
        data = release.write_jsonl(folder / f"{kind}.jsonl", rows(kind))
        for setting in SETTINGS:
            included = PACK / f"worldqa_{kind}{setting}.yaml"
            release.write_task(folder, f"wq_{kind}{setting}", included, data)
    return folder


def model(request: dict) -> str:
    """Means the right option in words that no rule can tell."""
    return "One sees people moving to the music."


def judge(request: dict) -> str:
    prompt = request["messages"][0]["content"]
    if "<options>" not in prompt:
        return "Grade: correct"
    letters = [line[2] for line in prompt.splitlines() if line.endswith(TEXTS[1])]
    return json.dumps({"option": letters[0] if letters else "none"})


@pytest.fixture(scope="module")
def settings(folder, tmp_path_factory):
    with OpenAIServer(model) as asked, OpenAIServer(judge) as judged:
        done = run(
            *("--model", "openai", "--tasks", ",".join(TASKS), "--include_path", str(folder)),
            *("--log_samples", "--model_args"),
            f"model_version=m,base_url={asked.url},api_key=k,num_concurrent=4,max_frames_num=4",
            folder=tmp_path_factory.mktemp("run"),
            environment={
                "LMMS_EVAL_TASKS_VIDEOS": str(folder / "videos"),
                "LMMS_EVAL_TASKS_JUDGE_MODEL": "judge-model",
                "LMMS_EVAL_TASKS_JUDGE_BASE_URL": judged.url,
            },
        )
    return done, asked.requests, judged.requests


def test_every_setting_is_asked_and_scored(settings):
    done, asked, _ = settings
    assert len(asked) == len(SETTINGS) * (3 + 12)
    for setting in SETTINGS:
        assert done.value(f"wq_open_ended{setting}", "open_ended_score") == 100.0
        assert done.value(f"wq_circular{setting}", "circular_acc") == 1.0
        assert done.value(f"wq_circular{setting}", "coverage") == 1.0


def test_what_each_setting_shows(settings):
    _, asked, _ = settings
    shown = Counter()
    for request in asked:
        parts = Counter(part["type"] for part in request["messages"][0]["content"])
        described = "a hall full of people" in json.dumps(request)
        shown[parts["image_url"], parts["audio_url"], described] += 1
    a_setting = 3 + 12
    assert shown == {
        (4, 0, False): a_setting + a_setting // 3,  # the default, and audio without sound
        (0, 0, False): a_setting,
        (0, 0, True): a_setting,
        (8, 0, False): a_setting,
        (4, 1, False): a_setting * 2 // 3,
    }


def test_sound_reaches_the_server_as_a_wav_file(settings):
    _, asked, _ = settings
    parts = [part for request in asked for part in request["messages"][0]["content"]]
    urls = {part["audio_url"]["url"] for part in parts if part["type"] == "audio_url"}
    (url,) = urls
    assert base64.b64decode(url.partition(",")[2])[:4] == b"RIFF"


def test_clips_without_sound_are_counted_where_sound_is_handed_over(settings):
    done, _, _ = settings
    assert done.value("wq_open_ended_audio", "with_sound_rate") == pytest.approx(2 / 3)
    assert done.value("wq_circular_audio", "with_sound_rate") == pytest.approx(2 / 3)
    assert "with_sound_rate" not in done.values("wq_circular")


def test_judge_and_matcher_are_one_model_checked_once(settings):
    done, _, judged = settings
    # The model says the same in all settings, and the same question is asked once.
    assert len(judged) == (3 + 12) + 1
    assert done.results["configs"]["wq_circular"]["metadata"]["matcher"] == "judge-model"
    item = done.items("wq_circular", "circular_acc")["sounding/0#0"]
    assert (item["rule"], item["matcher"], item["matcher_version"]) == (
        "matcher",
        "judge-model",
        "match-1",
    )


def test_no_video_is_needed_where_none_is_shown(folder, tmp_path):
    names = [f"wq_{kind}_{setting}" for kind in KINDS for setting in ("question", "description")]
    done = run(
        *("--model", "chance", "--tasks", ",".join(names), "--include_path", str(folder)),
        folder=tmp_path,
        environment={
            "LMMS_EVAL_TASKS_VIDEOS": str(tmp_path / "nowhere"),
            "LMMS_EVAL_TASKS_JUDGE": "lexical",
        },
    )
    for name in names:
        assert done.value(name, "coverage") == 1.0


def matched(folder: Path, where: Path, reply) -> Run:
    """Score responses that rules cannot tell, with a matcher that is a model."""
    ids = [f"{row['video_idx']}/{row['question_idx']}#{k}" for row in rows("") for k in range(4)]
    says = {key: f"People move to the music ({key})." for key in ids}
    lines = [{"task": "wq_circular", "id": key, "response": text} for key, text in says.items()]
    saved = release.write_jsonl(where / "saved.jsonl", lines)
    with OpenAIServer(reply) as server:
        return run(
            *("--model", "replay", "--model_args", f"responses={saved}", "--log_samples"),
            *("--tasks", "wq_circular", "--include_path", str(folder)),
            folder=where,
            environment={
                "LMMS_EVAL_TASKS_VIDEOS": str(folder / "videos"),
                "LMMS_EVAL_TASKS_MATCHER_MODEL": "matcher-model",
                "LMMS_EVAL_TASKS_JUDGE_BASE_URL": server.url,
            },
        )


def test_what_the_matcher_cannot_be_asked_is_left_out_of_the_strict_number(folder, tmp_path):
    def reply(request: dict):
        prompt = request["messages"][0]["content"]
        if "sounding/0#3" in prompt or "silent/2#0" in prompt:
            return Fault(status=400, words="not today")
        if "silent/2#1" in prompt:
            return "Option: none"
        return judge(request)

    done = matched(folder, tmp_path, reply)
    values = done.values("wq_circular")
    # Scene 0 is open, scene 1 right, scene 2 settled by a wrong pass.
    assert values["circular_acc"] == 1.0
    assert values["incomplete_groups"] == 2.0
    assert values["circular_lower"] == pytest.approx(1 / 3)
    assert values["circular_upper"] == pytest.approx(2 / 3)
    assert values["not_judged_rate"] == pytest.approx(2 / 12)
    assert values["mean_acc"] == pytest.approx(9 / 10)
    assert values["answered_acc"] == 1.0
    assert values["undecided_rate"] == pytest.approx(1 / 10)
    item = done.items("wq_circular", "circular_acc")["sounding/0#3"]
    assert (item["outcome"], item["reason"]) == ("not_judged", "judge_rejected_the_request")


def test_a_matcher_that_does_not_answer_stops_the_run_before_the_first_request(folder, tmp_path):
    done = matched(folder, tmp_path, Fault(status=401, words="bad key"))
    assert done.results is None
    sentence = next(line for line in done.output.splitlines() if "Error during evaluation" in line)
    assert "the matcher 'matcher-model' at" in sentence
    assert "LMMS_EVAL_TASKS_MATCHER=lexical" in sentence
