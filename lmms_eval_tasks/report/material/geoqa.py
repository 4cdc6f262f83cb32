"""GeoQA: outcomes by type, the beam, the published evaluation, and equivalence with the gold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lmms_eval_tasks.report.material.charts import (
    NO_ANSWER,
    NOT_JUDGED,
    RIGHT,
    WRONG,
    Part,
    curve,
    stacked,
)
from lmms_eval_tasks.report.material.counting import (
    PERCENT,
    Outcome,
    asked_of,
    between,
    counted,
    counts_panel,
    field,
    many,
    number,
    panel_id,
    reasons_of,
    wilson,
)
from lmms_eval_tasks.report.material.geoqa_view import outcome, view
from lmms_eval_tasks.report.model import Fact, Panel, Table
from lmms_eval_tasks.results.run import Sample, TaskRun

__all__ = ["cautions", "headline", "panels", "view"]

_NO_RESULT = Part("no result", NO_ANSWER.glyph, NO_ANSWER.colour)
_TYPES = ("angle", "length", "other")
_ORDER: Mapping[Outcome, Part] = {"right": RIGHT, "wrong": WRONG, "no answer": _NO_RESULT}
_RELATIONS = {
    "equivalent": Part("the gold's formula", "=", RIGHT.colour),
    "different": Part("another formula", "≠", "var(--contradicting, #a04c12)"),
    "undecided": Part("undecided", "?", NOT_JUDGED.colour),
    "no_program": Part("no program", "–", NO_ANSWER.colour),
}


def headline(task: TaskRun) -> list[Fact]:
    """Accuracy with Wilson's interval, what has no result, and the published evaluation."""
    facts, asked = [], asked_of(task)
    for metric, label in (
        ("accuracy", "Accuracy"),
        ("accuracy_official", "By the published evaluation"),
    ):
        value = task.metrics.get(metric)
        if value is not None and asked > 0:
            low, high = wilson(round(value * asked / PERCENT), asked)
            text = f"{value:.1f} % {between(low, high)} of {many(asked, 'problem')}"
            facts.append(Fact(label, text))
    for metric, label in (
        ("no_result_rate", "Without a result"),
        ("undecided_rate", "Undecided"),
        ("program_equivalence", "By the gold's own formula"),
    ):
        value = task.metrics.get(metric)
        if value is not None:
            facts.append(Fact(label, f"{PERCENT * value:.1f} %"))
    if "beam_size" in task.metrics:
        size = task.metrics["beam_size"]
        facts.append(Fact("Beam", many(int(size), "candidate program")))
    return facts or [Fact("Accuracy", "not in the results file", "warn")]


def cautions(samples: Sequence[Sample]) -> list[Fact]:
    """What else a reader must know: problems without their diagram, or with uncertain numbers."""
    found = []
    for metric, label, what in (
        ("asked_as_text", "Without a diagram", "of the problems were asked without a diagram"),
        (
            "uncertain_rows",
            "Uncertain numbers",
            "of the problems have a number that was derived and does not follow with certainty",
        ),
    ):
        count = sum(bool(number(sample.items.get(metric, {}), "score")) for sample in samples)
        if count:
            found.append(Fact(label, f"{counted(count, len(samples))} {what}.", "warn"))
    return found


def panels(task: TaskRun, samples: Sequence[Sample]) -> list[Panel]:
    """What became of the problems; of programs also the beam, both evaluations, and the gold."""
    found = [_by_type(task, samples)]
    if reasons := reasons_of(samples, "no_answer"):
        identity, title = panel_id(task, "no-result"), "Why there is no result"
        found.append(counts_panel(identity, title, reasons, whole=len(samples), what="problem"))
    optional = (_beam(task, samples), _official(task, samples), _equivalence(task, samples))
    return [*found, *(panel for panel in optional if panel)]


def _by_type(task: TaskRun, samples: Sequence[Sample]) -> Panel:
    known = [kind for kind in _TYPES if any(field(s.item, "type") == kind for s in samples)]
    groups = {"all problems": list(samples)} | {
        kind: [sample for sample in samples if field(sample.item, "type") == kind] for kind in known
    }
    counts = {name: _outcomes(group) for name, group in groups.items()}
    identity, title = panel_id(task, "types"), "Right, wrong and no result"
    right, total = counts["all problems"][RIGHT], len(samples)
    low, high = wilson(right, total)
    lead = (
        f"{counted(right, total)} of {many(total, 'problem')} are right, with a 95 % interval of "
        f"{between(low, high)} (Wilson). No result counts as wrong."
    )
    rows = [
        (
            name,
            f"{sum(parts.values()):,}",
            *(counted(count, sum(parts.values())) for count in parts.values()),
            between(*wilson(parts[RIGHT], sum(parts.values()))),
        )
        for name, parts in counts.items()
    ]
    columns = ("Type", "Problems", *(part.name for part in _ORDER.values()), "95 % interval")
    return Panel(
        id=identity,
        title=title,
        lead=lead,
        svg=stacked(counts, name=identity, title=title, description=lead),
        table=Table(title, columns, rows),
    )


