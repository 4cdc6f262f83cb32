"""What the numbers of a plan mean, one thing a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lmms_eval_tasks.plan.asked import LEXICAL
from lmms_eval_tasks.plan.estimate import Plan
from lmms_eval_tasks.plan.figures import about, size
from lmms_eval_tasks.plan.media import VideoSpace
from lmms_eval_tasks.plan.prices import Prices
from lmms_eval_tasks.plan.tokens import RULE
from lmms_eval_tasks_core.environment import JUDGE, JUDGE_MODEL


def remarks(plan: Plan, prices: Prices, image_tokens: int | None) -> Iterator[str]:
    """What the numbers mean, one thing a line."""
    if any(not task.is_measured for task in plan.tasks):
        yield (
            "* published size, data not on this disk; lengths are those of our sample's rows, "
            "media are unknown."
        )
    yield from _by_task("Media of {}: {}.", _media_rules(plan))
    yield from _by_task("{}: {}.", _lacks(plan))
    yield from dict.fromkeys(_judges(plan))
    yield from _by_task("{}: {}.", _exact(plan))
    if plan.videos:
        yield _of_videos(plan.videos)
    if plan.others:
        yield f"Left out, not of this package: {', '.join(plan.others)}."
    if plan.tasks:
        yield f"Tokens are estimates: {RULE}."
        yield from _of_lengths(plan, prices, image_tokens)


def _by_task(sentence: str, said: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Say the same thing of several tasks once."""
    names: dict[str, list[str]] = {}
    for name, words in said:
        names.setdefault(words, []).append(name)
    for words, of in names.items():
        yield sentence.format(", ".join(of), words)


def _media_rules(plan: Plan) -> Iterator[tuple[str, str]]:
    for task in plan.tasks:
        if task.media.bytes:
            yield task.name, task.media.rule


def _lacks(plan: Plan) -> Iterator[tuple[str, str]]:
    for task in plan.tasks:
        if task.coverage < 1:
            yield task.name, f"{task.coverage:.1%} of its requests; what others need is missing"
        if plan.earlier and not task.responses:
            why = "" if task.is_measured else " that could be told: its data are not on this disk"
            yield task.name, f"no response in {plan.earlier}{why}"


def _judges(plan: Plan) -> Iterator[str]:
    """Each judge and matcher once: who it is, and what is kept of it."""
    for asked in (task.asked for task in plan.tasks if task.asked):
        if asked.model == LEXICAL:
            continue
        if asked.model is None:
            yield f"No {asked.role} is set up: set {JUDGE_MODEL}, or {JUDGE}=lexical."
            continue
        kept = (
            f"{asked.kept:,} verdicts are kept in {plan.store}" if plan.store else "none are kept"
        )
        which = (
            ""
            if asked.exact
            else (
                ". Which of them fit is known once the model has answered; --from-run takes the "
                "responses of an earlier run"
            )
        )
        who = f"The {asked.role} {asked.model} at {asked.server}, {asked.version}"
        yield f"{who}: {kept}{which}."


def _exact(plan: Plan) -> Iterator[tuple[str, str]]:
    """How sure the number of requests to a judge or matcher is."""
    for task in plan.tasks:
        asked = task.asked
        if asked is None or asked.model == LEXICAL:
            continue
        if exact := asked.exact:
            words = (
                f"of {exact.responses:,} responses in {plan.earlier}, {exact.asked:,} go to the "
                f"{asked.role}; {exact.in_store:,} verdicts on them are in the store, and "
                f"{exact.to_buy:,} are to be bought"
            )
            yield task.name, words
        if asked.least < asked.most:
            yield task.name, f"{asked.least:,} to {asked.most:,} requests to the {asked.role}"


def _of_videos(videos: VideoSpace) -> str:
    missing = videos.needed - videos.there
    room = "of unknown size" if videos.bytes_missing is None else size(videos.bytes_missing)
    free = "unknown" if videos.free is None else size(videos.free)
    return (
        f"Videos in {videos.folder}: {videos.there:,} of {videos.needed:,} are there "
        f"({size(videos.bytes_there)})"
        + (f"; {missing:,} are missing ({room}): {videos.comes}" if missing else "")
        + f". Free: {free}."
    )


def _of_lengths(plan: Plan, prices: Prices, image_tokens: int | None) -> Iterator[str]:
    pictures = sum(task.media.pictures for task in plan.tasks)
    if pictures and image_tokens is None:
        without = " nor in USD" if prices.model else ""
        yield (
            f"{pictures:,} pictures are not in the tokens{without}: models differ too much. "
            "--image-tokens N counts N for each."
        )
    longest = sum(task.answer_tokens_at_most for task in plan.tasks)
    yield f"Responses may have {about(longest)} tokens in all; a model that reasons may use them."
