"""A real browser that looks at a page and minds everything that goes wrong."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

WIDTHS = {390: 844, 1440: 900}
SCHEMES = ("light", "dark")
_COMMANDS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_FLAGS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
_WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"

Visit = Callable[..., Any]


@contextmanager
def browser() -> Iterator[Any]:
    """Chromium as the system has it, with a profile of its own."""
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="playwright is not installed: pip install playwright"
    )
    command = next(filter(None, map(shutil.which, _COMMANDS)), None)
    if command is None:
        pytest.skip("no Chromium is installed: apt-get install chromium")
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=command, args=list(_FLAGS))
        yield started
        started.close()


@contextmanager
def visiting(started: Any) -> Iterator[Visit]:
    """Opens pages; at the end it fails for an error, a warning, a dialog or a request on any."""
    troubles: list[str] = []
    contexts = []

    def visit(page: Path, link: str = "", *, width: int = 1440, scheme: str = "light") -> Any:
        size = {"width": width, "height": WIDTHS[width]}
        context = started.new_context(viewport=size, color_scheme=scheme)
        contexts.append(context)
        tab = context.new_page()
        tab.set_default_timeout(5_000)
        tab.on("console", lambda said: troubles.append(f"{said.type}: {said.text}"))
        tab.on("pageerror", lambda error: troubles.append(str(error)))
        tab.on("dialog", lambda dialog: (troubles.append(dialog.message), dialog.dismiss()))
        tab.on("request", lambda request: troubles.extend(_outside(request.url)))
        tab.goto(f"{page.as_uri()}{link}")
        return tab

    yield visit
    for context in contexts:
        context.close()
    assert not troubles, "\n".join(troubles)


def wider_than_the_window(tab: Any) -> int:
    """By how many pixels a page can be scrolled sideways."""
    return tab.evaluate(_WIDER)


def rows(tab: Any) -> list[str]:
    """The ids of the samples in the list."""
    return tab.evaluate(
        "[...document.querySelectorAll('#list li[id]:not([hidden])')].map((row) => row.id)"
    )


def _outside(url: str) -> list[str]:
    return [] if url.startswith(("file:", "data:")) else [f"request: {url}"]
