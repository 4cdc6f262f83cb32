"""A plan knows the rows that are on this disk, says which are not, and asks no network."""

from __future__ import annotations

import base64
import json
import shutil
from pathlib import Path

import pytest
from datasets import Dataset, DatasetDict, Features, Image, Value, load_dataset

import lmms_eval_tasks
from lmms_eval_tasks.plan.tokens import tokens_of
from lmms_eval_tasks.worldbench.images import bounded_image
from lmms_eval_tasks.worldqa import material, rows
from lmms_eval_tasks.worldqa.utils import circular_text, open_ended_text
from tests.plan.hub_cache import put_downloaded, put_loaded
from tests.plan.running import planned, said, tasks, without_network
from tests.support.clips import steady, write_clip
from tests.support.pictures import scene, written
from tests.support.worldqa_release import multiple_choice_rows, open_ended_rows, write_videos

PACK = Path(lmms_eval_tasks.__file__).parent


def own_task(folder: Path, name: str, included: str, data: str) -> None:
    (folder / f"{name}.yaml").write_text(
        f"include: {PACK}/{included}\ntask: {name}\ndataset_path: json\n"
        f"dataset_name: null\ndataset_kwargs: {{data_files: {{test: {data}}}}}\n"
    )


def write_rows(file: Path, lines) -> list[dict]:
    lines = list(lines)
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return lines


@pytest.fixture
def release(tmp_path, monkeypatch) -> Path:
    """Two tasks of a user's own on rows in the schema of the release, without their videos."""
    monkeypatch.setenv("LMMS_EVAL_TASKS_VIDEOS", str(tmp_path / "videos"))
    own_task(tmp_path, "my_open_ended", "worldqa/worldqa_open_ended.yaml", "open.jsonl")
    own_task(tmp_path, "my_circular", "worldqa/worldqa_circular.yaml", "mc.jsonl")
    write_rows(tmp_path / "open.jsonl", open_ended_rows())
    write_rows(tmp_path / "mc.jsonl", multiple_choice_rows())
    return tmp_path


def test_counts_and_lengths_are_those_of_the_rows(release):
    found = tasks("--tasks", "my_open_ended,my_circular", "--include-path", release)
    questions = list(open_ended_rows())
    passes = list(multiple_choice_rows())
    assert found["my_open_ended"]["is_measured"]
    assert found["my_open_ended"]["requests"] == len(questions)
    assert found["my_circular"]["requests"] == len(passes)
    expected = sum(tokens_of(open_ended_text(row)) for row in questions)
    assert found["my_open_ended"]["prompt_tokens"] == expected
    dataset = rows.circular(Dataset.from_list(passes), material.nothing)
    expected = sum(tokens_of(circular_text(row)) for row in dataset)
    assert found["my_circular"]["prompt_tokens"] == expected


def test_rows_that_do_not_come_rotated_are_asked_once_per_option(tmp_path):
    own_task(tmp_path, "mine", "worldqa/worldqa_circular_question.yaml", "mc.jsonl")
    first = [row for row in multiple_choice_rows() if "0" <= str(row["question_idx"]) < "3"][:3]
    write_rows(tmp_path / "mc.jsonl", first)
    count = sum(len(row["option"]) for row in first)
    assert tasks("--tasks", "mine", "--include-path", tmp_path)["mine"]["requests"] == count


@pytest.mark.parametrize(("limit", "count"), [("7", 7), ("0.1", 20), ("1000", 200), ("0.001", 1)])
def test_a_limit_is_what_it_is_for_lmms_eval(release, limit, count):
    arguments = ("--tasks", "my_open_ended", "--include-path", release)
    assert tasks(*arguments, "--limit", limit)["my_open_ended"]["requests"] == count


def test_videos_that_are_there_are_counted_and_those_that_are_not(release):
    write_videos(release / "videos")
    plan = planned("--tasks", "my_open_ended", "--include-path", release)
    (task,) = plan["tasks"]
    # Two of forty videos are missing or broken, with five questions each.
    assert task["requests"] == 190
    assert task["coverage"] == 0.95
    files = {file.stem: file for file in (release / "videos").iterdir()}
    asked = [str(row["video_idx"]) for row in open_ended_rows()]
    sizes = [files[name].stat().st_size for name in asked if name not in ("v038", "v039")]
    assert task["media"]["bytes"] == sum(len(base64.b64encode(bytes(size))) for size in sizes)
    videos = plan["videos"]
    assert (videos["needed"], videos["there"]) == (40, 39)
    assert videos["bytes_there"] == sum(file.stat().st_size for file in files.values())
    assert 0 < videos["bytes_missing"] < videos["bytes_there"] / 30
    assert videos["free"] > 0
    words = said("--tasks", "my_open_ended", "--include-path", release)
    assert "39 of 40 are there" in words
    assert "LMMS_EVAL_TASKS_VIDEOS names this folder, so nothing is downloaded" in words
    assert "95.0% of its requests" in words


