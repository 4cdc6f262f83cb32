"""WorldBench: what kept the strict reading from finding a letter, and whether the other one did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from lmms_eval_tasks.report.material.counting import (
    counts_panel,
    field,
    number,
    panel_id,
    words,
)
from lmms_eval_tasks.report.model import Panel, Table
from lmms_eval_tasks.results.run import Sample, TaskRun


def unread(task: TaskRun, samples: Sequence[Sample]) -> Panel | None:
    """The responses without an answer by reason; None where every one has an answer."""
    without = [sample for sample in samples if sample.item.get("outcome") == "no_answer"]
    if not without:
        return None
    reasons = Counter(words(field(sample.item, "reason")) for sample in without)
    read, right = Counter[str](), Counter[str]()
    for sample in without:
        normalised = sample.items.get("accuracy_normalised", {})
        reason = words(field(sample.item, "reason"))
        read[reason] += "chosen" in normalised
        right[reason] += bool(number(normalised, "score"))
    identity, title = panel_id(task, "unread"), "Why no answer is read"
    panel = counts_panel(identity, title, reasons, whole=len(samples), what="response")
    columns = ("Reason", "Responses", "Read by the normalised reading", "… and right")
    rows = [
        (reason, f"{count:,}", f"{read[reason]:,}", f"{right[reason]:,}")
        for reason, count in reasons.most_common()
    ]
    notes = [f"The normalised reading finds a letter in {read.total():,} of them."]
    return Panel(identity, title, panel.lead, panel.svg, Table(title, columns, rows), notes)
