"""Reading a results file, and taking what is needed out of it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

from lmms_eval_tasks.results.errors import RunError
from lmms_eval_tasks.results.kinds import Kind, kind_of
from lmms_eval_tasks_core.judging.secrets import redacted

# `max_new_tokens` is no secret, `hf_token` is one.
_SECRET = re.compile(r"(\w*(?:key|token|secret|password)\s*=\s*)[^,&\s]*", re.IGNORECASE)


def parsed(file: Path) -> dict[str, object]:
    """A results file as lmms-eval writes it.

    Raises:
        RunError: It cannot be read, is cut short, or is another tool's.
    """
    try:
        content = json.loads(file.read_bytes().decode("utf-8", "replace"))
    except OSError as error:
        raise RunError(
            f"{file} cannot be read ({error.strerror}).", "Check that it is there and yours."
        ) from error
    except (ValueError, RecursionError):
        raise RunError(
            f"{file} is cut short or no JSON.",
            "Name the results file of another run, or run it again.",
        ) from None
    if not isinstance(content, dict) or not all(
        isinstance(content.get(part), dict) for part in ("results", "configs")
    ):
        raise RunError(
            f"{file} is JSON, but no results file of lmms-eval.",
            "Name the <date>_results.json of a run.",
        )
    return content


def ours_and_others(raw: Mapping[str, object]) -> tuple[dict[str, Kind], list[str]]:
    """The tasks of a run that are ours, with their kinds, and the names of the others.

    Groups are neither: they have no configuration.
    """
    ours: dict[str, Kind] = {}
    others: list[str] = []
    for name, config in mapping(raw.get("configs")).items():
        values = mapping(mapping(raw.get("results")).get(name))
        kind = kind_of(_metrics(mapping(config)) | {key.partition(",")[0] for key in values})
        if kind is None:
            others.append(name)
        else:
            ours[name] = kind
    return ours, others


def asked_of(raw: Mapping[str, object], task: str) -> tuple[int, int]:
    """How many samples a task has, and how many of them were asked; 0 where a run does not say."""
    counts = mapping(mapping(raw.get("n-samples")).get(task))
    planned, asked = counts.get("original"), counts.get("effective")
    return (
        planned if isinstance(planned, int) else 0,
        asked if isinstance(asked, int) else 0,
    )


def mapping(value: object) -> Mapping[str, object]:
    """The value if it is a mapping, else an empty one."""
    return value if isinstance(value, dict) else {}


def without_secrets(arguments: object) -> str:
    """A model's arguments, text or a mapping, as one line without keys and passwords."""
    if isinstance(arguments, dict):
        arguments = ",".join(f"{name}={value}" for name, value in arguments.items())
    return redacted(_SECRET.sub(r"\1***", str(arguments or "")), ())


def _metrics(config: Mapping[str, object]) -> set[str]:
    listed = config.get("metric_list")
    entries = listed if isinstance(listed, list) else []
    return {str(mapping(entry).get("metric")) for entry in entries}
