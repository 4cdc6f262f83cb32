from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lmms_eval_tasks.worldqa.rubric import GRADE_OF_RELATION, RUBRIC
from lmms_eval_tasks_core.judging.lexical import LexicalJudge, SetRelation, compare_words, words
from lmms_eval_tasks_core.judging.protocol import Inquiry

REFERENCE = "The woman opens an umbrella"


@pytest.mark.parametrize(
    ("answer", "reference", "relation", "points"),
    [
        ("the WOMAN opens an umbrella.", REFERENCE, SetRelation.EQUAL, 1),
        ("an umbrella opens; the woman", REFERENCE, SetRelation.EQUAL, 1),
        ("the woman", REFERENCE, SetRelation.SUBSET, 0.5),
        ("The woman opens an umbrella slowly", REFERENCE, SetRelation.SUPERSET, 0.5),
        ("The woman closes a door", REFERENCE, SetRelation.OVERLAP, 0.3),
        ("Two dogs", REFERENCE, SetRelation.DISJOINT, 0),
        (":", REFERENCE, SetRelation.DISJOINT, 0),
        ("", REFERENCE, SetRelation.DISJOINT, 0),
        ("anything", "", SetRelation.DISJOINT, 0),
        ("+", "+ ", SetRelation.EQUAL, 1),
        ("-", "+", SetRelation.DISJOINT, 0),
        ("她打开雨伞", "她打开雨伞。", SetRelation.EQUAL, 1),
        ("雨伞", "她打开雨伞", SetRelation.SUBSET, 0.5),
        ("ＵＭＢＲＥＬＬＡ", "umbrella", SetRelation.EQUAL, 1),
        ("STRASSE", "straße", SetRelation.EQUAL, 1),
        ("not her", "her", SetRelation.SUPERSET, 0.5),
    ],
)
def test_the_set_recipe(answer, reference, relation, points):
    assert compare_words(answer, reference) is relation
    verdict = LexicalJudge(RUBRIC, GRADE_OF_RELATION).grade(Inquiry("?", reference, answer))
    assert verdict.points == points
    assert verdict.judge == "lexical"
    assert verdict.grade == GRADE_OF_RELATION[relation]
    assert verdict.rubric_version == RUBRIC.version


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("don't, don’t", {"dont"}),
        ("3.5 km", {"3.5", "km"}),
        ("1,000 or 1000.", {"1000", "or"}),
        ("well-known (here)", {"well", "known", "here"}),
        ("um\u200bbrel\u00adla", {"umbrella"}),
        ("नमस्ते दुनिया", {"नमस्ते", "दुनिया"}),
        ("猫cat犬", {"猫", "cat", "犬"}),
        ("ﬁne", {"fine"}),
        ("e\u0301te\u0301", {"été"}),
    ],
)
def test_words(text, expected):
    assert words(text) == expected


def test_it_needs_nothing():
    judge = LexicalJudge(RUBRIC, GRADE_OF_RELATION)
    judge.preflight()
    assert judge.name == "lexical"


@pytest.mark.parametrize("grade", [None, "splendid"])
def test_every_relation_needs_a_grade_of_the_scale(grade):
    partial = {**GRADE_OF_RELATION, SetRelation.OVERLAP: grade}
    with pytest.raises(ValueError, match="OVERLAP"):
        LexicalJudge(RUBRIC, {relation: name for relation, name in partial.items() if name})


@given(st.text(), st.text())
def test_swapping_the_texts_swaps_subset_and_superset(one, other):
    swapped = {
        SetRelation.SUBSET: SetRelation.SUPERSET,
        SetRelation.SUPERSET: SetRelation.SUBSET,
    }
    relation = compare_words(one, other)
    assert compare_words(other, one) is swapped.get(relation, relation)


@given(st.text())
def test_a_text_equals_itself(text):
    assert compare_words(text, text) is SetRelation.EQUAL


def test_a_long_answer_takes_bounded_time():
    began = time.process_time()
    compare_words("1,000." * 20_000 + "猫" * 50_000, "猫")
    assert time.process_time() - began < 5
