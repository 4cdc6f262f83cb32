"""The plan of a run: what each of its tasks costs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lmms_eval_tasks.plan.asked import Asked
from lmms_eval_tasks.plan.catalogue import Catalogue
from lmms_eval_tasks.plan.data import Data, Disk, sample_of, this_disk
from lmms_eval_tasks.plan.earlier import Earlier
from lmms_eval_tasks.plan.judging import Office
from lmms_eval_tasks.plan.media import (
    Media,
    VideoSpace,
    media_of,
    media_unknown,
    shows_videos,
    video_space,
)
from lmms_eval_tasks.plan.task_files import Task
from lmms_eval_tasks.plan.tokens import tokens_of
from lmms_eval_tasks.results.kinds import Kind

# What the releases hold: requests of a whole run (docs/plan.md).
PUBLISHED = {Kind.OPEN_ENDED: 851, Kind.CIRCULAR: 3_387, Kind.WORLDBENCH: 2_000, Kind.GEOQA: 754}
# What models without reasoning write, about; docs/plan.md says why these.
ANSWER_TOKENS = {Kind.OPEN_ENDED: 100, Kind.CIRCULAR: 10, Kind.WORLDBENCH: 500, Kind.GEOQA: 300}


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the user says about the run.

    Attributes:
        limit: As for lmms-eval: so many requests a task, or below 1 that share of them.
        answer_tokens: How many tokens a response has; None for `ANSWER_TOKENS`.
        undecided_share: The share of multiple-choice responses that rules cannot read, 0 to 1.
        earlier: The responses of an earlier run.
        image_tokens: How many tokens a picture is to the model; None where they are not counted.
    """

    limit: float | None = None
    answer_tokens: int | None = None
    undecided_share: float = 0.05
    earlier: Earlier | None = None
    image_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class TaskPlan:
    """What one task costs.

    Attributes:
        name: The task.
        is_measured: Whether its own rows were read; else numbers are those of the release, and
            lengths those of our sample.
        requests: How many requests the model gets.
        prompt_tokens: What they say, in tokens, with pictures where their tokens were given.
        answer_tokens: What the model writes.
        answer_tokens_at_most: The same if every response were as long as it may be.
        media: What is sent beside the text.
        asked: What a judge or matcher is asked; None where there is none.
        coverage: The share of the data set's requests whose material is there, 0 to 1.
        responses: To how many requests an earlier run has a response.
    """

    name: str
    is_measured: bool
    requests: int
    prompt_tokens: int
    answer_tokens: int
    answer_tokens_at_most: int
    media: Media
    asked: Asked | None
    coverage: float
    responses: int


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run costs.

    Attributes:
        tasks: Its tasks that are ours.
        others: The names of its other tasks, which are left out.
        videos: The videos on the disk; None where no task needs any.
        store: The file that keeps verdicts; "" where none are kept.
        earlier: Where responses of an earlier run come from; "" where there are none.
    """

    tasks: Sequence[TaskPlan]
    others: Sequence[str]
    videos: VideoSpace | None
    store: str
    earlier: str


def planned(catalogue: Catalogue, names: Sequence[str], wishes: Wishes) -> Plan:
    """Plan a run.

    Raises:
        TasksError: A task is unknown, its rows are bad, or a setting is.
    """
    selection = catalogue.selected(names)
    office = Office(wishes.earlier, wishes.undecided_share)
    plans: list[TaskPlan] = []
    videos: list[frozenset[str] | None] = []
    with this_disk() as disk:
        for task in selection.tasks:
            data = disk.data(task)
            plans.append(_Estimate(task, catalogue, disk, office, wishes).plan(data))
            if shows_videos(task) and not _brings_videos(task):
                videos.append(None if data is None else data.videos)
    earlier = wishes.earlier.name if wishes.earlier else ""
    return Plan(plans, selection.others, _space(videos), str(office.store or ""), earlier)


def _space(videos: Sequence[frozenset[str] | None]) -> VideoSpace | None:
    """The room for the videos of some tasks, of which some may not be known."""
    if not videos:
        return None
    known = [names for names in videos if names is not None]
    return video_space(None if len(known) < len(videos) else frozenset().union(*known))


def _brings_videos(task: Task) -> bool:
    """Whether the videos come with the package."""
    return "sample" in getattr(task.config.get("process_docs"), "dotted", "")


@dataclass(frozen=True)
class _Estimate:
    task: Task
    catalogue: Catalogue
    disk: Disk
    office: Office
    wishes: Wishes

    def plan(self, data: Data | None) -> TaskPlan:
        kind = self.task.kind
        assert kind is not None  # noqa: S101 - others were left out
        if data is None:
            sample = self.catalogue.task(sample_of(kind))
            stand_in = self.disk.stand_in(self.task, sample)
            rows = _plain(stand_in)
            count = self._limited(PUBLISHED[kind])
            media = media_unknown(self.task, stand_in, count)
        else:
            count = self._limited(len(data.rows))
            rows = _plain(data.rows.select(range(count)))
            media = media_of(self.task, data, count)
        lengths = [] if data is None else list(self._lengths_of_responses(rows))
        answer = self._answer_tokens(kind, lengths)
        prompts = [tokens_of(text) for text in self._prompts(rows)]
        pictures = media.pictures * (self.wishes.image_tokens or 0)
        return TaskPlan(
            name=self.task.name,
            is_measured=data is not None,
            requests=count,
            prompt_tokens=round(count * sum(prompts) / max(len(prompts), 1)) + pictures,
            answer_tokens=round(count * answer),
            answer_tokens_at_most=count * self._longest(),
            media=media,
            asked=self.office.asked(self.task, rows, count, round(answer)),
            coverage=1.0 if data is None else data.coverage,
            responses=len(lengths),
        )

    def _limited(self, count: int) -> int:
        """As lmms-eval takes ``--limit``."""
        limit = self.wishes.limit
        if limit is None or limit < 0:
            return count
        return min(count, math.ceil(count * limit) if 0 < limit < 1 else int(limit))

    def _answer_tokens(self, kind: Kind, lengths: Sequence[int]) -> float:
        if lengths:
            return sum(lengths) / len(lengths)
        if self.wishes.answer_tokens is not None:
            return self.wishes.answer_tokens
        return min(ANSWER_TOKENS[kind], self._longest())

    def _longest(self) -> int:
        return int((self.task.config.get("generation_kwargs") or {}).get("max_new_tokens", 0))

    def _lengths_of_responses(self, rows: Sequence[Mapping[str, Any]]) -> Iterator[int]:
        if self.wishes.earlier is None:
            return
        for position, row in enumerate(rows):
            response = self.wishes.earlier.response(self.task.name, row, position)
            if response is not None:
                yield tokens_of(response)

    def _prompts(self, rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
        text = self.task.function("doc_to_text")
        kwargs = (self.task.config.get("lmms_eval_specific_kwargs") or {}).get("default", {})
        for row in rows:
            yield str(text(row, kwargs))


def _plain(rows: Any) -> list[dict[str, Any]]:  # noqa: ANN401 - a `datasets.Dataset`
    """The rows without their pictures, which nobody reads here."""
    return list(rows.remove_columns(["image"]) if "image" in rows.column_names else rows)
