"""The data of the published numbers are told from a newer revision and from a user's own rows."""

from __future__ import annotations

from pathlib import Path

import pytest
from datasets import Dataset, Features, Image, Value
from loguru import logger

from lmms_eval_tasks.worldbench.published import published_table
from lmms_eval_tasks.worldbench.records import TEXT_COLUMNS, Domain
from lmms_eval_tasks.worldbench.rows import complete, hub_commit, other_counts
from tests.support.pictures import scene, written

WHOLE = [Domain(name) for name, count in published_table().rows.items() for _ in range(count)]


def test_the_published_rows_are_not_remarked_on():
    assert other_counts(WHOLE) == ""
    assert other_counts(WHOLE[::-1]) == ""


@pytest.mark.parametrize(
    ("domains", "words"),
    [
        (WHOLE[1:], "1,999 rows for 2,000 (living_things 244 for 245)"),
        ([*WHOLE, Domain.AGENTS], "2,001 rows for 2,000 (agents 167 for 166)"),
        (
            [Domain.AGENTS, *WHOLE[1:]],
            "2,000 rows for 2,000 (living_things 244 for 245, agents 167 for 166)",
        ),
    ],
)
def test_other_rows_are_told_in_one_line(domains, words):
    line = other_counts(domains)
    assert words in line
    assert "revision" in line
    assert "\n" not in line


def test_rows_of_the_users_own_are_not_compared():
    assert other_counts(WHOLE[:999]) == ""
    assert other_counts([]) == ""


@pytest.fixture
def heard():
    lines: list[str] = []
    sink = logger.add(lines.append, format="{level}: {message}", level="INFO")
    yield lines
    logger.remove(sink)


def rows(domains: list[Domain]) -> Dataset:
    picture = {"bytes": written(scene(), "PNG"), "path": None}
    options = {f"option_{letter}": letter for letter in "abcd"}
    features = Features(
        {"image": Image(decode=False), **{name: Value("string") for name in TEXT_COLUMNS}}
    )
    lines = [
        {
            "image": picture,
            "question": f"Question {number}?",
            "answer": "A",
            "category": "c",
            "domain": domain.value,
            **options,
        }
        for number, domain in enumerate(domains)
    ]
    return Dataset.from_list(lines, features=features)


def test_completing_says_it_once_and_the_full_run_is_whole(heard):
    done = complete(rows(WHOLE))
    assert heard == []
    assert len(done) == len(set(done["id"])) == 2000
    for limit in (7, 70, 700):
        part = done.select(range(limit))["domain"]
        assert {part.count(domain.value) for domain in Domain} == {limit // 7}
    complete(rows(WHOLE[1:]))
    (line,) = heard
    assert line.startswith("WARNING: WorldBench: 1,999 rows for 2,000")


def test_the_commit_of_data_from_the_hub_is_told(tmp_path: Path, heard):
    commit = "0123456789abcdef0123456789abcdef01234567"
    folder = tmp_path / "zlab-princeton___world_bench" / "default" / "0.0.0" / commit
    rows(WHOLE[:3]).save_to_disk(str(folder))
    (file,) = folder.glob("*.arrow")
    complete(Dataset.from_file(str(file)))
    assert heard == [f"INFO: WorldBench: the data set's commit is {commit}.\n"]
    assert hub_commit(rows(WHOLE[:3])) is None
