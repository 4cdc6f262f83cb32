"""Questions of CircularEval: right when all their passes are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from lmms_eval_tasks.compare.answers import (
    Answer,
    Citations,
    Part,
    Question,
    cluster_of,
    digest_of,
    shortened,
)
from lmms_eval_tasks.results.run import Sample, TaskRun
from lmms_eval_tasks_core.outcome import NoAnswerReason

_METRIC = "circular_acc"
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_HEAD, _TAIL = 100, 200


@dataclass(frozen=True, slots=True)
class _Pass:
    number: int
    passes: int
    outcome: str
    reason: str
    right: bool
    chosen: str
    right_position: object
    cluster: Hashable
    asked: bytes
    prompt: str
    target: str
    response: str

    @property
    def is_judged(self) -> bool:
        return self.outcome != "not_judged"


def answered_in_passes(task: TaskRun, cited: Citations) -> dict[str, Question]:
    """The questions of a task by their group; a pass that stands twice counts as it stands last.

    Args:
        task: A task of CircularEval.
        cited: Takes what the passes cite.
    """
    groups: dict[str, dict[int, _Pass]] = defaultdict(dict)
    for sample in task.samples():
        cited.add(sample.item)
        one = _pass(sample, task.config.get("cluster_key"))
        groups[str(sample.item.get("group", sample.id))][one.number] = one
    return {
        group: _question(group, [passes[number] for number in sorted(passes)])
        for group, passes in groups.items()
    }


def _pass(sample: Sample, cluster_key: object) -> _Pass:
    item = sample.item
    return _Pass(
        number=_whole(item.get("pass"), 0),
        passes=_whole(item.get("passes"), 1),
        outcome=str(item.get("outcome") or "scored"),
        reason=str(item.get("reason") or ""),
        right=bool(item.get("right")),
        chosen=str(item.get("chosen") or "–"),
        right_position=item.get("right_position"),
        cluster=cluster_of(sample, cluster_key, str(item.get("group", sample.id))),
        asked=digest_of(sample),
        prompt=shortened(sample.prompt),
        target=sample.target,
        response=shortened(sample.response, _HEAD, _TAIL),
    )


def _question(group: str, passes: Sequence[_Pass]) -> Question:
    reasons = {one.reason for one in passes}
    return Question(
        id=group,
        cluster=passes[0].cluster,
        asked={one.number: one.asked for one in passes},
        prompt=passes[0].prompt,
        right=" ".join(one.target for one in passes),
        request_failed=NoAnswerReason.REQUEST_FAILED.value in reasons,
        response="\n".join(f"{one.number + 1}. {one.response}" for one in passes),
        answers={_METRIC: _answer(passes)},
    )


def _answer(passes: Sequence[_Pass]) -> Answer:
    needed = passes[0].passes
    judged = [one for one in passes if one.is_judged]
    right = sum(one.right for one in judged)
    letters = " ".join(one.chosen if one.is_judged else "?" for one in passes)
    said = f"{right} of {needed} right: {letters}"
    if len(judged) < len(passes):
        return Answer(
            None, "not_judged", _reasons(one for one in passes if not one.is_judged), said
        )
    if len(passes) < needed:
        return Answer(None, "incomplete", f"{needed - len(passes)} of its passes missing", said)
    unanswered = [one for one in passes if one.outcome == "no_answer"]
    outcome = "no_answer" if len(unanswered) == len(passes) else "scored"
    return Answer(float(right == needed), outcome, _reasons(unanswered), said, _by_position(passes))


def _by_position(passes: Sequence[_Pass]) -> tuple[Part, ...]:
    """One part for each pass: whether it is right, by where its right option stands."""
    return tuple(
        Part("pass, by letter of the right option", letter, str(one.number), float(one.right))
        for one in passes
        if (letter := _letter(one.right_position))
    )


def _letter(position: object) -> str:
    if isinstance(position, int) and 0 <= position < len(_LETTERS):
        return _LETTERS[position]
    return ""


def _reasons(passes: Iterable[_Pass]) -> str:
    return ", ".join(sorted({one.reason for one in passes if one.reason}))


def _whole(value: object, otherwise: int) -> int:
    return value if isinstance(value, int) else otherwise
