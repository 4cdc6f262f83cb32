from __future__ import annotations

import json

import pytest

from lmms_eval_tasks.judge_check.measured import JudgeCheckError, read_judge_check

REPORT = {
    "schema_version": 1,
    "date": "2026-02-03T04:05:06Z",
    "judge": {"name": "a-judge", "server": "host:8000/v1"},
    "rubric_version": "worldqa-1",
    "item_set": {"version": "worldqa-items-1", "size": 150},
    "asked": 150,
    "judged": 147,
    "agreement": {"value": 0.9, "low": 0.84, "high": 0.94, "n": 147},
    "kappa": {"value": 0.875, "low": 0.8, "high": 0.9},
    "kappa_weighted": {"value": None, "low": None, "high": None},
    "groups": {"all": {"all": {"bias": {"value": -0.01, "low": None, "high": None}}}},
    "something a later version adds": 1,
}


def written(folder, report) -> None:
    (folder / "judge_check.json").write_text(json.dumps(report), encoding="utf-8")


def test_a_folder_of_results_is_enough(tmp_path):
    written(tmp_path, REPORT)
    found = read_judge_check(tmp_path)
    assert found == read_judge_check(str(tmp_path / "judge_check.json"))
    assert (found.judge, found.server, found.judged, found.unjudged) == (
        "a-judge",
        "host:8000/v1",
        147,
        3,
    )
    assert (found.agreement, found.kappa, found.kappa_weighted, found.bias) == (
        0.9,
        0.875,
        None,
        -0.01,
    )
    assert found.sentence == (
        "The judge a-judge agrees with 90% of 147 labelled answers (3 more without a verdict), "
        "95 % interval 84% to 94%, kappa 0.88."
    )


def test_a_figure_that_is_not_defined_is_left_out_of_the_sentence(tmp_path):
    undefined = {"kappa": {"value": None}, "judged": 150}
    written(tmp_path, {**REPORT, **undefined, "judge": {"name": "lexical", "server": None}})
    found = read_judge_check(tmp_path)
    assert found.server is None
    assert found.sentence.endswith("of 150 labelled answers, 95 % interval 84% to 94%.")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "cannot be read"),
        ("{", "is not a JSON file"),
        ("[" * 100_000, "is not a JSON file"),
        ("\udcff", "is not a JSON file"),
        ("[]", "holds no judge check of version 1"),
        (json.dumps({**REPORT, "schema_version": 2}), "holds no judge check of version 1"),
        (json.dumps({**REPORT, "date": None}), "`date` is no text"),
        (json.dumps({**REPORT, "judge": "me"}), "`judge.name` is no text"),
        (json.dumps({**REPORT, "agreement": {"value": True}}), "`agreement.value` is no number"),
        (json.dumps({**REPORT, "judged": float("nan")}), "`judged` is no number"),
    ],
)
def test_what_cannot_be_used_is_said_in_one_sentence(tmp_path, content, words):
    file = tmp_path / "judge_check.json"
    if content is not None:
        file.write_text(content, encoding="utf-8", errors="surrogateescape")
    with pytest.raises(JudgeCheckError) as caught:
        read_judge_check(tmp_path)
    assert words in caught.value.problem
    assert str(file) in caught.value.problem
    assert "judge-check --output" in caught.value.remedy
