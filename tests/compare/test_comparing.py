"""Comparing runs: what is paired, what is left out, and what is said of it."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console

from lmms_eval_tasks.compare.report import compare_runs
from lmms_eval_tasks.compare.terminal import show
from lmms_eval_tasks.results.run import read_run
from tests.compare.invoking import compared, invoke
from tests.results.layout import (
    failed,
    geoqa,
    open_ended,
    passes,
    task_config,
    unjudged,
    worldbench,
    write_run,
)

BOTH_READINGS = ("accuracy", "accuracy_normalised")


def runs(tmp_path, task, *logged, **changes):
    return [
        write_run(tmp_path / name, {task: lines}, **changes)
        for name, lines in zip("abcdef", logged, strict=False)
    ]


def measure(tmp_path, task, metric, *logged):
    (found,) = compared(*runs(tmp_path, task, *logged))["tasks"]
    return found["measures"][metric]


def right_up_to(count: int, questions: int = 100):
    return [worldbench(number, right=number < count) for number in range(questions)]


def test_right_and_wrong_answers_are_paired_by_question(tmp_path):
    a = [worldbench(number, right=number < 60) for number in range(100)]
    b = [worldbench(number, right=10 <= number < 75) for number in range(100)]
    found = measure(tmp_path, "worldbench", "accuracy", a, b[::-1])
    overall = found["overall"]
    assert (overall["questions"], overall["a"], overall["b"], overall["value"]) == (100, 60, 65, 5)
    assert (overall["up"], overall["down"]) == (15, 10)
    assert overall["low"] < 5 < overall["high"]
    assert overall["test"] == "McNemar, exact"
    assert len(found["flips"]) == 25


def test_both_readings_of_worldbench_are_compared(tmp_path):
    a, b = right_up_to(5, 10), right_up_to(5, 10)
    b[9]["accuracy_normalised"] = b[9]["accuracy_normalised"] | {"score": 100.0, "chosen": "B"}
    (task,) = compared(*runs(tmp_path, "worldbench", a, b))["tasks"]
    assert task["measures"]["accuracy"]["overall"]["value"] == 0
    assert task["measures"]["accuracy_normalised"]["overall"]["value"] == 10


def test_both_countings_of_geoqa_are_compared(tmp_path):
    a = [geoqa(number, right=False) for number in range(10)]
    b = [geoqa(number, right=number < 3, official=number < 4) for number in range(10)]
    (task,) = compared(*runs(tmp_path, "geoqa", a, b))["tasks"]
    assert task["measures"]["accuracy"]["overall"]["value"] == 30
    assert task["measures"]["accuracy_official"]["overall"]["value"] == 40
    lines = {line["level"]: line for line in task["measures"]["accuracy"]["breakdowns"]}
    assert (lines["angle"]["b"], lines["length"]["b"]) == (40, 20)


def test_what_the_official_counting_chose_or_why_it_chose_nothing_is_shown(tmp_path):
    a = [geoqa(0, right=True), geoqa(1, right=True, official=False)]
    b = [geoqa(0, right=True, official=False), geoqa(1, right=True)]
    b[0]["accuracy_official"] |= {"chosen": None, "status": "no_program"}
    (task,) = compared(*runs(tmp_path, "geoqa", a, b))["tasks"]
    first, second = task["measures"]["accuracy_official"]["flips"]
    assert (first["a"]["said"], first["a"]["outcome"]) == ("B", "scored")
    assert (first["b"]["said"], first["b"]["outcome"]) == ("–", "no_answer")
    assert (first["b"]["reason"], second["a"]["reason"]) == ("no_program", "")


def test_a_question_of_circular_eval_is_right_when_all_its_passes_are(tmp_path):
    a = [*passes(0, [True] * 4), *passes(1, [True, True, True, False], first=4)]
    b = [*passes(0, [True] * 4), *passes(1, [True] * 4, first=4)]
    a.reverse()
    found = measure(tmp_path, "worldqa_circular", "circular_acc", a, b[::-1])
    assert (found["overall"]["a"], found["overall"]["b"]) == (0.5, 1.0)
    (flip,) = found["flips"]
    assert flip["id"] == "v1/0"
    assert flip["a"]["said"] == "3 of 4 right: A B C D"
    positions = {line["level"]: (line["a"], line["b"]) for line in found["breakdowns"]}
    assert positions == {"A": (1, 1), "B": (1, 1), "C": (1, 1), "D": (0.5, 1)}


def test_a_question_with_a_missing_or_unjudged_pass_is_counted_and_not_compared(tmp_path):
    whole = [line for number in range(4) for line in passes(number, [True] * 4, first=4 * number)]
    a = whole[:3] + whole[4:]
    b = [*whole[:7], *(unjudged(line, ["circular_acc"], "judge_refused") for line in whole[7:8])]
    rows = {"n-samples": {"worldqa_circular": {"original": 16, "effective": 16}}}
    paths = runs(tmp_path, "worldqa_circular", a, [*b, *whole[8:]], **rows)
    found = compared(*paths)["tasks"][0]["measures"]["circular_acc"]
    assert found["overall"]["questions"] == 2
    assert found["unjudged"] == [
        {"run": "A", "id": "v0/0", "reason": "1 of its passes missing"},
        {"run": "B", "id": "v1/0", "reason": "judge_refused"},
    ]


def test_points_are_compared_video_by_video_and_grade_by_grade(tmp_path):
    a = [open_ended(number, 0.0, f"v{number % 6}") for number in range(12)]
    b = [open_ended(number, 50.0 * (number < 4), f"v{number % 6}") for number in range(12)]
    for number in range(4):
        b[number]["open_ended_score"]["grade"] = "incomplete"
    found = measure(tmp_path, "worldqa_open_ended", "open_ended_score", a, b)
    overall = found["overall"]
    assert (overall["questions"], overall["clusters"]) == (12, 6)
    assert overall["value"] == pytest.approx(200 / 12)
    # Four of six videos differ, all to one side: 2 of 2⁴ swaps go as far.
    assert (overall["p"], overall["test"]) == (2 / 16, "swapping each video, exact")
    grades = {line["level"]: line for line in found["breakdowns"]}
    assert list(grades)[:3] == ["correct", "incomplete", "redundant"]
    assert grades["incomplete"]["value"] == pytest.approx(100 / 3)
    assert grades["incorrect"]["value"] == pytest.approx(-100 / 3)
    assert "unnamed" not in grades


def test_breakdowns_by_domain_add_up_to_the_whole(tmp_path):
    domains = ("objects", "scenes", "agents")
    a, b = (
        [worldbench(n, right=n % step == 0, domain=domains[n % 3]) for n in range(60)]
        for step in (2, 5)
    )
    found = measure(tmp_path, "worldbench", "accuracy", a, b)
    lines = [line for line in found["breakdowns"] if line["by"] == "domain"]
    assert [line["level"] for line in lines] == ["agents", "objects", "scenes"]
    for key in ("questions", "up", "down"):
        assert sum(line[key] for line in lines) == found["overall"][key]
    assert sum(line["value"] * 20 for line in lines) == pytest.approx(
        found["overall"]["value"] * 60
    )


def test_a_question_nobody_judged_is_named_and_compared_with_nothing(tmp_path):
    a = [open_ended(number, 0.0) for number in range(8)]
    b = [open_ended(number, 100.0) for number in range(8)]
    b[2] = unjudged(b[2], ["open_ended_score"])
    a[5] = unjudged(a[5], ["open_ended_score"], "content_filter")
    a[6]["open_ended_score"]["score"] = float("nan")
    paths = runs(tmp_path, "worldqa_open_ended", a, b)
    (task,) = compared(*paths)["tasks"]
    found = task["measures"]["open_ended_score"]
    assert found["overall"]["questions"] == 5
    assert {(one["run"], one["id"], one["reason"]) for one in found["unjudged"]} == {
        ("B", "v2/0", "judge_unreachable"),
        ("A", "v5/0", "content_filter"),
        ("A", "v6/0", "no score"),
    }
    said = invoke(*paths).output
    assert "Not compared, for want of a value in both runs: 3 (" in said
    assert "B: 1 judge_unreachable (v2/0)" in said


def test_failed_requests_are_named_and_the_difference_without_them_stands_beside(tmp_path):
    a, b = right_up_to(50), right_up_to(50)
    b[:10] = [failed(line, BOTH_READINGS) for line in b[:10]]
    paths = runs(tmp_path, "worldbench", a, b)
    (task,) = compared(*paths)["tasks"]
    found = task["measures"]["accuracy"]
    assert (found["overall"]["questions"], found["overall"]["value"]) == (100, -10)
    assert (found["without_failed"]["questions"], found["without_failed"]["value"]) == (90, 0)
    assert len(found["failed"]) == 10
    said = invoke(*paths).output
    assert "counted as wrong: B: 10 request_failed (q0000, q0001, q0002, q0003, q0004, …)" in said
    assert "without failed requests" in said


def test_swapping_the_runs_turns_the_difference(tmp_path):
    a, b = runs(tmp_path, "worldbench", right_up_to(40), right_up_to(55))
    one = compared(a, b)["tasks"][0]["measures"]["accuracy"]
    other = compared(b, a)["tasks"][0]["measures"]["accuracy"]
    assert one["overall"]["value"] == -other["overall"]["value"] == 15
    assert one["overall"]["low"] == pytest.approx(-other["overall"]["high"])
    assert one["overall"]["p"] == other["overall"]["p"]
    assert [flip["id"] for flip in one["flips"]] == [flip["id"] for flip in other["flips"]]


def test_several_runs_are_each_compared_with_the_first_and_corrected(tmp_path):
    paths = runs(tmp_path, "worldbench", *map(right_up_to, (40, 46, 48, 41)))
    found = compared(*paths)
    assert list(found["runs"]) == ["A", "B", "C", "D"]
    measures = [task["measures"]["accuracy"] for task in found["tasks"]]
    assert [(task["a"], task["b"]) for task in found["tasks"]] == [("A", x) for x in "BCD"]
    assert [one["overall"]["p"] for one in measures] == pytest.approx([2 / 64, 2 / 256, 1.0])
    assert [one["corrected_p"] for one in measures] == pytest.approx([4 / 64, 6 / 256, 1.0])
    said = invoke(*paths).output
    assert "no difference between A and B can be told (+6.0 points" in said
    assert "accuracy: C is higher than A (+8.0 points" in said
    assert "after Holm's correction" in said


def test_two_runs_need_no_correction(tmp_path):
    paths = runs(tmp_path, "worldbench", right_up_to(40), right_up_to(48))
    assert compared(*paths)["tasks"][0]["measures"]["accuracy"]["corrected_p"] is None
    said = invoke(*paths).output
    assert "accuracy: B is higher than A (+8.0 points, 95 % interval +2.0 to +13.7" in said
    assert "p = 0.008; McNemar, exact; 100 questions)" in said
    assert "Holm" not in said


def test_only_the_tasks_that_are_named_are_compared_and_others_are_mentioned(tmp_path):
    samples = {"worldbench": right_up_to(3, 6), "geoqa": [geoqa(0, right=True)]}
    a = write_run(tmp_path / "a", samples)
    b = write_run(tmp_path / "b", {"worldbench": right_up_to(4, 6)})
    assert "geoqa is only in A, and is not compared." in invoke(a, b).output
    both = write_run(tmp_path / "c", samples)
    assert [task["task"] for task in compared(a, both, "--task", "geoqa")["tasks"]] == ["geoqa"]


def test_flips_are_listed_up_to_the_number_that_is_asked_for(tmp_path):
    paths = runs(tmp_path, "worldbench", right_up_to(10), right_up_to(40))
    assert "30 of 100 questions differ" in invoke(*paths).output
    assert "10 more: --flips 30, --html or --json." in invoke(*paths).output
    few = invoke(*paths, "--flips", 2).output
    assert "q0011" in few
    assert "q0012" not in few
    assert "q0011" not in invoke(*paths, "--flips", 0).output
    assert len(compared(*paths)["tasks"][0]["measures"]["accuracy"]["flips"]) == 30


def test_the_largest_differences_come_first(tmp_path):
    a = [open_ended(number, 0.0) for number in range(4)]
    b = [open_ended(number, points) for number, points in enumerate((30.0, 100.0, 0.0, 50.0))]
    found = measure(tmp_path, "worldqa_open_ended", "open_ended_score", a, b)
    assert [flip["id"] for flip in found["flips"]] == ["v1/0", "v3/0", "v0/0"]
    first = found["flips"][0]
    assert (first["prompt"], first["right"]) == ("Question 1?", "B")
    assert first["b"]["response"] == "because 100.0"


def test_questions_that_share_an_id_are_told_apart_by_their_position(tmp_path):
    a = [worldbench(number, right=number == 1, id="same") for number in range(2)]
    b = [worldbench(number, right=True, id="same") for number in range(2)]
    found = measure(tmp_path, "worldbench", "accuracy", a, b[::-1])
    assert (found["overall"]["questions"], found["overall"]["a"]) == (2, 50)
    assert [flip["id"] for flip in found["flips"]] == ["same"]


def test_a_sample_that_was_logged_twice_counts_once_as_it_stands_last(tmp_path):
    a = [worldbench(0, right=True), worldbench(0, right=False)]
    found = measure(tmp_path, "worldbench", "accuracy", a, [worldbench(0, right=False)] * 2)
    assert (found["overall"]["questions"], found["overall"]["a"]) == (1, 0)


def test_questions_without_a_video_are_clusters_of_their_own(tmp_path):
    config = task_config("worldqa_open_ended")
    del config["cluster_key"]
    a, b = ([open_ended(number, points, "v") for number in range(6)] for points in (0.0, 50.0))
    paths = runs(tmp_path, "worldqa_open_ended", a, b, configs={"worldqa_open_ended": config})
    overall = compared(*paths)["tasks"][0]["measures"]["open_ended_score"]["overall"]
    assert (overall["clusters"], overall["test"]) == (6, "swapping each question, exact")


def test_piped_output_is_plain_and_no_sentence_is_broken(tmp_path):
    a, b = (right_up_to(count) for count in (10, 40))
    said = invoke(*runs(tmp_path, "worldbench", a, b)).output
    assert "\x1b" not in said
    (verdict,) = [line for line in said.splitlines() if line.startswith("  accuracy: ")]
    assert verdict.endswith("questions).")


def test_tables_fit_a_terminal_of_80_columns(tmp_path):
    domain = "documents_charts_tables"
    a, b = ([worldbench(n, right=n < k, domain=domain) for n in range(100)] for k in (0, 100))
    paths = runs(tmp_path, "worldbench", a, b)
    screen = Console(file=io.StringIO(), width=80, force_terminal=True, highlight=False)
    show(compare_runs([read_run(path) for path in paths]), 5, screen)
    lines = re.sub(r"\x1b\[[\d;]*m", "", screen.file.getvalue()).splitlines()
    whole = r".* 0\.0  100\.0  \+100\.0  \+\d+\.\d to \+100\.0  <0\.001 +\d+/0 *"
    # Two readings; for each the whole, one domain and four letters.
    assert len([line for line in lines if re.fullmatch(whole, line)]) == 12
    assert all(
        len(line) <= 80 for line in lines if "  accuracy" not in line and "_results" not in line
    )


def test_of_long_texts_the_end_is_kept(tmp_path):
    a, b = ([open_ended(0, points)] for points in (0.0, 100.0))
    b[0] |= {"filtered_resps": f"begin {'x' * 5000} end", "input": f"first {'y' * 5000} last"}
    a[0]["input"] = b[0]["input"]
    (flip,) = measure(tmp_path, "worldqa_open_ended", "open_ended_score", a, b)["flips"]
    for text, ends in (
        (flip["b"]["response"], ("begin", "end")),
        (flip["prompt"], ("first", "last")),
    ):
        assert (text.split()[0], text.split()[-1]) == ends
        assert " […] " in text
        assert len(text) < 1100


def test_the_letter_choice_of_geoqa_shows_its_letters(tmp_path):
    names = ("accuracy", "undecided_rate", "accuracy_angle", "accuracy_length")
    config = task_config("geoqa", metric_list=[{"metric": name} for name in names])
    a, b = (
        [geoqa(0, right=right, chosen=letter, right_answer="C")]
        for right, letter in ((False, "A"), (True, "C"))
    )
    for (line,) in (a, b):
        del line["accuracy_official"]
    paths = runs(tmp_path, "geoqa_choice", a, b, configs={"geoqa_choice": config})
    (task,) = compared(*paths)["tasks"]
    assert list(task["measures"]) == ["accuracy"]
    (flip,) = task["measures"]["accuracy"]["flips"]
    assert (flip["a"]["said"], flip["b"]["said"]) == ("A", "C")
    levels = {(line["by"], line["level"]) for line in task["measures"]["accuracy"]["breakdowns"]}
    assert levels == {("type", "angle"), ("right letter", "C")}


def test_more_runs_than_letters_are_too_many(tmp_path):
    (path,) = runs(tmp_path, "worldbench", right_up_to(1, 2))
    assert "Name 26 runs at most." in invoke(*[path] * 27, exit_code=2).output


def test_one_run_is_not_enough(tmp_path):
    (path,) = runs(tmp_path, "worldbench", right_up_to(1, 2))
    assert "Name two runs or more." in invoke(path, exit_code=2).output


def test_what_cannot_be_read_is_said_in_one_sentence(tmp_path):
    a, b = runs(tmp_path, "worldbench", right_up_to(1, 2), right_up_to(1, 2))
    missing = tmp_path / "nowhere"
    assert f"Error: There is no {missing}." in invoke(a, missing, exit_code=1).output
    file = next(b.glob("*_samples_*.jsonl"))
    file.write_bytes(file.read_bytes()[:-9])
    assert f"{file}, line 2: the line is cut" in invoke(a, b, exit_code=1).output


def test_runs_that_share_no_task_say_what_they_have(tmp_path):
    a = write_run(tmp_path / "a", {"geoqa": [geoqa(0, right=True)]})
    b = write_run(tmp_path / "b", {"worldbench": right_up_to(1, 2)})
    said = invoke(a, b, exit_code=1).output
    assert "share no task (geoqa; worldbench)" in said


def test_a_page_that_cannot_be_written_is_named(tmp_path):
    a, b = runs(tmp_path, "worldbench", right_up_to(1, 2), right_up_to(1, 2))
    page = tmp_path / "no" / "page.html"
    assert str(page) in invoke(a, b, "--html", page, exit_code=1).output
