"""What was found, on a terminal or as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from lmms_eval_tasks import __version__
from lmms_eval_tasks.doctor.finding import Check, Finding, Level

if TYPE_CHECKING:
    from rich.console import Console

_GLYPHS = {Level.OK: "✓", Level.SKIPPED: "–", Level.WARNING: "!", Level.ERROR: "✗"}
_PLAIN_GLYPHS = {Level.OK: "+", Level.SKIPPED: "-", Level.WARNING: "!", Level.ERROR: "x"}
_COLOURS = {
    Level.OK: "green",
    Level.SKIPPED: "bright_black",
    Level.WARNING: "yellow",
    Level.ERROR: "red",
}
_WORDS = max(len(level.value) for level in Level)
_INDENT = "  "


def as_json(found: Iterable[tuple[Check, Sequence[Finding]]]) -> str:
    """Everything as one JSON object."""
    findings: list[dict[str, Any]] = [
        {
            "family": check.family,
            "name": finding.name,
            "level": finding.level.value,
            "found": finding.found,
            "remedy": finding.remedy,
        }
        for check, several in found
        for finding in several
    ]
    ok = all(finding["level"] != Level.ERROR.value for finding in findings)
    shown = {"version": __version__, "ok": ok, "findings": findings}
    return json.dumps(shown, ensure_ascii=False, indent=1)


class Page:
    """Writes findings under their headings as they come.

    Args:
        console: Where to.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._family = ""
        is_utf = console.encoding.lower().startswith("utf")
        self._glyphs = _GLYPHS if is_utf else _PLAIN_GLYPHS
        self._arrow = "→" if is_utf else "->"

    def write(self, check: Check, findings: Iterable[Finding]) -> None:
        """Write what one check has found."""
        if check.family != self._family:
            self._line(f"{chr(10) if self._family else ''}{check.family}")
            self._family = check.family
        for finding in findings:
            self._write(finding)

    def end(self, levels: Sequence[Level]) -> None:
        """Say what it comes to."""
        self._line("")
        self._line(in_words(levels))

    def _write(self, finding: Finding) -> None:
        from rich.text import Text  # noqa: PLC0415 - not for a help text

        level = finding.level
        mark = f"{self._glyphs[level]} {level.value:<{_WORDS}}"
        line = Text(f"{_INDENT}{mark}  ", style=_COLOURS[level])
        line.append(f"{finding.name}: {finding.found}", style="default")
        self._console.print(line, soft_wrap=True, highlight=False)
        if finding.remedy:
            space = " " * (len(_INDENT) + len(mark) + 2)
            self._line(f"{space}{self._arrow} {finding.remedy}")

    def _line(self, text: str) -> None:
        self._console.print(text, soft_wrap=True, highlight=False, markup=False)


def in_words(levels: Sequence[Level]) -> str:
    """What findings of these levels come to, in one sentence."""
    counts = {level: levels.count(level) for level in Level}
    errors, warnings = counts[Level.ERROR], counts[Level.WARNING]
    skipped = counts[Level.SKIPPED]
    troubles = ", ".join(filter(None, (_counted(errors, "error"), _counted(warnings, "warning"))))
    if not skipped:
        return f"{troubles or 'Everything is there'}."
    were = "was" if skipped == 1 else "were"
    not_looked_at = f"{_counted(skipped, 'check')} {were} skipped"
    return f"{troubles or 'Nothing is missing in what was checked'}; {not_looked_at}."


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'s' if count != 1 else ''}" if count else ""
