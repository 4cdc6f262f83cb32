from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lmms_eval_tasks_core.answers import Abstention, choose_option
from lmms_eval_tasks_core.matching.lexical import LexicalMatcher, is_nearly
from lmms_eval_tasks_core.matching.protocol import Match, Undecided
from lmms_eval_tasks_core.options import Options

CASES = json.loads((Path(__file__).parent / "cases_lexical.json").read_text(encoding="utf-8"))
OPTIONS = Options(tuple(CASES["options"]))


def letter(response: str, options: Options = OPTIONS) -> str | None:
    return LexicalMatcher().match(Undecided("What happened?", options, response)).letter


@pytest.mark.parametrize("case", CASES["cases"], ids=lambda case: case["name"])
def test_only_what_is_nearly_an_option_is_one(case):
    assert letter(case["response"]) == case["letter"], case["why"]


def test_no_response_that_rules_leave_open_is_matched_wrongly(shared_cases):
    cases = json.loads((shared_cases / "option_choices.json").read_text(encoding="utf-8"))
    for case in cases:
        options = Options(tuple(case["options"]))
        if isinstance(choose_option(case["response"], options), Abstention):
            assert letter(case["response"], options) in {None, case["letter"]}, case["id"]


def test_two_options_that_differ_by_an_ending_leave_it_open():
    twins = Options(("The umbrella was broken", "The umbrellas were broken"))
    assert letter("umbrella broken", twins) is None


def test_results_can_cite_it():
    assert LexicalMatcher().match(Undecided("?", OPTIONS, "x")) == Match(
        None, "lexical", "lexical-match-1"
    )
    assert LexicalMatcher().preflight() is None


@pytest.mark.parametrize("hostile", ["umbrella " * 20_000, "." * 100_000, "\n" * 100_000, "\ud800"])
def test_hostile_text_takes_no_time(hostile):
    started = time.process_time()
    assert letter(hostile) is None
    assert time.process_time() - started < 5


words = st.text("abcdefgh", min_size=1, max_size=9)
sentences = st.lists(words, min_size=1, max_size=6).map(" ".join)


@given(sentences, sentences)
def test_nearness_is_mutual_and_holds_of_a_text_and_itself(one, other):
    assert is_nearly(one, other) == is_nearly(other, one)
    assert is_nearly(one, one) or set(one.split()) <= {"a", "be"}


@given(sentences, words)
def test_one_word_more_is_another_text(sentence, word):
    assert not is_nearly(f"{sentence} {word}x", sentence)
