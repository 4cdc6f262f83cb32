from __future__ import annotations

import pytest

from lmms_eval_tasks.geoqa.program.interpreter import evaluate
from lmms_eval_tasks.geoqa.program.reader import read_programs

PROGRAM = "g_minus C_3 N_0 g_half V_0"

# Every one of these is the same program, in a manner in which models have been seen to write.
STYLES = {
    "plain": PROGRAM,
    "fence": "Reasoning here.\n```\ng_minus C_3 N_0\ng_half V_0\n```\nSo the answer is 65.",
    "calls in a fence": "```text\ng_minus(C_3, N_0)\ng_half(V_0)\n```",
    "nested calls": "g_half(g_minus(C_3, N_0))",
    "assign": "V_0 = g_minus(C_3, N_0)\nV_1 = g_half(V_0)\nAnswer: V_1",
    "assign0": "v0 = g_minus(c3, n0)   # 180-50\nv1 = g_half(v0)\n",
    "Python with names": "```python\na = g_minus(C_3, N_0)\nresult = g_half(a)\nprint(result)\n```",
    "Python that returns": (
        "```\nN_0 = 50\nx = g_minus(C_3, N_0)\n\nreturn_value = g_half(x)\nreturn return_value\n```"
    ),
    "1based": "V_1 = g_minus C_3 N_0\nV_2 = g_half V_1",
    "steps": "Step 1: g_minus C_3 N_0\nStep 2: g_half V_0",
    "steps prose": (
        "**Step 1:** subtract\n\n`g_minus C_3 N_0`\n\n**Step 2:** halve\n\n`g_half V_0`\n"
        "\nThe value is 65."
    ),
    "numbered steps": "1. g_minus C_3 N_0\n2. g_half V_0",
    "upper": "G_MINUS C_3 N_0 G_HALF V_0",
    "commas": "g_minus, C_3, N_0, g_half, V_0",
    "semi": "g_minus C_3 N_0; g_half V_0;",
    "semicall": "g_minus(C_3, N_0); g_half(V_0)",
    "names": "Minus C_3 N_0\nHalf V_0",
    "names call": "Minus(C_3, N_0), Half(V_0)",
    "prog:": "We know that 180 - 50 = 130.\nProgram: g_minus C_3 N_0 g_half V_0.",
    "ans:": "Final answer: `g_minus C_3 N_0 g_half V_0`",
    "sentence": "The final program is g_minus C_3 N_0 g_half V_0, which gives 65.",
    "prose frag": "First g_minus C_3 N_0 gives 130, then g_half V_0 gives 65.",
    "boxed": "$\\boxed{\\text{g\\_minus C\\_3 N\\_0 g\\_half V\\_0}}$",
    "latex": "g\\_minus\\; C_{3}\\; N_{0} \\\\ g\\_half\\; V_{0}",
    "json": '{"program": "g_minus C_3 N_0 g_half V_0"}',
    "jsonlist": '["g_minus", "C_3", "N_0", "g_half", "V_0"]',
    "json fenced": (
        '```json\n{\n  "reasoning": "angles",\n  "program": "g_minus C_3 N_0 g_half V_0"\n}\n```'
    ),
    "fullwidth": "程序：ｇ＿ｍｉｎｕｓ（Ｃ＿３，Ｎ＿０）；ｇ＿ｈａｌｆ（Ｖ＿０）",
    "zh": "第1步：g_minus C_3 N_0\n第2步：g_half V_0\n答案：65",
    "subscripts": "V₀ = g_minus(C₃, N₀)\nV₁ = g_half(V₀)",
    "arrows that assign": "V_0 ← g_minus(C_3, N_0)\nV_1 <- g_half(V_0)",
    "tuples": "[(g_minus, C_3, N_0), (g_half, V_0)]",
    "equations in one line": "V_0 = g_minus C_3 N_0 = 130, V_1 = g_half V_0 = 65",
    "arrow": "g_minus C_3 N_0 → 130\ng_half V_0 → 65",
    "equations": "V_0 = g_minus C_3 N_0 = 180 - 50 = 130\nV_1 = g_half V_0 = 65",
    "remarks in parentheses": "g_minus C_3 (180) N_0 (= 50)\ng_half V_0 (65)",
    "bullets": "- g_minus C_3 N_0\n- g_half V_0",
    "xml": "<think>maybe g_double N_0</think><program>g_minus C_3 N_0 g_half V_0</program>",
    "lisp": "(g_half (g_minus C_3 N_0))",
    "multi-line call": "```\ng_half(\n  g_minus(C_3, N_0)\n)\n```",
    "draft then final": (
        "Draft:\n```\ng_double N_0\n```\nNo, wrong.\n```\ng_minus C_3 N_0\ng_half V_0\n```"
    ),
    "n0": "g_minus C3 N0 g_half V0",
    "table": "| V_0 | g_minus C_3 N_0 |\n| V_1 | g_half V_0 |",
    "inline": "The program `g_minus C_3 N_0 g_half V_0` works.",
    "cands1": "1. g_minus C_3 N_0 g_half V_0\n2. g_double N_0\n3. g_half N_0",
    "cands2": "Candidate 1: g_minus C_3 N_0 g_half V_0\nCandidate 2: g_double N_0",
    "crlf": "g_minus C_3 N_0\r\ng_half V_0\r\n",
    "one token a line fenced": "```\ng_minus\nC_3\nN_0\ng_half\nV_0\n```",
    "unclosed": "```\ng_minus C_3 N_0\ng_half V_0",
    "heading": (
        "### Program\n\ng_minus C_3 N_0 g_half V_0\n\n### Check\n\n180 - 50 = 130, half is 65"
    ),
    "ops list": "g_minus C_3 N_0 g_half V_0\n\nOperators used:\n- g_minus\n- g_half: halves",
    "twostep inline": "V_0 = g_minus C_3 N_0, V_1 = g_half V_0",
    "fence title": "```\nProgram:\ng_minus C_3 N_0\ng_half V_0\n```",
    "fence step": (
        "```\n# Step 1: supplement\nV_0 = g_minus C_3 N_0\n\n# Step 2: half\nV_1 = g_half V_0\n```"
    ),
    "numbered titles": "1. **Supplement**: g_minus C_3 N_0\n2. **Half**: g_half V_0",
    "numbered prose": (
        "1. First we take the supplement:\n   `g_minus C_3 N_0`\n2. Then halve it:\n   `g_half V_0`"
    ),
    "escaped nl": '{"program": "V_0 = g_minus(C_3, N_0)\\nV_1 = g_half(V_0)"}',
    "quote": "> g_minus C_3 N_0 g_half V_0",
    "bold": "**g_minus C_3 N_0 g_half V_0**",
    "arrow chain": "g_minus C_3 N_0 -> V_0\ng_half V_0 -> V_1",
    "colon assign": "V_0: g_minus C_3 N_0\nV_1: g_half V_0",
    "mixed case": "G_Minus(c_3, n_0) G_Half(v_0)",
}


