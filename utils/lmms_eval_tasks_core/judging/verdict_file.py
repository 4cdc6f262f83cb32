"""The SQLite file in which replies are kept. It says what is wrong; the store lives with it.

Write-ahead logging lets threads and processes read while one writes, and makes every reply that was
written survive the end of its process, however that ends.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from lmms_eval_tasks_core.judging.kept import Kept
from lmms_eval_tasks_core.judging.uses import Group, Holding, Uses, add, forget_orphans, known
from lmms_eval_tasks_core.responses import valid_unicode

# "letv": SQLite's own place for saying whose file it is.
APPLICATION_ID = 0x6C657476
SCHEMA_VERSION = 1
_HEADER = b"SQLite format 3\0"
_PATIENCE_S = 30.0
# Counts can wait where others are writing; whoever asks for a verdict should not.
_PATIENCE_OF_COUNTS_MS = 20
_COLUMNS = (
    *("key", "judge", "server", "version", "time", "reply", "finish", "model", "fingerprint"),
    *("input_tokens", "output_tokens"),
)
_NAMED = ", ".join(_COLUMNS)
_SCHEMA = """
CREATE TABLE IF NOT EXISTS verdicts (
    key TEXT PRIMARY KEY, judge TEXT NOT NULL, server TEXT NOT NULL, version TEXT NOT NULL,
    time TEXT NOT NULL, reply TEXT NOT NULL, finish TEXT, model TEXT NOT NULL, fingerprint TEXT,
    input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL
) WITHOUT ROWID"""
_INDEX = "CREATE INDEX IF NOT EXISTS verdicts_by_judge ON verdicts (judge, server, version)"


FileError = sqlite3.Error


class ForeignFileError(sqlite3.DatabaseError):
    """The file is a database of something else."""


class NewerFileError(sqlite3.NotSupportedError):
    """The file was written by a later version of the pack."""


def folder_made(path: Path) -> Path:
    """The path of a file whose folder is there.

    Raises:
        OSError: The folder cannot be made.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


