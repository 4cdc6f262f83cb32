"""The picture a model gets: any PIL image to a local model, the file itself to the pass-through."""

from __future__ import annotations

import copy
import gc
import pickle
import struct
import weakref
import zlib
from io import BytesIO

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFile, ImageOps

from lmms_eval_tasks._pass_through import source_of
from lmms_eval_tasks.worldbench import pictures
from lmms_eval_tasks.worldbench.images import bounded_image
from lmms_eval_tasks.worldbench.pictures import image_problem, picture
from lmms_eval_tasks.worldbench.records import WorldBenchRecord
from tests.support.pictures import (
    ORIENTATION,
    converted,
    oriented,
    photo,
    png,
    png_header,
    preserved,
    scene,
    written,
)

SOURCES = {
    **{name: source for name, (_, source) in preserved().items()},
    **{name: file.source for name, file in converted().items()},
    **{f"jpeg-turned-{stated}": oriented(stated, "JPEG") for stated in range(1, 9)},
    **{f"webp-turned-{stated}": oriented(stated, "WEBP") for stated in range(1, 9)},
    **{f"png-turned-{stated}": oriented(stated, "PNG") for stated in range(1, 9)},
    "jpeg-too-wide": written(scene(size=(8100, 20)), "JPEG"),
}


def row(source: bytes) -> dict[str, object]:
    options = {f"option_{letter}": letter for letter in "abcd"}
    texts = {"question": "?", "answer": "A", "category": "c", "domain": "Objects", **options}
    return {**texts, "image": {"bytes": source, "path": None}}


def shown(source: bytes) -> Image.Image:
    image = picture(row(source))
    assert image is not None
    return image