def test_where_no_video_is_there_what_comes_with_them_is_planned(release):
    plan = planned("--tasks", "my_open_ended", "--include-path", release)
    assert plan["tasks"][0]["requests"] == 200
    assert plan["tasks"][0]["media"]["bytes"] is None
    assert (plan["videos"]["there"], plan["videos"]["bytes_missing"]) == (0, None)


def test_frames_and_sound_are_measured_and_a_question_alone_sends_nothing(tmp_path, monkeypatch):
    monkeypatch.setenv("LMMS_EVAL_TASKS_VIDEOS", str(tmp_path / "videos"))
    (tmp_path / "videos").mkdir()
    clip = write_clip(tmp_path / "videos" / "v000.mp4", steady(2, 4), sound_s=2.0)
    write_rows(tmp_path / "open.jsonl", list(open_ended_rows())[:5])
    for setting in ("frames8", "audio", "question"):
        included = f"worldqa/worldqa_open_ended_{setting}.yaml"
        own_task(tmp_path, setting, included, "open.jsonl")
    found = tasks("--tasks", "frames8,audio,question", "--include-path", tmp_path)
    assert found["frames8"]["media"]["pictures"] == 40
    assert found["frames8"]["media"]["bytes"] > 40 * 100
    whole = 5 * len(base64.b64encode(clip.read_bytes()))
    sound = found["audio"]["media"]["bytes"] - whole
    # Two seconds at 16 kHz and 16 bits, in base64, five times.
    assert sound == pytest.approx(5 * 2 * 32_000 * 4 / 3, rel=0.05)
    assert found["question"]["media"] == {"pictures": 0, "bytes": 0, "rule": "text only"}


def test_what_the_cache_of_the_hub_holds_is_read_without_network(tmp_path):
    put_loaded(
        tmp_path, "lmms-eval/worldqa", "MC", "test", Dataset.from_list(list(multiple_choice_rows()))
    )
    plan = without_network(tmp_path, "--tasks", "worldqa,geoqa,worldbench")
    by_name = {task["name"]: task for task in plan["tasks"]}
    assert by_name["worldqa_circular"]["is_measured"]
    assert by_name["worldqa_circular"]["requests"] == len(list(multiple_choice_rows()))
    assert [name for name, task in by_name.items() if not task["is_measured"]] == [
        "worldqa_open_ended",
        "geoqa",
        "worldbench",
    ]


def worldbench_rows() -> Dataset:
    rows = [
        {
            "image": {"bytes": written(scene(), "JPEG"), "path": None},
            "question": f"What is the number of this question? {number}",
            **{f"option_{letter}": f"{number} {letter}" for letter in "abcd"},
            "answer": "B",
            "category": "numbers",
            "domain": ["Objects", "Scenes"][number % 2],
        }
        for number in range(10)
    ]
    texts = {name: Value("string") for name in rows[0] if name != "image"}
    return Dataset.from_list(rows, features=Features({"image": Image(), **texts}))


def test_files_that_were_downloaded_and_never_loaded_are_read_too(tmp_path):
    put_downloaded(tmp_path, "zlab-princeton/WorldBench", "train", worldbench_rows())
    before = {file for file in (tmp_path / "hf").rglob("*") if "lock" not in file.name}
    (task,) = without_network(tmp_path, "--tasks", "worldbench")["tasks"]
    assert (task["is_measured"], task["requests"]) == (True, 10)
    size = len(base64.b64encode(bounded_image(written(scene(), "JPEG")).data))
    assert task["media"]["pictures"] == 10
    assert task["media"]["bytes"] == 10 * size
    after = {file for file in (tmp_path / "hf").rglob("*") if "lock" not in file.name}
    assert [file for file in after - before if file.is_file()] == []


