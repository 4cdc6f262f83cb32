"""The store of verdicts: shared, never fatal, and without anything nobody should see."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lmms_eval_tasks_core.judging.completion import Reply, Usage
from lmms_eval_tasks_core.judging.dialect import closed_choice
from lmms_eval_tasks_core.judging.kept import Kept, Question, from_line, server_of, to_line
from lmms_eval_tasks_core.judging.process_locks import ProcessLocks
from lmms_eval_tasks_core.judging.purchases import Purchases
from lmms_eval_tasks_core.judging.store import VerdictStore
from lmms_eval_tasks_core.judging.uses import Uses
from lmms_eval_tasks_core.judging.verdict_file import SCHEMA_VERSION, VerdictFile
from tests.support.untraced import untraced

FORMAT = closed_choice("verdict", "grade", ["correct", "incorrect"])


def key(name: object) -> str:
    return sha256(str(name).encode()).hexdigest()


def kept(
    text: str = "Grade: correct", judge: str = "m", time: str = "2026-01-31T09:30:00Z"
) -> Kept:
    reply = Reply(text, "stop", "m-0131", "fp", Usage(1, 10, 5, "m-0131"))
    return Kept(judge, "server", "v-1", time, reply)


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / "not yet there" / "verdicts.sqlite"


def filled(path: Path, count: int = 500) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    file = VerdictFile(path)
    file.put((key(number), kept(f"reply {number} " * 20)) for number in range(count))
    file.close()


def test_what_was_kept_is_there_for_the_next_store(path):
    VerdictStore(path).put(key("a"), kept())
    store = VerdictStore(path)
    assert store.get(key("a")) == kept()
    assert store.get(key("b")) is None
    assert store.knows("m", "server")
    assert not store.knows("m", "another")


def test_a_newer_reply_takes_the_place_of_an_older_one(path):
    store = VerdictStore(path)
    store.put(key("a"), kept("old"))
    store.put(key("a"), kept("new"))
    assert store.get(key("a")) == kept("new")


def test_many_threads_share_a_store(path):
    store = VerdictStore(path)

    def use(number: int) -> bool:
        store.put(key(number % 50), kept(f"reply {number % 50}"))
        return store.get(key(number % 50)) == kept(f"reply {number % 50}")

    with ThreadPoolExecutor(32) as pool:
        assert all(pool.map(use, range(1_000)))


def test_a_store_outlives_a_fork(path):
    store = VerdictStore(path)
    store.put(key("a"), kept())
    child = os.fork()
    if child == 0:
        store.put(key("b"), kept())
        os._exit(0 if store.get(key("a")) == kept() else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert store.get(key("b")) == kept()


@pytest.mark.parametrize(
    "content", [b"not a database " * 200, b"SQLite format 3\0" + b"\xff" * 4_000, b"x"]
)
def test_a_file_that_is_no_database_is_moved_aside_with_one_warning(path, caplog, content):
    path.parent.mkdir()
    path.write_bytes(content)
    store = VerdictStore(path)
    store.put(key("a"), kept())
    assert store.get(key("a")) == kept()
    (aside,) = path.parent.glob("*.aside-1")
    assert aside.read_bytes() == content
    assert len(caplog.records) == 1
    assert aside.name in caplog.text


def test_a_database_of_something_else_is_moved_aside_untouched(path, caplog):
    path.parent.mkdir()
    foreign = sqlite3.connect(path)
    foreign.execute("CREATE TABLE verdicts (precious TEXT)")
    foreign.commit()
    foreign.close()
    content = path.read_bytes()
    store = VerdictStore(path)
    store.put(key("a"), kept())
    assert store.get(key("a")) == kept()
    assert path.with_name(f"{path.name}.aside-1").read_bytes() == content
    assert "a database of something else" in caplog.text


def test_damage_inside_the_file_is_found_in_use_and_moved_aside(path, caplog):
    filled(path)
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\xa5" * (len(content) - 4096))
    store = VerdictStore(path)
    assert store.get(key(1)) is None
    store.put(key(1), kept())
    assert store.get(key(1)) == kept()
    assert len(caplog.records) == 1
    assert path.with_name(f"{path.name}.aside-1").exists()


def test_two_damaged_files_are_both_kept(path):
    path.parent.mkdir()
    for content in (b"first" * 300, b"second" * 300):
        path.unlink(missing_ok=True)
        path.write_bytes(content)
        VerdictStore(path).put(key("a"), kept())
    assert path.with_name(f"{path.name}.aside-1").read_bytes() == b"first" * 300
    assert path.with_name(f"{path.name}.aside-2").read_bytes() == b"second" * 300


def test_an_entry_that_makes_no_sense_is_bought_again(path):
    filled(path, 3)
    connection = sqlite3.connect(path)
    connection.execute("UPDATE verdicts SET time = 'yesterday' WHERE key = ?", (key(0),))
    connection.execute("UPDATE verdicts SET reply = x'ff' WHERE key = ?", (key(1),))
    connection.commit()
    connection.close()
    store = VerdictStore(path)
    assert store.get(key(0)) is None
    assert store.get(key(1)) is None
    assert store.get(key(2)) is not None


def test_a_file_of_a_later_version_is_left_alone(path, caplog):
    filled(path, 1)
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    connection.commit()
    connection.close()
    store = VerdictStore(path)
    store.put(key("a"), kept())
    assert store.get(key(0)) is None
    assert "later version" in caplog.text
    assert len(caplog.records) == 1
    assert not list(path.parent.glob("*.aside-*"))


@pytest.mark.parametrize("place", ["/proc/verdicts.sqlite", "{file}/verdicts.sqlite", "{folder}"])
def test_where_nothing_can_be_written_there_is_no_store_and_one_warning(tmp_path, caplog, place):
    (tmp_path / "file").write_text("in the way")
    store = VerdictStore(Path(place.format(file=tmp_path / "file", folder=tmp_path)))
    for number in range(3):
        with store.asking(key(number)):
            store.put(key(number), kept())
        assert store.get(key(number)) is None
    assert not store.knows("m", "server")
    assert len(caplog.records) == 1
    assert "LMMS_EVAL_TASKS_VERDICTS names another file" in caplog.text


def test_a_store_that_vanishes_costs_nothing(path):
    store = VerdictStore(path)
    store.put(key("a"), kept())
    for file in path.parent.iterdir():
        file.unlink()
    with store.asking(key("b")):
        store.put(key("b"), kept())
    assert store.get(key("c")) is None


def test_an_entry_that_fails_halfway_leaves_nothing(path):
    path.parent.mkdir()
    file = VerdictFile(path)

    def entries():
        yield key("a"), kept()
        raise RuntimeError

    with pytest.raises(RuntimeError):
        file.put(entries())
    assert file.get(key("a")) is None
    assert file.put([(key("b"), kept())]) == 1


def uses_of(path: Path) -> Uses:
    file = VerdictFile(path)
    (holding,) = file.holdings()
    file.close()
    return holding.uses


def asked_for(store: VerdictStore, name: object, text: str = "Grade: correct") -> None:
    """Obtain a reply; one with another text is of no use."""
    Purchases(store).obtained(key(name), lambda: kept(text), lambda found: found.reply.text == text)


def test_purchases_and_reuses_are_counted(path):
    store = VerdictStore(path)
    for number in (1, 2, 1, 1, 3, 2):
        asked_for(store, number)
    store.close()
    uses = uses_of(path)
    assert (uses.reused, uses.bought) == (3, 3)
    assert uses.hit_rate == 0.5
    assert len(uses.since) == len("2026-01-31")


def test_a_reply_that_was_of_no_use_is_no_reuse(path):
    store = VerdictStore(path)
    asked_for(store, 1)
    asked_for(store, 1, "Grade: wrong")
    store.close()
    assert (uses_of(path).reused, uses_of(path).bought) == (0, 2)


def test_threads_are_counted_together(path):
    store = VerdictStore(path)
    with ThreadPoolExecutor(16) as pool:
        list(pool.map(lambda number: asked_for(store, number % 10), range(1_000)))
    store.close()
    uses = uses_of(path)
    assert uses.reused + uses.bought == 1_000
    assert uses.bought >= 10


COUNTING = """
import os, sys
from pathlib import Path
from tests.core.judging.test_store import VerdictStore, asked_for
store = VerdictStore(Path(sys.argv[1]))
for number in range(200):
    asked_for(store, number)
