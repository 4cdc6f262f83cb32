"""Fixtures every test may use."""

from __future__ import annotations

from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]


def _beside_the_checkout(*parts: str) -> Path:
    folder = REPOSITORY.parent.joinpath("shared", *parts)
    if not folder.is_dir():
        pytest.skip(f"{'/'.join(('shared', *parts))} does not lie beside this checkout")
    return folder


@pytest.fixture(scope="session")
def shared_cases() -> Path:
    """The folder of golden cases kept beside the checkout."""
    return _beside_the_checkout("cases")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real rows kept beside the checkout; no row of it enters the repository."""
    return _beside_the_checkout("data")
