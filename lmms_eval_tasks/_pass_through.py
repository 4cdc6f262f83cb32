"""Pictures that carry the image file they show, so that a server can get that very file.

lmms-eval takes PIL images and encodes each of them anew for a server. A picture made here is a
plain RGB `PIL.Image.Image` for every model that looks at it, decoded once its pixels are asked for;
beside that it knows its file, which `plugin` sends in its place.
"""

from __future__ import annotations

import base64
import secrets
import weakref
from collections.abc import Callable, Iterable, Mapping, MutableSequence, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from PIL import Image

_SOURCE = "_lmms_eval_tasks_source"


@dataclass(frozen=True, slots=True)
class Source:
    """An image file within the bounds of its benchmark.

    Attributes:
        media_type: What the bytes are, such as "image/jpeg".
        data: The content of the file.
    """

    media_type: str
    data: bytes = field(repr=False)

    def url(self) -> str:
        """The file as a data URL."""
        return f"data:{self.media_type};base64,{base64.b64encode(self.data).decode('ascii')}"


def lazy_picture(
    source: Source, size: tuple[int, int], decode: Callable[[], Image.Image]
) -> Image.Image:
    """An RGB picture whose pixels are decoded once they are asked for.

    It is of the class `Image.Image` itself, since several models of lmms-eval compare the type, and
    Pillow calls ``load`` before it touches the pixels of any image.

    Args:
        source: The file it shows.
        size: Its width and height in pixels.
        decode: Gives its pixels, in RGB and of this size. It must not raise.

    Returns:
        The picture. What is derived from it (copies, conversions, pickles) is an ordinary image.
    """
    image = Image.Image()
    image._mode = "RGB"  # noqa: SLF001 - as every Pillow plug-in does for a file not yet decoded
    image._size = size  # noqa: SLF001
    # Pillow copies a read-only image before it changes it, so that a change shows as another `im`.
    image.readonly = 1
    # A plain method would make a circle, which keeps large files until the next collection.
    vars(image)["load"] = partial(_load, weakref.ref(image), decode)
    setattr(image, _SOURCE, (source, None))
    return image


def source_of(picture: object) -> Source | None:
    """The file a picture carries; None where it carries none, or its pixels were changed since."""
    source, decoded = getattr(picture, _SOURCE, (None, None))
    if decoded is not None and getattr(picture, "im", None) is not decoded:
        return None
    return source


def _load(reference: weakref.ref[Image.Image], decode: Callable[[], Image.Image]) -> object:
    image = reference()
    if image is None:  # pragma: no cover - the picture itself calls this
        return None
    pixels = decode()
    image.im = pixels.im
    image._size = pixels.size  # noqa: SLF001
    source, _ = getattr(image, _SOURCE)
    setattr(image, _SOURCE, (source, image.im))
    vars(image).pop("load", None)
    return image.load()


class StandIns:
    """Texts that take the places of pictures while messages are turned into a server's format."""

    def __init__(self) -> None:
        self._sources: dict[str, Source] = {}

    def __bool__(self) -> bool:
        return bool(self._sources)

    def instead_of(self, parts: Iterable[object]) -> list[object]:
        """The parts of a message, with a text for each picture that carries its file.

        Args:
            parts: Objects; those that hold a picture have it as ``url``.
        """
        return [
            self._text_for(source) if (source := source_of(getattr(part, "url", None))) else part
            for part in parts
        ]

    def put_back(self, messages: Sequence[Mapping[str, Any]]) -> None:
        """Replace each text by its picture, in place, as OpenAI's protocol has it.

        Args:
            messages: Messages whose ``content`` is a list of parts.

        Raises:
            LookupError: Not every text is there exactly once, as a part of its own.
        """
        places: list[tuple[MutableSequence[Any], int, Source]] = []
        for message in messages:
            content = message["content"]
            for position, part in enumerate(content):
                text = part.get("text") if part.get("type") == "text" else None
                if text in self._sources:
                    places.append((content, position, self._sources[text]))
        if len(places) != len(self._sources):
            words = f"{len(self._sources)} pictures have {len(places)} places"
            raise LookupError(words)
        for content, position, source in places:
            content[position] = {"type": "image_url", "image_url": {"url": source.url()}}

    def _text_for(self, source: Source) -> dict[str, str]:
        text = f"<picture {secrets.token_hex(16)}>"  # nothing else in the messages can be this
        self._sources[text] = source
        return {"type": "text", "text": text}
