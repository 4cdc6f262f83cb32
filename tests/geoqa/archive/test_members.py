"""What a zip file may hold, and how a hostile one is refused before anything is read."""

from __future__ import annotations

import copy
import stat
import struct
import zipfile
from pathlib import Path

import pytest

from lmms_eval_tasks.geoqa.archive import members
from lmms_eval_tasks.geoqa.archive.errors import (
    ArchiveDamagedError,
    ArchiveLayoutError,
    ArchiveRefusedError,
)
from lmms_eval_tasks.geoqa.archive.members import open_archive
from tests.geoqa.archive.official import archive


def test_files_are_found_by_the_end_of_their_path(tmp_path: Path) -> None:
    names = ("deep/er/GeoQA3/test.pk", "d/GeoQA3/test.pk", "__MACOSX/GeoQA3/test.pk", "xtest.pk")
    with open_archive(archive(tmp_path / "a.zip", {n: n.encode() for n in names})) as opened:
        found = opened.find("GeoQA3/test.pk")
        assert found == "d/GeoQA3/test.pk"
        assert opened.content_of(found) == b"d/GeoQA3/test.pk"
        assert opened.find("test.pk") == "d/GeoQA3/test.pk"
        assert opened.find("GeoQA3/dev.pk") is None


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("../evil.pk", "leads out of the archive"),
        ("data/../../evil.pk", "leads out of the archive"),
        ("data\\..\\..\\evil.pk", "leads out of the archive"),
        ("/etc/evil.pk", "absolute name"),
        ("\\evil.pk", "absolute name"),
        ("C:\\evil.pk", "absolute name"),
        ("c:evil.pk", "absolute name"),
        ("//server/share/evil.pk", "absolute name"),
    ],
)
def test_names_that_point_elsewhere_are_refused(tmp_path: Path, name: str, words: str) -> None:
    file = archive(tmp_path / "a.zip", {"data/test.pk": b"", name: b"evil"})
    with pytest.raises(ArchiveRefusedError, match=words), open_archive(file):
        pytest.fail("it was opened")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.zip"]


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR])
def test_links_and_devices_are_refused(tmp_path: Path, kind: int) -> None:
    entry = zipfile.ZipInfo("data/test.pk")
    entry.external_attr = (kind | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as opened:
        opened.writestr(entry, "/etc/passwd")
    file = tmp_path / "a.zip"
    with pytest.raises(ArchiveRefusedError, match="link or a device"), open_archive(file):
        pytest.fail("it was opened")


def test_a_bomb_is_refused_by_its_ratio(tmp_path: Path) -> None:
    file = archive(tmp_path / "a.zip", {"data/test.pk": bytes(40 * 1024**2)})
    assert file.stat().st_size < 100_000
    with pytest.raises(ArchiveRefusedError, match="times its size"), open_archive(file):
        pytest.fail("it was opened")


def test_sizes_are_bounded_each_and_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = archive(tmp_path / "a.zip", {f"{n}.pk": bytes(1000) for n in range(3)})
    for limit, value in (("MAX_MEMBER_BYTES", 999), ("MAX_TOTAL_BYTES", 2999), ("MAX_MEMBERS", 2)):
        with monkeypatch.context() as changed:
            changed.setattr(members, limit, value)
            with pytest.raises(ArchiveRefusedError), open_archive(file):
                pytest.fail("it was opened")
    with open_archive(file) as opened:
        assert opened.content_of("0.pk") == bytes(1000)


def test_a_file_that_is_larger_than_it_says_is_not_read(tmp_path: Path) -> None:
    file = archive(tmp_path / "a.zip", {"test.pk": bytes(5000)})
    lying = file.read_bytes().replace(struct.pack("<I", 5000), struct.pack("<I", 50))
    file.write_bytes(lying)
    failures = (ArchiveDamagedError, ArchiveRefusedError)
    with open_archive(file) as opened, pytest.raises(failures):
        opened.content_of("test.pk")


def test_a_name_that_is_cut_short_is_refused(tmp_path: Path) -> None:
    file = archive(tmp_path / "a.zip", {"data/test.pk#.txt": b""})
    file.write_bytes(file.read_bytes().replace(b"test.pk#", b"test.pk\0"))
    with pytest.raises(ArchiveRefusedError, match="no proper name"), open_archive(file):
        pytest.fail("it was opened")


def test_reading_stops_at_the_size_that_was_checked(tmp_path: Path) -> None:
    with open_archive(archive(tmp_path / "a.zip", {"a": bytes(5000)})) as opened:
        checked = copy.copy(opened._by_path["a"])
        checked.file_size = 50
        opened._by_path["a"] = checked
        with pytest.raises(ArchiveRefusedError, match="larger than the archive says"):
            opened.content_of("a")


def test_two_files_of_one_name_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.zip"
    with zipfile.ZipFile(file, "w") as opened:
        opened.writestr("a", "1")
        with pytest.warns(UserWarning, match="Duplicate"):
            opened.writestr("a", "2")
    with pytest.raises(ArchiveRefusedError, match="twice"), open_archive(file):
        pytest.fail("it was opened")


def test_an_encrypted_file_is_refused(tmp_path: Path) -> None:
    file = archive(tmp_path / "a.zip", {"a": b"1"})
    content = bytearray(file.read_bytes())
    central = content.index(b"PK\x01\x02")
    content[6] |= 1
    content[central + 8] |= 1
    file.write_bytes(content)
    with pytest.raises(ArchiveRefusedError, match="encrypted"), open_archive(file):
        pytest.fail("it was opened")


def test_what_is_no_zip_file_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(b"hello")
    for name, words in (("a.zip", "is no zip file"), ("b.zip", "does not exist")):
        with pytest.raises(ArchiveLayoutError, match=words), open_archive(tmp_path / name):
            pytest.fail("it was opened")


def test_a_damaged_file_is_said(tmp_path: Path) -> None:
    file = archive(tmp_path / "a.zip", {"a": bytes(range(256)) * 50})
    content = bytearray(file.read_bytes())
    content[60:80] = bytes(20)
    file.write_bytes(content)
    with open_archive(file) as opened, pytest.raises(ArchiveDamagedError):
        opened.content_of("a")
