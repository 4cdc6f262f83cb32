"""What the bytes of an image file say about being whole, without decoding a pixel.

Pillow finds a cut file only while it decodes, and not even then once some library has set its
process-wide ``ImageFile.LOAD_TRUNCATED_IMAGES``, as lmms-eval does on import. These checks need
neither: they hop from segment to segment and are linear in the length of the file.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from typing import Literal

_PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_PNG_CHUNK_FRAME = 12  # length, type, checksum: 4 bytes each
_METADATA = frozenset({b"eXIf", b"tEXt", b"zTXt", b"iTXt"})
_ANCILLARY = 0x20  # set in the first letter of a chunk that a decoder may skip
_END_OF_IMAGE = b"\xff\xd9"  # the last marker of a JPEG as of a JPEG 2000 code stream
_START_OF_SCAN = 0xDA
_FILL = 0xFF  # any number of these may stand before a marker
_MARKERS_WITHOUT_LENGTH = frozenset({0x00, 0x01, *range(0xD0, 0xD9)})
_BOX_HEADER = 8  # length and type: 4 bytes each
_TIFF_ENTRY = 12  # bytes
_LONG_BOX, _LAST_BOX = 1, 0  # lengths that mean: 8 more bytes hold it; the box takes all the rest


def is_truncated(source: bytes) -> bool:
    """Whether an image file ends before its own format says it does.

    Knows JPEG (an end-of-image marker follows the start of the first scan), PNG (chunks follow each
    other up to IEND), WebP (the length in the RIFF header), JPEG 2000 (an end-of-code-stream
    marker), AVIF and HEIF (the lengths of their boxes) and TIFF (where its directory ends). What
    comes after the end does not matter: cameras append previews, videos and padding.

    Args:
        source: The content of the file.

    Returns:
        True if the file is cut. False if it is whole as far as that can be told.
    """
    return any(
        source.startswith(signature, offset) and is_cut(source)
        for offset, signature, is_cut in _CHECKS
    )


def damaged_png_chunk(source: bytes) -> str | None:
    """The first chunk of a PNG that is needed for its pixels and fails its checksum.

    Args:
        source: The content of a PNG file.

    Returns:
        The type of the chunk, such as "IDAT", or None if there is none.
    """
    content = memoryview(source)
    for kind, start, end in _png_chunks(source):
        stored = int.from_bytes(source[end : end + 4], "big")
        if not kind[0] & _ANCILLARY and zlib.crc32(content[start - 4 : end]) != stored:
            return kind.decode("latin-1")
    return None


def png_metadata_follows_pixels(source: bytes) -> bool:
    """Whether a PNG holds metadata that Pillow sees only once it has decoded the pixels."""
    in_pixels = False
    for kind, _, _ in _png_chunks(source):
        in_pixels = in_pixels or kind == b"IDAT"
        if in_pixels and kind in _METADATA:
            return True
    return False


def _jpeg_is_cut(source: bytes) -> bool:
    return source.rfind(_END_OF_IMAGE, _first_scan(source)) < 0


def _first_scan(source: bytes) -> int:
    """Where the first scan of a JPEG begins, or the end of the file.

    The segments before it may hold a whole thumbnail with an end-of-image marker of its own.
    """
    position = 2
    while 0 <= (position := source.find(b"\xff", position)) < len(source) - 3:
        marker = source[position + 1]
        if marker == _START_OF_SCAN:
            return position
        if marker == _FILL:
            position += 1
        elif marker in _MARKERS_WITHOUT_LENGTH:
            position += 2
        else:
            position += 2 + int.from_bytes(source[position + 2 : position + 4], "big")
    return len(source)


def _png_is_cut(source: bytes) -> bool:
    return all(kind != b"IEND" for kind, _, _ in _png_chunks(source))


def _png_chunks(source: bytes) -> Iterator[tuple[bytes, int, int]]:
    """Type, first byte and end of the data of each chunk that is there in full, IEND the last."""
    position = len(_PNG_SIGNATURE)
    while position + _PNG_CHUNK_FRAME <= len(source):
        kind = source[position + 4 : position + 8]
        start = position + 8
        end = start + int.from_bytes(source[position : position + 4], "big")
        position = end + 4
        if position > len(source):
            return
        yield kind, start, end
        if kind == b"IEND":
            return


def _webp_is_cut(source: bytes) -> bool:
    return 8 + int.from_bytes(source[4:8], "little") > len(source)


def _jpeg2000_is_cut(source: bytes) -> bool:
    return _END_OF_IMAGE not in source


def _boxes_are_cut(source: bytes) -> bool:
    position = 0
    while position + _BOX_HEADER <= len(source):
        length = int.from_bytes(source[position : position + 4], "big")
        if length == _LONG_BOX:
            length = int.from_bytes(source[position + 8 : position + 16], "big")
        elif length == _LAST_BOX:
            return False
        position += max(length, _BOX_HEADER)
    return position > len(source)


def _tiff_is_cut(source: bytes) -> bool:
    order: Literal["little", "big"] = "little" if source.startswith(b"II") else "big"
    directory = int.from_bytes(source[4:8], order)
    entries = int.from_bytes(source[directory : directory + 2], order)
    return directory + 2 + entries * _TIFF_ENTRY > len(source)


_CHECKS: tuple[tuple[int, bytes, Callable[[bytes], bool]], ...] = (
    (0, b"\xff\xd8\xff", _jpeg_is_cut),
    (0, _PNG_SIGNATURE, _png_is_cut),
    (8, b"WEBP", _webp_is_cut),
    (0, b"\xff\x4f\xff\x51", _jpeg2000_is_cut),
    (4, b"jP  \r\n\x87\n", _jpeg2000_is_cut),
    (4, b"ftyp", _boxes_are_cut),
    (0, b"II*\0", _tiff_is_cut),
    (0, b"MM\0*", _tiff_is_cut),
)
