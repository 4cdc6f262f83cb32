"""Whether the data sets are in the cache, or could be had from the Hub."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from lmms_eval_tasks.doctor.asking import ask
from lmms_eval_tasks.doctor.chosen import Chosen, DataSet
from lmms_eval_tasks.doctor.finding import Check, Finding, Level, Once

_FAMILY = "Data"
_SECONDS = 60.0
_HUB_SECONDS = 5.0
# Rows of all splits, as the page of each benchmark gives them.
_ROWS = {
    ("lmms-eval/worldqa", "Generation"): 851,
    ("lmms-eval/worldqa", "MC"): 3387,
    ("zlab-princeton/WorldBench", ""): 2000,
    ("hz2475/geoQA", ""): 5010,
}
_CONNECT = (
    "Connect to the Hugging Face Hub, fill its cache elsewhere and set HF_HOME to it, or point a "
    "YAML of your own at a local copy (README, Your own data)."
)


class DataSets:
    """What is known of the data sets of the chosen tasks; got once, for all who ask.

    Args:
        chosen: The tasks.
        offline: Whether the Hub is not to be asked.
    """

    def __init__(self, chosen: Chosen, *, offline: bool) -> None:
        self._chosen = chosen
        self._offline = offline
        self.cached = Once(self._look)
        self._on_hub = {
            each: Once(lambda each=each: _hub_bytes(each))  # type: ignore[misc]
            for each in chosen.data_sets
        }

    def checks(self) -> list[Check]:
        """One check for each data set."""
        return [
            Check(_FAMILY, _name(each), _SECONDS, lambda each=each: [self._finding(each)])  # type: ignore[misc]
            for each in self._chosen.data_sets
        ]

    def bytes_to_come(self) -> int | None:
        """What a run would download; None where the Hub cannot be asked or does not say."""
        lacking = {
            each.repository: each for each in self._chosen.data_sets if not self._rows_of(each)
        }
        if not lacking:
            return 0
        if self._offline:
            return None
        try:
            return sum(self._on_hub[each]() for each in lacking.values())
        except Exception:  # noqa: BLE001 - the line of the data set itself says why
            return None

    def videos(self) -> Sequence[str]:
        """The names of the videos that cached rows ask about."""
        return list(self.cached()["videos"])

    def _look(self) -> dict[str, Any]:
        sets = [[each.repository, each.config or None] for each in self._chosen.data_sets]
        return ask("cached", json.dumps(sets), seconds=_SECONDS - 15).value

    def _rows_of(self, data_set: DataSet) -> dict[str, int]:
        place = self._chosen.data_sets.index(data_set)
        return dict(self.cached()["rows"][place])

    def _finding(self, data_set: DataSet) -> Finding:
        name, rows = _name(data_set), self._rows_of(data_set)
        if rows:
            return _in_cache(data_set, sum(rows.values()))
        where = f"It is not in {self.cached()['folder']}"
        lacking = Level.ERROR if self._chosen.are_named else Level.WARNING
        if self._offline:
            words = f"{where}, and the Hub was not asked (--offline)."
            return Finding(name, lacking, words, _CONNECT)
        try:
            size = self._on_hub[data_set]()
        except Exception as error:  # noqa: BLE001 - the Hub's client has many errors
            words = " ".join(f"{type(error).__name__}: {error}".split())[:300].rstrip(".")
            return Finding(
                name, lacking, f"{where}, and the Hub does not give it ({words}).", _CONNECT
            )
        words = f"{where}; the first run downloads it from the Hub ({size / 1e6:,.0f} MB)."
        return Finding(name, Level.OK, words)


def _name(data_set: DataSet) -> str:
    return " ".join(filter(None, (data_set.repository, data_set.config)))


def _in_cache(data_set: DataSet, count: int) -> Finding:
    expected = _ROWS.get((data_set.repository, data_set.config))
    if expected is None or count == expected:
        return Finding(_name(data_set), Level.OK, f"{count:,} rows in the cache.")
    return Finding(
        _name(data_set),
        Level.WARNING,
        f"{count:,} rows in the cache, where the release has {expected:,}.",
        "Published numbers are from other data. If it should be the release, delete it from the "
        "cache and let a run load it again.",
    )


def _hub_bytes(data_set: DataSet) -> int:
    from huggingface_hub import HfApi  # noqa: PLC0415 - not for a help text

    info = HfApi().dataset_info(
        data_set.repository,
        revision=data_set.revision or None,
        timeout=_HUB_SECONDS,
        files_metadata=True,
    )
    return sum(file.size or 0 for file in info.siblings or ())