@pytest.fixture(autouse=True)
def _forget(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(pictures, "_found_broken", {})


@pytest.mark.parametrize("name", SOURCES)
def test_a_picture_is_what_its_file_shows(name: str):
    expected = bounded_image(SOURCES[name]).picture()
    image = shown(SOURCES[name])
    assert type(image) is Image.Image, "several models of lmms-eval compare the type"
    assert (image.mode, image.size) == ("RGB", expected.size)
    assert image.tobytes() == expected.tobytes()


@pytest.mark.parametrize("name", SOURCES)
def test_a_picture_carries_the_file_within_the_bounds(name: str):
    bounded = bounded_image(SOURCES[name])
    source = source_of(shown(SOURCES[name]))
    assert source is not None
    assert (source.media_type, source.data) == (bounded.media_type, bounded.data)


JPEG = written(scene(), "JPEG", quality=95)
WAYS = {
    "array": np.asarray,
    "numpy copy": np.array,
    "convert": lambda image: np.asarray(image.convert("L").convert("RGB")),
    "copy": lambda image: np.asarray(image.copy()),
    "shallow copy": lambda image: np.asarray(copy.copy(image)),
    "deep copy": lambda image: np.asarray(copy.deepcopy(image)),
    "pickle": lambda image: np.asarray(pickle.loads(pickle.dumps(image))),  # noqa: S301 - its own
    "resize": lambda image: np.asarray(image.resize((48, 32))),
    "crop": lambda image: np.asarray(image.crop((3, 3, 50, 40))),
    "thumbnail": lambda image: (image.thumbnail((40, 40)), np.asarray(image))[1],
    "upright": lambda image: np.asarray(ImageOps.exif_transpose(image)),
    "pixel": lambda image: image.getpixel((5, 5)),
    "save": lambda image: (image.save(file := BytesIO(), "PNG"), file.getvalue())[1],
    "split": lambda image: [np.asarray(band) for band in image.split()],
    "paste": lambda image: (image.paste("red", (0, 0, 9, 9)), np.asarray(image))[1],
    "draw": lambda image: (ImageDraw.Draw(image).line((0, 0, 9, 9)), np.asarray(image))[1],
    "histogram": lambda image: image.histogram(),
    "context": lambda image: [np.asarray(opened) for opened in [image.__enter__()]],
    "size": lambda image: (image.size, image.width, image.height, image.mode, image.getbands()),
}


@pytest.mark.parametrize("way", WAYS)
def test_whatever_a_model_does_first_it_meets_an_ordinary_image(way: str):
    ordinary = bounded_image(JPEG).picture()
    np.testing.assert_equal(WAYS[way](shown(JPEG)), WAYS[way](ordinary))


def test_no_pixel_is_decoded_before_one_is_asked_for(monkeypatch: pytest.MonkeyPatch):
    def decode(*_args: object, **_options: object) -> None:
        pytest.fail("pixels were decoded")

    monkeypatch.setattr(ImageFile.ImageFile, "load", decode)
    monkeypatch.setattr(Image, "frombytes", decode)
    for _, source in preserved().values():
        image = shown(source)
        assert image.size[0] > 0
        assert source_of(image) is not None


def test_looking_at_the_pixels_changes_nothing_and_changing_them_ends_the_claim():
    image = shown(JPEG)
    np.asarray(image)
    image.convert("L")
    assert source_of(image) is not None
    ImageDraw.Draw(image).line((0, 0, 9, 9))
    assert source_of(image) is None
    pasted = shown(JPEG)
    pasted.paste("red", (0, 0, 9, 9))
    assert source_of(pasted) is None
    smaller = shown(JPEG)
    smaller.thumbnail((20, 20))
    assert source_of(smaller) is None
    assert source_of(shown(JPEG).copy()) is None


@pytest.mark.parametrize("other", [None, "a path", Image.new("RGB", (2, 2)), {"url": "x"}])
def test_other_media_carry_no_file(other: object):
    assert source_of(other) is None


def test_a_png_that_states_its_orientation_behind_its_pixels_is_upright_too():
    exif = Image.Exif()
    exif[ORIENTATION] = 6
    rows = b"".join(b"\0" + bytes([200, 30, 40]) * 8 for _ in range(4))
    source = png(png_header((8, 4)), (b"IDAT", zlib.compress(rows)), (b"eXIf", exif.tobytes()[6:]))
    image = shown(source)
    assert image.size == (4, 8)
    assert np.asarray(image).shape == (8, 4, 3)
    carried = source_of(image)
    assert carried is not None
    assert carried.data == source


def test_a_picture_is_let_go_with_its_last_reference():
    gc.disable()
    try:
        image = shown(JPEG)
        reference = weakref.ref(image)
        del image
        assert reference() is None
        decoded = shown(JPEG)
        decoded.load()
        reference = weakref.ref(decoded)
        del decoded
        assert reference() is None
    finally:
        gc.enable()


def damaged_pixels() -> bytes:
    """A PNG that is whole by its structure; its pixels are no deflate stream."""
    return png(png_header((64, 48)), (b"IDAT", b"no deflate stream at all"))


def test_damaged_pixels_show_only_to_a_model_that_looks():
    record = WorldBenchRecord.from_row(row(damaged_pixels()), 7)
    image = picture({**row(damaged_pixels()), "id": record.id})
    carried = source_of(image)
    assert carried is not None
    assert carried.data == damaged_pixels()
    assert image_problem(record) == ""
    assert image is not None
    assert image.size == (64, 48)
    assert image.getextrema() == ((255, 255),) * 3
    assert "cannot be used" in image_problem(record)


def test_a_picture_that_must_be_decoded_and_cannot_is_none_and_remembered():
    strip = written(scene(), "TIFF", compression="tiff_lzw")
    cut = strip[:40] + bytes(len(strip) - 140) + strip[-100:]
    record = WorldBenchRecord.from_row({**row(cut), "id": "x"})
    assert picture({**row(cut), "id": "x"}) is None
    assert image_problem(record)


def test_a_row_known_to_be_unusable_is_not_looked_at_again():
    assert picture({**row(b""), "image_problem": "empty"}) is None


def test_the_structure_of_large_files_is_enough():
    source = written(photo((2000, 1500)), "JPEG", quality=90)
    assert shown(source).size == (2000, 1500)
    assert struct.unpack(">H", source[:2]) == (0xFFD8,)
