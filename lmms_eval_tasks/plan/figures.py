"""Estimated numbers in few digits: what is estimated should not look counted."""

from __future__ import annotations

from collections.abc import Sequence

_STEP = 1_000


def about(number: int) -> str:
    """A number to three digits, with k, M, G or T."""
    return _scaled(number, ("", "k", "M", "G", "T"), "")


def size(count: int) -> str:
    """A number of bytes to three digits."""
    return _scaled(count, ("B", "kB", "MB", "GB", "TB"), " ")


def _scaled(number: float, units: Sequence[str], space: str) -> str:
    """A number below 1,000, with the unit that makes it so."""
    for unit in units[:-1]:
        if round(number) < _STEP:
            return f"{number:.3g}{space}{unit}"
        number /= _STEP
    return f"{number:,.0f}{space}{units[-1]}"
