"""Every mode Pillow knows comes out with 8 bits a channel, and shows what it showed."""

from __future__ import annotations

import math
import struct
import zlib
from io import BytesIO

import pytest
from PIL import Image

from lmms_eval_tasks.worldbench.images import bounded_image
from lmms_eval_tasks.worldbench.pixels import on_white, orientation, plain, resized
from tests.support.pictures import COLOURS, png, png_header, scene, see_through

PLAIN = {"1", "L", "LA", "P", "RGB", "RGBA"}
RED = COLOURS["red"]
GREY = scene("L").getpixel((1, 1))


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("RGB", RED),
        ("RGBA", RED),
        ("RGBX", RED),
        ("RGBa", RED),
        ("CMYK", RED),
        ("YCbCr", RED),
        ("HSV", RED),
        ("LAB", RED),
        ("L", (GREY,) * 3),
        ("LA", (GREY,) * 3),
        ("I", (GREY,) * 3),
        ("F", (GREY,) * 3),
        ("I;16", (GREY,) * 3),
        ("I;16L", (GREY,) * 3),
        ("I;16B", (GREY,) * 3),
        ("P", None),
        ("PA", None),
        ("1", None),
    ],
)
def test_every_mode_is_shown(mode: str, expected: tuple[int, ...] | None):
    image = scene().quantize(16).convert("PA") if mode == "PA" else _in_mode(mode)
    assert image.mode == mode
    shown = plain(image)
    assert shown.mode in PLAIN
    assert shown.info == {}
    picture = on_white(shown)
    assert (picture.mode, picture.size) == ("RGB", image.size)
    if expected:
        found = picture.getpixel((1, 1))
        assert all(abs(a - b) <= 10 for a, b in zip(found, expected, strict=True))
    elif mode == "P":
        assert picture.tobytes() == image.convert("RGB").tobytes()


def _in_mode(mode: str) -> Image.Image:
    if mode == "RGBa":
        return scene("RGBA").convert("RGBa")
    if mode in {"I;16L", "I;16B"}:
        return scene("I").convert(mode)
    return scene(mode)


@pytest.mark.parametrize(
    ("mode", "values", "expected"),
    [
        ("I;16", (0, 257, 65_535), (0, 1, 255)),
        ("I;16", (0, 128, 255), (0, 128, 255)),
        ("I", (0, 128, 255), (0, 128, 255)),
        ("I", (0, 32_768, 65_535), (0, 128, 255)),
        ("I", (0, 500_000, 1_000_000), (0, 128, 255)),
        ("I", (-100, 0, 100), (0, 128, 255)),
        ("I", (0, 1, 1), (0, 1, 1)),
        ("F", (0.0, 0.5, 1.0), (0, 128, 255)),
        ("F", (0.0, 127.6, 255.0), (0, 128, 255)),
        ("F", (-1.0, 0.0, 1.0), (0, 128, 255)),
        ("F", (0.0, 1e9, 2e9), (0, 128, 255)),
        ("F", (-5.0, -5.0, -5.0), (0, 0, 0)),
    ],
)
def test_deep_values_are_scaled_by_their_range(
    mode: str, values: tuple[float, ...], expected: tuple[int, ...]
):
    image = Image.new(mode, (3, 1))
    for place, value in enumerate(values):
        image.putpixel((place, 0), value)
    shown = plain(image)
    assert shown.mode == "L"
    assert tuple(shown.tobytes()) == expected


@pytest.mark.parametrize("odd", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("place", [0, 1])
def test_values_that_are_no_numbers_do_no_harm(odd: float, place: int):
    image = Image.new("F", (3, 1), 200.0)
    image.putpixel((place, 0), odd)
    assert plain(image).getpixel((2, 0)) == 200


@pytest.mark.parametrize("mode", ["RGBA", "LA", "RGBa", "La"])
def test_transparency_of_every_kind_shows_white(mode: str):
    base = "LA" if mode in {"LA", "La"} else "RGBA"
    image = see_through(base).convert(mode)
    assert on_white(plain(image)).getpixel((1, 1)) == (255, 255, 255)
    assert on_white(plain(image)).getpixel((90, 1)) != (255, 255, 255)


@pytest.mark.parametrize("mode", ["1", "L", "RGB"])
def test_a_declared_colour_becomes_transparent(mode: str):
    image = Image.new(mode, (2, 1))
    image.putpixel((1, 0), 255 if len(mode) == 1 else (9, 9, 9))
    image.info["transparency"] = 0 if len(mode) == 1 else (0, 0, 0)
    shown = plain(image)
    assert shown.getchannel("A").tobytes() == b"\x00\xff"


def test_a_palette_with_alpha_and_one_with_a_key_become_transparent():
    image = scene().quantize(4)
    key = image.getpixel((1, 1))
    image.info["transparency"] = key
    assert on_white(plain(image)).getpixel((1, 1)) == (255, 255, 255)
    image = scene().quantize(4)
    image.info["transparency"] = bytes(0 if index == key else 255 for index in range(4))
    assert on_white(plain(image)).getpixel((1, 1)) == (255, 255, 255)
    assert on_white(plain(image)).getpixel((90, 60)) != (255, 255, 255)


def test_a_16_bit_grey_key_is_met_exactly():
    rows = zlib.compress(b"\0" + struct.pack(">4H", 0, 1000, 1001, 65_535))
    header = png_header((4, 1), depth=16, colour=0)
    source = png(header, (b"tRNS", struct.pack(">H", 1000)), (b"IDAT", rows))
    picture = bounded_image(source).picture()
    assert [picture.getpixel((x, 0))[0] for x in range(4)] == [0, 255, 4, 255]


def test_a_16_bit_colour_key_is_met():
    rows = zlib.compress(b"\0" + struct.pack(">6H", 1000, 2000, 3000, 60_000, 512, 0))
    header = png_header((2, 1), depth=16, colour=2)
    source = png(header, (b"tRNS", struct.pack(">3H", 1000, 2000, 3000)), (b"IDAT", rows))
    picture = bounded_image(source).picture()
    assert picture.getpixel((0, 0)) == (255, 255, 255)
    assert picture.getpixel((1, 0)) == (234, 2, 0)


def test_resizing_does_not_bleed_what_is_transparent():
    image = Image.new("RGBA", (8, 8), (255, 0, 0, 0))
    image.paste((0, 0, 255, 255), (0, 0, 8, 4))
    shown = resized(image, (8, 5))
    visible = [shown.getpixel((0, y)) for y in range(5)]
    assert all(red == 0 for red, _, _, alpha in visible if alpha > 32)


@pytest.mark.parametrize("stated", [0, 9, 65_535, "6", 6.0])
def test_an_unknown_orientation_is_upright(stated: object):
    class Stated:
        def getexif(self) -> dict[int, object]:
            return {0x0112: stated}

    assert orientation(Stated()) == 1  # type: ignore[arg-type] # all that is read of an image


@pytest.mark.parametrize("error", [SyntaxError, ValueError, struct.error, OSError])
def test_an_orientation_that_cannot_be_read_is_upright(error: type[Exception]):
    class Malformed:
        def getexif(self) -> dict[int, object]:
            raise error

    assert orientation(Malformed()) == 1  # type: ignore[arg-type] # all that is read of an image


def test_an_image_without_exif_is_upright():
    file = BytesIO()
    scene().save(file, "BMP")
    assert orientation(Image.open(file)) == 1