def _outcomes(samples: Sequence[Sample]) -> dict[Part, int]:
    found = [outcome(sample.item) for sample in samples]
    return {part: found.count(name) for name, part in _ORDER.items()}


def _beam(task: TaskRun, samples: Sequence[Sample]) -> Panel | None:
    """Accuracy of the best 1, 2, … candidates; None where one was asked for."""
    size = max((int(number(sample.item, "beam") or 1) for sample in samples), default=1)
    if size == 1:
        return None
    ranks = [
        number(sample.item, "rank") or 0.0 for sample in samples if outcome(sample.item) == "right"
    ]
    points = [
        (k, PERCENT * sum(rank < k for rank in ranks) / len(samples)) for k in range(1, size + 1)
    ]
    identity, title = panel_id(task, "beam"), "Accuracy by the number of candidates"
    lead = (
        f"{points[0][1]:.1f} % with the first candidate alone, {points[-1][1]:.1f} % with all "
        f"{size}: the first candidate that matches any option decides."
    )
    return Panel(
        id=identity,
        title=title,
        lead=lead,
        svg=curve(points, along="candidates", name=identity, title=title, description=lead),
        table=Table(title, ("Candidates", "Accuracy"), [(f"{k}", f"{v:.1f} %") for k, v in points]),
        notes=["The options filter a beam: accuracies of different beam sizes do not compare."],
    )


def _official(task: TaskRun, samples: Sequence[Sample]) -> Panel | None:
    """The strict evaluation against the published one; None for the letter choice."""
    both = [
        (outcome(sample.item), _officially(official))
        for sample in samples
        if (official := sample.items.get("accuracy_official")) is not None
    ]
    if not both:
        return None
    names = {"strict": [mine for mine, _ in both], "published": [theirs for _, theirs in both]}
    counts = {
        name: {part: found.count(key) for key, part in _ORDER.items()}
        for name, found in names.items()
    }
    identity, title = panel_id(task, "official"), "Strict and published evaluation"
    differ = sum(mine != theirs for mine, theirs in both)
    lead = (
        f"They differ on {counted(differ, len(both))}: the published one takes a failed operator "
        "for 0, reads the last digit of an index, and lets the last matching option win."
    )
    rows = [
        (f"strict: {part.name}", *(f"{both.count((mine, theirs)):,}" for theirs in _ORDER))
        for mine, part in _ORDER.items()
    ]
    columns = ("", *(f"published: {part.name}" for part in _ORDER.values()))
    return Panel(
        id=identity,
        title=title,
        lead=lead,
        svg=stacked(counts, name=identity, title=title, description=lead),
        table=Table(title, columns, rows),
    )


def _officially(item: Mapping[str, object]) -> Outcome:
    if item.get("chosen") is None:
        return "no answer"
    return "right" if number(item, "score") else "wrong"


def _equivalence(task: TaskRun, samples: Sequence[Sample]) -> Panel | None:
    """How programs relate to the gold's; None where no row has a gold program."""
    known = [sample for sample in samples if "equivalence" in sample.item]
    if not known:
        return None
    counts = {
        part.name: {
            relation: sum(
                outcome(sample.item) == name and field(sample.item, "equivalence") == key
                for sample in known
            )
            for key, relation in _RELATIONS.items()
        }
        for name, part in _ORDER.items()
        if any(outcome(sample.item) == name for sample in known)
    }
    same = sum(field(sample.item, "equivalence") == "equivalent" for sample in known)
    identity, title = panel_id(task, "equivalence"), "Programs beside the gold's"
    lead = (
        f"{counted(same, len(known))} of {many(len(known), 'problem')} with a gold program are "
        "answered by its own formula."
    )
    rows = [
        (name, *(counted(count, sum(parts.values())) for count in parts.values()))
        for name, parts in counts.items()
    ]
    columns = ("Outcome", *(relation.name for relation in _RELATIONS.values()))
    return Panel(
        id=identity,
        title=title,
        lead=lead,
        svg=stacked(counts, name=identity, title=title, description=lead),
        table=Table(title, columns, rows),
        notes=["Right by another formula is luck, or another way to the answer."],
    )
