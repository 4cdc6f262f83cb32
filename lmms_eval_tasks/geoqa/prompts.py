"""What a model is asked: to write a program, without seeing the options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lmms_eval_tasks.geoqa.program.operators import constant_reference, operator_reference
from lmms_eval_tasks.geoqa.records import GeoQARecord, Language
from lmms_eval_tasks_core.errors import SettingError


@dataclass(frozen=True, slots=True)
class _Example:
    """A worked problem.

    Attributes:
        question: Its text, per language.
        numbers: N_0, N_1, …
        program: One step per line.
    """

    question: Mapping[Language, str]
    numbers: tuple[float, ...]
    program: str


_EXAMPLES = (
    _Example(
        {
            "en": "In triangle PQR, PQ = PR and angle QPR = 38°. How many degrees is angle PQR?",
            "zh": "在△PQR中,PQ=PR,∠QPR=38°,则∠PQR的度数是多少?",
        },
        (38.0,),
        "g_minus C_3 N_0\ng_half V_0",
    ),
    _Example(
        {
            "en": "A rectangle with sides 5 cm and 12 cm is inscribed in a circle. What is the "
            "area of the circle?",
            "zh": "宽为5cm、长为12cm的矩形内接于圆,则圆的面积是多少?",
        },
        (5.0, 12.0),
        "gougu_add N_0 N_1\ng_half V_0\ncal_circle_area V_1",
    ),
)


@dataclass(frozen=True, slots=True)
class _Wording:
    """The instructions in one language."""

    task: str
    diagram: str
    language: str
    constants: str
    example: str
    problem: str
    numbers: str
    no_numbers: str
    program: str
    form: str


_WORDINGS: Mapping[Language, _Wording] = {
    "en": _Wording(
        task="Solve a geometry problem by writing a program that computes the answer. The program "
        "is run; its last value is taken as the answer.",
        diagram="The diagram of the problem is attached.",
        language="A program is a sequence of steps. A step is an operator followed by its "
        "operands. An operand is N_i (a number of the problem), V_i (the value of step i) or C_i "
        "(a constant). Steps are counted from 0, so V_0 is the value of the first step, and a step "
        "can only use earlier ones. Other numbers cannot be written.",
        constants="Constants: {}",
        example="Example {}",
        problem="Problem:",
        numbers="Numbers of the problem:",
        no_numbers="The problem has no numbers.",
        program="Program:",
        form="Think as long as you need to. Then end your reply with the program in one fenced "
        "code block: one step per line, the operator first, then its operands, separated by "
        "spaces. The value of the last step must be the answer, without its unit.",
    ),
    "zh": _Wording(
        task="请写一个程序来求解一道几何题。程序将被执行,最后一步的值即为答案。",
        diagram="题目的图形已附上。",
        language="程序由若干步组成。每一步是一个运算符,后面跟着它的运算数。运算数可以是N_i(题目中的数)、"
        "V_i(第i步的值)或C_i(常数)。步骤从0开始编号,即V_0是第一步的值;每一步只能使用前面步骤的值。"
        "不能直接写其他数字。",
        constants="常数:{}",
        example="示例{}",
        problem="题目:",
        numbers="题目中的数:",
        no_numbers="题目中没有数。",
        program="程序:",
        form="你可以先充分思考。回答的最后请用一个代码块给出程序:每行一步,先写运算符,再写"
        "运算数,用空格隔开。最后一步的值必须是答案(不带单位)。",
    ),
}


def program_prompt(record: GeoQARecord, language: str) -> str:
    """Ask for a program that computes the answer of one problem.

    Args:
        record: The problem; it is asked in its own language.
        language: The language of the instructions, "en" or "zh".

    Returns:
        The prompt: what to do, the language reference, two worked examples, the problem with the
        table of its numbers, and the form of the answer. The options are not in it, so that no
        program is fitted to them, and a diagram is mentioned only where there is one.

    Raises:
        SettingError: There are no instructions in this language.
    """
    wording = next((w for name, w in _WORDINGS.items() if name == language), None)
    if wording is None:
        remedy = f"Set lmms_eval_specific_kwargs: prompt_language to {' or '.join(_WORDINGS)}."
        raise SettingError("prompt_language", f"no prompt is written in {language!r}", remedy)
    spoken: Language = "zh" if language == "zh" else "en"
    examples = [
        f"{wording.example.format(number)}\n{_example(example, spoken, wording)}"
        for number, example in enumerate(_EXAMPLES, start=1)
    ]
    parts = [
        wording.task,
        wording.language,
        wording.constants.format(constant_reference()),
        operator_reference(),
        *examples,
        _problem(record.question, record.numbers, wording),
        *([wording.diagram] if record.has_diagram else []),
        wording.form,
    ]
    return "\n\n".join(parts)


def _example(example: _Example, language: Language, wording: _Wording) -> str:
    problem = _problem(example.question[language], example.numbers, wording)
    return f"{problem}\n{wording.program}\n```\n{example.program}\n```"


def _problem(question: str, numbers: Sequence[float], wording: _Wording) -> str:
    table = [f"N_{position} = {_shown(number)}" for position, number in enumerate(numbers)]
    listed = [wording.numbers, *table] if table else [wording.no_numbers]
    return "\n".join([wording.problem, question, *listed])


def _shown(number: float) -> str:
    """A number without a fraction of zero: 30, not 30.0."""
    return str(int(number)) if number.is_integer() and abs(number) < 2**53 else repr(number)
