"""What registering the pack adds to `lmms-eval --tasks list`."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.benchmark]
MOST = 0.02

# One process: lmms-eval's own work with the pack loaded but switched off, then the pack's work.
MEASURE = """
import importlib.metadata, json, os, time

loading = 0.0
load = importlib.metadata.EntryPoint.load

def timed(entry_point):
    global loading
    started = time.perf_counter()
    try:
        return load(entry_point)
    finally:
        if entry_point.value.startswith("lmms_eval_tasks."):
            loading += time.perf_counter() - started

importlib.metadata.EntryPoint.load = timed
started = time.perf_counter()
import lmms_eval.__main__
from lmms_eval.tasks import TaskManager
TaskManager()
everything = time.perf_counter() - started

del os.environ["LMMS_EVAL_TASKS_DISABLE"]
from lmms_eval_tasks import plugin
manager = TaskManager.__new__(TaskManager)
manager.logger = plugin.logger
started = time.perf_counter()
plugin.manifests()
manager._get_task_and_group(str(plugin.tasks_folder()))
registering = time.perf_counter() - started
print(json.dumps({"lmms-eval": everything - loading, "pack": loading + registering}))
"""


def test_listing_tasks_takes_less_than_two_percent_longer():
    # What else a machine does only ever makes the smaller part look larger.
    best, trials = 1.0, 0
    while best >= MOST and trials < 5:
        trials += 1
        done = subprocess.run(
            [sys.executable, "-c", MEASURE],
            env={**os.environ, "LMMS_EVAL_TASKS_DISABLE": "1"},
            capture_output=True,
            text=True,
            check=True,
        )
        seconds = json.loads(done.stdout.splitlines()[-1])
        best = min(best, seconds["pack"] / seconds["lmms-eval"])
        print(f"{seconds} -> {seconds['pack'] / seconds['lmms-eval']:.2%}")  # noqa: T201 - the figure
    assert best < MOST
