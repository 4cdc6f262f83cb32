from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lmms_eval_tasks.worldbench.readings import normalised_letter, strict_letter
from lmms_eval_tasks_core.options import Options
from lmms_eval_tasks_core.outcome import NoAnswerReason

CASES = json.loads(Path(__file__).with_name("cases_answer_lines.json").read_text("utf-8"))
PHONES = Options(("a red phone", "a blue phone", "a clock", "none of these"))
SLOWEST = 5  # CPU seconds for 100,000 characters; a quadratic reader takes minutes
Reading = Callable[[str, Options], str | NoAnswerReason]

OPTIONS = st.lists(st.text(max_size=30), min_size=2, max_size=26).map(
    lambda texts: Options(tuple(texts))
)
TEXTS = st.one_of(
    st.text(),
    st.lists(
        st.sampled_from(
            [
                *("ANSWER: B", "ANSWER:", "Answer: c", "final answer =", "A", "b", "or", "E", "\n"),
                *("**", "\\boxed{", "\\text{", "}", "$", "<b>", "</b>", "~~", "_", "`", "'", " "),
                *("<think>", "</think>", "<|im_end|>", "</s>", "\r", "\x0b", "\x1c", "\x85"),
                *("\u2028", "\u200b", "\ufeff", "\ud800", "e\u0301", "：", "\\", "(", "]", "- "),
            ]
        )
    ).map("".join),
)


def letter_or_none(reading: str | NoAnswerReason) -> str | None:
    return None if isinstance(reading, NoAnswerReason) else reading


def reason_or_none(reading: str | NoAnswerReason) -> str | None:
    return reading.value if isinstance(reading, NoAnswerReason) else None


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_answer_line(case: dict[str, Any]) -> None:
    options = Options(tuple(case["options"]))
    strict = strict_letter(case["response"], options)
    normalised = normalised_letter(case["response"], options)
    assert letter_or_none(strict) == case["strict"]
    assert letter_or_none(normalised) == case["normalised"]
    assert reason_or_none(strict) == (None if case["strict"] else case["reason"])
    assert reason_or_none(normalised) == (None if case["normalised"] else case["reason"])


def test_shared_cases(shared_cases: Path) -> None:
    cases = json.loads((shared_cases / "worldbench_answer_lines.json").read_text("utf-8"))
    for case in cases:
        assert letter_or_none(strict_letter(case["response"], PHONES)) == case["strict"], case
        read = letter_or_none(normalised_letter(case["response"], PHONES))
        assert read == case["normalised"], case


def test_an_answer_in_another_form_is_no_answer_line_to_the_strict_reading() -> None:
    assert strict_letter("ANSWER: **A**", PHONES) is NoAnswerReason.NO_ANSWER_LINE
    assert strict_letter("ANSWER: A\nThat is all.", PHONES) is NoAnswerReason.NO_ANSWER_LINE
    assert strict_letter("ANSWER: A or B", PHONES) is NoAnswerReason.SEVERAL_LETTERS
    assert strict_letter("ANSWER: E", PHONES) is NoAnswerReason.NOT_A_LETTER


@given(TEXTS, OPTIONS)
def test_no_string_raises_or_reads_a_letter_outside_the_row(text: str, options: Options) -> None:
    for reading in (strict_letter, normalised_letter):
        read = reading(text, options)
        assert isinstance(read, NoAnswerReason) or read in options.letters


@given(TEXTS, OPTIONS, st.data())
def test_normalised_reads_whatever_strict_reads(
    before: str, options: Options, data: st.DataObject
) -> None:
    letter = data.draw(st.sampled_from(options.letters))
    for text in (before, f"{before}\nANSWER: {letter}", f"{before}\r ANSWER: {letter}\n\n"):
        strict = strict_letter(text, options)
        if isinstance(strict, str):
            assert normalised_letter(text, options) == strict


@given(OPTIONS, st.data())
def test_a_perfect_response_is_read_under_every_rotation(
    options: Options, data: st.DataObject
) -> None:
    right = data.draw(st.integers(0, len(options.texts) - 1))
    number = len(options.texts)
    for shift in range(number):
        rotated = Options((*options.texts[shift:], *options.texts[:shift]))
        letter = rotated.letter_at((right - shift) % number)
        response = f"It ticks.\nANSWER: {letter}"
        assert strict_letter(response, rotated) == letter
        assert normalised_letter(response, rotated) == letter
        assert normalised_letter(f"**Answer:** ({letter.lower()})", rotated) == letter


@pytest.mark.parametrize("reading", [strict_letter, normalised_letter])
@pytest.mark.parametrize(
    "pattern",
    [
        *(
            "A",
            "A ",
            "\n",
            " ",
            "\t",
            "(",
            "[",
            "<",
            "{",
            "$",
            "*",
            "_",
            "`",
            "~~",
            "~~a",
            "\\text{",
        ),
        *(
            "\\boxed{",
            "\\boxed{B}",
            "<|",
            "<|im_end|>",
            "<b>",
            "<b>a",
            "\u0316\u0300",
            "Ａ",
            "\u200b",
        ),
        *("answer", "answer ", "answer:", "answer: ", "ANSWER: A ", "ANSWER: A\n", ". answer: B"),
        *(", the final answer", "ANSWER: A or ", "so, ", "the ", "final ", "1. ", "ANSWER: ' "),
        *(
            "<think>",
            "</think>",
            "<think>a</think>",
            "¼",
            "\u2028",
            "\ud800",
            "😀",
            "- ",
            "# ",
            "'",
        ),
    ],
)
def test_hostile_responses_take_linear_time(pattern: str, reading: Reading) -> None:
    response = (pattern * 100_000)[:100_000]

    def seconds() -> float:
        start = time.process_time()
        reading(response, PHONES)
        return time.process_time() - start

    assert min(seconds() for _ in range(2)) < SLOWEST
