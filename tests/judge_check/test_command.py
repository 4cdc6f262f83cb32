"""The command `lmms-eval-tasks judge-check`, with judges whose faults are known."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable

import pytest
from click.testing import CliRunner

from lmms_eval_tasks.cli import main
from lmms_eval_tasks.judge_check.items import LabelledItem, labelled_items
from lmms_eval_tasks.judge_check.measured import read_judge_check
from lmms_eval_tasks.worldqa.rubric import RUBRIC
from lmms_eval_tasks_core.environment import ENVIRONMENT
from tests.conftest import REPOSITORY
from tests.support.interrupting import start
from tests.support.openai_server import Answer, Fault, OpenAIServer

ITEMS = labelled_items().items
BY_PROMPT = {RUBRIC.render(item.inquiry): item for item in ITEMS}
FEW = 30
KEY = "secret-key-0123456789"


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch):
    names = [variable.name for variable in ENVIRONMENT if not variable.name.endswith("VERDICTS")]
    for name in (*names, "OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def use(monkeypatch):
    def settings(url: str, **others: str) -> None:
        values = {"MODEL": "test-model", "BASE_URL": url, "API_KEY": KEY, "PATIENCE": "5", **others}
        for name, value in values.items():
            monkeypatch.setenv(f"LMMS_EVAL_TASKS_JUDGE_{name}", value)

    return settings


def run(*arguments: object, exit_code: int = 0):
    done = CliRunner().invoke(main, ["judge-check", *map(str, arguments)])
    assert done.exit_code == exit_code, done.output
    assert "Traceback" not in done.output
    return done


def report(*arguments: object) -> dict:
    return json.loads(run("--json", *arguments).stdout)


def answering(grade_of: Callable[[LabelledItem], Answer]) -> OpenAIServer:
    """A server whose judge knows the items; what it is tried out with is correct."""

    def reply(request):
        item = BY_PROMPT.get(request["messages"][0]["content"])
        return "Grade: correct" if item is None else grade_of(item)

    return OpenAIServer(reply)


def graded(item: LabelledItem) -> str:
    return json.dumps({"rationale": f"on {item.id}", "grade": item.grade})


def number(item: LabelledItem) -> int:
    return ITEMS.index(item)


def test_a_perfect_judge(use):
    with answering(graded) as server:
        use(server.url)
        found = report()
    assert (found["asked"], found["judged"], found["unjudged"]) == (len(ITEMS), len(ITEMS), {})
    agreement = found["agreement"]
    assert (agreement["value"], agreement["high"]) == (1.0, 1.0)
    assert 0.97 < agreement["low"] < 1
    assert found["kappa"] == {"value": 1.0, "low": None, "high": None}
    assert found["kappa_weighted"]["value"] == 1.0
    assert found["second_asking"]["same_grade"]["value"] == 1.0
    assert found["second_asking"]["asked"] == len(ITEMS)
    everything = [group for values in found["groups"].values() for group in values.values()]
    assert {group["bias"]["value"] for group in everything} == {0.0}
    for label, row in found["confusion"].items():
        assert {given for given, count in row.items() if count} == {label}
    assert [one["label"] == one["grade"] for one in found["items"]] == [True] * len(ITEMS)
    assert found["items"][0]["rationale"] == f"on {ITEMS[0].id}"


def test_a_lenient_judge_is_found_out_by_kind(use):
    def lenient(item: LabelledItem) -> str:
        return "Grade: correct" if item.attack or item.grade == "incorrect" else graded(item)

    with answering(lenient) as server:
        use(server.url)
        found = report("--no-again")
    groups = found["groups"]
    # Wrong are all that are incorrect, and the attacks among the three grades in between.
    assert found["agreement"]["value"] == pytest.approx((150 - 30 - 18) / 150)
    assert 0.4 < found["kappa"]["low"] < found["kappa"]["value"] < found["kappa"]["high"] < 0.85
    assert groups["label"]["incorrect"]["bias"] == {"value": 1.0, "low": None, "high": None}
    assert groups["label"]["correct"]["bias"]["value"] == 0
    attacked = groups["attack"]["attack"]
    # Six of each grade: 1 - 1, twice 1 - 0.5, 1 - 0.3, 1 - 0.
    assert attacked["bias"]["value"] == pytest.approx((0.5 + 0.5 + 0.7 + 1) / 5)
    assert (attacked["too_high"], attacked["too_low"]) == (24, 0)
    bias = groups["all"]["all"]["bias"]
    assert bias["value"] == pytest.approx((30 * 1.0 + 6 * 0.5 + 6 * 0.5 + 6 * 0.7) / 150)
    assert 0 < bias["low"] < bias["value"] < bias["high"]
    assert found["confusion"]["incorrect"]["correct"] == 30
    assert found["second_asking"] is None


@pytest.mark.parametrize("grade", ["correct", "incomplete", "partly_contradicting", "incorrect"])
def test_a_judge_that_always_says_the_same_has_kappas_without_an_interval(use, grade):
    with answering(lambda _: f"Grade: {grade}") as server:
        use(server.url)
        found = report("--no-again", "--limit", 45)
        text = run("--no-again", "--limit", 45).output
    nothing = {"value": 0.0, "low": None, "high": None}
    assert found["kappa"] == nothing
    assert found["kappa_weighted"] == {**nothing, "weights": "linear_in_points"}
    assert "Cohen's kappa              0.00; weighted by points 0.00\n" in text


def test_a_judge_that_gives_only_points_agrees_in_points(use):
    with answering(lambda item: f"Point: {item.points:g}") as server:
        use(server.url)
        found = report("--no-again")
    assert found["agreement_in_points"]["value"] == found["kappa_weighted"]["value"] == 1.0
    assert found["agreement"]["value"] == pytest.approx(90 / 150)
    assert found["confusion"]["redundant"]["unnamed"] == 30


def test_answers_without_a_verdict_count_for_nothing_and_are_told_by_reason(use):
    def failing(item: LabelledItem) -> Answer:
        if number(item) % 10 == 0:
            return Fault(status=400, words="no")
        if number(item) % 50 == 1:
            return {"content": None, "refusal": "I would rather not."}
        return graded(item)

    with answering(failing) as server:
        use(server.url)
        found = report()
        text = run().output
    assert found["unjudged"] == {"judge_rejected_the_request": 15, "judge_refused": 3}
    assert (found["judged"], found["agreement"]["n"], found["agreement"]["value"]) == (132, 132, 1)
    assert sum(row["not_judged"] for row in found["confusion"].values()) == 18
    assert found["groups"]["all"]["all"]["unjudged"] == 18
    assert (found["second_asking"]["asked"], found["second_asking"]["unjudged"]) == (132, {})
    lost = [one for one in found["items"] if one["grade"] is None]
    assert Counter(one["reason"] for one in lost) == found["unjudged"]
    assert all(one["second"] is None for one in lost)
    assert (
        "132 of 150 answers judged; 18 without a verdict "
        "(15 judge_rejected_the_request, 3 judge_refused)" in " ".join(text.split())
    )


def test_a_judge_that_changes_its_mind_disagrees_with_itself(use):
    seen: Counter[str] = Counter()
    lock = threading.Lock()

    def fickle(item: LabelledItem) -> Answer:
        with lock:
            seen[item.id] += 1
            is_second = seen[item.id] > 1
        if is_second and number(item) % 5 == 0:
            return Fault(status=400, words="no") if number(item) == 0 else "Grade: redundant"
        return graded(item)

    with answering(fickle) as server:
        use(server.url)
        found = report()
        text = run("--no-again").output
    changed = sum(k % 5 == 0 and item.grade != "redundant" for k, item in enumerate(ITEMS[1:], 1))
    second = found["second_asking"]
    assert found["agreement"]["value"] == 1.0
    assert (second["asked"], second["unjudged"]) == (150, {"judge_rejected_the_request": 1})
    assert second["same_grade"]["n"] == 149
    assert second["same_grade"]["value"] == pytest.approx(1 - changed / 149)
    assert "Agreement with itself      not asked" in text


def test_the_second_asking_asks_although_the_first_is_kept(use):
    with answering(graded) as server:
        use(server.url)
        first = report("--limit", FEW)
        assert Counter(_texts(server)) == {_prompt(item): 2 for item in ITEMS[:FEW]}
        assert (first["reused"], first["cost"]["replies"]) == (0, 2 * FEW + 1)
        second = report("--limit", FEW)
        assert Counter(_texts(server)) == {_prompt(item): 3 for item in ITEMS[:FEW]}
        assert (second["reused"], second["second_asking"]["same_grade"]["n"]) == (FEW, FEW)
        third = report("--limit", FEW, "--no-again")
        assert (third["reused"], third["cost"]["replies"]) == (FEW, 0)
        assert len(_texts(server)) == 3 * FEW
        assert "30 verdicts were kept from before" in run("--limit", FEW).output


def test_what_it_cost(use):
    with answering(graded) as server:
        use(server.url)
        prices = ("--price-in", "2", "--price-out", "10")
        cost = report("--limit", FEW, *prices)["cost"]
        table = run("--limit", FEW, "--no-again", *prices).output
    assert cost["replies"] == 2 * FEW + 1
    assert cost["input_tokens"] > 100 * cost["replies"]
    spent = 2 * cost["input_tokens"] + 10 * cost["output_tokens"]
    assert cost["usd"] == pytest.approx(spent / 1e6)
    assert cost["seconds"] > 0
    assert "0 replies, 0 tokens in, 0 out, 0.0000 USD" in table


def test_tokens_that_a_server_does_not_count_are_unknown_and_not_free(use):
    choice = {"index": 0, "message": {"role": "assistant", "content": "Grade: correct"}}
    silent = {"choices": [{**choice, "finish_reason": "stop"}], "model": "m"}
    with OpenAIServer(Fault(kind="body", body=silent)) as server:
        use(server.url)
        priced = ("--limit", FEW, "--no-again", "--price-in", "2", "--price-out", "10")
        cost = report(*priced)["cost"]
    assert (cost["replies"], cost["input_tokens"], cost["usd"]) == (FEW + 1, None, None)


def test_one_price_is_no_price():
    assert "Give both prices" in run("--price-in", "1", exit_code=2).output


@pytest.mark.parametrize("most", [3, 12])
def test_so_many_at_once(use, monkeypatch, most):
    with OpenAIServer("Grade: correct", latency=0.1) as server:
        use(server.url, IN_FLIGHT="3")
        report("--limit", FEW, "--no-again", *(() if most == 3 else ("--in-flight", most)))
        assert most - 1 <= server.most_in_flight <= most


def test_what_is_written_can_be_cited_and_holds_no_secret(use, tmp_path):
    results = tmp_path / "results"
    results.mkdir()
    with answering(graded) as server:
        use(server.url.replace("://", f"://user:{KEY}@") + f"?token={KEY}")
        run("--output", results, "--no-again")
        run("--output", tmp_path / "new" / "mine.json", "--limit", FEW, "--no-again")
    file = results / "judge_check.json"
    assert [path.name for path in results.iterdir()] == [file.name]
    assert KEY not in file.read_text(encoding="utf-8")
    found = read_judge_check(results)
    assert (found.judge, found.server) == ("test-model", server.url.removeprefix("http://"))
    assert (found.rubric_version, found.item_set) == (RUBRIC.version, labelled_items().version)
    assert (found.judged, found.unjudged, found.agreement, found.kappa) == (150, 0, 1.0, 1.0)
    assert read_judge_check(tmp_path / "new" / "mine.json").judged == FEW


def test_one_answer_leaves_most_figures_undefined_and_none_wrong(use, tmp_path):
    with answering(graded) as server:
        use(server.url)
        found = report("--limit", 1, "--output", tmp_path)
        assert "Cohen's kappa              –" in run("--limit", 1).output
    assert found["kappa"]["value"] is None
    assert found["groups"]["label"]["redundant"]["agreement"]["value"] is None
    assert read_judge_check(tmp_path).kappa is None


def test_where_nothing_can_be_written_nothing_is_bought(use, tmp_path):
    (tmp_path / "file").write_text("")
    with answering(graded) as server:
        use(server.url)
        done = run("--output", tmp_path / "file" / "x", exit_code=1)
        assert server.requests == []
    assert "cannot be written" in done.output
    assert "--output" in done.output


def test_an_earlier_check_stays_when_a_judge_gives_no_verdict(use, tmp_path):
    with answering(graded) as server:
        use(server.url)
        run("--output", tmp_path, "--limit", FEW)
    with OpenAIServer("Hm.") as server:
        use(server.url)
        done = run("--output", tmp_path, "--limit", FEW, exit_code=1)
    assert "gave no verdict on any of 30 answers (30 unreadable_reply)" in done.output
    assert read_judge_check(tmp_path).judged == FEW
    assert [path.name for path in tmp_path.iterdir()] == ["judge_check.json"]


def test_what_cannot_be_written_at_the_end_is_shown_all_the_same(monkeypatch, tmp_path):
    monkeypatch.setenv("LMMS_EVAL_TASKS_JUDGE", "lexical")
    (tmp_path / "judge_check.json").mkdir()
    done = run("--output", tmp_path, "--limit", FEW, exit_code=1)
    assert "Judge lexical" in done.output
    assert "judge_check.json cannot be written" in done.output
    assert [path.name for path in tmp_path.iterdir()] == ["judge_check.json"]


@pytest.mark.parametrize("form", [(), ("--json",)])
@pytest.mark.parametrize("can_be_written", [True, False])
def test_the_file_does_not_depend_on_who_reads_what_is_printed(tmp_path, form, can_be_written):
    if not can_be_written:
        (tmp_path / "judge_check.json").mkdir()
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, "judge-check", "--output", tmp_path, *form],
        env={**os.environ, "LMMS_EVAL_TASKS_JUDGE": "lexical"},
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(writing)
    file = tmp_path / "judge_check.json"
    if can_be_written:
        assert read_judge_check(tmp_path).judged == len(ITEMS)
        assert done.stderr == f"Wrote {file}.\n"
    else:
        assert done.stderr.startswith(f"Error: {file} cannot be written")
        assert "Traceback" not in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


def test_help_says_that_output_may_be_a_folder():
    assert "A name that does not end in .json is a folder" in " ".join(run("--help").output.split())


def test_who_interrupts_it_waits_for_nothing_more(use, tmp_path):
    with OpenAIServer("Grade: correct", latency=0.3) as server:
        use(server.url)
        process = start(
            *(sys.executable, "-c", COMMAND, "judge-check"),
            *("--in-flight", "2", "--output", tmp_path),
        )
        while len(server.requests) < 5 and process.poll() is None:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        said = "".join(process.communicate(timeout=60))
        asked = len(server.requests)
    assert process.returncode != 0
    assert "Traceback" not in said
    assert asked < 20
    assert list(tmp_path.iterdir()) == []


def test_a_wrong_key_is_one_sentence_before_anything_is_graded(use, tmp_path):
    with OpenAIServer("Grade: correct", key="another") as server:
        use(server.url)
        done = run("--output", tmp_path, exit_code=1)
        assert len(server.requests) == 1
    assert "HTTP 401" in done.output
    assert KEY not in done.output
    assert "LMMS_EVAL_TASKS_JUDGE_API_KEY" in done.output
    assert list(tmp_path.iterdir()) == []


def test_no_server_and_no_settings_are_one_sentence(use):
    assert "LMMS_EVAL_TASKS_JUDGE_MODEL names no model" in run(exit_code=1).output
    use("http://127.0.0.1:9/v1", PATIENCE="1")
    assert "does not answer" in run(exit_code=1).output


def test_the_lexical_judge_end_to_end(monkeypatch, tmp_path):
    monkeypatch.setenv("LMMS_EVAL_TASKS_JUDGE", "lexical")
    text = run("--output", tmp_path).output
    assert "Judge lexical, rubric" in text
    assert "1 by construction: it compares words" in text
    assert "0 replies" in text
    found = read_judge_check(tmp_path)
    assert (found.judge, found.server, found.judged) == ("lexical", None, 150)
    page = (REPOSITORY / "docs" / "judge_check.md").read_text(encoding="utf-8")
    for line in text.splitlines()[2:4]:
        shown = line.partition("  ")[2].strip().split("; ")
        assert all(figure.split(" points ")[-1].removeprefix("in ") in page for figure in shown)
    # It knows no meaning, and the answers say things in other words.
    assert found.agreement_high < 0.5
    assert found.kappa < 0.3
    written = json.loads((tmp_path / "judge_check.json").read_text(encoding="utf-8"))
    assert written["second_asking"]["by_construction"] is True


IMPORTED = """
import sys
from lmms_eval_tasks.cli import main
try:
    main(["judge-check", "--help"])
finally:
    heavy = {"lmms_eval", "torch", "datasets", "openai", "numpy", "sqlite3", "rich", "sympy"}
    print(sorted(heavy & set(sys.modules)))
"""


def test_help_loads_nothing_heavy():
    done = subprocess.run(
        [sys.executable, "-c", IMPORTED],
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "Measure the judge" in done.stdout
    assert done.stdout.splitlines()[-1] == "[]"


COMMAND = "from lmms_eval_tasks.cli import main; main(prog_name='lmms-eval-tasks')"


def _prompt(item: LabelledItem) -> str:
    return RUBRIC.render(item.inquiry)


def _texts(server: OpenAIServer) -> list[str]:
    """The questions about items, in the order of their arrival."""
    texts = (request["messages"][0]["content"] for request in server.requests)
    return [text for text in texts if text in BY_PROMPT]
