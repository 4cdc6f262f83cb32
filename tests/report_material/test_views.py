from __future__ import annotations

import dataclasses
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lmms_eval_tasks.geoqa.program.interpreter import evaluate_steps
from lmms_eval_tasks.geoqa.prompts import choice_prompt, program_prompt
from lmms_eval_tasks.geoqa.records import GeoQARecord
from lmms_eval_tasks.report.material.asked import apart
from lmms_eval_tasks.report.material.geoqa_problem import problem_apart
from lmms_eval_tasks.report.material.geoqa_steps import MOST_STEPS, steps_of
from lmms_eval_tasks.report.material.views import view
from lmms_eval_tasks.results.run import Kind
from lmms_eval_tasks.worldbench.prompts import question_prompt
from lmms_eval_tasks.worldbench.records import Domain, WorldBenchRecord
from lmms_eval_tasks.worldqa.prompts import (
    circular_prompt,
    described_circular_prompt,
    described_open_ended_prompt,
)
from lmms_eval_tasks.worldqa.records import CircularRecord, OpenEndedRecord
from lmms_eval_tasks_core.options import Options
from tests.geoqa.rows import row
from tests.report_material.made import (
    FAILED,
    circular,
    geoqa,
    geoqa_choice,
    open_ended,
    samples,
    task,
    worldbench,
)

LINE = st.text(
    st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1, max_size=40
).map(lambda text: f"x{text.strip()}")
OPTIONS = st.lists(LINE, min_size=4, max_size=4).map(lambda texts: Options(tuple(texts)))


def seen(kind, line, folder):
    run = task(kind, [line], folder)
    return view(run, samples(run)[0])


@given(LINE, OPTIONS, LINE)
def test_our_prompts_come_apart_into_what_they_were_made_of(question, options, description):
    said = list(options.labelled())
    photo = WorldBenchRecord("i", question, options, "A", "c", Domain.OBJECTS)
    one = CircularRecord("i", "g", 0, 4, question, options, 0, "v", description=description)
    free = OpenEndedRecord("i", question, "a", "v", description=description)
    for prompt in (question_prompt(photo), circular_prompt(one)):
        assert (apart(prompt).question, list(apart(prompt).options)) == (question, said)
    described = apart(described_circular_prompt(one))
    assert (described.question, list(described.options)) == (question, said)
    assert described.description == description
    assert apart(described_open_ended_prompt(free)).question == question


@given(
    LINE,
    OPTIONS,
    st.lists(st.floats(0, 1e6).map(lambda n: round(n, 3)), max_size=12),
    st.sampled_from(["en", "zh"]),
    st.booleans(),
)
def test_problems_come_apart_with_their_numbers(question, options, numbers, language, shown):
    record = GeoQARecord.from_row(
        row(question=question, numbers=numbers, choices=list(options.texts), has_diagram=True)
    )
    problem = problem_apart(program_prompt(record, language, most=10, show_options=shown))
    assert problem.question == question
    assert list(problem.numbers) == numbers
    assert list(problem.options) == (list(record.options.labelled()) if shown else [])
    chosen = problem_apart(choice_prompt(record, language))
    assert (chosen.question, list(chosen.options)) == (question, list(record.options.labelled()))


@given(st.text(max_size=200))
def test_a_prompt_of_another_form_is_shown_as_it_is(prompt):
    for taken in (apart(prompt), problem_apart(prompt)):
        pieces = [taken.question, *(text for _, text in taken.options)]
        assert all(piece in prompt for piece in pieces)


@pytest.mark.parametrize(
    ("prompt", "question", "options"),
    [
        ("Look.\nA. one\nB. two", "Look.", [("A", "one"), ("B", "two")]),
        # A list in the question is not the options.
        (
            "Which holds?\nA. if x\nB. if y\n\nA. x\nB. y\nC. both",
            "Which holds?\nA. if x\nB. if y",
            [("A", "x"), ("B", "y"), ("C", "both")],
        ),
        ("A. Lincoln said what?", "A. Lincoln said what?", []),
        ("Pick.\nA. Dr. B. Vale\nB. no", "Pick.", [("A", "Dr. B. Vale"), ("B", "no")]),
        ("Pick.\nA. one\nline more\nB. two\n\nA. is no option", "Pick.", None),
        ("", "", []),
    ],
)
def test_options_are_the_last_list_in_order(prompt, question, options):
    taken = apart(prompt)
    assert taken.question == question
    if options is not None:
        assert list(taken.options) == options


