"""GeoQA: one problem with its program, step by step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from string import ascii_uppercase

from lmms_eval_tasks.report.material.asked import told_apart
from lmms_eval_tasks.report.material.counting import Outcome, field, number, plain_number, words
from lmms_eval_tasks.report.material.geoqa_problem import Problem, problem_apart
from lmms_eval_tasks.report.material.geoqa_steps import steps_of
from lmms_eval_tasks.report.model import SampleView
from lmms_eval_tasks.results.run import Sample, TaskRun


def view(task: TaskRun, sample: Sample) -> SampleView:
    """One problem: the program that decided, run again step by step, or the chosen letter."""
    item, problem = sample.item, problem_apart(sample.prompt)
    response, reasoning = told_apart(sample)
    options = _options(item, problem)
    return SampleView(
        key=f"{task.name}/{sample.doc_id}",
        task=task.name,
        id=sample.id,
        outcome=outcome(item),
        reason=words(field(item, "reason")),
        facets=_facets(sample),
        question=problem.question,
        options=options,
        right=_right(sample),
        answer=_answer(item),
        response=response,
        reasoning=reasoning,
        steps=[*_numbers(problem), *steps_of(item, problem.numbers), *_end(item)],
        verdict=_verdict(item),
        pictures=(),
        picture_note="",
    )


def outcome(item: Mapping[str, object]) -> Outcome:
    """What became of a problem; "no answer" is the benchmark's *no result*."""
    if item.get("outcome") != "scored":
        return "no answer"
    return "right" if number(item, "score") else "wrong"


def _facets(sample: Sample) -> dict[str, str]:
    item = sample.item
    facets = {"type": field(item, "type")}
    if "official" in item:
        facets["published evaluation"] = _officially(sample)
    if (number(item, "beam") or 1) > 1 and "rank" in item:
        facets["candidate that decided"] = f"{int(number(item, 'rank') or 0) + 1}"
    if "equivalence" in item:
        facets["gold's formula"] = words(field(item, "equivalence"))
    return facets


def _officially(sample: Sample) -> Outcome:
    official = sample.items.get("accuracy_official", {})
    if official.get("chosen") is None:
        return "no answer"
    return "right" if number(official, "score") else "wrong"


def _options(item: Mapping[str, object], problem: Problem) -> Sequence[tuple[str, str]]:
    """The options in words where the log has them, else by their numbers."""
    if problem.options:
        return problem.options
    texts, numbers = item.get("options"), item.get("option_numbers")
    if isinstance(texts, list):
        return list(zip(ascii_uppercase, map(str, texts), strict=False))
    if isinstance(numbers, list):
        return [
            (letter, plain_number(value) if isinstance(value, (int, float)) else "no number")
            for letter, value in zip(ascii_uppercase, numbers, strict=False)
        ]
    return []


def _right(sample: Sample) -> str:
    label = sample.item.get("label")
    if isinstance(label, int) and 0 <= label < len(ascii_uppercase):
        return ascii_uppercase[label]
    return field(sample.item, "right_answer") or sample.target


def _answer(item: Mapping[str, object]) -> str:
    """The option that the value matches, or the letter that was chosen."""
    matched = item.get("matched")
    if not isinstance(matched, list):
        return field(item, "chosen")
    return ", ".join(_letter(position) for position in matched)


def _letter(position: object) -> str:
    if isinstance(position, int) and 0 <= position < len(ascii_uppercase):
        return ascii_uppercase[position]
    return "?"


def _numbers(problem: Problem) -> list[tuple[str, str]]:
    if not problem.numbers:
        return []
    table = (f"N_{place} = {plain_number(value)}" for place, value in enumerate(problem.numbers))
    return [("numbers", ", ".join(table))]


def _end(item: Mapping[str, object]) -> list[tuple[str, str]]:
    """What the last value came to, and what stopped a program that has none."""
    found: list[tuple[str, str]] = []
    if "matched" in item:
        found.append(("matches", _answer(item) or "no option"))
    if "trouble" in item:
        place = ""
        if field(item, "token"):
            place = f" at token {int(number(item, 'position') or 0) + 1}, {field(item, 'token')!r}"
        stopped = f"{words(field(item, 'reason'))}{place}: {field(item, 'trouble')}"
        found.append(("stopped", stopped))
    official = item.get("official")
    if isinstance(official, dict):
        chosen = official.get("chosen")
        said = "no option" if chosen is None else _letter(chosen)
        found.append(("published evaluation chooses", said))
    return found


def _verdict(item: Mapping[str, object]) -> dict[str, str]:
    equivalence = words(field(item, "equivalence"))
    why = words(field(item, "equivalence_reason"))
    rank = number(item, "rank")
    shown = {
        "program": field(item, "program"),
        "candidate": "" if rank is None else f"{int(rank) + 1} of {field(item, 'candidates')}",
        "beside the gold's program": f"{equivalence} ({why})" if why else equivalence,
        "found by": words(field(item, "rule")),
        "diagram": "asked without one" if item.get("asked_as_text") else "",
        "trouble": field(item, "failure"),
    }
    return {name: text for name, text in shown.items() if text}
