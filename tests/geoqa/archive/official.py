"""Archives in the layouts of the official ones, with problems of our own."""

from __future__ import annotations

import pickle
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

TEST_PATH, TYPES_PATH = "data/GeoQA3/test.pk", "data/sub_dataset_dict.pk"


def picture(height: int = 12, width: int = 16) -> np.ndarray[Any, Any]:
    """A white ground with a black line, grey, as the official diagrams are."""
    array = np.full((height, width), 255, dtype=np.uint8)
    array[height // 2] = 0
    return array


def problem(identity: int = 1, **changes: Any) -> dict[str, Any]:
    """A problem as the official pickles hold it."""
    return {
        "id": identity,
        "image": picture(),
        "subject": "如图,在△ABC中,AB=AC,∠A=50°,则∠B=()",
        "token_list": ["如图", "在", "N_0"],
        "numbers": [50.0],
        "choices": ["50°", "65°", "130°", "无法确定"],
        "choice_nums": [50.0, 65.0, 130.0, None],
        "label": 1,
        "manual_program": ["g_minus", "C_3", "N_0", "g_half", "V_0"],
        "formal_point": ["A", "B", "C"],
        **changes,
    }


def old_pickle(value: object, protocol: int = 2) -> bytes:
    """A pickle that names numpy's functions as numpy did before its version 2."""
    content = pickle.dumps(value, protocol=protocol)
    return content.replace(b"numpy._core", b"numpy.core")


def archive(file: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, content in members.items():
            opened.writestr(name, content)
    return file


def geoqa_archive(file: Path, problems: list[Any], types: dict[Any, str] | None = None) -> Path:
    """The archive of GeoQA: three splits and the types, beside other files."""
    return archive(
        file,
        {
            "__MACOSX/data/GeoQA3/._test.pk": b"resource fork",
            "data/GeoQA3/train.pk": old_pickle([problem(900), problem(901)]),
            "data/GeoQA3/dev.pk": old_pickle([problem(800)], protocol=3),
            TEST_PATH: old_pickle(problems),
            TYPES_PATH: old_pickle(types or {}),
            "data/readme.txt": b"hello",
        },
    )


class Call:
    """Makes a pickle that calls a function when it is loaded."""

    def __init__(self, function: Any, *arguments: Any) -> None:
        self._parts = (function, arguments)

    def __reduce__(self) -> Any:
        return self._parts
