"""The built-in lmms-eval task and ours on the same saved responses: the table in our README.

The built-in side is lmms-eval's own filter, evaluator and judge code, with the model it asks played
by a server of ours: it matches and grades without a mistake, and words its verdicts in the four
ways that judges do.
"""

from __future__ import annotations

import re
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from lmms_eval_tasks.worldqa.circular_scoring import CircularScorer
from lmms_eval_tasks.worldqa.scoring import OpenEndedScorer
from lmms_eval_tasks_core.aggregate import mean_score
from lmms_eval_tasks_core.circular_metrics import circular_acc
from tests.conftest import REPOSITORY
from tests.integration.test_worldqa_release import GRADES, MODELS, OPEN_ENDED, POINTS
from tests.support import worldqa_release as release
from tests.support.openai_server import Fault, OpenAIServer

pytestmark = pytest.mark.slow

README = REPOSITORY / "lmms_eval_tasks" / "worldqa" / "README.md"
FORMS = ("Point:\n{}", "Point: {}", "Point:\n**{}**", "Point:\n{}\n\nHope this helps.")


@pytest.fixture(scope="module")
def built_in():
    """lmms-eval's own module for WorldQA, which reads the environment when it is imported."""
    return pytest.importorskip("lmms_eval.tasks.worldqa.utils")


def letter_in(answer: str, options: list[str]) -> str:
    """What a matcher without a mistake finds in an answer: an option's letter, or E for none."""
    for letter, option in zip("ABCD", options, strict=False):
        if option.partition(". ")[2].casefold() in answer.casefold():
            return letter
    declared = re.search(r"the answer is \**([A-D])\b", answer, re.IGNORECASE)
    alone = re.fullmatch(r"\(?([A-Da-d])\)?\.?", answer.strip())
    found = declared or alone
    return found[1].upper() if found else "E"


def matcher(form: str):
    def reply(request: dict) -> str:
        prompt = request["messages"][0]["content"]
        asked = prompt.rpartition("Question: ")[2]
        options = re.findall(r"([A-D]\. .*)", asked.partition("\nAnswer: ")[0])
        answer = asked.partition("\nAnswer: ")[2].rpartition("\nYour output")[0]
        return form.format(letter_in(answer, options))

    return reply


def released_rows() -> dict[tuple[str, tuple[str, ...]], release.Json]:
    return {(r["question"], tuple(r["option"])): r for r in release.multiple_choice_rows()}


def multiple_choice(built_in, name: str, form: str, monkeypatch, offset: int = 0) -> float:
    """The built-in number of one model: its filter, its evaluator, its mean.

    With ``--offset`` lmms-eval hands its filters the rows from the first on, and the built-in
    filter pairs them with responses to later ones.
    """
    monkeypatch.setattr(time, "sleep", lambda _: None)
    rows, says = released_rows(), MODELS[name].says
    passes = release.asked()
    docs = [
        rows[
            f"What did they carry in scene {one.question}?",
            tuple(f"{'ABCD'[k]}. {text}" for k, text in enumerate(one.texts)),
        ]
        for one in passes
    ]
    reply = Fault(status=404) if form == "gone" else matcher(form)
    filtered = built_in.MultiChoiceRegexFilter(
        regex_pattern=r"(\([A-Z]\))", group_select=0, ignore_case=True, ignore_punctuation=True
    ).apply([[says(one)] for one in passes[offset:]], docs)
    with OpenAIServer(reply) as server:
        evaluator = built_in.WorldQA_MC_Evaluator(API_URL=f"{server.url}/chat/completions")
        results = [{**doc, "pred": pred} for doc, pred in zip(docs[offset:], filtered, strict=True)]
        with ThreadPoolExecutor(8) as pool:
            return sum(pool.map(evaluator.evaluate, results)) / len(results)


