"""Whole runs on a synthetic release, with models whose numbers can be told beforehand."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

import lmms_eval_tasks
from tests.integration.harness import Run, run
from tests.integration.test_samples import ACCELERATE, free
from tests.support import worldqa_release as release
from tests.support.worldqa_release import Asked

pytestmark = pytest.mark.slow

PACK = Path(lmms_eval_tasks.__file__).parent / "worldqa"
FAILED = "[LMMS_EVAL_REQUEST_FAILED after 5 retries] timeout"
REFUSED = "I cannot see what they carry."
WRONG, NO_ANSWER, FAILURE = "wrong", "no answer", "failure"


def always_right(one: Asked) -> str:
    return one.letter()


def always_a(one: Asked) -> str:
    return "A"


def right_once(one: Asked) -> str:
    return one.letter(0 if one.number == one.question % one.passes else 1)


def verbose(one: Asked) -> str:
    letter = one.letter(one.question % 7 == 0)
    return (
        f"Let me look at the scene first. A person enters, and option {one.letter(2)} may seem to "
        f"fit.\n\nStill, **the answer is {letter}**."
    )


def mixed(one: Asked) -> str:
    """By question: right, inexactly right, sometimes wrong, refused once, failed once."""
    kind = one.question % 5
    last = one.number == one.passes - 1
    text = one.texts[one.right]
    return {
        0: one.letter(),
        1: f"{text}s." if last else text,
        2: one.letter(one.number % 2),
        3: REFUSED if last else f"({one.letter().lower()})",
        4: FAILED if one.number == 1 else f"{one.letter()}. {text}",
    }[kind]


def chosen_by_mixed(one: Asked) -> int | str:
    if one.question % 5 == 3 and one.number == one.passes - 1:
        return NO_ANSWER
    if one.question % 5 == 4 and one.number == 1:
        return FAILURE
    return (one.right + (one.number % 2 if one.question % 5 == 2 else 0)) % one.passes


@dataclass(frozen=True)
class Model:
    says: Callable[[Asked], str]
    chooses: Callable[[Asked], int | str]


MODELS = {
    "wq_right": Model(always_right, lambda one: one.right),
    "wq_always_a": Model(always_a, lambda one: 0),
    "wq_once": Model(
        right_once,
        lambda one: (one.right + (one.number != one.question % one.passes)) % one.passes,
    ),
    "wq_verbose": Model(verbose, lambda one: (one.right + (one.question % 7 == 0)) % one.passes),
    "wq_mixed": Model(mixed, chosen_by_mixed),
}


@dataclass
class Question:
    passes: int
    video: str
    right: list[bool] = field(default_factory=list)


def mean(values) -> float:
    values = list(values)
    return sum(values) / len(values) if values else 0.0


def clustered(values: list[float], clusters: list[str]) -> float:
    """Equation 4 of arXiv 2411.00640, written out as its double sum."""
    deviations = np.array(values) - np.mean(values)
    same = np.array([[a == b for b in clusters] for a in clusters])
    cross = (np.outer(deviations, deviations) * same).sum() - (deviations**2).sum()
    n = len(values)
    return math.sqrt((deviations**2).sum() / (n - 1) / n + cross / n**2)


def expected(model: Model, passes: list[Asked], all_asked: int = 0) -> dict[str, object]:
    """Every number of a run on these passes, from what the model chooses in each."""
    questions: dict[int, Question] = {}
    chosen, right_at = Counter(), Counter()
    answered: list[float] = []
    for one in passes:
        choice = model.chooses(one)
        question = questions.setdefault(one.question, Question(one.passes, one.video))
        question.right.append(choice == one.right)
        if isinstance(choice, int):
            answered.append(float(choice == one.right))
            chosen[choice] += 1
            right_at[one.right] += 1
    complete = [q for q in questions.values() if len(q.right) == q.passes]
    strict = [float(all(q.right)) for q in complete]
    choices = [model.chooses(one) for one in passes]
    numbers = {
        "circular_acc": mean(strict),
        "circular_lower": sum(strict) / len(questions),
        "circular_upper": mean(float(all(q.right)) for q in questions.values()),
        "mean_acc": mean(c == one.right for c, one in zip(choices, passes, strict=True)),
        "answered_acc": mean(answered),
        "first_pass_acc": mean(
            c == one.right for c, one in zip(choices, passes, strict=True) if one.number == 0
        ),
        "undecided_rate": mean(isinstance(c, str) for c in choices),
        "request_failed_rate": mean(c == FAILURE for c in choices),
        "not_judged_rate": 0.0,
        "reused_rate": 0.0,
        "position_bias": sum(abs(chosen[k] - right_at[k]) for k in range(4)) / 2 / len(answered),
        "incomplete_groups": float(len(questions) - len(complete)),
        "coverage": len(release.asked()) / len(list(release.multiple_choice_rows())),
        **free("matcher"),
    }
    for at_least in (1, 2, 3, 4):
        numbers[f"at_least_{at_least}_rate"] = mean(
            sum(q.right) >= min(at_least, q.passes) for q in complete
        )
    error = clustered(strict, [q.video for q in complete]) if len(complete) > 1 else "N/A"
    return numbers | {"stderr": error}


def found(done: Run, task: str) -> dict[str, object]:
    assert done.results is not None, done.output[-4000:]
    error = done.results["results"][task]["circular_acc_stderr,none"]
    return done.values(task) | {"stderr": error}


OPEN_ENDED = ("{}", "They carried", "{} and a dog", "They held the thing", "nobody knows", "")
GRADES = ("correct", "incomplete", "redundant", "partly_contradicting", "incorrect", None)
POINTS = (100.0, 50.0, 50.0, 30.0, 0.0, 0.0)


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("release")
    release.write_videos(folder / "videos")
    choice = release.write_jsonl(folder / "mc.jsonl", release.multiple_choice_rows())
    answers = release.write_jsonl(folder / "gen.jsonl", release.open_ended_rows())
    saved: list[release.Json] = []
    for name, model in MODELS.items():
        release.write_task(folder, name, PACK / "worldqa_circular.yaml", choice)
        saved += release.saved(name, model.says)
    release.write_task(folder, "wq_open_ended", PACK / "worldqa_open_ended.yaml", answers)
    for number, row in enumerate(release.open_ended_rows()):
        response = OPEN_ENDED[number % 6].format(row["answer"])
        key = f"{row['video_idx']}/{row['question_idx']}"
        saved.append({"task": "wq_open_ended", "id": key, "response": response})
    release.write_jsonl(folder / "saved.jsonl", saved)
    return folder


def evaluate(folder: Path, out: Path, *more: str, tasks=(*MODELS, "wq_open_ended"), **options):
    return run(
        *("--model", "replay", "--model_args", f"responses={folder / 'saved.jsonl'}"),
        *("--include_path", str(folder), "--tasks", ",".join(tasks), "--log_samples", *more),
        folder=out,
        environment={
            "LMMS_EVAL_TASKS_VIDEOS": str(folder / "videos"),
            "LMMS_EVAL_TASKS_JUDGE": "lexical",
            **options.pop("environment", {}),
        },
        **options,
    )


@pytest.fixture(scope="module")
def one_process(folder, tmp_path_factory) -> Run:
    return evaluate(folder, tmp_path_factory.mktemp("one"))


def test_the_release_has_the_mix_it_should_have():
    rows = list(release.multiple_choice_rows())
    assert len(rows) == 196 * 4 + 4 * 3 - 5
    assert len({one.question for one in release.asked()}) == 190


@pytest.mark.parametrize("name", MODELS)
def test_every_number_follows_from_the_responses(one_process, name):
    numbers = expected(MODELS[name], release.asked())
    assert found(one_process, name) == pytest.approx(numbers, rel=1e-12, abs=1e-12)


def test_what_is_known_without_computing(one_process):
    assert one_process.value("wq_right", "circular_acc") == 1.0
    assert one_process.value("wq_always_a", "circular_acc") == 0.0
    assert one_process.value("wq_once", "circular_acc") == 0.0
    assert one_process.value("wq_once", "at_least_1_rate") == 1.0
    assert one_process.value("wq_right", "incomplete_groups") == 4.0


def test_results_say_what_is_left_out_and_who_matched(one_process):
    assert "v038, v039" in one_process.output
    mixed_metadata = one_process.results["configs"]["wq_mixed"]["metadata"]
    assert (mixed_metadata["matcher"], mixed_metadata["matcher_version"]) == (
        "lexical",
        "lexical-match-1",
    )
    items = one_process.items("wq_mixed", "circular_acc").values()
    assert {item["matcher"] for item in items if item.get("rule") == "matcher"} == {"lexical"}


def test_open_ended_numbers_follow_from_the_grades(one_process):
    kinds = [n % 6 for n in range(release.QUESTIONS) if release.video_of(n) < release.NO_VIDEO]
    values = one_process.values("wq_open_ended")
    score = mean(POINTS[kind] for kind in kinds)
    assert values["open_ended_score"] == pytest.approx(score, rel=1e-12)
    assert values["score_lower"] == values["score_upper"] == values["open_ended_score"]
    for grade in filter(None, GRADES):
        rate = mean(GRADES[kind] == grade for kind in kinds)
        assert values[f"grade_{grade}_rate"] == pytest.approx(rate, rel=1e-12)
    assert values["grade_unnamed_rate"] == 0.0
    assert values["no_answer_rate"] == pytest.approx(mean(kind == 5 for kind in kinds), rel=1e-12)
    assert values["coverage"] == 190 / 200


def test_two_processes_give_the_numbers_of_one(one_process, folder, tmp_path):
    both = evaluate(
        folder, tmp_path, launcher=ACCELERATE, environment={"ACCELERATE_USE_CPU": "true"}
    )
    assert "Running on rank 1" in both.output
    for name in MODELS:
        assert found(both, name) == pytest.approx(found(one_process, name), rel=1e-12, abs=1e-12)
        assert len(both.samples[name]) == len(release.asked())
    assert both.values("wq_open_ended") == pytest.approx(one_process.values("wq_open_ended"))


@pytest.mark.parametrize(
    ("options", "part"),
    [(("--offset", "3"), slice(3, None)), (("--limit", "50"), slice(50))],
    ids=["offset", "limit"],
)
def test_a_part_of_the_passes_gives_the_numbers_of_that_part(folder, tmp_path, options, part):
    done = evaluate(folder, tmp_path, *options, tasks=MODELS)
    for name, model in MODELS.items():
        numbers = expected(model, release.asked()[part])
        assert found(done, name) == pytest.approx(numbers, rel=1e-12, abs=1e-12)
        ids = set(done.items(name, "circular_acc"))
        assert ids == {one.id for one in release.asked()[part]}


def test_questions_stand_together_by_video_in_the_standard_error(one_process):
    by_video = defaultdict(list)
    for item in one_process.items("wq_mixed", "mean_acc").values():
        by_video[item["video_idx"]].append(item["score"])
    scores = [score for video in by_video.values() for score in video]
    videos = [video for video, values in by_video.items() for _ in values]
    logged = one_process.results["results"]["wq_mixed"]["mean_acc_stderr_clustered,none"]
    assert logged == pytest.approx(clustered(scores, videos))
