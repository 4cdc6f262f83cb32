"""The command ``lmms-eval-tasks plan``."""

from __future__ import annotations

import json
from pathlib import Path

import click


@click.command("plan")
@click.option("--tasks", required=True, help="Tasks and groups, by commas, as for lmms-eval.")
@click.option("--limit", type=click.FloatRange(min=0, min_open=True), help="As for lmms-eval.")
@click.option(
    "--responses-tokens",
    type=click.IntRange(min=0),
    help="How long a response is. Without it: 100 tokens for free answers, 10 for a letter, 500 "
    "for worldbench, 300 for geoqa. A model that reasons writes many times that.",
)
@click.option(
    "--undecided-share",
    type=click.FloatRange(0, 1),
    default=0.05,
    show_default=True,
    help="The share of multiple-choice responses that name no option, so that a matcher is asked.",
)
@click.option("--image-tokens", type=click.IntRange(min=0), help="How many tokens a picture is.")
@click.option("--price-in", type=click.FloatRange(min=0), help="The model: USD per 1M tokens read.")
@click.option("--price-out", type=click.FloatRange(min=0), help="… and written.")
@click.option(
    "--judge-price-in",
    type=click.FloatRange(min=0),
    help="Judge and matcher: USD per 1M tokens read.",
)
@click.option("--judge-price-out", type=click.FloatRange(min=0), help="… and written.")
@click.option(
    "--from-run",
    type=click.Path(path_type=Path, exists=True),
    help="An --output_path with --log_samples: count exactly what judging these responses takes.",
)
@click.option(
    "--responses",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="The same with saved responses, a JSON object {task, id, response} a line.",
)
@click.option(
    "--include-path",
    "folders",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    multiple=True,
    help="A folder with tasks of your own, as for lmms-eval.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead.")
def plan(  # noqa: PLR0913 - one for each option
    *,
    tasks: str,
    limit: float | None,
    responses_tokens: int | None,
    undecided_share: float,
    image_tokens: int | None,
    price_in: float | None,
    price_out: float | None,
    judge_price_in: float | None,
    judge_price_out: float | None,
    from_run: Path | None,
    responses: Path | None,
    folders: tuple[Path, ...],
    as_json: bool,
) -> None:
    """Say what a run will cost, before it: requests, tokens, bytes, USD. Asks no network.

    Counts and lengths are those of the rows, where the data set is on this disk; else those of the
    release. The judge is the one that the settings name.

    \b
      lmms-eval-tasks plan --tasks worldqa
      lmms-eval-tasks plan --tasks worldbench --limit 200 --image-tokens 1000 \\
        --price-in 2.5 --price-out 10
      lmms-eval-tasks plan --tasks worldqa --judge-price-in 2 --judge-price-out 8
      lmms-eval-tasks plan --tasks worldqa --from-run results
      lmms-eval-tasks plan --tasks my_task --include-path my_tasks --json
    """  # noqa: D301 - click wants the control character
    # What follows imports what takes a while, and the help needs none of it.
    from lmms_eval_tasks.plan.catalogue import Catalogue  # noqa: PLC0415
    from lmms_eval_tasks.plan.earlier import earlier_run, saved_responses  # noqa: PLC0415
    from lmms_eval_tasks.plan.estimate import Wishes, planned  # noqa: PLC0415
    from lmms_eval_tasks.plan.prices import Price, Prices  # noqa: PLC0415
    from lmms_eval_tasks.plan.shown import as_json as described  # noqa: PLC0415
    from lmms_eval_tasks.plan.shown import show  # noqa: PLC0415

    def price(read: float | None, written: float | None, names: str) -> Price | None:
        if (read is None) != (written is None):
            raise click.UsageError(f"Give both: {names}.")
        return None if read is None or written is None else Price(read, written)

    if from_run and responses:
        raise click.UsageError("Give one of the two: --from-run, --responses.")
    prices = Prices(
        price(price_in, price_out, "--price-in and --price-out"),
        price(judge_price_in, judge_price_out, "--judge-price-in and --judge-price-out"),
    )
    earlier = earlier_run(from_run) if from_run else None
    if responses:
        earlier = saved_responses(responses)
    names = [name.strip() for name in tasks.split(",") if name.strip()]
    wishes = Wishes(limit, responses_tokens, undecided_share, earlier, image_tokens)
    found = planned(Catalogue(folders), names, wishes)
    if as_json:
        click.echo(json.dumps(described(found, prices), ensure_ascii=False, indent=2))
    else:
        show(found, prices, image_tokens=image_tokens)
