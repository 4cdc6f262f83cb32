"""The hooks that the YAML files of WorldQA name; no logic of its own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from lmms_eval_tasks import samples
from lmms_eval_tasks.worldqa import material, rows
from lmms_eval_tasks.worldqa.accounting import (
    circular_acc,
    counted,
    judged_rate,
    not_judged_rate,
    summed,
)
from lmms_eval_tasks.worldqa.circular_scoring import CircularScorer
from lmms_eval_tasks.worldqa.prompts import (
    circular_prompt,
    described_circular_prompt,
    described_open_ended_prompt,
    open_ended_prompt,
)
from lmms_eval_tasks.worldqa.records import CircularRecord, OpenEndedRecord
from lmms_eval_tasks.worldqa.scoring import OpenEndedScorer
from lmms_eval_tasks.worldqa.visuals import eight_frames, nothing, video, video_and_sound
from lmms_eval_tasks_core.aggregate import mean_score
from lmms_eval_tasks_core.circular_metrics import (
    at_least,
    circular_acc_stderr,
    circular_lower,
    circular_upper,
    incomplete_groups,
    position_bias,
)
from lmms_eval_tasks_core.judging.cost import wall_time
from lmms_eval_tasks_core.settings import video_folder

if TYPE_CHECKING:
    from datasets import Dataset

__all__ = [
    "at_least_1_rate",
    "at_least_2_rate",
    "at_least_3_rate",
    "at_least_4_rate",
    "circular_acc",
    "circular_acc_stderr",
    "circular_audio_items",
    "circular_description_docs",
    "circular_description_text",
    "circular_docs",
    "circular_items",
    "circular_lower",
    "circular_question_docs",
    "circular_sample_docs",
    "circular_sample_items",
    "circular_target",
    "circular_text",
    "circular_upper",
    "counted",
    "eight_frames",
    "incomplete_groups",
    "input_tokens",
    "judged_rate",
    "mean_score",
    "not_judged_rate",
    "nothing",
    "open_ended_audio_items",
    "open_ended_description_docs",
    "open_ended_description_text",
    "open_ended_docs",
    "open_ended_items",
    "open_ended_question_docs",
    "open_ended_sample_docs",
    "open_ended_sample_items",
    "open_ended_target",
    "open_ended_text",
    "output_tokens",
    "position_bias",
    "requests",
    "video",
    "video_and_sound",
    "wall_time",
]

Row = Mapping[str, object]
Kwargs = Mapping[str, object]

open_ended_items = OpenEndedScorer(default_judge="openai")
open_ended_audio_items = OpenEndedScorer(default_judge="openai", counts_sound=True)
open_ended_sample_items = OpenEndedScorer(default_judge="lexical")
circular_items = CircularScorer(default_matcher=None)
circular_audio_items = CircularScorer(default_matcher=None, counts_sound=True)
circular_sample_items = CircularScorer(default_matcher="lexical")

at_least_1_rate = at_least(1)
at_least_2_rate = at_least(2)
at_least_3_rate = at_least(3)
at_least_4_rate = at_least(4)

requests = summed("requests")
input_tokens = summed("input_tokens")
output_tokens = summed("output_tokens")


def open_ended_docs(dataset: Dataset) -> Dataset:
    """``process_docs`` of the open-ended tasks that show the video."""
    return rows.open_ended(dataset, material.videos_in(video_folder()))


def circular_docs(dataset: Dataset) -> Dataset:
    """``process_docs`` of the multiple-choice tasks that show the video."""
    return rows.circular(dataset, material.videos_in(video_folder()))


def open_ended_question_docs(dataset: Dataset) -> Dataset:
    """``process_docs`` of the open-ended task without the video."""
    return rows.open_ended(dataset, material.nothing)


def circular_question_docs(dataset: Dataset) -> Dataset:
    """``process_docs`` of the multiple-choice task without the video."""
    return rows.circular(dataset, material.nothing)


def open_ended_description_docs(dataset: Dataset) -> Dataset:
    """``process_docs`` of the open-ended task with a description instead of the video."""
    return rows.open_ended(dataset, material.description)


def circular_description_docs(dataset: Dataset) -> Dataset:
    """``process_docs`` of the multiple-choice task with a description instead of the video."""
    return rows.circular(dataset, material.description)


def open_ended_sample_docs(dataset: Dataset) -> Dataset:
    """``process_docs`` of the open-ended sample, whose videos come with the package."""
    return rows.open_ended(dataset, material.videos_in(_sample_videos()))


def circular_sample_docs(dataset: Dataset) -> Dataset:
    """``process_docs`` of the multiple-choice sample, whose videos come with the package."""
    return rows.circular(dataset, material.videos_in(_sample_videos()))


def open_ended_text(doc: Row, _: Kwargs | None = None) -> str:
    """``doc_to_text`` of the open-ended tasks."""
    return open_ended_prompt(OpenEndedRecord.from_row(doc))


def circular_text(doc: Row, _: Kwargs | None = None) -> str:
    """``doc_to_text`` of the multiple-choice tasks."""
    return circular_prompt(CircularRecord.from_row(doc))


def open_ended_description_text(doc: Row, _: Kwargs | None = None) -> str:
    """``doc_to_text`` of the open-ended task with a description."""
    return described_open_ended_prompt(OpenEndedRecord.from_row(doc))


def circular_description_text(doc: Row, _: Kwargs | None = None) -> str:
    """``doc_to_text`` of the multiple-choice task with a description."""
    return described_circular_prompt(CircularRecord.from_row(doc))


def open_ended_target(doc: Row) -> str:
    """``doc_to_target`` of the open-ended tasks: the ground truth."""
    return OpenEndedRecord.from_row(doc).answer


def circular_target(doc: Row) -> str:
    """``doc_to_target`` of the multiple-choice tasks: the right letter of this pass."""
    record = CircularRecord.from_row(doc)
    return record.options.letter_at(record.right)


def _sample_videos() -> Path:
    return Path(samples.__file__).parent / "worldqa" / "videos"