def ours(name: str, offset: int = 0) -> tuple[float, float]:
    scorer, says = CircularScorer("lexical"), MODELS[name].says
    items = []
    for one in release.asked()[offset:]:
        labelled = [f"{'ABCD'[k]}. {text}" for k, text in enumerate(one.texts)]
        group, _, _ = one.id.partition("#")
        doc = {
            "id": one.id,
            "group": group,
            "pass": one.number,
            "passes": one.passes,
            "question": f"What did they carry in scene {one.question}?",
            "video_idx": one.video,
            "option": labelled,
            "answer": labelled[one.right],
        }
        items.append(scorer(doc, [says(one)]))
    means = mean_score([item["mean_acc"] for item in items])
    return means, circular_acc([item["circular_acc"] for item in items])


def judge(outage: bool):
    """Grades by what the answer is, in one of four forms; with an outage one in ten fails."""
    truths = {row["question"]: row["answer"] for row in release.open_ended_rows()}

    def reply(request: dict):
        prompt = request["messages"][0]["content"]
        number = int(re.findall(r"scene (\d+)\?", prompt)[-1])
        kind = number % 6
        assert truths[f"What did they carry in scene {number}?"] in prompt
        if outage and number % 10 == 0:
            return Fault(status=400, words="over quota")
        return f"Keypoints: …\nRationale: …\n{FORMS[number // 6 % 4].format(POINTS[kind] / 100)}"

    return reply


def open_ended(built_in, monkeypatch, outage: bool) -> tuple[float, float]:
    """The built-in number and ours, of the same answers and the same judge."""
    monkeypatch.setattr(time, "sleep", lambda _: None)
    rows = list(release.open_ended_rows())
    answers = [OPEN_ENDED[n % 6].format(row["answer"]) for n, row in enumerate(rows)]
    with OpenAIServer(judge(outage)) as server:
        monkeypatch.setattr(built_in, "API_URL", f"{server.url}/chat/completions")
        for name, value in {"MODEL": "judge", "BASE_URL": server.url}.items():
            monkeypatch.setenv(f"LMMS_EVAL_TASKS_JUDGE_{name}", value)
        pairs = list(zip(rows, answers, strict=True))
        with ThreadPoolExecutor(8) as pool:
            theirs = list(pool.map(lambda p: built_in.worldqa_process_results(p[0], [p[1]]), pairs))
            scorer = OpenEndedScorer("openai")
            items = list(pool.map(lambda p: scorer(p[0], [p[1]]), pairs))
    gpt_eval = built_in.worldq_gen_gpt_eval([each["gpt_eval"] for each in theirs], None)
    return 100 * gpt_eval, mean_score([item["open_ended_score"] for item in items])


def table_row(*cells: object) -> str:
    return "| " + " | ".join(f"{c:.4f}" if isinstance(c, float) else str(c) for c in cells) + " |"


def test_the_table_of_multiple_choice_in_the_readme_is_what_both_give(built_in, monkeypatch):
    page = README.read_text(encoding="utf-8")
    for name in MODELS:
        numbers = [
            multiple_choice(built_in, name, form, monkeypatch) for form in ("{}", "{}.", "gone")
        ]
        row = table_row(f"`{name}`", *numbers, *ours(name))
        assert row in page, row


def test_an_offset_changes_the_built_in_number_of_the_same_responses(built_in, monkeypatch):
    theirs = multiple_choice(built_in, "wq_mixed", "{}", monkeypatch, offset=3)
    row = table_row("`wq_mixed`, `--offset 3`", theirs, "", "", *ours("wq_mixed", 3))
    assert row in README.read_text(encoding="utf-8"), row


def test_the_table_of_open_ended_answers_in_the_readme_is_what_both_give(built_in, monkeypatch):
    page = README.read_text(encoding="utf-8")
    assert GRADES[0] == "correct"
    for name, outage in (("a judge that answers", False), ("one reply in ten fails", True)):
        theirs, mine = open_ended(built_in, monkeypatch, outage)
        row = table_row(name, theirs, mine)
        assert row in page, row
