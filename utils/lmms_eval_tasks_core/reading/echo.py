"""Taking out the options that a response repeats from the question."""

from __future__ import annotations

import re

from lmms_eval_tasks_core.reading.option_text import OptionTexts

_LABEL = re.compile(r"(?<![\w.])\(?([A-Z])(?:[.:)] ?| - )(?=\S)")
# Labels tried at the end of a line; an option text may hold one itself ("Plan B: leave").
_MOST_LABELS = 3


def without_echo(text: str, texts: OptionTexts) -> str:
    """Take repeated option lists out of a plain text: a list of all options chooses none.

    Out goes a run of two or more lines that each are a letter with its own text, in the order of
    the options ("A. red", "B. blue"), the first of which may stand at the end of a line; and what
    lies between the first and the last label of a line that has all the labels in order.
    """
    kept: list[str] = []
    run: list[str] = []
    last = ""
    for line in text.split("\n"):
        shortened = _without_inline_list(line, texts)
        letter = _option_at(shortened, 0, texts)
        if last and letter > last:
            run.append(shortened)
        else:
            kept.append(_closed(run, texts))
            run = [shortened]
        last = letter or _option_at_end(shortened, texts)[0]
    kept.append(_closed(run, texts))
    return "\n".join(line for line in kept if line)


def _closed(run: list[str], texts: OptionTexts) -> str:
    """What is left of a run of lines: itself if there is no list in it, else what opens it."""
    if len(run) > 1:
        return run[0][: _option_at_end(run[0], texts)[1]].rstrip()
    return "".join(run)


def _option_at(line: str, start: int, texts: OptionTexts) -> str:
    """The letter of an option that fills a line from a position on, with its letter; or ""."""
    label = _LABEL.match(line, start)
    if not label or label[1] not in texts.options.letters:
        return ""
    return label[1] if texts.is_text_of(label[1], line[label.end() :]) else ""


def _option_at_end(line: str, texts: OptionTexts) -> tuple[str, int]:
    """The letter and the position of an option that ends a line with its letter; or "" and 0."""
    for label in [*_LABEL.finditer(line)][-_MOST_LABELS:]:
        letter = _option_at(line, label.start(), texts)
        if letter:
            return letter, label.start()
    return "", 0


def _without_inline_list(line: str, texts: OptionTexts) -> str:
    wanted = iter(texts.options.letters)
    letter = next(wanted)
    start = -1
    for label in _LABEL.finditer(line):
        if label[1] != letter:
            continue
        start = label.start() if start < 0 else start
        letter = next(wanted, "")
        if not letter:
            text = texts.at(line, label.end())
            end = text.end() if text else label.end()
            return f"{line[:start].rstrip()} {line[end:].lstrip(' .;,')}".strip()
    return line
