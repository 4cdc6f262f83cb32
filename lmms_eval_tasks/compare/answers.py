"""What one run answered, question by question, in the terms in which runs are compared."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b

from lmms_eval_tasks.results.run import Kind, Sample

_HEAD, _TAIL = 300, 700


@dataclass(frozen=True, slots=True)
class Measure:
    """A metric that has a value for each question.

    Attributes:
        metric: Its name in lmms-eval.
        full_marks: The value of a perfect answer: 100 for percentages and points, 1 for shares.
        right_or_wrong: Whether a question has full marks or nothing.
    """

    metric: str
    full_marks: float
    right_or_wrong: bool = True


MEASURES: Mapping[Kind, tuple[Measure, ...]] = {
    Kind.OPEN_ENDED: (Measure("open_ended_score", 100.0, right_or_wrong=False),),
    Kind.CIRCULAR: (Measure("circular_acc", 1.0),),
    Kind.WORLDBENCH: (Measure("accuracy", 100.0), Measure("accuracy_normalised", 100.0)),
    Kind.GEOQA: (Measure("accuracy", 100.0), Measure("accuracy_official", 100.0)),
}


@dataclass(frozen=True, slots=True)
class Part:
    """What a question adds to one line of a breakdown; it has full marks or nothing.

    Attributes:
        by: What is broken down by: "domain", "type", "grade", …
        level: The line: a domain, a type, a grade, …
        key: Tells apart the parts a question has in one line.
        value: On the scale of the measure; None where there is none.
    """

    by: str
    level: str
    key: str
    value: float | None


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of one question under one measure.

    Attributes:
        value: On the scale of the measure; None for a question nobody judged.
        outcome: "scored", "no_answer", "not_judged", or "incomplete" where a pass is missing.
        reason: Why there is no answer or no verdict; "" else.
        said: What the answer came to, in a few words: a letter, a grade, a program.
        parts: What it adds to breakdowns.
    """

    value: float | None
    outcome: str
    reason: str
    said: str
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """One question in one run.

    Attributes:
        id: Its id; of CircularEval the group's.
        cluster: What it shares with other questions (the video), or its own id.
        asked: A digest of what was asked and of the right answer, for each pass.
        prompt: What was asked, of CircularEval in the first pass; long ones without their middle.
        right: The right answer; of CircularEval that of each pass.
        request_failed: Whether the model could not be reached, for one pass at least.
        response: What the model said, long ones without their middle.
        answers: What became of it, by metric.
    """

    id: str
    cluster: Hashable
    asked: Mapping[int, bytes]
    prompt: str
    right: str
    request_failed: bool
    response: str
    answers: Mapping[str, Answer]


@dataclass(frozen=True, slots=True)
class Answered:
    """One task of one run.

    Attributes:
        questions: By id.
        cited: What the samples themselves say of how they were scored: judges, versions, beams.
    """

    questions: Mapping[str, Question]
    cited: Mapping[str, frozenset[str]]


@dataclass(slots=True)
class Citations:
    """Gathers what samples cite."""

    keys: Iterable[str]
    found: dict[str, set[str]] = field(default_factory=dict)

    def add(self, item: Mapping[str, object]) -> None:
        """Note what an item cites."""
        for key in self.keys:
            if item.get(key) is not None:
                self.found.setdefault(key, set()).add(str(item[key]))

    def frozen(self) -> dict[str, frozenset[str]]:
        """What was found so far."""
        return {key: frozenset(values) for key, values in self.found.items()}


def score_of(item: Mapping[str, object]) -> float | None:
    """An item's score; None where it has none, or one that is no finite number."""
    score = item.get("score")
    if isinstance(score, bool) or not isinstance(score, (int, float)) or not math.isfinite(score):
        return None
    return float(score)


def digest_of(sample: Sample) -> bytes:
    """A digest of a prompt and the right answer to it."""
    return blake2b(f"{sample.prompt}\0{sample.target}".encode(), digest_size=8).digest()


def shortened(text: str, head: int = _HEAD, tail: int = _TAIL) -> str:
    """A text without its middle where it is long: an answer tends to stand at the end."""
    if len(text) <= head + tail:
        return text
    return f"{text[:head]} […] {text[-tail:]}"


def cluster_of(sample: Sample, cluster_key: object, otherwise: str) -> Hashable:
    """The cluster that a sample belongs to: what its task's cluster key says, else a question."""
    cluster = sample.item.get(cluster_key) if isinstance(cluster_key, str) else None
    return otherwise if cluster is None else str(cluster)
