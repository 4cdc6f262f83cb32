"""What a model is asked: a program that computes the answer, or the letter of an option."""

from __future__ import annotations

from collections.abc import Sequence

from lmms_eval_tasks.geoqa.program.operators import constant_reference, operator_reference
from lmms_eval_tasks.geoqa.records import GeoQARecord, Language
from lmms_eval_tasks.geoqa.wordings import EXAMPLES, Example, Wording, wording_of


def program_prompt(
    record: GeoQARecord, language: str, *, most: int = 1, show_options: bool = False
) -> str:
    """Ask for programs that compute the answer of one problem.

    Args:
        record: The problem; it is asked in its own language.
        language: The language of the instructions, "en" or "zh".
        most: How many candidates are asked for, best first.
        show_options: Whether the options are in the prompt. The benchmark does not show them, so
            that no program is fitted to them; results with and without them do not compare.

    Returns:
        The prompt: what to do, the language reference, two worked examples, the problem with the
        table of its numbers, and the form of the answer. A diagram is mentioned only where there is
        one.

    Raises:
        SettingError: There are no instructions in this language.
    """
    spoken, wording = wording_of(language)
    examples = [
        f"{wording.example.format(number)}\n{_example(example, spoken, wording, most)}"
        for number, example in enumerate(EXAMPLES, start=1)
    ]
    form = wording.form if most == 1 else wording.beam_form.format(most=most)
    parts = [
        wording.task,
        wording.language,
        wording.constants.format(constant_reference()),
        operator_reference(),
        *examples,
        _problem(record.question, record.numbers, wording),
        *([_options(record, wording)] if show_options else []),
        *([wording.diagram] if record.has_diagram else []),
        form,
    ]
    return "\n\n".join(parts)


def choice_prompt(record: GeoQARecord, language: str) -> str:
    """Ask for the letter of the right option.

    Args:
        record: The problem; it is asked in its own language.
        language: The language of the instructions, "en" or "zh".

    Raises:
        SettingError: There are no instructions in this language.
    """
    _, wording = wording_of(language)
    parts = [
        wording.choice_task,
        f"{wording.problem}\n{record.question}",
        _options(record, wording),
        *([wording.diagram] if record.has_diagram else []),
        wording.choice_form,
    ]
    return "\n\n".join(parts)


def _example(example: Example, language: Language, wording: Wording, most: int) -> str:
    problem = _problem(example.question[language], example.numbers, wording)
    if most == 1:
        return f"{problem}\n{wording.program}\n```\n{example.program}\n```"
    candidates = "\n".join(
        wording.candidate.format(number=number, program=" ".join(program.split()))
        for number, program in enumerate((example.program, example.second), start=1)
    )
    return f"{problem}\n{wording.candidates}\n```\n{candidates}\n```"


def _options(record: GeoQARecord, wording: Wording) -> str:
    return f"{wording.options}\n{record.options.render()}"


def _problem(question: str, numbers: Sequence[float], wording: Wording) -> str:
    table = [f"N_{position} = {_shown(number)}" for position, number in enumerate(numbers)]
    listed = [wording.numbers, *table] if table else [wording.no_numbers]
    return "\n".join([wording.problem, question, *listed])


def _shown(number: float) -> str:
    """A number without a fraction of zero: 30, not 30.0."""
    return str(int(number)) if number.is_integer() and abs(number) < 2**53 else repr(number)
