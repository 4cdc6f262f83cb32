"""Items in, one number out."""

from __future__ import annotations

import inspect
import math
import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lmms_eval_tasks_core import aggregate
from lmms_eval_tasks_core.aggregate import Items, mean_score, total

AGGREGATORS: list[Callable[[Items], float]] = [mean_score, total]


def test_mean_is_over_the_items_that_have_a_score() -> None:
    assert mean_score([{"score": 100.0}, {"score": 0.0}, {"outcome": "not_judged"}]) == 50.0


def test_total_counts() -> None:
    assert total([{"score": 1.0}, {"score": 0.0}, {"score": 1}]) == 2.0


@pytest.mark.parametrize("aggregator", AGGREGATORS)
def test_no_items_give_zero(aggregator: Callable[[Items], float]) -> None:
    assert aggregator([]) == 0.0


@pytest.mark.parametrize("aggregator", AGGREGATORS)
def test_lmms_eval_can_call_it_with_the_items_alone(aggregator: Callable[[Items], float]) -> None:
    parameters = inspect.signature(aggregator).parameters
    assert "args" not in parameters
    assert [p for p in parameters.values() if p.default is p.empty] == [parameters["items"]]
    assert aggregator is getattr(aggregate, aggregator.__name__)


scores = st.floats(0, 100) | st.integers(0, 100) | st.none()


@given(st.lists(scores, min_size=1), st.randoms(use_true_random=False))
def test_order_does_not_matter(drawn: list[float | None], shuffler: random.Random) -> None:
    items: list[dict[str, object]] = [{} if s is None else {"score": s} for s in drawn]
    shuffled = shuffler.sample(items, len(items))
    for aggregator in AGGREGATORS:
        assert aggregator(items) == aggregator(shuffled)
        assert math.isfinite(aggregator(items))
