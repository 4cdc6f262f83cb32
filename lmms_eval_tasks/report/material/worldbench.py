"""WorldBench: accuracy by domain beside published models, and the two readings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lmms_eval_tasks.report.material.asked import apart, told_apart
from lmms_eval_tasks.report.material.charts import (
    NO_ANSWER,
    NOT_JUDGED,
    RIGHT,
    WRONG,
    Part,
    stacked,
)
from lmms_eval_tasks.report.material.counting import (
    PERCENT,
    Outcome,
    asked_of,
    between,
    counted,
    field,
    many,
    number,
    panel_id,
    percent,
    wilson,
    words,
)
from lmms_eval_tasks.report.material.worldbench_domains import by_domain
from lmms_eval_tasks.report.material.worldbench_unread import unread
from lmms_eval_tasks.report.model import Fact, Panel, SampleView, Table
from lmms_eval_tasks.results.run import Sample, TaskRun

_READINGS = {"strict": "accuracy", "normalised": "accuracy_normalised"}
_PARTS: Mapping[Outcome, Part] = {
    "right": RIGHT,
    "wrong": WRONG,
    "no answer": NO_ANSWER,
    "not judged": NOT_JUDGED,
}


def headline(task: TaskRun) -> list[Fact]:
    """Accuracy under both readings, with Wilson's intervals over the usable questions."""
    usable = asked_of(task) - int(task.metrics.get("image_unusable", 0.0))
    labels = {"accuracy": "Accuracy (strict)", "accuracy_normalised": "Accuracy (normalised)"}
    facts = []
    for metric, label in labels.items():
        value = task.metrics.get(metric)
        if value is None or usable <= 0:
            continue
        low, high = wilson(round(value * usable / PERCENT), usable)
        text = f"{value:.1f} % {between(low, high)} of {many(usable, 'question')}"
        facts.append(Fact(label, text))
    parsed = task.metrics.get("answer_parsed")
    if parsed is not None:
        facts.append(Fact("Answer line read", f"{PERCENT * parsed:.1f} % of responses (strict)"))
    return facts or [Fact("Accuracy", "not in the results file", "warn")]


def cautions(samples: Sequence[Sample]) -> list[Fact]:
    """What else a reader must know: pictures that no model could be shown."""
    unusable = [sample.id for sample in samples if _outcome(sample.item) == "not judged"]
    if not unusable:
        return []
    text = (
        f"{counted(len(unusable), len(samples))} of the pictures could not be used; their "
        "questions are in no accuracy."
    )
    return [Fact("Unusable pictures", text, "warn")]


def panels(task: TaskRun, samples: Sequence[Sample]) -> list[Panel]:
    """Domains, the two readings, and what kept responses from being read."""
    found = [by_domain(task, samples), _readings(task, samples)]
    reasons = unread(task, samples)
    return [*found, reasons] if reasons else found


def view(task: TaskRun, sample: Sample) -> SampleView:
    """One question with what both readings made of the response."""
    item, asked = sample.item, apart(sample.prompt)
    normalised = sample.items.get("accuracy_normalised", {})
    response, reasoning = told_apart(sample)
    verdict = {
        "strict reading": _read(item),
        "normalised reading": _read(normalised),
        "trouble": field(item, "trouble") or field(item, "failure"),
    }
    return SampleView(
        key=f"{task.name}/{sample.doc_id}",
        task=task.name,
        id=sample.id,
        outcome=_outcome(item),
        reason=words(field(item, "reason")),
        facets={
            "domain": words(field(item, "domain")),
            "category": field(item, "category"),
            "normalised reading": _outcome(normalised) if normalised else "–",
        },
        question=asked.question,
        options=asked.options,
        right=field(item, "answer") or sample.target,
        answer=field(item, "chosen"),
        response=response,
        reasoning=reasoning,
        steps=asked.steps(),
        verdict={name: text for name, text in verdict.items() if text},
        pictures=(),
        picture_note="",
    )


def _outcome(item: Mapping[str, object]) -> Outcome:
    if item.get("outcome") == "scored":
        return "right" if number(item, "score") else "wrong"
    return "no answer" if item.get("outcome") == "no_answer" else "not judged"


def _read(item: Mapping[str, object]) -> str:
    """What a reading found: a letter, or why none."""
    return field(item, "chosen") or words(field(item, "reason"))


def _readings(task: TaskRun, samples: Sequence[Sample]) -> Panel:
    outcomes = {
        reading: [_outcome(sample.items.get(metric, {})) for sample in samples]
        for reading, metric in _READINGS.items()
    }
    counts = {
        reading: {part: found.count(name) for name, part in _PARTS.items()}
        for reading, found in outcomes.items()
    }
    right = {reading: found.count("right") for reading, found in outcomes.items()}
    identity, title, whole = (
        panel_id(task, "readings"),
        "Strict and normalised reading",
        len(samples),
    )
    lead = (
        f"The strict reading finds {right['strict']:,} right, the normalised one "
        f"{right['normalised']:,}: it forgives the form of the answer's line, and nothing else."
    )
    rows = [
        (reading, *(f"{count:,} ({percent(count, whole)})" for count in parts.values()))
        for reading, parts in counts.items()
    ]
    return Panel(
        id=identity,
        title=title,
        lead=lead,
        svg=stacked(counts, name=identity, title=title, description=lead),
        table=Table(title, ("Reading", *(part.name for part in _PARTS.values())), rows),
    )