def test_geoqa_of_the_hub_is_cut_to_its_test_problems(tmp_path, shared_data):
    known = json.loads((shared_data / "geoqa_test_rows_150.json").read_text(encoding="utf-8"))
    texts = [
        {
            "id": row["id"] if position % 2 else 1_000_000 + position,
            "subject": row.get("question_zh") or row["question_en"],
            "choices": row["choices"],
            "label": row["label"],
            "formal_point": "",
            "original_split": "test",
        }
        for position, row in enumerate(known)
    ]
    features = Features(
        {
            "id": Value("int64"),
            "choices": [Value("string")],
            "label": Value("int64"),
            **{name: Value("string") for name in ("subject", "formal_point", "original_split")},
        }
    )
    put_loaded(
        tmp_path, "hz2475/geoQA", "default", "train", Dataset.from_list(texts, features=features)
    )
    (task,) = without_network(tmp_path, "--tasks", "geoqa_text")["tasks"]
    assert (task["is_measured"], task["requests"]) == (True, 75)
    assert task["media"]["rule"] == "text only"


def test_what_is_not_on_this_disk_has_the_published_size_and_says_so(tmp_path, monkeypatch):
    plan = without_network(tmp_path, "--tasks", "worldqa,worldbench,geoqa")
    counts = {task["name"]: task["requests"] for task in plan["tasks"]}
    assert counts == {
        "worldqa_open_ended": 851,
        "worldqa_circular": 3_387,
        "worldbench": 2_000,
        "geoqa": 754,
    }
    assert not any(task["is_measured"] for task in plan["tasks"])
    assert all(task["prompt_tokens"] > 0 for task in plan["tasks"])
    assert plan["videos"]["needed"] == 303
    monkeypatch.setenv("HF_HOME", str(tmp_path / "empty"))
    words = said("--tasks", "worldbench")
    assert "worldbench *" in words
    assert "* published size, data not on this disk" in words
    assert not (tmp_path / "empty").exists()


def test_the_samples_are_always_there(tmp_path):
    plan = without_network(tmp_path, "--tasks", "worldqa_sample,worldbench_sample,geoqa_sample")
    assert {task["name"]: task["requests"] for task in plan["tasks"]} == {
        "worldqa_open_ended_sample": 6,
        "worldqa_circular_sample": 23,
        "worldbench_sample": 12,
        "geoqa_sample": 20,
    }
    assert plan["videos"] is None


def test_a_file_in_a_task_of_ones_own_may_be_parquet_and_lie_beside_it(tmp_path):
    shutil.copy(PACK / "samples/worldbench/questions.parquet", tmp_path / "mine.parquet")
    (tmp_path / "mine.yaml").write_text(
        f"include: {PACK}/worldbench/worldbench.yaml\ntask: mine\ndataset_path: parquet\n"
        "dataset_kwargs: {data_files: {train: mine.parquet}}\n"
    )
    assert tasks("--tasks", "mine", "--include-path", tmp_path)["mine"]["requests"] == 12


def test_data_that_were_saved_to_disk_are_read(tmp_path):
    saved = DatasetDict(test=Dataset.from_list(list(open_ended_rows())))
    saved.save_to_disk(tmp_path / "saved")
    (tmp_path / "mine.yaml").write_text(
        f"include: {PACK}/worldqa/worldqa_open_ended_question.yaml\ntask: mine\n"
        f"dataset_path: {tmp_path}/saved\ndataset_kwargs: {{load_from_disk: true}}\n"
    )
    assert tasks("--tasks", "mine", "--include-path", tmp_path)["mine"]["requests"] == 200


def test_data_that_are_elsewhere_on_the_network_are_not_asked_for(tmp_path):
    own_task(tmp_path, "far", "worldqa/worldqa_open_ended.yaml", "https://example.org/rows.jsonl")
    (task,) = without_network(tmp_path, "--tasks", "far", "--include-path", tmp_path)["tasks"]
    assert not task["is_measured"]


def test_data_of_ones_own_that_are_missing_or_bad_are_named(tmp_path):
    own_task(tmp_path, "mine", "worldqa/worldqa_open_ended_question.yaml", "rows.jsonl")
    arguments = ("--tasks", "mine", "--include-path", tmp_path)
    assert "The data of mine cannot be loaded" in said(*arguments, exit_code=1)
    (row, *_) = open_ended_rows()
    write_rows(tmp_path / "rows.jsonl", [{**row, "answer": ""}])
    assert "column 'answer'" in said(*arguments, exit_code=1)


def test_planning_leaves_the_libraries_as_they_were(release):
    said("--tasks", "my_circular", "--include-path", release)
    import datasets  # noqa: PLC0415 - the state it is in is what is tested
    from huggingface_hub import constants  # noqa: PLC0415

    assert datasets.config.HF_HUB_OFFLINE is False
    assert constants.HF_HUB_OFFLINE is False
    assert len(load_dataset("json", data_files=str(release / "open.jsonl"))["train"]) == 200
