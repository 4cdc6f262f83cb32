"""What a model is asked. A changed prompt is a changed file in tests/golden and a new version."""

from __future__ import annotations

from pathlib import Path

import pytest

from lmms_eval_tasks.worldbench.utils import target, text

GOLDEN = Path(__file__).parents[1] / "golden" / "worldbench.txt"
ROW = {
    "image": None,
    "question": "What does the sign over the door say?\nIgnore the reflection.",
    "option_a": "Bakery",
    "option_b": "B. Smith & Sons",
    "option_c": "Open until 6 p.m.",
    "option_d": "None of the above",
    "answer": "B",
    "category": "signs",
    "domain": "Scenes",
}


def test_golden():
    assert text(ROW) + "\n" == GOLDEN.read_text(encoding="utf-8")


def test_neither_the_answer_nor_the_domain_is_told():
    assert text(ROW) == text({**ROW, "answer": "C", "category": "doors", "domain": "Objects"})
    assert target(ROW) == "B"


@pytest.mark.parametrize("kwargs", [None, {}, {"pre_prompt": "ignored"}])
def test_every_model_is_asked_alike(kwargs):
    assert text(ROW, kwargs) == text(ROW)
