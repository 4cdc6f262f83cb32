"""The task files of WorldQA: what they share, and what their scorers return for them."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest
import yaml

import lmms_eval_tasks
from lmms_eval_tasks_core.outcome import NotJudgedReason

FOLDER = Path(lmms_eval_tasks.__file__).parent / "worldqa"
KINDS = ("open_ended", "circular")
SETTINGS = ("question", "description", "frames8", "audio")
TASKS = [f"worldqa_{kind}{rest}" for kind in KINDS for rest in ("", *(f"_{s}" for s in SETTINGS))]
ROW = {
    "id": "v/1",
    "question_idx": "1",
    "question": "What happened?",
    "answer": "She left",
    "video_idx": "v",
    "option": ["She left", "She stayed"],
}


class Loader(yaml.SafeLoader):
    """Reads a task file with its functions as their dotted names."""


Loader.add_constructor("!function", lambda loader, node: loader.construct_scalar(node))


def read(name: str) -> dict:
    own = yaml.load((FOLDER / name).read_text(encoding="utf-8"), Loader)  # noqa: S506 - a safe loader
    included = own.pop("include", None)
    return {**read(included), **own} if included else own


def metrics(task: str) -> list[str]:
    return [metric["metric"] for metric in read(f"{task}.yaml")["metric_list"]]


def test_groups_hold_the_default_and_every_setting():
    for kind in KINDS:
        members = [name for name in TASKS if name.startswith(f"worldqa_{kind}")]
        assert read(f"worldqa_{kind}_settings.yaml")["task"] == members
    assert read("worldqa_settings.yaml")["task"] == [f"worldqa_{k}_settings" for k in KINDS]


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("response", ["She left", "", None, "no idea at all"])
def test_scorers_return_the_declared_metrics_and_no_other(task, response, monkeypatch):
    monkeypatch.setenv("LMMS_EVAL_TASKS_JUDGE", "lexical")
    module, _, name = read(f"{task}.yaml")["process_results"].rpartition(".")
    items = getattr(importlib.import_module(module), name)(ROW, [response])
    always = [name for name in metrics(task) if not name.startswith("unjudged_")]
    if "audio" not in task:
        always.remove("with_sound_rate")
    assert sorted(items) == sorted(always)
    if "circular" in task:
        # lmms-eval computes metrics in this order, and the second fills in the first one's error.
        assert list(items)[:2] == metrics(task)[:2] == ["circular_acc", "circular_acc_stderr"]


def test_every_reason_for_no_verdict_has_its_metric():
    reasons = {f"unjudged_{reason.value}" for reason in NotJudgedReason}
    reasons.remove("unjudged_image_unusable")
    for task in TASKS:
        assert {name for name in metrics(task) if name.startswith("unjudged_")} == reasons


@pytest.mark.parametrize("task", TASKS)
def test_no_metric_is_part_of_anothers_name(task):
    # lmms-eval's groups look metrics up by parts of names; they leave standard errors out.
    names = [name for name in metrics(task) if "_stderr" not in name]
    assert [(a, b) for a in names for b in names if a != b and a in b] == []


@pytest.mark.parametrize("kind", KINDS)
def test_settings_change_what_is_shown_and_nothing_else(kind):
    base = read(f"worldqa_{kind}.yaml")
    for setting in SETTINGS:
        task = read(f"worldqa_{kind}_{setting}.yaml")
        changed = {key for key in {*base, *task} if base.get(key) != task.get(key)} - {"task"}
        assert (
            changed
            <= {
                "question": {"process_docs", "doc_to_visual", "dataset_kwargs"},
                "description": {"process_docs", "doc_to_visual", "doc_to_text", "dataset_kwargs"},
                "frames8": {"doc_to_visual"},
                "audio": {
                    *(
                        "doc_to_visual",
                        "lmms_eval_specific_kwargs",
                        "process_results",
                    ),
                },
            }[setting]
        )


@pytest.mark.parametrize("kind", KINDS)
def test_no_video_is_downloaded_where_none_is_shown(kind):
    assert read(f"worldqa_{kind}.yaml")["dataset_kwargs"]["video"] is True
    for setting in ("question", "description"):
        assert read(f"worldqa_{kind}_{setting}.yaml")["dataset_kwargs"] is None
