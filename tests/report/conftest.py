"""Reports that several tests look at."""

from __future__ import annotations

import pytest

from lmms_eval_tasks.report.writing import write_report
from tests.report import runs


@pytest.fixture(scope="session")
def small(tmp_path_factory):
    """The report of a small run with every kind of task and every outcome."""
    return write_report(runs.small_run(tmp_path_factory.mktemp("small") / "run"))


@pytest.fixture(scope="session")
def hostile(tmp_path_factory):
    """The report of a run that attacks it."""
    return write_report(runs.hostile_run(tmp_path_factory.mktemp("hostile") / "run"))
