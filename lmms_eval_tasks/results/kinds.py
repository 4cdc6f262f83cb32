"""Which of our benchmarks a task is: users' own tasks include ours under names of their own."""

from __future__ import annotations

from collections.abc import Collection
from enum import Enum


class Kind(Enum):
    """What a task asks for, and so how its samples are read."""

    OPEN_ENDED = "worldqa_open_ended"
    CIRCULAR = "worldqa_circular"
    WORLDBENCH = "worldbench"
    GEOQA = "geoqa"

    @property
    def headline(self) -> str:
        """The metric whose items say what became of each answer."""
        return _HEADLINES[self]


_HEADLINES = {
    Kind.OPEN_ENDED: "open_ended_score",
    Kind.CIRCULAR: "circular_acc",
    Kind.WORLDBENCH: "accuracy",
    Kind.GEOQA: "accuracy",
}
# A name alone says little: `accuracy` is a metric of many tasks. The letter choice of GeoQA has no
# programs that could fail to run, so it is told by the accuracies by type.
_SIGNATURES = (
    (Kind.OPEN_ENDED, {"open_ended_score", "judged_rate"}),
    (Kind.CIRCULAR, {"circular_acc", "circular_lower"}),
    (Kind.WORLDBENCH, {"accuracy", "accuracy_normalised"}),
    (Kind.GEOQA, {"accuracy", "no_result_rate"}),
    (Kind.GEOQA, {"accuracy", "accuracy_angle", "accuracy_length"}),
)


def kind_of(metrics: Collection[str]) -> Kind | None:
    """The kind of a task by the names of its metrics; None for a task that is not ours."""
    for kind, signature in _SIGNATURES:
        if signature <= set(metrics):
            return kind
    return None
