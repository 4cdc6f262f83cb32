from __future__ import annotations

import json

import pytest

from lmms_eval_tasks.report.material.facts import cautions, headline
from lmms_eval_tasks.results.run import Kind
from tests.geoqa.rows import row
from tests.report_material.made import (
    FAILED,
    circular,
    geoqa,
    open_ended,
    samples,
    task,
    worldbench,
)

SAMPLE = {"data_files": {"test": "/x/lmms_eval_tasks/worldqa/../samples/worldqa/open_ended.jsonl"}}


def told(facts):
    return {fact.label: fact.text for fact in facts}


def warned(run):
    return {fact.label: (fact.severity, fact.text) for fact in cautions(run, samples(run))}


def free(folder, *lines, **changes):
    return task(Kind.OPEN_ENDED, lines or [open_ended("a", "a")], folder, **changes)


def test_a_score_with_few_videos_has_a_standard_error_and_no_interval(tmp_path):
    lines = [open_ended("a", "a", f"v{n % 3}", number=n) for n in range(6)]
    run = free(
        tmp_path, *lines, metrics={"open_ended_score": 38.3}, stderrs={"open_ended_score": 18.8}
    )
    text = told(headline(run))["Score"]
    assert text == "38.3 of 100, standard error 18.8 over 3 videos: too few for an interval"


def test_a_score_with_many_videos_has_an_interval(tmp_path):
    lines = [open_ended("a", "a", f"v{n}") for n in range(20)]
    run = free(
        tmp_path, *lines, metrics={"open_ended_score": 38.3}, stderrs={"open_ended_score": 2.0}
    )
    assert told(headline(run))["Score"] == "38.3 of 100 [34.4, 42.2]"


def test_an_interval_stays_on_the_scale(tmp_path):
    lines = [open_ended("a", "a", f"v{n}") for n in range(20)]
    run = free(
        tmp_path, *lines, metrics={"open_ended_score": 99.0}, stderrs={"open_ended_score": 2.0}
    )
    assert told(headline(run))["Score"] == "99.0 of 100 [95.1, 100.0]"


def test_a_single_video_has_no_standard_error_worth_telling(tmp_path):
    run = free(tmp_path, metrics={"open_ended_score": 50.0}, stderrs={"open_ended_score": 1.0})
    assert told(headline(run))["Score"] == "50.0 of 100 (a single video: no interval)"


def test_answers_that_are_all_alike_make_no_certainty(tmp_path):
    lines = [open_ended("a", "a", f"v{n}") for n in range(20)]
    run = free(
        tmp_path, *lines, metrics={"open_ended_score": 100.0}, stderrs={"open_ended_score": 0.0}
    )
    assert told(headline(run))["Score"] == "100.0 of 100 (all alike: no interval)"


def test_unjudged_answers_widen_the_score_to_its_bounds(tmp_path):
    metrics = {"open_ended_score": 50.0, "judged_rate": 0.9}
    run = free(tmp_path, metrics={**metrics, "score_lower": 45.0, "score_upper": 55.0})
    assert told(headline(run))["Bounds"].startswith("45.0 to 55.0")
    whole = free(tmp_path, metrics={**metrics, "judged_rate": 1.0})
    assert "Bounds" not in told(headline(whole))


def test_a_number_cites_its_judge_task_and_data(tmp_path):
    run = free(
        tmp_path,
        metadata={"judge": "gpt-x", "rubric_version": "worldqa-1", "fingerprint": "abc"},
        config={
            "dataset_path": "json",
            "test_split": "test",
            "dataset_kwargs": {"data_files": {"test": "/home/me/rows.jsonl"}, "revision": "main"},
        },
        planned=10,
        asked=1,
    )
    facts = told(headline(run))
    assert facts["Judge"] == "gpt-x"
    assert facts["Rubric"] == "worldqa-1"
    assert facts["Data"] == "json, rows.jsonl, test, revision main, fingerprint abc"
    assert facts["Task"] == "my_worldqa_open_ended, version 1.0"
    assert facts["Asked"] == "1 of 10"


def test_both_accuracies_of_multiple_choice_are_told_apart(tmp_path):
    run = task(
        Kind.CIRCULAR,
        circular(("A", "D", "C", "B")),
        tmp_path,
        metrics={
            "circular_acc": 0.5,
            "mean_acc": 0.75,
            "incomplete_groups": 2.0,
            "circular_lower": 0.4,
            "circular_upper": 0.6,
        },
        metadata={"matcher": "lexical"},
    )
    facts = told(headline(run))
    assert facts["Questions right in every order (CircularEval)"] == "50.0 %"
    assert facts["Mean over passes"] == "75.0 %"
    assert facts["Bounds"].startswith("40.0 % to 60.0 %")
    assert facts["Matcher"] == "lexical"