class VerdictFile:
    """An open file of replies. Not thread-safe: its user takes care of that.

    Every method raises `sqlite3.Error` where the file cannot be read or written.

    Args:
        path: The file; it is begun if it is missing or empty.

    Raises:
        sqlite3.Error: It is damaged, foreign, of a later version, or out of reach.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        _check_header(path)
        self._connection = sqlite3.connect(
            path, timeout=_PATIENCE_S, isolation_level=None, check_same_thread=False
        )
        try:
            self._prepare()
        except BaseException:
            self._connection.close()
            raise
        self._identity = path.stat().st_ino

    def close(self) -> None:
        """Close it; the last user's closing merges the log into the file."""
        self._connection.close()

    def is_still_there(self) -> bool:
        """Whether the path leads to this very file, and not to one that took its place."""
        try:
            return self.path.stat().st_ino == self._identity
        except OSError:
            return False

    def get(self, key: str) -> Kept | None:
        """What is kept under a key; None also for an entry that makes no sense."""
        found = self._connection.execute(f"SELECT {_NAMED} FROM verdicts WHERE key = ?", (key,))  # noqa: S608 - constants
        row = found.fetchone()
        return None if row is None else _kept(row)

    def put(
        self,
        entries: Iterable[tuple[str, Kept]],
        *,
        replace: bool = True,
        uses: Mapping[Group, Uses] | None = None,
    ) -> int:
        """Keep replies: all of them or, after an error, none.

        Args:
            entries: Keys and what to keep under them.
            replace: Whether they take the place of what is there.
            uses: What to add to the counts; no reply is lost where that cannot be done.

        Returns:
            How many were written.
        """
        rule = "REPLACE" if replace else "IGNORE"
        places = ", ".join("?" * len(_COLUMNS))
        with self._writing():
            before = self._connection.total_changes
            self._connection.executemany(
                f"INSERT OR {rule} INTO verdicts ({_NAMED}) VALUES ({places})",  # noqa: S608 - constants
                (_row(key, kept) for key, kept in entries),
            )
            written = self._connection.total_changes - before
            if uses:
                with suppress(sqlite3.OperationalError, sqlite3.IntegrityError):
                    add(self._connection, uses)
        return written

    def count(self, uses: Mapping[Group, Uses]) -> None:
        """Add to the counts of uses; it waits for no one, and then raises."""
        run = self._connection.execute
        run(f"PRAGMA busy_timeout = {_PATIENCE_OF_COUNTS_MS}")
        try:
            with self._writing():
                add(self._connection, uses)
        finally:
            run(f"PRAGMA busy_timeout = {int(1000 * _PATIENCE_S)}")

    def knows(self, judge: str, server: str) -> bool:
        """Whether a reply of this model at this server is kept."""
        question = "SELECT 1 FROM verdicts WHERE judge = ? AND server = ? LIMIT 1"
        return self._connection.execute(question, (judge, server)).fetchone() is not None

    def entries(self) -> Iterator[tuple[str, Kept]]:
        """All that is kept, in the order of its time."""
        with closing(self._connection.cursor()) as cursor:
            for row in cursor.execute(f"SELECT {_NAMED} FROM verdicts ORDER BY time, key"):  # noqa: S608 - constants
                kept = _kept(row)
                if kept is not None:
                    yield row[0], kept

    def holdings(self) -> list[Holding]:
        """What is kept, by judge, server and version."""
        question = (
            "SELECT judge, server, version, count(*), sum(input_tokens), sum(output_tokens), "
            "min(time), max(time) FROM verdicts GROUP BY 1, 2, 3 ORDER BY 1, 2, 3"
        )
        uses = known(self._connection)
        rows = self._connection.execute(question).fetchall()
        return [Holding(uses.get(row[:3], Uses()), *row) for row in rows]

    def prune(self, judge: str | None, before: str | None) -> int:
        """Forget replies.

        Args:
            judge: Those of this model; None for all models.
            before: Those older than this time, in UTC and ISO form; None for all times.

        Returns:
            How many were forgotten.
        """
        done = self._connection.execute(
            "DELETE FROM verdicts WHERE judge = coalesce(?, judge) AND time < coalesce(?, '~')",
            (judge, before),
        )
        forget_orphans(self._connection)
        # A run that is reading keeps the file from shrinking; then it shrinks another time.
        with suppress(sqlite3.OperationalError):
            self._connection.execute("VACUUM")
        return done.rowcount

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """A transaction that is nothing or all."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    def _prepare(self) -> None:
        run = self._connection.execute
        self._connection.text_factory = lambda text: text.decode(errors="replace")
        if run("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
            if run("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                raise ForeignFileError("it is a database of something else")
            run("BEGIN IMMEDIATE")
            for statement in (_SCHEMA, _INDEX, f"PRAGMA application_id = {APPLICATION_ID}"):
                run(statement)
            run(f"PRAGMA user_version = {SCHEMA_VERSION}")
            run("COMMIT")
        if run("PRAGMA user_version").fetchone()[0] > SCHEMA_VERSION:
            raise NewerFileError("it was written by a later version of lmms-eval-tasks")
        run("PRAGMA journal_mode = WAL").fetchone()
        # With the log, this loses nothing when a process dies, and the last replies at most when
        # the power goes.
        run("PRAGMA synchronous = NORMAL")


def _check_header(path: Path) -> None:
    """Find what is no database; SQLite itself would write over a few bytes."""
    try:
        with path.open("rb") as file:
            start = file.read(len(_HEADER))
    except OSError:
        return  # missing, or SQLite says in its own words why it cannot be opened
    if start not in (b"", _HEADER):
        raise ForeignFileError("it is not a database")


def _row(key: str, kept: Kept) -> tuple[object, ...]:
    values = (key, *kept.to_fields().values())
    return tuple(valid_unicode(value) if isinstance(value, str) else value for value in values)


def _kept(row: tuple[object, ...]) -> Kept | None:
    try:
        return Kept.from_fields(dict(zip(_COLUMNS, row, strict=True)))
    except ValueError:
        return None
