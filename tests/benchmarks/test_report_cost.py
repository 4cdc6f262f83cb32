"""What a report of a large run costs: its time against reading the run, its memory, its size."""

from __future__ import annotations

import logging
import resource
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lmms_eval_tasks.results.run import read_run
from tests.report import runs
from tests.report.parsing import Page

pytestmark = [
    pytest.mark.benchmark,
    pytest.mark.skipif(
        not Path("/proc/self/status").exists(), reason="only Linux says what a process had at most"
    ),
]

MEGABYTE = 1_000_000
MOST_MEMORY = 500 * MEGABYTE
MOST_BYTES = 5 * MEGABYTE
# Reading is JSON alone; a report starts Python and its libraries, draws a dozen charts and makes a
# page. A hundred times the reading would be 20 s.
MOST_TIMES_READING = 100

# What getrusage says of memory is never less than what the process had that started this one.
_REPORT = """
import re, sys
from pathlib import Path
from lmms_eval_tasks.cli import main
main(["report", *sys.argv[1:]], standalone_mode=False)
print("PEAK", re.search(r"VmHWM:\\s+([0-9]+) kB", Path("/proc/self/status").read_text())[1])
"""


@pytest.fixture(scope="module")
def large(tmp_path_factory) -> Path:
    return runs.large_run(tmp_path_factory.mktemp("large") / "run")


def reported(results: Path, page: Path) -> tuple[float, int]:
    """The CPU seconds and the bytes of memory that a report takes, in a process of its own."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-c", _REPORT, str(results), "-o", str(page)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return spent, 1_024 * int(done.stdout.rpartition("PEAK ")[2])


def seconds_to_read(results: Path) -> float:
    started = time.process_time()
    for task in read_run(results).tasks.values():
        assert sum(1 for _ in task.samples())
    return time.process_time() - started


def test_a_report_of_4_000_samples(large, tmp_path, record_property):
    reading = seconds_to_read(large)
    spent, peak = reported(large, tmp_path / "page.html")
    size = (tmp_path / "page.html").stat().st_size
    ratio = spent / reading
    for name, value in {"times_reading": ratio, "peak": peak, "size": size}.items():
        record_property(name, value)
    logging.getLogger(__name__).info(
        "4,000 samples: %.0f times the reading, %.0f MB of memory, a page of %.1f MB",
        ratio,
        peak / MEGABYTE,
        size / MEGABYTE,
    )
    assert ratio < MOST_TIMES_READING
    assert peak < MOST_MEMORY
    assert size < MOST_BYTES


def test_a_thousand_samples_with_pictures_are_a_page_that_can_be_mailed(tmp_path, record_property):
    results = runs.pictured_run(tmp_path / "run", 1_000, different=1_000)
    _, peak = reported(results, tmp_path / "page.html")
    page = Page((tmp_path / "page.html").read_text(encoding="utf-8"))
    size = len(page.html.encode())
    record_property("peak", peak)
    record_property("size", size)
    logging.getLogger(__name__).info(
        "1,000 samples with pictures: %.0f MB of memory, a page of %.1f MB",
        peak / MEGABYTE,
        size / MEGABYTE,
    )
    assert len(page.data["pictures"]) == len(page.data["samples"]) == 1_000
    assert peak < MOST_MEMORY
    assert size < MOST_BYTES
