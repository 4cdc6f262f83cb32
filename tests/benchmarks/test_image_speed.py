"""How fast pictures get ready to be sent, how large, and at what cost in memory.

This pack against lmms-eval, side by side in one run.

The measurements are logged (``-o log_cli=true -o log_cli_level=INFO``) and go into a JUnit report.
"""

from __future__ import annotations

import base64
import json
import logging
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace

import pytest
from datasets import Dataset, Features, Value
from datasets import Image as ImageFeature
from PIL import Image

from lmms_eval_tasks import plugin
from lmms_eval_tasks.worldbench.images import bounded_image
from lmms_eval_tasks.worldbench.pictures import picture
from lmms_eval_tasks.worldbench.records import TEXT_COLUMNS, Domain
from tests.support.pictures import noise, photo, scene, written

SIZES = {1: (1152, 864), 8: (3264, 2448), 24: (6000, 4000)}
LEAST_RATIO = 100
FRAME = 1_000  # bytes of a request beside its picture

pytestmark = pytest.mark.benchmark


def seconds(work: Callable[[], object], repeats: int) -> float:
    """The least time of some repeats: what the work takes when nothing else runs."""
    times = []
    for _ in range(repeats):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return min(times)


@pytest.mark.parametrize("megapixels", SIZES)
@pytest.mark.parametrize("file_format", ["JPEG", "PNG"])
def test_getting_a_picture_ready(
    file_format: str, megapixels: int, record_property: Callable[[str, object], None]
):
    media_encoder = pytest.importorskip("lmms_eval.models.model_utils.media_encoder")
    options = {"quality": 90} if file_format == "JPEG" else {}
    source = written(photo(SIZES[megapixels]), file_format, **options)
    with Image.open(BytesIO(source)) as image:
        image.load()  # lmms-eval gets its pictures decoded: that time is not counted

        def theirs() -> str:
            return media_encoder.encode_image_to_base64(image)

        their_length = len(theirs())
        their_time = seconds(theirs, 1)
    result = bounded_image(source)
    our_time = seconds(
        lambda: base64.b64encode(bounded_image(source).data), 5 if result.preserved else 1
    )
    ratio = their_time / our_time
    line = (
        f"{megapixels} MP {file_format}, {len(source):,} bytes"
        f"{', preserved' if result.preserved else ''}: {our_time * 1e3:.2f} ms against"
        f" {their_time * 1e3:.0f} ms ({ratio:,.0f} times), {len(result.data):,} bytes against"
        f" {their_length * 3 // 4:,}"
    )
    logging.getLogger(__name__).info(line)
    record_property("image_speed", line)
    assert len(result.data) <= len(source)
    if file_format == "JPEG":
        assert result.preserved
        assert ratio >= LEAST_RATIO
    elif result.preserved:
        assert ratio > 1


def question(source: bytes, number: int = 0) -> dict[str, object]:
    options = {f"option_{letter}": letter for letter in "abcd"}
    domain = list(Domain)[number % len(Domain)].value
    return {
        "image": {"bytes": source, "path": None},
        "question": f"Question {number}?",
        "answer": "A",
        "category": "c",
        "domain": domain,
        **options,
    }


@pytest.mark.parametrize("file_format", ["JPEG", "PNG", "WEBP"])
def test_a_request_from_the_row_to_its_body(
    file_format: str, record_property: Callable[[str, object], None]
):
    protocol = pytest.importorskip("lmms_eval.protocol")
    render = protocol.ChatMessages.to_openai_messages
    theirs = type("ChatMessages", (protocol.ChatMessages,), {})
    theirs.to_openai_messages = getattr(render, "__wrapped__", render)
    ours = type("ChatMessages", (theirs,), {})
    plugin.install_pass_through(SimpleNamespace(ChatMessages=ours))
    source = written(
        photo(SIZES[1]), file_format, **({"quality": 90} if file_format != "PNG" else {})
    )
    row = question(source)

    def body(chat_messages: type) -> int:
        content = [{"type": "image", "url": picture(row)}, {"type": "text", "text": "?"}]
        messages = chat_messages(messages=[{"role": "user", "content": content}])
        return len(json.dumps(messages.to_openai_messages()))

    our_time, their_time = seconds(lambda: body(ours), 5), seconds(lambda: body(theirs), 1)
    line = (
        f"1 MP {file_format}, row to request: {our_time * 1e3:.2f} ms and {body(ours):,} bytes"
        f" against {their_time * 1e3:.0f} ms and {body(theirs):,} bytes"
        f" ({their_time / our_time:,.0f} times)"
    )
    logging.getLogger(__name__).info(line)
    record_property("request_speed", line)
    assert body(ours) <= -(-len(source) // 3) * 4 + FRAME
    assert their_time / our_time >= (LEAST_RATIO if file_format == "JPEG" else 1)


# The memory of a whole data set on its way to a server: what is allocated, not what is mapped.
WALK = """
import re, sys
from types import SimpleNamespace
from datasets import load_from_disk
from lmms_eval.protocol import ChatMessages
from lmms_eval_tasks import plugin
from lmms_eval_tasks.worldbench.rows import complete
from lmms_eval_tasks.worldbench.utils import pictures

plugin.install_pass_through(SimpleNamespace(ChatMessages=ChatMessages))

def allocated():
    with open("/proc/self/status") as status:
        return int(re.search(r"RssAnon:\\s+(\\d+)", status.read())[1])

rows = load_from_disk(sys.argv[1])
rows = complete(rows.select(range(int(sys.argv[2]))))
highest = sent = 0
for row in rows:
    content = [{"type": "image", "url": image} for image in pictures(row)]
    message = ChatMessages(messages=[{"role": "user", "content": content}]).to_openai_messages()
    sent += len(message[0]["content"][0]["image_url"]["url"])
    highest = max(highest, allocated())
print(highest, sent)
"""
ROWS, FEW = 2_000, 200
SLACK_KB = 30_000


def many_rows() -> Iterator[dict[str, object]]:
    """About 100 kB a row; every tenth has to be converted."""
    jpeg, bitmap = written(photo((640, 480)), "JPEG", quality=90), written(scene(), "BMP")
    for number in range(ROWS):
        padding = noise((100, 100), seed=number).tobytes()
        yield question(jpeg + padding if number % 10 else bitmap, number)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="asks Linux for the memory")
def test_memory_stays_flat_over_two_thousand_rows(
    tmp_path: Path, record_property: Callable[[str, object], None]
):
    columns = {name: Value("string") for name in TEXT_COLUMNS}
    features = Features({"image": ImageFeature(decode=False), **columns})
    rows = Dataset.from_generator(many_rows, features=features, cache_dir=str(tmp_path / "cache"))
    rows.save_to_disk(str(tmp_path / "rows"))

    def walk(count: int) -> tuple[int, int]:
        done = subprocess.run(
            [sys.executable, "-c", WALK, str(tmp_path / "rows"), str(count)],
            capture_output=True,
            text=True,
            check=True,
        )
        highest, sent = done.stdout.split()[-2:]
        return int(highest), int(sent)

    (few, _), (all_of_them, sent) = walk(FEW), walk(ROWS)
    line = (
        f"{ROWS:,} rows, {sent:,} bytes sent: {all_of_them / 1e3:.0f} MB at most,"
        f" against {few / 1e3:.0f} MB for {FEW} rows"
    )
    logging.getLogger(__name__).info(line)
    record_property("memory", line)
    assert all_of_them - few < SLACK_KB < sent / 1e3 / 4
