"""Wrapping methods of a library that may change under us, one by one and only where they fit."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any, NamedTuple

from loguru import logger

_MARK = "_lmms_eval_tasks_seam"


class Seam(NamedTuple):
    """One method or function that we wrap.

    Attributes:
        owner: The class, by the name its module knows it by; empty for the module itself.
        method: The method's name.
        parameters: Parameters it must still have for the wrap to fit.
        wrap: Makes the new method out of the old one.
        without: What a user has to know or do where the seam is missing.
    """

    owner: str
    method: str
    parameters: tuple[str, ...]
    wrap: Callable[[Callable[..., Any]], Callable[..., Any]]
    without: str


def put_in(module: ModuleType, seams: Iterable[Seam]) -> None:
    """Put every seam that fits into a module; name those that do not in one line each.

    Never raises, and doing it twice changes nothing.
    """
    for seam in seams:
        try:
            misfit = _misfit(module, seam)
        except Exception as trouble:  # noqa: BLE001 - whatever a future version looks like
            misfit = repr(trouble)
        if misfit:
            logger.warning(
                "lmms-eval-tasks does not fit this lmms-eval "
                f"({seam.owner or module.__name__}.{seam.method}: {misfit}). {seam.without}"
            )


def _misfit(module: ModuleType, seam: Seam) -> str | None:
    """Put one seam in, or say why it does not fit."""
    owner = getattr(module, seam.owner, None) if seam.owner else module
    method = getattr(owner, seam.method, None)
    if owner is None or method is None:
        return "not there"
    if getattr(method, _MARK, False):
        return None
    missing = [name for name in seam.parameters if name not in inspect.signature(method).parameters]
    if missing:
        return f"no parameter {', '.join(missing)}"
    wrapped = seam.wrap(method)
    setattr(wrapped, _MARK, True)
    setattr(owner, seam.method, wrapped)
    return None
