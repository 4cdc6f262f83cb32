from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lmms_eval_tasks_core.answers import Abstention, Choice, Rule, choose_option
from lmms_eval_tasks_core.options import Options
from lmms_eval_tasks_core.outcome import NoAnswerReason
from lmms_eval_tasks_core.reading.option_text import loose

CASES = json.loads(Path(__file__).with_name("cases_option_choices.json").read_text("utf-8"))
DAY = Options(
    ("She went to work", "She went to a party", "She went to sleep", "She went to see Dr. Lee")
)
SLOWEST = 5  # CPU seconds for 100,000 characters; a quadratic reader takes minutes

# Texts that are a letter by themselves make a bare letter ambiguous; `letter-option-*` are about
# those. Control characters and the like are no part of any option.
WORDS = st.text(
    st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs")), min_size=1, max_size=30
).filter(lambda text: len(re.sub(r"[\W_]", "", text)) > 1)
OPTIONS = st.lists(WORDS, min_size=2, max_size=26).map(lambda texts: Options(tuple(texts)))


def letter_of(response: str, options: Options = DAY) -> str | None:
    choice = choose_option(response, options)
    return choice.letter if isinstance(choice, Choice) else None


def rule_of(response: str, options: Options = DAY) -> Rule | None:
    choice = choose_option(response, options)
    return choice.rule if isinstance(choice, Choice) else None


def reason_of(response: str, options: Options = DAY) -> NoAnswerReason | None:
    choice = choose_option(response, options)
    return choice.reason if isinstance(choice, Abstention) else None


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_choice(case: dict[str, Any]) -> None:
    assert letter_of(case["response"], Options(tuple(case["options"]))) == case["letter"]


def test_shared_cases(shared_cases: Path) -> None:
    cases = json.loads((shared_cases / "option_choices.json").read_text("utf-8"))
    read = [letter_of(case["response"], Options(tuple(case["options"]))) for case in cases]
    assert read == [case["letter"] for case in cases]


def test_real_answers_of_a_model_are_all_read(shared_data: Path) -> None:
    rows = json.loads((shared_data / "geoqa_test_rows_150.json").read_text("utf-8"))
    by_id = {row["id"]: row for row in rows}
    lines = (shared_data / "geoqa_choice_responses_150.jsonl").read_text("utf-8").splitlines()
    right = []
    for line in lines:
        answer = json.loads(line)
        row = by_id[answer["id"]]
        options = Options(tuple(row["choices"]))
        choice = choose_option(answer["response"], options)
        assert isinstance(choice, Choice), answer
        right.append(choice.letter == options.letter_at(row["label"]))
    assert (len(right), sum(right)) == (150, 92)


@pytest.mark.parametrize(
    ("response", "rule"),
    [
        ("C", Rule.LETTER),
        ("C. She went to sleep", Rule.LETTER),
        ("She went to sleep.", Rule.TEXT),
        ("The answer is C", Rule.DECLARED_LETTER),
        ("The answer is: She went to sleep", Rule.DECLARED_TEXT),
        ("C, because it is dark", Rule.FIRST_LINE),
        ("It is dark.\n\nC", Rule.LAST_LINE),
    ],
)
def test_the_rule_that_decided_is_named(response: str, rule: Rule) -> None:
    assert rule_of(response) is rule
    assert str(rule) == rule.value


@pytest.mark.parametrize(
    ("response", "reason"),
    [
        ("", NoAnswerReason.EMPTY),
        ("<think>It is B", NoAnswerReason.UNFINISHED_THOUGHT),
        ("[LMMS_EVAL_REQUEST_FAILED after 5 retries] B", NoAnswerReason.REQUEST_FAILED),
        ("The answer is A or B.", NoAnswerReason.SEVERAL_LETTERS),
        ("The answer is A.\n\nB", NoAnswerReason.SEVERAL_LETTERS),
        ("A, because of that.\n\nB", NoAnswerReason.SEVERAL_LETTERS),
        ("E", NoAnswerReason.NOT_A_LETTER),
        ("The answer is E.", NoAnswerReason.NOT_A_LETTER),
        ("The answer might be B.", NoAnswerReason.UNDECIDED),
        ("She seems tired.", NoAnswerReason.UNDECIDED),
        ("B\n\nNo, B is wrong.", NoAnswerReason.UNDECIDED),
    ],
)
def test_the_reason_for_abstaining_is_named(response: str, reason: NoAnswerReason) -> None:
    assert reason_of(response) is reason


@pytest.mark.parametrize("letter", "ABCD")
@pytest.mark.parametrize(
    "template",
    [
        "{}",
        "({})",
        "The answer is {}.",
        "answer: {}",
        "I choose {}",
        "{}, because",
        "选{}",
        "b\n{}",
    ],
)
def test_no_letter_is_preferred(template: str, letter: str) -> None:
    expected = letter if template != "b\n{}" or letter == "B" else None
    assert letter_of(template.format(letter)) == expected


