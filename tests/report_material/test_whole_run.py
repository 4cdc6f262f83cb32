"""What a report shows of real runs agrees with what lmms-eval printed."""

from __future__ import annotations

import pytest

from lmms_eval_tasks.report.material.facts import cautions, headline
from lmms_eval_tasks.report.material.panels import panels
from lmms_eval_tasks.report.material.pictures import Pictures
from lmms_eval_tasks.report.material.views import view
from lmms_eval_tasks.results.run import Kind, Run, read_run
from tests.integration.harness import run as run_harness
from tests.report_material.svg import parsed

pytestmark = pytest.mark.slow

SAMPLES = "worldqa_sample,worldbench_sample,geoqa_sample"
BUDGET = 1_000_000


@pytest.fixture(scope="module")
def replayed(tmp_path_factory) -> Run:
    folder = tmp_path_factory.mktemp("replay")
    finished = run_harness("--model", "replay", "--tasks", SAMPLES, "--log_samples", folder=folder)
    assert finished.results, finished.output[-4_000:]
    return read_run(folder / "out")


def tables(run: Run, name: str):
    task = run.tasks[name]
    found = panels(task, list(task.samples()))
    return {panel.id.removeprefix(name.replace("_", "-") + "-"): panel.table for panel in found}


def cells(table, row: str) -> dict[str, str]:
    (found,) = (cells for cells in table.rows if cells[0] == row)
    return dict(zip(table.columns, found, strict=True))


def test_the_grades_are_lmms_eval_s_rates(replayed):
    task = replayed.tasks["worldqa_open_ended_sample"]
    table = tables(replayed, task.name)["grades"]
    for grade in ("correct", "incomplete", "redundant", "partly_contradicting", "incorrect"):
        rate = f"{100 * task.metrics[f'grade_{grade}_rate']:.1f} %"
        assert cells(table, grade.replace("_", " "))["Share"] == rate


def test_multiple_choice_is_lmms_eval_s(replayed):
    task = replayed.tasks["worldqa_circular_sample"]
    found = tables(replayed, task.name)
    for metric, row in (
        ("circular_acc", "all orders right"),
        ("mean_acc", "mean over passes"),
        ("first_pass_acc", "first pass alone"),
    ):
        accuracy = f"{100 * task.metrics[metric]:.1f} %"
        assert cells(found["accuracies"], row)["Accuracy"] == accuracy
    for right in range(1, 5):
        share = f"{100 * task.metrics[f'at_least_{right}_rate']:.1f} %"
        assert cells(found["ladder"], f"≥ {right}")["Questions"] == share


def test_domains_are_lmms_eval_s(replayed):
    task = replayed.tasks["worldbench_sample"]
    row = cells(tables(replayed, task.name)["domains"], "this run")
    assert row["all questions"].startswith(f"{task.metrics['accuracy']:.1f} [")
    for domain in ("objects", "scenes", "agents", "living_things"):
        accuracy = task.metrics[f"accuracy_{domain}"]
        assert row[domain.replace("_", " ")].startswith(f"{accuracy:.1f} [")


def test_programs_are_lmms_eval_s(replayed):
    task = replayed.tasks["geoqa_sample"]
    found = tables(replayed, task.name)
    for kind in ("angle", "length", "other"):
        share = f"({task.metrics[f'accuracy_{kind}']:.1f} %)"
        assert cells(found["types"], kind)["right"].endswith(share)
    reasons = {row[0]: int(row[1]) for row in found["no-result"].rows}
    assert sum(reasons.values()) == 20 * task.metrics["no_result_rate"]
    assert reasons["out of domain"] == task.metrics["no_result_out_of_domain"]


def test_every_sample_has_a_view_and_its_picture(replayed):
    for task in replayed.tasks.values():
        pictures = Pictures(task, BUDGET)
        for sample in task.samples():
            shown = view(task, sample)
            assert shown.question
            assert (task.kind is Kind.OPEN_ENDED) == (not shown.options)
            uris, note = pictures.of(sample)
            assert (len(uris), note) == (1, "")


def test_every_panel_has_a_chart_and_a_table(replayed):
    ids = []
    for task in replayed.tasks.values():
        for panel in panels(task, list(task.samples())):
            assert parsed(panel.svg).get("role") == "img"
            assert panel.table.rows
            assert all(len(row) == len(panel.table.columns) for row in panel.table.rows)
            ids.append(panel.id)
    assert len(set(ids)) == len(ids)


def test_the_sample_s_facts(replayed):
    task = replayed.tasks["worldqa_open_ended_sample"]
    facts = {fact.label: fact.text for fact in headline(task)}
    assert facts["Score"].startswith("38.3 of 100")
    assert facts["Data"] == "json, open_ended.jsonl, test"
    severities = {fact.label: fact.severity for fact in cautions(task, list(task.samples()))}
    assert severities["Lexical judge"] == "plain"
