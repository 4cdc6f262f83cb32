"""What a judge will be asked: what the settings say, what the store holds, what is exact."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import lmms_eval_tasks
from lmms_eval_tasks.plan.catalogue import Catalogue
from lmms_eval_tasks.plan.data import this_disk
from lmms_eval_tasks.worldqa.circular_scoring import CircularScorer
from lmms_eval_tasks.worldqa.scoring import OpenEndedScorer
from lmms_eval_tasks_core.judging.kept import Kept, server_of
from lmms_eval_tasks_core.judging.verdict_file import VerdictFile
from tests.core.judging.test_store import filled, kept, key
from tests.plan.running import planned, said, tasks
from tests.support.openai_server import OpenAIServer

RESPONSES = Path(lmms_eval_tasks.__file__).parent / "samples" / "replay" / "responses.jsonl"
OPEN_ENDED, CIRCULAR = "worldqa_open_ended_sample", "worldqa_circular_sample"


@pytest.fixture(autouse=True)
def path(monkeypatch, tmp_path) -> Path:
    """A store of its own, and no setting of the user's."""
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    names = ("JUDGE", "JUDGE_MODEL", "JUDGE_BASE_URL", "JUDGE_API_KEY", "MATCHER", "MATCHER_MODEL")
    for name in names:
        monkeypatch.delenv(f"LMMS_EVAL_TASKS_{name}", raising=False)
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    path = tmp_path / "verdicts.sqlite"
    monkeypatch.setenv("LMMS_EVAL_TASKS_VERDICTS", str(path))
    return path


@pytest.fixture
def judged(monkeypatch):
    """Every task is judged and matched by a model on a server that is not there."""
    monkeypatch.setenv("LMMS_EVAL_TASKS_JUDGE", "openai")
    monkeypatch.setenv("LMMS_EVAL_TASKS_MATCHER", "openai")
    monkeypatch.setenv("LMMS_EVAL_TASKS_JUDGE_MODEL", "judge-1")
    monkeypatch.setenv("LMMS_EVAL_TASKS_JUDGE_BASE_URL", "http://localhost:9/v1")


def test_offline_judges_are_asked_nothing():
    for task in tasks("--tasks", "worldqa_sample").values():
        assert (task["asked"]["model"], task["asked"]["most"]) == ("lexical", 0)
    assert "offline" in said("--tasks", "worldqa_sample")


def test_where_no_judge_is_set_up_its_requests_are_counted_all_the_same():
    asked = tasks("--tasks", "worldqa")["worldqa_open_ended"]["asked"]
    assert (asked["role"], asked["most"], asked["version"]) == ("judge", 851, "worldqa-1")
    assert (asked["model"], asked["server"]) == (None, None)
    assert "No judge is set up: set LMMS_EVAL_TASKS_JUDGE_MODEL" in said("--tasks", "worldqa")


@pytest.mark.parametrize("earlier", [(), ("--responses", RESPONSES)])
def test_a_judge_that_is_not_named_is_null_for_scripts(monkeypatch, earlier):
    for role in ("JUDGE", "MATCHER"):
        monkeypatch.setenv(f"LMMS_EVAL_TASKS_{role}", "openai")
    for name, task in tasks("--tasks", f"{OPEN_ENDED},{CIRCULAR}", *earlier).items():
        asked = task["asked"]
        assert (asked["model"], asked["server"], asked["kept"]) == (None, None, 0), name
        assert (asked["exact"] is not None) == bool(earlier)
        assert asked["most"] > 0


def test_a_judge_whose_key_is_missing_is_planned_by_its_name(monkeypatch):
    monkeypatch.setenv("LMMS_EVAL_TASKS_JUDGE_MODEL", "gpt-x")
    asked = tasks("--tasks", "worldqa")["worldqa_open_ended"]["asked"]
    assert (asked["model"], asked["server"]) == ("gpt-x", "api.openai.com/v1")


