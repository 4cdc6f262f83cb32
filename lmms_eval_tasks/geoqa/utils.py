"""The hooks that the YAML files of GeoQA name; no logic of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PIL.Image import Image

from lmms_eval_tasks.geoqa.choices import choice_items
from lmms_eval_tasks.geoqa.diagrams import diagram_of
from lmms_eval_tasks.geoqa.program_items import Items, program_items
from lmms_eval_tasks.geoqa.prompts import choice_prompt, program_prompt
from lmms_eval_tasks.geoqa.records import GeoQARecord
from lmms_eval_tasks.geoqa.rows import complete_rows as process_docs
from lmms_eval_tasks.geoqa.rows import rows_without_diagrams
from lmms_eval_tasks_core.aggregate import mean_score, total

__all__ = [
    "beam_items",
    "beam_text",
    "choice_items",
    "choice_text",
    "doc_to_target",
    "doc_to_text",
    "doc_to_visual",
    "mean_score",
    "options_shown_text",
    "process_docs",
    "process_results",
    "rows_without_diagrams",
    "total",
]

Row = Mapping[str, object]
Kwargs = Mapping[str, object]

BEAM = 10


def doc_to_visual(doc: Row) -> list[Image]:
    """The diagram in RGB, or nothing where there is none that can be shown."""
    diagram = diagram_of(doc.get("image"))
    return [] if diagram is None else [diagram]


def doc_to_text(doc: Row, lmms_eval_specific_kwargs: Kwargs | None = None) -> str:
    """The prompt, its instructions in the language of ``prompt_language`` (default "en")."""
    return program_prompt(GeoQARecord.from_row(doc), _language(lmms_eval_specific_kwargs))


def beam_text(doc: Row, lmms_eval_specific_kwargs: Kwargs | None = None) -> str:
    """The prompt that asks for ten ranked candidates."""
    language = _language(lmms_eval_specific_kwargs)
    return program_prompt(GeoQARecord.from_row(doc), language, most=BEAM)


def options_shown_text(doc: Row, lmms_eval_specific_kwargs: Kwargs | None = None) -> str:
    """The prompt with the options in it."""
    language = _language(lmms_eval_specific_kwargs)
    return program_prompt(GeoQARecord.from_row(doc), language, show_options=True)


def choice_text(doc: Row, lmms_eval_specific_kwargs: Kwargs | None = None) -> str:
    """The prompt that asks for a letter."""
    return choice_prompt(GeoQARecord.from_row(doc), _language(lmms_eval_specific_kwargs))


def doc_to_target(doc: Row) -> str:
    """The letter of the right option."""
    record = GeoQARecord.from_row(doc)
    return record.options.letter_at(record.label)


def process_results(doc: Row, results: Sequence[object]) -> Items:
    """Score one program per response."""
    return program_items(doc, results)


def beam_items(doc: Row, results: Sequence[object]) -> Items:
    """Score ten ranked candidates per response."""
    return program_items(doc, results, BEAM)


def _language(kwargs: Kwargs | None) -> str:
    return str((kwargs or {}).get("prompt_language", "en"))