def test_a_free_answer_has_its_verdict(tmp_path):
    shown = seen(Kind.OPEN_ENDED, open_ended("the red kettle", "the kettle", "clip"), tmp_path)
    assert shown.key == "my_worldqa_open_ended/0"
    assert (shown.outcome, shown.right, shown.response) == (
        "partly",
        "the red kettle",
        "the kettle",
    )
    assert shown.question == "What happens in clip, 0?"
    assert shown.facets == {"video": "clip", "grade": "incomplete"}
    assert shown.verdict["points"] == "50 of 100"
    assert shown.verdict["judge"] == "lexical"
    assert shown.verdict["rationale"]


@pytest.mark.parametrize(
    ("line", "outcome", "reason"),
    [
        (open_ended("a kettle", "a kettle"), "right", ""),
        (open_ended("a kettle", "nothing"), "wrong", ""),
        (open_ended("a kettle", FAILED), "no answer", "request failed"),
        (open_ended("a kettle", "tea", judge="openai"), "not judged", "judge not configured"),
    ],
)
def test_outcomes_of_free_answers(line, outcome, reason, tmp_path):
    shown = seen(Kind.OPEN_ENDED, line, tmp_path)
    assert (shown.outcome, shown.reason) == (outcome, reason)


def test_a_pass_has_the_options_in_its_own_order(tmp_path):
    line = circular(("A", "The answer is D."))[1]
    shown = seen(Kind.CIRCULAR, line, tmp_path)
    assert list(shown.options) == [("A", "green"), ("B", "blue"), ("C", "white"), ("D", "red")]
    assert (shown.outcome, shown.right, shown.answer) == ("right", "D", "D")
    assert {"pass": "2 of 4", "question": "clip/0"}.items() <= shown.facets.items()
    assert shown.verdict["found by"] == "declared letter"


def test_a_photo_s_question_shows_both_readings_and_the_reasoning(tmp_path):
    line = worldbench("Answer: B", whole="<think>Two mugs.</think>Answer: B")
    shown = seen(Kind.WORLDBENCH, line, tmp_path)
    assert (shown.outcome, shown.reason) == ("no answer", "no answer line")
    assert shown.verdict == {"strict reading": "no answer line", "normalised reading": "B"}
    assert shown.facets["normalised reading"] == "right"
    assert shown.response == "Answer: B"
    assert shown.reasoning == "<think>Two mugs.</think>"


def test_reasoning_that_the_log_did_not_cut_off_is_told_apart(tmp_path):
    shown = seen(Kind.WORLDBENCH, worldbench("<think>Two.</think>\nANSWER: B"), tmp_path)
    assert (shown.response, shown.reasoning) == ("ANSWER: B", "<think>Two.</think>")


def test_a_thought_that_never_ends_is_the_response(tmp_path):
    shown = seen(Kind.WORLDBENCH, worldbench("<think>Two mugs and"), tmp_path)
    assert (shown.response, shown.reasoning) == ("<think>Two mugs and", "")


def test_a_program_is_shown_step_by_step(tmp_path):
    shown = seen(Kind.GEOQA, geoqa(row(), "g_minus C_3 N_0 g_half V_0"), tmp_path)
    assert shown.steps == [
        ("numbers", "N_0 = 50"),
        ("V_0 = g_minus C_3 N_0", "Minus, |a − b|; a = 180, b = 50: 130"),
        ("V_1 = g_half V_0", "Half, a/2; a = 130: 65"),
        ("matches", "B"),
        ("published evaluation chooses", "B"),
    ]
    assert (shown.outcome, shown.right, shown.answer) == ("right", "B", "B")
    assert list(shown.options) == list(zip("ABCD", row()["choices"], strict=True))
    assert shown.question == row()["question"]
    assert shown.verdict["beside the gold's program"] == "equivalent"


def test_a_program_that_fails_says_where(tmp_path):
    shown = seen(Kind.GEOQA, geoqa(row(), "g_half N_0 g_sin V_0"), tmp_path)
    steps = dict(shown.steps)
    assert steps["V_0 = g_half N_0"].endswith(": 25")
    assert "no value" in steps["V_1 = g_sin V_0"]
    assert steps["stopped"].startswith("out of domain at token 3, 'g_sin'")
    assert (shown.outcome, shown.answer) == ("no answer", "")


