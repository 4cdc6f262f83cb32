"""From what a judge said to the figures that say how good it is; plain values, ready for JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from lmms_eval_tasks.judge_check.asked import Asked, Graded, Spent
from lmms_eval_tasks.judge_check.items import LENGTHS, REGISTERS, LabelledItem
from lmms_eval_tasks.judge_check.statistics import (
    differs,
    kappa,
    mean,
    points_apart,
    resampled,
)
from lmms_eval_tasks.worldqa.rubric import GRADES
from lmms_eval_tasks_core.intervals import interval
from lmms_eval_tasks_core.judging.protocol import Verdict
from lmms_eval_tasks_core.outcome import NotJudged

Json = dict[str, object]
T = TypeVar("T")
GRADE_NAMES = tuple(grade.name for grade in GRADES)
# A judge may give only points, and two grades are worth the same: then the grade has no name.
UNNAMED = "unnamed"
UNJUDGED = "not_judged"
_PER_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Prices:
    """What a judge's tokens cost, in US dollars per million."""

    input: float
    output: float


@dataclass(frozen=True, slots=True)
class _Pair:
    """An item and the verdict on it."""

    item: LabelledItem
    verdict: Verdict

    @property
    def grades(self) -> tuple[str, str]:
        return self.item.grade, _named(self.verdict)

    @property
    def points(self) -> tuple[float, float]:
        return self.item.points, self.verdict.points

    @property
    def error(self) -> float:
        # Points have one decimal place, and 0.8 - 0.5 should be no other error than 0.3 - 0.
        return round(self.verdict.points - self.item.points, 9)


def figures(asked: Asked, *, same_by_construction: bool, prices: Prices | None) -> Json:
    """All figures of a check.

    Args:
        asked: What the judge said.
        same_by_construction: Whether another asking could not give another grade.
        prices: What its tokens cost, if that is known.

    Returns:
        Shares are 0 to 1; points are those of the rubric, 0 to 1; intervals are of 95 %, and None
        where there is none. Items without a verdict count neither for nor against the judge: they
        are in ``unjudged``, by reason, and in the last column of ``confusion``.
    """
    pairs = _pairs(asked)
    return {
        "asked": len(asked.items),
        "judged": len(pairs),
        "unjudged": asked.reasons,
        "reused": sum(pair.verdict.reused for pair in pairs),
        "agreement": _share([grade == given for grade, given in (p.grades for p in pairs)]),
        "agreement_in_points": _share([pair.error == 0 for pair in pairs]),
        "kappa": _with_interval([pair.grades for pair in pairs], _kappa),
        "kappa_weighted": {
            **_with_interval([pair.points for pair in pairs], _kappa_weighted),
            "weights": "linear_in_points",
        },
        "confusion": _confusion(asked),
        "groups": {
            name: {value: _group(asked, of, value) for value in values}
            for name, (of, values) in _GROUPINGS.items()
        },
        "second_asking": _second(asked, same_by_construction=same_by_construction),
        "cost": _cost(asked.cost, prices),
        "items": list(_items(asked)),
    }


_GROUPINGS: Mapping[str, tuple[Callable[[LabelledItem], str], Sequence[str]]] = {
    "all": (lambda _: "all", ("all",)),
    "length": (lambda item: item.length, LENGTHS),
    "register": (lambda item: item.register, REGISTERS),
    "attack": (lambda item: "attack" if item.attack else "no_attack", ("no_attack", "attack")),
    "label": (lambda item: item.grade, GRADE_NAMES),
}


def _pairs(asked: Asked) -> list[_Pair]:
    found = zip(asked.items, asked.first, strict=True)
    return [_Pair(item, graded) for item, graded in found if isinstance(graded, Verdict)]


def _named(graded: Graded) -> str:
    return UNJUDGED if isinstance(graded, NotJudged) else graded.grade or UNNAMED