def test_accuracies_of_photos_have_wilson_s_interval_over_usable_rows(tmp_path):
    metrics = {"accuracy": 50.0, "accuracy_normalised": 100.0, "image_unusable": 2.0}
    run = task(
        Kind.WORLDBENCH, [], tmp_path, metrics=metrics, asked=12, planned=12, samples_file=None
    )
    facts = told(headline(run))
    assert facts["Accuracy (strict)"] == "50.0 % [23.7, 76.3] of 10 questions"
    assert facts["Accuracy (normalised)"] == "100.0 % [72.2, 100.0] of 10 questions"


def test_accuracies_of_programs_name_the_beam(tmp_path):
    metrics = {
        "accuracy": 50.0,
        "accuracy_official": 60.0,
        "no_result_rate": 0.1,
        "beam_size": 10.0,
    }
    facts = told(
        headline(
            task(Kind.GEOQA, [], tmp_path, metrics=metrics, asked=10, planned=10, samples_file=None)
        )
    )
    assert facts["Accuracy"] == "50.0 % [23.7, 76.3] of 10 problems"
    assert facts["By the published evaluation"].startswith("60.0 % [31.3, 83.2]")
    assert facts["Without a result"] == "10.0 %"
    assert facts["Beam"] == "10 candidate programs"


@pytest.mark.parametrize("kind", list(Kind))
def test_a_results_file_without_the_headline_says_so(kind, tmp_path):
    facts = headline(task(kind, [], tmp_path, samples_file=None))
    assert "not in the results file" in " ".join(fact.text for fact in facts)


def test_a_clean_run_has_no_caution(tmp_path):
    assert warned(free(tmp_path)) == {}


def test_unjudged_answers_are_counted_by_reason(tmp_path, monkeypatch):
    monkeypatch.delenv("LMMS_EVAL_TASKS_JUDGE_MODEL", raising=False)
    lines = [open_ended("a", "a"), open_ended("a", "b", judge="openai", number=1)]
    run = free(tmp_path, *lines, metrics={"score_lower": 50.0, "score_upper": 100.0})
    severity, text = warned(run)["Not judged"]
    assert severity == "bad"
    assert "1 (50.0 %) of the answers, more than 5 %:" in text
    assert "judge not configured 1" in text
    assert "between 50.0 and 100.0" in text


@pytest.mark.parametrize(("good", "severity"), [(1, "bad"), (40, "warn")])
def test_failed_requests_are_counted(good, severity, tmp_path):
    lines = [worldbench("ANSWER: B", n) for n in range(good)] + [worldbench(FAILED, good)]
    found = warned(task(Kind.WORLDBENCH, lines, tmp_path))
    assert found["Failed requests"][0] == severity
    assert found["Failed requests"][1].startswith("1 (")


@pytest.mark.parametrize(
    ("good", "severity", "rule"),
    [(19, "warn", ", not more than 5 %;"), (18, "bad", ", more than 5 %;")],
)
def test_what_is_a_note_and_what_a_warning_is_told(good, severity, rule, tmp_path):
    lines = [worldbench("ANSWER: B", n) for n in range(good)] + [worldbench(FAILED, good)]
    found = warned(task(Kind.WORLDBENCH, lines, tmp_path))["Failed requests"]
    assert found[0] == severity
    assert f"of the requests failed{rule}" in found[1]


def test_a_part_of_the_data_is_called_so(tmp_path):
    assert warned(free(tmp_path, planned=10, asked=1))["Part of the data"] == (
        "warn",
        "1 of 10 were asked (--limit or --offset): the numbers are about this part.",
    )


def test_a_log_that_was_cut_is_called_so(tmp_path):
    run = free(tmp_path, metrics={"open_ended_score": 50.0})
    severity, text = warned(run)["Log and results differ"]
    assert severity == "bad"
    assert "open_ended_score 100, the results file 50" in text
    lines = [*circular(("A", "D", "C", "B")), *circular(("A", "A", "A", "A"), number=1)]
    whole = task(Kind.CIRCULAR, lines, tmp_path, metrics={"circular_acc": 0.5})
    assert "Log and results differ" not in warned(whole)
    cut = task(Kind.CIRCULAR, lines[:4], tmp_path, metrics={"circular_acc": 0.5})
    assert warned(cut)["Log and results differ"][0] == "bad"


def test_what_was_asked_is_counted_in_the_log(tmp_path):
    # lmms-eval writes a share where --limit was one, and counts without --offset.
    lines = [worldbench("ANSWER: B", n) for n in range(10)]
    run = task(Kind.WORLDBENCH, lines, tmp_path, metrics={"accuracy": 100.0}, planned=12, asked=0)
    facts = told(headline(run))
    assert facts["Asked"] == "10 of 12"
    assert facts["Accuracy (strict)"] == "100.0 % [72.2, 100.0] of 10 questions"
    assert warned(run)["Part of the data"][1].startswith("10 of 12 were asked")


