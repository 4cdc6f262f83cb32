"""Image files: what their header says, and their pixels, or why they cannot be used.

Nothing here reads or sets the switches that Pillow keeps for the whole process: the limit on pixels
is ours, and a cut file is found whatever ``ImageFile.LOAD_TRUNCATED_IMAGES`` says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from io import BytesIO

from PIL import Image, ImageFile, UnidentifiedImageError

from lmms_eval_tasks.worldbench.image_structure import (
    damaged_png_chunk,
    is_truncated,
    png_metadata_follows_pixels,
)
from lmms_eval_tasks.worldbench.pixels import SIDEWAYS, orientation, plain, turned_upright
from lmms_eval_tasks_core.errors import TasksError

MOST_PIXELS = 128_000_000
"""Twice the largest square within the 8,000-pixel limit: half a gigabyte once decoded."""

# The formats we take from Pillow. EPS is not among them because Pillow starts an external program
# for it, ICO because the picture inside may be larger than the header says, and TGA and others
# because they have no signature: any noise would pass for a picture. HEIF needs a Pillow plug-in.
_READABLE = (
    "JPEG",
    "PNG",
    "WEBP",
    "GIF",
    "BMP",
    "TIFF",
    "AVIF",
    "HEIF",
    "JPEG2000",
    "PPM",
)

# A few hundred bytes can hold a further pass over every pixel of a progressive JPEG, which mostly
# has ten. Each picture of an MPO has its own; within the coded pixels the marker cannot occur.
_START_OF_SCAN = b"\xff\xda"
_MOST_SCANS = 500
_TIFF_STRIPS_AND_TILES = ((273, 279), (324, 325))  # the tags of their offsets and of their sizes
_LONGEST_PROFILE = 1 << 20  # RGB profiles take a few kB; a longer one would crowd out the picture


class UnusableReason(Enum):
    """Why a picture cannot be used. None of these is the model's failure."""

    EMPTY = "empty"
    NOT_AN_IMAGE = "not_an_image"
    TRUNCATED = "truncated"
    DAMAGED = "damaged"
    TOO_MANY_PIXELS = "too_many_pixels"


class UnusableImageError(TasksError):
    """The bytes of a row hold no picture that could be shown to a model.

    Attributes:
        reason: Which of the known troubles it is.
    """

    def __init__(self, reason: UnusableReason, problem: str) -> None:
        super().__init__(problem, "Replace the picture, or leave its row out.")
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Decoded:
    """The pixels of an image file.

    Attributes:
        image: Upright, of mode 1, L, LA, P, RGB or RGBA, without metadata.
        mode: The mode that Pillow gave the file.
        orientation: The EXIF orientation that was undone, 1 to 8.
        animated: Whether the file has further frames; the image is the first one.
        rgb_profile: Its ICC profile, where that describes the RGB values of the image.
    """

    image: Image.Image
    mode: str
    orientation: int
    animated: bool
    rgb_profile: bytes | None


def opened(source: bytes) -> ImageFile.ImageFile:
    """Open an image file and read no more than its header.

    Args:
        source: The content of the file. Its format is told from this alone.

    Returns:
        An image whose ``format`` and ``size`` are known and whose pixels are not decoded.

    Raises:
        UnusableImageError: It is empty, no image of a format we read, cut, or has more than
            `MOST_PIXELS` pixels.
    """
    if not source:
        raise UnusableImageError(UnusableReason.EMPTY, "The image has no bytes.")
    Image.init()
    formats = [name for name in _READABLE if name in Image.OPEN]
    with _named_errors(source, UnusableReason.NOT_AN_IMAGE):
        image = Image.open(BytesIO(source), formats=formats)
    width, height = image.size
    if width * height > MOST_PIXELS:
        trouble = f"it has {width}x{height} pixels, more than {MOST_PIXELS:,}"
        raise _unusable(source, UnusableReason.TOO_MANY_PIXELS, trouble)
    if is_truncated(source):
        raise _unusable(source, UnusableReason.TRUNCATED, "the file ends before the image does")
    return image


def decoded(source: bytes) -> Decoded:
    """Decode the first frame of an image file.

    Args:
        source: The content of the file.

    Raises:
        UnusableImageError: As `opened`, or the pixels are damaged or not all there. A JPEG whose
            damage libjpeg bridges is taken as libjpeg shows it.
    """
    file = opened(source)
    with _named_errors(source, UnusableReason.DAMAGED):
        animated = bool(getattr(file, "is_animated", False))
        loaded = _jpeg_pixels(file, source) if is_jpeg(file) else _other_pixels(file, source)
        # Pillow itself turns a TIFF while it loads and then reports it as upright.
        stated = orientation(file)
        profile = file.info.get("icc_profile")
        image = turned_upright(plain(loaded), stated)
        return Decoded(image, file.mode, stated, animated, _rgb_profile(profile, image.mode))


