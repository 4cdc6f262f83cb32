"""From an archive to a folder of tasks: whole, repeatable, and in words where it fails."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import datasets
import numpy as np
import pytest
import yaml
from click.testing import CliRunner, Result

from lmms_eval_tasks.cli import main
from lmms_eval_tasks.geoqa.archive import prepare as prepare_module
from lmms_eval_tasks.geoqa.archive.prepare import TASKS, prepare
from lmms_eval_tasks.geoqa.program_items import program_items
from lmms_eval_tasks.geoqa.rows import complete_rows
from tests.geoqa.archive.official import (
    TEST_PATH,
    Call,
    archive,
    geoqa_archive,
    old_pickle,
    picture,
    problem,
)

Rows = list[dict[str, Any]]


def command(*arguments: object, before: tuple[str, ...] = ()) -> Result:
    return CliRunner().invoke(main, [*before, "prepare-geoqa", *map(str, arguments)])


def read(file: Path) -> Rows:
    rows = datasets.Dataset.from_parquet(str(file), cache_dir=str(file.parent / "cache"))
    return [dict(row) for row in complete_rows(rows)]


def test_the_layout_of_geoqa_becomes_rows_of_ours(tmp_path: Path) -> None:
    problems = [
        problem(1),
        problem(2, numbers=np.array([50.0]), choice_nums=np.array([50.0, 65.0, 130.0, np.nan])),
        problem(3, manual_program="g_minus C_3 N_0 g_half V_0", label=np.int64(1)),
    ]
    types = {1: "angle", 2: "area", 3: "length"}
    file = geoqa_archive(tmp_path / "data.zip", problems, types)
    done = command(file, "--out", tmp_path / "out")
    assert done.exit_code == 0, done.output
    assert "GeoQA: test 3, dev 1, train 2 problems." in done.output
    assert "3 test problems; the benchmark has 754" in done.output
    rows = read(tmp_path / "out" / "test.parquet")
    assert [row["id"] for row in rows] == ["1", "2", "3"]
    assert [row["type"] for row in rows] == ["angle", "other", "length"]
    for row in rows:
        assert row["question"] == problem()["subject"]
        assert row["choice_nums"] == [50.0, 65.0, 130.0, None]
        assert row["program"] == "g_minus C_3 N_0 g_half V_0"
        assert row["has_diagram"]
        assert program_items(row, [row["program"]])["accuracy"]["score"] == 100.0
    assert [len(read(tmp_path / "out" / f"{name}.parquet")) for name in ("dev", "train")] == [1, 2]


def test_the_layout_of_unigeo_has_english_texts_and_the_shipped_types(tmp_path: Path) -> None:
    english = {"English_problem": "In triangle ABC, angle A = 50.0. Find angle B."}
    members = {
        "calculation_test.pk": old_pickle([problem(3, **english)], 3),
        "calculation_val.pk": pickle.dumps([problem(9, **english)]),
        "calculation_train.pk": pickle.dumps([]),
        "proving_test.pk": b"never read",
    }
    file = archive(tmp_path / "unigeo.zip", members)
    for language, words in (("zh", "如图"), ("en", "In triangle")):
        done = command(file, "--out", tmp_path / language, "--language", language)
        assert done.exit_code == 0, done.output
        assert "UniGeo: test 1, dev 1, train 0 problems." in done.output
        (row,) = read(tmp_path / language / "test.parquet")
        assert row["question"].startswith(words)
        assert row["type"] == "angle", "id 3 of the test problems"


def test_a_file_of_types_that_is_none_is_passed_over(tmp_path: Path) -> None:
    file = geoqa_archive(tmp_path / "data.zip", [problem(3), problem(4)], ["angle"])  # type: ignore[arg-type] # odd on purpose
    command(file, "--out", tmp_path / "out")
    assert [row["type"] for row in read(tmp_path / "out" / "test.parquet")] == ["angle", "other"]


def test_the_tasks_are_ready(tmp_path: Path) -> None:
    command(geoqa_archive(tmp_path / "data.zip", [problem()]), "--out", tmp_path / "out")
    files = {file.stem: yaml.safe_load(file.read_text()) for file in tmp_path.glob("out/*.yaml")}
    assert files.keys() == TASKS.keys()
    for name, task in files.items():
        assert task["task"] == name
        assert Path(task["include"]).stem == TASKS[name]
        assert Path(task["include"]).is_file()
        assert task["dataset_kwargs"] == {"data_files": {"test": "test.parquet"}}


def test_odd_problems_are_left_out_by_name_and_odd_pictures_asked_as_text(tmp_path: Path) -> None:
    doubling: list[object] = []
    for _ in range(100):
        doubling = [doubling, doubling]
    problems = [
        problem(1),
        problem(2, image=None),
        problem(3, image=np.zeros((5, 5, 9))),
        problem(4, choices=["only one"]),
        problem(5, label=4),
        problem(6, label=10**5000),
        problem(7, numbers=[10**5000]),
        problem(8, choices=doubling),
        problem(9, subject=doubling),
        problem(10**5000),
        problem(11, subject="text \ud800"),
        {"id": 12},
        "no problem at all",
        problem(14, choice_nums=["x", 1, 2, 3]),
        problem(15, image="text"),
        problem(16, numbers=[True]),
        problem(17, numbers=5),
        problem(18, id=True),
        problem(19, numbers=["50"], choice_nums=["50", 65, "130.0", None]),
        problem(20, choices=[1, 2, 3, 4]),
    ]
    file = geoqa_archive(tmp_path / "data.zip", problems)
    done = command(file, "--out", tmp_path / "out")
    assert done.exit_code == 0, done.output
    assert "test: 14 left out:" in done.output
    assert "Row '4', column 'choices'" in done.output
    assert "test: 3 without a picture" in done.output
    rows = read(tmp_path / "out" / "test.parquet")
    shown = {row["id"]: row["has_diagram"] for row in rows}
    assert shown == {"1": True, "2": False, "3": False, "11": True, "15": False, "19": True}
    assert rows[3]["question"] == "text \ufffd"


def test_a_malicious_pickle_is_refused_and_nothing_executed(tmp_path: Path) -> None:
    trap = tmp_path / "executed"
    hostile = [problem(1), problem(2, image=Call(os.system, f"touch {trap}"))]
    file = geoqa_archive(tmp_path / "data.zip", hostile)
    done = command(file, "--out", tmp_path / "out")
    assert done.exit_code == 1
    assert "posix.system" in done.output
    assert TEST_PATH in done.output
    assert "Traceback" not in done.output
    assert not trap.exists()
    assert list((tmp_path / "out").iterdir()) == []


def test_a_malicious_types_file_is_refused(tmp_path: Path) -> None:
    trap = tmp_path / "executed"
    members = {
        TEST_PATH: old_pickle([problem()]),
        "data/sub_dataset_dict.pk": pickle.dumps(Call(os.system, f"touch {trap}")),
    }
    done = command(archive(tmp_path / "data.zip", members), "--out", tmp_path / "out")
    assert done.exit_code == 1
    assert "posix.system" in done.output
    assert not trap.exists()
    assert not (tmp_path / "out").exists()


def test_a_malicious_archive_is_refused_and_nothing_written(tmp_path: Path) -> None:
    members = {TEST_PATH: old_pickle([problem()]), "../../escaped": b"evil"}
    folder = tmp_path / "a" / "b"
    folder.mkdir(parents=True)
    done = command(archive(folder / "data.zip", members), "--out", folder / "out")
    assert done.exit_code == 1
    assert "Refused: the file '../../escaped'" in done.output
    assert "Traceback" not in done.output
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["data.zip"]


@pytest.mark.parametrize(
    ("members", "words"),
    [
        ({"readme": b""}, "no test problems"),
        ({TEST_PATH: pickle.dumps({"a": 1})}, "dict in place of a list"),
        ({TEST_PATH: b"hello"}, "cannot be read"),
        ({TEST_PATH: pickle.dumps([])}, "None of the test problems"),
        ({TEST_PATH: pickle.dumps([problem(label=9)])}, "column 'label'"),
    ],
)
def test_an_archive_of_something_else_is_said_in_a_sentence(
    tmp_path: Path, members: dict[str, bytes], words: str
) -> None:
    done = command(archive(tmp_path / "data.zip", members), "--out", tmp_path / "out")
    assert done.exit_code == 1
    assert words in done.output
    assert "Traceback" not in done.output
    assert not list(tmp_path.glob("out/*.yaml"))


def test_errors_show_where_they_came_from_only_if_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = command(tmp_path / "none.zip")
    assert (missing.exit_code, "does not exist" in missing.output) == (1, True)
    debugged = command(tmp_path / "none.zip", before=("--debug",))
    assert debugged.exception.__class__.__name__ == "ArchiveLayoutError"
    (tmp_path / "out").write_text("a file")
    taken = command(geoqa_archive(tmp_path / "data.zip", [problem()]), "--out", tmp_path / "out")
    assert taken.exit_code == 2

    def broken(*_: object) -> None:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr(prepare_module, "prepare", broken)
    done = command(tmp_path / "data.zip", "--out", tmp_path / "x")
    assert "ZeroDivisionError: oh." in done.output
    assert "lmms-eval-tasks --debug" in done.output
    debugged = command(tmp_path / "data.zip", before=("--debug",))
    assert debugged.exception.__class__ is ZeroDivisionError


def test_an_interrupted_run_leaves_nothing_half_and_runs_again(tmp_path: Path) -> None:
    file = geoqa_archive(tmp_path / "data.zip", [problem(n) for n in range(500)])
    out = tmp_path / "out"

    def interrupt_at(place: str, count: int) -> Any:
        def progress(step: str, done: int, _: int) -> None:
            if step == place and done >= count:
                raise KeyboardInterrupt

        return progress

    for place, count in (("reading test.pk", 0), ("writing test", 300), ("writing train", 0)):
        with pytest.raises(KeyboardInterrupt):
            prepare(file, out, "zh", interrupt_at(place, count))
        left = {path.name for path in out.iterdir()}
        assert left <= {"test.parquet", "dev.parquet"}
    (out / ".test.parquet.part").write_bytes(b"what a killed run leaves")
    prepare(file, out, "zh", lambda *_: None)
    first = (out / "test.parquet").read_bytes()
    prepare(file, out, "zh", lambda *_: None)
    assert (out / "test.parquet").read_bytes() == first
    assert len(read(out / "test.parquet")) == 500
    assert {path.name for path in out.iterdir()} - {"cache"} == {
        *("test.parquet", "dev.parquet", "train.parquet"),
        *(f"{name}.yaml" for name in TASKS),
    }


def test_progress_covers_every_step_to_its_end(tmp_path: Path) -> None:
    told: dict[str, tuple[int, int]] = {}
    file = geoqa_archive(tmp_path / "data.zip", [problem(n) for n in range(3)])
    prepare(
        file, tmp_path / "out", "zh", lambda step, done, total: told.update({step: (done, total)})
    )
    assert told.keys() == {
        f"{act} {split}"
        for act, split in [
            *(("reading", f"{split}.pk") for split in ("test", "dev", "train")),
            *(("writing", split) for split in ("test", "dev", "train")),
        ]
    }
    assert all(done == total for done, total in told.values())


def test_thousands_of_problems_take_seconds(tmp_path: Path) -> None:
    noise = np.random.default_rng(0).integers(0, 255, (300, 200, 300), dtype=np.uint8)
    problems = [problem(n, image=noise[n % 300] | picture(200, 300)) for n in range(2000)]
    file = geoqa_archive(tmp_path / "data.zip", problems)
    started = time.process_time()
    prepare(file, tmp_path / "out", "zh", lambda *_: None)
    assert time.process_time() - started < 60


HEAVY = "{'torch', 'datasets', 'lmms_eval', 'numpy', 'sympy', 'pyarrow', 'PIL', 'rich'}"


@pytest.mark.parametrize("arguments", [["--help"], ["prepare-geoqa", "--help"], ["path", "geoqa"]])
def test_the_command_imports_nothing_heavy(arguments: list[str]) -> None:
    script = (
        "import sys\nfrom lmms_eval_tasks.cli import main\n"
        f"main({arguments!r}, standalone_mode=False)\n"
        f"print(sorted({HEAVY} & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stderr.strip() == "[]"
    assert done.stdout
