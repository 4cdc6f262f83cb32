"""A prompt of GeoQA taken apart: the problem, its numbers, and the options where they are shown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from lmms_eval_tasks.geoqa.wordings import WORDINGS, Wording
from lmms_eval_tasks.report.material.asked import apart

_NUMBER = re.compile(r"^N_(\d+) = (\S+)$")


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem as its prompt shows it.

    Attributes:
        question: Its text; the whole prompt where it has no form that is known.
        numbers: N_0, N_1, …
        options: Each letter with its text; empty where the prompt shows none.
    """

    question: str
    numbers: Sequence[float] = ()
    options: Sequence[tuple[str, str]] = ()


def problem_apart(prompt: str) -> Problem:
    """Take a prompt apart, whichever language its instructions are in."""
    for wording in WORDINGS.values():
        # Worked examples come before the problem, with the same words.
        _, found, rest = f"\n{prompt}".rpartition(f"\n{wording.problem}\n")
        if found:
            return _problem(rest, wording)
    asked = apart(prompt)
    return Problem(asked.question, (), asked.options)


def _problem(text: str, wording: Wording) -> Problem:
    ends = (f"\n{wording.numbers}\n", f"\n{wording.no_numbers}", f"\n{wording.options}\n")
    places = [place for end in ends if (place := text.find(end)) >= 0]
    question = text[: min(places)] if places else text.partition("\n\n")[0]
    return Problem(question.strip(), _numbers(text, wording), _shown_options(text, wording))


def _numbers(text: str, wording: Wording) -> list[float]:
    """The table of numbers, as far as it counts on without a gap."""
    _, _, table = text.partition(f"\n{wording.numbers}\n")
    numbers: list[float] = []
    for line in table.splitlines():
        match = _NUMBER.fullmatch(line)
        if not match or int(match[1]) != len(numbers):
            break
        try:
            numbers.append(float(match[2]))
        except ValueError:
            break
    return numbers


def _shown_options(text: str, wording: Wording) -> Sequence[tuple[str, str]]:
    _, found, options = text.rpartition(f"\n{wording.options}\n")
    return apart(options).options if found else ()
