"""The page and the terminal: whole, readable, and safe from what a model may have said."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from itertools import pairwise

import pytest

from lmms_eval_tasks.compare.wording import shown
from tests.compare.invoking import compared, invoke
from tests.results.layout import open_ended, worldbench, write_run

HOSTILE = (
    "</pre><script>steal()</script><img src=x onerror=steal()>"
    "<a href='javascript:steal()' style='position:fixed'>&lt;b&gt; {{ 7*7 }} {% raw %}"
    "<!-- --><svg/onload=steal()>\x1b[2J\x07\u202egnp.exe\u2066 ]]> \" ' `"
)
TAGS = {
    *re.findall(
        r"\S+",
        "html head meta title style body header h1 main section h2 h3 h4 ul li div table caption "
        "thead tbody tr th td span p a code svg line circle details summary article bdi pre",
    )
}
ATTRIBUTES = {
    *re.findall(
        r"\S+",
        "lang charset name content http-equiv class role tabindex aria-label aria-labelledby "
        "aria-hidden focusable id scope href dir viewbox preserveaspectratio x1 x2 y1 y2 cx cy r",
    )
}
VOID = {"meta", "line", "circle"}


class Page(HTMLParser):
    """What a browser would find: tags, attributes, and texts by the tag around them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.texts: list[tuple[str, str]] = []
        self.comments: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append((self.open[-1] if self.open else "", data))

    def handle_comment(self, data):
        self.comments.append(data)

    def of(self, tag):
        return [text for around, text in self.texts if around == tag]

    def attributes(self, tag):
        return [attributes for name, attributes in self.tags if name == tag]


def hostile_runs(tmp_path):
    a = [worldbench(number, right=False) for number in range(8)]
    b = [
        worldbench(
            number,
            right=number < 6,
            domain=HOSTILE if number < 2 else "scenes",
            chosen=HOSTILE,
            id=f"q{number}{HOSTILE}",
        )
        for number in range(8)
    ]
    for line, other in zip(a, b, strict=True):
        line["accuracy"] |= {"id": other["accuracy"]["id"], "domain": other["accuracy"]["domain"]}
        line["filtered_resps"] = HOSTILE
        line["accuracy"] |= {"outcome": "no_answer", "reason": HOSTILE}
    config = {"config": {"model": HOSTILE, "model_args": HOSTILE}}
    return [
        write_run(tmp_path / name, {"worldbench": lines}, **config)
        for name, lines in (("a", a), ("b", b))
    ]


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    return hostile_runs(tmp_path_factory.mktemp("hostile"))


@pytest.fixture(scope="module")
def html(runs):
    file = runs[0] / "page.html"
    assert f"Wrote {file}." in invoke(*runs, "--html", file).output
    return file.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def page(html):
    return Page(html)


def test_what_models_said_leaves_no_live_markup(page):
    assert page.open == []
    assert page.comments == []
    assert {tag for tag, _ in page.tags} <= TAGS
    for _, attributes in page.tags:
        assert set(attributes) <= ATTRIBUTES
    assert all(a["href"].startswith("#") for a in page.attributes("a"))


def test_what_models_said_can_be_read_as_they_said_it(page):
    assert shown(HOSTILE) in page.of("pre")
    assert any(HOSTILE[:60] in text for text in page.of("bdi"))


def test_control_characters_and_marks_of_direction_are_shown_and_not_obeyed(html, runs):
    said = invoke(*runs).output
    for text in (html, said):
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text)
        assert "⟨U+001B⟩" in text
        assert "⟨U+202E⟩" in text


def test_rich_markup_in_a_response_stays_text(tmp_path):
    a, b = ([worldbench(0, right=right, chosen="[red]x[/red]")] for right in (False, True))
    paths = [
        write_run(tmp_path / name, {"worldbench": lines}) for name, lines in (("a", a), ("b", b))
    ]
    assert invoke(*paths).output.count("[red]x[/red] →") == 4


def test_scripts_that_run_from_right_to_left_are_left_as_they_are():
    assert shown("שלום مرحبا\n\tx\r\ny") == "שלום مرحبا\n\tx\ny"


def test_the_page_needs_no_network(html, page):
    assert page.attributes("script") == page.attributes("link") == page.attributes("img") == []
    assert "url(" not in html.partition("</style>")[0]
    assert "@import" not in html.partition("</style>")[0]
    (policy,) = [
        meta["content"]
        for meta in page.attributes("meta")
        if meta.get("http-equiv") == "Content-Security-Policy"
    ]
    assert policy.startswith("default-src 'none'")


def test_the_page_is_light_or_dark_and_fits_a_phone(html, page):
    assert "prefers-color-scheme: dark" in html
    assert {"name": "viewport", "content": "width=device-width, initial-scale=1"} in [
        *page.attributes("meta")
    ]
    # What is wider than a phone scrolls by itself, and by keyboard.
    regions = [attributes for attributes in page.attributes("div") if "role" in attributes]
    assert len(regions) == len(page.attributes("table"))
    assert all(region["tabindex"] == "0" and region["aria-label"] for region in regions)


def test_the_page_is_in_order_for_those_who_listen(page):
    assert page.attributes("html") == [{"lang": "en"}]
    headings = [int(tag[1]) for tag, _ in page.tags if re.fullmatch("h[1-6]", tag)]
    assert headings[0] == 1
    assert headings.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(headings))
    assert all(header["scope"] in {"col", "row"} for header in page.attributes("th"))
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    labels = [
        attributes["aria-label"] for attributes in page.attributes("div") if "role" in attributes
    ]
    assert len(labels) == len(set(labels))
    named = [section["aria-labelledby"] for section in page.attributes("section")]
    assert set(named) <= set(ids)


def test_colour_never_says_anything_alone(page):
    assert page.of("span").count("B better") == 12
    assert "+75.0" in page.of("td")


def test_the_page_holds_every_question_that_differs(runs, page):
    measures = compared(*runs)["tasks"][0]["measures"].values()
    assert len(page.attributes("article")) == sum(len(one["flips"]) for one in measures) == 12


def test_what_is_not_comparable_stands_at_the_top_of_the_page(tmp_path):
    lines = [open_ended(number, 50.0) for number in range(6)]
    a = write_run(tmp_path / "a", {"worldqa_open_ended": lines})
    config = {"config": {"model": "m", "limit": 6}}
    b = write_run(tmp_path / "b", {"worldqa_open_ended": lines}, **config)
    file = tmp_path / "page.html"
    invoke(a, b, "--anyway", "--html", file)
    page = Page(file.read_text(encoding="utf-8"))
    assert page.of("h2")[0] == "Not comparable, compared anyway"
    assert page.of("li")[0] == "worldqa_open_ended, A and B: limit: none in A, 6 in B"


@pytest.mark.parametrize("name", ["--ink", "--paper", "--muted", "--line", "--accent", "--good"])
def test_colours_have_names(html, name):
    assert html.count(f"{name}:") == 2


def luminance(colour: str) -> float:
    channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("name", ["ink", "muted", "accent", "good", "bad"])
@pytest.mark.parametrize("ground", ["paper", "panel"])
def test_text_stands_out_from_its_ground(html, scheme, name, ground):
    light, dark = (
        luminance(re.findall(rf"--{which}: (#\w+);", html)[scheme]) for which in (name, ground)
    )
    # What WCAG 2 asks of text at level AA.
    assert (max(light, dark) + 0.05) / (min(light, dark) + 0.05) >= 4.5
