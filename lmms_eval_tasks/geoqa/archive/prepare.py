"""From an official archive to parquet files, and the YAML files that evaluate them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path

from lmms_eval_tasks import __version__
from lmms_eval_tasks.geoqa.archive.errors import ArchiveLayoutError
from lmms_eval_tasks.geoqa.archive.members import Archive, open_archive
from lmms_eval_tasks.geoqa.archive.parquet import write_parquet, write_text
from lmms_eval_tasks.geoqa.archive.problems import OfficialProblem, official_problem, types_in
from lmms_eval_tasks.geoqa.archive.safe_pickle import read_pickle
from lmms_eval_tasks_core.errors import RowError

# What a step is called, how far it is, and how far it goes (bytes or problems).
Progress = Callable[[str, int, int], None]

TASKS: Mapping[str, str] = {
    "geoqa_official": "geoqa",
    "geoqa_official_beam10": "geoqa_beam10",
    "geoqa_official_choice": "geoqa_choice",
    "geoqa_official_text": "geoqa_text",
    "geoqa_official_options_shown": "geoqa_options_shown",
}
_TYPES = "sub_dataset_dict.pk"
# The files of each split, by the archives that have them.
_LAYOUTS: Mapping[str, Mapping[str, str]] = {
    "GeoQA": {
        "test": "GeoQA3/test.pk",
        "dev": "GeoQA3/dev.pk",
        "train": "GeoQA3/train.pk",
    },
    "UniGeo": {
        "test": "calculation_test.pk",
        "dev": "calculation_val.pk",
        "train": "calculation_train.pk",
    },
}
_CHUNK_BYTES = 1024**2


@dataclass(slots=True)
class Prepared:
    """What was written.

    Attributes:
        source: "GeoQA" or "UniGeo".
        rows: How many problems each split has.
        left_out: Why a problem is not among them, by its split.
        without_picture: The ids of those whose picture could not be used, and why, by split.
    """

    source: str
    rows: dict[str, int] = field(default_factory=dict)
    left_out: dict[str, list[str]] = field(default_factory=dict)
    without_picture: dict[str, list[str]] = field(default_factory=dict)


def prepare(archive: Path, out: Path, language: str, progress: Progress) -> Prepared:
    """Read an official archive and write a folder that ``--include_path`` takes.

    Each file is written beside its place and then moved there, the YAML files last: a run that is
    interrupted leaves no half of a file, and the next one starts over.

    Args:
        archive: The zip file.
        out: The folder; it is made if it is not there.
        language: "zh" or "en", see `official_problem`.
        progress: Is told how far each step is.

    Raises:
        ArchiveError: The archive is refused, cannot be read, or does not hold a data set.
    """
    with open_archive(archive) as opened:
        source, splits = _layout(opened)
        done = Prepared(source)
        types = _types(opened)
        out.mkdir(parents=True, exist_ok=True)
        for split, path in splits.items():
            problems = _problems(opened, path, progress)
            rows = _rows(problems, split, types, language, done)
            counted = _reported(rows, f"writing {split}", len(problems), progress)
            done.rows[split] = write_parquet(counted, out / f"{split}.parquet")
    if not done.rows["test"]:
        reasons = "; ".join(done.left_out["test"][:3])
        raise ArchiveLayoutError(
            f"None of the test problems in {splits['test']} can be used: {reasons}.",
            "Check that the archive is the official one.",
        )
    origin = f"{archive.name!a} of {source}, sha256 {_digest(archive)}"
    for task, base in TASKS.items():
        write_text(_yaml(task, base, origin), out / f"{task}.yaml")
    return done


def _layout(archive: Archive) -> tuple[str, dict[str, str]]:
    """Which archive it is, and the path of each split it has."""
    for source, files in _LAYOUTS.items():
        found = {split: archive.find(ending) for split, ending in files.items()}
        if found["test"]:
            return source, {split: path for split, path in found.items() if path}
    wanted = " or ".join(files["test"] for files in _LAYOUTS.values())
    raise ArchiveLayoutError(
        f"The archive holds no test problems: there is no {wanted}.",
        "Name the zip file that the authors of GeoQA or UniGeo give out.",
    )


def _types(archive: Archive) -> dict[str, str]:
    """The types that are shipped, and over them those of the archive."""
    shipped = resources.files("lmms_eval_tasks.geoqa").joinpath("test_ids.json")
    ids_by_type: dict[str, list[int]] = json.loads(shipped.read_text(encoding="utf-8"))
    types = {str(identity): name for name, ids in ids_by_type.items() for identity in ids}
    path = archive.find(_TYPES)
    return types if path is None else types | types_in(read_pickle(archive.content_of(path), path))


def _problems(archive: Archive, path: str, progress: Progress) -> Sequence[object]:
    step = f"reading {path.rpartition('/')[2]}"
    progress(step, 0, 1)
    content = archive.content_of(path)
    problems = read_pickle(content, path, lambda place: progress(step, place, len(content)))
    progress(step, len(content), len(content))
    if not isinstance(problems, list):
        raise ArchiveLayoutError(
            f"{path} holds {type(problems).__name__} in place of a list of problems.",
            "Check that the archive is the official one.",
        )
    return problems


def _rows(
    problems: Iterable[object],
    split: str,
    types: Mapping[str, str],
    language: str,
    done: Prepared,
) -> Iterator[OfficialProblem]:
    """The problems that can be used; the others, and missing pictures, are noted."""
    left_out = done.left_out.setdefault(split, [])
    without_picture = done.without_picture.setdefault(split, [])
    for position, problem in enumerate(problems):
        try:
            read = official_problem(problem, position, types, language)
        except RowError as error:
            left_out.append(error.problem.rstrip("."))
            continue
        if read.picture_trouble is not None:
            without_picture.append(f"{read.row['id']}: {read.picture_trouble}")
        yield read


def _reported(
    problems: Iterable[OfficialProblem], step: str, total: int, progress: Progress
) -> Iterator[Mapping[str, object]]:
    progress(step, 0, total)
    for count, problem in enumerate(problems, start=1):
        yield problem.row
        progress(step, count, total)
    progress(step, total, total)


def _yaml(task: str, base: str, origin: str) -> str:
    """A task file; the path it includes is where this package is installed."""
    included = resources.files("lmms_eval_tasks.geoqa").joinpath(f"{base}.yaml")
    return (
        f"# Made by lmms-eval-tasks {__version__} from {origin}\n"
        f"include: {json.dumps(str(included), ensure_ascii=False)}\n"
        f"task: {task}\n"
        "dataset_path: parquet\n"
        "dataset_kwargs:\n"
        "  data_files:\n"
        "    test: test.parquet\n"
        "test_split: test\n"
    )


def _digest(file: Path) -> str:
    digest = hashlib.sha256()
    with file.open("rb") as stream:
        while chunk := stream.read(_CHUNK_BYTES):
            digest.update(chunk)
    return digest.hexdigest()
