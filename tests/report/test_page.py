"""What a report holds, read as a parser reads it."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256

import pytest

from lmms_eval_tasks.report import building
from lmms_eval_tasks.report.building import Wishes, built
from lmms_eval_tasks.report.page import ASSETS, rendered, unbroken
from lmms_eval_tasks.report.writing import write_report
from lmms_eval_tasks.results.run import read_run
from tests.report import runs
from tests.report.parsing import Page
from tests.report_material import made

MEGABYTE = 1_000_000


def page_of(results, **wishes) -> Page:
    return Page(rendered(built(read_run(results), Wishes(**wishes))))


@pytest.fixture(scope="module")
def page(small) -> Page:
    return Page(small.read_text(encoding="utf-8"))


def before(page: Page, first: str, second: str) -> bool:
    """Whether one text stands before another, and both are there."""
    return 0 <= page.text.index(first) < page.text.index(second)


def test_the_header_says_which_model_when_and_with_what(page):
    for said in ("vision-9b", "model_version=vision-9b,num_concurrent=8", "2026-01-01 12:00"):
        assert said in page.text
    for said in ("lmms-eval 0.7.3", "worldbench, version 1.0"):
        assert said in page.text


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ("pretrained=Qwen/Qwen2.5-VL-7B-Instruct,device_map=auto", "Qwen/Qwen2.5-VL-7B-Instruct"),
        ("device_map=auto,pretrained=/home/me/models/mine-7b", "mine-7b"),
        ("base_url=http://localhost,model_version=gpt-4o", "gpt-4o"),
        ("tp=2", "vllm"),
    ],
)
def test_a_model_is_called_by_its_name(tmp_path, arguments, name):
    said = {"model": "vllm", "model_args": arguments}
    page = page_of(runs.write(tmp_path, {"geoqa": runs.geoqa_lines(1)}, config=said))
    assert page.text.startswith(f"{name} · geoqa")


@pytest.mark.parametrize("stem", ["mine", "99999999_999999"])
def test_a_run_whose_file_has_no_date_keeps_its_name(tmp_path, stem):
    runs.write(tmp_path, {"geoqa": runs.geoqa_lines(1)})
    for file in tmp_path.iterdir():
        file.rename(file.with_name(file.name.replace("20260101_120000", stem)))
    assert f"Run {stem} Asked through" in page_of(tmp_path / f"{stem}_results.json").text


@pytest.mark.parametrize(
    ("timezone", "said"),
    [
        (None, "2026-01-01 12:00 (by lmms-eval's clock: UTC+8 unless --timezone was given)"),
        (
            "Asia/Singapore",
            "2026-01-01 12:00 (by lmms-eval's clock, Asia/Singapore; 2026-01-01 04:00 UTC)",
        ),
        ("Etc/GMT+11", "(by lmms-eval's clock, Etc/GMT+11; 2026-01-01 23:00 UTC)"),
        ("Nowhere/Atall", "(by lmms-eval's clock, Nowhere/Atall)"),
        ("../../etc", "(by lmms-eval's clock, ../../etc)"),
    ],
)
def test_the_zone_of_a_date_is_told(tmp_path, timezone, said):
    arguments = {"resolved_cli_args": {"timezone": timezone}} if timezone else {}
    results = runs.write(
        tmp_path, {"geoqa": runs.geoqa_lines(1)}, config={"model": "m", **arguments}
    )
    assert said in page_of(results).text


def test_other_tasks_of_a_run_are_named(tmp_path):
    results = runs.write(tmp_path, {"geoqa": runs.geoqa_lines(1)})
    content = json.loads(results.read_text())
    content["configs"]["mmmu_val"] = {"metric_list": []}
    results.write_text(json.dumps(content))
    assert "Not shown mmmu_val : no task of this pack" in page_of(results).text


def test_every_task_has_its_numbers_and_its_charts(page):
    headings = [attributes.get("id") for tag, attributes in page.elements if tag == "h2"]
    assert headings == ["task-1", "task-2", "task-3", "task-4", "samples-title", "help-title"]
    assert re.search(r"Accuracy \(strict\) [\d.]+\s% \[[\d.]+, [\d.]+\] of 24 questions", page.text)
    charts = [attributes for tag, attributes in page.elements if tag == "svg"]
    tables = [tag for tag, _ in page.elements if tag == "table"]
    assert len(charts) >= 10
    assert len(tables) >= len(charts)


def test_what_is_grave_stands_before_the_numbers_it_is_about(page):
    score = re.search(r"Score [\d.]+ of 100", page.text)
    assert score
    assert before(page, "Warning: Not judged. 2 (20.0 %) of the answers", score[0])


def test_it_is_told_what_is_counted(page, tmp_path):
    tasks = {"geoqa": runs.geoqa_lines(5), "worldqa_circular": runs.circular_lines(3)}
    results = runs.write(tmp_path, tasks)
    content = json.loads(results.read_text())
    content["results"]["worldqa_circular"] = {"circular_acc,none": 2 / 3}
    results.write_text(json.dumps(content))
    assert re.search(
        r"worldqa_ circular 66\.7\s% Questions right in every order \(CircularEval\) .*?"
        r"Passes: 9 right, 2 wrong, 1 no answer",
        page_of(results).text,
    )
    assert re.search(r"Samples: \d+ right, \d+ wrong, \d+ no answer", page.text)
    lists = [attributes for tag, attributes in page.elements if attributes.get("class") == "counts"]
    assert [attributes["aria-label"] for attributes in lists] == [
        *("Samples by outcome", "Passes by outcome", "Samples by outcome", "Samples by outcome")
    ]
    assert "Passes: ✓ right" in page.text


def test_a_limit_is_told(tmp_path):
    results = runs.write(
        tmp_path,
        {"geoqa": runs.geoqa_lines(5)},
        **{"n-samples": {"geoqa": {"original": 754, "effective": 5}}},
    )
    assert "5 of 754 were asked" in page_of(results).text


def test_every_sample_is_in_the_page_with_all_that_is_known_of_it(page):
    samples = page.data["samples"]
    assert len(samples) == 24 + 12 + 10 + 6
    keys = [sample["key"] for sample in samples]
    assert len(set(keys)) == len(keys)
    right = next(sample for sample in samples if sample["outcome"] == "right")
    assert right["facets"]["domain"] == "living things"
    assert right["right"] == right["answer"] == "B"
    assert right["options"][1] == ["B", "b of them"]
    assert right["reasoning"]
    assert {sample["outcome"] for sample in samples} == {
        *("right", "partly", "wrong", "no answer", "not judged")
    }


def test_only_the_page_s_own_script_may_run_and_nothing_be_fetched(page):
    digest = b64encode(sha256(page.scripts[1].encode()).digest()).decode()
    assert page.policy.split("; ") == [
        "default-src 'none'",
        "img-src data:",
        "style-src 'unsafe-inline'",
        f"script-src 'sha256-{digest}'",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    assert len(page.scripts) == 2
    for tag, attributes in page.elements:
        assert tag not in {"link", "iframe", "object", "embed", "base"}
        assert not (attributes.get("src") or "").startswith(("http", "//"))


def test_the_script_puts_no_text_into_markup(page):
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function",
        page.scripts[1],
    )


def test_nothing_of_a_hostile_run_becomes_markup(hostile, small):
    attacked, plain = (Page(file.read_text(encoding="utf-8")) for file in (hostile, small))
    assert {tag for tag, _ in attacked.elements} <= {tag for tag, _ in plain.elements}
    assert len(attacked.scripts) == 2
    assert attacked.scripts[1] == plain.scripts[1]
    for _, attributes in attacked.elements:
        assert not [name for name in attributes if name.startswith("on")]
        assert not [value for value in attributes.values() if "example.org" in (value or "")]
    assert not re.search("[<>&\u2028\u2029]", attacked.scripts[0])


def test_a_hostile_run_is_shown_as_it_is(hostile):
    page = Page(hostile.read_text(encoding="utf-8"))
    texts = [str(sample["question"]) for sample in page.data["samples"]]
    for attack in runs.PWNED[:8]:
        assert attack in texts
    assert any("⟨U+0000⟩" in text and "⟨U+001B⟩" in text for text in texts)
    assert "model_version=<img" in page.text


def test_a_megabyte_of_response_is_cut_and_says_where_all_of_it_is(hostile):
    data = Page(hostile.read_text(encoding="utf-8")).data
    long = data["samples"][len(runs.PWNED)]
    _, lost, tail = long["response"]
    assert tail.endswith("ANSWER: B")
    assert lost > MEGABYTE - 50_000
    assert long["file"] == "20260101_120000_samples_worldbench.jsonl"
    assert hostile.stat().st_size < MEGABYTE


def test_texts_of_a_full_page_are_cut_as_much_as_they_must_and_short_ones_are_not(tmp_path):
    thoughts = [f"{number} " + "thought " * 5_000 for number in range(99)] + ["short"]
    lines = [
        made.worldbench("ANSWER: B", number, whole=f"<think>{thought}</think>ANSWER: B")
        for number, thought in enumerate(thoughts)
    ]
    page = page_of(runs.write(tmp_path, {"worldbench": lines}))
    *long, short = (sample["reasoning"] for sample in page.data["samples"])
    assert short == "<think>short</think>"
    kept = {len(head) + len(tail) for head, _, tail in long}
    assert len(kept) == 1
    assert kept < set(range(4_000, 20_000))
    assert 0.7 * MEGABYTE < len(page.html) < 2 * MEGABYTE


def test_a_large_run_is_shown_in_part_and_says_so_and_counts_all(tmp_path):
    results = runs.write(tmp_path, {"worldbench": runs.worldbench_lines(400)})
    page = page_of(results, most_samples=50)
    assert len(page.data["samples"]) == 50
    assert "50 of 400 samples are shown: the same number of every outcome" in page.text
    assert "of 400 questions" in page.text


def test_tasks_share_the_places_of_a_page(tmp_path):
    tasks = {"worldbench": runs.worldbench_lines(100), "geoqa": runs.geoqa_lines(6)}
    samples = page_of(runs.write(tmp_path, tasks), most_samples=30).data["samples"]
    assert sum(sample["task"] == "geoqa" for sample in samples) == 6
    assert sum(sample["task"] == "worldbench" for sample in samples) == 24


def test_a_page_without_samples_keeps_its_numbers(tmp_path):
    page = page_of(runs.write(tmp_path, {"worldbench": runs.worldbench_lines(30)}), most_samples=0)
    assert page.data["samples"] == []
    assert "No sample is shown." in page.text
    assert "of 30 questions" in page.text


def test_a_task_whose_samples_are_lost_is_named(tmp_path):
    tasks = {"worldbench": runs.worldbench_lines(5), "geoqa": runs.geoqa_lines(5)}
    results = runs.write(tmp_path, tasks)
    next(tmp_path.glob("*geoqa.jsonl")).unlink()
    assert (
        "The run logged no samples of geoqa: run it again with --log_samples ."
        in page_of(results).text
    )


def test_the_name_of_an_option_is_never_broken_and_no_foreign_text_is_kept_whole():
    assert unbroken("again with --log_samples, or <b>") == (
        'again with <code class="option">--log_samples</code>, or &lt;b&gt;'
    )
    for text in ("--" + "x" * 400, "a--b", "-- log", "---x"):
        assert unbroken(text) == text
    assert ".option { white-space: nowrap; }" in ASSETS.joinpath("report.css").read_text()


def test_samples_with_the_same_picture_share_it(tmp_path):
    data = page_of(runs.pictured_run(tmp_path, 40)).data
    assert all(sample["pictures"] for sample in data["samples"])
    assert len(data["pictures"]) == 20


def test_a_picture_for_which_there_is_no_room_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(building, "_PICTURE_BYTES", 12)
    data = page_of(runs.pictured_run(tmp_path, 20)).data
    without = [sample for sample in data["samples"] if "pictures" not in sample]
    assert 0 < len(without) < 20
    notes = {sample["picture_note"] for sample in without}
    assert notes == {"left out: the page's budget of pictures is used up"}


def test_no_pictures_where_none_are_wanted(tmp_path):
    data = page_of(runs.pictured_run(tmp_path, 5), with_pictures=False).data
    assert data["pictures"] == []
    assert {sample["picture_note"] for sample in data["samples"]} == {"left out: --no-pictures"}


def test_the_same_run_gives_the_same_page(small, tmp_path):
    results = small.with_name("20260101_120000_results.json")
    assert write_report(results, tmp_path / "again.html").read_bytes() == small.read_bytes()


def test_the_data_of_a_page_are_json_for_everybody(page):
    assert json.dumps(page.data)