def test_a_bad_setting_is_one_sentence(monkeypatch):
    monkeypatch.setenv("LMMS_EVAL_TASKS_JUDGE", "oracle")
    assert "there is no judge 'oracle'" in said("--tasks", "worldqa", exit_code=1)


@pytest.mark.usefixtures("judged")
def test_a_matcher_is_asked_for_a_share_of_the_passes():
    asked = tasks("--tasks", CIRCULAR)[CIRCULAR]["asked"]
    assert (asked["least"], asked["expected"], asked["most"]) == (0, 2, 23)
    asked = tasks("--tasks", CIRCULAR, "--undecided-share", "0.5")[CIRCULAR]["asked"]
    assert (asked["least"], asked["expected"], asked["most"]) == (0, 12, 23)
    assert f"{CIRCULAR}: 0 to 23 requests to the matcher." in said("--tasks", CIRCULAR)


@pytest.mark.usefixtures("judged")
def test_the_store_says_how_many_can_be_reused_at_most_and_how_long_a_verdict_is(path):
    ours = Kept(
        "judge-1", server_of("http://localhost:9/v1"), "worldqa-1", kept().time, kept().reply
    )
    others = [
        Kept("judge-2", ours.server, ours.version, ours.time, ours.reply),
        Kept(ours.judge, "localhost:10/v1", ours.version, ours.time, ours.reply),
        Kept(ours.judge, ours.server, "worldqa-0", ours.time, ours.reply),
    ]
    file = VerdictFile(path)
    file.put((key(n), one) for n, one in enumerate([ours, ours, *others]))
    file.close()
    asked = tasks("--tasks", OPEN_ENDED)[OPEN_ENDED]["asked"]
    assert asked["kept"] == 2
    assert (asked["least"], asked["expected"], asked["most"]) == (4, 6, 6)
    assert asked["output_tokens"] == 6 * 5
    words = said("--tasks", OPEN_ENDED)
    assert f"2 verdicts are kept in {path}" in words
    assert "Which of them fit is known once the model has answered" in words


@pytest.mark.usefixtures("judged")
def test_a_store_that_cannot_be_read_stops_no_plan(path):
    path.write_text("something else")
    assert tasks("--tasks", OPEN_ENDED)[OPEN_ENDED]["asked"]["kept"] == 0
    assert path.read_text() == "something else"
    path.unlink()
    filled(path)
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\xa5" * (len(content) - 4096))
    arguments = ("--tasks", OPEN_ENDED, "--responses", RESPONSES)
    assert tasks(*arguments)[OPEN_ENDED]["asked"]["exact"]["in_store"] == 0
    path.unlink()
    assert tasks("--tasks", OPEN_ENDED)[OPEN_ENDED]["asked"]["kept"] == 0
    assert not path.exists()


def responses() -> list[dict]:
    return [json.loads(line) for line in RESPONSES.read_text(encoding="utf-8").splitlines()]


def score(names: set[str], most: int | None = None) -> None:
    """Score the replayed responses as a run does, the first `most` of each task."""
    scorers = {
        OPEN_ENDED: OpenEndedScorer(default_judge="openai"),
        CIRCULAR: CircularScorer(default_matcher="openai"),
    }
    said_to = {(one["task"], one["id"]): one["response"] for one in responses()}
    for task in Catalogue().selected(names).tasks:
        with this_disk() as disk:
            rows = disk.data(task).rows
        for row in rows.select(range(min(most or len(rows), len(rows)))):
            scorers[task.name](row, [said_to[task.name, row["id"]]])


def reply(request: dict) -> str:
    prompt = request["messages"][0]["content"]
    return "Grade: correct" if "Grade:" in prompt else "Option: none"


