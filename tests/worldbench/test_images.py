"""Pictures arrive as they are where they may, and within the bounds where they may not."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO

import pytest
from PIL import Image, ImageChops, ImageCms, ImageFile, features

from lmms_eval_tasks.worldbench import image_files, images
from lmms_eval_tasks.worldbench.images import (
    LONGEST_SIDE,
    MOST_ENCODED,
    BoundedImage,
    bounded_image,
)
from tests.support import pictures
from tests.support.pictures import COLOURS, SIZE, noise, oriented, scene, see_through, written

MOST_BYTES = MOST_ENCODED // 4 * 3
SIGNATURES = {"image/jpeg": "JPEG", "image/png": "PNG", "image/webp": "WEBP"}


@pytest.fixture(autouse=True, params=[True, False], ids=["tolerant", "strict"])
def pillow_switch(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """lmms-eval makes Pillow tolerant for the whole process; nothing here may depend on it."""
    monkeypatch.setattr(ImageFile, "LOAD_TRUNCATED_IMAGES", request.param)
    return


def assert_within_bounds(result: BoundedImage) -> None:
    assert 4 * -(-len(result.data) // 3) <= MOST_ENCODED
    with Image.open(BytesIO(result.data)) as image:
        assert image.format == SIGNATURES[result.media_type]
        assert max(image.size) <= LONGEST_SIDE
        image.load()


def farthest(one: Image.Image, other: Image.Image) -> int:
    """The greatest difference of two pictures in any channel of any pixel."""
    assert one.size == other.size
    extrema = ImageChops.difference(one.convert("RGB"), other.convert("RGB")).getextrema()
    return max(high for _, high in extrema)


@pytest.mark.parametrize("name", pictures.preserved())
def test_supported_formats_within_the_bounds_keep_every_byte(name: str):
    media_type, source = pictures.preserved()[name]
    result = bounded_image(source)
    assert hashlib.sha256(result.data).digest() == hashlib.sha256(source).digest()
    assert (result.media_type, result.preserved, result.steps) == (media_type, True, ())
    picture = result.picture()
    assert picture.mode == "RGB"


def test_preserving_decodes_no_pixel(monkeypatch: pytest.MonkeyPatch):
    def decode(*_args: object, **_options: object) -> None:
        pytest.fail("pixels were decoded")

    files = list(pictures.preserved().values())
    monkeypatch.setattr(ImageFile.ImageFile, "load", decode)
    monkeypatch.setattr(Image, "frombytes", decode)
    assert all(bounded_image(source).preserved for _, source in files)


@pytest.mark.parametrize("name", pictures.converted())
def test_other_formats_become_png_and_show_the_same_scene(name: str):
    file = pictures.converted()[name]
    result = bounded_image(file.source)
    assert result.media_type == "image/png"
    assert not result.preserved
    assert result.steps[0].startswith("converted from ")
    assert result.steps[-1] == "encoded as PNG"
    assert_within_bounds(result)
    assert farthest(result.picture(), scene(file.mode)) <= file.tolerance


@pytest.mark.skipif(not features.check("avif"), reason="this Pillow cannot write AVIF")
def test_avif_becomes_png():
    result = bounded_image(written(see_through(), "AVIF", quality=95))
    assert result.media_type == "image/png"
    assert_within_bounds(result)
    assert result.picture().getpixel((1, 1)) == (255, 255, 255)


def test_a_format_is_told_by_its_bytes_and_each_mode_change_is_told():
    result = bounded_image(written(scene("CMYK"), "TIFF"))
    assert result.steps == (
        "converted from TIFF: vision APIs take JPEG, PNG and WebP",
        "converted from mode CMYK to RGB",
        "encoded as PNG",
    )


@pytest.mark.parametrize("file_format", ["GIF", "WEBP", "PNG", "TIFF"])
def test_an_animation_shows_its_first_frame(file_format: str):
    other = scene().transpose(Image.Transpose.ROTATE_180)
    options = {"lossless": True} if file_format == "WEBP" else {}
    source = written(scene(), file_format, save_all=True, append_images=[other], **options)
    result = bounded_image(source)
    assert farthest(result.picture(), scene()) <= 2
    if file_format == "GIF":
        assert "kept the first frame only" in result.steps
        assert not getattr(Image.open(BytesIO(result.data)), "is_animated", False)


def test_an_animation_over_a_limit_keeps_its_first_frame(monkeypatch: pytest.MonkeyPatch):
    _, source = pictures.preserved()["webp-animated"]
    monkeypatch.setattr(images, "LONGEST_SIDE", 48)
    result = bounded_image(source)
    assert result.steps[:2] == (
        "kept the first frame only",
        "resized 96x64 -> 48x32: a side above 48 pixels",
    )
    assert farthest(result.picture(), scene(size=(48, 32))) <= 120  # edges blur


@pytest.mark.parametrize("stated", range(1, 9))
@pytest.mark.parametrize(
    ("file_format", "options"),
    [
        ("JPEG", {"quality": 95}),
        ("PNG", {}),
        ("WEBP", {"lossless": True}),
        ("TIFF", {}),
        ("TIFF", {"compression": "tiff_lzw"}),
    ],
)
def test_pictures_are_upright(stated: int, file_format: str, options: dict[str, object]):
    result = bounded_image(oriented(stated, file_format, **options))
    assert result.preserved == (file_format != "TIFF")
    picture = result.picture()
    assert picture.size == SIZE
    corners = [(8, 8), (SIZE[0] - 8, 8), (8, SIZE[1] - 8), (SIZE[0] - 8, SIZE[1] - 8)]
    for corner, colour in zip(corners, COLOURS.values(), strict=True):
        shown = picture.getpixel(corner)
        assert all(abs(a - b) <= 4 for a, b in zip(shown, colour, strict=True))


def test_an_orientation_survives_encoding_exactly_once(monkeypatch: pytest.MonkeyPatch):
    source = oriented(6, "JPEG", quality=95)
    monkeypatch.setattr(images, "LONGEST_SIDE", 48)
    result = bounded_image(source)
    assert result.steps[0] == "turned upright: EXIF orientation 6 goes with the metadata"
    assert result.media_type == "image/jpeg"
    with Image.open(BytesIO(result.data)) as image:
        assert image.size == (48, 32)
        assert not image.getexif()
    assert farthest(result.picture().resize((2, 2)), scene(size=(2, 2))) <= 60


@pytest.mark.parametrize(
    "exif", [b"XX is no TIFF", b"II*\0\x08\0\0\0\xff\xff" + b"\xff" * 20, b"II*\0", b""]
)
@pytest.mark.filterwarnings("ignore:Corrupt EXIF data")
def test_malformed_exif_costs_no_picture(exif: bytes):
    source = written(scene(), "JPEG", exif=b"Exif\0\0" + exif)
    assert bounded_image(source).picture().size == SIZE


@pytest.mark.skipif(not features.check("avif"), reason="this Pillow cannot write AVIF")
@pytest.mark.parametrize("stated", range(1, 9))
def test_avif_turns_by_its_own_means(stated: int):
    picture = bounded_image(oriented(stated, "AVIF", quality=95)).picture()
    assert picture.size == SIZE
    assert farthest(picture.resize((2, 2)), scene(size=(2, 2))) <= 60


@pytest.mark.parametrize("name", ["png-grey-alpha", "png-rgba", "png-palette-alphas", "webp-alpha"])
def test_transparency_shows_white(name: str):
    picture = bounded_image(pictures.preserved()[name][1]).picture()
    assert picture.getpixel((5, 5)) == (255, 255, 255)
    assert picture.getpixel((90, 60)) != (255, 255, 255)


def test_half_transparency_is_mixed_with_white():
    picture = bounded_image(written(Image.new("RGBA", (4, 4), (200, 0, 0, 51)), "PNG")).picture()
    assert picture.getpixel((0, 0)) == (244, 204, 204)


def test_a_colour_key_shows_white():
    picture = bounded_image(pictures.preserved()["png-rgb-key"][1]).picture()
    assert picture.getpixel((1, 1)) == (255, 255, 255)
    assert picture.getpixel((90, 1)) == COLOURS["green"]


def test_an_encoded_picture_keeps_its_transparency():
    result = bounded_image(written(see_through().quantize(16), "GIF", transparency=0))
    with Image.open(BytesIO(result.data)) as image:
        assert image.mode == "RGBA"
        assert image.getchannel("A").getextrema() == (0, 255)


def test_cmyk_as_adobe_writes_it_keeps_its_colours():
    source = written(scene("CMYK"), "JPEG", quality=95, subsampling="4:4:4")
    assert farthest(bounded_image(source).picture(), scene()) <= 16


def test_an_rgb_profile_goes_along_and_a_cmyk_one_does_not():
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    cmyk = profile[:16] + b"CMYK" + profile[20:]

    def kept(image: Image.Image, given: bytes) -> object:
        data = bounded_image(written(image, "TIFF", icc_profile=given)).data
        return Image.open(BytesIO(data)).info.get("icc_profile")

    assert kept(scene(), profile) == profile
    assert kept(scene("CMYK"), cmyk) is None
    assert kept(scene("L"), profile) is None
    assert kept(scene(), profile + bytes(1 << 20)) is None


@pytest.mark.parametrize("excess", [0, 1])
@pytest.mark.parametrize("name", ["jpeg-rgb", "png-palette-alphas"])
def test_the_base64_limit_is_exact(name: str, excess: int):
    media_type, source = pictures.preserved()[name]
    padded = source + bytes(MOST_BYTES - len(source) + excess)
    result = bounded_image(padded)
    assert result.preserved == (excess == 0)
    assert result.media_type == media_type
    assert_within_bounds(result)


@pytest.mark.parametrize("size", [(8001, 5), (5, 8001), (60_000, 1), (9000, 100)])
@pytest.mark.parametrize("file_format", ["PNG", "JPEG", "TIFF"])
def test_long_sides_are_shortened_to_the_limit(size: tuple[int, int], file_format: str):
    result = bounded_image(written(scene(size=size), file_format))
    assert max(result.picture().size) == LONGEST_SIDE
    assert min(result.picture().size) == max(1, min(size) * LONGEST_SIDE // max(size))
    assert result.media_type == ("image/jpeg" if file_format == "JPEG" else "image/png")
    assert_within_bounds(result)


@pytest.mark.parametrize("mode", ["1", "P", "LA"])
def test_every_plain_mode_can_be_resized(mode: str):
    result = bounded_image(written(scene(mode, (8100, 4)), "PNG"))
    assert result.picture().size == (LONGEST_SIDE, 3)


@pytest.mark.parametrize(
    ("image", "file_format", "most", "media_type", "step"),
    [
        # flat colours: PNG is short enough; noise: nothing lossless is
        (scene(size=(400, 300)), "BMP", 60_000, "image/png", "encoded as PNG"),
        (noise((200, 200)), "BMP", 130_000, "image/jpeg", "encoded as JPEG of quality 95, 4:4:4"),
        (noise((200, 200)), "BMP", 101_000, "image/jpeg", "encoded as JPEG of quality 90, 4:4:4"),
        (noise((200, 200)), "JPEG", 70_000, "image/jpeg", "encoded as JPEG of quality 90, 4:2:0"),
        (noise((200, 200)), "BMP", 40_000, "image/jpeg", "encoded as JPEG of quality 80, 4:2:0"),
        (noise((200, 200)), "BMP", 9_000, "image/jpeg", "encoded as JPEG of quality 80, 4:2:0"),
        (noise((200, 200)).quantize(64), "GIF", 9_000, "image/jpeg", "encoded as JPEG of quality"),
        (noise((200, 200), "RGBA"), "PNG", 150_000, "image/webp", "encoded as WebP of quality 95"),
        (noise((200, 200), "RGBA"), "PNG", 9_000, "image/webp", "encoded as WebP of quality 80"),
        (noise((200, 200)).quantize(2), "PNG", 7_000, "image/webp", "encoded as lossless WebP"),
    ],
)
def test_the_least_loss_that_fits_comes_first(
    monkeypatch: pytest.MonkeyPatch,
    image: Image.Image,
    file_format: str,
    most: int,
    media_type: str,
    step: str,
):
    monkeypatch.setattr(images, "MOST_ENCODED", most)
    options = {"quality": 100, "subsampling": "4:4:4"} if file_format == "JPEG" else {}
    result = bounded_image(written(image, file_format, **options))
    assert 4 * -(-len(result.data) // 3) <= most
    assert result.media_type == media_type
    assert result.steps[-1].startswith(step)


def test_a_picture_no_encoding_can_fit_is_made_smaller(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(images, "MOST_ENCODED", 9_000)
    result = bounded_image(written(noise((200, 200)), "PNG"))
    size = result.picture().size
    assert f"resized 200x200 -> {size[0]}x{size[1]}: above 9,000 base64 characters" in result.steps
    assert len(result.data) * 4 / 3 > 9_000 * 0.5  # not much smaller than it has to be


def test_the_same_bytes_give_the_same_bytes_on_any_thread():
    files = [file.source for file in pictures.converted().values()]
    sources = [*files, oriented(6, "TIFF"), written(noise((9000, 20)), "PNG")]
    alone = [bounded_image(source) for source in sources]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(bounded_image, sources * 4))
    assert together == alone * 4


def test_pillow_is_left_as_it_was():
    before = (Image.MAX_IMAGE_PIXELS, ImageFile.LOAD_TRUNCATED_IMAGES)
    for file in pictures.converted().values():
        bounded_image(file.source).picture()
    assert before == (Image.MAX_IMAGE_PIXELS, ImageFile.LOAD_TRUNCATED_IMAGES)


def test_the_picture_is_not_kept():
    result = bounded_image(pictures.preserved()["png-rgba"][1])
    assert result.picture() is not result.picture()
    assert "data=" not in repr(result)


def test_the_pixel_limit_lies_above_the_largest_picture_we_hand_on():
    assert image_files.MOST_PIXELS > LONGEST_SIDE**2


@pytest.mark.slow
@pytest.mark.parametrize("pillow_switch", [True], indirect=True)
@pytest.mark.parametrize(
    ("file_format", "mode", "height"),
    # Noise with transparency takes a minute at full height, on the same path.
    [("JPEG", "RGB", 4700), ("PNG", "RGB", 4700), ("PNG", "RGBA", 940)],
)
def test_the_largest_pictures_of_the_data_set_fit(file_format: str, mode: str, height: int):
    image = noise((8360, height), mode)
    options = {"quality": 95} if file_format == "JPEG" else {"compress_level": 1}
    source = written(image, file_format, **options)
    assert len(source) > 10_000_000
    result = bounded_image(source)
    assert_within_bounds(result)
    assert (
        f"resized 8360x{height} -> 8000x{height * 8000 // 8360}: a side above 8,000 pixels"
        in result.steps
    )
    assert len(result.data) > MOST_BYTES * 0.7
