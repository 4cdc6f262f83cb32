"""The hooks as lmms-eval calls them, and the YAML files that name them."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import datasets
import pytest
import yaml

import lmms_eval_tasks.geoqa
from lmms_eval_tasks.geoqa import utils
from lmms_eval_tasks.geoqa.program.errors import FailureReason
from lmms_eval_tasks.geoqa.program_items import reason_metric
from lmms_eval_tasks.geoqa.scoring import NoResultReason
from lmms_eval_tasks_core.outcome import NoAnswerReason
from tests.geoqa.rows import png, row

FOLDER = Path(lmms_eval_tasks.geoqa.__file__).parent


class Loader(yaml.SafeLoader):
    """Reads ``!function`` as the function it names."""


def _function(loader: Loader, node: yaml.ScalarNode) -> Any:
    module, _, name = loader.construct_scalar(node).rpartition(".")
    return getattr(import_module(module), name)


Loader.add_constructor("!function", _function)


def read(name: str) -> dict[str, Any]:
    """A YAML file with what it includes."""
    content: dict[str, Any] = yaml.load((FOLDER / name).read_text(), Loader)  # noqa: S506 - our own
    included = content.pop("include", None)
    return {**(read(included) if included else {}), **content}


def test_the_sample_changes_name_and_data_alone() -> None:
    task, sample = read("geoqa.yaml"), read("geoqa_sample.yaml")
    changed = {key for key in task | sample if task.get(key) != sample.get(key)}
    assert changed == {"task", "dataset_path", "dataset_kwargs", "test_split"}


def declared(name: str) -> set[str]:
    return {metric["metric"] for metric in read(name)["metric_list"]}


@pytest.mark.parametrize("name", ["geoqa", "geoqa_beam10", "geoqa_text", "geoqa_options_shown"])
def test_program_tasks_declare_every_metric_that_can_be_emitted(name: str) -> None:
    emitted = {reason_metric(reason) for reason in (*FailureReason, *NoResultReason)}
    emitted |= {
        reason_metric(reason)
        for reason in (
            *(NoAnswerReason.EMPTY, NoAnswerReason.REQUEST_FAILED),
            NoAnswerReason.UNFINISHED_THOUGHT,
        )
    }
    score = read(f"{name}.yaml")["process_results"]
    for problem_type in ("angle", "length", "other"):
        for answers in (["g_half N_0"], ["g_half V_0"] * 10, ["g_minus C_3 N_0 g_half V_0"]):
            emitted |= set(score(row(type=problem_type), answers))
    assert emitted == declared(f"{name}.yaml")


def test_the_choice_task_declares_every_metric_that_can_be_emitted() -> None:
    emitted: set[str] = set()
    for problem_type in ("angle", "length", "other"):
        emitted |= set(utils.choice_items(row(type=problem_type), ["Answer: B"]))
    assert emitted == declared("geoqa_choice.yaml")


def test_no_metric_of_a_reason_is_part_of_another() -> None:
    names = [name for name in declared("geoqa.yaml") if name.startswith("no_result_")]
    assert len(names) == 1 + 17
    for name in names:
        assert [other for other in names if name in other] == [name]


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("geoqa_beam10", {"doc_to_text", "process_results"}),
        ("geoqa_text", {"process_docs", "task_alias"}),
        ("geoqa_options_shown", {"doc_to_text", "task_alias"}),
        ("geoqa_choice", {"doc_to_text", "process_results", "metric_list"}),
    ],
)
def test_a_variant_changes_nothing_else(name: str, changed: set[str]) -> None:
    task, variant = read("geoqa.yaml"), read(f"{name}.yaml")
    found = {key for key in task | variant if task.get(key) != variant.get(key)}
    assert found - {"metadata"} == changed | {"task"}


@pytest.mark.parametrize("name", ["geoqa_text", "geoqa_options_shown"])
def test_what_is_not_comparable_says_so(name: str) -> None:
    task = read(f"{name}.yaml")
    assert task["task_alias"] == f"{name} (not comparable)"
    assert task["metadata"]["comparable"] is False
    assert "Not comparable" in task["metadata"]["note"]


def test_the_beam_size_is_in_the_metadata() -> None:
    beams = {"geoqa": 1, "geoqa_beam10": 10, "geoqa_text": 1, "geoqa_options_shown": 1}
    assert {name: read(f"{name}.yaml")["metadata"]["beam"] for name in beams} == beams
    assert utils.BEAM == 10


def test_without_diagrams_every_row_is_asked_as_text() -> None:
    source = datasets.Dataset.from_list([row()])
    source = source.add_column("image", [{"bytes": png(), "path": None}])
    (shown,) = utils.rows_without_diagrams(source.cast_column("image", datasets.Image()))
    assert "image" not in shown
    assert utils.doc_to_visual(shown) == []
    assert "diagram" not in utils.doc_to_text(shown)
    assert utils.process_results(shown, [""])["asked_as_text"]["score"] == 1.0


def test_answers_are_not_cut() -> None:
    kwargs = read("geoqa.yaml")["generation_kwargs"]
    assert kwargs == {"until": [], "max_new_tokens": 4096, "temperature": 0, "do_sample": False}


def test_the_row_with_its_picture() -> None:
    source = datasets.Dataset.from_list([row(), row(id="text")])
    images = [{"bytes": png(), "path": None}, {"bytes": b"broken", "path": None}]
    source = source.add_column("image", images).cast_column("image", datasets.Image())
    shown, as_text = utils.process_docs(source)
    assert [image.mode for image in utils.doc_to_visual(shown)] == ["RGB"]
    assert utils.doc_to_visual(as_text) == []
    without_media = {name: cell for name, cell in shown.items() if name != "image"}
    assert "diagram" in utils.doc_to_text(without_media)
    assert "diagram" not in utils.doc_to_text(as_text)
    assert utils.process_results(without_media, [""])["asked_as_text"]["score"] == 0.0
    assert utils.process_results(as_text, [""])["asked_as_text"]["score"] == 1.0


def test_the_texts_of_the_variants() -> None:
    kwargs = {"prompt_language": "zh"}
    assert "Candidate 10:" in utils.beam_text(row())
    assert "Candidate 10:" in utils.beam_text(row(), kwargs)
    assert "Options:\nA. 50°" in utils.options_shown_text(row())
    assert "选项:\nA. 50°" in utils.options_shown_text(row(), kwargs)
    assert utils.choice_text(row()).endswith("\nAnswer: X")
    assert utils.choice_text(row(), kwargs).startswith("请求解")


@pytest.mark.parametrize("kwargs", [None, {}, {"prompt_language": "en"}, {"other": 1}])
def test_instructions_are_english_unless_asked(kwargs: dict[str, Any] | None) -> None:
    assert utils.doc_to_text(row(), kwargs).startswith("Solve a geometry problem")


def test_instructions_in_chinese() -> None:
    assert utils.doc_to_text(row(), {"prompt_language": "zh"}).startswith("请写一个程序")


def test_the_target_is_the_right_letter() -> None:
    assert utils.doc_to_target(row()) == "B"
