"""Do something once a module has been imported, without importing it."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import sys
from collections.abc import Callable, Sequence
from types import ModuleType


def when_imported(name: str, action: Callable[[ModuleType], None]) -> None:
    """Call ``action`` with the module of this name: now if it is loaded, else once it is.

    Args:
        name: The module's absolute name.
        action: What to do. It must not raise: an exception would look like a failed import.
    """
    module = sys.modules.get(name)
    if module is not None:
        action(module)
        return
    sys.meta_path.insert(0, _OneShotFinder(name, action))


class _OneShotFinder(importlib.abc.MetaPathFinder):
    """Lets the other finders locate one module, and wraps the loader they name."""

    def __init__(self, name: str, action: Callable[[ModuleType], None]) -> None:
        self._name = name
        self._action = action

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,
        target: ModuleType | None = None,
    ) -> importlib.machinery.ModuleSpec | None:
        """Answer for the awaited module only, and leave the way free for good then."""
        if fullname != self._name or self not in sys.meta_path:
            return None
        sys.meta_path.remove(self)
        spec = _find(fullname, path, target)
        if spec is None or spec.loader is None:
            return None
        spec.loader = _ActingLoader(spec.loader, self._action)
        return spec


class _ActingLoader(importlib.abc.Loader):
    """Executes a module by its own loader, then acts on it."""

    def __init__(self, loader: importlib.abc.Loader, action: Callable[[ModuleType], None]) -> None:
        self._loader = loader
        self._action = action

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        """Leave the making of the module to its own loader."""
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        """Execute the module, hand it back to its own loader, and act."""
        if module.__spec__ is not None:
            # Resource readers and reloads ask the spec for the loader that knows the files.
            module.__spec__.loader = self._loader
        module.__loader__ = self._loader
        self._loader.exec_module(module)
        self._action(module)


def _find(
    fullname: str, path: Sequence[str] | None, target: ModuleType | None
) -> importlib.machinery.ModuleSpec | None:
    for finder in sys.meta_path:
        spec = finder.find_spec(fullname, path, target)
        if spec is not None:
            return spec
    return None
