"""Files of runs in the layout of lmms-eval, written by hand.

`test_real_run.py` holds them against what a real run writes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

DATE = "20260101_120000"
METRICS = {
    "worldqa_open_ended": ("open_ended_score", "judged_rate"),
    "worldqa_circular": ("circular_acc", "circular_lower"),
    "worldbench": ("accuracy", "accuracy_normalised"),
    "geoqa": ("accuracy", "no_result_rate", "accuracy_official"),
}
METADATA = {
    "worldqa_open_ended": {"judge": "gpt-4o", "rubric_version": "worldqa-1"},
    "worldqa_circular": {"matcher": "lexical", "matcher_version": "lexical-match-1"},
    "worldbench": {},
    "geoqa": {"beam": 1},
}

Line = dict[str, Any]


def task_config(kind: str, **changes: object) -> Line:
    """The configuration of a task."""
    config: Line = {
        "dataset_path": f"hub/{kind}",
        "test_split": "test",
        "metric_list": [{"metric": metric, "aggregation": "mean"} for metric in METRICS[kind]],
        "metadata": {"version": "1.0", **METADATA[kind]},
        "generation_kwargs": {"temperature": 0.0},
    }
    if kind.startswith("worldqa"):
        config["cluster_key"] = "video_idx"
    return config | changes


def results(tasks: Mapping[str, Line], counts: Mapping[str, int], **changes: object) -> Line:
    """The content of a results file."""
    return {
        "results": {name: {"alias": name} for name in tasks},
        "configs": dict(tasks),
        "versions": {name: config["metadata"]["version"] for name, config in tasks.items()},
        "n-samples": {
            name: {"original": count, "effective": count} for name, count in counts.items()
        },
        "config": {"model": "replay", "model_args": "", "limit": None, "offset": 0},
        "lmms_eval_version": "0.7.3",
        **changes,
    }


def write_run(
    folder: Path,
    samples: Mapping[str, Iterable[Line]],
    configs: Mapping[str, Line] | None = None,
    *,
    date: str = DATE,
    **changes: object,
) -> Path:
    """Write a run; gives back its folder.

    Args:
        folder: Is made.
        samples: The logged lines by task.
        configs: The configurations of tasks; those without one get that of the kind they are
            named after.
        date: As lmms-eval names files.
        **changes: Entries of the results file.
    """
    folder.mkdir(parents=True, exist_ok=True)
    lines = {name: list(logged) for name, logged in samples.items()}
    tasks = {name: (configs or {}).get(name) or task_config(_kind(name)) for name in lines}
    content = results(tasks, {name: len(logged) for name, logged in lines.items()}, **changes)
    (folder / f"{date}_results.json").write_text(json.dumps(content), encoding="utf-8")
    for name, logged in lines.items():
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in logged)
        (folder / f"{date}_samples_{name}.jsonl").write_text(text, encoding="utf-8")
    return folder


def line(position: int, response: str, items: Mapping[str, object], **changes: object) -> Line:
    """A logged sample."""
    return {
        "doc_id": position,
        "target": "B",
        "filtered_resps": response,
        "doc_hash": "0",
        **items,
        "input": f"Question {position}?",
        **changes,
    }


def worldbench(position: int, *, right: bool, domain: str = "objects", **changes: object) -> Line:
    """A sample of WorldBench; both readings agree."""
    item = {
        "id": f"q{position:04}",
        "domain": domain,
        "answer": "ABCD"[position % 4],
        "chosen": "A",
        "outcome": "scored",
        "score": 100.0 * right,
        **changes,
    }
    return line(
        position, f"ANSWER: {item['chosen']}", {"accuracy": item, "accuracy_normalised": item}
    )


def geoqa(position: int, *, right: bool, official: bool | None = None, **changes: object) -> Line:
    """A sample of GeoQA."""
    identity = {"id": f"g{position}", "type": ("angle", "length")[position % 2], "beam": 1}
    strict = {
        **identity,
        "program": "g_half N_0",
        "matched": [1],
        "outcome": "scored",
        "score": 100.0 * right,
        **changes,
    }
    counted = right if official is None else official
    loose = {**identity, "chosen": 1, "status": "values", "score": 100.0 * counted}
    return line(position, "g_half N_0", {"accuracy": strict, "accuracy_official": loose})


def open_ended(
    position: int, points: float, video: str | None = None, grade: str = "", **changes: object
) -> Line:
    """A sample of WorldQA, open-ended."""
    item = {
        "id": f"v{position}/0",
        "video_idx": video or f"v{position}",
        "grade": grade or ("correct" if points == 100 else "incorrect"),
        "judge": "gpt-4o",
        "rubric_version": "worldqa-1",
        "outcome": "scored",
        "score": points,
        **changes,
    }
    return line(position, f"because {points}", {"open_ended_score": item})


def unjudged(sample: Line, metrics: Sequence[str], reason: str = "judge_unreachable") -> Line:
    """A sample without a verdict."""
    changed = dict(sample)
    for metric in metrics:
        kept = {
            key: value for key, value in sample[metric].items() if key not in ("score", "grade")
        }
        changed[metric] = {**kept, "outcome": "not_judged", "reason": reason}
    return changed


def failed(sample: Line, metrics: Sequence[str]) -> Line:
    """A sample whose request failed."""
    ending = {"outcome": "no_answer", "reason": "request_failed", "score": 0.0}
    return {**sample, **{metric: {**sample[metric], **ending} for metric in metrics}}


def passes(
    question: int,
    right: Sequence[bool],
    video: str | None = None,
    first: int = 0,
    **changes: object,
) -> list[Line]:
    """The passes of one question of CircularEval."""
    group = f"v{question}/0"
    return [
        line(
            first + number,
            "A",
            {
                "circular_acc": {
                    "id": f"{group}#{number}",
                    "group": group,
                    "video_idx": video or f"v{question}",
                    "chosen": "ABCD"[number],
                    "outcome": "scored",
                    "pass": number,
                    "passes": len(right),
                    "right": is_right,
                    "right_position": number,
                    **changes,
                }
            },
        )
        for number, is_right in enumerate(right)
    ]


def _kind(name: str) -> str:
    return next(kind for kind in METRICS if name.startswith(kind))