@pytest.mark.parametrize("style", STYLES)
def test_the_program_is_read_in_every_style(style: str) -> None:
    (candidate,) = read_programs(STYLES[style])
    assert candidate.failure is None
    assert candidate.text == PROGRAM
    assert evaluate(candidate.text, [50.0]) == 65.0


@pytest.mark.parametrize(
    ("response", "program"),
    [
        ("Pythagorean Add N_0 N_1", "gougu_add N_0 N_1"),
        ("pythagorean_minus(N_0, N_1)", "gougu_minus N_0 N_1"),
        ("Arc-Sin N_0", "g_asin N_0"),
        ("arccos(N_0)", "g_acos N_0"),
        ("Proportion(N_0, N_1, N_2)", "g_bili N_0 N_1 N_2"),
        ("Circle Area N_0", "cal_circle_area N_0"),
        ("Circle-Perimeter(N_0)", "cal_circle_perimeter N_0"),
        ("Cone N_0 N_1", "cal_cone N_0 N_1"),
        ("Multiply(N_0, N_1)", "g_mul N_0 N_1"),
        ("divide(N_0, N_1)", "g_divide N_0 N_1"),
        ("Equal N_0", "g_equal N_0"),
        ("Add(Double(N_0), Half(N_1))", "g_double N_0 g_half N_1 g_add V_0 V_1"),
        ("Tan N_0", "g_tan N_0"),
        ("gminus C3 N0", "g_minus C_3 N_0"),
        ("GOUGU_ADD n_0 n_1", "gougu_add N_0 N_1"),
    ],
)
def test_the_names_of_the_paper_are_read(response: str, program: str) -> None:
    (candidate,) = read_programs(response)
    assert (candidate.text, candidate.failure) == (program, None)


@pytest.mark.parametrize(
    "pi", ["C_5", "π", "pi", "PI", r"\pi", "C_5 (pi)", "C_5 (π)", "C_5 (3.14)"]
)
def test_pi_is_the_constant(pi: str) -> None:
    (candidate,) = read_programs(f"g_mul N_0 {pi}")
    assert (candidate.text, candidate.failure) == ("g_mul N_0 C_5", None)


@pytest.mark.parametrize(
    "index", ["N_10", "N10", "n_10", "N_{10}", "N[10]", "N₁₀", r"N\_10", "Ｎ＿１０"]
)
def test_an_index_is_whole_however_it_is_written(index: str) -> None:
    (candidate,) = read_programs(f"g_half {index}")
    assert (candidate.text, candidate.failure) == ("g_half N_10", None)


def test_steps_that_count_from_one_are_read_as_they_were_meant() -> None:
    (candidate,) = read_programs("V_1 = g_half N_0\nV_2 = g_double N_1\nV_3 = g_add V_1 V_2")
    assert candidate.text == "g_half N_0 g_double N_1 g_add V_0 V_1"


def test_a_nested_call_comes_before_the_step_it_is_part_of() -> None:
    response = "V_0 = g_half(g_minus(C_3, N_0))\nV_1 = g_add(V_0, g_mul(N_0, N_1))"
    (candidate,) = read_programs(response)
    assert candidate.text == "g_minus C_3 N_0 g_half V_0 g_mul N_0 N_1 g_add V_1 V_2"


@pytest.mark.parametrize(
    "response",
    [
        "(g_add (g_half N_0) (g_half N_1))",
        "(g_add(g_half(N_0), g_half(N_1)))",
        "g_add(g_half(N_0), (g_half N_1))",
    ],
)
def test_parentheses_are_read_as_calls_or_as_lists(response: str) -> None:
    (candidate,) = read_programs(response)
    assert candidate.text == "g_half N_0 g_half N_1 g_add V_0 V_1"


def test_the_place_of_the_program_in_the_response_is_known() -> None:
    response = "Let me think.\n\nProgram: g_half N_0"
    (candidate,) = read_programs(response)
    assert response[candidate.offset :] == "g_half N_0"
