"""Acting on a module once it is imported, without importing it."""

from __future__ import annotations

import importlib
import sys
from importlib import resources

import pytest

from lmms_eval_tasks._import_hook import when_imported


@pytest.fixture
def fresh_package(tmp_path, monkeypatch):
    package = tmp_path / "hooked_package"
    package.mkdir()
    (package / "__init__.py").write_text("VALUE = 1\n")
    (package / "inner.py").write_text("VALUE = 2\n")
    (package / "data.txt").write_text("data")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    finders = list(sys.meta_path)
    yield "hooked_package"
    sys.meta_path[:] = finders
    for name in [name for name in sys.modules if name.startswith("hooked_package")]:
        del sys.modules[name]


def test_a_loaded_module_is_acted_on_at_once(fresh_package):
    importlib.import_module(fresh_package)
    seen = []
    when_imported(fresh_package, lambda module: seen.append(module.VALUE))
    assert seen == [1]


@pytest.mark.parametrize(("suffix", "value"), [("", 1), (".inner", 2)])
def test_a_module_is_acted_on_once_it_has_been_executed(fresh_package, suffix, value):
    seen = []
    when_imported(fresh_package + suffix, lambda module: seen.append(module.VALUE))
    assert seen == []
    importlib.import_module(fresh_package + suffix)
    importlib.import_module(fresh_package + suffix)
    assert seen == [value]


def test_the_hook_leaves_no_trace_in_the_module_or_in_the_import_system(fresh_package):
    before = list(sys.meta_path)
    when_imported(fresh_package, lambda module: None)
    module = importlib.import_module(fresh_package)
    assert sys.meta_path == before
    assert type(module.__loader__).__module__ == "_frozen_importlib_external"
    assert resources.files(module).joinpath("data.txt").read_text() == "data"
    importlib.reload(module)


def test_two_waiting_for_one_module_are_both_served(fresh_package):
    seen = []
    when_imported(fresh_package, lambda module: seen.append("first"))
    when_imported(fresh_package, lambda module: seen.append("second"))
    importlib.import_module(fresh_package)
    assert sorted(seen) == ["first", "second"]


def test_a_module_that_is_not_there_stays_not_there():
    when_imported("no_such_module_at_all", lambda module: None)
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("no_such_module_at_all")
