"""From the logged samples of a task to its questions and answers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from lmms_eval_tasks.compare.answers import (
    Answer,
    Answered,
    Citations,
    Part,
    Question,
    cluster_of,
    digest_of,
    score_of,
    shortened,
)
from lmms_eval_tasks.compare.passes import answered_in_passes
from lmms_eval_tasks.results.run import Kind, Sample, TaskRun
from lmms_eval_tasks.worldqa.rubric import GRADES
from lmms_eval_tasks_core.outcome import NoAnswerReason

Item: TypeAlias = Mapping[str, object]
AnswersOf: TypeAlias = Callable[[Sample], dict[str, Answer]]

CITED = ("judge", "rubric_version", "matcher", "matcher_version", "beam")
_GRADES = (*(grade.name for grade in GRADES), "unnamed", "no answer")
_FULL_MARKS = 100.0
_LETTERS = "ABCDEFGHIJ"
_LONGEST_SAID = 160


def answered(task: TaskRun) -> Answered:
    """Read what a run answered; samples may stand in any order.

    Raises:
        RunError: There are no samples, or a line of them cannot be read.
    """
    cited = Citations(CITED)
    if task.kind is Kind.CIRCULAR:
        return Answered(answered_in_passes(task, cited), cited.frozen())
    answers_of = _ANSWERS[task.kind]
    asked: dict[str, dict[int, Question]] = defaultdict(dict)
    for sample in task.samples():
        cited.add(sample.item)
        # What was logged twice for one position counts once, as it stands last.
        asked[sample.id][sample.doc_id] = Question(
            id=sample.id,
            cluster=cluster_of(sample, task.config.get("cluster_key"), sample.id),
            asked={0: digest_of(sample)},
            prompt=shortened(sample.prompt),
            right=shortened(sample.target),
            request_failed=sample.item.get("reason") == NoAnswerReason.REQUEST_FAILED.value,
            response=shortened(sample.response),
            answers=answers_of(sample),
        )
    return Answered(_by_id(asked), cited.frozen())


def _by_id(asked: Mapping[str, Mapping[int, Question]]) -> dict[str, Question]:
    """Questions by id; where several share one, the later ones are numbered."""
    return {
        identity if not number else f"{identity} ({number + 1})": questions[position]
        for identity, questions in asked.items()
        for number, position in enumerate(sorted(questions))
    }


def _open_ended(sample: Sample) -> dict[str, Answer]:
    item = sample.item
    score = score_of(item)
    grade = str(
        item.get("grade") or ("unnamed" if item.get("outcome") == "scored" else "no answer")
    )
    if score is None:
        return {"open_ended_score": _answer(item, "–", ())}
    parts = tuple(Part("grade", name, "", _FULL_MARKS * (name == grade)) for name in _GRADES)
    return {"open_ended_score": _answer(item, f"{grade}, {score:g}", parts)}


def _worldbench(sample: Sample) -> dict[str, Answer]:
    found = {}
    for metric in ("accuracy", "accuracy_normalised"):
        item = sample.items.get(metric, {})
        parts = _parts(item, ("domain", "domain"), ("right letter", "answer"))
        found[metric] = _answer(item, str(item.get("chosen") or "–"), parts)
    return found


def _geoqa(sample: Sample) -> dict[str, Answer]:
    item = sample.item
    parts = _parts(item, ("type", "type"), ("right letter", "right_answer"))
    found = {"accuracy": _answer(item, _program_or_letter(item), parts)}
    official = sample.items.get("accuracy_official")
    if official is not None:
        chosen, status = official.get("chosen"), str(official.get("status", ""))
        said = _letters([chosen])
        ending = {"outcome": "scored"}
        if status not in ("", "values"):
            ending = {"outcome": "no_answer", "reason": status}
        found["accuracy_official"] = _answer(
            {**official, **ending}, said, _parts(official, ("type", "type"))
        )
    return found


def _program_or_letter(item: Item) -> str:
    """What a model chose: a letter, or a program with the letters that its value matches."""
    if "chosen" in item:
        return str(item["chosen"])
    matched = item.get("matched")
    letters = _letters(matched if isinstance(matched, list) else [])
    program = shortened(str(item.get("program") or ""), _LONGEST_SAID, 1)
    return f"{letters}: {program}" if program else letters


def _letters(positions: Sequence[object]) -> str:
    letters = [
        _LETTERS[position]
        for position in positions
        if isinstance(position, int) and 0 <= position < len(_LETTERS)
    ]
    return "".join(letters) or "–"


def _parts(item: Item, *breakdowns: tuple[str, str]) -> tuple[Part, ...]:
    score = score_of(item)
    return tuple(
        Part(by, str(item[key]), "", score) for by, key in breakdowns if item.get(key) is not None
    )


def _answer(item: Item, said: str, parts: tuple[Part, ...]) -> Answer:
    score = score_of(item)
    outcome = str(item.get("outcome") or ("not_judged" if score is None else "scored"))
    reason = str(item.get("reason") or ("no score" if score is None else ""))
    return Answer(score, outcome, reason, said, parts)


_ANSWERS: Mapping[Kind, AnswersOf] = {
    Kind.OPEN_ENDED: _open_ended,
    Kind.WORLDBENCH: _worldbench,
    Kind.GEOQA: _geoqa,
}
