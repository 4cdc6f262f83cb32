from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from lmms_eval_tasks.samples.make.encoding import on_paper

FILES = [
    "geoqa/problems.parquet",
    "replay/responses.jsonl",
    "worldbench/questions.parquet",
    "worldqa/multiple_choice.jsonl",
    "worldqa/open_ended.jsonl",
    "worldqa/videos/kettle.mp4",
    "worldqa/videos/kitchen.mp4",
    "worldqa/videos/library.mp4",
]


def files_in(folder: Path) -> list[str]:
    return sorted(str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file())


def pixels(picture: Image.Image) -> np.ndarray:
    return np.asarray(on_paper(picture), dtype=float)


def opened(cell: Any) -> Image.Image:
    return Image.open(io.BytesIO(cell["bytes"])) if isinstance(cell, dict) else cell


def assert_same_rows(load: Any, first: Path, second: Path) -> None:
    """The same words and numbers, and pictures that look the same.

    The bytes of a picture depend on the versions of the libraries that encode it.
    """
    for one, other in zip(load(first), load(second), strict=True):
        pictures = [opened(row.pop("image")) for row in (one, other)]
        assert one == other
        assert pictures[0].format == pictures[1].format
        assert pictures[0].mode == pictures[1].mode
        difference = np.abs(pixels(pictures[0]) - pixels(pictures[1]))
        assert difference.mean() < 3


def test_the_script_writes_these_files_and_no_others(remade: tuple[Path, Path]) -> None:
    assert files_in(remade[0]) == FILES


def test_two_runs_write_the_same_bytes(remade: tuple[Path, Path]) -> None:
    first, second = remade
    for file in FILES:
        assert (first / file).read_bytes() == (second / file).read_bytes(), file


def test_the_embedded_rows_are_what_the_script_makes(
    remade: tuple[Path, Path], samples: Path, load: Any, lines: Any
) -> None:
    for file in ("geoqa/problems.parquet", "worldbench/questions.parquet"):
        assert_same_rows(load, samples / file, remade[0] / file)
    for file in ("worldqa/open_ended.jsonl", "worldqa/multiple_choice.jsonl"):
        assert lines(samples / file) == lines(remade[0] / file)


def test_the_embedded_responses_are_what_the_script_makes(
    remade: tuple[Path, Path], samples: Path, lines: Any
) -> None:
    # An id of WorldBench holds a hash of its picture's bytes.
    embedded, made = (
        [
            {**line, "id": None} if line["task"] == "worldbench_sample" else line
            for line in lines(folder / "replay" / "responses.jsonl")
        ]
        for folder in (samples, remade[0])
    )
    assert embedded == made


def test_the_whole_folder_is_small(samples: Path) -> None:
    files = [file for file in samples.rglob("*") if file.is_file()]
    assert sum(file.stat().st_size for file in files) < 3_000_000
