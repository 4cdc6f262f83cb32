"""Whole runs of GeoQA's variants: beams, repeated samples, letters, and the official archive."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import datasets
import pytest
import yaml
from click.testing import CliRunner

import lmms_eval_tasks
from lmms_eval_tasks.cli import main
from lmms_eval_tasks.geoqa.program.operators import OPERATORS
from lmms_eval_tasks.geoqa.program.syntax import Step, parse
from tests.geoqa.archive.official import geoqa_archive, problem
from tests.integration.harness import Run, run
from tests.support.openai_server import OpenAIServer

pytestmark = pytest.mark.slow

PACK = Path(lmms_eval_tasks.__file__).parent
GOLD, LUCK = "g_minus C_3 N_0 g_half V_0", "g_equal N_0"


def ranked(*programs: str) -> str:
    lines = [f"Candidate {n}: {program}" for n, program in enumerate(programs, start=1)]
    return "\n".join(["```", *lines, "```"])


def write_task(folder: Path, name: str, base: str, data: Path, kind: str = "json") -> None:
    task = {
        "include": str(PACK / "geoqa" / f"{base}.yaml"),
        "task": name,
        "dataset_path": kind,
        "dataset_kwargs": {"data_files": {"test": str(data)}},
        "test_split": "test",
    }
    (folder / f"{name}.yaml").write_text(yaml.safe_dump(task), encoding="utf-8")


def readme_yaml(task: str) -> dict[str, Any]:
    """The task file with this name that GeoQA's README shows."""
    page = (PACK / "geoqa" / "README.md").read_text(encoding="utf-8")
    found = [yaml.safe_load(block) for block in re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)]
    return next(block for block in found if block["task"] == task)


