"""What `lmms-eval-tasks judge-check` leaves beside results, for whoever shows a score."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from lmms_eval_tasks_core.errors import TasksError

FILE_NAME = "judge_check.json"
SCHEMA_VERSION = 1
_AGAIN = "Write it anew with `lmms-eval-tasks judge-check --output`."


class JudgeCheckError(TasksError):
    """A file with the figures of a judge cannot be read or written."""


@dataclass(frozen=True, slots=True)
class MeasuredJudge:
    """The headline figures of one judge; shares are 0 to 1.

    Attributes:
        judge: Its name, as results cite it.
        server: Its server, without user, password and query; None for the lexical judge.
        rubric_version: The version of the rubric it graded by.
        item_set: The version of the labelled answers.
        date: When it was measured, in UTC: ``2026-01-31T09:30:00Z``.
        judged: How many answers it graded.
        unjudged: How many have no verdict.
        agreement: The share of its grades that are those of the labels.
        agreement_low: The lower end of its 95 % interval.
        agreement_high: The upper end.
        kappa: Cohen's kappa over the five grades; None where it is not defined.
        kappa_weighted: The same over points, with linear weights.
        bias: The mean of its points minus those of the labels; above 0 it is lenient.
    """

    judge: str
    server: str | None
    rubric_version: str
    item_set: str
    date: str
    judged: int
    unjudged: int
    agreement: float
    agreement_low: float
    agreement_high: float
    kappa: float | None
    kappa_weighted: float | None
    bias: float

    @property
    def sentence(self) -> str:
        """The figures in one sentence."""
        kappa = "" if self.kappa is None else f", kappa {self.kappa:.2f}"
        unjudged = f" ({self.unjudged} more without a verdict)" if self.unjudged else ""
        return (
            f"The judge {self.judge} agrees with {self.agreement:.0%} of {self.judged} labelled "
            f"answers{unjudged}, 95 % interval {self.agreement_low:.0%} to "
            f"{self.agreement_high:.0%}{kappa}."
        )


def read_judge_check(path: str | os.PathLike[str]) -> MeasuredJudge:
    """Read the headline figures of a judge.

    Args:
        path: The file, or the folder it lies in under its usual name.

    Raises:
        JudgeCheckError: There is no such file, or it is not one of ours.
    """
    file = Path(path)
    if file.is_dir():
        file /= FILE_NAME
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise JudgeCheckError(f"{file} cannot be read ({error.strerror}).", _AGAIN) from None
    except (ValueError, RecursionError):
        raise JudgeCheckError(f"{file} is not a JSON file.", _AGAIN) from None
    if not isinstance(found, dict) or found.get("schema_version") != SCHEMA_VERSION:
        raise JudgeCheckError(f"{file} holds no judge check of version {SCHEMA_VERSION}.", _AGAIN)
    try:
        return _measured(_Reader(found))
    except ValueError as error:
        raise JudgeCheckError(f"{file} holds no judge check: {error}.", _AGAIN) from None


def _measured(found: _Reader) -> MeasuredJudge:
    return MeasuredJudge(
        judge=found.text("judge", "name"),
        server=found.text("judge", "server") if found.has("judge", "server") else None,
        rubric_version=found.text("rubric_version"),
        item_set=found.text("item_set", "version"),
        date=found.text("date"),
        judged=round(found.number("judged")),
        unjudged=round(found.number("asked") - found.number("judged")),
        agreement=found.number("agreement", "value"),
        agreement_low=found.number("agreement", "low"),
        agreement_high=found.number("agreement", "high"),
        kappa=found.number("kappa", "value") if found.has("kappa", "value") else None,
        kappa_weighted=(
            found.number("kappa_weighted", "value")
            if found.has("kappa_weighted", "value")
            else None
        ),
        bias=found.number("groups", "all", "all", "bias", "value"),
    )


class _Reader:
    """Takes values out of nested objects and names what is missing."""

    def __init__(self, found: Mapping[str, object]) -> None:
        self._found = found

    def has(self, *path: str) -> bool:
        return self._at(path) is not None

    def text(self, *path: str) -> str:
        value = self._at(path)
        if not isinstance(value, str):
            raise ValueError(f"`{'.'.join(path)}` is no text")  # noqa: TRY004 - one error for a bad file
        return value

    def number(self, *path: str) -> float:
        value = self._at(path)
        if (
            isinstance(value, bool)
            or not isinstance(value, int | float)
            or not math.isfinite(value)
        ):
            raise ValueError(f"`{'.'.join(path)}` is no number")
        return value

    def _at(self, path: tuple[str, ...]) -> object:
        value: object = self._found
        for name in path:
            value = value.get(name) if isinstance(value, Mapping) else None
        return value
