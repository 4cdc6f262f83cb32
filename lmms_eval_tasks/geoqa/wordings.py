"""The words of the prompts in each language, and the worked examples."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lmms_eval_tasks.geoqa.records import Language
from lmms_eval_tasks_core.errors import SettingError


@dataclass(frozen=True, slots=True)
class Example:
    """A worked problem.

    Attributes:
        question: Its text, per language.
        numbers: N_0, N_1, …
        program: One step per line.
        second: A second guess, as a list of ranked candidates has it.
    """

    question: Mapping[Language, str]
    numbers: tuple[float, ...]
    program: str
    second: str


EXAMPLES = (
    Example(
        {
            "en": "In triangle PQR, PQ = PR and angle QPR = 38°. How many degrees is angle PQR?",
            "zh": "在△PQR中,PQ=PR,∠QPR=38°,则∠PQR的度数是多少?",
        },
        (38.0,),
        "g_minus C_3 N_0\ng_half V_0",
        "g_minus C_2 N_0",
    ),
    Example(
        {
            "en": "A rectangle with sides 5 cm and 12 cm is inscribed in a circle. What is the "
            "area of the circle?",
            "zh": "宽为5cm、长为12cm的矩形内接于圆,则圆的面积是多少?",
        },
        (5.0, 12.0),
        "gougu_add N_0 N_1\ng_half V_0\ncal_circle_area V_1",
        "g_half N_1\ncal_circle_area V_0",
    ),
)


@dataclass(frozen=True, slots=True)
class Wording:
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
    candidate: str
    candidates: str
    beam_form: str
    options: str
    choice_task: str
    choice_form: str


WORDINGS: Mapping[Language, Wording] = {
    "en": Wording(
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
        candidate="Candidate {number}: {program}",
        candidates="The first two candidates:",
        beam_form="Think as long as you need to. Then end your reply with {most} different "
        "programs in one fenced code block, the one that is most likely right first. Write each "
        "on one line of its own that begins with Candidate 1: to Candidate {most}:, its steps one "
        "after the other, separated by spaces; V_0 is the first step of the same line. The value "
        "of a program's last step must be the answer, without its unit.",
        options="Options:",
        choice_task="Solve a geometry problem and choose the right option.",
        choice_form="Think as long as you need to. Then end your reply with a final line of "
        "exactly this form, where X is the letter of the right option:\nAnswer: X",
    ),
    "zh": Wording(
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
        candidate="Candidate {number}: {program}",
        candidates="前两个候选程序:",
        beam_form="你可以先充分思考。回答的最后请用一个代码块给出{most}个不同的程序,按正确的可能性从高到低"
        "排列。每个程序占一行,分别以Candidate 1:到Candidate {most}:开头,各步依次写出,用空格隔开;"
        "V_0是同一行第一步的值。每个程序最后一步的值必须是答案(不带单位)。",
        options="选项:",
        choice_task="请求解一道几何题,并选出正确的选项。",
        choice_form="你可以先充分思考。回答的最后一行必须严格采用以下形式,其中X为正确选项的字母:"
        "\nAnswer: X",
    ),
}


def wording_of(language: str) -> tuple[Language, Wording]:
    """The words of a language that a setting names.

    Raises:
        SettingError: There are no instructions in it.
    """
    for name, wording in WORDINGS.items():
        if name == language:
            return name, wording
    remedy = f"Set lmms_eval_specific_kwargs: prompt_language to {' or '.join(WORDINGS)}."
    raise SettingError("prompt_language", f"no prompt is written in {language!r}", remedy)
