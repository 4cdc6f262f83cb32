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


def test_every_metric_is_emitted_and_every_emitted_metric_declared() -> None:
    declared = {metric["metric"] for metric in read("geoqa.yaml")["metric_list"]}
    emitted: set[str] = set()
    for problem_type in ("angle", "length", "other"):
        emitted |= set(utils.process_results(row(type=problem_type), ["g_half N_0"]))
    assert emitted == declared


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


@pytest.mark.parametrize("kwargs", [None, {}, {"prompt_language": "en"}, {"other": 1}])
def test_instructions_are_english_unless_asked(kwargs: dict[str, Any] | None) -> None:
    assert utils.doc_to_text(row(), kwargs).startswith("Solve a geometry problem")


def test_instructions_in_chinese() -> None:
    assert utils.doc_to_text(row(), {"prompt_language": "zh"}).startswith("请写一个程序")


def test_the_target_is_the_right_letter() -> None:
    assert utils.doc_to_target(row()) == "B"
