"""Pictures that do not fit into a page are made smaller, all alike."""

from __future__ import annotations

import io
from base64 import b64decode

import pytest
from PIL import Image

from lmms_eval_tasks.report.material.thumbnails import thumbnail
from lmms_eval_tasks.report.shrinking import fitted
from tests.support.pictures import photo


@pytest.fixture(scope="module")
def pictures() -> list[str]:
    return [thumbnail(photo((256, 192), seed)) for seed in range(40)]


def length(uris) -> int:
    return sum(map(len, uris))


def size(uri: str) -> tuple[int, int]:
    with Image.open(io.BytesIO(b64decode(uri.partition(",")[2]))) as picture:
        return picture.size


def test_pictures_that_fit_stay_as_they_are(pictures):
    assert fitted(pictures, length(pictures)) == dict(zip(pictures, pictures, strict=True))


@pytest.mark.parametrize("share", [0.9, 0.7, 0.5])
def test_pictures_that_do_not_fit_are_all_made_smaller_by_as_much(pictures, share):
    shown = fitted(pictures, int(share * length(pictures)))
    assert list(shown) == pictures
    assert length(shown.values()) <= share * length(pictures)
    (made,) = set(map(size, shown.values()))
    assert made < (256, 192)
    assert made[0] / made[1] == pytest.approx(256 / 192, abs=0.05)


def test_the_last_ones_are_missing_where_even_the_smallest_are_too_much(pictures):
    budget = length(pictures) // 10
    shown = fitted(pictures, budget)
    assert 0 < len(shown) < len(pictures)
    assert list(shown) == pictures[: len(shown)]
    assert length(shown.values()) <= budget


def test_the_same_picture_counts_once(pictures):
    assert fitted(pictures[:1] * 50, len(pictures[0])) == {pictures[0]: pictures[0]}