if sys.argv[2] == "killed":
    os.kill(os.getpid(), 9)
"""


def counting(path: Path, end: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", COUNTING, str(path), end])


def test_processes_are_counted_together_and_to_their_end(path):
    asked_for(VerdictStore(path), 0)
    assert [process.wait() for process in [counting(path, "ends") for _ in range(3)]] == [0] * 3
    uses = uses_of(path)
    assert (uses.reused, uses.bought) == (401, 200)


def test_a_process_that_is_killed_loses_no_purchase_and_adds_nothing_twice(path):
    assert counting(path, "killed").wait() == -9
    assert (uses_of(path).reused, uses_of(path).bought) == (0, 200)
    assert counting(path, "killed").wait() == -9
    assert uses_of(path).bought == 200
    assert uses_of(path).reused <= 200


def test_a_fork_counts_only_what_is_its_own(path):
    store = VerdictStore(path)
    for _ in range(5):
        asked_for(store, 1)
    child = os.fork()
    if child == 0:
        asked_for(store, 1)
        store.close()
        os._exit(0)
    os.waitpid(child, 0)
    store.close()
    assert (uses_of(path).reused, uses_of(path).bought) == (5, 1)


def test_reuses_are_written_down_while_a_run_goes_on(path, monkeypatch):
    store = VerdictStore(path)
    asked_for(store, 1)
    asked_for(store, 1)
    assert uses_of(path).reused == 0
    monkeypatch.setattr("time.monotonic", lambda: float("inf"))
    asked_for(store, 1)
    assert uses_of(path).reused == 2


def test_nobody_waits_to_count_while_another_process_writes(path):
    store = VerdictStore(path)
    store.put(key(1), kept())
    store.reuse(kept())
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    began = time.monotonic()
    store.close()
    assert time.monotonic() - began < 5
    writer.execute("ROLLBACK")
    store.reuse(kept())
    store.close()
    # What could not be written waits for the next time.
    assert (uses_of(path).reused, uses_of(path).bought) == (2, 1)


AS_NOBODY = """
import os, sys
from pathlib import Path
from lmms_eval_tasks_core.judging.store import VerdictStore
from tests.core.judging.test_store import kept, key
if os.getuid() == 0:
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
store = VerdictStore(Path(sys.argv[1]))
for _ in range(3):
    store.reuse(store.get(key(1)))
