"""The command ``lmms-eval-tasks report``, and the file it leaves."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

from lmms_eval_tasks.cli import main
from lmms_eval_tasks.report.writing import write_report
from tests.report import runs
from tests.report.parsing import Page


def report(*arguments):
    return CliRunner().invoke(main, ["report", *map(str, arguments)])


@pytest.fixture
def run(tmp_path):
    return runs.write(tmp_path / "run", {"geoqa": runs.geoqa_lines(5)})


def test_the_page_lies_beside_the_results(run):
    said = report(run.parent)
    assert said.exit_code == 0, said.output
    page = run.with_name("20260101_120000_report.html")
    assert page.is_file()
    assert said.output.splitlines() == [f"Wrote {page} (0.1 MB)."]


def test_the_page_lies_where_it_is_wanted_and_holds_what_is_wanted(run, tmp_path):
    page = tmp_path / "page.html"
    said = report(run, "-o", page, "--max-samples", "2", "--no-pictures")
    assert said.exit_code == 0, said.output
    assert len(Page(page.read_text(encoding="utf-8")).data["samples"]) == 2


def test_of_several_runs_it_is_told_which_was_taken(run, tmp_path):
    older = runs.write(tmp_path / "other model", {"geoqa": runs.geoqa_lines(5)})
    for file in [*older.parent.iterdir()]:
        file.rename(file.with_name(file.name.replace("20260101", "20251231")))
    said = report(tmp_path)
    assert said.exit_code == 0, said.output
    page = run.with_name("20260101_120000_report.html")
    assert f"Took the newest of 2 runs in {tmp_path}: {run}." in said.output.splitlines()
    assert f"Wrote {page} (0.1 MB)." in said.output.splitlines()
    assert "Took" not in report(run).output


def test_open_hands_the_page_to_the_browser(run, monkeypatch):
    opened = []
    monkeypatch.setattr(click, "launch", lambda url: opened.append(url) or 0)
    assert report(run, "--open").exit_code == 0
    assert opened == [run.with_name("20260101_120000_report.html").as_uri()]


def test_where_no_browser_starts_the_page_is_named(run, monkeypatch):
    monkeypatch.setattr(click, "launch", lambda url: 1)
    said = report(run, "--open")
    assert said.exit_code == 1
    assert "No browser could be started: open " in said.output


def _nothing_there(folder):
    return folder / "nowhere", "There is no "


def _empty(folder):
    return folder, "holds no run of lmms-eval"


def _half_written(folder):
    results = runs.write(folder, {"geoqa": runs.geoqa_lines(5)})
    results.write_text(results.read_text()[:-40])
    return folder, "is cut short or no JSON"


def _foreign(folder):
    (folder / "1_results.json").write_text('{"results": []}')
    return folder, "no results file of lmms-eval"


def _another_task(folder):
    configs = {"mmmu": {"metric_list": []}}
    text = json.dumps({"results": {"mmmu": {}}, "configs": configs})
    (folder / "1_results.json").write_text(text)
    return folder, "has no task of WorldQA, WorldBench or GeoQA (mmmu)"


def _no_samples(folder):
    results = runs.write(folder, {"geoqa": runs.geoqa_lines(5)})
    next(folder.glob("*.jsonl")).unlink()
    return results, "Run it again with --log_samples."


def _half_a_sample(folder):
    runs.write(folder, {"geoqa": runs.geoqa_lines(5)})
    samples = next(folder.glob("*.jsonl"))
    samples.write_text(samples.read_text()[:-40])
    return folder, "line 5: the line is cut or no JSON"


@pytest.mark.parametrize(
    "damaged",
    [
        *(_nothing_there, _empty, _half_written, _foreign),
        *(_another_task, _no_samples, _half_a_sample),
    ],
)
def test_what_cannot_be_reported_ends_in_one_sentence(tmp_path, damaged):
    run, sentence = damaged(tmp_path)
    said = report(run, "-o", tmp_path / "page.html")
    assert said.exit_code == 1
    assert said.output.startswith("Error: ")
    assert sentence in said.output
    assert "Traceback" not in said.output
    assert not (tmp_path / "page.html").exists()


def test_a_folder_that_is_not_there_is_named(run, tmp_path):
    said = report(run, "-o", tmp_path / "missing" / "page.html")
    assert said.exit_code == 1
    assert said.output.startswith(f"Error: There is no folder {tmp_path / 'missing'}.")


def test_a_page_that_was_there_stays_until_the_new_one_is_complete(run):
    page = write_report(run)
    whole = page.read_bytes()
    samples = next(run.parent.glob("*.jsonl"))
    samples.write_text(samples.read_text() + "{")
    assert report(run).exit_code == 1
    assert page.read_bytes() == whole
    assert sorted(file.suffix for file in run.parent.iterdir()) == [".html", ".json", ".jsonl"]


def test_who_reads_the_old_page_keeps_it_whole(run):
    page = write_report(run)
    whole = page.read_bytes()
    reader = run.parent / "reader"
    os.link(page, reader)
    assert report(run, "--max-samples", "1").exit_code == 0
    assert reader.read_bytes() == whole != page.read_bytes()


def test_no_half_of_a_page_is_left_where_it_cannot_be_put(run):
    (run.parent / "page.html").mkdir()
    with pytest.raises(OSError, match=r"page\.html"):
        write_report(run, run.parent / "page.html")
    assert not list(run.parent.glob(".*"))


@pytest.mark.skipif(os.name == "nt", reason="Windows knows no such permissions")
def test_others_may_read_a_page_as_any_other_file(run):
    page = write_report(run)
    plain = run.parent / "plain"
    plain.touch()
    assert stat.S_IMODE(page.stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)


_HELP = """
import sys
from lmms_eval_tasks.cli import main
main(['report', '--help'], standalone_mode=False)
heavy = {'jinja2', 'rich', 'PIL', 'vl_convert', 'datasets', 'numpy'} & set(sys.modules)
assert not heavy, heavy
"""


def test_the_help_is_there_without_what_a_report_needs():
    said = subprocess.run(
        [sys.executable, "-c", _HELP], capture_output=True, text=True, check=False
    )
    assert said.returncode == 0, said.stderr
    assert "lmms-eval-tasks report results --open" in said.stdout
