"""Making small pictures smaller still, so that every sample of a full page has one."""

from __future__ import annotations

import io
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat

_FACTORS = (0.75, 0.6, 0.5, 0.4)
_TRIED = 24
_AT_ONCE = 4
_QUALITY = 50
_HEADER = "data:image/webp;base64,"


def fitted(uris: Iterable[str], budget: int) -> Mapping[str, str]:
    """Find pictures that fit into a page: as they are, or all of them smaller by one factor.

    Args:
        uris: Pictures as ``data:`` URIs of WebP.
        budget: How many characters all of them may have together.

    Returns:
        What to show in the place of each. The last ones are missing if even the smallest size is
        too much.
    """
    originals = list(dict.fromkeys(uris))
    shown = dict(zip(originals, originals, strict=True))
    for factor in _FACTORS:
        if _length(shown.values()) <= budget:
            return shown
        if _would_fit(originals, factor, budget) or factor == _FACTORS[-1]:
            shown = dict(zip(originals, _all_smaller(originals, factor), strict=True))
    return _first(shown, budget)


def _would_fit(uris: list[str], factor: float, budget: int) -> bool:
    """Whether all would fit at a size, as some of them from all over suggest."""
    some = uris[:: max(1, len(uris) // _TRIED)]
    return _length(_all_smaller(some, factor)) * len(uris) <= budget * len(some)


def _all_smaller(uris: list[str], factor: float) -> list[str]:
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        return list(pool.map(_smaller, uris, repeat(factor)))


def _length(uris: Iterable[str]) -> int:
    return sum(map(len, uris))


def _first(shown: Mapping[str, str], budget: int) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for original, smaller in shown.items():
        budget -= len(smaller)
        if budget < 0:
            break
        found[original] = smaller
    return found


def _smaller(uri: str, factor: float) -> str:
    from PIL import Image  # noqa: PLC0415 - only a page that is too large needs it

    with Image.open(io.BytesIO(b64decode(uri.removeprefix(_HEADER)))) as picture:
        size = tuple(max(1, round(side * factor)) for side in picture.size)
        small = picture.convert("RGB").resize((size[0], size[1]), Image.Resampling.LANCZOS)
    buffer = io.BytesIO()
    small.save(buffer, format="WEBP", quality=_QUALITY, method=4)
    return f"{_HEADER}{b64encode(buffer.getvalue()).decode('ascii')}"
