"""Benchmarks compare ratios, which tracing for coverage would distort on our side only."""

from __future__ import annotations

from pathlib import Path

import pytest

FOLDER = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Take every benchmark out of the coverage."""
    for item in items:
        if FOLDER in item.path.parents:
            item.add_marker(pytest.mark.no_cover)
            item.add_marker(pytest.mark.benchmark)
