"""Generated image files of every format and mode, the same in every run."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping
from functools import cache
from io import BytesIO
from random import Random
from typing import NamedTuple

from PIL import Image, ImageCms

SIZE = (96, 64)
COLOURS = {
    "red": (220, 30, 40),
    "green": (20, 160, 60),
    "blue": (30, 60, 200),
    "tan": (210, 180, 140),
}
ORIENTATION = 0x0112
# What a camera did to an upright picture when it wrote the orientation: the inverse of the remedy.
TURNED = {
    1: None,
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_90,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_270,
}


def scene(mode: str = "RGB", size: tuple[int, int] = SIZE) -> Image.Image:
    """Four quadrants of different colours: any turn, and any wrong channel, shows."""
    width, height = size
    image = Image.new("RGB", size)
    for place, colour in enumerate(COLOURS.values()):
        left, top = (place % 2) * width // 2, (place // 2) * height // 2
        image.paste(colour, (left, top, left + width - width // 2, top + height - height // 2))
    return (image.convert("I") if mode.startswith("I;") else image).convert(mode)


def see_through(mode: str = "RGBA", size: tuple[int, int] = SIZE) -> Image.Image:
    """The scene with its left half wholly and its right half not at all transparent."""
    image = scene("RGBA", size)
    image.paste((0, 0, 0, 0), (0, 0, size[0] // 2, size[1]))
    return image.convert(mode)


def noise(size: tuple[int, int], mode: str = "RGB", seed: int = 0) -> Image.Image:
    """Pixels that no encoder can shorten."""
    bands = len(mode)
    return Image.frombytes(mode, size, Random(seed).randbytes(size[0] * size[1] * bands))


def photo(size: tuple[int, int], seed: int = 0) -> Image.Image:
    """Soft shapes with a little grain, as costly to encode as a photograph."""
    width, height = size
    coarse = noise((width // 32 + 2, height // 32 + 2), seed=seed).resize(
        size, Image.Resampling.BICUBIC
    )
    tile = noise((512, 512), seed=seed + 1)
    grain = Image.new("RGB", size)
    for left in range(0, width, 512):
        for top in range(0, height, 512):
            grain.paste(tile, (left, top))
    return Image.blend(coarse, grain, 0.04)


def written(image: Image.Image, file_format: str, **options: object) -> bytes:
    file = BytesIO()
    image.save(file, format=file_format, **options)
    return file.getvalue()


def oriented(stated: int, file_format: str, **options: object) -> bytes:
    """The scene as a camera held at an angle would write it."""
    turn = TURNED[stated]
    image = scene() if turn is None else scene().transpose(turn)
    exif = Image.Exif()
    exif[ORIENTATION] = stated
    return written(image, file_format, exif=exif, **options)


def png(*chunks: tuple[bytes, bytes]) -> bytes:
    """A PNG of the given chunks, with right checksums; IEND is added."""
    framed = (
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in (*chunks, (b"IEND", b""))
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(framed)


def png_header(size: tuple[int, int], *, depth: int = 8, colour: int = 2) -> tuple[bytes, bytes]:
    return b"IHDR", struct.pack(">IIBBBBB", *size, depth, colour, 0, 0, 0)


@cache
def preserved() -> Mapping[str, tuple[str, bytes]]:
    """Files that have to arrive as they are: by name, the media type and the content."""
    exif = Image.Exif()
    exif[ORIENTATION] = 6
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    frames = [scene("RGB"), scene("RGB").transpose(Image.Transpose.ROTATE_180)]
    more = {"save_all": True, "append_images": frames[1:], "duration": 100}
    palette, cut_out = scene().quantize(16), see_through().quantize(16)
    keyed = scene().quantize(16)
    jpeg = {
        "jpeg-rgb": written(scene(), "JPEG"),
        "jpeg-grey": written(scene("L"), "JPEG"),
        "jpeg-cmyk": written(scene("CMYK"), "JPEG"),
        "jpeg-ycbcr": written(scene("YCbCr"), "JPEG"),
        "jpeg-progressive": written(scene(), "JPEG", progressive=True),
        "jpeg-444": written(scene(), "JPEG", quality=98, subsampling="4:4:4"),
        "jpeg-turned": written(scene(), "JPEG", exif=exif),
        "jpeg-profile": written(scene(), "JPEG", icc_profile=profile),
        "jpeg-comment": written(scene(), "JPEG", comment=b"\xff\xd9 is no end here"),
        "jpeg-trailing": written(scene(), "JPEG") + b"\0" * 100,
        "jpeg-one-pixel": written(scene(size=(1, 1)), "JPEG"),
        "jpeg-widest": written(noise((8000, 3)), "JPEG"),
        "jpeg-multi-picture": written(frames[0], "MPO", save_all=True, append_images=frames[1:]),
        "jpeg-photo": written(photo((1500, 1000)), "JPEG", quality=95),
    }
    pngs = {
        "png-1": written(scene("1"), "PNG"),
        "png-grey": written(scene("L"), "PNG"),
        "png-grey-alpha": written(see_through("LA"), "PNG"),
        "png-rgb": written(scene(), "PNG"),
        "png-rgba": written(see_through(), "PNG"),
        "png-palette": written(palette, "PNG"),
        "png-palette-alphas": written(cut_out, "PNG"),
        "png-palette-key": written(keyed, "PNG", transparency=3),
        "png-rgb-key": written(scene(), "PNG", transparency=COLOURS["red"]),
        "png-16-bit": written(scene("I;16"), "PNG"),
        "png-animated": written(frames[0], "PNG", **more),
        "png-turned": written(scene(), "PNG", exif=exif),
        "png-profile": written(scene(), "PNG", icc_profile=profile),
        "png-tallest": written(scene("1", (2, 8000)), "PNG"),
        "png-trailing": written(scene(), "PNG") + b"behind the end",
    }
    webp = {
        "webp-lossy": written(scene(), "WEBP"),
        "webp-lossless": written(scene(), "WEBP", lossless=True),
        "webp-alpha": written(see_through(), "WEBP"),
        "webp-animated": written(frames[0], "WEBP", **more),
        "webp-turned": written(scene(), "WEBP", exif=exif),
    }
    kinds = {"image/jpeg": jpeg, "image/png": pngs, "image/webp": webp}
    return {name: (kind, data) for kind, files in kinds.items() for name, data in files.items()}


class Converted(NamedTuple):
    """A file that has to be converted.

    Attributes:
        source: Its content.
        mode: The mode in which the scene was drawn, so what can be seen of it.
        tolerance: How far a channel may be off: the loss of the file's own encoding.
    """

    source: bytes
    mode: str = "RGB"
    tolerance: int = 0


@cache
def converted() -> Mapping[str, Converted]:
    """Files of formats that vision APIs do not take; none of them is animated."""
    depths = ("1", "L", "LA", "P", "RGB", "RGBA", "RGBX", "F", "I", "I;16")
    compressions = {"tiff_lzw": 0, "tiff_adobe_deflate": 0, "packbits": 0, "jpeg": 80}
    palette = scene().quantize(16)
    return {
        **{
            f"tiff-{mode}": Converted(
                written(scene(mode), "TIFF"), "L" if mode[0] in "FIL" else mode
            )
            for mode in depths
        },
        **{
            f"tiff-{compression}": Converted(
                written(scene(), "TIFF", compression=compression), tolerance=tolerance
            )
            for compression, tolerance in compressions.items()
        },
        "tiff-cmyk": Converted(written(scene("CMYK"), "TIFF"), tolerance=1),
        "tiff-ycbcr": Converted(written(scene("YCbCr"), "TIFF"), tolerance=4),
        "tiff-lab": Converted(written(scene("LAB"), "TIFF"), tolerance=10),
        "tiff-1-group4": Converted(written(scene("1"), "TIFF", compression="group4"), "1"),
        "gif-palette": Converted(written(palette, "GIF")),
        "gif-grey": Converted(written(scene("L"), "GIF"), "L"),
        "bmp-1": Converted(written(scene("1"), "BMP"), "1"),
        "bmp-grey": Converted(written(scene("L"), "BMP"), "L"),
        "bmp-palette": Converted(written(palette, "BMP")),
        "bmp-rgb": Converted(written(scene(), "BMP")),
        "bmp-rgba": Converted(written(scene("RGBA"), "BMP")),
        "jpeg2000-rgb": Converted(written(scene(), "JPEG2000")),
        "jpeg2000-code-stream": Converted(written(scene(), "JPEG2000", no_jp2=True)),
        "ppm-1": Converted(written(scene("1"), "PPM"), "1"),
        "ppm-rgb": Converted(written(scene(), "PPM")),
    }
