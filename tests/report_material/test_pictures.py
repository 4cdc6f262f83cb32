from __future__ import annotations

import base64
import io
import json
import shutil
import socket
from pathlib import Path

import datasets
import numpy as np
import pytest
from PIL import Image

from lmms_eval_tasks import samples as package_samples
from lmms_eval_tasks.geoqa.rows import complete_rows
from lmms_eval_tasks.report.material.pictures import USED_UP, Pictures
from lmms_eval_tasks.results.run import Kind, Sample, TaskRun
from lmms_eval_tasks.worldbench.rows import complete
from tests.support.clips import steady, write_clip

SAMPLES = Path(package_samples.__file__).parent
PLENTY = 1_000_000


@pytest.fixture(autouse=True)
def _no_network(monkeypatch):
    def refuse(*_):
        pytest.fail("a picture is looked for on the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


@pytest.fixture(autouse=True)
def cache(monkeypatch, tmp_path):
    """An empty folder for what `datasets` prepares."""
    folder = tmp_path / "datasets"
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", folder)
    return folder


def run_of(kind: Kind, **config) -> TaskRun:
    return TaskRun("t", kind, "1.0", {}, {}, {"test_split": "test", **config}, {}, 0, 0, None)


def of_files(kind: Kind, file: Path, form: str = "parquet", **config) -> TaskRun:
    kwargs = {"data_files": {"test": str(file)}}
    return run_of(kind, dataset_path=form, dataset_kwargs=kwargs, **config)


def sample(identity: str, **item) -> Sample:
    return Sample(0, identity, "", "", "", "", {}, {"id": identity, **item})


def opened(uri: str) -> Image.Image:
    head, _, content = uri.partition(",")
    assert head == "data:image/webp;base64"
    return Image.open(io.BytesIO(base64.b64decode(content)))


def photo(colour, size=(400, 300), form="PNG") -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", size, colour).save(buffer, form)
    return buffer.getvalue()


def photos(folder: Path, *contents: bytes) -> TaskRun:
    rows = [
        {
            "image": {"bytes": content, "path": None},
            "question": f"q{at}",
            **{f"option_{letter}": letter for letter in "abcd"},
            "answer": "A",
            "category": "c",
            "domain": ("objects", "scenes")[at % 2],
        }
        for at, content in enumerate(contents)
    ]
    kept = datasets.Dataset.from_list(rows)
    kept = kept.cast_column("image", datasets.Image(decode=False))
    kept.to_parquet(folder / "photos.parquet")
    return of_files(Kind.WORLDBENCH, folder / "photos.parquet")


def asked_ids(folder: Path) -> list[str]:
    """The ids of all rows in the order of the run."""
    return list(complete(datasets.Dataset.from_parquet(str(folder / "photos.parquet")))["id"])


def colour_of(uri: str) -> np.ndarray:
    return np.asarray(opened(uri).convert("RGB")).mean(axis=(0, 1))


def test_a_photo_is_found_by_its_id_whatever_the_order_of_the_run(tmp_path):
    colours = [(250, 10, 10), (10, 250, 10), (10, 10, 250)]
    # Objects, scenes, objects: the run asks the second before the third.
    run = photos(tmp_path, *(photo(colour) for colour in colours))
    ids = asked_ids(tmp_path)
    pictures = Pictures(run, PLENTY)
    for name, colour in zip(ids, colours, strict=True):
        uris, note = pictures.of(sample(name))
        assert note == ""
        assert colour_of(uris[0]) == pytest.approx(colour, abs=12)


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP", "GIF", "TIFF"])
def test_a_thumbnail_is_small_and_keeps_its_shape(form, tmp_path):
    run = photos(tmp_path, photo("red", (1_000, 500), form))
    uris, _ = Pictures(run, PLENTY).of(sample(asked_ids(tmp_path)[0]))
    assert opened(uris[0]).size == (256, 128)


def test_a_photo_is_upright(tmp_path):
    exif = Image.Exif()
    exif[0x0112] = 6
    buffer = io.BytesIO()
    Image.new("RGB", (400, 200), "red").save(buffer, "JPEG", exif=exif)
    run = photos(tmp_path, buffer.getvalue())
    uris, _ = Pictures(run, PLENTY).of(sample(asked_ids(tmp_path)[0]))
    assert opened(uris[0]).size == (128, 256)


def test_every_picture_of_the_samples_is_there():
    for kind, file, completed in (
        (Kind.WORLDBENCH, SAMPLES / "worldbench" / "questions.parquet", complete),
        (Kind.GEOQA, SAMPLES / "geoqa" / "problems.parquet", complete_rows),
    ):
        ids = completed(datasets.Dataset.from_parquet(str(file)))["id"]
        pictures = Pictures(of_files(kind, file), PLENTY)
        found = [pictures.of(sample(name)) for name in ids]
        assert all(uris and max(opened(uris[0]).size) <= 256 for uris, _ in found)
        assert max(len(uris[0]) for uris, _ in found) < 16_000


def test_a_row_of_this_id_may_not_be_there(tmp_path):
    run = photos(tmp_path, photo("red"))
    assert Pictures(run, PLENTY).of(sample("other")) == (
        (),
        "the data set on this disk has no row of this id",
    )


@pytest.mark.parametrize(
    ("content", "note"),
    [
        (b"", "the picture cannot be used (empty)"),
        (b"no picture", "the picture cannot be used (not_an_image)"),
        (photo("red")[:60], "the picture cannot be used (truncated)"),
    ],
)
def test_a_broken_photo_has_a_note(content, note, tmp_path):
    run = photos(tmp_path, content, photo("red"))
    first = asked_ids(tmp_path)[0]
    assert Pictures(run, PLENTY).of(sample(first)) == ((), note)


@pytest.mark.parametrize(
    "config",
    [
        {"dataset_path": "owner/name"},
        {"dataset_path": "/nowhere/at/all"},
        {"dataset_path": "parquet", "dataset_kwargs": {"data_files": {"test": "gone.parquet"}}},
        {"dataset_path": "json", "dataset_kwargs": {"data_files": "https://127.0.0.1/a.json"}},
        {"dataset_path": "parquet", "dataset_kwargs": None},
        {"dataset_path": "/nowhere", "dataset_kwargs": {"load_from_disk": True}},
        {},
    ],
)
@pytest.mark.parametrize("kind", [Kind.GEOQA, Kind.WORLDBENCH])
def test_data_that_are_not_here_have_a_note(kind, config):
    uris, note = Pictures(run_of(kind, **config), PLENTY).of(sample("1"))
    assert (uris, note) == ((), "the data set is not on this disk")


def test_a_file_that_is_no_data_has_a_note(tmp_path):
    (tmp_path / "a.parquet").write_bytes(b"no parquet")
    _, note = Pictures(of_files(Kind.GEOQA, tmp_path / "a.parquet"), PLENTY).of(sample("1"))
    assert note.startswith("the data set cannot be read")


def test_data_without_pictures_have_a_note(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"id": 1}\n', encoding="utf-8")
    run = of_files(Kind.GEOQA, tmp_path / "a.jsonl", "json")
    assert Pictures(run, PLENTY).of(sample("1")) == ((), "the data set has no pictures")


def diagrams(**columns) -> datasets.Dataset:
    rows = [
        {"image": {"bytes": photo(colour), "path": None}} for colour in ("red", "green", "blue")
    ]
    made = datasets.Dataset.from_list(rows).cast_column("image", datasets.Image())
    for name, values in columns.items():
        made = made.add_column(name, values)
    return made


@pytest.mark.parametrize(
    ("columns", "name"), [({"id": [7, 8, 9]}, "9"), ({}, "2"), ({"id": [8, 8, 8]}, "8~3")]
)
def test_a_diagram_is_found_by_id_or_position(columns, name, tmp_path):
    diagrams(**columns).to_parquet(tmp_path / "d.parquet")
    uris, _ = Pictures(of_files(Kind.GEOQA, tmp_path / "d.parquet"), PLENTY).of(sample(name))
    assert colour_of(uris[0]) == pytest.approx((0, 0, 255), abs=12)


def test_a_problem_asked_without_its_diagram_shows_none(tmp_path):
    diagrams(id=[1, 2, 3]).to_parquet(tmp_path / "d.parquet")
    pictures = Pictures(of_files(Kind.GEOQA, tmp_path / "d.parquet"), PLENTY)
    assert pictures.of(sample("1", asked_as_text=True)) == ((), "asked without a diagram")


def test_data_saved_to_disk_are_read(tmp_path):
    datasets.DatasetDict({"test": diagrams(id=[1, 2, 3])}).save_to_disk(str(tmp_path / "saved"))
    run = run_of(
        Kind.GEOQA, dataset_path=str(tmp_path / "saved"), dataset_kwargs={"load_from_disk": True}
    )
    assert Pictures(run, PLENTY).of(sample("2"))[0]


def test_what_was_prepared_of_a_data_set_of_the_hub_is_read(cache, tmp_path):
    diagrams(id=[1, 2, 3]).to_parquet(tmp_path / "d.parquet")
    datasets.Dataset.from_parquet(str(tmp_path / "d.parquet"), cache_dir=str(tmp_path / "c"))
    (arrow,) = (tmp_path / "c").rglob("*.arrow")
    prepared = cache / "owner___my_geo" / "default" / "0.0.0" / ("a" * 40)
    prepared.mkdir(parents=True)
    shutil.copy(arrow, prepared / "my_geo-train.arrow")
    info = json.loads((arrow.parent / "dataset_info.json").read_text(encoding="utf-8"))
    (prepared / "dataset_info.json").write_text(
        json.dumps({**info, "dataset_name": "my_geo", "config_name": "default"}), encoding="utf-8"
    )
    run = run_of(Kind.GEOQA, dataset_path="owner/myGeo", test_split="train")
    assert Pictures(run, PLENTY).of(sample("2"))[0]


def clip_run(hook: str = "open_ended_docs", visual: str = "video") -> TaskRun:
    return run_of(
        Kind.CIRCULAR,
        process_docs=f"<function {hook} at 0x7f>",
        doc_to_visual=f"<function {visual} at 0x7f>",
    )


@pytest.fixture
def videos(tmp_path, monkeypatch):
    folder = tmp_path / "videos"
    folder.mkdir()
    monkeypatch.setenv("LMMS_EVAL_TASKS_VIDEOS", str(folder))
    return folder


def test_a_video_is_four_of_its_frames_in_a_row(videos):
    write_clip(videos / "one.mp4", steady(4, 10))
    uris, note = Pictures(clip_run(), PLENTY).of(sample("one/0#0", video_idx="one"))
    strip = opened(uris[0])
    assert note == ""
    # The clip is 64 pixels wide and not made larger; between frames there is a gap of 4.
    assert strip.size == (4 * 64 + 3 * 4, 48)


def test_a_strip_is_at_most_640_pixels_wide():
    pictures = Pictures(clip_run("circular_sample_docs"), PLENTY)
    uris, _ = pictures.of(sample("kitchen/0#0", video_idx="kitchen"))
    width, height = opened(uris[0]).size
    assert 600 <= width <= 640
    assert height <= 160


def test_all_questions_on_a_video_share_its_strip(videos):
    write_clip(videos / "one.mp4", steady(4, 10))
    pictures = Pictures(clip_run(), PLENTY)
    first, second = (pictures.of(sample(f"one/{n}#{n}", video_idx="one"))[0][0] for n in range(2))
    assert first is second


def test_a_shared_strip_is_paid_for_once(videos):
    write_clip(videos / "one.mp4", steady(4, 10))
    price = len(Pictures(clip_run(), PLENTY).of(sample("a", video_idx="one"))[0][0])
    pictures = Pictures(clip_run(), price)
    assert [len(pictures.of(sample(f"{n}", video_idx="one"))[0]) for n in range(5)] == [1] * 5


@pytest.mark.parametrize(("content", "note"), [(None, "is not on"), (b"junk", "cannot be decoded")])
def test_a_missing_or_broken_video_has_a_note(content, note, videos):
    if content:
        (videos / "one.mp4").write_bytes(content)
    uris, said = Pictures(clip_run(), PLENTY).of(sample("one/0", video_idx="one"))
    assert uris == ()
    assert note in said
    assert str(videos) not in said


def test_a_folder_that_cannot_be_named_has_a_note(monkeypatch):
    monkeypatch.setenv("LMMS_EVAL_TASKS_VIDEOS", "$NO_SUCH_VARIABLE/videos")
    uris, note = Pictures(clip_run(), PLENTY).of(sample("one/0", video_idx="one"))
    assert (uris, note) == ((), "the setting of the videos' folder cannot be used")


def test_a_setting_without_the_video_shows_none(videos):
    write_clip(videos / "one.mp4", steady(4, 10))
    run = clip_run(visual="nothing")
    note = "no video was shown in this setting"
    assert Pictures(run, PLENTY).of(sample("one/0", video_idx="one")) == ((), note)


def test_the_budget_holds_and_the_first_samples_have_it(tmp_path):
    run = photos(tmp_path, *(photo((n, 99, 9 * n)) for n in range(8)))
    names = asked_ids(tmp_path)
    each = len(Pictures(run, PLENTY).of(sample(names[0]))[0][0])
    budget = int(3.5 * each)
    pictures = Pictures(run, budget)
    found = [pictures.of(sample(name)) for name in names]
    assert [bool(uris) for uris, _ in found] == [True] * 3 + [False] * 5
    assert {note for _, note in found[3:]} == {USED_UP}
    assert sum(len(uris[0]) for uris, _ in found if uris) <= budget


def test_no_later_picture_takes_the_place_of_one_too_large(tmp_path):
    noise = np.random.default_rng(0).integers(0, 255, (256, 256, 3), dtype=np.uint8)
    buffer = io.BytesIO()
    Image.fromarray(noise).save(buffer, "PNG")
    run = photos(tmp_path, buffer.getvalue(), photo("red"))
    pictures = Pictures(run, 5_000)
    assert [pictures.of(sample(name)) for name in asked_ids(tmp_path)] == [((), USED_UP)] * 2


@pytest.mark.parametrize("share", [0.0, 0.4, 1.0])
def test_pictures_made_side_by_side_are_those_made_one_by_one(share, tmp_path):
    run = photos(tmp_path, *(photo((n, 99, 9 * n)) for n in range(8)), b"no picture")
    wanted = [sample(name) for name in [*asked_ids(tmp_path), "other"]]
    whole = sum(len(uri) for one in wanted for uri in Pictures(run, PLENTY).of(one)[0])
    alone, together = (Pictures(run, int(share * whole * 1.1)) for _ in range(2))
    together.prepare(wanted)
    assert [alone.of(one) for one in wanted] == [together.of(one) for one in wanted]
