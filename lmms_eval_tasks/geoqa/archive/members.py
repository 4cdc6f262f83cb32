"""The files in an archive: looked for by name, bounded, and never unpacked to a path it names."""

from __future__ import annotations

import stat
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath, PureWindowsPath

from lmms_eval_tasks.geoqa.archive.errors import (
    ArchiveDamagedError,
    ArchiveLayoutError,
    ArchiveRefusedError,
)

GIBIBYTE = 1024**3
MAX_MEMBERS = 50_000
MAX_MEMBER_BYTES = 4 * GIBIBYTE
MAX_TOTAL_BYTES = 16 * GIBIBYTE
# White pictures compress well, but not as well as what was made to burst.
MAX_RATIO = 400
_RATIO_FREE_BYTES = 16 * 1024**2
_CHUNK_BYTES = 1024**2
_ENCRYPTED = 0x1


class Archive:
    """A zip file whose every entry has been checked; nothing is read before `content_of`."""

    def __init__(self, opened: zipfile.ZipFile) -> None:
        self._opened = opened
        self._by_path = {entry.filename: entry for entry in opened.infolist() if not entry.is_dir()}

    def find(self, ending: str) -> str | None:
        """The file whose path ends with these parts, such as ``GeoQA3/test.pk``.

        Of several, the one that lies least deep; None where there is none.
        """
        wanted = PurePosixPath(ending).parts
        found = [
            path
            for path in self._by_path
            if PurePosixPath(path).parts[-len(wanted) :] == wanted and "__MACOSX" not in path
        ]
        return min(found, key=lambda path: (path.count("/"), path), default=None)

    def content_of(self, path: str) -> bytes:
        """What a file holds.

        Raises:
            ArchiveRefusedError: It holds more than the archive says it does, or than is allowed.
            ArchiveDamagedError: It cannot be read.
        """
        entry = self._by_path[path]
        chunks: list[bytes] = []
        length = 0
        with _failures(path), self._opened.open(path) as stream:
            while chunk := stream.read(_CHUNK_BYTES):
                length += len(chunk)
                if length > entry.file_size:
                    raise ArchiveRefusedError(path, "is larger than the archive says")
                chunks.append(chunk)
        return b"".join(chunks)


@contextmanager
def open_archive(file: Path) -> Iterator[Archive]:
    """Open a zip file and check every entry, also of files that nobody asks for.

    Raises:
        ArchiveLayoutError: There is no such file, or it is no zip file.
        ArchiveRefusedError: An entry points outside the archive, is a link, is encrypted, or is
            larger than is allowed, by itself, together with the others, or against its packed size.
        ArchiveDamagedError: The list of its files cannot be read.
    """
    if not file.is_file() or not zipfile.is_zipfile(file):
        trouble = "is no zip file" if file.exists() else "does not exist"
        raise ArchiveLayoutError(
            f"{file} {trouble}.", "Name the zip file that the authors of GeoQA or UniGeo give out."
        )
    with _failures(str(file)):
        opened = zipfile.ZipFile(file)
    with opened:
        _check(opened.infolist())
        yield Archive(opened)


def _check(entries: list[zipfile.ZipInfo]) -> None:
    if len(entries) > MAX_MEMBERS:
        raise ArchiveRefusedError(entries[MAX_MEMBERS].filename, f"is one of {len(entries)}")
    seen: set[str] = set()
    total = 0
    for entry in entries:
        total += entry.file_size
        trouble = _name_trouble(entry) or _size_trouble(entry, total)
        if entry.filename in seen:
            trouble = "is there twice"
        if trouble:
            raise ArchiveRefusedError(entry.filename, trouble)
        seen.add(entry.filename)


def _name_trouble(entry: zipfile.ZipInfo) -> str | None:
    # `orig_filename` is the name before zipfile cuts it at a NUL and turns separators.
    name = entry.orig_filename.replace("\\", "/")
    if "\0" in name or not name:
        return "has no proper name"
    if name.startswith("/") or PureWindowsPath(name).drive:
        return "has an absolute name"
    if ".." in name.split("/"):
        return "has a name that leads out of the archive"
    mode = entry.external_attr >> 16
    if stat.S_IFMT(mode) not in {0, stat.S_IFREG, stat.S_IFDIR}:
        return "is a link or a device"
    if entry.flag_bits & _ENCRYPTED:
        return "is encrypted"
    return None


def _size_trouble(entry: zipfile.ZipInfo, total: int) -> str | None:
    if entry.file_size > MAX_MEMBER_BYTES:
        return f"holds {entry.file_size} bytes; {MAX_MEMBER_BYTES} are allowed"
    if total > MAX_TOTAL_BYTES:
        return f"brings the whole to {total} bytes; {MAX_TOTAL_BYTES} are allowed"
    packed = max(entry.compress_size, 1)
    if entry.file_size > _RATIO_FREE_BYTES and entry.file_size > MAX_RATIO * packed:
        return f"unpacks to {entry.file_size // packed} times its size; {MAX_RATIO} are allowed"
    return None


@contextmanager
def _failures(name: str) -> Iterator[None]:
    """Turn what zipfile raises for a broken file into one error."""
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError) as error:
        raise ArchiveDamagedError(f"{name}: {error}") from error
