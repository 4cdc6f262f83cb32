"""WorldBench through the real command: what arrives at a server, and what counts as failed."""

from __future__ import annotations

import base64
import hashlib
import re
from collections import Counter
from functools import cache
from io import BytesIO
from pathlib import Path

import lmms_eval
import pytest
from datasets import Dataset, Features, Image, Value
from PIL import Image as PillowImage

import lmms_eval_tasks
from lmms_eval_tasks.worldbench.published import published_table
from lmms_eval_tasks.worldbench.records import TEXT_COLUMNS, Domain
from tests.integration.harness import Run, run
from tests.integration.test_samples import ACCELERATE
from tests.support.openai_server import Fault, OpenAIServer
from tests.support.pictures import (
    converted,
    noise,
    oriented,
    photo,
    png,
    png_header,
    preserved,
    scene,
    written,
)

pytestmark = pytest.mark.slow

WORLDBENCH = Path(lmms_eval_tasks.__file__).parent / "worldbench" / "worldbench.yaml"
POPE = Path(lmms_eval.__file__).parent / "tasks" / "pope" / "pope.yaml"
MOST_ENCODED, LONGEST_SIDE = 10_485_760, 8_000
FORMATS = {"image/jpeg": "JPEG", "image/png": "PNG", "image/webp": "WEBP"}
DOMAINS = [domain.value for domain in Domain]


