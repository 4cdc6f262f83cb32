"""A report as one file: no network, no script but its own, every text escaped."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from urllib.parse import urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from lmms_eval_tasks import __version__
from lmms_eval_tasks.report import wording
from lmms_eval_tasks.report.document import OUTCOMES, Document
from lmms_eval_tasks.report.model import Panel
from lmms_eval_tasks.report.payload import payload
from lmms_eval_tasks.report.texts import visible

ASSETS = Path(__file__).with_name("assets")
_VIEW_BOX = re.compile(r'viewBox="[\d.-]+ [\d.-]+ [\d.]+ ([\d.]+)"')
_COLUMNS = 3
_UNIT = re.compile(r"(?<=\d) %")
# Longer than any option of ours would be wider than a phone, and is somebody else's text.
_OPTION = re.compile(r"(?<![\w-])(--[a-z][a-z_-]{1,20})(?![\w-])")


def rendered(document: Document) -> str:
    """The page as HTML.

    Its policy lets the browser run the page's own script, known by its hash, and load nothing but
    pictures that stand in the page: whatever a response says is text.
    """
    environment = Environment(
        loader=FileSystemLoader(ASSETS),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_visible,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {
        "anchor": anchor,
        "breakable": breakable,
        "lanes": lanes,
        "link": link,
        "numbers_and_rest": wording.numbers_and_rest,
        "sign": OUTCOMES,
        "unbroken": unbroken,
    }
    script = _asset("report.js")
    return environment.get_template("report.html.j2").render(
        document=document,
        run=document.run,
        model=wording.model_of(document.run),
        date=wording.date_of(document.run),
        zone=wording.zone_of(document.run),
        choice=wording.choice(document),
        version=__version__,
        policy=policy(script),
        # Ours, and JSON that holds no markup.
        style=Markup(_asset("report.css")),  # noqa: S704
        script=Markup(script),  # noqa: S704
        samples=Markup(payload(document)),  # noqa: S704
    )


def policy(script: str) -> str:
    """The Content-Security-Policy of a page with this script."""
    digest = b64encode(sha256(script.encode()).digest()).decode("ascii")
    return (
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; "
        f"script-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    )


def anchor(number: int) -> str:
    """The id of a task's section."""
    return f"task-{number}"


def breakable(name: str) -> Markup:
    """A name of a task or a file, which may go on in the next line after an underscore."""
    return Markup("_<wbr>").join(visible(name).split("_"))


def unbroken(text: str) -> Markup:
    """A text of which no line ends within the name of an option: ``--log_samples``."""
    parts = _OPTION.split(_spaced(text))
    parts[1::2] = [Markup('<code class="option">{}</code>').format(part) for part in parts[1::2]]
    return Markup("").join(parts)


def link(**filters: str) -> str:
    """A link to the samples that filters let through, as the script writes it."""
    return f"#{urlencode(filters)}"


def lanes(panels: Sequence[Panel]) -> list[list[tuple[int, Panel]]]:
    """The panels in columns of about the same height, that do not move when one is unfolded.

    Returns:
        The panels of each column, each with its place among all.
    """
    columns: list[list[tuple[int, Panel]]] = [[] for _ in range(_COLUMNS)]
    heights = [0.0] * _COLUMNS
    for place, panel in enumerate(panels):
        shortest = heights.index(min(heights))
        columns[shortest].append((place, panel))
        heights[shortest] += _height(panel)
    return [column for column in columns if column]


def _height(panel: Panel) -> float:
    """About how high a panel is, in the units of its chart."""
    drawn = _VIEW_BOX.search(panel.svg or "")
    texts = sum(len(text) for text in (panel.lead, *panel.notes))
    return (float(drawn[1]) if drawn else 0.0) + texts / 3 + 100


def _asset(name: str) -> str:
    return ASSETS.joinpath(name).read_text(encoding="utf-8")


def _visible(value: object) -> object:
    """A text as it is shown; a number stays on one line with its unit."""
    return _spaced(value) if type(value) is str else value


def _spaced(text: str) -> str:
    return _UNIT.sub("\N{NO-BREAK SPACE}%", visible(text))
