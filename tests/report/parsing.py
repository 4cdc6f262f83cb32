"""A page as a browser's parser sees it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from html.parser import HTMLParser
from typing import Any


class Page(HTMLParser):
    """Collects the elements of a page, its texts, and what its scripts hold."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.html = html
        self.elements: list[tuple[str, Mapping[str, str | None]]] = []
        self.scripts: list[str] = []
        self.texts: list[str] = []
        self._within: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._within.append(tag)
        if tag == "script":
            self.scripts.append("")

    def handle_endtag(self, tag: str) -> None:
        if tag in self._within:
            while self._within.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        if self._within and self._within[-1] == "script":
            self.scripts[-1] += data
        elif not self._within or self._within[-1] != "style":
            self.texts.append(data)

    @property
    def text(self) -> str:
        """All that can be read without the script, in one line."""
        return " ".join(" ".join(self.texts).split())

    @property
    def data(self) -> dict[str, Any]:
        """What the script is given."""
        return json.loads(self.scripts[0])

    @property
    def policy(self) -> str:
        """The page's Content-Security-Policy."""
        return next(
            str(attributes["content"])
            for tag, attributes in self.elements
            if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy"
        )
