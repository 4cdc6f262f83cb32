"""From a run to the parts of its report, one task after the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from lmms_eval_tasks.report.document import Document, TaskSection, in_order
from lmms_eval_tasks.report.material.facts import cautions, headline
from lmms_eval_tasks.report.material.panels import panels
from lmms_eval_tasks.report.material.pictures import USED_UP, Pictures
from lmms_eval_tasks.report.material.views import view
from lmms_eval_tasks.report.model import Fact, SampleView
from lmms_eval_tasks.report.selection import chosen, shares
from lmms_eval_tasks.report.shrinking import fitted
from lmms_eval_tasks.results.run import Kind, Run, Sample, TaskRun

MOST_SAMPLES = 1_000
_PICTURE_BYTES = 3_000
"""What a page may spend on the pictures of a sample, so that 1,000 of them stay below 5 MB."""
_GOLDEN = (5**0.5 - 1) / 2
_MADE_LARGER = 6
"""How much more room pictures may take before they are made to fit into the page."""
NO_PICTURES = "left out: --no-pictures"

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a reader wants of a report.

    Attributes:
        most_samples: How many samples the page may show; charts and numbers are about all.
        with_pictures: Whether it shows small pictures.
    """

    most_samples: int = MOST_SAMPLES
    with_pictures: bool = True


def built(run: Run, wishes: Wishes, progress: Progress = lambda _: None) -> Document:
    """Read the samples of a run, and make all that its page shows.

    Args:
        run: The run.
        wishes: What the page is to hold.
        progress: Is told what is done next, in a few words.

    Raises:
        RunError: The logged samples of a task cannot be read; it names the file and the line.
    """
    tasks = list(run.tasks.values())
    places = shares([_lines(task) for task in tasks], wishes.most_samples)
    budget = _PICTURE_BYTES * max(MOST_SAMPLES, wishes.most_samples) * wishes.with_pictures
    sections = []
    for task, most in zip(tasks, places, strict=True):
        room = _Room(most, budget * most // max(1, sum(places)))
        sections.append(_section(task, room, progress))
    return Document(run, sections)


@dataclass(frozen=True, slots=True)
class _Room:
    """What a task may take of the page: samples, and characters of pictures."""

    samples: int
    picture_bytes: int


def _section(task: TaskRun, room: _Room, progress: Progress) -> TaskSection:
    progress(f"{task.name}: reading samples")
    samples = list(task.samples()) if task.samples_file else []
    # A view is made twice rather than kept: of a large run, the page shows a part.
    strata = [_stratum(view(task, sample)) for sample in samples]
    selected = [samples[position] for position in chosen(strata, room.samples)]
    progress(f"{task.name}: drawing charts")
    drawn = panels(task, samples)
    warned = cautions(task, samples) if samples else [_no_samples(task)]
    views = [view(task, sample) for sample in selected]
    progress(f"{task.name}: making small pictures")
    return TaskSection(
        name=task.name,
        headline=headline(task),
        cautions=warned,
        panels=drawn,
        outcomes=in_order(Counter(outcome for outcome, *_ in strata)),
        samples_file=task.samples_file.name if task.samples_file else "",
        views=_with_pictures(task, selected, views, room.picture_bytes),
        unit="passes" if task.kind is Kind.CIRCULAR else "samples",
    )


def _stratum(seen: SampleView) -> tuple[str, ...]:
    """What makes samples alike: outcome, reason, and the first thing they can be filtered by."""
    return (seen.outcome, seen.reason, next(iter(seen.facets.values()), ""))


def _with_pictures(
    task: TaskRun, samples: Sequence[Sample], views: Sequence[SampleView], budget: int
) -> list[SampleView]:
    if not budget:
        return [replace(one, picture_note=NO_PICTURES) for one in views]
    pictures = Pictures(task, _MADE_LARGER * budget)
    pictures.prepare(_scattered(samples))
    found = [pictures.of(sample) for sample in samples]
    shown = fitted((uri for uris, _ in found for uri in uris), budget)
    return [
        replace(
            one,
            pictures=[shown[uri] for uri in uris if uri in shown],
            picture_note=note if all(uri in shown for uri in uris) else USED_UP,
        )
        for one, (uris, note) in zip(views, found, strict=True)
    ]


def _scattered(samples: Sequence[Sample]) -> list[Sample]:
    """The samples so that the first of them, how many there be, lie all over the run.

    The first ones get pictures if there is no room for all, and data are often sorted.
    """
    places = sorted(range(len(samples)), key=lambda place: place * _GOLDEN % 1.0)
    return [samples[place] for place in places]


def _no_samples(task: TaskRun) -> Fact:
    text = f"The run logged no samples of {task.name}: run it again with --log_samples."
    return Fact("No samples", text, "bad")


def _lines(task: TaskRun) -> int:
    """How many samples a task has logged, without reading them."""
    if task.samples_file is None:
        return 0
    with task.samples_file.open("rb") as stream:
        return sum(1 for line in stream if line.strip())
