"""The hooks that the YAML files of GeoQA name; no logic of its own."""

from __future__ import annotations

from collections.abc import Mapping

from PIL.Image import Image

from lmms_eval_tasks.geoqa.diagrams import diagram_of
from lmms_eval_tasks.geoqa.prompts import program_prompt
from lmms_eval_tasks.geoqa.records import GeoQARecord
from lmms_eval_tasks.geoqa.rows import complete_rows as process_docs
from lmms_eval_tasks.geoqa.scoring import items as process_results
from lmms_eval_tasks_core.aggregate import mean_score, total

__all__ = [
    "doc_to_target",
    "doc_to_text",
    "doc_to_visual",
    "mean_score",
    "process_docs",
    "process_results",
    "total",
]

Row = Mapping[str, object]
Kwargs = Mapping[str, object]


def doc_to_visual(doc: Row) -> list[Image]:
    """The diagram in RGB, or nothing where there is none that can be shown."""
    diagram = diagram_of(doc.get("image"))
    return [] if diagram is None else [diagram]


def doc_to_text(doc: Row, lmms_eval_specific_kwargs: Kwargs | None = None) -> str:
    """The prompt, its instructions in the language of ``prompt_language`` (default "en")."""
    language = (lmms_eval_specific_kwargs or {}).get("prompt_language", "en")
    return program_prompt(GeoQARecord.from_row(doc), str(language))


def doc_to_target(doc: Row) -> str:
    """The letter of the right option."""
    record = GeoQARecord.from_row(doc)
    return record.options.letter_at(record.label)