@pytest.fixture(scope="module")
def official(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Every task of a prepared archive, and a beam of samples, with saved responses."""
    folder = tmp_path_factory.mktemp("official")
    lucky = problem(4, numbers=[60.0], choice_nums=[50.0, 60.0, 130.0, None])
    problems = [problem(1), problem(2), problem(90003, image=None), lucky]
    archive = geoqa_archive(folder / "data.zip", problems, {1: "angle", 2: "length", 4: "angle"})
    out = folder / "prepared"
    done = CliRunner().invoke(main, ["prepare-geoqa", str(archive), "--out", str(out)])
    assert done.exit_code == 0, done.output
    sampled = {
        **readme_yaml("geoqa_sampled10"),
        "include": str(PACK / "geoqa" / "geoqa.yaml"),
        "dataset_path": "parquet",
        "dataset_kwargs": {"data_files": {"test": "test.parquet"}},
        "test_split": "test",
    }
    (out / "geoqa_sampled10.yaml").write_text(yaml.safe_dump(sampled), encoding="utf-8")
    answers: dict[str, dict[str, Any]] = {
        "geoqa_official": {"1": GOLD, "2": "g_half N_0", "90003": GOLD, "4": LUCK},
        "geoqa_official_beam10": {
            "1": ranked(GOLD, LUCK),
            "2": ranked(*["g_double N_0"] * 4, GOLD),
            "90003": ranked(*["g_sin N_0"] * 9, GOLD),
            "4": ranked("g_double N_0"),
        },
        "geoqa_official_choice": {
            "1": "So it is.\nAnswer: B",
            "2": "Answer: C",
            "90003": "?",
            "4": "Answer: B",
        },
        "geoqa_official_text": dict.fromkeys(("1", "2", "90003", "4"), GOLD),
        "geoqa_official_options_shown": dict.fromkeys(("1", "2", "90003", "4"), GOLD),
        "geoqa_sampled10": {
            "1": [GOLD] * 10,
            "2": ["g_double N_0"] * 9 + [GOLD],
            "90003": [LUCK] + [GOLD] * 9,
            "4": ["no program"] * 10,
        },
    }
    lines = [
        {"task": task, "id": key, "response": response}
        for task, responses in answers.items()
        for key, response in responses.items()
    ]
    saved = folder / "saved.jsonl"
    saved.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return run(
        *("--model", "replay", "--model_args", f"responses={saved}", "--include_path", str(out)),
        *("--tasks", ",".join(answers), "--log_samples"),
        folder=folder,
    )


def test_the_official_archive_is_evaluated(official: Run) -> None:
    values = official.values("geoqa_official")
    assert values == {
        "accuracy": 75.0,
        "accuracy_angle": 100.0,
        "accuracy_length": 0.0,
        "accuracy_other": 100.0,
        "accuracy_official": 75.0,
        "no_result_rate": 0.25,
        "no_result_no_option_matches": 1.0,
        "request_failed_rate": 0.0,
        "asked_as_text": 1.0,
        "uncertain_rows": 0.0,
        "beam_size": 1.0,
        "program_equivalence": 0.5,
        "right_by_other_program_rate": pytest.approx(1 / 3),
        "equivalence_undecided": 0.0,
    }


def test_a_beam_is_reported_at_one_five_and_ten(official: Run) -> None:
    values = official.values("geoqa_official_beam10")
    assert [values[f"accuracy_beam{size}"] for size in (1, 5, 10)] == [25.0, 50.0, 75.0]
    assert values["accuracy"] == 75.0
    assert values["beam_size"] == 10.0
    items = official.items("geoqa_official_beam10", "accuracy")
    assert {item["beam"] for item in items.values()} == {10}
    assert [item["candidates"] for item in items.values()] == [2, 5, 10, 1]
    assert official.results is not None
    assert official.results["configs"]["geoqa_official_beam10"]["metadata"]["beam"] == 10


def test_repeated_samples_are_a_beam(official: Run) -> None:
    assert official.results is not None, official.output[-4000:]
    values = official.results["results"]["geoqa_sampled10"]
    accuracy = [values[f"accuracy_beam{size},beam10"] for size in (1, 5, 10)]
    assert accuracy == [25.0, 25.0, 50.0]
    assert values["accuracy,beam10"] == 50.0
    assert values["beam_size,beam10"] == 10.0
    assert values["no_result_no_program,beam10"] == 1.0
    items = official.items("geoqa_sampled10", "accuracy")
    assert {item["beam"] for item in items.values()} == {10}


def test_letters_are_read(official: Run) -> None:
    values = official.values("geoqa_official_choice")
    assert values["accuracy"] == 50.0
    assert values["undecided_rate"] == 0.25
    assert values["accuracy_angle"] == 100.0


def test_what_is_not_comparable_is_marked_in_the_results(official: Run) -> None:
    assert official.value("geoqa_official_text", "asked_as_text") == 4.0
    assert official.value("geoqa_official_options_shown", "asked_as_text") == 1.0
    assert official.results is not None
    for name in ("geoqa_text", "geoqa_options_shown"):
        task = name.replace("geoqa_", "geoqa_official_")
        assert official.results["results"][task]["alias"] == f"{name} (not comparable)"
        assert official.results["configs"][task]["metadata"]["comparable"] is False
        assert f"{name} (not comparable)" in official.output
    assert official.results["results"]["geoqa_official"]["alias"] == "geoqa_official"


Style = Callable[[tuple[Step, ...]], str]


def _call(step: Step) -> str:
    return f"{step.operator}({', '.join(map(str, step.operands))})"


def _paper_name(step: Step) -> str:
    return f"{OPERATORS[step.operator].name}({', '.join(map(str, step.operands))})"


def _fenced(text: str, language: str = "") -> str:
    return f"First, look at the figure. Then it is clear.\n\n```{language}\n{text}\n```\nDone."


def _lines(write: Callable[[Step], str], steps: tuple[Step, ...]) -> str:
    return "\n".join(map(write, steps))


STYLES: dict[str, Style] = {
    "tokens in one line": lambda steps: " ".join(map(str, steps)),
    "a fence, one step a line": lambda steps: _fenced(_lines(str, steps)),
    "calls": lambda steps: _fenced(_lines(_call, steps), "text"),
    "assignments": lambda steps: _fenced(
        "\n".join(f"V_{place} = {_call(step)}" for place, step in enumerate(steps)), "python"
    ),
    "assignments without the underscore": lambda steps: _fenced(
        "\n".join(f"V{place} = {step}" for place, step in enumerate(steps))
    ),
    "upper case": lambda steps: _fenced(_lines(str, steps).upper()),
    "commas": lambda steps: _fenced(
        _lines(lambda step: ", ".join([step.operator, *map(str, step.operands)]), steps)
    ),
    "the paper's names": lambda steps: _fenced(_lines(_paper_name, steps)),
    "numbered steps": lambda steps: _fenced(
        "\n".join(f"Step {place}: {step}" for place, step in enumerate(steps))
    ),
    "a thought, then bold": lambda steps: (
        f"<think>g_double N_0?</think>\n**Program:**\n\n{_lines(str, steps)}"
    ),
}


def test_programs_written_in_ten_styles_are_read_and_run(tmp_path: Path) -> None:
    file = Path(str(resources.files("lmms_eval_tasks.samples").joinpath("geoqa/problems.parquet")))
    rows = datasets.Dataset.from_parquet(str(file), cache_dir=str(tmp_path / "cache"))
    golds = {row["question"]: (row["id"], row["program"], row["label"]) for row in rows}
    names = list(STYLES)

    def answer(request: dict[str, Any]) -> str:
        parts = request["messages"][-1]["content"]
        prompt = next(part["text"] for part in parts if part["type"] == "text")
        question = max((q for q in golds if f"\n{q}\n" in prompt), key=len)
        identity, program, label = golds[question]
        if "Candidate 10:" in prompt:
            return ranked("g_sin C_6", "g_asin C_3", program)
        if "Answer: X" in prompt:
            return f"It follows from the figure.\nAnswer: {'ABCD'[label]}"
        return STYLES[names[int(identity[1:]) % len(names)]](parse(program).steps)

    for name in ("beam10", "choice", "text", "options_shown"):
        write_task(tmp_path, f"my_{name}", f"geoqa_{name}", file, "parquet")
    with OpenAIServer(reply=answer) as server:
        done = run(
            *("--model", "openai", "--include_path", str(tmp_path), "--log_samples"),
            *("--tasks", "geoqa_sample,my_beam10,my_choice,my_text,my_options_shown"),
            *("--model_args", f"model_version=m,base_url={server.url},api_key=k,num_concurrent=4"),
            folder=tmp_path,
        )
    missed = {
        names[int(key[1:]) % len(names)]: item
        for key, item in done.items("geoqa_sample", "accuracy").items()
        if item["score"] != 100.0
    }
    assert missed == {}
    assert done.value("geoqa_sample", "accuracy") == 100.0
    assert done.value("geoqa_sample", "program_equivalence") == 1.0
    beam = done.values("my_beam10")
    assert [beam[f"accuracy_beam{size}"] for size in (1, 5, 10)] == [0.0, 100.0, 100.0]
    assert done.value("my_choice", "accuracy") == 100.0
    assert done.value("my_text", "accuracy") == 100.0
    pictures = [
        sum(part["type"] == "image_url" for part in r["messages"][-1]["content"])
        for r in server.requests
    ]
    assert (pictures.count(1), pictures.count(0)) == (4 * 20, 20)
    assert all("data:image" not in text for text in map(str, done.results or {}))


def test_real_letter_answers_give_the_number_of_their_authors(
    tmp_path: Path, shared_data: Path
) -> None:
    write_task(tmp_path, "my_choice", "geoqa_choice", shared_data / "geoqa_test_rows_150.json")
    saved = tmp_path / "saved.jsonl"
    answers = (shared_data / "geoqa_choice_responses_150.jsonl").read_text(encoding="utf-8")
    lines = [{"task": "my_choice", **json.loads(line)} for line in answers.splitlines()]
    saved.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    done = run(
        *("--model", "replay", "--model_args", f"responses={saved}"),
        *("--include_path", str(tmp_path), "--tasks", "my_choice", "--log_samples"),
        folder=tmp_path,
    )
    assert done.value("my_choice", "accuracy") == pytest.approx(100 * 92 / 150)
    assert done.value("my_choice", "undecided_rate") == 0.0