def upright_size(source: bytes) -> tuple[int, int] | None:
    """The size of what `decoded` gives, told from the header alone.

    Args:
        source: The content of the file.

    Returns:
        Width and height in pixels; None where only decoding tells (a PNG that states its
        orientation behind its pixels).

    Raises:
        UnusableImageError: As `opened`.
    """
    file = opened(source)
    if file.format == "PNG" and png_metadata_follows_pixels(source):
        return None
    width, height = file.size
    return (height, width) if orientation(file) in SIDEWAYS else (width, height)


def is_jpeg(file: ImageFile.ImageFile) -> bool:
    """Whether it is a JPEG, a multi-picture one (MPO) included."""
    return file.format in {"JPEG", "MPO"}


@contextmanager
def _named_errors(source: bytes, otherwise: UnusableReason) -> Iterator[None]:
    """Turn whatever Pillow raises on hostile bytes into our error."""
    try:
        yield
    except UnusableImageError:
        raise
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise _unusable(source, UnusableReason.TOO_MANY_PIXELS, str(error)) from error
    except Exception as error:
        if is_truncated(source) or "truncated" in str(error).lower():
            raise _unusable(source, UnusableReason.TRUNCATED, _told(error)) from error
        raise _unusable(source, otherwise, _told(error)) from error


def _told(error: Exception) -> str:
    # Pillow's own sentence would name the address of a buffer.
    if isinstance(error, UnidentifiedImageError):
        return "it is of no format that this Pillow reads"
    return f"{type(error).__name__}: {error}"


def _unusable(source: bytes, reason: UnusableReason, trouble: str) -> UnusableImageError:
    start = f"{len(source):,} bytes that begin with {source[:12]!r}"
    return UnusableImageError(reason, f"The image cannot be used: {trouble} ({start}).")


def _jpeg_pixels(file: ImageFile.ImageFile, source: bytes) -> Image.Image:
    """Decode a JPEG by the one call of Pillow that reports errors whatever its switches say."""
    if source.count(_START_OF_SCAN) > _MOST_SCANS:
        trouble = f"it paints its pixels over more than {_MOST_SCANS} times"
        raise _unusable(source, UnusableReason.DAMAGED, trouble)
    codec, _, _, arguments = file.tile[0]
    return Image.frombytes(file.mode, file.size, source, codec, arguments)


def _other_pixels(file: ImageFile.ImageFile, source: bytes) -> Image.Image:
    if file.format == "PNG" and (chunk := damaged_png_chunk(source)):
        raise _unusable(source, UnusableReason.DAMAGED, f"its {chunk} chunk fails its checksum")
    starved = _watch(file)
    cut = _strips_are_cut(file, len(source))
    if not cut:
        file.load()
    if cut or starved():
        raise _unusable(source, UnusableReason.TRUNCATED, "its pixels are not all there")
    return file


def _strips_are_cut(file: ImageFile.ImageFile, length: int) -> bool:
    """Whether a TIFF says that some of its pixels lie behind the end of the file."""
    tags: Mapping[int, tuple[int, ...]] = getattr(file, "tag_v2", {})
    return any(
        start + size > length
        for starts, sizes in _TIFF_STRIPS_AND_TILES
        for start, size in zip(tags.get(starts, ()), tags.get(sizes, ()), strict=False)
    )


def _watch(file: ImageFile.ImageFile) -> Callable[[], bool]:
    """See to it that a decoder which asks for more bytes than there are is noticed.

    Pillow lets such a decoder stop in silence while LOAD_TRUNCATED_IMAGES is set. ``load_read`` is
    the hook it offers to file formats that read their pixels in blocks.
    """
    own = getattr(file, "load_read", None)
    dry = False

    def load_read(length: int) -> bytes:
        nonlocal dry
        block: bytes = own(length) if own else file.fp.read(length)  # type: ignore[union-attr] # open until loaded
        dry = dry or not block
        return block

    file.load_read = load_read  # type: ignore[attr-defined] # optional there, so not declared
    return lambda: dry


def _rgb_profile(profile: object, mode: str) -> bytes | None:
    if mode not in {"P", "RGB", "RGBA"} or not isinstance(profile, bytes):
        return None
    about_rgb = profile[16:20] == b"RGB "  # the colour space in the header of an ICC profile
    return profile if about_rgb and len(profile) <= _LONGEST_PROFILE else None
