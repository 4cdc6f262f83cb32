"""When a server says that it will take a model away."""

from __future__ import annotations

from datetime import date, datetime, timedelta, timezone

NEAR = timedelta(days=30)
# What lies before the first chat model is no moment since 1970, but something else.
_LEAST_SECONDS = 1.4e9
# The year 2286; a larger number counts milliseconds.
_MOST_SECONDS = 1e10


def shutdown_day(value: object) -> date | None:
    """The day, in UTC, that a list of models gives for a model; None for a form unknown here.

    Args:
        value: A date or time in ISO 8601, or the seconds or milliseconds since 1970, as a number
            or in a text.
    """
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        return _of_text(value.strip()) if isinstance(value, str) else _of_epoch(float(value))
    except (OverflowError, OSError, ValueError):
        return None


def is_near(day: date, today: date) -> bool:
    """Whether a day is past, or at most 30 days off."""
    return day - today <= NEAR


def _of_epoch(moment: float) -> date | None:
    seconds = moment / 1_000 if moment > _MOST_SECONDS else moment
    if not seconds >= _LEAST_SECONDS:
        return None
    return datetime.fromtimestamp(seconds, timezone.utc).date()


def _of_text(text: str) -> date | None:
    if text.isdecimal():
        return _of_epoch(float(text))
    moment = datetime.fromisoformat(text.replace("Z", "+00:00"))
    return (moment if moment.tzinfo is None else moment.astimezone(timezone.utc)).date()
