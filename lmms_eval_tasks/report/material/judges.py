"""What a reader must know of the judge or matcher of a task."""

from __future__ import annotations

from typing import Literal

from lmms_eval_tasks.report.material.counting import field
from lmms_eval_tasks.report.model import Fact
from lmms_eval_tasks.results.run import Kind, TaskRun


def compares_words(task: TaskRun) -> list[Fact]:
    """A judge or matcher that compares words: meant for the samples, not for a benchmark."""
    found = []
    gravity: dict[str, Literal["warn", "bad"]] = {"judge": "bad", "matcher": "warn"}
    for key, severity in gravity.items():
        if field(task.metadata, key) == "lexical":
            text = f"The {key} compares words; it is not the paper's {key}."
            found.append(Fact(f"Lexical {key}", text, "plain" if is_sample(task) else severity))
    return found


def judge_checked(task: TaskRun) -> list[Fact]:
    """How far the judge agrees with labelled answers, where that was measured and lies beside."""
    from lmms_eval_tasks.judge_check.measured import (  # noqa: PLC0415 - only one kind has a judge
        FILE_NAME,
        JudgeCheckError,
        read_judge_check,
    )

    if task.kind is not Kind.OPEN_ENDED or task.samples_file is None:
        return []
    file = task.samples_file.with_name(FILE_NAME)
    if not file.exists():
        return []
    try:
        measured = read_judge_check(file)
    except JudgeCheckError as error:
        # Its own sentence names the folder, which a page that is passed on must not.
        trouble = error.problem.replace(str(file), FILE_NAME)
        return [Fact("Judge check", trouble, "warn")]
    cited = (field(task.metadata, "judge"), field(task.metadata, "rubric_version"))
    if (measured.judge, measured.rubric_version) != cited:
        other = (
            f"{FILE_NAME} is about {measured.judge} ({measured.rubric_version}), not this judge."
        )
        return [Fact("Judge check", other, "warn")]
    lenience = "more" if measured.bias >= 0 else "fewer"
    bias = f"On average it gives {abs(measured.bias):.2f} {lenience} points of 1 than the labels."
    return [Fact("Judge check", f"{measured.sentence} {bias}", "plain")]


def is_sample(task: TaskRun) -> bool:
    """Whether a task's data are the ones that come with the package."""
    files = str(task.config.get("dataset_kwargs")).replace("\\", "/")
    return "lmms_eval_tasks/" in files and "/samples/" in files
