"""Makes the embedded samples anew."""

from __future__ import annotations

from pathlib import Path

import click

from lmms_eval_tasks.samples.make import geoqa, replay, worldbench, worldqa

_SAMPLES = Path(__file__).resolve().parents[1]


@click.command()
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=_SAMPLES,
    help="The folder to write into; without it, the samples of this package are overwritten.",
)
def main(out: Path) -> None:
    """Draw the pictures, encode the clips, check the golds, and write the samples."""
    for part in (worldbench, worldqa, geoqa, replay):
        part.write(out)
    click.echo(f"The samples are in {out}.")


if __name__ == "__main__":
    main()
