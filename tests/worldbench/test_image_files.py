"""Pictures that cannot be used are told apart, whatever Pillow's process-wide switches say."""

from __future__ import annotations

import struct
import warnings
import zlib
from collections.abc import Iterator
from io import BytesIO

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image, ImageFile

from lmms_eval_tasks.worldbench import images
from lmms_eval_tasks.worldbench.image_structure import is_truncated
from lmms_eval_tasks.worldbench.images import (
    MOST_PIXELS,
    BoundedImage,
    UnusableImageError,
    UnusableReason,
    bounded_image,
)
from lmms_eval_tasks_core.errors import TasksError
from tests.support import pictures
from tests.support.pictures import noise, png, png_header, scene, written


@pytest.fixture(autouse=True, params=[True, False], ids=["tolerant", "strict"])
def pillow_switch(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """lmms-eval makes Pillow tolerant for the whole process; nothing here may depend on it."""
    monkeypatch.setattr(ImageFile, "LOAD_TRUNCATED_IMAGES", request.param)
    return


def reason(source: bytes) -> UnusableReason | None:
    """Why a source cannot be used, None if it can, down to its last pixel."""
    try:
        bounded_image(source).picture()
    except UnusableImageError as error:
        return error.reason
    return None


def all_files() -> dict[str, bytes]:
    return {
        **{name: data for name, (_, data) in pictures.preserved().items()},
        **{name: file.source for name, file in pictures.converted().items()},
    }


WITHOUT_TRAILER = [name for name in all_files() if "trailing" not in name]


def test_the_error_is_one_of_the_pack_and_says_what_to_do():
    with pytest.raises(UnusableImageError, match="Replace the picture") as caught:
        bounded_image(b"<svg xmlns='http://www.w3.org/2000/svg'/>")
    assert isinstance(caught.value, TasksError)
    assert '41 bytes that begin with b"<svg xmlns=' in caught.value.problem
    assert "object at 0x" not in str(caught.value)


def test_no_bytes_are_empty():
    assert reason(b"") is UnusableReason.EMPTY


@pytest.mark.parametrize(
    "source",
    [
        b"\0",
        b"\0" * 100_000,
        b"\xff" * 100_000,
        b"\xff\xd8",
        b"no picture at all",
        b"<!doctype html><title>404</title>",
        b"%PDF-1.7\n",
        b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n",
        b"RIFF\x24\0\0\0WAVEfmt ",
        b"\0\0\0\x14ftypmp42\0\0\0\0isom",
        b"\0\0\0\0ftypheic" + bytes(80),
        b"\x89PNG\r\n\x1a",
        written(scene(), "TGA"),  # no signature: cannot be told from noise
        written(scene(), "ICO"),
    ],
    ids=lambda source: repr(source[:12]),
)
def test_other_things_are_no_images(source: bytes):
    assert reason(source) is UnusableReason.NOT_AN_IMAGE


@pytest.mark.parametrize("name", WITHOUT_TRAILER)
@pytest.mark.parametrize("share", [0.5, 0.75, 0.95])
def test_cut_files_are_truncated(name: str, share: float):
    source = all_files()[name]
    if name == "jpeg-multi-picture":
        source = source[: source.index(b"\xff\xd9") + 1]  # a cut second picture does no harm
    cut = source[: int(len(source) * share)]
    with pytest.raises(UnusableImageError) as caught:
        bounded_image(cut)
    # The tables of a JPEG in a TIFF may lie behind its pixels; libtiff only says that they lack.
    also = {UnusableReason.DAMAGED} if name == "tiff-jpeg" else set()
    assert caught.value.reason in {UnusableReason.TRUNCATED} | also


@pytest.mark.parametrize("size", [2, 100])
@pytest.mark.parametrize("name", ["jpeg-rgb", "png-rgb", "webp-lossy"])
def test_the_last_byte_counts(name: str, size: int):
    source = all_files()[name]
    assert reason(source) is None
    assert reason(source[:-1]) is UnusableReason.TRUNCATED
    assert reason(source[:-size]) is UnusableReason.TRUNCATED


def test_a_thumbnail_does_not_hide_that_its_picture_is_cut():
    thumbnail = written(scene(size=(16, 16)), "JPEG")
    whole = written(scene(), "JPEG", exif=b"Exif\0\0" + thumbnail)
    assert whole.count(b"\xff\xd9") == 2
    assert reason(whole) is None
    assert reason(whole[:-2]) is UnusableReason.TRUNCATED


def test_a_cut_second_picture_does_no_harm():
    source = all_files()["jpeg-multi-picture"]
    assert reason(source[:-2]) is None


def test_fill_bytes_and_lone_markers_before_the_first_scan_are_skipped():
    source = written(scene(), "JPEG")
    padded = source[:2] + b"\xff\xff\xff\xd0" + source[2:]
    assert reason(padded) is None
    assert reason(padded[:-2]) is UnusableReason.TRUNCATED


@pytest.mark.parametrize(
    ("boxes", "cut"),
    [
        (b"\0\0\0\x10ftypavif\0\0\0\0", False),
        (b"\0\0\0\x10ftypavif\0\0\0", True),
        (b"\0\0\0\x0cftypheic" + b"\0\0\0\x01mdat" + (20).to_bytes(8, "big") + b"1234", False),
        (b"\0\0\0\x0cftypheic" + b"\0\0\0\x01mdat" + (21).to_bytes(8, "big") + b"1234", True),
        (b"\0\0\0\x0cftypheic" + b"\0\0\0\0mdat all the rest", False),
        (b"\0\0\0\x0cftypheic" + b"\0\0\0\x02free" * 10_000, False),
    ],
    ids=["whole", "cut", "long-whole", "long-cut", "open", "too-short"],
)
def test_boxes_say_where_they_end(boxes: bytes, *, cut: bool):
    assert is_truncated(boxes) == cut


def test_pixels_missing_inside_a_whole_png_are_noticed():
    rows = zlib.compress(b"\0\1\2\3" * 40)
    source = png(png_header((1, 100)), (b"IDAT", rows[:-6]))
    assert bounded_image(source).preserved
    with pytest.raises(UnusableImageError) as caught:
        bounded_image(source).picture()
    assert caught.value.reason is UnusableReason.TRUNCATED


def test_a_damaged_png_is_preserved_but_yields_no_picture():
    source = bytearray(written(noise((64, 64)), "PNG"))
    source[len(source) // 2] ^= 1
    result = bounded_image(bytes(source))
    assert result.preserved
    with pytest.raises(UnusableImageError, match="IDAT chunk fails its checksum") as caught:
        result.picture()
    assert caught.value.reason is UnusableReason.DAMAGED


def test_damage_outside_the_pixels_of_a_png_does_no_harm():
    source = png(png_header((1, 1)), (b"tEXt", b"note\0ten"), (b"IDAT", zlib.compress(bytes(4))))
    place = source.index(b"ten")
    late = source[:place] + b"bad" + source[place + 3 :]
    # Pillow's header check refuses it unless it is tolerant; then the pixels are there.
    assert reason(late) in {None, UnusableReason.NOT_AN_IMAGE}


def test_a_jpeg_whose_tables_are_broken_is_damaged():
    source = bytearray(written(scene(), "JPEG"))
    table = source.index(b"\xff\xc4") + 5
    source[table : table + 16] = b"\xff" * 16
    assert bounded_image(bytes(source)).preserved
    assert reason(bytes(source)) is UnusableReason.DAMAGED


def test_a_jpeg_of_endless_scans_is_refused_before_it_is_decoded():
    source = written(scene(), "JPEG", progressive=True)
    scan = source[source.rindex(b"\xff\xda") : -2]
    assert reason(source[:-2] + scan * 1000 + b"\xff\xd9") is UnusableReason.DAMAGED


def bombs() -> dict[str, bytes]:
    """Small files whose headers promise pictures of gigabytes."""
    side = 60_000
    jpeg = bytearray(written(scene("L"), "JPEG"))
    frame = jpeg.index(b"\xff\xc0")
    jpeg[frame + 5 : frame + 9] = struct.pack(">HH", side, side)
    bmp = bytearray(written(scene(), "BMP"))
    bmp[18:26] = struct.pack("<ii", side, side)
    gif = bytearray(written(scene("L"), "GIF"))
    gif[6:10] = struct.pack("<HH", side, side)
    tiff = written(Image.new("1", (17_000, 16_000)), "TIFF", compression="group4")
    canvas = b"\x10\0\0\0" + 2 * (16_382).to_bytes(3, "little")
    webp = bytearray(written(pictures.see_through(), "WEBP"))
    assert webp[12:16] == b"VP8X"
    webp[20:30] = canvas
    return {
        "png": png(png_header((side, side)), (b"IDAT", zlib.compress(bytes(1000)))),
        "png-1-bit": png(png_header((side, side), depth=1, colour=0), (b"IDAT", b"")),
        "jpeg": bytes(jpeg),
        "bmp": bytes(bmp),
        "gif": bytes(gif),
        "tiff": tiff,
        "ppm": b"P6 60000 60000 255\n" + bytes(100),
        "webp": bytes(webp),
    }


@pytest.mark.parametrize("limit", [None, 10**9, "unchanged"])
@pytest.mark.parametrize("name", bombs())
@pytest.mark.filterwarnings("ignore::PIL.Image.DecompressionBombWarning")
def test_bombs_are_refused_by_a_limit_of_our_own(
    monkeypatch: pytest.MonkeyPatch, name: str, limit: object
):
    source = bombs()[name]
    if limit != "unchanged":
        monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", limit)
    before = Image.MAX_IMAGE_PIXELS
    with pytest.raises(UnusableImageError) as caught:
        bounded_image(source)
    assert caught.value.reason in (
        # libwebp compares the canvas with the frame before it tells the size
        {UnusableReason.TOO_MANY_PIXELS, UnusableReason.NOT_AN_IMAGE}
        if name == "webp"
        else {UnusableReason.TOO_MANY_PIXELS}
    )
    assert before == Image.MAX_IMAGE_PIXELS


@pytest.mark.parametrize("excess", [0, 1])
def test_the_pixel_limit_is_exact(monkeypatch: pytest.MonkeyPatch, excess: int):
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", None)
    monkeypatch.setattr("lmms_eval_tasks.worldbench.image_files.MOST_PIXELS", 96 * 64 - excess)
    expected = UnusableReason.TOO_MANY_PIXELS if excess else None
    assert reason(written(scene(), "PNG")) is expected


def test_a_warning_made_an_error_is_still_our_error(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 96 * 64 - 1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert reason(written(scene(), "PNG")) is UnusableReason.TOO_MANY_PIXELS


def test_the_limit_is_stated():
    assert MOST_PIXELS == 128_000_000


SMALL = [data for data in all_files().values() if len(data) < 40_000]


def assert_sound(result: BoundedImage) -> None:
    with Image.open(BytesIO(result.data)) as image:
        mime = image.get_format_mimetype()
    assert {"image/mpo": "image/jpeg", "image/apng": "image/png"}.get(mime, mime) == (
        result.media_type
    )


def usable_or_our_error(source: bytes) -> None:
    try:
        result = bounded_image(source)
        assert_sound(result)
        assert result.picture().mode == "RGB"
    except UnusableImageError:
        pass


hostile = settings(
    deadline=None,
    max_examples=300,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@hostile
@given(st.binary(max_size=300))
def test_no_bytes_raise_anything_else(source: bytes):
    usable_or_our_error(source)


@hostile
@given(st.sampled_from(SMALL), st.integers(1, 60), st.binary(max_size=300))
@pytest.mark.filterwarnings("ignore")
def test_no_bytes_behind_a_known_start_raise_anything_else(
    source: bytes, kept: int, following: bytes
):
    usable_or_our_error(source[:kept] + following)


@hostile
@given(
    st.sampled_from(SMALL),
    st.lists(st.tuples(st.integers(0, 40_000), st.integers(0, 7)), max_size=12),
    st.none() | st.integers(0, 40_000),
)
@pytest.mark.filterwarnings("ignore")
def test_no_flipped_or_missing_bits_raise_anything_else(
    source: bytes, flips: list[tuple[int, int]], length: int | None
):
    damaged = bytearray(source)
    for place, bit in flips:
        damaged[place % len(damaged)] ^= 1 << bit
    usable_or_our_error(bytes(damaged[:length]))


@hostile
@given(
    st.sampled_from(SMALL),
    st.lists(st.tuples(st.integers(0, 200), st.integers(0, 7)), min_size=1, max_size=4),
)
@pytest.mark.filterwarnings("ignore")
def test_no_flipped_header_raises_anything_else_once_it_is_encoded_again(
    source: bytes, flips: list[tuple[int, int]]
):
    damaged = bytearray(source)
    for place, bit in flips:
        damaged[place % len(damaged)] ^= 1 << bit
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(images, "LONGEST_SIDE", 40)
        usable_or_our_error(bytes(damaged))
