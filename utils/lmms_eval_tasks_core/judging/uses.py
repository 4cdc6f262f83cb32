"""How often kept replies were reused, and how often one was bought: a table beside the replies.

The table is made by the first that counts. A file without it, or one that another version of the
pack goes on writing, is a good file: then it counts from the day it is first there.
"""

from __future__ import annotations

import sqlite3
import time
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import TypeAlias

Group: TypeAlias = tuple[str, str, str]
"""Judge, server, version."""

_TABLE = """
CREATE TABLE IF NOT EXISTS uses (
    judge TEXT NOT NULL, server TEXT NOT NULL, version TEXT NOT NULL,
    reused INTEGER NOT NULL, bought INTEGER NOT NULL, since TEXT NOT NULL,
    PRIMARY KEY (judge, server, version)
) WITHOUT ROWID"""
_ADD = """
INSERT INTO uses VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (judge, server, version)
DO UPDATE SET reused = reused + excluded.reused, bought = bought + excluded.bought"""
_ORPHANS = """
DELETE FROM uses WHERE NOT EXISTS (
    SELECT 1 FROM verdicts AS kept WHERE kept.judge = uses.judge
    AND kept.server = uses.server AND kept.version = uses.version
)"""


@dataclass(frozen=True, slots=True)
class Uses:
    """How often replies of one group were used.

    Attributes:
        reused: How often a kept one was.
        bought: How often one had to be bought.
        since: The day since when that is counted, in UTC; "" where nothing was counted.
    """

    reused: int = 0
    bought: int = 0
    since: str = ""

    @property
    def hit_rate(self) -> float | None:
        """The share of uses that cost nothing, 0 to 1; None where nothing was counted."""
        counted = self.reused + self.bought
        return self.reused / counted if counted else None


@dataclass(frozen=True, slots=True)
class Holding:
    """What is kept of one judge, server and version.

    Attributes:
        uses: How often they were used.
        judge: The model.
        server: Its server.
        version: The version of the rubric or the prompt.
        verdicts: How many replies are kept.
        input_tokens: What they took to read, in tokens.
        output_tokens: What they took to write, in tokens.
        first: The time of the oldest, in UTC and ISO form.
        last: The time of the newest.
    """

    uses: Uses
    judge: str
    server: str
    version: str
    verdicts: int
    input_tokens: int
    output_tokens: int
    first: str
    last: str


class Tally:
    """Counts reuses in memory until it is time to write them down: a write costs more than a read.

    Not thread-safe: its user takes care of that.

    Args:
        seconds: How long a count may wait.
    """

    def __init__(self, seconds: float = 2.0) -> None:
        self._seconds = seconds
        self._reused: Counter[Group] = Counter()
        self._due = 0.0

    def reused(self, group: Group) -> None:
        """Count a reuse."""
        if not self._reused:
            self._due = time.monotonic() + self._seconds
        self._reused[group] += 1

    def is_due(self) -> bool:
        """Whether something has waited long enough."""
        return bool(self._reused) and time.monotonic() >= self._due

    def wait_again(self) -> None:
        """Put off what could not be written."""
        self._due = time.monotonic() + self._seconds

    def counted(self, bought: Group | None = None) -> dict[Group, Uses]:
        """What waits, and one purchase if there is one."""
        groups = {*self._reused, *([bought] if bought else [])}
        return {group: Uses(self._reused[group], int(group == bought)) for group in groups}

    def clear(self) -> None:
        """Forget what waits: it is written, or it is another process's."""
        self._reused.clear()


def add(connection: sqlite3.Connection, uses: Mapping[Group, Uses]) -> None:
    """Add to the counts, within the transaction of the caller.

    Raises:
        sqlite3.Error: They cannot be written.
    """
    today = datetime.now(timezone.utc).date().isoformat()
    connection.execute(_TABLE)
    rows = [(*group, each.reused, each.bought, today) for group, each in uses.items()]
    connection.executemany(_ADD, rows)


def known(connection: sqlite3.Connection) -> dict[Group, Uses]:
    """All counts; none where nothing was counted, or the table is another program's."""
    with suppress(sqlite3.OperationalError):
        rows = connection.execute(
            "SELECT judge, server, version, reused, bought, since FROM uses"
        ).fetchall()
        return {(judge, server, version): Uses(*rest) for judge, server, version, *rest in rows}
    return {}


def forget_orphans(connection: sqlite3.Connection) -> None:
    """Forget the counts of groups of which no reply is left."""
    with suppress(sqlite3.OperationalError):
        connection.execute(_ORPHANS)
