"""How fast pictures get ready to be sent: this pack against lmms-eval, side by side in one run.

The measurements are logged (``-o log_cli=true -o log_cli_level=INFO``) and go into a JUnit report.
"""

from __future__ import annotations

import base64
import logging
import time
from collections.abc import Callable
from io import BytesIO

import pytest
from PIL import Image

from lmms_eval_tasks.worldbench.images import bounded_image
from tests.support.pictures import photo, written

SIZES = {1: (1152, 864), 8: (3264, 2448), 24: (6000, 4000)}
LEAST_RATIO = 100

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
