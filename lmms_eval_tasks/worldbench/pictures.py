"""The picture of a row as a model gets it, and the rows whose picture turned out broken."""

from __future__ import annotations

from collections.abc import Mapping

from PIL import Image

from lmms_eval_tasks._pass_through import Source, lazy_picture
from lmms_eval_tasks.worldbench.images import BoundedImage, UnusableImageError, bounded_image
from lmms_eval_tasks.worldbench.records import WorldBenchRecord
from lmms_eval_tasks_core.media import source_bytes

# Damaged pixels show only when a picture is decoded, for its request or by a local model. What is
# found there is kept until the response is scored, in the same process, where the picture is no
# longer at hand.
_found_broken: dict[str, str] = {}


def picture(row: Mapping[str, object]) -> Image.Image | None:
    """The picture of a row within the benchmark's bounds.

    Returns:
        The picture in RGB, upright, on white where it was transparent. It carries the file it shows
        and is decoded only when its pixels are asked for; if they turn out damaged then, it is
        blank. None where the picture cannot be used. `image_problem` remembers both.
    """
    record = WorldBenchRecord.from_row(row)
    if record.image_problem:
        return None
    try:
        bounded = bounded_image(source_bytes(row["image"]))
        size = bounded.picture_size() or bounded.picture().size
    except UnusableImageError as error:
        _found_broken[record.id] = str(error)
        return None
    source = Source(bounded.media_type, bounded.data)
    return lazy_picture(source, size, lambda: _pixels(bounded, size, record.id))


def image_problem(record: WorldBenchRecord) -> str:
    """Why the picture of a question could not be shown, or "" where it was."""
    return record.image_problem or _found_broken.get(record.id, "")


def _pixels(bounded: BoundedImage, size: tuple[int, int], name: str) -> Image.Image:
    """The decoded picture, or a blank one: an error would end the run inside of some model."""
    try:
        return bounded.picture()
    except UnusableImageError as error:
        _found_broken[name] = str(error)
        return Image.new("RGB", size, "white")
