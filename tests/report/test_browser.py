"""What a reader does with a report, in a real browser."""

from __future__ import annotations

import itertools
import re
from urllib.parse import unquote_plus

import pytest

from tests.report.browsing import SCHEMES, WIDTHS, browser, rows, visiting, wider_than_the_window
from tests.report.parsing import Page

pytestmark = pytest.mark.slow

LOOKS = list(itertools.product(WIDTHS, SCHEMES))


@pytest.fixture(scope="module")
def chromium():
    with browser() as started:
        yield started


@pytest.fixture
def visit(chromium):
    with visiting(chromium) as visit:
        yield visit


@pytest.fixture(scope="module")
def samples(small):
    return Page(small.read_text(encoding="utf-8")).data["samples"]


def title(tab) -> str:
    return tab.locator("#detail-title").inner_text()


def count(tab) -> str:
    return tab.locator("#count").inner_text()


def search(tab, words: str, *, found: int) -> None:
    tab.locator("#search").fill(words)
    tab.wait_for_function(
        "(found) => document.querySelectorAll('#list li[id]:not([hidden])').length === found",
        arg=found,
    )


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_every_chart_is_drawn_and_nothing_is_wider_than_the_window(visit, small, width, scheme):
    tab = visit(small, width=width, scheme=scheme)
    boxes = [chart.bounding_box() for chart in tab.locator(".chart svg").all()]
    assert len(boxes) >= 10
    for box in boxes:
        assert box["width"] > 200
        assert box["height"] > 20
        assert box["x"] + box["width"] <= width
    assert wider_than_the_window(tab) == 0
    ground = tab.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (min(map(int, re.findall(r"\d+", ground)[:3])) > 128) == (scheme == "light")


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_axe_finds_nothing_to_complain_of(visit, small, width, scheme):
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="pip install axe-playwright-python"
    ).Axe()
    tab = visit(small, "#task=worldbench", width=width, scheme=scheme)
    for details in tab.locator("details").all():
        details.evaluate("(element) => { element.open = true; }")
    if width == min(WIDTHS):
        found = axe.run(tab)
        assert not found.response["violations"], found.generate_report()
        tab.locator("#list li:not([hidden])").nth(2).click()
    found = axe.run(tab)
    assert not found.response["violations"], found.generate_report()


def test_axe_finds_nothing_in_the_help_either(visit, small):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    tab = visit(small)
    tab.locator("#keys").click()
    assert not axe.run(tab).response["violations"]


def test_outcomes_filter_and_their_counts_follow_the_other_filters(visit, small, samples):
    tab = visit(small)
    assert count(tab) == f"{len(samples)} samples"
    wrong = sum(sample["outcome"] == "wrong" for sample in samples)
    button = tab.get_by_role("button", name=f"wrong {wrong}")
    button.click()
    assert button.get_attribute("aria-pressed") == "true"
    assert count(tab) == f"{wrong} of {len(samples)} samples"
    assert len(rows(tab)) == wrong
    tab.get_by_label("Task", exact=True).select_option("=geoqa")
    geoqa = [sample for sample in samples if sample["task"] == "geoqa"]
    left = sum(sample["outcome"] == "wrong" for sample in geoqa)
    assert len(rows(tab)) == left
    right = sum(sample["outcome"] == "right" for sample in geoqa)
    assert tab.get_by_role("button", name=f"right {right}").count() == 1
    tab.locator("#clear").click()
    assert len(rows(tab)) == len(samples)


def test_every_facet_of_a_task_filters(visit, small, samples):
    tab = visit(small, "#task=worldbench")
    mine = [sample for sample in samples if sample["task"] == "worldbench"]
    for facet in ("domain", "category", "normalised reading"):
        value = mine[0]["facets"][facet]
        select = tab.get_by_label(facet.capitalize(), exact=True)
        expected = sum(sample["facets"].get(facet) == value for sample in mine)
        assert f"{value} ({expected})" in select.inner_text()
        select.select_option(f"={value}")
        assert len(rows(tab)) == expected
        select.select_option("")
    reason = next(sample["reason"] for sample in mine if "reason" in sample)
    tab.get_by_label("Reason", exact=True).select_option(f"={reason}")
    assert len(rows(tab)) == sum(sample.get("reason") == reason for sample in mine)


