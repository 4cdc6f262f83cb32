"""The WorldBench sample: twelve questions on drawn pictures, in the columns of the Hub's data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from datasets import Features, Image, Value
from PIL import Image as Pillow

from lmms_eval_tasks.samples.make.encoding import ENCODERS
from lmms_eval_tasks.samples.make.pictures import documents, nature, places, things
from lmms_eval_tasks.samples.make.tables import table, write_parquet

FILE = Path("worldbench", "questions.parquet")

# How each picture is drawn, in which format it is stored, and under which name.
_PICTURES: Mapping[str, tuple[Callable[[], Pillow.Image], str, str]] = MappingProxyType(
    {
        "arthropods": (nature.arthropods, "palette PNG with transparency", "png"),
        "mugs": (things.mugs, "progressive JPEG", "jpg"),
        "keys": (things.keys, "RGBA PNG", "png"),
        "shadows": (nature.shadows, "WebP", "webp"),
        "bus_stop": (places.bus_stop, "JPEG turned by EXIF", "jpg"),
        "spreadsheet": (documents.spreadsheet, "GIF", "gif"),
        "street_map": (places.street_map, "RGB PNG", "png"),
        "lever": (things.lever, "CMYK JPEG", "jpg"),
        "bar_chart": (documents.bar_chart, "JPEG", "jpg"),
        "receipt": (documents.receipt, "two-level BMP", "bmp"),
        "time_line": (documents.time_line, "palette PNG", "png"),
        "gripper": (things.gripper, "lossless WebP", "webp"),
    }
)
_TEXT_COLUMNS = (
    "question",
    "option_a",
    "option_b",
    "option_c",
    "option_d",
    "answer",
    "category",
    "domain",
)


def rows() -> Iterator[dict[str, object]]:
    """The rows in the order of the Hub: by domain."""
    for entry in table("worldbench"):
        draw, file_format, extension = _PICTURES[entry["picture"]]
        options = {
            f"option_{letter}": text for letter, text in zip("abcd", entry["options"], strict=True)
        }
        yield {
            "image": {
                "bytes": ENCODERS[file_format](draw()),
                "path": f"{entry['picture']}.{extension}",
            },
            "question": entry["question"],
            **options,
            **{column: entry[column] for column in ("answer", "category", "domain")},
        }


def write(folder: Path) -> None:
    """Write the sample's parquet file below a folder."""
    columns = {column: Value("string") for column in _TEXT_COLUMNS}
    write_parquet(rows(), Features({"image": Image(decode=False), **columns}), folder / FILE)
