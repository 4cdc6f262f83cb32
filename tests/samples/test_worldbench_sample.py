from __future__ import annotations

import io
from collections import Counter
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from datasets import Image as ImageFeature
from PIL import Image, ImageChops, ImageOps

from lmms_eval_tasks.samples.make.encoding import on_paper
from lmms_eval_tasks.worldbench.records import Domain, WorldBenchRecord

COLUMNS = [
    "image",
    "question",
    "option_a",
    "option_b",
    "option_c",
    "option_d",
    "answer",
    "category",
    "domain",
]
# Name: format, mode, size as stored.
PICTURES = {
    "arthropods.png": ("PNG", "P", (560, 200)),
    "mugs.jpg": ("JPEG", "RGB", (520, 320)),
    "keys.png": ("PNG", "RGBA", (500, 330)),
    "shadows.webp": ("WEBP", "RGB", (540, 320)),
    "bus_stop.jpg": ("JPEG", "RGB", (480, 360)),
    "spreadsheet.gif": ("GIF", "P", (500, 260)),
    "street_map.png": ("PNG", "RGB", (480, 380)),
    "lever.jpg": ("JPEG", "CMYK", (520, 270)),
    "bar_chart.jpg": ("JPEG", "RGB", (500, 330)),
    "receipt.bmp": ("BMP", "1", (300, 420)),
    "time_line.png": ("PNG", "P", (8200, 200)),
    "gripper.webp": ("WEBP", "RGB", (520, 340)),
}


@pytest.fixture
def rows(load: Any, samples: Path) -> Any:
    return load(samples / "worldbench" / "questions.parquet")


@pytest.fixture
def pictures(rows: Any) -> dict[str, Image.Image]:
    return {row["image"]["path"]: Image.open(io.BytesIO(row["image"]["bytes"])) for row in rows}


def test_the_columns_and_types_are_those_of_the_hub(rows: Any) -> None:
    assert rows.column_names == COLUMNS
    assert rows.features["image"] == ImageFeature(decode=False)
    assert {rows.features[column].dtype for column in COLUMNS[1:]} == {"string"}
    assert set(rows[0]["image"]) == {"bytes", "path"}


def test_twelve_valid_rows_cover_the_seven_domains_in_runs(rows: Any) -> None:
    records = [WorldBenchRecord.from_row(row, position) for position, row in enumerate(rows)]
    assert len(records) == 12
    runs = [domain for domain, _ in groupby(record.domain for record in records)]
    assert runs == list(Domain)


def test_every_letter_is_right_equally_often_and_no_option_repeats(rows: Any) -> None:
    assert Counter(rows["answer"]) == dict.fromkeys("ABCD", 3)
    for row in rows:
        assert len({row[f"option_{letter}"] for letter in "abcd"}) == 4


def test_pictures_have_the_promised_formats_modes_and_sizes(
    pictures: dict[str, Image.Image],
) -> None:
    assert {
        name: (picture.format, picture.mode, picture.size) for name, picture in pictures.items()
    } == PICTURES
    for picture in pictures.values():
        picture.load()


def test_the_special_properties_are_there(pictures: dict[str, Image.Image]) -> None:
    assert pictures["mugs.jpg"].info["progressive"]
    assert "progressive" not in pictures["bar_chart.jpg"].info
    assert pictures["bus_stop.jpg"].getexif()[0x0112] == 6
    assert ImageOps.exif_transpose(pictures["bus_stop.jpg"]).size == (360, 480)
    assert pictures["keys.png"].getchannel("A").getextrema() == (0, 255)
    assert pictures["time_line.png"].width > 8000


# The warning says what the test is about.
@pytest.mark.filterwarnings("ignore:Palette images with Transparency")
def test_a_transparent_palette_looks_different_if_its_transparency_is_dropped(
    pictures: dict[str, Image.Image],
) -> None:
    picture = pictures["arthropods.png"]
    assert "transparency" in picture.info
    difference = ImageChops.difference(picture.convert("RGB"), on_paper(picture)).convert("L")
    changed = sum(difference.histogram()[64:])
    assert changed > 0.09 * picture.width * picture.height


def test_the_file_is_small(samples: Path) -> None:
    assert (samples / "worldbench" / "questions.parquet").stat().st_size < 600_000
