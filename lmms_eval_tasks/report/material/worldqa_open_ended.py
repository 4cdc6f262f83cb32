"""WorldQA, free answers: the score, the five grades, and each answer with its verdict."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from lmms_eval_tasks.report.material.asked import apart, told_apart
from lmms_eval_tasks.report.material.charts import (
    NO_ANSWER,
    NOT_JUDGED,
    RIGHT,
    WRONG,
    Measured,
    Part,
    measured,
    stacked,
)
from lmms_eval_tasks.report.material.counting import (
    Outcome,
    clustered,
    counted,
    counts_panel,
    field,
    many,
    number,
    panel_id,
    percent,
    reasons_of,
    videos_of,
    words,
)
from lmms_eval_tasks.report.model import Fact, Panel, SampleView, Table
from lmms_eval_tasks.results.run import Sample, TaskRun
from lmms_eval_tasks.worldqa.rubric import GRADES
from lmms_eval_tasks_core.aggregate import mean_score

_FULL_MARKS = 100.0
_MOST_VIDEOS_DRAWN = 12
_UNNAMED = "unnamed"
_HALF = "var(--partly, #8a6508)"
_PARTS = {
    "correct": Part("correct", RIGHT.glyph, RIGHT.colour),
    "redundant": Part("redundant", "+", "var(--redundant, #5f7411)"),
    "incomplete": Part("incomplete", "½", _HALF),
    _UNNAMED: Part("half, unnamed", "·", "var(--unnamed, #7a6a3a)"),
    "partly_contradicting": Part("partly contradicting", "≠", "var(--contradicting, #a04c12)"),
    "incorrect": Part("incorrect", WRONG.glyph, WRONG.colour),
    "no_answer": NO_ANSWER,
    "not_judged": NOT_JUDGED,
}
_POINTS = {grade.name: grade.points for grade in GRADES} | {_UNNAMED: 0.5, "no_answer": 0.0}


def headline(task: TaskRun) -> list[Fact]:
    """The score with its interval, and its bounds where an answer is not judged."""
    score = task.metrics.get("open_ended_score")
    if score is None:
        return [Fact("Score", "not in the results file", "warn")]
    clusters = videos_of(task.samples()) if task.samples_file else 0
    _, words_of_interval = clustered(score, task.stderrs.get("open_ended_score"), clusters)
    facts = [Fact("Score", f"{score:.1f} of 100{words_of_interval}")]
    if task.metrics.get("judged_rate", 1.0) < 1.0:
        low, high = task.metrics.get("score_lower", 0.0), task.metrics.get("score_upper", 100.0)
        text = f"{low:.1f} to {high:.1f}, if all answers without a verdict were worth 0, or 100"
        facts.append(Fact("Bounds", text, "warn"))
    return facts


def cautions(samples: Sequence[Sample]) -> list[Fact]:
    """What else a reader must know: an answer may have been judged by another judge than most."""
    judges = Counter(field(sample.item, "judge") for sample in samples if "judge" in sample.item)
    if len(judges) > 1:
        named = ", ".join(f"{name} {count:,}" for name, count in judges.most_common())
        return [Fact("Several judges", f"The verdicts are not one judge's: {named}.", "bad")]
    return []


def panels(task: TaskRun, samples: Sequence[Sample]) -> list[Panel]:
    """The grades, the score by video, and why answers have no grade."""
    found = [_grades(task, samples)]
    for outcome, title in (
        ("no_answer", "Why there is no answer"),
        ("not_judged", "Why answers are not judged"),
    ):
        reasons = reasons_of(samples, outcome)
        if reasons:
            identity = panel_id(task, outcome)
            whole = len(samples)
            found.append(counts_panel(identity, title, reasons, whole=whole, what="answer"))
    by_video = _videos(task, samples)
    return [*found, by_video] if by_video else found


def view(task: TaskRun, sample: Sample) -> SampleView:
    """One answer with its verdict."""
    item, asked = sample.item, apart(sample.prompt)
    response, reasoning = told_apart(sample)
    return SampleView(
        key=f"{task.name}/{sample.doc_id}",
        task=task.name,
        id=sample.id,
        outcome=_outcome(sample),
        reason=words(field(item, "reason")),
        facets={"video": field(item, "video_idx"), "grade": words(_grade(sample))},
        question=asked.question,
        options=asked.options,
        right=sample.target,
        answer="",
        response=response,
        reasoning=reasoning,
        steps=asked.steps(),
        verdict=_verdict(sample),
        pictures=(),
        picture_note="",
    )


def _grade(sample: Sample) -> str:
    """The grade of an answer; where it has none, its outcome."""
    if sample.item.get("outcome") != "scored":
        return "no_answer" if sample.item.get("outcome") == "no_answer" else "not_judged"
    grade = field(sample.item, "grade")
    return grade if grade in _PARTS else _UNNAMED


def _outcome(sample: Sample) -> Outcome:
    if sample.item.get("outcome") != "scored":
        return "no answer" if _grade(sample) == "no_answer" else "not judged"
    score = number(sample.item, "score") or 0.0
    return "right" if score >= _FULL_MARKS else "partly" if score > 0 else "wrong"


def _verdict(sample: Sample) -> dict[str, str]:
    item = sample.item
    score = number(item, "score")
    shown = {
        "grade": words(field(item, "grade")),
        "points": "" if score is None else f"{score:g} of 100",
        "rationale": field(item, "rationale"),
        "judge": field(item, "judge"),
        "rubric": field(item, "rubric_version"),
        "reused": "the verdict was there already" if item.get("reused") else "",
        "trouble": field(item, "trouble") or field(item, "failure"),
    }
    return {name: text for name, text in shown.items() if text}


def _grades(task: TaskRun, samples: Sequence[Sample]) -> Panel:
    counts = Counter(_grade(sample) for sample in samples)
    identity, title, whole = panel_id(task, "grades"), "Grades", len(samples)
    named = {part: counts[grade] for grade, part in _PARTS.items()}
    scored = [sample.item for sample in samples]
    lead = (
        f"Mean {mean_score(scored):.1f} of 100 over {many(whole - counts['not_judged'], 'answer')};"
        f" {counted(counts['correct'], whole)} of {whole:,} are correct in full."
    )
    worth = {grade: f"{points:g}" for grade, points in _POINTS.items()}
    rows = [
        (part.name, worth.get(grade, "–"), f"{counts[grade]:,}", percent(counts[grade], whole))
        for grade, part in _PARTS.items()
        if counts[grade] or grade != _UNNAMED
    ]
    notes = ["No answer counts as 0. An answer that is not judged counts in no mean."]
    return Panel(
        id=identity,
        title=title,
        lead=lead,
        svg=stacked({"all answers": named}, name=identity, title=title, description=lead),
        table=Table(title, ("Grade", "Points", "Answers", "Share"), rows),
        notes=notes,
    )


def _videos(task: TaskRun, samples: Sequence[Sample]) -> Panel | None:
    """The score by video, the lowest first; None for a single video."""
    by_video: dict[str, list[Sample]] = defaultdict(list)
    for sample in samples:
        by_video[field(sample.item, "video_idx")].append(sample)
    if len(by_video) < 2:  # noqa: PLR2004 - one video has nothing to be compared with
        return None
    scores = {
        name: mean_score([sample.item for sample in group])
        for name, group in by_video.items()
        if any("score" in sample.item for sample in group)
    }
    ordered = sorted(scores.items(), key=lambda entry: (entry[1], entry[0]))
    identity, title = panel_id(task, "videos"), "Score by video"
    lead = f"{len(by_video):,} videos, from the lowest score to the highest."
    entries = [
        Measured(name, score, f"{score:.1f} · {many(len(by_video[name]), 'answer')}")
        for name, score in ordered
    ]
    draw = len(entries) <= _MOST_VIDEOS_DRAWN
    return Panel(
        id=identity,
        title=title,
        lead=lead,
        svg=measured(entries, name=identity, title=title, description=lead) if draw else None,
        table=Table(
            title,
            ("Video", "Answers", "Score"),
            [(name, f"{len(by_video[name]):,}", f"{score:.1f}") for name, score in ordered],
        ),
        notes=["Few answers stand behind each: a place in this order is no ranking of videos."],
    )
