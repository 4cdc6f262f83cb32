from __future__ import annotations

import pytest

from lmms_eval_tasks_core.judging.dialect import Dialect, closed_choice

FORMAT = closed_choice("verdict", "grade", ["yes", "no"], "rationale")
FULL = Dialect()


def test_the_schema_offers_the_grades_and_nothing_else():
    parameters = FULL.parameters(FORMAT)
    schema = parameters["response_format"]["json_schema"]["schema"]
    assert schema["properties"]["grade"]["enum"] == ["yes", "no"]
    assert list(schema["properties"]) == schema["required"] == ["rationale", "grade"]
    assert parameters["temperature"] == 0
    assert Dialect(schema=False, temperature=False, length=None).parameters(FORMAT) == {}


@pytest.mark.parametrize(
    ("parameter", "words", "learned"),
    [
        ("response_format", "no", Dialect(schema=False)),
        (None, "json_schema is not supported", Dialect(schema=False)),
        ("temperature", "response_format", Dialect(temperature=False)),
        (None, "Only the default TEMPERATURE is supported", Dialect(temperature=False)),
        (
            None,
            "'max_tokens' is not supported. Use 'max_completion_tokens' instead.",
            Dialect(length="max_completion_tokens"),
        ),
        (None, "this prompt is too long", None),
        ("messages", "temperature", None),
    ],
)
def test_what_a_rejection_teaches(parameter, words, learned):
    assert FULL.without(parameter, words) == learned


def test_what_is_left_out_already_teaches_nothing_new():
    bare = Dialect(schema=False, temperature=False, length="max_completion_tokens")
    words = "response_format temperature max_completion_tokens"
    barest = bare.without(None, words)
    assert barest == Dialect(schema=False, temperature=False, length=None)
    assert barest.without(None, words) is None


def test_what_two_threads_learned_holds_together():
    one, other = Dialect(schema=False), Dialect(temperature=False, length=None)
    assert one.and_also(other) == Dialect(schema=False, temperature=False, length=None)
    assert other.and_also(one) == one.and_also(other)
