"""What another process is asked: it imports what `doctor` itself must not."""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from lmms_eval_tasks.doctor.asking import answer
from lmms_eval_tasks_core.environment import (
    JUDGE_IN_FLIGHT,
    JUDGE_PATIENCE,
    MATCHER,
    UNJUDGED_LIMIT,
    VERDICTS,
)
from lmms_eval_tasks_core.errors import TasksError
from lmms_eval_tasks_core.settings import bad_settings, judge_settings, matcher_settings

_PUT_IN_LATER = {
    "lmms_eval_tasks._judgements": "lmms_eval.evaluator",
    "lmms_eval_tasks._report_at_end": "lmms_eval.loggers.evaluation_tracker",
}
# These decide neither who is asked nor where: without them the same judge is asked. The matcher's
# kind stands here for tasks without one; for others nobody is asked while it is bad.
_CAN_BE_LEFT_OUT = (JUDGE_IN_FLIGHT, JUDGE_PATIENCE, MATCHER, UNJUDGED_LIMIT)


def main(arguments: Sequence[str]) -> None:
    """Answer the question that the first argument names."""
    question, *rest = arguments
    answer(_QUESTIONS[question](*rest))


def index() -> dict[str, Any]:
    """Where lmms-eval finds each task and group, and which of our models it knows."""
    # By name: only the plugin and the models depend on lmms-eval (see pyproject.toml).
    models = importlib.import_module("lmms_eval.models")
    tasks = importlib.import_module("lmms_eval.tasks")
    importlib.import_module("lmms_eval.protocol")
    # What a run puts in only once it begins is put in here, to hear whether it fits.
    for ours, theirs in _PUT_IN_LATER.items():
        importlib.import_module(ours).install(importlib.import_module(theirs))
    found = tasks.TaskManager().task_index
    paths = {name: str(entry.get("yaml_path", "")) for name, entry in found.items()}
    known = set(models.list_available_models())
    return {"paths": paths, "models": sorted(known & {"chance", "replay"})}


def preflight(network: str, *hooks: str) -> dict[str, Any]:
    """What each scorer says when it is told that a run is about to begin.

    Args:
        network: "offline" where no server is to be asked.
        hooks: The scorers, by dotted name.

    Returns:
        What they say, None where a server would have to be asked and is not to be; whether nobody
        is set to judge; whether the settings say that words are to be compared for a match.
    """
    # A look does not touch what is kept, and what is kept does not answer for a judge.
    os.environ[VERDICTS] = "off"  # noqa: TID251 - set for this process, not read
    for error in bad_settings():
        # A bad setting, which has a line of its own, does not hide what else is wrong.
        if error.name in _CAN_BE_LEFT_OUT:
            os.environ.pop(error.name, None)  # noqa: TID251 - unset for this process, not read
    judge, matcher = judge_settings(), matcher_settings()
    asks_a_server = any(each.model and each.kind != "lexical" for each in (judge, matcher))
    is_in_reach = network != "offline" or not asks_a_server
    return {
        "said": [_said(hook) for hook in hooks] if is_in_reach else None,
        "is_nobody": judge.kind is None and judge.model is None,
        "compares_words": matcher.kind == "lexical",
    }


def decode(clip: str) -> dict[str, Any]:
    """What the decoders make of a clip."""
    from lmms_eval_tasks_core.video import frames, sound  # noqa: PLC0415 - only here

    track = sound(Path(clip))
    found: dict[str, Any] = {
        "frames": len(frames(Path(clip))),
        "samples": 0 if track is None else len(track),
        "qwen_vl_utils": find_spec("qwen_vl_utils") is not None,
        "decord": None if find_spec("decord") else "not installed",
    }
    if found["decord"] is None:
        try:
            importlib.import_module("decord").VideoReader(clip)[0]
        except Exception as error:  # noqa: BLE001 - whatever a decoder raises is the finding
            found["decord"] = f"{type(error).__name__}: {error}"
    return found


def cached(sets: str) -> dict[str, Any]:
    """What `datasets` has in its cache.

    Args:
        sets: A JSON list of [repository, config or null].

    Returns:
        The folder; for each data set the rows by split, {} where there are none; and the names of
        the videos that cached rows ask about.
    """
    datasets = importlib.import_module("datasets")
    folder = Path(datasets.config.HF_DATASETS_CACHE)
    rows, videos = [], set()
    for repository, config in json.loads(sets):
        infos = sorted(_cached_infos(folder, repository, config), key=lambda p: p.stat().st_mtime)
        info = json.loads(infos[-1].read_text(encoding="utf-8")) if infos else {}
        rows.append({name: s["num_examples"] for name, s in (info.get("splits") or {}).items()})
        if "video_idx" in (info.get("features") or {}):
            for file in infos[-1].parent.glob("*.arrow"):
                videos.update(datasets.Dataset.from_file(str(file)).unique("video_idx"))
    return {"folder": str(folder), "rows": rows, "videos": sorted(map(str, videos))}


def _cached_infos(folder: Path, repository: str, config: str | None) -> list[Path]:
    owner, _, name = repository.rpartition("/")
    # `datasets` writes WorldBench as world_bench.
    wanted = f"{owner}{name}".replace("_", "").lower()
    return [
        info
        for place in folder.glob("*___*")
        if place.name.replace("_", "").lower() == wanted
        for info in place.glob("*/*/*/dataset_info.json")
        # The folder of a config bears its name, and a hash where files were chosen.
        if config in (None, info.parts[-4].partition("-")[0])
        if any(info.parent.glob("*.arrow"))
    ]


def _said(hook: str) -> dict[str, Any]:
    module, _, name = hook.rpartition(".")
    scorer = getattr(importlib.import_module(module), name)
    said: dict[str, Any] = {"hook": hook}
    try:
        scorer.preflight()
        said["cites"] = scorer.provenance()
    except TasksError as error:
        said |= {"problem": error.problem, "remedy": error.remedy}
    return said


_QUESTIONS: dict[str, Callable[..., dict[str, Any]]] = {
    "index": index,
    "preflight": preflight,
    "decode": decode,
    "cached": cached,
}
