"""The samples of a page as JSON that no browser takes for markup."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from lmms_eval_tasks.report.document import Document, TaskSection
from lmms_eval_tasks.report.model import SampleView
from lmms_eval_tasks.report.texts import cut, visible

_LIMITS = (20_000, 8_000, 4_000, 2_000, 1_000, 500, 250)
"""How many characters of a text a page may show; the first at which the page stays small."""
_TEXT_BYTES = 1_800
"""What a page may spend on the texts of a sample, so that 1,000 of them stay below 5 MB."""
_FEWEST = 1_000
_MARKUP = {
    ord(sign): f"\\u{ord(sign):04x}" for sign in ("<", ">", "&", "\N{LINE SEPARATOR}", "\u2029")
}
# A task of a user's own may log anything under any name.
_MOST_FACETS, _FACET_CHARACTERS = 12, 80

Shown = Callable[[str], object]


def payload(document: Document) -> str:
    """All shown samples and their pictures, each picture once.

    Returns:
        JSON in which ``<``, ``>``, ``&`` and the separators of lines are escaped, so that it can
        stand in a ``<script type="application/json">`` as it is.
    """
    pictures = _numbered(document.tasks)
    shared = {"pictures": list(pictures)}
    budget = _TEXT_BYTES * max(_FEWEST, document.shown)
    for most in _LIMITS:
        samples = _as_json(_samples(document.tasks, pictures, most))
        if len(samples.encode("utf-8", "replace")) <= budget:
            break
    return f'{_as_json(shared)[:-1]},"samples":{samples}}}'


def _as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).translate(_MARKUP)


def _numbered(tasks: Iterable[TaskSection]) -> dict[str, int]:
    uris = dict.fromkeys(uri for task in tasks for view in task.views for uri in view.pictures)
    return {uri: number for number, uri in enumerate(uris)}


def _samples(
    tasks: Iterable[TaskSection], pictures: Mapping[str, int], most: int
) -> list[dict[str, Any]]:
    def shown(text: str) -> object:
        return cut(visible(text), most)

    return [
        _sample(view, task.samples_file, pictures, shown) for task in tasks for view in task.views
    ]


def _sample(
    view: SampleView, file: str, pictures: Mapping[str, int], shown: Shown
) -> dict[str, Any]:
    """A sample as the script reads it; what is empty is left out."""
    parts = {
        "key": visible(view.key),
        "task": visible(view.task),
        "id": visible(view.id)[:200],
        "outcome": view.outcome,
        "reason": visible(view.reason)[:200],
        "facets": _facets(view),
        "question": shown(view.question),
        "options": [(visible(letter), shown(text)) for letter, text in view.options],
        "right": shown(view.right),
        "answer": shown(view.answer),
        "response": shown(view.response),
        "reasoning": shown(view.reasoning),
        "steps": [(visible(step), shown(value)) for step, value in view.steps],
        "verdict": {visible(name): shown(value) for name, value in view.verdict.items()},
        "pictures": [pictures[uri] for uri in view.pictures],
        "picture_note": visible(view.picture_note),
        "file": file,
    }
    return {name: value for name, value in parts.items() if value}


def _facets(view: SampleView) -> dict[str, str]:
    named = list(view.facets.items())[:_MOST_FACETS]
    return {visible(name): _short(value) for name, value in named if value}


def _short(value: str) -> str:
    short: Sequence[str] | str = visible(value)
    return str(short[:_FACET_CHARACTERS])
