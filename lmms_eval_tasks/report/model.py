"""What the page shows, in the shape it shows it: texts and our own drawings, nothing to compute."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Table:
    """Figures as text.

    Attributes:
        caption: What the table holds.
        columns: The heading of each column; the first column names the row.
        rows: A formatted cell for each column.
    """

    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Panel:
    """One chart with what it says.

    Attributes:
        id: Unique within the task.
        title: What is shown.
        lead: What to see in it, in a sentence.
        svg: Markup that is ours: numbers, and labels already escaped. None for a panel of text.
        table: The same figures as text.
        notes: What a reader must know to read it.
    """

    id: str
    title: str
    lead: str
    svg: str | None
    table: Table | None
    notes: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Fact:
    """A number, or something to mind, with its name."""

    label: str
    text: str
    severity: Literal["plain", "warn", "bad"] = "plain"


@dataclass(frozen=True, slots=True)
class SampleView:
    """One sample as the browser shows it; plain text throughout.

    Attributes:
        key: ``<task>/<doc_id>``, safe in a URL.
        task: The task's name.
        id: The sample's own id.
        outcome: "right", "partly", "wrong", "no answer" or "not judged".
        reason: Why there is no answer or no judgement; else "".
        facets: What the sample can be filtered by: domain, type, grade, …
        question: What was asked.
        options: Letter and text of each option.
        right: What is right.
        answer: What was read from the response.
        response: What was scored.
        reasoning: The rest of the whole response.
        steps: Each step of a program with its value.
        verdict: Grade, points, judge, rationale, …
        pictures: ``data:`` URIs of small pictures.
        picture_note: Why there is none, or not all.
    """

    key: str
    task: str
    id: str
    outcome: str
    reason: str
    facets: Mapping[str, str]
    question: str
    options: Sequence[tuple[str, str]]
    right: str
    answer: str
    response: str
    reasoning: str
    steps: Sequence[tuple[str, str]]
    verdict: Mapping[str, str]
    pictures: Sequence[str]
    picture_note: str
