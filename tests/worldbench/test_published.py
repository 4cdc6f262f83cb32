"""The table of the paper, and a run beside it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lmms_eval_tasks.worldbench.published import (
    OVERALL,
    TABLE,
    PublishedTableError,
    beside_published,
    published_table,
)
from lmms_eval_tasks.worldbench.records import Domain
from lmms_eval_tasks_core.errors import SettingError
from lmms_eval_tasks_core.intervals import interval

DOMAINS = [domain.value for domain in Domain]


def test_the_table_has_its_fifteen_models_seven_domains_and_source():
    table = published_table()
    assert "2606.06538" in table.source
    assert list(table.rows) == DOMAINS
    assert sum(table.rows.values()) == 2000
    assert len(table.accuracies) == 15
    averages = [percent[OVERALL] for percent in table.accuracies.values()]
    assert averages == sorted(averages, reverse=True)
    assert table.accuracies["Gemini-3.1-Pro"]["documents_charts_tables"] == 73.8
    assert table.accuracies["Gemma-4-E4B"][OVERALL] == 34.6


def test_the_readme_shows_the_table_with_its_intervals():
    page = TABLE.with_name("README.md").read_text(encoding="utf-8")
    overall, *domains = beside_published({})
    for name, accuracy in overall.published.items():
        cells = [f"{line.published[name].value:.1f}" for line in domains]
        bounds = f"{accuracy.value:.1f} [{accuracy.low:.1f}, {accuracy.high:.1f}]"
        assert f"| {name} | {bounds} | {' | '.join(cells)} |" in page


@pytest.mark.parametrize(
    ("domain", "value", "words"),
    [
        ("objects", 67.0, "the average is 64.0"),  # two digits changed places
        ("agents", 260.2, "no percentage"),
        ("agents", None, "seven domains"),
        ("cooking", 12.0, "seven domains"),
    ],
)
def test_a_table_that_contradicts_itself_is_refused(
    tmp_path: Path, domain: str, value: float | None, words: str
):
    content = json.loads(TABLE.read_text(encoding="utf-8"))
    first = content["models"][0]["accuracy"]
    first.pop(domain, None)
    if value is not None:
        first[domain] = value
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(PublishedTableError, match=words) as caught:
        published_table(changed)
    assert "Gemini-3.1-Pro" in str(caught.value)


def test_a_run_stands_beside_the_paper_line_by_line():
    run = {"objects": (300, 506), "agents": (0, 166)}
    overall, *domains = beside_published(run, ["Kimi-K2.5", "Gemma-4-31B"])
    assert [line.domain for line in domains] == DOMAINS
    assert overall.domain == OVERALL
    assert overall.run is not None
    assert overall.run.value == pytest.approx(100 * 300 / 672)
    assert overall.run.total == 672
    by_name = {line.domain: line for line in domains}
    objects = by_name["objects"].run
    assert objects is not None
    assert (objects.low, objects.high) == pytest.approx(
        tuple(100 * bound for bound in interval(300 / 506, 506))
    )
    agents = by_name["agents"].run
    assert agents is not None
    assert (agents.value, agents.low) == (0.0, 0.0)
    assert agents.high > 0
    assert by_name["scenes"].run is None
    published = by_name["objects"].published
    assert list(published) == ["Kimi-K2.5", "Gemma-4-31B"]
    assert (published["Kimi-K2.5"].value, published["Kimi-K2.5"].total) == (52.0, 506)
    assert published["Kimi-K2.5"].low < 52.0 < published["Kimi-K2.5"].high
    assert overall.published["Kimi-K2.5"].total == 2000


def test_a_run_beside_all_models_and_an_empty_run():
    lines = beside_published({})
    assert all(line.run is None for line in lines)
    assert all(len(line.published) == 15 for line in lines)


@pytest.mark.parametrize(
    ("run", "models", "words"),
    [
        ({}, ["GPT-2"], "the paper has no 'GPT-2'"),
        ({"cooking": (1, 2)}, None, "no domain 'cooking'"),
        ({"agents": (3, 2)}, None, "3 of 2"),
        ({"agents": (-1, 2)}, None, "-1 of 2"),
    ],
)
def test_what_cannot_be_compared_is_named(run, models, words: str):
    with pytest.raises(SettingError, match=words):
        beside_published(run, models)