@cache
def kept() -> dict[str, tuple[str, bytes]]:
    """By name, the media type and the bytes that have to arrive as they are."""
    jpeg = written(photo((640, 480)), "JPEG", quality=92)
    at_the_limit = jpeg + bytes(MOST_ENCODED // 4 * 3 - len(jpeg))
    return {
        **preserved(),
        "jpeg-at-the-limit": ("image/jpeg", at_the_limit),
        "jpeg-damaged-pixels": ("image/jpeg", jpeg[:9000] + bytes(200) + jpeg[9200:]),
    }


@cache
def changed() -> dict[str, bytes]:
    """By name, the bytes of pictures that have to be brought within the bounds."""
    jpeg = written(photo((640, 480)), "JPEG", quality=92)
    return {
        **{name: file.source for name, file in converted().items()},
        "gif-animated": written(
            scene().quantize(16), "GIF", save_all=True, append_images=[scene("L")]
        ),
        "tiff-turned": oriented(6, "TIFF"),
        "jpeg-too-long": jpeg + bytes(MOST_ENCODED // 4 * 3 + 1 - len(jpeg)),
        "jpeg-too-wide": written(noise((8360, 20)), "JPEG"),
        "jpeg-too-wide-turned": oriented_wide(),
        "png-too-high": written(scene("P", (7, 8001)), "PNG"),
    }


def oriented_wide() -> bytes:
    exif = PillowImage.Exif()
    exif[0x0112] = 6
    return written(noise((8200, 30)), "JPEG", exif=exif)


def task(folder: Path, name: str, include: Path, rows: list[dict], features: dict) -> None:
    """Write a task of five lines and its rows."""
    Dataset.from_list(rows, features=Features(features)).to_parquet(folder / f"{name}.parquet")
    (folder / f"{name}.yaml").write_text(
        f"include: {include}\ntask: {name}\ndataset_path: parquet\n"
        f"dataset_kwargs: {{data_files: {{test: {name}.parquet}}}}\ntest_split: test\n"
    )


def own_worldbench(folder: Path, name: str, rows: list[dict]) -> None:
    features = {"image": Image(decode=False), **{each: Value("string") for each in TEXT_COLUMNS}}
    task(folder, name, WORLDBENCH, rows, features)


def row(source: bytes, question: str, answer: str = "A", domain: str = "objects") -> dict:
    options = {f"option_{letter}": f"option {letter}" for letter in "abcd"}
    return {
        "image": {"bytes": source, "path": None},
        "question": question,
        "answer": answer,
        "category": "c",
        "domain": domain,
        **options,
    }


def own_pope(folder: Path) -> None:
    """A task of lmms-eval's own with its own hooks, on pictures of ours."""
    features = {
        "image": Image(),
        **{name: Value("string") for name in ("question", "answer", "question_id", "category")},
    }
    names = ("jpeg-rgb", "jpeg-cmyk", "png-palette", "png-rgba", "webp-lossy")
    rows = [
        {
            "image": {"bytes": preserved()[name][1], "path": None},
            "question": f"Is there a bus in {name}?",
            "answer": "yes",
            "question_id": name,
            "category": "random",
        }
        for name in names
    ]
    task(folder, "own_pope", POPE, rows, features)


def parts(request: dict) -> tuple[list[str], str]:
    """The URLs of the pictures of a request, and its text."""
    content = request["messages"][-1]["content"]
    texts = [part["text"] for part in content if part["type"] == "text"]
    return [part["image_url"]["url"] for part in content if part["type"] == "image_url"], texts[-1]


def reply(request: dict) -> str:
    return "yes" if "Is there a bus" in parts(request)[1] else "ANSWER: A"


MODEL_ARGS = {
    "openai": "model_version=m,base_url={url},api_key=k,num_concurrent=4",
    "async_openai": "model_version=m,base_url={url},api_key=k,num_cpus=4",
}


@pytest.fixture(scope="module")
def without_us(tmp_path_factory) -> list[dict]:
    """What the task of lmms-eval's own sends where this package stays out."""
    folder = tmp_path_factory.mktemp("without")
    own_pope(folder)
    with OpenAIServer(reply=reply) as server:
        done = run(
            *("--model", "openai", "--include_path", str(folder), "--tasks", "own_pope"),
            *("--model_args", MODEL_ARGS["openai"].format(url=server.url)),
            folder=folder,
            environment={"LMMS_EVAL_TASKS_DISABLE": "1"},
        )
    assert done.value("own_pope", "pope_accuracy") == 1.0
    return sorted(server.requests, key=str)


def assert_arrives(url: str, source: bytes, media_type: str | None) -> None:
    """As it is where a media type is given, within the bounds where none is."""
    declared, encoded = re.fullmatch(r"data:([a-z/]+);base64,(.*)", url).groups()
    data = base64.b64decode(encoded, validate=True)
    if media_type:
        assert declared == media_type
        assert hashlib.sha256(data).digest() == hashlib.sha256(source).digest()
        return
    assert len(encoded) <= MOST_ENCODED
    with PillowImage.open(BytesIO(data)) as image:
        assert image.format == FORMATS[declared]
        assert max(image.size) <= LONGEST_SIDE
        image.load()


@pytest.mark.parametrize(("model", "encoding"), [("openai", "PNG"), ("async_openai", "JPEG")])
def test_every_picture_arrives_as_it_is_or_within_the_bounds(tmp_path, without_us, model, encoding):
    expected = {
        **{name: (source, media_type) for name, (media_type, source) in kept().items()},
        **{name: (source, None) for name, source in changed().items()},
    }
    assert len(expected) >= 40
    own_worldbench(
        tmp_path,
        "own_worldbench",
        [row(source, f"What is in {name}?") for name, (source, _) in expected.items()],
    )
    own_pope(tmp_path)
    with OpenAIServer(reply=reply) as server:
        done = run(
            *("--model", model, "--include_path", str(tmp_path)),
            *("--tasks", "own_worldbench,own_pope"),
            *("--model_args", MODEL_ARGS[model].format(url=server.url)),
            folder=tmp_path,
            environment={"LMMS_IMAGE_ENCODE_FORMAT": encoding},
        )
    assert done.value("own_worldbench", "accuracy") == 100.0
    assert done.value("own_worldbench", "image_unusable") == 0.0
    assert done.value("own_pope", "pope_accuracy") == 1.0
    arrived = {}
    for request in server.requests:
        (url,), text = parts(request)
        if found := re.match(r"What is in (.*)\?", text):
            arrived[found[1]] = url
            assert request["max_tokens"] == 32_768
    assert set(arrived) == set(expected)
    for name, (source, media_type) in expected.items():
        assert_arrives(arrived[name], source, media_type)
    others = [each for each in server.requests if "Is there a bus" in parts(each)[1]]
    if (model, encoding) == ("openai", "PNG"):
        assert sorted(others, key=str) == without_us
    else:
        assert all(parts(each)[0][0].startswith("data:image/jpeg;") for each in others)


@pytest.fixture(scope="module")
def full_size(tmp_path_factory) -> Path:
    """As many rows as the benchmark has, ordered by domain as they are there."""
    folder = tmp_path_factory.mktemp("full")
    picture = written(scene(size=(32, 32)), "PNG")
    counts = published_table().rows.items()
    rows = [
        row(picture, f"{domain} {number}?", "ABCD"[number % 4], domain)
        for domain, count in counts
        for number in range(count)
    ]
    own_worldbench(folder, "own_full", rows)
    return folder


def guess(folder: Path, where: Path, **options) -> Run:
    return run(
        *("--model", "chance", "--include_path", str(folder), "--tasks", "own_full"),
        *("--limit", "70", "--log_samples"),
        folder=folder,
        **options,
    )


def test_any_limit_is_balanced_and_two_processes_give_the_numbers_of_one(full_size, tmp_path):
    one = guess(full_size, tmp_path)
    samples = one.items("own_full", "accuracy").values()
    assert Counter(item["domain"] for item in samples) == dict.fromkeys(DOMAINS, 10)
    assert all(item["category"] == "c" for item in samples)
    assert "rows for 2,000" not in one.output
    for domain in DOMAINS:
        right = sum(item["score"] for item in samples if item["domain"] == domain)
        assert one.value("own_full", f"accuracy_{domain}") == pytest.approx(right / 10)
    two = guess(
        full_size, tmp_path, launcher=ACCELERATE, environment={"ACCELERATE_USE_CPU": "true"}
    )
    assert "Running on rank 1" in two.output
    assert two.values("own_full") == pytest.approx(one.values("own_full"))
    assert len(two.items("own_full", "accuracy")) == 70


ROWS = 200
BROKEN = range(0, ROWS, 20)  # 5 %
FAILING = range(10, ROWS, 20)  # 5 %
SILENT = range(5, ROWS, 20)  # answers without a final line
RIGHT = range(1, ROWS, 2)


def broken_picture(number: int) -> bytes:
    whole = written(scene(), "PNG")
    tiff = written(noise((64, 64)), "TIFF", compression="tiff_lzw")
    kinds = (
        b"",
        b"not an image at all",
        whole[: len(whole) // 2],
        written(scene(), "JPEG")[:400],
        png(png_header((60_000, 60_000)), (b"IDAT", b"")),
        # Only decoding tells, which a format to be converted needs for its request.
        tiff[:200] + bytes(len(tiff) - 400) + tiff[-200:],
    )
    return kinds[number // 20 % len(kinds)]


def faulty(request: dict) -> str | Fault:
    number = int(re.match(r"Question (\d+)\?", parts(request)[1])[1])
    if number in FAILING:
        return Fault(status=500)
    if number in SILENT:
        return "I cannot tell."
    return f"ANSWER: {'ABCD'[number % 4 if number in RIGHT else (number + 1) % 4]}"


def test_faults_are_counted_exactly_and_the_rest_is_scored(tmp_path):
    good = written(scene(), "JPEG")
    own_worldbench(
        tmp_path,
        "own_faults",
        [
            row(
                broken_picture(number) if number in BROKEN else good,
                f"Question {number}?",
                "ABCD"[number % 4],
                DOMAINS[number % 7],
            )
            for number in range(ROWS)
        ],
    )
    with OpenAIServer(reply=faulty) as server:
        done = run(
            *("--model", "openai", "--include_path", str(tmp_path), "--tasks", "own_faults"),
            *("--log_samples", "--gen_kwargs", "max_new_tokens=512", "--model_args"),
            f"{MODEL_ARGS['openai'].format(url=server.url)},max_retries=1,retry_backoff_s=0",
            folder=tmp_path,
        )
    shown = ROWS - len(BROKEN)
    answered = shown - len(FAILING)
    right = len(set(RIGHT) - set(SILENT))
    values = done.values("own_faults")
    assert values["image_unusable"] == len(BROKEN)
    assert values["request_failed_rate"] == pytest.approx(len(FAILING) / shown)
    assert values["answer_parsed"] == pytest.approx((answered - len(SILENT)) / shown)
    assert values["accuracy"] == pytest.approx(100 * right / shown)
    assert values["accuracy_answered"] == pytest.approx(100 * right / answered)
    for position, domain in enumerate(DOMAINS):
        asked = [n for n in range(position, ROWS, 7) if n not in BROKEN]
        expected = 100 * sum(n in RIGHT and n not in SILENT for n in asked) / len(asked)
        assert values[f"accuracy_{domain}"] == pytest.approx(expected)
    outcomes = Counter(
        item.get("reason", "scored") for item in done.items("own_faults", "accuracy").values()
    )
    assert outcomes == {
        "image_unusable": len(BROKEN),
        "request_failed": len(FAILING),
        "no_answer_line": len(SILENT),
        "scored": answered - len(SILENT),
    }
    assert {request["max_tokens"] for request in server.requests} == {512}
    asked_without = [text for urls, text in map(parts, server.requests) if not urls]
    assert len(asked_without) == len(BROKEN)
    assert len(re.findall(r"of 200 pictures cannot be used", done.output)) == 1
