"""The Hugging Face cache as libraries leave it, made of rows of our own."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from datasets import Dataset, load_dataset
from datasets.naming import camelcase_to_snakecase

COMMIT = "0123456789abcdef0123456789abcdef01234567"


def put_loaded(home: Path, repository: str, config: str, split: str, rows: Dataset) -> None:
    """What `load_dataset` leaves of a data set of the Hub: Arrow files and their description."""
    owner, _, named = repository.partition("/")
    made, name = home / "made", camelcase_to_snakecase(named)
    rows.to_parquet(made / f"{split}.parquet")
    load_dataset(
        "parquet",
        data_files={split: str(made / f"{split}.parquet")},
        cache_dir=str(made / "cache"),
    )
    (built,) = (made / "cache" / "parquet").glob("*/*/*/")
    folder = home / "hf" / "datasets" / f"{owner}___{name}" / config / "0.0.0" / COMMIT
    folder.parent.mkdir(parents=True, exist_ok=True)
    shutil.move(built, folder)
    (folder / f"parquet-{split}.arrow").rename(folder / f"{name}-{split}.arrow")
    described = json.loads((folder / "dataset_info.json").read_text())
    described |= {"config_name": config, "dataset_name": name}
    (folder / "dataset_info.json").write_text(json.dumps(described))
    shutil.rmtree(made)


def put_downloaded(home: Path, repository: str, split: str, rows: Dataset) -> None:
    """What a download leaves of a data set of the Hub that was never loaded."""
    folder = home / "hf" / "hub" / f"datasets--{repository.replace('/', '--')}"
    (folder / "refs").mkdir(parents=True)
    (folder / "refs" / "main").write_text(COMMIT)
    rows.to_parquet(folder / "snapshots" / COMMIT / "data" / f"{split}-00000-of-00001.parquet")