def test_a_text_that_is_no_program_stands_there_whole(tmp_path):
    shown = seen(Kind.GEOQA, geoqa(row(), "```\ng_half N_0 g_nonsense V_0\n```"), tmp_path)
    assert any("g_nonsense" in text for _, text in shown.steps)
    assert shown.reason == "unknown operator"


def test_the_options_words_are_shown_where_the_log_has_them(tmp_path):
    line = geoqa(row(), "g_half N_0")
    line["accuracy"]["options"] = row()["choices"]
    assert list(seen(Kind.GEOQA, line, tmp_path).options)[3] == ("D", "cannot be determined")
    shown = seen(Kind.GEOQA, geoqa(row(), "g_half N_0", options=True), tmp_path)
    assert list(shown.options)[3] == ("D", "cannot be determined")


def test_the_letter_choice_has_its_letter(tmp_path):
    shown = seen(Kind.GEOQA, geoqa_choice(row(), "Answer: C"), tmp_path)
    assert (shown.outcome, shown.right, shown.answer) == ("wrong", "B", "C")
    assert [letter for letter, _ in shown.options] == ["A", "B", "C", "D"]
    assert shown.steps == []


STEP = st.one_of(
    st.tuples(st.sampled_from(["g_half", "g_double", "g_equal"]), st.just("N_0")),
    st.tuples(st.sampled_from(["g_add", "g_mul", "g_divide"]), st.just("N_0"), st.just("C_1")),
)


@given(st.lists(STEP, min_size=1, max_size=60), st.floats(1, 1_000))
def test_the_steps_have_the_interpreter_s_values(written, first):
    program = " ".join(" ".join(step) for step in written)
    steps = steps_of({"program": program}, [first])
    values = evaluate_steps(program, [first])
    for (_, text), value in zip(steps[:MOST_STEPS], values, strict=False):
        assert text.endswith(f": {value:.6g}")
    assert len(steps) == min(len(written), MOST_STEPS) + (len(written) > MOST_STEPS)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=4,
)
FIELDS = (
    *("outcome", "reason", "score", "grade", "video_idx", "chosen", "right", "pass", "passes"),
    *("program", "values", "matched", "rank", "label", "official", "option_numbers", "options"),
    *("token", "position", "trouble", "beam", "equivalence", "domain", "judge", "group"),
)


@given(st.sampled_from(list(Kind)), st.dictionaries(st.sampled_from(FIELDS), JSON), st.text())
def test_no_item_however_odd_stops_a_report(kind, item, prompt):
    from lmms_eval_tasks.results.run import Sample, TaskRun  # noqa: PLC0415 - beside its only use

    run = TaskRun("t", kind, "", {}, {}, {}, {}, 0, 0, None)
    sample = Sample(0, "i", prompt, "", "r", "r", {kind.headline: item}, item)
    shown = view(run, sample)
    assert shown.outcome in {"right", "partly", "wrong", "no answer", "not judged"}
    assert json.dumps(dataclasses.asdict(shown))


def test_real_problems_and_answers_come_apart(shared_data, tmp_path):
    rows = json.loads((shared_data / "geoqa_test_rows_150.json").read_text(encoding="utf-8"))
    written = (shared_data / "geoqa_choice_responses_150.jsonl").read_text(encoding="utf-8")
    said = {line["id"]: line["response"] for line in map(json.loads, written.splitlines())}
    programs = task(Kind.GEOQA, [geoqa(one, one["program"]) for one in rows], tmp_path)
    for one, sample in zip(rows, samples(programs), strict=True):
        shown = view(programs, sample)
        assert shown.question == GeoQARecord.from_row(one).question
        assert (shown.outcome, shown.right in shown.answer) == ("right", True)
        assert len(shown.steps) >= 2 + one["program"].count("g_") * bool(one["numbers"])
    letters = task(Kind.GEOQA, [geoqa_choice(one, said[one["id"]]) for one in rows], tmp_path)
    shown = [view(letters, sample) for sample in samples(letters)]
    # What the released answers are known to score.
    assert [one.outcome for one in shown].count("right") == 92
    texts = [[text for _, text in one.options] for one in shown]
    assert texts == [[text.strip() for text in one["choices"]] for one in rows]