store.close()
"""


def test_a_file_that_may_only_be_read_is_read_and_counts_nothing():
    # Not below pytest's folders: another user may not pass through those.
    with tempfile.TemporaryDirectory() as shared:
        path = Path(shared) / "verdicts.sqlite"
        filled(path, 3)
        path.chmod(0o444)
        Path(shared).chmod(0o777)
        done = subprocess.run(
            [sys.executable, "-c", AS_NOBODY, path],
            env=untraced(),
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert uses_of(path) == Uses()


def test_a_file_from_before_uses_were_counted_is_counted_from_now_on(path):
    filled(path, 2)
    before = sqlite3.connect(path)
    assert before.execute("SELECT name FROM sqlite_master WHERE name = 'uses'").fetchall() == []
    assert uses_of(path) == Uses()
    store = VerdictStore(path)
    asked_for(store, 1, "reply 1 " * 20)
    store.close()
    assert (uses_of(path).reused, uses_of(path).bought) == (1, 0)
    # A version that knows nothing of uses finds the file as it was.
    assert before.execute("PRAGMA user_version").fetchone() == (1,)
    assert before.execute("SELECT count(*) FROM verdicts").fetchone() == (2,)


def test_a_table_that_is_not_ours_costs_no_verdict(path):
    filled(path, 1)
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE uses (something TEXT)")
    connection.close()
    store = VerdictStore(path)
    store.put(key("new"), kept())
    assert store.get(key("new")) == kept()
    store.close()
    assert uses_of(path) == Uses()


def test_where_there_are_no_locks_nobody_waits():
    locks = ProcessLocks(Path("/proc/verdicts.lock"))
    with locks.held(key("a")), locks.held(key("a")):
        pass


def test_a_lock_is_free_once_its_process_is_gone(tmp_path):
    code = (
        "import sys, time; from pathlib import Path;"
        "from lmms_eval_tasks_core.judging.process_locks import ProcessLocks;"
        "held = ProcessLocks(Path(sys.argv[1])).held(sys.argv[2]); held.__enter__();"
        "print('held', flush=True); time.sleep(60)"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path / "lock"), key("a")], stdout=subprocess.PIPE
    )
    assert holder.stdout is not None
    holder.stdout.readline()
    locks = ProcessLocks(tmp_path / "lock")
    with locks.held(key("b")):
        assert locks._got(int(key("a")[:14], 16)) is False
    holder.kill()
    holder.communicate()
    with locks.held(key("a")):
        pass


FULL_DISK = """
import resource, sys
from pathlib import Path
from tests.core.judging.test_store import VerdictStore, kept, key
path = Path(sys.argv[1])
store = VerdictStore(path)
store.put(key("first"), kept())
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
for number in range(200):
    store.put(key(number), kept("x" * 4_000))
