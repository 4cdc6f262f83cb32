"""Numbers and reasons in words, and tables of counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeAlias

from lmms_eval_tasks.report.material.charts import Measured, measured
from lmms_eval_tasks.report.material.drawing import name_of
from lmms_eval_tasks.report.model import Panel, Table
from lmms_eval_tasks.results.run import Sample, TaskRun
from lmms_eval_tasks_core.intervals import Z_95, interval

Outcome: TypeAlias = Literal["right", "partly", "wrong", "no answer", "not judged"]
"""What became of a sample, in the words of a page."""

PERCENT = 100.0
FEWEST_CLUSTERS = 10
"""The fewest videos over which a standard error is made into an interval.

It is estimated from as many values as there are videos, and the normal quantile is too narrow for
fewer.
"""


def words(value: object) -> str:
    """A reason, a rule or a name as it is logged, in words: "no answer line"."""
    return str(value).replace("_", " ")


def field(item: Mapping[str, object], key: str) -> str:
    """A field of an item as text; "" where it is not there."""
    value = item.get(key)
    return "" if value is None else str(value)


def number(item: Mapping[str, object], key: str) -> float | None:
    """A field of an item as a number; None where it is none."""
    value = item.get(key)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value)


def plain_number(value: float) -> str:
    """A number with at most six digits and no zeros at its end."""
    return f"{value:.6g}"


def percent(part: float, whole: float) -> str:
    """A share as a percentage with one decimal; "–" of nothing."""
    return f"{PERCENT * part / whole:.1f} %" if whole else "–"


def counted(count: int, whole: int) -> str:
    """A count with its share."""
    return f"{count:,} ({percent(count, whole)})"


def many(count: int, what: str) -> str:
    """A count of things: "1 answer", "2 answers"."""
    return f"{count:,} {what if count == 1 else plural(what)}"


def plural(what: str) -> str:
    """The plural of a noun."""
    return f"{what}es" if what.endswith("s") else f"{what}s"


def wilson(right: int, total: int) -> tuple[float, float]:
    """The 95 % interval of an accuracy, in percent."""
    low, high = interval(right / total if total else 0.0, total)
    return PERCENT * low, PERCENT * high


def between(low: float, high: float) -> str:
    """An interval as text."""
    return f"[{low:.1f}, {high:.1f}]"


def clustered(
    value: float, stderr: float | None, clusters: int
) -> tuple[tuple[float, float] | None, str]:
    """The 95 % interval of a mean over questions that share videos.

    Args:
        value: The mean, 0 to 100.
        stderr: Its standard error over clusters, on the same scale.
        clusters: How many videos there are; 0 where that is not known.

    Returns:
        The interval, None where none can be defended, and the same in words.
    """
    if stderr is None or clusters == 0:
        return None, ""
    if clusters == 1:
        return None, " (a single video: no interval)"
    if stderr == 0:
        # Where all or none are right, this formula would claim to be certain.
        return None, " (all alike: no interval)"
    if clusters < FEWEST_CLUSTERS:
        return (
            None,
            f", standard error {stderr:.1f} over {clusters} videos: too few for an interval",
        )
    low, high = max(0.0, value - Z_95 * stderr), min(PERCENT, value + Z_95 * stderr)
    return (low, high), f" {between(low, high)}"


def asked_of(task: TaskRun) -> int:
    """How many samples a task asked: as many as it logged, else what the results file says.

    lmms-eval counts without ``--offset``, and writes a share where ``--limit`` was one.
    """
    if task.samples_file is None:
        return task.asked
    with task.samples_file.open("rb") as stream:
        return sum(1 for line in stream if line.strip())


def videos_of(samples: Iterable[Sample]) -> int:
    """How many videos the samples ask about."""
    return len({sample.item.get("video_idx") for sample in samples})


def reasons_of(samples: Iterable[Sample], outcome: str) -> Counter[str]:
    """The reasons of an outcome, in words, with their counts."""
    return Counter(
        words(field(sample.item, "reason") or "no reason given")
        for sample in samples
        if sample.item.get("outcome") == outcome
    )


def listed(counts: Mapping[str, int]) -> str:
    """Counts in one line, the largest first: "timeout 3, refused 1"."""
    ordered = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    return ", ".join(f"{name} {count:,}" for name, count in ordered)


def panel_id(task: TaskRun, name: str) -> str:
    """A panel's id, unique in the page because a task's name is unique in its run."""
    return name_of(task.name, name)


def counts_panel(
    identity: str,
    title: str,
    counts: Mapping[str, int],
    *,
    whole: int,
    what: str,
    notes: Sequence[str] = (),
) -> Panel:
    """A panel of counts, the largest first.

    Args:
        identity: The panel's id.
        title: What is counted.
        counts: Each name with its count; at least one.
        whole: Of how many.
        what: What these are, in the singular: "answer".
        notes: Remarks under the chart.
    """
    ordered = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    lead = f"{many(sum(counts.values()), what)} of {whole:,}: {listed(counts)}."
    entries = [
        Measured(name, PERCENT * count / whole if whole else None, counted(count, whole))
        for name, count in ordered
    ]
    return Panel(
        id=identity,
        title=title,
        lead=lead,
        svg=measured(entries, name=identity, title=title, description=lead),
        table=Table(
            caption=title,
            columns=("Reason", plural(what).capitalize(), "Share"),
            rows=[(name, f"{count:,}", percent(count, whole)) for name, count in ordered],
        ),
        notes=notes,
    )
