"""A second run asks the judge nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.integration.harness import run
from tests.support.openai_server import OpenAIServer

pytestmark = pytest.mark.slow

KEY = "secret-key-0123456789"


def test_a_second_run_asks_nothing_and_has_the_same_numbers(tmp_path):
    verdicts = tmp_path / "kept" / "verdicts.sqlite"

    def once(name: str, url: str):
        folder = tmp_path / name
        folder.mkdir()
        return run(
            *("--model", "replay", "--tasks", "worldqa_open_ended_sample", "--log_samples"),
            folder=folder,
            environment={
                "LMMS_EVAL_TASKS_JUDGE": "openai",
                "LMMS_EVAL_TASKS_JUDGE_MODEL": "test-model",
                "LMMS_EVAL_TASKS_JUDGE_BASE_URL": url,
                "LMMS_EVAL_TASKS_JUDGE_API_KEY": KEY,
                "LMMS_EVAL_TASKS_VERDICTS": str(verdicts),
            },
        )

    with OpenAIServer('{"rationale": "a part", "grade": "incomplete"}', key=KEY) as server:
        first = once("first", server.url)
        bought = len(server.requests)
        second = once("second", server.url)
    # One trial before the first request, and five answers; the sixth is a failed request.
    assert (bought, len(server.requests)) == (6, 6)
    before, after = (each.values("worldqa_open_ended_sample") for each in (first, second))
    assert (before.pop("reused_rate"), after.pop("reused_rate")) == (0.0, 1.0)
    paid, unpaid = (_bill(values) for values in (before, after))
    assert paid["judge_requests"] == 5
    assert set(unpaid.values()) == {0.0}
    assert before == after
    logged = second.items("worldqa_open_ended_sample", "open_ended_score").values()
    assert [item["reused"] for item in logged if "grade" in item] == [True] * 5
    assert KEY not in json.dumps(second.results) + second.output
    assert all(KEY.encode() not in file.read_bytes() for file in _files(verdicts.parent))


def _bill(values: dict[str, float]) -> dict[str, float]:
    """What judging cost, taken out of the numbers."""
    return {name: values.pop(name) for name in [*values] if name.startswith("judge_")}


def _files(folder: Path) -> list[Path]:
    return [file for file in folder.rglob("*") if file.is_file()]