assert store.get(key("first")) == kept()
assert store.get(key(199)) is None
"""


def test_a_full_disk_costs_one_warning_and_what_is_kept_stays_readable(path):
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("The store of verdicts") == 1
    assert "takes no more" in done.stderr
    assert VerdictStore(path).get(key("first")) == kept()


def test_every_part_of_a_question_makes_another_key():
    question = Question("text", FORMAT, "v-1")
    others = [
        replace(question, prompt="text "),
        replace(question, version="v-2"),
        replace(question, response_format=closed_choice("verdict", "grade", ["correct"])),
    ]
    keys = [each.key("m", "server") for each in (question, *others)]
    keys += [question.key("m2", "server"), question.key("m", "host2")]
    assert len(set(keys)) == 6
    assert question.key("m", "server") == replace(question).key("m", "server")
    assert all(len(each) == 64 for each in keys)
    assert Question("\ud800", FORMAT, "v").key("m", "")


@pytest.mark.parametrize(
    ("url", "server"),
    [
        ("http://user:pass@Localhost:8000/v1/?key=x", "localhost:8000/v1"),
        ("https://api.openai.com/v1", "api.openai.com/v1"),
        ("http://[::1]:8000/v1", "::1:8000/v1"),
        ("http://[x", ""),
        ("http://x:port/v1", ""),
        ("nonsense", "nonsense"),
    ],
)
def test_the_host_of_a_url(url, server):
    assert server_of(url) == server


texts = st.text(max_size=50)


@given(texts, texts, st.none() | texts, st.integers(0, 2**63 - 1))
def test_a_line_of_an_export_says_all(text, judge, finish, tokens):
    reply = Reply(text, finish, "m", None, Usage(1, tokens, 0, "m"))
    one = Kept(judge, "", "v", "2026-01-31T09:30:00Z", reply)
    line = to_line(key("a"), one)
    assert "\n" not in line
    assert from_line(line) == (key("a"), one)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{", "Expecting"),
        ("[1]", "not a JSON object"),
        ("[" * 100_000, "nested too deeply"),
        ("{}", "`key` is missing"),
        ('{"key": "short"}', "not a SHA-256"),
        (to_line(key("a"), kept()).replace("10,", "true,"), "`input_tokens`"),
        (to_line(key("a"), kept()).replace("10,", "-1,"), "out of bounds"),
        (to_line(key("a"), kept()).replace("10,", f"{2**63},"), "out of bounds"),
        (to_line(key("a"), kept(time="today")), "`time`"),
    ],
)
def test_a_line_that_is_none_says_why(line, words):
    with pytest.raises(ValueError, match=words):
        from_line(line)
