from __future__ import annotations

import json
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from datasets import Dataset, load_dataset

import lmms_eval_tasks.samples
from lmms_eval_tasks.samples.make.__main__ import main

Load = Callable[..., Dataset]


@pytest.fixture(scope="session")
def samples() -> Path:
    return Path(lmms_eval_tasks.samples.__file__).parent


@pytest.fixture(scope="session")
def remade(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """What two runs of the script write."""
    folders = tmp_path_factory.mktemp("first"), tmp_path_factory.mktemp("second")
    for folder in folders:
        result = CliRunner().invoke(main, ["--out", str(folder)])
        assert result.exit_code == 0, result.output
    return folders


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Load:
    """Loads a file with `datasets` while no socket can be opened."""

    def refuse(*_: object) -> None:
        pytest.fail("the sample was looked for on the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)

    def from_file(file: Path) -> Dataset:
        kind = "json" if file.suffix == ".jsonl" else "parquet"
        return load_dataset(
            kind, data_files={"test": str(file)}, split="test", cache_dir=str(tmp_path)
        )

    return from_file


@pytest.fixture(scope="session")
def lines() -> Callable[[Path], list[dict[str, Any]]]:
    def of(file: Path) -> list[dict[str, Any]]:
        return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]

    return of
