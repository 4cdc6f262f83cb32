"""What counts as an answer at all."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lmms_eval_tasks_core.outcome import NoAnswer, NoAnswerReason
from lmms_eval_tasks_core.responses import answer_text, valid_unicode


@pytest.mark.parametrize(
    ("response", "text"),
    [
        ("  B \n", "B"),
        ("<think>maybe A</think>\nB", "B"),
        ("<THINK>maybe A</THINK>B", "B"),
        ("maybe A</think>B", "B"),
        ("<think>a</think>so <think>b</think>B", "so B"),
        ("<analysis>A <think> B</analysis> C", "C"),
        ("x < y and y > z", "x < y and y > z"),
        ("it says [LMMS_EVAL_REQUEST_FAILED]", "it says [LMMS_EVAL_REQUEST_FAILED]"),
    ],
)
def test_the_answer_is_what_stands_outside_the_reasoning(response, text):
    assert answer_text(response) == text


@pytest.mark.parametrize(
    ("response", "reason"),
    [
        (None, NoAnswerReason.EMPTY),
        (3, NoAnswerReason.EMPTY),
        ("", NoAnswerReason.EMPTY),
        (" \n\t", NoAnswerReason.EMPTY),
        ("<think>all of it</think>", NoAnswerReason.EMPTY),
        ("<think>it may be A", NoAnswerReason.UNFINISHED_THOUGHT),
        ("<think>a</think>B<think>or C", NoAnswerReason.UNFINISHED_THOUGHT),
        ("[LMMS_EVAL_REQUEST_FAILED after 5 retries] timeout", NoAnswerReason.REQUEST_FAILED),
        ("  [LMMS_EVAL_BUDGET_EXCEEDED]", NoAnswerReason.REQUEST_FAILED),
    ],
)
def test_a_response_without_an_answer_says_why(response, reason):
    outcome = answer_text(response)
    assert isinstance(outcome, NoAnswer)
    assert outcome.reason is reason


def test_a_failure_keeps_the_words_of_the_harness():
    outcome = answer_text("[LMMS_EVAL_REQUEST_FAILED after 5 retries] image exceeds 8000 pixels")
    assert isinstance(outcome, NoAnswer)
    assert "image exceeds 8000 pixels" in str(outcome.detail["failure"])


@given(st.text(st.characters()))
def test_any_text_gives_a_text_that_a_file_can_hold(response):
    text = answer_text(response)
    if not isinstance(text, NoAnswer):
        text.encode("utf-8")


def test_lone_surrogates_become_replacement_characters():
    assert valid_unicode("a\ud800b") == "a\ufffdb"
    assert valid_unicode("😀") == "😀"


@pytest.mark.parametrize("piece", ["<think>", "</think>", "<think></think>", "<", "<think"])
def test_long_hostile_responses_are_read_in_linear_time(piece):
    started = time.process_time()
    answer_text(piece * (1_000_000 // len(piece)))
    assert time.process_time() - started < 5