def test_search_finds_words_anywhere_and_marks_them(visit, small, samples):
    tab = visit(small)
    expected = [sample for sample in samples if "kettle" in str(sample).lower()]
    assert 0 < len(expected) < len(samples)
    search(tab, "KETTLE", found=len(expected))
    assert tab.locator("#detail mark").first.inner_text().lower() == "kettle"
    both = [sample for sample in expected if "boils" in str(sample)]
    search(tab, "boils kettle", found=len(both))
    search(tab, "no such word (.*", found=0)
    assert tab.get_by_text("No sample passes these filters.").first.is_visible()


def test_keys_walk_the_list_and_search_and_help(visit, small, samples):
    tab = visit(small)
    tab.keyboard.press("j")
    tab.keyboard.press("j")
    assert title(tab) == samples[2]["id"]
    tab.keyboard.press("k")
    assert title(tab) == samples[1]["id"]
    tab.locator("#list").focus()
    tab.keyboard.press("ArrowDown")
    assert title(tab) == samples[2]["id"]
    tab.keyboard.press("End")
    assert title(tab) == samples[-1]["id"]
    active = tab.locator("#list").get_attribute("aria-activedescendant")
    assert tab.locator(f"#{active}").get_attribute("aria-selected") == "true"
    tab.keyboard.press("/")
    assert tab.evaluate("document.activeElement.id") == "search"
    tab.keyboard.type("jkj?/")
    assert tab.locator("#search").input_value() == "jkj?/"
    tab.keyboard.press("Escape")
    assert tab.locator("#search").input_value() == ""
    assert len(rows(tab)) == len(samples)
    tab.keyboard.press("?")
    assert tab.locator("#help").is_visible()
    tab.keyboard.press("Escape")
    assert not tab.locator("#help").is_visible()


def test_single_keys_can_be_turned_off(visit, small, samples):
    tab = visit(small)
    tab.locator("#keys").click()
    tab.locator("#single-keys").uncheck()
    tab.keyboard.press("Escape")
    tab.evaluate("document.activeElement.blur()")
    tab.keyboard.press("j")
    assert title(tab) == samples[0]["id"]


def test_the_address_restores_filters_search_and_sample(visit, small, samples):
    tab = visit(small, "#task=worldbench")
    tab.get_by_role("button", name=re.compile("^✗?wrong")).click()
    search(tab, "cups", found=len(rows(tab)))
    tab.wait_for_function("() => location.hash.includes('q=cups')")
    tab.locator("#list").focus()
    tab.keyboard.press("ArrowDown")
    seen, left, link = title(tab), rows(tab), tab.evaluate("location.hash")
    again = visit(small, link)
    assert title(again) == seen
    assert rows(again) == left
    assert again.locator("#search").input_value() == "cups"


def test_a_sample_s_own_link_opens_it_alone(visit, small, samples):
    tab = visit(small)
    tab.keyboard.press("j")
    link = tab.get_by_role("link", name="Link to this sample").get_attribute("href")
    assert unquote_plus(link) == f"#sample={samples[1]['key']}"
    other = visit(small, link, width=390)
    assert title(other) == samples[1]["id"]
    assert other.locator("#detail").is_visible()


def test_a_link_to_a_sample_that_is_not_here_says_so(visit, small):
    tab = visit(small, "#sample=worldbench%2F99999")
    assert "worldbench/99999, is not in this page" in count(tab)


