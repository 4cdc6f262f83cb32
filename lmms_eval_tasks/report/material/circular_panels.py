"""WorldQA, multiple choice: the charts of a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from string import ascii_uppercase

from lmms_eval_tasks.report.material.charts import (
    NO_ANSWER,
    NOT_JUDGED,
    RIGHT,
    Measured,
    Part,
    measured,
    stacked,
)
from lmms_eval_tasks.report.material.counting import (
    PERCENT,
    clustered,
    field,
    listed,
    panel_id,
    percent,
    videos_of,
    words,
)
from lmms_eval_tasks.report.material.drawing import ACCENT
from lmms_eval_tasks.report.model import Panel, Table
from lmms_eval_tasks.results.run import Sample, TaskRun
from lmms_eval_tasks_core.circular_metrics import at_least, circular_acc, position_bias

_GUESSING = "blind guessing"
_RULE = Part("a rule", "✓", RIGHT.colour)
_MATCHER = Part("the matcher", "≈", ACCENT)
_UNDECIDED = Part("undecided", NO_ANSWER.glyph, NO_ANSWER.colour)


def accuracies(task: TaskRun, samples: Sequence[Sample]) -> Panel:
    """Strict accuracy beside the mean over passes, each with what blind guessing gives."""
    items, judged = [sample.item for sample in samples], _judged(samples)
    right = sum(bool(item.get("right")) for item in judged)
    first = [item for item in judged if item.get("pass") == 0]
    first_right = sum(bool(item.get("right")) for item in first)
    sizes = list({item.get("group"): _passes(item) for item in items}.values())
    guessed = sum(1 / size for size in sizes) / len(sizes) if sizes else 0.0
    guessed_all = sum((1 / size) ** size for size in sizes) / len(sizes) if sizes else 0.0
    values = (
        ("circular_acc", "all orders right", circular_acc(items), guessed_all),
        ("mean_acc", "mean over passes", right / len(judged) if judged else 0.0, guessed),
        ("first_pass_acc", "first pass alone", first_right / len(first) if first else 0.0, guessed),
    )
    clusters, entries, rows = videos_of(samples), [], []
    for metric, label, value, guess in values:
        stderr = task.stderrs.get(metric)
        scaled = None if stderr is None else PERCENT * stderr
        bounds, _ = clustered(PERCENT * value, scaled, clusters)
        low, high = bounds or (None, None)
        text = f"{PERCENT * value:.1f} %"
        marks = {_GUESSING: PERCENT * guess}
        entries.append(Measured(label, PERCENT * value, text, low, high, marks))
        shown = f"{low:.1f} to {high:.1f}" if low is not None and high is not None else "–"
        rows.append((label, text, shown, f"{PERCENT * guess:.2f} %"))
    identity, title = panel_id(task, "accuracies"), "All orders right, and mean over passes"
    lead = (
        "Every question is asked once per option, with the options moved on by one. “All orders "
        "right” counts questions: one is right only if all its passes are. “Mean over passes” "
        "counts every pass alone. The two are different metrics: compare each with its own kind "
        "only."
    )
    return Panel(
        id=identity,
        title=title,
        lead=lead,
        svg=measured(entries, name=identity, title=title, description=lead),
        table=Table(title, ("Measure", "Accuracy", "95 % interval", "Blind guessing"), rows),
    )


def ladder(task: TaskRun, samples: Sequence[Sample]) -> Panel:
    """How many questions have at least so many passes right."""
    items = [sample.item for sample in samples]
    most = max((_passes(item) for item in items), default=1)
    values = [(right, PERCENT * at_least(right)(items)) for right in range(1, most + 1)]
    identity, title = panel_id(task, "ladder"), "At least so many passes right"
    lead = "Complete questions by the number of their passes that are right; the last is strict."
    entries = [Measured(f"at least {j} of {most}", value, f"{value:.1f} %") for j, value in values]
    notes = ["A question with fewer options needs all of its own passes."]
    return Panel(
        id=identity,
        title=title,
        lead=lead,
        svg=measured(entries, name=identity, title=title, description=lead),
        table=Table(
            title, ("Passes right", "Questions"), [(f"≥ {j}", f"{v:.1f} %") for j, v in values]
        ),
        notes=notes,
    )


def positions(task: TaskRun, samples: Sequence[Sample]) -> Panel:
    """Accuracy by the position of the right option."""
    asked, right = Counter[object](), Counter[object]()
    for item in _judged(samples):
        asked[item.get("right_position")] += 1
        right[item.get("right_position")] += bool(item.get("right"))
    letters = _letters(asked)
    identity = panel_id(task, "positions")
    title = "Accuracy by the position of the right option"
    rows = [
        (letter, f"{asked[at]:,}", f"{right[at]:,}", percent(right[at], asked[at]))
        for at, letter in letters
    ]
    lead = "How often the model is right where the right option stands at A, B, C, …"
    entries = [
        Measured(f"right option at {letter}", _share(right[at], asked[at]), f"{share} of {count}")
        for (at, letter), (_, count, _, share) in zip(letters, rows, strict=True)
    ]
    return Panel(
        id=identity,
        title=title,
        lead=lead,
        svg=measured(entries, name=identity, title=title, description=lead),
        table=Table(title, ("Position", "Passes", "Right", "Accuracy"), rows),
    )


def choices(task: TaskRun, samples: Sequence[Sample]) -> Panel:
    """The positions that were chosen, beside those where the right option stands."""
    decided = [item for item in _judged(samples) if item.get("chosen_position") is not None]
    chosen = Counter(item["chosen_position"] for item in decided)
    right = Counter(item.get("right_position") for item in decided)
    letters, whole = _letters(chosen | right), len(decided)
    identity, title = panel_id(task, "choices"), "Positions chosen, and where the right option is"
    lead = (
        f"Position bias {position_bias(decided):.3f} over the {whole:,} passes with a choice (0: "
        "positions are chosen as often as they are right; 1: never)."
    )
    entries = [
        Measured(
            f"chosen: {letter}",
            _share(chosen[at], whole),
            percent(chosen[at], whole),
            marks={"right option there": _share(right[at], whole) or 0.0},
        )
        for at, letter in letters
    ]
    rows = [
        (letter, *(text for n in (chosen[at], right[at]) for text in (f"{n:,}", percent(n, whole))))
        for at, letter in letters
    ]
    columns = ("Position", "Chosen", "Share of choices", "Right there", "Share of right options")
    return Panel(
        id=identity,
        title=title,
        lead=lead,
        svg=measured(entries, name=identity, title=title, description=lead),
        table=Table(title, columns, rows),
    )


def found_by(task: TaskRun, samples: Sequence[Sample]) -> Panel:
    """What found the choice in each pass: a rule, the matcher, or nothing."""
    rules = Counter(field(s.item, "rule") for s in samples if s.item.get("outcome") == "scored")
    outcomes = Counter(sample.item.get("outcome") for sample in samples)
    matched = rules.pop("matcher", 0)
    parts = {
        _RULE: rules.total(),
        _MATCHER: matched,
        _UNDECIDED: outcomes["no_answer"],
        NOT_JUDGED: len(samples) - outcomes["scored"] - outcomes["no_answer"],
    }
    identity, title, whole = panel_id(task, "found-by"), "What found the choice", len(samples)
    by_rule = listed({words(rule): count for rule, count in rules.items()}) or "none"
    lead = f"Choices found by a rule: {by_rule}; by the matcher: {matched:,}."
    rows = [
        *((f"rule: {words(rule)}", count) for rule, count in rules.most_common()),
        *((part.name, count) for part, count in parts.items() if part is not _RULE),
    ]
    return Panel(
        id=identity,
        title=title,
        lead=lead,
        svg=stacked({"all passes": parts}, name=identity, title=title, description=lead),
        table=Table(
            title,
            ("Found by", "Passes", "Share"),
            [(name, f"{count:,}", percent(count, whole)) for name, count in rows],
        ),
    )


def _share(part: int, whole: int) -> float | None:
    return PERCENT * part / whole if whole else None


def _letters(positions: Mapping[object, int]) -> list[tuple[int, str]]:
    found = sorted(at for at in positions if isinstance(at, int))
    return [(at, ascii_uppercase[at]) for at in found]


def _passes(item: Mapping[str, object]) -> int:
    passes = item.get("passes")
    return passes if isinstance(passes, int) and passes > 0 else 1


def _judged(samples: Sequence[Sample]) -> list[Mapping[str, object]]:
    return [sample.item for sample in samples if sample.item.get("outcome") != "not_judged"]
