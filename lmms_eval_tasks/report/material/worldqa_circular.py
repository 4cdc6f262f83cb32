"""WorldQA, multiple choice: strict and mean accuracy, positions, and how choices were found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lmms_eval_tasks.report.material.asked import apart, told_apart
from lmms_eval_tasks.report.material.circular_panels import (
    accuracies,
    choices,
    found_by,
    ladder,
    positions,
)
from lmms_eval_tasks.report.material.counting import (
    PERCENT,
    Outcome,
    clustered,
    counts_panel,
    field,
    many,
    panel_id,
    reasons_of,
    videos_of,
    words,
)
from lmms_eval_tasks.report.model import Fact, Panel, SampleView
from lmms_eval_tasks.results.run import Sample, TaskRun
from lmms_eval_tasks_core.circular_metrics import incomplete_groups


def headline(task: TaskRun) -> list[Fact]:
    """Both accuracies with their intervals, and the strict one's bounds where a pass is missing."""
    clusters = videos_of(task.samples()) if task.samples_file else 0
    facts = [
        fact
        for metric, label in (
            ("circular_acc", "Questions right in every order (CircularEval)"),
            ("mean_acc", "Mean over passes"),
            ("first_pass_acc", "First pass alone"),
        )
        if (fact := _accuracy(task, metric, label, clusters))
    ]
    if not facts:
        return [Fact("Accuracy", "not in the results file", "warn")]
    if open_ones := task.metrics.get("incomplete_groups", 0.0):
        low, high = task.metrics.get("circular_lower", 0.0), task.metrics.get("circular_upper", 1.0)
        text = (
            f"{PERCENT * low:.1f} % to {PERCENT * high:.1f} %, if none or all of the "
            f"{many(int(open_ones), 'question')} with a pass missing or not judged were right"
        )
        facts.append(Fact("Bounds", text, "warn"))
    return facts


def cautions(samples: Sequence[Sample]) -> list[Fact]:
    """What else a reader must know: a question that lacks a pass is in no strict number."""
    items = [sample.item for sample in samples]
    lacking = int(incomplete_groups(items))
    if not lacking:
        return []
    groups = len({item.get("group") for item in items})
    text = (
        f"{many(lacking, 'question')} of {groups:,} lack a pass, or have one that is not judged: "
        "the strict accuracy leaves them out."
    )
    return [Fact("Incomplete questions", text, "bad" if lacking == groups else "warn")]


def panels(task: TaskRun, samples: Sequence[Sample]) -> list[Panel]:
    """The accuracies, the ladder between them, positions, and how choices were found."""
    found = [
        accuracies(task, samples),
        ladder(task, samples),
        positions(task, samples),
        choices(task, samples),
        found_by(task, samples),
    ]
    for outcome, title in (
        ("no_answer", "Why passes are undecided"),
        ("not_judged", "Why passes are not judged"),
    ):
        if reasons := reasons_of(samples, outcome):
            identity, whole = panel_id(task, outcome), len(samples)
            found.append(counts_panel(identity, title, reasons, whole=whole, what="pass"))
    return found


def view(task: TaskRun, sample: Sample) -> SampleView:
    """One pass of a question."""
    item, asked = sample.item, apart(sample.prompt)
    response, reasoning = told_apart(sample)
    right = field(item, "right_answer") or sample.target
    verdict = {
        "found by": words(field(item, "rule")),
        "matcher": field(item, "matcher"),
        "matcher's version": field(item, "matcher_version"),
        "trouble": field(item, "trouble") or field(item, "failure"),
    }
    return SampleView(
        key=f"{task.name}/{sample.doc_id}",
        task=task.name,
        id=sample.id,
        outcome=_outcome(item),
        reason=words(field(item, "reason")),
        facets={
            "video": field(item, "video_idx"),
            "question": field(item, "group"),
            "pass": f"{_pass_number(item)} of {field(item, 'passes')}",
            "right option at": right,
            "found by": words(field(item, "rule")) or "–",
        },
        question=asked.question,
        options=asked.options,
        right=right,
        answer=field(item, "chosen"),
        response=response,
        reasoning=reasoning,
        steps=asked.steps(),
        verdict={name: text for name, text in verdict.items() if text},
        pictures=(),
        picture_note="",
    )


def _accuracy(task: TaskRun, metric: str, label: str, clusters: int) -> Fact | None:
    value = task.metrics.get(metric)
    if value is None:
        return None
    stderr = task.stderrs.get(metric)
    scaled = None if stderr is None else PERCENT * stderr
    _, interval = clustered(PERCENT * value, scaled, clusters)
    return Fact(label, f"{PERCENT * value:.1f} %{interval}")


def _outcome(item: Mapping[str, object]) -> Outcome:
    if item.get("outcome") != "scored":
        return "no answer" if item.get("outcome") == "no_answer" else "not judged"
    return "right" if item.get("right") else "wrong"


def _pass_number(item: Mapping[str, object]) -> int:
    """The number of a pass as readers count, from 1."""
    number = item.get("pass")
    return number + 1 if isinstance(number, int) else 1