def test_the_counts_of_a_task_lead_to_its_samples(visit, small, samples):
    tab = visit(small)
    tab.locator("section.task").nth(3).get_by_role("link", name="no answer").click()
    expected = [
        sample
        for sample in samples
        if sample["task"] == "geoqa" and sample["outcome"] == "no answer"
    ]
    assert len(rows(tab)) == len(expected) > 0
    tab.go_back()


def test_long_responses_and_reasoning_are_folded(visit, small, samples):
    place, sample = next(
        (place, sample)
        for place, sample in enumerate(samples)
        if isinstance(sample.get("reasoning"), str) and len(sample["reasoning"]) > 1_600
    )
    tab = visit(small, f"#sample={sample['key'].replace('/', '%2F')}")
    thought = tab.locator("#detail details .text")
    assert not thought.is_visible()
    tab.locator("#detail summary").click()
    tab.get_by_role("button", name=f"Show all {len(sample['reasoning']):,} characters").click()
    assert thought.inner_text() == sample["reasoning"], place


def test_on_a_phone_the_list_and_the_sample_take_turns(visit, small, samples):
    tab = visit(small, width=390)
    assert not tab.locator("#detail").is_visible()
    tab.locator("#list li[id]").nth(1).click()
    assert title(tab) == samples[1]["id"]
    assert not tab.locator("#list").is_visible()
    assert wider_than_the_window(tab) == 0
    tab.get_by_role("button", name="Next sample").click()
    assert title(tab) == samples[2]["id"]
    tab.get_by_role("button", name="List").click()
    assert tab.locator("#list").is_visible()


def test_the_theme_can_be_chosen_and_is_kept(visit, small):
    tab = visit(small, scheme="light")
    for theme in ("light", "dark"):
        tab.locator("#theme").click()
        assert tab.locator("html").get_attribute("data-theme") == theme
    tab.reload()
    assert tab.locator("#theme").inner_text() == "Theme: dark"
    assert tab.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"


def test_every_outcome_has_a_sign_and_a_word(visit, small, samples):
    tab = visit(small)
    for place, sample in enumerate(samples):
        text = tab.locator(f"#row-{place}").inner_text()
        assert sample["outcome"] in text
        assert re.search("[✓◐✗–?]", text)


def test_paper_has_the_tables_and_not_the_filters(visit, small):
    tab = visit(small)
    tab.emulate_media(media="print")
    tab.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert tab.locator("table").first.is_visible()
    assert not tab.locator("#filters").is_visible()
    assert len(tab.pdf()) > 10_000
    tab.evaluate("dispatchEvent(new Event('afterprint'))")
    tab.emulate_media(media="screen")
    assert not tab.locator("table").first.is_visible()


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1440, "light")])
def test_nothing_of_a_hostile_run_runs_or_breaks_the_layout(visit, hostile, width, scheme):
    tab = visit(hostile, width=width, scheme=scheme)
    total = len(rows(tab))
    assert total == 25
    for _ in range(total):
        for hidden, open_it in (("details", "one.open = true"), (".unfold", "one.click()")):
            tab.locator(f"#detail {hidden}").evaluate_all(
                f"(all) => all.forEach((one) => {open_it})"
            )
        assert wider_than_the_window(tab) == 0
        tab.keyboard.press("j")
    assert tab.evaluate("window.pwned") is None
    assert tab.locator("iframe, object, embed, #detail script, #detail img").count() == 0


_INTRUDE = """() => {
    const script = document.createElement("script");
    script.textContent = "window.pwned = 1";
    document.body.append(script);
    document.body.setAttribute("onclick", "window.pwned = 2");
    document.body.click();
    return window.pwned === undefined;
}"""


def test_the_policy_stops_what_would_get_into_the_page_anyway(chromium, small):
    def intrude() -> None:
        with visiting(chromium) as visit:
            assert visit(small).evaluate(_INTRUDE)

    with pytest.raises(AssertionError, match="Content Security Policy"):
        intrude()
