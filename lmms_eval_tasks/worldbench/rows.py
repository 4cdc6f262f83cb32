"""Completing the data set: ids, unusable pictures, and an order in which any part is balanced."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import chain, zip_longest
from typing import TYPE_CHECKING

from loguru import logger

from lmms_eval_tasks.worldbench.image_files import UnusableImageError, opened
from lmms_eval_tasks.worldbench.published import published_table
from lmms_eval_tasks.worldbench.records import Domain, WorldBenchRecord, question_id
from lmms_eval_tasks_core.columns import distinct
from lmms_eval_tasks_core.errors import RowError
from lmms_eval_tasks_core.media import source_bytes

if TYPE_CHECKING:
    from datasets import Dataset

_NAMED_AT_MOST = 5
# `datasets` keeps what it takes from the Hub in a folder named after the commit.
_HUB_COMMIT = re.compile(r"[/\\]([0-9a-f]{40})[/\\][^/\\]+\.arrow")


def complete(dataset: Dataset) -> Dataset:
    """Check every row, name it by its content, and hand the domains out in turn.

    The data set is ordered by domain, so that without this ``--limit 20`` would see one domain.

    Args:
        dataset: Rows in the schema of zlab-princeton/WorldBench.

    Returns:
        All rows, pictures undecoded, with the columns ``id`` and ``image_problem`` ("" where the
        picture can be shown), in turn one of each domain.

    Raises:
        RowError: A column is missing or holds a value the benchmark does not know.
    """
    dataset = _undecoded(dataset)
    if commit := hub_commit(dataset):
        logger.info(f"WorldBench: the data set's commit is {commit}.")
    records: list[WorldBenchRecord] = []
    ids: list[str] = []
    problems: list[str] = []
    for position, row in enumerate(dataset):
        records.append(WorldBenchRecord.from_row(row, position))
        ids.append(question_id(row))
        problems.append(_problem(source_bytes(row["image"])))
    _name_unusable(ids, problems)
    domains = [record.domain for record in records]
    if difference := other_counts(domains):
        logger.warning(difference)
    dataset = dataset.add_column("id", distinct(ids)).add_column("image_problem", problems)
    return dataset.select(in_turn(domains))


def other_counts(domains: Sequence[Domain]) -> str:
    """How the rows differ from those of the published numbers, in one line; "" if they do not.

    Fewer than half as many rows are taken for data of the user's own, and not compared.
    """
    expected = published_table().rows
    found = Counter(domain.value for domain in domains)
    whole = sum(expected.values())
    if len(domains) < whole / 2 or found == expected:
        return ""
    differ = ", ".join(
        f"{name} {found[name]} for {count}"
        for name, count in expected.items()
        if found[name] != count
    )
    return (
        f"WorldBench: {len(domains):,} rows for {whole:,} ({differ}). The published numbers are "
        "from other data; `dataset_kwargs: {revision: …}` pins a commit of the data set."
    )


def hub_commit(dataset: Dataset) -> str | None:
    """The commit of a data set that `datasets` took from the Hub, where it shows."""
    for file in dataset.cache_files:
        if match := _HUB_COMMIT.search(str(file["filename"])):
            return match[1]
    return None


def in_turn(domains: Sequence[Domain]) -> list[int]:
    """The positions of all rows, in turn one of each domain while it has any left."""
    positions: dict[Domain, list[int]] = defaultdict(list)
    for position, domain in enumerate(domains):
        positions[domain].append(position)
    rounds = zip_longest(*positions.values())
    return [position for position in chain.from_iterable(rounds) if position is not None]


def _undecoded(dataset: Dataset) -> Dataset:
    from datasets import Image  # noqa: PLC0415 - heavy, and loaded by now

    if "image" not in dataset.column_names:
        columns = ", ".join(dataset.column_names)
        raise RowError(0, "image", f"the column is missing (the data set has {columns})")
    if isinstance(dataset.features["image"], Image):
        return dataset.cast_column("image", Image(decode=False))
    return dataset


def _problem(source: bytes) -> str:
    """Why a picture is unusable, as far as that shows without decoding its pixels."""
    try:
        opened(source)
    except UnusableImageError as error:
        return str(error)
    return ""


def _name_unusable(ids: Sequence[str], problems: Sequence[str]) -> None:
    unusable = [name for name, problem in zip(ids, problems, strict=True) if problem]
    if unusable:
        named = ", ".join(unusable[:_NAMED_AT_MOST])
        more = ", …" if len(unusable) > _NAMED_AT_MOST else ""
        logger.warning(
            f"WorldBench: {len(unusable)} of {len(ids)} pictures cannot be used ({named}{more}); "
            "their questions are asked without them, not scored, and counted as image_unusable."
        )
