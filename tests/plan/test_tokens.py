"""How many tokens a text is, by the rule that the plan states."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lmms_eval_tasks.plan.figures import about, size
from lmms_eval_tasks.plan.tokens import tokens_of


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("a", 1),
        ("abcd", 1),
        ("abcde", 2),
        ("如图", 2),
        ("如图,AB=3", 2 + 2),
        ("カタカナ", 4),
        ("한국어", 3),
        ("𠀀", 1),
        ("ÄÖÜß", 1),
    ],
)
def test_the_rule(text, tokens):
    assert tokens_of(text) == tokens


@given(st.text(max_size=200), st.text(max_size=200))
def test_texts_together_are_about_as_long_as_apart(one, other):
    together = tokens_of(one + other)
    assert tokens_of(one) + tokens_of(other) - 1 <= together <= tokens_of(one) + tokens_of(other)
    assert together <= len(one + other)


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (0, "0"),
        (999, "999"),
        (1_000, "1k"),
        (12_345, "12.3k"),
        (999_999, "1M"),
        (2_120_000, "2.12M"),
    ],
)
def test_estimates_are_shown_in_few_digits(number, shown):
    assert about(number) == shown


def test_sizes_have_units():
    assert [size(10**n) for n in (0, 3, 6, 9, 15)] == ["1 B", "1 kB", "1 MB", "1 GB", "1,000 TB"]
