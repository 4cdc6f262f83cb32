"""The hooks that the YAML files of WorldBench name; no logic of its own."""

from __future__ import annotations

from collections.abc import Mapping

from PIL.Image import Image

from lmms_eval_tasks.worldbench.pictures import picture
from lmms_eval_tasks.worldbench.prompts import question_prompt
from lmms_eval_tasks.worldbench.records import WorldBenchRecord
from lmms_eval_tasks.worldbench.rows import complete
from lmms_eval_tasks.worldbench.scoring import items
from lmms_eval_tasks_core.aggregate import mean_score, total
from lmms_eval_tasks_core.intervals import margin_95

__all__ = ["complete", "items", "margin_95", "mean_score", "pictures", "target", "text", "total"]

Row = Mapping[str, object]
Kwargs = Mapping[str, object]


def pictures(doc: Row) -> list[Image]:
    """``doc_to_visual``: the picture, or nothing where it cannot be used."""
    found = picture(doc)
    return [] if found is None else [found]


def text(doc: Row, _: Kwargs | None = None) -> str:
    """``doc_to_text``."""
    return question_prompt(WorldBenchRecord.from_row(doc))


def target(doc: Row) -> str:
    """``doc_to_target``: the letter of the right option."""
    return WorldBenchRecord.from_row(doc).answer
