"""What holds for every task and every module, whatever it does."""

from __future__ import annotations

import importlib
import os
import pkgutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
import yaml

import lmms_eval_tasks
import lmms_eval_tasks_core
from lmms_eval_tasks_core.environment import ENVIRONMENT
from tests.conftest import REPOSITORY

PACK = Path(lmms_eval_tasks.__file__).parent
YAML_FILES = sorted(PACK.glob("*/*.yaml"))
TEMPLATES = sorted(PACK.glob("*/_*_yaml"))


class Loader(yaml.SafeLoader):
    """Reads a task file with its functions as their dotted names."""


Loader.add_constructor(
    "!function", lambda loader, node: f"!function {loader.construct_scalar(node)}"
)


def read(file: Path) -> dict:
    return yaml.load(file.read_text(encoding="utf-8"), Loader)  # noqa: S506 - a safe loader


def resolved(file: Path) -> dict:
    """A task file with what it includes, as lmms-eval merges them."""
    own = read(file)
    included = own.pop("include", None)
    return {**resolved(file.parent / included), **own} if included else own


def functions(value: object) -> list[str]:
    if isinstance(value, dict):
        return [name for inner in value.values() for name in functions(inner)]
    if isinstance(value, list):
        return [name for inner in value for name in functions(inner)]
    if isinstance(value, str) and value.startswith("!function "):
        return [value.removeprefix("!function ")]
    return []


@pytest.mark.parametrize("file", YAML_FILES, ids=lambda file: file.stem)
def test_every_function_a_task_names_is_there(file):
    for name in functions(resolved(file)):
        module, _, function = name.rpartition(".")
        assert callable(getattr(importlib.import_module(module), function)), name
        assert module.startswith("lmms_eval_tasks."), "a relative name is executed once a tag"


@pytest.mark.parametrize("file", YAML_FILES, ids=lambda file: file.stem)
def test_every_task_has_a_version_and_its_file_has_its_name(file):
    task = resolved(file)
    name = task["group"] if isinstance(task["task"], list) else task["task"]
    assert file.stem == name
    assert task["metadata"]["version"].split(".")[0].isdigit()


@pytest.mark.parametrize("file", YAML_FILES, ids=lambda file: file.stem)
def test_every_task_generates_without_stop_words_and_with_a_length_of_its_own(file):
    task = resolved(file)
    if isinstance(task["task"], str):
        assert task["generation_kwargs"]["until"] == []
        assert task["generation_kwargs"]["max_new_tokens"] >= 1024


@pytest.mark.parametrize(
    "file",
    [file for file in YAML_FILES if file.stem.endswith("_sample")],
    ids=lambda file: file.stem,
)
def test_a_sample_changes_only_data_name_and_judge_of_its_task(file):
    own = read(file)
    if isinstance(own["task"], list):
        return
    assert own["include"] == file.name.replace("_sample.yaml", ".yaml")
    changed = {"include", "task", "dataset_path", "dataset_name", "dataset_kwargs", "test_split"}
    assert set(own) - changed <= {"process_docs", "process_results"}


def test_templates_have_names_nobody_else_has():
    assert {file.name for file in TEMPLATES} == {
        f"_{file.parent.name}_common_yaml" for file in TEMPLATES
    }


def test_the_readmes_list_every_task_and_every_setting():
    pages = [
        REPOSITORY / "README.md",
        *PACK.glob("*/README.md"),
        *(REPOSITORY / "docs").glob("*.md"),
    ]
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    assert [file.stem for file in YAML_FILES if f"`{file.stem}`" not in text] == []
    assert [each.name for each in ENVIRONMENT if f"`{each.name}`" not in text] == []


def modules(package) -> list[str]:
    found = pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    return [name for name in (module.name for module in found) if ".samples.make" not in name]


IMPORT_ALL = """
import socket, sys, time

def refused(*_, **__):
    raise OSError("no network at import")

socket.socket.connect = refused
started = time.process_time()
for name in sys.argv[1:]:
    __import__(name)
print(time.process_time() - started)
heavy = {"torch", "datasets", "lmms_eval", "openai", "sympy", "pandas", "av"} & set(sys.modules)
print(sorted(heavy))
"""


def import_all(names: list[str]) -> tuple[float, str]:
    done = subprocess.run(
        [sys.executable, "-c", IMPORT_ALL, *names],
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=True,
    )
    seconds, heavy = done.stdout.splitlines()
    return float(seconds), heavy


def test_importing_does_nothing_and_costs_next_to_nothing():
    names = [
        name
        for name in modules(lmms_eval_tasks) + modules(lmms_eval_tasks_core)
        if ".models." not in name  # these are lmms-eval's classes, and import it
    ]
    seconds, heavy = import_all(names)
    assert heavy == "[]"
    assert seconds < 1


def test_modules_stay_small():
    files = [*PACK.rglob("*.py"), *Path(lmms_eval_tasks_core.__file__).parent.rglob("*.py")]
    long = {f.name: n for f in files if (n := len(f.read_text("utf-8").splitlines())) > 250}
    assert long == {}


@pytest.mark.slow
def test_wheel_and_sdist_hold_every_file_that_is_not_code(tmp_path):
    subprocess.run(
        [sys.executable, "-m", "build", "--outdir", str(tmp_path), str(REPOSITORY)],
        check=True,
        capture_output=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    (sdist,) = tmp_path.glob("*.tar.gz")
    in_wheel = set(zipfile.ZipFile(wheel).namelist())
    with tarfile.open(sdist) as archive:
        in_sdist = {name.split("/", 1)[-1] for name in archive.getnames()}
    data = [
        str(file.relative_to(REPOSITORY))
        for file in PACK.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts and file.suffix != ".pyc"
    ]
    assert [name for name in data if name not in in_wheel] == []
    assert [name for name in data if name not in in_sdist] == []
    assert "lmms_eval_tasks_core/outcome.py" in in_wheel
    assert not any(name.startswith(("utils/", "tests/")) for name in in_wheel)
