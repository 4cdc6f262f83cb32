"""From a response to one pass, to its outcome."""

from __future__ import annotations

from string import ascii_lowercase

import pytest
from hypothesis import given
from hypothesis import strategies as st
from loguru import logger

from lmms_eval_tasks.worldqa.circular_scoring import CircularScorer, score_circular
from lmms_eval_tasks.worldqa.records import CircularRecord
from lmms_eval_tasks_core.environment import ENVIRONMENT
from lmms_eval_tasks_core.matching.lexical import LexicalMatcher
from lmms_eval_tasks_core.matching.protocol import Match, Undecided
from lmms_eval_tasks_core.outcome import NoAnswer, NotJudged, NotJudgedReason, Scored

TEXTS = ("She left", "She stayed", "The umbrella was broken", "Dr. Vale called")


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch):
    for name in (*(variable.name for variable in ENVIRONMENT), "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)


def row(texts=TEXTS, right=0, shift=0, **columns):
    return {
        "id": f"v/1#{shift}",
        "group": "v/1",
        "pass": shift,
        "passes": len(texts),
        "shift": shift,
        "question": "What happened?",
        "answer": texts[right],
        "video_idx": "v",
        "option": list(texts),
        **columns,
    }


class Asked:
    """A matcher that gives one answer and remembers what it was asked."""

    name, version = "m", "v"

    def __init__(self, answer) -> None:
        self.answer = answer
        self.asked: list[Undecided] = []

    def preflight(self) -> None:
        return None

    def match(self, undecided: Undecided):
        self.asked.append(undecided)
        return self.answer


def outcome(response: object, matcher=None):
    record = CircularRecord.from_row(row())
    return score_circular(record, response, lambda: matcher or LexicalMatcher())


words = st.text(ascii_lowercase, min_size=3, max_size=8).map(lambda word: f"{word}q")
option_sets = st.lists(
    st.lists(words, min_size=1, max_size=4).map(" ".join), min_size=2, max_size=26, unique=True
)


@given(option_sets, st.integers(0, 25), st.integers(0, 60), st.sampled_from(range(5)))
def test_gold_in_full_marks_out_and_every_other_option_is_wrong(texts, right, shift, form):
    record = CircularRecord.from_row(row(texts, right % len(texts), shift))
    for position, (letter, text) in enumerate(record.options.labelled()):
        forms = (letter, f"({letter})", f"{letter}. {text}", f"The answer is {letter}.", text)
        scored = score_circular(record, forms[form], LexicalMatcher)
        assert isinstance(scored, Scored), forms[form]
        assert scored.value == float(text == texts[right % len(texts)])
        assert scored.detail["chosen_position"] == position


def test_what_rules_can_tell_no_matcher_is_asked():
    matcher = Asked(Match("B", "m", "v"))
    assert outcome("A", matcher).value == 1.0
    assert matcher.asked == []


@pytest.mark.parametrize(
    "response", ["", " ", None, "...", "[LMMS_EVAL_REQUEST_FAILED after 5] timeout", "<think>B"]
)
def test_where_nothing_was_said_no_matcher_is_asked(response):
    matcher = Asked(Match("A", "m", "v"))
    assert isinstance(outcome(response, matcher), NoAnswer)
    assert matcher.asked == []


def test_what_rules_cannot_tell_the_matcher_is_asked_once_and_cited():
    matcher = Asked(Match("A", "m", "v"))
    said = "<think>hm</think>Off she went, it seems."
    scored = outcome(said, matcher)
    assert scored == Scored(
        1.0,
        {
            "chosen": "A",
            "chosen_position": 0,
            "rule": "matcher",
            "matcher": "m",
            "matcher_version": "v",
            "reused": False,
        },
    )
    (asked,) = matcher.asked
    assert asked.response == "Off she went, it seems."


def test_none_of_the_options_is_the_models_failure():
    no_answer = outcome("It rained all day long.", Asked(Match(None, "m", "v")))
    assert isinstance(no_answer, NoAnswer)
    assert no_answer.detail == {"matcher": "m", "matcher_version": "v", "reused": False}


def test_a_matcher_that_fails_is_not_the_models_failure():
    failed = NotJudged(NotJudgedReason.JUDGE_UNREACHABLE, {"trouble": "gone"})
    assert outcome("It rained all day long.", Asked(failed)) == failed


def test_items_of_a_pass_that_was_not_judged_have_no_scores(monkeypatch):
    monkeypatch.setenv("LMMS_EVAL_TASKS_MATCHER", "openai")
    items = CircularScorer(None)(row(), ["It rained all day long."])
    assert items["circular_acc"]["outcome"] == "not_judged"
    assert "LMMS_EVAL_TASKS_MATCHER_MODEL" in items["circular_acc"]["trouble"]
    for metric in ("mean_acc", "answered_acc", "first_pass_acc", "undecided_rate"):
        assert "score" not in items[metric]
    assert items["not_judged_rate"]["score"] == 1.0


def test_every_item_has_the_same_metrics_whatever_a_model_says():
    scorer = CircularScorer("lexical")
    said = ["A", "", None, "B or C", "x" * 50_000, "\ud800"]
    assert len({tuple(scorer(row(), [response])) for response in said}) == 1
    assert "first_pass_acc" not in scorer(row(shift=1), ["A"])


def test_clips_without_sound_are_counted_only_where_sound_is_handed_over():
    sounding = CircularScorer("lexical", counts_sound=True)
    assert sounding(row(has_sound=True), ["A"])["with_sound_rate"]["score"] == 1.0
    assert sounding(row(has_sound=False), ["A"])["with_sound_rate"]["score"] == 0.0
    assert "with_sound_rate" not in CircularScorer("lexical")(row(), ["A"])


def test_a_benchmark_without_a_model_to_match_says_so_once_a_sample_does_not():
    heard: list[str] = []
    sink = logger.add(heard.append, format="{message}", level="WARNING")
    CircularScorer("lexical").preflight()
    CircularScorer(None).preflight()
    logger.remove(sink)
    (line,) = heard
    assert "LMMS_EVAL_TASKS_MATCHER_MODEL" in line


def test_results_cite_the_matcher(monkeypatch):
    assert CircularScorer(None).provenance() == {
        "matcher": "lexical",
        "matcher_version": "lexical-match-1",
    }
    monkeypatch.setenv("LMMS_EVAL_TASKS_MATCHER", "openai")
    assert CircularScorer(None).provenance() == {"matcher": "none"}
