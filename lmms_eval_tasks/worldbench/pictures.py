"""The picture of a row as a model gets it, and the rows whose picture turned out broken."""

from __future__ import annotations

from collections.abc import Mapping

from PIL.Image import Image

from lmms_eval_tasks.worldbench.images import UnusableImageError, bounded_image
from lmms_eval_tasks.worldbench.records import WorldBenchRecord
from lmms_eval_tasks_core.media import source_bytes

# Damaged pixels show only when a picture is decoded for its request. What is found there is kept
# until the response is scored, in the same process, where the picture is no longer at hand.
_found_broken: dict[str, str] = {}


def picture(row: Mapping[str, object]) -> Image | None:
    """Decode the picture of a row within the benchmark's bounds.

    Returns:
        The picture in RGB, upright, on white where it was transparent; None where it cannot be
        used, which `image_problem` then remembers.
    """
    record = WorldBenchRecord.from_row(row)
    if record.image_problem:
        return None
    try:
        return bounded_image(source_bytes(row["image"])).picture()
    except UnusableImageError as error:
        _found_broken[record.id] = str(error)
        return None


def image_problem(record: WorldBenchRecord) -> str:
    """Why the picture of a question could not be shown, or "" where it was."""
    return record.image_problem or _found_broken.get(record.id, "")
