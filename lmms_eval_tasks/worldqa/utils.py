"""The hooks that the YAML files of WorldQA name; no logic of its own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from lmms_eval_tasks import samples
from lmms_eval_tasks.worldqa import rows
from lmms_eval_tasks.worldqa.prompts import circular_prompt, open_ended_prompt
from lmms_eval_tasks.worldqa.records import CircularRecord, OpenEndedRecord
from lmms_eval_tasks.worldqa.scoring import OpenEndedScorer, circular_items
from lmms_eval_tasks_core.aggregate import mean_score
from lmms_eval_tasks_core.circular import circular_acc, incomplete_groups, position_bias
from lmms_eval_tasks_core.settings import video_folder

if TYPE_CHECKING:
    from datasets import Dataset

__all__ = [
    "circular_acc",
    "circular_docs",
    "circular_items",
    "circular_sample_docs",
    "circular_target",
    "circular_text",
    "incomplete_groups",
    "mean_score",
    "open_ended_docs",
    "open_ended_items",
    "open_ended_sample_docs",
    "open_ended_sample_items",
    "open_ended_target",
    "open_ended_text",
    "position_bias",
    "video",
]

Row = Mapping[str, object]
Kwargs = Mapping[str, object]

open_ended_items = OpenEndedScorer(default_judge="openai")
open_ended_sample_items = OpenEndedScorer(default_judge="lexical")


def open_ended_docs(dataset: Dataset) -> Dataset:
    """``process_docs`` of the open-ended task."""
    return rows.open_ended(dataset, video_folder())


def circular_docs(dataset: Dataset) -> Dataset:
    """``process_docs`` of the multiple-choice task."""
    return rows.circular(dataset, video_folder())


def open_ended_sample_docs(dataset: Dataset) -> Dataset:
    """``process_docs`` of the open-ended sample, whose videos come with the package."""
    return rows.open_ended(dataset, _sample_videos())


def circular_sample_docs(dataset: Dataset) -> Dataset:
    """``process_docs`` of the multiple-choice sample, whose videos come with the package."""
    return rows.circular(dataset, _sample_videos())


def video(doc: Row) -> list[str]:
    """``doc_to_visual``: the path of the video, so that frames are the model's own setting."""
    return [str(doc["video"])]


def open_ended_text(doc: Row, _: Kwargs | None = None) -> str:
    """``doc_to_text`` of the open-ended task."""
    return open_ended_prompt(OpenEndedRecord.from_row(doc))


def circular_text(doc: Row, _: Kwargs | None = None) -> str:
    """``doc_to_text`` of the multiple-choice task."""
    return circular_prompt(CircularRecord.from_row(doc))


def open_ended_target(doc: Row) -> str:
    """``doc_to_target`` of the open-ended task: the ground truth."""
    return OpenEndedRecord.from_row(doc).answer


def circular_target(doc: Row) -> str:
    """``doc_to_target`` of the multiple-choice task: the right letter of this pass."""
    record = CircularRecord.from_row(doc)
    return record.options.letter_at(record.right)


def _sample_videos() -> Path:
    return Path(samples.__file__).parent / "worldqa" / "videos"
