"""The environment variables that the pack reads: their names, what they set, what holds without."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

PREFIX = "LMMS_EVAL_TASKS_"
DISABLE = "LMMS_EVAL_TASKS_DISABLE"
JUDGE = "LMMS_EVAL_TASKS_JUDGE"
JUDGE_MODEL = "LMMS_EVAL_TASKS_JUDGE_MODEL"
JUDGE_BASE_URL = "LMMS_EVAL_TASKS_JUDGE_BASE_URL"
JUDGE_API_KEY = "LMMS_EVAL_TASKS_JUDGE_API_KEY"
JUDGE_AZURE_API = "LMMS_EVAL_TASKS_JUDGE_AZURE_API"
JUDGE_IN_FLIGHT = "LMMS_EVAL_TASKS_JUDGE_IN_FLIGHT"
JUDGE_PATIENCE = "LMMS_EVAL_TASKS_JUDGE_PATIENCE"
MATCHER = "LMMS_EVAL_TASKS_MATCHER"
MATCHER_MODEL = "LMMS_EVAL_TASKS_MATCHER_MODEL"
REPORT = "LMMS_EVAL_TASKS_REPORT"
UNJUDGED_LIMIT = "LMMS_EVAL_TASKS_UNJUDGED_LIMIT"
VERDICTS = "LMMS_EVAL_TASKS_VERDICTS"
VIDEOS = "LMMS_EVAL_TASKS_VIDEOS"


class Range(NamedTuple):
    """What a number may be.

    Attributes:
        default: What holds while it is unset or empty.
        least: The least that it may be.
        most: The most that it may be.
    """

    default: float
    least: float
    most: float


NUMBERS = {
    JUDGE_IN_FLIGHT: Range(32, 1, 1_000),
    JUDGE_PATIENCE: Range(180, 1, 86_400),
    UNJUDGED_LIMIT: Range(5, 0, 100),
}


@dataclass(frozen=True, slots=True)
class Variable:
    """An environment variable the pack reads.

    Attributes:
        name: Its name.
        meaning: What it sets, in one sentence.
        default: What holds while it is unset or empty, in words.
    """

    name: str
    meaning: str
    default: str


ENVIRONMENT = (
    Variable(
        JUDGE,
        "Which judge grades open-ended answers: `openai` (any OpenAI-compatible server) or "
        "`lexical` (offline, compares words).",
        "the task's own: `openai` for the benchmarks, `lexical` for the samples",
    ),
    Variable(JUDGE_MODEL, "The judge's model, by the exact name its server knows.", "none"),
    Variable(
        JUDGE_BASE_URL,
        "The base URL of the judge's server, up to and including `/v1`.",
        "`OPENAI_BASE_URL`, else https://api.openai.com/v1",
    ),
    Variable(
        JUDGE_API_KEY,
        "The key of the judge's server; a server of your own may need none.",
        "`OPENAI_API_KEY`",
    ),
    Variable(
        JUDGE_AZURE_API,
        "The API version of a judge at Azure OpenAI, such as `2024-10-21`, whose base URL is then "
        "the resource's endpoint and whose model is a deployment. Azure's `/openai/v1` needs none.",
        "none: the server is no Azure resource",
    ),
    Variable(
        JUDGE_IN_FLIGHT,
        "How many judgements and matches a process asks for at once.",
        "`32`",
    ),
    Variable(
        JUDGE_PATIENCE,
        "The seconds that one judgement may take with all its retries; one try gets a third.",
        "`180`",
    ),
    Variable(
        MATCHER,
        "What finds the option that a multiple-choice response means where rules cannot tell: "
        "`openai` (a model on the judge's server) or `lexical` (offline, compares words).",
        f"`openai` if `{MATCHER_MODEL}` is set, or `{JUDGE_MODEL}` without `{JUDGE}=lexical`; "
        "else, and for the samples, `lexical`",
    ),
    Variable(MATCHER_MODEL, "The matcher's model, on the judge's server.", f"`{JUDGE_MODEL}`"),
    Variable(
        VERDICTS,
        "The file that keeps the verdicts of judges and matchers, so that none is bought twice; "
        "`off` keeps none.",
        "`lmms-eval-tasks/verdicts.sqlite` in `$XDG_CACHE_HOME`, else in `~/.cache`",
    ),
    Variable(
        UNJUDGED_LIMIT,
        "The percentage of answers without a verdict beyond which a run says so in words.",
        "`5`",
    ),
    Variable(
        REPORT,
        "`1` writes an HTML report beside the results at the end of a run.",
        "`0`",
    ),
    Variable(
        VIDEOS,
        "The folder that holds the WorldQA videos as `<video_idx>.mp4`; `~` and `$NAME` are "
        "expanded.",
        "`$HF_HOME/multi-hop-reasoning/videos`, with `~/.cache/huggingface` for an unset `HF_HOME`",
    ),
    Variable(DISABLE, "`1` keeps the tasks and models of this pack out of lmms-eval.", "`0`"),
)


def strangers(names: Iterable[str]) -> list[str]:
    """The names that begin like ours and that the pack does not know, sorted."""
    known = {variable.name for variable in ENVIRONMENT}
    return sorted(name for name in names if name.startswith(PREFIX) and name not in known)
