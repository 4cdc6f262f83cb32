"""Writing a picture as an image file of at most so many base64 characters, with the least loss."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from math import inf, sqrt
from typing import Any, TypeAlias

from PIL import Image

from lmms_eval_tasks.worldbench.pixels import resized

JPEG, PNG, WEBP = "image/jpeg", "image/png", "image/webp"


@dataclass(frozen=True, slots=True)
class Encoding:
    """One way to write a picture.

    Attributes:
        media_type: The media type of the result.
        label: How a step calls it.
        options: What Pillow's ``save`` takes for it.
        gain: By what factor at most it is shorter than the encoding tried before it. Where that
            cannot be enough it is skipped: large pictures take seconds each time.
    """

    media_type: str
    label: str
    options: Mapping[str, Any]
    gain: float = inf


Encodings: TypeAlias = tuple[Encoding, ...]

_PNG = Encoding(PNG, "PNG", {"format": "PNG"})
_LOSSLESS_WEBP = Encoding(
    WEBP, "lossless WebP", {"format": "WEBP", "lossless": True, "exact": True}, gain=2
)
# Colour resolution goes before quality: questions turn on small print more often than on hues.
_OPAQUE: Encodings = tuple(
    Encoding(
        JPEG,
        f"JPEG of quality {quality}, {chroma}",
        {"format": "JPEG", "quality": quality, "subsampling": chroma},
        gain,
    )
    for quality, chroma, gain in (
        (95, "4:4:4", inf),
        (90, "4:4:4", 2),
        (90, "4:2:0", 4),
        (80, "4:2:0", inf),
    )
)
_TRANSPARENT: Encodings = tuple(
    Encoding(WEBP, f"WebP of quality {quality}", {"format": "WEBP", "quality": quality}, gain)
    for quality, gain in ((95, inf), (90, 2), (80, inf))
)


@dataclass(frozen=True, slots=True)
class Encoded:
    """A written picture: its media type, its bytes, and what was done and why."""

    media_type: str
    data: bytes
    steps: tuple[str, ...]


def encodings(mode: str, *, from_jpeg: bool) -> Encodings:
    """The encodings to try, from the least loss to the most.

    What JPEG has lost already no lossless format brings back: it would only be longer.

    Args:
        mode: The mode of the picture: 1, L, LA, P, RGB or RGBA.
        from_jpeg: Whether the picture was decoded from a JPEG.
    """
    lossy = _TRANSPARENT if mode in {"LA", "RGBA"} else _OPAQUE
    return lossy if from_jpeg else (_PNG, _LOSSLESS_WEBP, *lossy)


def fitted(
    image: Image.Image, candidates: Encodings, *, profile: bytes | None, most: int
) -> Encoded:
    """Write a picture by the first encoding that fits, else by the last one and smaller.

    Args:
        image: A picture of mode 1, L, LA, P, RGB or RGBA.
        candidates: What `encodings` gives for it.
        profile: The ICC profile of its RGB values, to go into the file.
        most: The greatest base64 length, in characters. It has to leave room for the profile.

    Returns:
        The file; the same for the same arguments.
    """
    too_long = f"above {most:,} base64 characters"
    data = b""
    for encoding in candidates:
        if encoded_length(data) > encoding.gain * most:
            continue
        data = _written(image, encoding, profile)
        if encoded_length(data) <= most:
            first = candidates[0]
            reason = "" if encoding is first else f": as {first.label} {too_long}"
            return Encoded(encoding.media_type, data, (f"encoded as {encoding.label}{reason}",))
    size = image.size
    while encoded_length(data) > most:
        # The length goes with the area; a little less, so that one round is mostly enough.
        shrink = min(0.9, 0.98 * sqrt(most / encoded_length(data)))
        size = scaled(size, round(shrink * 10_000), 10_000)
        data = _written(resized(image, size), encoding, profile)
    steps = (resizing(image.size, size, too_long), f"encoded as {encoding.label}")
    return Encoded(encoding.media_type, data, steps)


def encoded_length(data: bytes) -> int:
    """The number of base64 characters, padding included, that some bytes take."""
    return (len(data) + 2) // 3 * 4


def scaled(size: tuple[int, int], numerator: int, denominator: int) -> tuple[int, int]:
    """A size times a fraction, rounded down, at least one pixel each way."""
    width, height = size
    return max(1, width * numerator // denominator), max(1, height * numerator // denominator)


def resizing(before: tuple[int, int], after: tuple[int, int], reason: str) -> str:
    """How a step tells of a resizing."""
    return f"resized {before[0]}x{before[1]} -> {after[0]}x{after[1]}: {reason}"


def _written(image: Image.Image, encoding: Encoding, profile: bytes | None) -> bytes:
    if image.mode == "P" and encoding.media_type == JPEG:
        image = image.convert("RGB")
    file = BytesIO()
    options = {**encoding.options, "icc_profile": profile} if profile else encoding.options
    image.save(file, **options)
    return file.getvalue()
