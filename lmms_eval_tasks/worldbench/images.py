"""Pictures within the bounds that vision APIs set, and as they are wherever that is possible.

JPEG, PNG and WebP within the bounds pass through byte by byte, whatever their colour mode, profile,
orientation or number of frames; no pixel of theirs is decoded. Every other picture is decoded once
and encoded again, with the least loss that the bounds allow. Of an animation (GIF, WebP, PNG) that
is the first frame, which is also what `BoundedImage.picture` shows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from PIL import Image

from lmms_eval_tasks.worldbench.image_encoding import (
    JPEG,
    PNG,
    WEBP,
    encoded_length,
    encodings,
    fitted,
    resizing,
    scaled,
)
from lmms_eval_tasks.worldbench.image_files import (
    MOST_PIXELS,
    Decoded,
    UnusableImageError,
    UnusableReason,
    decoded,
    opened,
    upright_size,
)
from lmms_eval_tasks.worldbench.pixels import on_white, resized

__all__ = [
    "LONGEST_SIDE",
    "MOST_ENCODED",
    "MOST_PIXELS",
    "BoundedImage",
    "UnusableImageError",
    "UnusableReason",
    "bounded_image",
]

MOST_ENCODED = 10_485_760
"""The greatest length of an image's base64 text, in characters."""
LONGEST_SIDE = 8_000
"""The greatest length of an image's longer side, in pixels."""

# MPO is a JPEG followed by further ones that nothing but a stereo viewer looks for.
_MEDIA_TYPES: Mapping[str | None, str] = MappingProxyType(
    {"JPEG": JPEG, "MPO": JPEG, "PNG": PNG, "WEBP": WEBP}
)


@dataclass(frozen=True, slots=True)
class BoundedImage:
    """A picture within the bounds.

    Attributes:
        media_type: "image/jpeg", "image/png" or "image/webp"; always what `data` is.
        data: The content of an image file of at most `MOST_ENCODED` base64 characters and
            `LONGEST_SIDE` pixels a side.
        preserved: Whether the data are the source's own bytes.
        steps: What was done to the picture and why, in order; empty if it was preserved.
    """

    media_type: str
    data: bytes = field(repr=False)
    preserved: bool
    steps: tuple[str, ...]

    def picture(self) -> Image.Image:
        """Decode the data, for a model that takes pixels. Nothing is kept between calls.

        Returns:
            The first frame as RGB, upright as its EXIF orientation says, transparency composited
            on white. ICC profiles are not applied, as in other local image pipelines.

        Raises:
            UnusableImageError: The data were preserved, so only now decoded, and are damaged.
        """
        return on_white(decoded(self.data).image)

    def picture_size(self) -> tuple[int, int] | None:
        """Width and height of `picture`, from the header alone; None where only decoding tells."""
        return upright_size(self.data)


def bounded_image(source: bytes) -> BoundedImage:
    """Bring a picture within the bounds, or leave it as it is where it keeps them already.

    Args:
        source: The content of an image file. Its format is told from this alone.

    Returns:
        The picture, the same for the same bytes. Where it is encoded again, it is upright, has 8
        bits a channel and keeps its transparency and its RGB profile. JPEG sources become JPEG, all
        others PNG while that fits, then lossless WebP, then JPEG or (if transparent) WebP of
        falling quality; what is still too long is made smaller.

    Raises:
        UnusableImageError: The source is empty, no image of a format we read, truncated, or has
            more than `MOST_PIXELS` pixels; or it had to be decoded and its pixels are damaged.
            Preserved files are only checked for being whole (see `image_structure`).
    """
    file = opened(source)
    media_type = _MEDIA_TYPES.get(file.format)
    if media_type and max(file.size) <= LONGEST_SIDE and encoded_length(source) <= MOST_ENCODED:
        return BoundedImage(media_type, source, preserved=True, steps=())
    original = decoded(source)
    steps = list(_decoding_steps(original, file.format))
    image = original.image
    longest = max(image.size)
    if longest > LONGEST_SIDE:
        size = scaled(image.size, LONGEST_SIDE, longest)
        steps.append(resizing(image.size, size, f"a side above {LONGEST_SIDE:,} pixels"))
        image = resized(image, size)
    candidates = encodings(image.mode, from_jpeg=media_type == JPEG)
    result = fitted(image, candidates, profile=original.rgb_profile, most=MOST_ENCODED)
    steps.extend(result.steps)
    return BoundedImage(result.media_type, result.data, preserved=False, steps=tuple(steps))


def _decoding_steps(original: Decoded, file_format: str | None) -> Iterator[str]:
    if file_format not in _MEDIA_TYPES:
        yield f"converted from {file_format}: vision APIs take JPEG, PNG and WebP"
    if original.animated:
        yield "kept the first frame only"
    if original.orientation != 1:
        yield f"turned upright: EXIF orientation {original.orientation} goes with the metadata"
    if original.mode != original.image.mode:
        yield f"converted from mode {original.mode} to {original.image.mode}"