@given(OPTIONS, st.data())
def test_a_perfect_response_is_read(options: Options, data: st.DataObject) -> None:
    position = data.draw(st.integers(0, len(options.texts) - 1))
    letter, text = options.letter_at(position), options.texts[position]
    for response in (letter, f"({letter})", f"ANSWER: {letter}", f"The answer is {letter}."):
        assert letter_of(response, options) == letter
    assert letter_of(f"{letter}. {text}", options) == letter
    alike = [other for other in options.texts if loose(other) == loose(text)]
    assert letter_of(text, options) == letter or len(alike) > 1


PLAIN_WORDS = st.lists(
    st.text("bcdefghklmnopqrstuvwxyz", min_size=2, max_size=6), min_size=1, max_size=6
).map(" ".join)
PLAIN_OPTIONS = st.lists(PLAIN_WORDS, min_size=2, max_size=26, unique_by=str.casefold).map(
    lambda texts: Options(tuple(texts))
)


@given(PLAIN_OPTIONS, st.data())
def test_the_right_option_is_followed_through_every_rotation(
    options: Options, data: st.DataObject
) -> None:
    right = data.draw(st.sampled_from(options.texts))
    for shift in range(len(options.texts)):
        rotated = Options((*options.texts[shift:], *options.texts[:shift]))
        letter = rotated.letter_at(rotated.texts.index(right))
        for response in (
            right,
            f"{right.upper()}.",
            f"{letter}. {right}",
            f"Answer: {right}",
            f"The answer is {letter}. {right}",
        ):
            assert letter_of(response, rotated) == letter


FRAGMENTS = st.lists(
    st.sampled_from(
        [
            *(
                "A",
                "b",
                "C",
                "E",
                "I",
                "(B)",
                "**D**",
                "\\boxed{",
                "}",
                "$",
                "<b>",
                "~~",
                "?",
                "\n",
            ),
            *("the answer is", "answer:", "not", "or", "and", "if", "is correct", "is wrong", "."),
            *("I choose", "so", "because", "选", "答案是", "不", "She went to sleep", "<think>"),
            *(
                "</think>",
                "A. She went to work",
                "\ud800",
                "\u200b",
                "\x1c",
                "e\u0301",
                "<|im_end|>",
            ),
        ]
    )
).map(" ".join)


@given(st.one_of(FRAGMENTS, st.text()), st.one_of(st.just(DAY), OPTIONS))
def test_no_string_raises_or_chooses_outside_the_row(response: str, options: Options) -> None:
    choice = choose_option(response, options)
    assert isinstance(choice, Abstention) or choice.letter in options.letters


HOSTILE = [
    *("A", "A ", "a b ", "\n", " ", "(", "[", "<", "{", "$", "*", "_ ", "`", "~~a", "\\text{"),
    *("\\boxed{", "\\boxed{B}", "<|", "<|im_end|>", "<b>", "<b>a", "\u0316\u0300", "Ａ", "\u200b"),
    *(
        "选B",
        "不",
        "答案是A或",
        "the answer is ",
        "the answer is B. ",
        "the answer is B? ",
        "not A ",
    ),
    *("answer is not ", "B is correct. ", "A. She went to work ", "A. She went to work\n", "A or "),
    *("I choose ", "if the answer is ", "She went to sleep is correct. ", "A) ", "A. B. C. D. "),
    *("'", '"', "<think>", "</think>", "<think>a</think>", "ANSWER: A ", "ANSWER: A\n", "no, "),
    *("the option that ", "answer " + "ww " * 8, "ﷺ", "¼", "\u2028", "\ud800", "😀", "option A: "),
    *("Dr. ", "- ", "# ", "1. ", "..", "—", "she went to work "),
]


@pytest.mark.parametrize("pattern", HOSTILE)
@pytest.mark.parametrize("ending", ["", "\nThe answer is B", "?"])
def test_hostile_responses_take_bounded_time(pattern: str, ending: str) -> None:
    response = (pattern * 100_000)[:100_000] + ending

    def seconds() -> float:
        start = time.process_time()
        choose_option(response, DAY)
        return time.process_time() - start

    assert min(seconds() for _ in range(2)) < SLOWEST


def test_a_very_long_response_is_searched_at_both_ends() -> None:
    filler = "She looks out of the window. " * 4_000
    assert letter_of(f"{filler}\nThe answer is B.") == "B"
    assert letter_of(f"The answer is B.\n{filler}") == "B"
    assert letter_of(f"{filler}The answer is B.\n{filler}") is None
    assert letter_of(f"{'w' * 20_000}the answer is B") is None
    assert (
        letter_of("It is not the case that " + "very " * 3_195 + "likely the answer is B") is None
    )
