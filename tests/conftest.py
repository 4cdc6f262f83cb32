"""Fixtures every test may use."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]
_numbers = itertools.count()


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


@pytest.fixture(autouse=True)
def _own_store_of_verdicts(monkeypatch, tmp_path_factory):
    """No test reads or writes the user's own store, not even one that unsets every setting."""
    folder = tmp_path_factory.getbasetemp() / f"cache-{next(_numbers)}"
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    monkeypatch.setenv("LMMS_EVAL_TASKS_VERDICTS", str(folder / "verdicts.sqlite"))