@pytest.mark.parametrize("most", [0, 3, None])
def test_with_earlier_responses_the_plan_is_what_a_run_then_buys(monkeypatch, most):
    with OpenAIServer(reply) as server:
        monkeypatch.setenv("LMMS_EVAL_TASKS_JUDGE", "openai")
        monkeypatch.setenv("LMMS_EVAL_TASKS_MATCHER", "openai")
        monkeypatch.setenv("LMMS_EVAL_TASKS_JUDGE_MODEL", "judge-1")
        monkeypatch.setenv("LMMS_EVAL_TASKS_JUDGE_BASE_URL", server.url)
        if most != 0:
            score({OPEN_ENDED, CIRCULAR}, most)
        before = len(server.requests)
        found = tasks("--tasks", "worldqa_sample", "--responses", RESPONSES)
        assert len(server.requests) == before, "a plan asks nobody"
        score({OPEN_ENDED, CIRCULAR})
        bought = len(server.requests) - before
    exact = [found[name]["asked"]["exact"] for name in (OPEN_ENDED, CIRCULAR)]
    assert sum(each["to_buy"] for each in exact) == bought
    assert [each["responses"] for each in exact] == [6, 23]
    assert all(each["asked"] == each["to_buy"] + each["in_store"] for each in exact)
    assert all(
        asked["least"] == asked["expected"] == asked["most"] == asked["exact"]["to_buy"]
        for asked in (found[name]["asked"] for name in (OPEN_ENDED, CIRCULAR))
    )
    if most is None:
        assert bought == 0
    if most == 0:
        assert bought == len(server.requests) > 5


@pytest.mark.usefixtures("judged")
def test_the_same_question_is_bought_once(tmp_path):
    lines = [{"task": OPEN_ENDED, "id": one["id"], "response": "x"} for one in responses()[:1]]
    (tmp_path / "r.jsonl").write_text("\n".join(map(json.dumps, lines)))
    asked = tasks("--tasks", OPEN_ENDED, "--responses", tmp_path / "r.jsonl")[OPEN_ENDED]["asked"]
    # One response is known, five are not.
    assert (asked["exact"]["to_buy"], asked["least"], asked["most"]) == (1, 6, 6)


@pytest.mark.usefixtures("judged")
def test_the_newest_run_of_a_folder_gives_its_responses(tmp_path):
    folder = tmp_path / "results" / "model"
    folder.mkdir(parents=True)
    metrics = {"open_ended_score,none": 50.0, "judged_rate,none": 1.0}
    for date, said_then in (("20250101_000000", ""), ("20260101_000000", "It is the heat. " * 8)):
        results = {
            "results": {OPEN_ENDED: metrics},
            "configs": {
                OPEN_ENDED: {
                    "metric_list": [{"metric": "open_ended_score"}, {"metric": "judged_rate"}]
                }
            },
        }
        (folder / f"{date}_results.json").write_text(json.dumps(results))
        lines = [
            {
                "doc_id": number,
                "filtered_resps": said_then,
                "open_ended_score": {"id": one["id"], "score": 0.0},
            }
            for number, one in enumerate(responses()[:6])
        ]
        samples = folder / f"{date}_samples_{OPEN_ENDED}.jsonl"
        samples.write_text("\n".join(map(json.dumps, lines)))
    plan = planned("--tasks", f"{OPEN_ENDED},geoqa_sample", "--from-run", tmp_path / "results")
    (task, other) = plan["tasks"]
    assert task["responses"] == 6
    assert task["answer_tokens"] == 6 * 32
    assert task["asked"]["exact"]["to_buy"] == 6
    assert other["responses"] == 0
    arguments = ("--tasks", f"{OPEN_ENDED},geoqa_sample", "--from-run", tmp_path / "results")
    words = said(*arguments)
    assert "geoqa_sample: no response in" in words
    assert "6 go to the judge; 0 verdicts on them are in the store, and 6 are to be bought" in words


def test_what_is_no_run_or_no_response_is_one_sentence(tmp_path):
    assert "holds no run" in said("--tasks", OPEN_ENDED, "--from-run", tmp_path, exit_code=1)
    (tmp_path / "bad.jsonl").write_text("{}\n")
    arguments = ("--tasks", OPEN_ENDED, "--responses", tmp_path / "bad.jsonl")
    assert "bad.jsonl, line 1" in said(*arguments, exit_code=1)
