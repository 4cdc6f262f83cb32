"""One task in two runs, question by question."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from lmms_eval_tasks.compare.answers import MEASURES, Answer, Measure, Question
from lmms_eval_tasks.compare.conditions import Condition, Side, conditions
from lmms_eval_tasks.compare.statistics import Difference, Pair, difference


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a breakdown: the passes, answers or questions of one level."""

    by: str
    level: str
    difference: Difference


@dataclass(frozen=True, slots=True)
class Flip:
    """A question whose value differs.

    Attributes:
        question: The question, as the first run has it.
        a: What became of it in the first run.
        b: What became of it in the other.
        response_a: What the model of the first run said.
        response_b: What the model of the other said.
    """

    question: Question
    a: Answer
    b: Answer
    response_a: str
    response_b: str

    @property
    def id(self) -> str:
        """The question's id."""
        return self.question.id

    @property
    def gain(self) -> float:
        """How much higher its value in B is."""
        return (self.b.value or 0.0) - (self.a.value or 0.0)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A question that is not compared, or compared with a reserve, because of one run.

    Attributes:
        run: "A" or "B".
        id: The question.
        reason: Why.
    """

    run: str
    id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Compared:
    """One measure of a task in two runs.

    Attributes:
        measure: The metric.
        overall: Over all questions both runs have a value for; None where there is none.
        corrected_p: p after Holm's correction, where several runs are compared with the first.
        unjudged: Questions that are not compared, since a run has no value for them.
        failed: Compared questions whose request failed in a run, where it counts as wrong.
        without_failed: The difference without these; None where there are none, or nothing else.
        lines: The breakdowns.
        flips: Questions whose value differs, the largest differences first.
        reported_a: The metric as run A reports it, over all of its own questions.
        reported_b: The same of run B.
    """

    measure: Measure
    overall: Difference | None
    corrected_p: float | None
    unjudged: Sequence[LeftOut]
    failed: Sequence[LeftOut]
    without_failed: Difference | None
    lines: Sequence[Line]
    flips: Sequence[Flip]
    reported_a: float | None
    reported_b: float | None


@dataclass(frozen=True, slots=True)
class TaskComparison:
    """One task in two runs.

    Attributes:
        task: Its name; both, where they differ.
        a: The label of the first run.
        b: The label of the other.
        cluster: What standard errors are clustered by: "video", or "question".
        conditions: What differs besides the answers.
        only_a: Questions that only the first run has.
        only_b: Questions that only the other has.
        measures: The comparisons.
    """

    task: str
    a: str
    b: str
    cluster: str
    conditions: Sequence[Condition]
    only_a: Sequence[str]
    only_b: Sequence[str]
    measures: Sequence[Compared]


def compare_task(a: Side, b: Side, label_a: str, label_b: str) -> TaskComparison:
    """Compare a task in two runs, over the questions that both have.

    Whether the runs may be compared at all stands in the result's conditions.
    """
    ours, theirs = a.answered.questions, b.answered.questions
    shared = sorted(ours.keys() & theirs.keys())
    key = a.task.config.get("cluster_key")
    cluster = "question" if not isinstance(key, str) else key.removesuffix("_idx")
    both = [(ours[name], theirs[name]) for name in shared]
    names = dict.fromkeys((a.task.name, b.task.name))
    return TaskComparison(
        task=" / ".join(names),
        a=label_a,
        b=label_b,
        cluster=cluster,
        conditions=conditions(a, b),
        only_a=sorted(ours.keys() - theirs.keys()),
        only_b=sorted(theirs.keys() - ours.keys()),
        measures=[
            _compared(measure, both, cluster, a, b)
            for measure in MEASURES[a.task.kind]
            if any(
                measure.metric in question.answers
                for question in chain(ours.values(), theirs.values())
            )
        ],
    )


def _compared(
    measure: Measure,
    both: Sequence[tuple[Question, Question]],
    cluster: str,
    a: Side,
    b: Side,
) -> Compared:
    metric = measure.metric
    judged = [
        pair for pair in both if all(_value(question, metric) is not None for question in pair)
    ]
    answering = [pair for pair in judged if not any(question.request_failed for question in pair)]
    overall = _difference(judged, measure, cluster)
    return Compared(
        measure=measure,
        overall=overall,
        corrected_p=None,
        unjudged=[*_unjudged(both, metric)],
        failed=[*_failed(judged)],
        without_failed=(
            _difference(answering, measure, cluster) if len(answering) < len(judged) else None
        ),
        lines=_lines(judged, measure, cluster),
        flips=_flips(judged, metric),
        reported_a=a.task.metrics.get(metric),
        reported_b=b.task.metrics.get(metric),
    )


def _value(question: Question, metric: str) -> float | None:
    answer = question.answers.get(metric)
    return None if answer is None else answer.value


def _difference(
    both: Iterable[tuple[Question, Question]], measure: Measure, cluster: str
) -> Difference | None:
    values = [
        Pair(
            a.answers[measure.metric].value or 0.0,
            b.answers[measure.metric].value or 0.0,
            a.cluster,
        )
        for a, b in both
    ]
    return difference(
        values, measure.full_marks, right_or_wrong=measure.right_or_wrong, cluster=cluster
    )


def _unjudged(both: Iterable[tuple[Question, Question]], metric: str) -> Iterator[LeftOut]:
    for pair in both:
        for run, question in zip("AB", pair, strict=True):
            answer = question.answers.get(metric)
            if answer is None or answer.value is None:
                yield LeftOut(run, question.id, answer.reason if answer else "no such metric")


def _failed(judged: Iterable[tuple[Question, Question]]) -> Iterator[LeftOut]:
    for pair in judged:
        for run, question in zip("AB", pair, strict=True):
            if question.request_failed:
                yield LeftOut(run, question.id, "request_failed")


def _lines(
    judged: Iterable[tuple[Question, Question]], measure: Measure, cluster: str
) -> list[Line]:
    levels: dict[tuple[str, str], list[Pair]] = {}
    for a, b in judged:
        theirs = {
            (part.by, part.level, part.key): part.value for part in b.answers[measure.metric].parts
        }
        for part in a.answers[measure.metric].parts:
            other = theirs.get((part.by, part.level, part.key))
            if part.value is not None and other is not None:
                pair = Pair(part.value, other, a.cluster)
                levels.setdefault((part.by, part.level), []).append(pair)
    return [*_differences(levels, measure, cluster)]


def _differences(
    levels: Mapping[tuple[str, str], Sequence[Pair]], measure: Measure, cluster: str
) -> Iterator[Line]:
    # Grades come in their order of worth, everything else by name.
    for by, level in sorted(levels, key=lambda line: (line[0], line[1] * (line[0] != "grade"))):
        pairs = levels[by, level]
        found = difference(pairs, measure.full_marks, right_or_wrong=True, cluster=cluster)
        if found is not None and (level != "unnamed" or found.a or found.b):
            yield Line(by, level, found)


def _flips(judged: Iterable[tuple[Question, Question]], metric: str) -> list[Flip]:
    flips = [
        Flip(a, a.answers[metric], b.answers[metric], a.response, b.response)
        for a, b in judged
        if a.answers[metric].value != b.answers[metric].value
    ]
    return sorted(flips, key=lambda flip: (-abs(flip.gain), flip.id))
