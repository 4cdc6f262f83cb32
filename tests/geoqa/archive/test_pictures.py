"""Diagrams of every kind the archives hold become grey or RGB on white."""

from __future__ import annotations

import io
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from lmms_eval_tasks.geoqa.archive.arrays import PickledArray
from lmms_eval_tasks.geoqa.archive.pictures import PictureError, png_of
from lmms_eval_tasks.geoqa.archive.safe_pickle import read_pickle


def pickled(array: Any) -> PickledArray:
    read = read_pickle(pickle.dumps(np.asarray(array)), "a pickle")
    assert isinstance(read, PickledArray)
    return read


def shown(array: Any) -> Image.Image:
    image = Image.open(io.BytesIO(png_of(pickled(array))))
    assert image.format == "PNG"
    return image


BASE = np.array([[255, 255, 255], [0, 128, 255]], dtype=np.uint8)


@pytest.mark.parametrize(
    "array",
    [
        BASE,
        BASE.astype("float64"),
        BASE.astype("int64"),
        (BASE / 255).astype("float32"),
        (BASE / 255).astype("float64"),
        (BASE / 255).astype("float16"),
        BASE.astype("uint16") * 257,
        BASE[:, :, None],
        np.asfortranarray(BASE),
    ],
)
def test_grey_of_any_type_and_range(array: Any) -> None:
    image = shown(array)
    assert (image.mode, image.size) == ("L", (3, 2))
    assert list(image.tobytes()) == [255, 255, 255, 0, 128, 255]


@pytest.mark.parametrize("array", [BASE > 200, (BASE > 200).astype("uint8")])
def test_black_and_white(array: Any) -> None:
    assert list(shown(array).tobytes()) == [255, 255, 255, 0, 0, 255]


def test_a_picture_that_is_not_full_range_keeps_its_shades() -> None:
    assert list(shown(np.array([[230, 40]], dtype="uint8")).tobytes()) == [230, 40]
    assert list(shown(np.array([[1.0000001, 0.2]])).tobytes()) == [255, 51]


@pytest.mark.parametrize("scale", [1, 1 / 255])
def test_transparent_parts_are_white(scale: float) -> None:
    rgba = np.array([[[10, 20, 30, 255], [10, 20, 30, 0], [0, 0, 0, 51]]]) * scale
    image = shown(rgba)
    assert image.mode == "RGB"
    assert [image.getpixel((x, 0)) for x in range(3)] == [
        (10, 20, 30),
        (255, 255, 255),
        (204, 204, 204),
    ]
    grey = shown(np.array([[[10, 255], [10, 0]]], dtype="uint8"))
    assert (grey.mode, list(grey.tobytes())) == ("L", [10, 255])


def test_channels_may_come_first() -> None:
    rgb = np.arange(30, dtype="uint8").reshape(3, 2, 5)
    image = shown(rgb)
    assert (image.mode, image.size) == ("RGB", (5, 2))
    assert image.getpixel((4, 1)) == (9, 19, 29)
    assert shown(rgb[:1]).size == (5, 2)


def test_what_is_no_number_is_white() -> None:
    image = shown(np.array([[np.nan, np.inf, 0.0, 1.0]]))
    assert list(image.tobytes()) == [255, 255, 0, 255]


def test_values_below_zero_are_brought_into_range() -> None:
    assert list(shown(np.array([[-1.0, 1.0]])).tobytes()) == [0, 255]


@pytest.mark.parametrize(
    "array",
    [
        np.zeros((0, 5)),
        np.zeros(5),
        np.zeros((5, 6, 7)),
        np.zeros((1, 2, 3, 4)),
        np.zeros((1, 30_000), dtype="u1"),
        np.array([["a"]]),
        np.array([[1, None]], dtype=object),
        np.full((2, 2), np.nan),
    ],
)
def test_what_is_no_picture_says_why(array: Any) -> None:
    with pytest.raises(PictureError):
        png_of(pickled(array))


@given(
    st.tuples(st.integers(1, 5), st.integers(1, 5), st.integers(1, 4)),
    st.sampled_from(["u1", "i2", "i8", "f4", "f8", "b1"]),
    st.binary(min_size=800, max_size=800),
)
def test_any_numbers_make_a_picture_or_a_typed_error(
    shape: tuple[int, int, int], kind: str, content: bytes
) -> None:
    size = int(np.prod(shape)) * np.dtype(kind).itemsize
    array = np.frombuffer(content[:size], dtype=kind).reshape(shape)
    if kind.startswith("f") and not np.isfinite(array).any():
        with pytest.raises(PictureError, match="no numbers"):
            shown(array)
    else:
        assert shown(array).size == (shape[1], shape[0])
