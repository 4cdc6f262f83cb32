"""Which samples a page shows when it cannot show all: some of every kind, rare kinds whole."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

Stratum: TypeAlias = tuple[str, ...]
"""What a sample is like, the coarsest first: its outcome, the reason."""


def shares(sizes: Sequence[int], most: int) -> list[int]:
    """Divide places evenly among groups; what a small group does not need goes to the larger ones.

    Args:
        sizes: How many each group has.
        most: How many places there are.

    Returns:
        The places of each group; none has more than its size.
    """
    found = [0] * len(sizes)
    places = most
    smallest_first = sorted(range(len(sizes)), key=lambda group: (sizes[group], group))
    for done, group in enumerate(smallest_first):
        found[group] = min(sizes[group], places // (len(sizes) - done))
        places -= found[group]
    return found


def chosen(strata: Sequence[Stratum], most: int) -> list[int]:
    """Choose samples: as many of each outcome as can be, of each reason within it, and so on.

    Args:
        strata: What each sample is like; all of one length.
        most: How many may be chosen.

    Returns:
        The positions of the chosen in their order. The same samples give the same choice.
    """
    return sorted(_chosen(strata, range(len(strata)), most, depth=0))


def _chosen(
    strata: Sequence[Stratum], positions: Sequence[int], most: int, depth: int
) -> list[int]:
    if len(positions) <= most:
        return list(positions)
    if depth == len(strata[positions[0]]):
        return _spread(positions, most)
    groups: dict[str, list[int]] = {}
    for position in positions:
        groups.setdefault(strata[position][depth], []).append(position)
    places = shares([len(group) for group in groups.values()], most)
    return [
        position
        for group, share in zip(groups.values(), places, strict=True)
        for position in _chosen(strata, group, share, depth + 1)
    ]


def _spread(positions: Sequence[int], most: int) -> list[int]:
    """Some of a sequence, evenly from its beginning to its end."""
    count = len(positions)
    return [positions[(2 * place + 1) * count // (2 * most)] for place in range(most)]
