"""How many documents are scored at once, and for whom."""

from __future__ import annotations

import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from loguru import logger

from lmms_eval_tasks import _judgements


class Scorer:
    def preflight(self):
        """The judge is there."""

    def at_once(self):
        return 32


def task(name="mine", scorer=None):
    return SimpleNamespace(config=SimpleNamespace(task=name, process_results=scorer))


def documents(name, count=3):
    return ((number, {}, [SimpleNamespace(task_name=name)]) for number in range(count))


@pytest.fixture
def evaluator(monkeypatch):
    """A module with the function that maps documents, which notes how parallel it was."""
    noted = []

    def _thread_map_ordered(function, items, max_workers, on_complete=None):
        noted.append(max_workers)
        with ThreadPoolExecutor(max_workers) as pool:
            return list(pool.map(function, items))

    module = SimpleNamespace(
        __name__="lmms_eval.evaluator", _thread_map_ordered=_thread_map_ordered, noted=noted
    )
    monkeypatch.setitem(sys.modules, "lmms_eval.evaluator", module)
    monkeypatch.setattr(_judgements, "_at_once", {})
    return module


def test_documents_of_ours_are_scored_as_many_at_once_as_the_judge_is_asked(evaluator):
    _judgements.prepare(task(scorer=Scorer()))
    _judgements.prepare(task(scorer=Scorer()))
    together = threading.Barrier(32, timeout=10)
    done = []

    def score(document):
        together.wait()
        return document[0]

    mapped = evaluator._thread_map_ordered(score, documents("mine", 64), 4, lambda: done.append(1))
    assert (mapped, len(done), evaluator.noted) == ([*range(64)], 64, [])


def test_one_that_fails_ends_the_scoring_as_ever(evaluator):
    _judgements.prepare(task(scorer=Scorer()))

    def score(document):
        if document[0] == 5:
            raise LookupError("no such row")
        return document[0]

    with pytest.raises(LookupError, match="no such row"):
        evaluator._thread_map_ordered(score, documents("mine", 64), 4)


@pytest.mark.parametrize("items", [documents("mme"), [], [None], [(0, {}, [])], ["odd", "things"]])
def test_everything_else_stays_as_it_is(evaluator, items):
    _judgements.prepare(task(scorer=Scorer()))
    evaluator._thread_map_ordered(str, items, 4)
    assert evaluator.noted == [4]


def test_more_is_left_to_whoever_asks_for_more(evaluator):
    _judgements.prepare(task(scorer=Scorer()))
    evaluator._thread_map_ordered(str, documents("mine"), 100)
    assert evaluator.noted == [100]


def test_a_task_without_a_judge_changes_nothing(evaluator):
    before = evaluator._thread_map_ordered
    _judgements.prepare(task(scorer=None))
    assert evaluator._thread_map_ordered is before


def test_another_lmms_eval_is_named_with_what_to_do(evaluator):
    heard: list[str] = []
    sink = logger.add(heard.append, format="{message}")
    del evaluator._thread_map_ordered
    _judgements.prepare(task(scorer=Scorer()))
    logger.remove(sink)
    (line,) = heard
    assert "lmms_eval.evaluator._thread_map_ordered: not there" in line
    assert "--process-docs-parallel" in line