def test_missing_material_is_told(tmp_path):
    assert warned(free(tmp_path, metrics={"coverage": 0.9}))["Coverage"][1].startswith("90.0 %")


@pytest.mark.parametrize(
    ("config", "severity"),
    [
        ({"dataset_path": "lmms-eval/worldqa"}, "bad"),
        ({"dataset_path": "json", "dataset_kwargs": SAMPLE}, "plain"),
    ],
)
def test_a_judge_that_compares_words_is_for_the_sample(config, severity, tmp_path):
    run = free(tmp_path, metadata={"judge": "lexical"}, config=config)
    assert warned(run)["Lexical judge"] == (
        severity,
        "The judge compares words; it is not the paper's judge.",
    )


def test_verdicts_of_several_judges_are_no_measurement(tmp_path):
    lines = [open_ended("a", "a"), open_ended("a", "a", number=1)]
    lines[1]["open_ended_score"]["judge"] = "gpt-x"
    assert warned(free(tmp_path, *lines))["Several judges"][0] == "bad"


def test_questions_that_lack_a_pass_are_counted(tmp_path):
    lines = [*circular(("A", "D", "C", "B")), *circular(("A", "D"), number=1)]
    found = warned(task(Kind.CIRCULAR, lines, tmp_path))
    assert found["Incomplete questions"][0] == "warn"
    assert found["Incomplete questions"][1].startswith("1 question of 2")


def test_unusable_pictures_are_counted(tmp_path):
    lines = [worldbench("ANSWER: B"), worldbench("ANSWER: B", 1, image_problem="It is empty.")]
    found = warned(task(Kind.WORLDBENCH, lines, tmp_path))
    assert found["Unusable pictures"][1].startswith("1 (50.0 %)")
    assert "Not judged" not in found


def test_problems_without_a_diagram_or_with_uncertain_numbers_are_counted(tmp_path):
    lines = [geoqa(row(uncertain=True), "g_half N_0"), geoqa(row(id="2", image="x"), "g_half N_0")]
    found = warned(task(Kind.GEOQA, lines, tmp_path))
    assert found["Without a diagram"][1].startswith("1 (50.0 %)")
    assert found["Uncertain numbers"][1].startswith("1 (50.0 %)")


def test_what_compares_with_nothing_says_so_first(tmp_path):
    run = task(
        Kind.GEOQA,
        [geoqa(row(), FAILED)],
        tmp_path,
        metadata={"comparable": False, "note": "The diagram is not shown."},
        planned=5,
    )
    first = cautions(run, samples(run))[0]
    assert (first.label, first.text) == ("Not comparable", "The diagram is not shown.")
    severities = [fact.severity for fact in cautions(run, samples(run))]
    assert severities == sorted(severities)


def test_the_gravest_caution_stands_first(tmp_path):
    run = free(tmp_path, planned=10, metrics={"open_ended_score": 50.0})
    found = [fact.label for fact in cautions(run, samples(run))]
    assert found == ["Log and results differ", "Part of the data"]


def check(folder, **changes):
    whole = {
        "schema_version": 1,
        "judge": {"name": "gpt-x", "server": None},
        "rubric_version": "worldqa-1",
        "item_set": {"version": "1"},
        "date": "2026-01-31T09:30:00Z",
        "judged": 100,
        "asked": 100,
        "agreement": {"value": 0.9, "low": 0.82, "high": 0.95},
        "kappa": {"value": 0.87},
        "kappa_weighted": {"value": 0.9},
        "groups": {"all": {"all": {"bias": {"value": 0.05}}}},
        **changes,
    }
    (folder / "judge_check.json").write_text(json.dumps(whole), encoding="utf-8")


CITED = {"judge": "gpt-x", "rubric_version": "worldqa-1"}


def test_a_judge_that_was_checked_says_how_far_it_agrees(tmp_path):
    check(tmp_path)
    severity, text = warned(free(tmp_path, metadata=CITED))["Judge check"]
    assert severity == "plain"
    assert "90%" in text
    assert "0.05 more points" in text


@pytest.mark.parametrize("changes", [{"judge": {"name": "other"}}, {"rubric_version": "2"}])
def test_another_judge_s_check_is_no_check(changes, tmp_path):
    check(tmp_path, **changes)
    assert warned(free(tmp_path, metadata=CITED))["Judge check"][0] == "warn"


def test_a_check_that_cannot_be_read_is_named_without_its_folder(tmp_path):
    (tmp_path / "judge_check.json").write_text("{", encoding="utf-8")
    severity, text = warned(free(tmp_path, metadata=CITED))["Judge check"]
    assert severity == "warn"
    assert "judge_check.json" in text
    assert str(tmp_path) not in text
