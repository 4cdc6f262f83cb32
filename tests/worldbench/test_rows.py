"""WorldBench's rows: names, checks, and the order they are handed out in."""

from __future__ import annotations

import io

import pytest
from datasets import Dataset, Features, Image, Value
from loguru import logger
from PIL import Image as PillowImage

from lmms_eval_tasks.worldbench.records import TEXT_COLUMNS, Domain, WorldBenchRecord, question_id
from lmms_eval_tasks.worldbench.rows import complete, in_turn
from lmms_eval_tasks_core.errors import RowError

SPELLINGS = {
    "Living Things": Domain.LIVING_THINGS,
    "Objects": Domain.OBJECTS,
    "Scenes": Domain.SCENES,
    "Digital World": Domain.DIGITAL_WORLD,
    "Academics": Domain.ACADEMICS,
    "Documents, Charts, & Tables": Domain.DOCUMENTS_CHARTS_TABLES,
    "Documents/Charts/Tables": Domain.DOCUMENTS_CHARTS_TABLES,
    "Embodied AI": Domain.AGENTS,
    "Agents": Domain.AGENTS,
}


def jpeg(shade: int = 128) -> bytes:
    buffer = io.BytesIO()
    PillowImage.new("L", (32, 32), shade).save(buffer, format="JPEG")
    return buffer.getvalue()


def row(**columns):
    plain = {
        "image": {"bytes": jpeg(), "path": None},
        "question": "Which one?",
        "option_a": "red",
        "option_b": "green",
        "option_c": "blue",
        "option_d": "none",
        "answer": "C",
        "category": "colour",
        "domain": "Objects",
    }
    return plain | columns


def dataset(*rows, decode=False):
    features = Features(
        {"image": Image(decode=decode), **{name: Value("string") for name in TEXT_COLUMNS}}
    )
    return Dataset.from_list(list(rows), features=features)


@pytest.fixture
def warnings():
    heard: list[str] = []
    sink = logger.add(heard.append, format="{message}", level="WARNING")
    yield heard
    logger.remove(sink)


@pytest.mark.parametrize(("spelling", "domain"), SPELLINGS.items())
def test_every_spelling_of_a_domain_is_known(spelling, domain):
    assert WorldBenchRecord.from_row(row(domain=spelling)).domain is domain


@pytest.mark.parametrize(
    ("columns", "column"),
    [
        ({"domain": "Cooking"}, "domain"),
        ({"answer": "E"}, "answer"),
        ({"answer": "c"}, "answer"),
        ({"question": None}, "question"),
        ({"option_d": " "}, "option_d"),
    ],
)
def test_a_bad_value_is_named_by_row_and_column(columns, column):
    with pytest.raises(RowError) as caught:
        complete(dataset(row(), row(**columns)))
    assert (caught.value.row, caught.value.column) == ("1", column)


def test_an_unknown_schema_is_named_with_the_columns_that_are_there():
    with pytest.raises(RowError, match=r"'image': the column is missing .*prompt"):
        complete(Dataset.from_list([{"prompt": "x"}]))
    with pytest.raises(RowError, match="'domain': the column is missing"):
        complete(dataset(row()).remove_columns("domain"))


def test_ids_come_from_the_content_alone():
    assert question_id(row()) == question_id(row(category="hue", domain="Scenes"))
    assert question_id(row()) != question_id(row(question="Which?"))
    assert question_id(row()) != question_id(row(image={"bytes": jpeg(90), "path": None}))
    assert question_id(row(option_a="ab", option_b="c")) != question_id(
        row(option_a="a", option_b="bc")
    )


def test_rows_of_the_same_content_are_told_apart():
    first, second = complete(dataset(row(), row()))["id"]
    assert second == f"{first}~2"


def test_domains_are_handed_out_in_turn_and_nothing_is_lost():
    a, b, c = Domain.OBJECTS, Domain.SCENES, Domain.AGENTS
    assert in_turn([a, a, a, b, c, c]) == [0, 3, 4, 1, 5, 2]
    assert in_turn([]) == []


def test_any_limit_is_a_balanced_part():
    names = [name for name in SPELLINGS if "/" not in name and name != "Agents"]
    rows = [row(domain=name, question=f"{name} {k}") for name in names for k in range(3)]
    done = complete(dataset(*rows))
    assert sorted(done["domain"][:7]) == sorted(names)
    assert sorted(done["question"]) == sorted(line["question"] for line in rows)


@pytest.mark.parametrize("decode", [True, False])
def test_pictures_stay_as_they_were_encoded(decode):
    (done,) = complete(dataset(row(), decode=decode))
    assert done["image"]["bytes"] == jpeg()


@pytest.mark.parametrize("source", [b"", b"not a picture", jpeg()[:200]])
def test_a_picture_that_cannot_be_used_is_counted_not_fatal(warnings, source):
    done = complete(dataset(row(), row(question="?", image={"bytes": source, "path": None})))
    assert [bool(problem) for problem in done["image_problem"]] == [False, True]
    (line,) = warnings
    assert "1 of 2 pictures cannot be used" in line
    assert done["id"][1] in line
