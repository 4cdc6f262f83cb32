"""The sentences of the page that are about the page and the run as a whole."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import PurePath
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from lmms_eval_tasks.report.document import Document
from lmms_eval_tasks.report.model import Fact
from lmms_eval_tasks.results.run import Run

_MEASURE = re.compile(r"(?P<value>[\d.,]+(?: %)?)(?P<rest>(?<= %).*| of 100\b.*)", re.DOTALL)
_NAMES = re.compile(r"(?:^|,)(?:model_version|pretrained|model_name|model)=([^,]+)")
_DATED = re.compile(r"\d{8}_\d{6}")


@dataclass(frozen=True, slots=True)
class Number:
    """A fact that is a measurement, its value apart from what it is a value of."""

    label: str
    value: str
    rest: str
    severity: str


def numbers_and_rest(facts: Iterable[Fact]) -> tuple[list[Number], list[Fact]]:
    """The facts that are percentages or points, and what these rest on."""
    numbers, rest = [], []
    for fact in facts:
        found = _MEASURE.fullmatch(fact.text)
        if found is None:
            rest.append(fact)
        else:
            parts = (found["value"], found["rest"].strip(" ,"))
            numbers.append(Number(fact.label, *parts, fact.severity))
    return numbers, rest


def model_of(run: Run) -> str:
    """The name of the model: the one its arguments give, else the class of lmms-eval it ran in."""
    named = _NAMES.search(run.model_args)
    name = named[1].strip() if named else run.model
    return PurePath(name).name if name.startswith(("/", "~", ".")) else name


def date_of(run: Run) -> str:
    """When the run began, as people write it; the file's name where it has no date."""
    began = _began(run)
    return f"{began:%Y-%m-%d %H:%M}" if began else run.date


def zone_of(run: Run) -> str:
    """In which time zone that is; "" where the file's name has no date.

    lmms-eval names files by the clock of Singapore unless told, wherever it runs.
    """
    began = _began(run)
    if began is None:
        return ""
    if not run.timezone:
        return "by lmms-eval's clock: UTC+8 unless --timezone was given"
    zone = f"by lmms-eval's clock, {run.timezone}"
    try:
        known = began.replace(tzinfo=ZoneInfo(run.timezone)).astimezone(timezone.utc)
    except (ZoneInfoNotFoundError, ValueError, OSError):  # no such zone, or none on this system
        return zone
    return f"{zone}; {known:%Y-%m-%d %H:%M} UTC"


def _began(run: Run) -> datetime | None:
    dated = _DATED.match(run.date)
    try:
        return datetime.strptime(dated[0], "%Y%m%d_%H%M%S") if dated else None  # noqa: DTZ007 - see zone_of
    except ValueError:
        return None


def choice(document: Document) -> str:
    """Which samples the page shows, in words; "" where it shows all."""
    if document.shown == document.total:
        return ""
    return (
        f"{document.shown:,} of {document.total:,} samples are shown: the same number of every "
        "outcome, and of every reason within it; what is rare is here in full, what is frequent "
        "is taken evenly from the whole run. The counts below are therefore not the run's; all "
        f"numbers and charts above are about all {document.total:,}."
    )
