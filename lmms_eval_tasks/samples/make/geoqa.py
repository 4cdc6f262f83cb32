"""The GeoQA sample: twenty problems with drawn figures, checked before they are written."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from datasets import Features, Image, Sequence, Value

from lmms_eval_tasks.samples.make.encoding import png
from lmms_eval_tasks.samples.make.figures import draw
from lmms_eval_tasks.samples.make.golds import check, value_of
from lmms_eval_tasks.samples.make.problems import DRAWN
from lmms_eval_tasks.samples.make.tables import table, write_parquet

FILE = Path("geoqa", "problems.parquet")


def rows() -> Iterator[dict[str, object]]:
    """The rows, each with its figure as a PNG.

    Raises:
        ValueError: A gold program, the right option and the figure do not agree.
    """
    for problem in table("geoqa"):
        drawn = DRAWN[problem["id"]]
        check(
            problem["id"],
            gold=value_of(problem["program"], problem["numbers"]),
            option=problem["choice_nums"][problem["label"]],
            measured=drawn.asked(drawn.figure),
        )
        picture = png(draw(drawn.figure, drawn.mode))
        yield {**problem, "image": {"bytes": picture, "path": f"{problem['id']}.png"}}


def write(folder: Path) -> None:
    """Write the sample's parquet file below a folder."""
    text, number = Value("string"), Value("float64")
    features = Features(
        {
            "id": text,
            "type": text,
            "question": text,
            "numbers": Sequence(number),
            "choices": Sequence(text),
            "choice_nums": Sequence(number),
            "label": Value("int64"),
            "program": text,
            "image": Image(),
        }
    )
    write_parquet(rows(), features, folder / FILE)
