"""Runs of any size in the layout of lmms-eval: real results files, real items, made-up models."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from tests.report_material import made
from tests.results import layout
from tests.support.pictures import photo, written

Line = dict[str, Any]

DOMAINS = ("living_things", "objects", "scenes", "digital_world", "academics", "agents")
TEXT = """the picture shows a table with several cups and one of them stands behind another so that
only its handle can be seen from here which is why counting them takes a second look"""
RTL = "\u202eהתשובה הנכונה היא ב\u202c ومن ثم الجواب"
PWNED = [
    "<script>window.pwned = 1</script>",
    '<img src="x" onerror="window.pwned = 2">',
    "</script><script>window.pwned = 3</script>",
    "</title></style></textarea><svg onload=window.pwned=4>",
    "<!-- <script> <!--",
    "-->]]>{{ 7 * 7 }}{% raw %}${window.pwned = 5}",
    "javascript:window.pwned=6",
    '"><iframe src="https://example.org/pwned"></iframe><link rel=stylesheet href=//example.org>',
    "\x00\x01\x07\x1b[31mred\x1b[0m\x7f\x85 \u2028 \u2029 \ufeff \ufffe",
    "\ud800 lone \udfff",
    RTL,
    "😀" * 300 + "W" * 4_000,
]


def prose(chance: Random, length: int) -> str:
    """About so many characters of text."""
    return " ".join(chance.choices(TEXT.split(), k=max(1, length // 5)))


def worldbench_lines(
    count: int, *, reasoning: int = 600, pictures: Sequence[str] = ()
) -> Iterator[Line]:
    """Answers to WorldBench: right, wrong, unread, failed and empty ones."""
    chance = Random(count)
    for number in range(count):
        letter = chance.choices("BACD", (11, 3, 3, 3))[0]
        text = prose(chance, chance.randint(20, 600))
        response = chance.choices(
            (f"{text}\nANSWER: {letter}", f"{text}\n**Answer: {letter}**", text, made.FAILED, ""),
            (80, 10, 6, 2, 2),
        )[0]
        thought = f"<think>{prose(chance, chance.randint(1, 2 * reasoning))}</think>"
        line = made.worldbench(
            response,
            number,
            whole=f"{thought}{response}" if response and reasoning else "",
            question=f"How many cups of the {number}th kind stand on the table? {text[:80]}",
            domain=DOMAINS[number * len(DOMAINS) // count],
            category=f"Thing {number % 40}",
            **({"id": pictures[number]} if pictures else {}),
        )
        yield line


def circular_lines(count: int) -> Iterator[Line]:
    """All passes of so many questions; every fifth question is answered by position."""
    for number in range(count):
        follows = ["A", "D", "C", "B"] if number % 5 else ["A", "A", "It is the kettle.", "A"]
        yield from made.circular(follows, f"clip{number // 3}", number=number)


def open_ended_lines(count: int, unjudged: int = 0) -> Iterator[Line]:
    """Free answers of every grade; the first ones have no verdict."""
    said = (
        "The water boils in the kettle",
        "It boils",
        "A dog barks",
        "The water boils in the kettle and the cook is cold",
        made.FAILED,
    )
    lines = [made.open_ended("The water boils in the kettle", one, "clip0") for one in said]
    for number in range(count):
        line = json.loads(json.dumps(lines[number % len(lines)]))
        for metric in line.values():
            if isinstance(metric, dict) and "video_idx" in metric:
                metric |= {"id": f"clip{number // 3}/{number}", "video_idx": f"clip{number // 3}"}
        if number < unjudged:
            line = layout.unjudged(line, ["open_ended_score"])
            for metric, score in (
                ("judged_rate", 0.0),
                ("score_lower", 0.0),
                ("score_upper", 100.0),
            ):
                line[metric]["score"] = score
        yield line


def geoqa_lines(count: int) -> Iterator[Line]:
    """Programs that are right, wrong and without a result."""
    programs = (
        "g_minus C_3 N_0 g_half V_0",
        "g_half N_0",
        "g_sin N_0",
        "g_add N_0 N_7",
        "I cannot tell.",
    )
    for number in range(count):
        row = {
            "id": f"g{number}",
            "question": f"In the triangle of problem {number} one angle is 40°. The other is ( )",
            "choices": ["70°", "20°", "110°", "140°"],
            "label": 0,
            "numbers": [40.0],
            "choice_nums": [70.0, 20.0, 110.0, 140.0],
            "type": ("angle", "length", "other")[number % 3],
        }
        yield made.geoqa(row, programs[number % len(programs)])


def write(
    folder: Path,
    tasks: Mapping[str, Iterable[Line]],
    configs: Mapping[str, Line] | None = None,
    **changes: Any,
) -> Path:
    """Write a run; gives back its results file, with the numbers that its samples come to.

    Args:
        folder: Is made.
        tasks: The lines of each task, named after its kind.
        configs: Configurations of tasks that need one of their own.
        **changes: Entries of the results file.
    """
    folder.mkdir(parents=True, exist_ok=True)
    stem = folder / layout.DATE
    metrics, counts = {}, {}
    for name, lines in tasks.items():
        sums: dict[str, list[float]] = {}
        with Path(f"{stem}_samples_{name}.jsonl").open("w", encoding="utf-8") as file:
            number = -1
            for number, line in enumerate(lines):
                for metric, item in line.items():
                    if isinstance(item, dict) and "score" in item:
                        sums.setdefault(metric, []).append(item["score"])
                file.write(json.dumps({"doc_id": number, "doc_hash": "0", **line}) + "\n")
        counts[name] = number + 1
        metrics[name] = {
            f"{metric},none": sum(scores) / len(scores) for metric, scores in sums.items()
        }
    known = {name: (configs or {}).get(name) or layout.task_config(_kind(name)) for name in tasks}
    content = layout.results(known, counts)
    content["results"] = metrics
    results = Path(f"{stem}_results.json")
    results.write_text(json.dumps(content | changes), encoding="utf-8")
    return results


def small_run(folder: Path) -> Path:
    """A few samples of every kind, of every outcome."""
    return write(
        folder,
        {
            "worldbench": worldbench_lines(24, reasoning=1_500),
            "worldqa_circular": circular_lines(3),
            "worldqa_open_ended": open_ended_lines(10, unjudged=2),
            "geoqa": geoqa_lines(6),
        },
        config={"model": "openai", "model_args": "model_version=vision-9b,num_concurrent=8"},
    )


def worldbench_run(folder: Path, count: int = 2_000) -> Path:
    """WorldBench as it is: so many questions, and a model that thinks before it answers."""
    return write(folder, {"worldbench": worldbench_lines(count, reasoning=3_000)})


def pictured_run(folder: Path, count: int, different: int = 20) -> Path:
    """WorldBench with the photos on this disk, so many of them different."""
    from datasets import Dataset  # noqa: PLC0415 - takes seconds to import

    from lmms_eval_tasks.worldbench.records import question_id  # noqa: PLC0415

    folder.mkdir(parents=True, exist_ok=True)
    shots = [written(photo((320, 240), seed), "JPEG", quality=85) for seed in range(different)]
    rows = [
        {
            # Bytes after the end of a JPEG change its name and nothing else.
            "image": {"bytes": shots[number % different] + str(number).encode(), "path": None},
            "question": f"Question {number}?",
            **{f"option_{letter}": letter for letter in "abcd"},
            "answer": "B",
            "category": "Mug",
            "domain": "objects",
        }
        for number in range(count)
    ]
    data = folder / "questions.parquet"
    Dataset.from_list(rows).to_parquet(data)
    config = layout.task_config(
        "worldbench", dataset_path="parquet", dataset_kwargs={"data_files": {"test": str(data)}}
    )
    lines = worldbench_lines(count, reasoning=3_000, pictures=[question_id(row) for row in rows])
    return write(folder, {"worldbench": lines}, {"worldbench": config})


def large_run(folder: Path) -> Path:
    """4,000 samples of all kinds."""
    return write(
        folder,
        {
            "worldbench": worldbench_lines(2_000, reasoning=3_000),
            "worldqa_circular": circular_lines(250),
            "worldqa_open_ended": open_ended_lines(500, unjudged=40),
            "geoqa": geoqa_lines(500),
        },
    )


def hostile_run(folder: Path) -> Path:
    """A model, a judge and a data set that attack the page of their report."""
    lines = []
    for number, attack in enumerate([*PWNED, "<b>" + "x " * 500_000]):
        line = made.worldbench(
            f"{attack}\nANSWER: B",
            number,
            id=attack[:50],
            whole=f"<think>{attack}</think>{attack}\nANSWER: B",
            question=attack,
            option_a=attack,
            category=attack[:400],
        )
        lines.append(line)
    verdicts = [
        layout.open_ended(
            number, 50.0, attack[:60], "incomplete", rationale=attack, judge=attack[:60]
        )
        for number, attack in enumerate(PWNED)
    ]
    config = layout.task_config(
        "worldbench", dataset_path="</script><script>window.pwned=7</script>"
    )
    return write(
        folder,
        {"worldbench": lines, "worldqa_open_ended": verdicts},
        {"worldbench": config},
        config={
            "model": PWNED[0],
            "model_args": f"model_version={PWNED[1]},style={PWNED[2]}{RTL}\x00\ud800",
        },
        lmms_eval_version=PWNED[2],
    )


def _kind(name: str) -> str:
    return next(kind for kind in layout.METRICS if name.startswith(kind))
