"""Rows of WorldBench: the one place that knows their columns."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from hashlib import blake2b

from lmms_eval_tasks_core.columns import text
from lmms_eval_tasks_core.errors import RowError
from lmms_eval_tasks_core.media import source_bytes
from lmms_eval_tasks_core.options import Options

OPTION_COLUMNS = ("option_a", "option_b", "option_c", "option_d")
TEXT_COLUMNS = ("question", *OPTION_COLUMNS, "answer", "category", "domain")


class Domain(Enum):
    """The seven visual domains, by the names that metrics carry."""

    LIVING_THINGS = "living_things"
    OBJECTS = "objects"
    SCENES = "scenes"
    DIGITAL_WORLD = "digital_world"
    ACADEMICS = "academics"
    DOCUMENTS_CHARTS_TABLES = "documents_charts_tables"
    AGENTS = "agents"


# The rows spell two of the domains differently from the paper.
_SPELLINGS = {"embodied_ai": Domain.AGENTS, **{domain.value: domain for domain in Domain}}


@dataclass(frozen=True, slots=True)
class WorldBenchRecord:
    """One question of WorldBench.

    Attributes:
        id: Made from the content, see `question_id`: the data set has no id column.
        question: The question as the row has it.
        options: Four options, A to D.
        answer: The letter of the right option.
        category: The fine concept, as the row spells it.
        domain: One of seven.
        image_problem: Why the picture cannot be shown to a model, or "" where it can.
    """

    id: str
    question: str
    options: Options
    answer: str
    category: str
    domain: Domain
    image_problem: str = ""

    @classmethod
    def from_row(cls, row: Mapping[str, object], position: int | None = None) -> WorldBenchRecord:
        """Validate a row.

        Args:
            row: A row of the data set, completed by `rows.complete` or not.
            position: The row's position in the data, to name it by while it has no id.

        Raises:
            RowError: A column is missing, empty, or holds a value the benchmark does not know.
        """
        name = str(row.get("id") or ("?" if position is None else position))
        texts = {column: text(row, column, name) for column in TEXT_COLUMNS}
        options = Options(tuple(texts[column] for column in OPTION_COLUMNS))
        if texts["answer"] not in options.letters:
            raise RowError(name, "answer", "the answer is not a letter A-D", value=texts["answer"])
        return cls(
            id=name,
            question=texts["question"],
            options=options,
            answer=texts["answer"],
            category=texts["category"],
            domain=_domain(texts["domain"], name),
            image_problem=str(row.get("image_problem") or ""),
        )


def question_id(row: Mapping[str, object]) -> str:
    """Name a row by its content, so that the name outlives every re-ordering of the data set.

    Returns:
        The first 16 hexadecimal digits of a BLAKE2b hash over question, options, answer and the
        bytes of the picture: the same words are asked about different pictures.
    """
    digest = blake2b(digest_size=8)
    for column in ("question", *OPTION_COLUMNS, "answer"):
        digest.update(str(row.get(column)).strip().encode("utf-8", "replace") + b"\0")
    digest.update(source_bytes(row.get("image")))
    return digest.hexdigest()


def _domain(spelling: str, name: str) -> Domain:
    key = "_".join(re.findall(r"[a-z]+", spelling.lower()))
    if key not in _SPELLINGS:
        raise RowError(name, "domain", "unknown domain", value=spelling)
    return _SPELLINGS[key]
