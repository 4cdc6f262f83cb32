"""The labelled answers are balanced, told apart, and do not give their grades away."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from dataclasses import asdict
from itertools import combinations

import pytest
from rapidfuzz import fuzz

from lmms_eval_tasks.judge_check.items import LENGTHS, REGISTERS, LabelledItem, labelled_items
from lmms_eval_tasks.worldqa.rubric import GRADES

SET = labelled_items()
ITEMS = SET.items
GRADE_NAMES = {grade.name for grade in GRADES}
HAN = re.compile("[一-鿿]")
WORDS = {"short": (1, 15), "medium": (13, 70), "long": (80, 200)}
GIVEAWAY = re.compile(
    r"\b(?:in)?correct|redundan|\bincomplete|contradict|ground.?truth|\bgrades?\b|verdict|rubric"
    r"|\b(?:points?|score|rating)\s*[:=]|正确|得分|评分",
    re.IGNORECASE,
)


def size(text: str) -> float:
    """The number of words; about 1.6 characters of Chinese make one."""
    return len(re.findall(r"[A-Za-z0-9']+", text)) + len(HAN.findall(text)) / 1.6


def test_what_the_version_stands_for_does_not_change_unnoticed():
    items = sorted(map(asdict, ITEMS), key=lambda item: item["id"])
    digest = hashlib.sha256(json.dumps(items, sort_keys=True).encode()).hexdigest()[:16]
    # Another digest needs another version: figures of two sets of answers are two measurements.
    assert (SET.version, digest) == ("worldqa-items-1", "5d52c2456102a052")


def test_every_grade_has_as_many_of_every_kind():
    assert len(ITEMS) >= 140
    assert {item.grade for item in ITEMS} == GRADE_NAMES
    for name in GRADE_NAMES:
        of_grade = [item for item in ITEMS if item.grade == name]
        assert len(of_grade) >= 28
        cells = Counter((item.length, item.register) for item in of_grade)
        assert set(cells) == {(length, register) for length in LENGTHS for register in REGISTERS}
        assert max(cells.values()) - min(cells.values()) <= 1
        for kinds in (Counter(i.length for i in of_grade), Counter(i.register for i in of_grade)):
            assert max(kinds.values()) == min(kinds.values())
        attacked = Counter(item.length for item in of_grade if item.attack)
        assert attacked == dict.fromkeys(LENGTHS, 2)
        assert sum(item.language == "zh" for item in of_grade) in (1, 2)


def test_attacks_are_a_fifth_and_of_many_kinds():
    kinds = Counter(item.attack for item in ITEMS if item.attack)
    assert 25 <= sum(kinds.values()) <= 30
    assert len(kinds) >= 10


def test_no_two_are_the_same():
    for name in ("id", "question", "answer"):
        assert len({getattr(item, name) for item in ITEMS}) == len(ITEMS)
    near = [
        (a.id, b.id)
        for a, b in combinations(ITEMS, 2)
        if fuzz.ratio(a.question, b.question) > 75
        or fuzz.ratio(a.answer, b.answer) > 65
        or fuzz.token_set_ratio(f"{a.question} {a.answer}", f"{b.question} {b.answer}") > 75
    ]
    assert near == []


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.id)
def test_each_is_what_its_tags_say(item: LabelledItem):
    least, most = WORDS[item.length]
    assert least <= size(item.answer) <= most
    assert (HAN.search(item.question) is not None) == (item.language == "zh")
    assert item.question.rstrip().endswith(("?", "？", "."))
    assert item.id.startswith(item.grade.replace("_", "-"))
    # Others never reach a judge.
    assert any(character.isalnum() for character in item.answer)
    if item.attack is None:
        assert GIVEAWAY.search(item.answer) is None


def test_the_first_few_are_a_mix():
    assert Counter(item.grade for item in ITEMS[:5]) == dict.fromkeys(GRADE_NAMES, 1)
    fifteen = ITEMS[:15]
    assert Counter(item.length for item in fifteen) == dict.fromkeys(LENGTHS, 5)
    assert Counter(item.register for item in fifteen) == dict.fromkeys(REGISTERS, 5)
    assert len({(i.grade, i.length, i.register) for i in ITEMS[:45]}) == 45