def _share(agreed: Sequence[bool]) -> Json:
    """A share of items with its Wilson interval; None of no items."""
    if not agreed:
        return {"value": None, "low": None, "high": None, "n": 0}
    share = sum(agreed) / len(agreed)
    low, high = interval(share, len(agreed))
    return {"value": share, "low": low, "high": high, "n": len(agreed)}


def _with_interval(sample: Sequence[T], statistic: Callable[[Sequence[T]], float | None]) -> Json:
    value = statistic(sample)
    low, high = (value is not None and resampled(sample, statistic)) or (None, None)
    return {"value": value, "low": low, "high": high}


def _kappa(grades: Sequence[tuple[str, str]]) -> float | None:
    return kappa(Counter(grades), differs)


def _kappa_weighted(points: Sequence[tuple[float, float]]) -> float | None:
    return kappa(Counter(points), points_apart)


def _confusion(asked: Asked) -> dict[str, dict[str, int]]:
    """How often each label (outer) got each verdict (inner)."""
    found = zip(asked.items, asked.first, strict=True)
    counts = Counter((item.grade, _named(graded)) for item, graded in found)
    columns = (*GRADE_NAMES, UNNAMED, UNJUDGED)
    return {label: {given: counts[label, given] for given in columns} for label in GRADE_NAMES}


def _group(asked: Asked, of: Callable[[LabelledItem], str], value: str) -> Json:
    """Agreement and mean signed error of the items of one kind."""
    pairs = [pair for pair in _pairs(asked) if of(pair.item) == value]
    asked_for = sum(of(item) == value for item in asked.items)
    return {
        "judged": len(pairs),
        "unjudged": asked_for - len(pairs),
        "agreement": _share([pair.grades[0] == pair.grades[1] for pair in pairs]),
        "bias": _with_interval([pair.error for pair in pairs], mean),
        "too_high": sum(pair.error > 0 for pair in pairs),
        "too_low": sum(pair.error < 0 for pair in pairs),
    }


def _second(asked: Asked, *, same_by_construction: bool) -> Json | None:
    """How far the judge agrees with itself; None where it was not asked again."""
    if same_by_construction:
        judged = len(_pairs(asked))
        certain = {"value": 1.0 if judged else None, "low": None, "high": None, "n": judged}
        return {"by_construction": True, "asked": 0, "unjudged": {}, "same_grade": certain}
    if all(graded is None for graded in asked.second):
        return None
    both = [
        (first, second)
        for first, second in zip(asked.first, asked.second, strict=True)
        if isinstance(first, Verdict) and isinstance(second, Verdict)
    ]
    return {
        "by_construction": False,
        "asked": sum(graded is not None for graded in asked.second),
        "unjudged": asked.later_reasons,
        "same_grade": _share(
            [(a.grade, a.points) == (b.grade, b.points) for a, b in both],
        ),
    }


def _cost(cost: Spent, prices: Prices | None) -> Json:
    counted = cost.input_tokens + cost.output_tokens > 0 or cost.replies == 0
    usd = None
    if prices and counted:
        spent = cost.input_tokens * prices.input + cost.output_tokens * prices.output
        usd = spent / _PER_MILLION
    return {
        "replies": cost.replies,
        "input_tokens": cost.input_tokens if counted else None,
        "output_tokens": cost.output_tokens if counted else None,
        "seconds": round(cost.seconds, 3),
        "usd": usd,
    }


def _items(asked: Asked) -> Iterator[Json]:
    for item, first, second in zip(asked.items, asked.first, asked.second, strict=True):
        yield {
            "id": item.id,
            "label": item.grade,
            **_said(first),
            "second": None if second is None else _said(second),
        }


def _said(graded: Graded) -> Json:
    if isinstance(graded, NotJudged):
        return {"grade": None, "reason": graded.reason.value, "detail": dict(graded.detail)}
    return {
        "grade": _named(graded),
        "points": graded.points,
        "rationale": graded.rationale,
        "reused": graded.reused,
    }
