"""What a model was asked and what it said, taken apart for a reader.

A log holds prompts, not rows. The prompts of our tasks are taken apart into question and options; a
prompt of another form is shown whole.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_uppercase

from lmms_eval_tasks.results.run import Sample
from lmms_eval_tasks.worldqa.prompts import CHOICE_INSTRUCTION
from lmms_eval_tasks_core.responses import answer_text

_LABEL = re.compile(r"^([A-Z])\. ", re.MULTILINE)
_DESCRIPTION = "Description of the video:\n"
_FEWEST = 2


@dataclass(frozen=True, slots=True)
class Asked:
    """A prompt taken apart.

    Attributes:
        question: The question; the whole prompt where it has no form that is known.
        options: Each letter with its text; empty where the prompt shows none.
        description: What the prompt says about the video, "" where it says nothing.
    """

    question: str
    options: Sequence[tuple[str, str]] = ()
    description: str = ""

    def steps(self) -> list[tuple[str, str]]:
        """What came before the question, named."""
        return [("description of the video", self.description)] if self.description else []


def apart(prompt: str) -> Asked:
    """Take a prompt of WorldQA or WorldBench, or the letter choice of GeoQA, apart.

    The options are the last lines that begin with ``A. ``, ``B. ``, … in order; they end at a blank
    line or at WorldQA's instruction.
    """
    prompt = prompt.strip()
    body = prompt.removesuffix(CHOICE_INSTRUCTION)
    labels = _option_labels(body)
    question = (body[: labels[0].start()] if labels else body).strip()
    description = ""
    if question.startswith(_DESCRIPTION):
        described, _, question = question.rpartition("\n\n")
        description = described.removeprefix(_DESCRIPTION).strip()
    return Asked(question, _options(body, labels), description)


def told_apart(sample: Sample) -> tuple[str, str]:
    """The response as it was scored, and the reasoning before it that was not."""
    whole, response = sample.whole_response, sample.response
    if whole == response:
        answer = answer_text(response)
        # Only text that stands in the response as it is can be cut out of it.
        if not isinstance(answer, str) or answer not in response:
            return response, ""
        response = answer
    before, found, after = whole.rpartition(response) if response.strip() else (whole, "", "")
    if not found and response.strip():
        return response, whole
    return response, "\n".join(filter(None, (before.strip(), after.strip())))


def _option_labels(text: str) -> list[re.Match[str]]:
    """The labels of the last list of options; [] where there is none."""
    found = list(_LABEL.finditer(text))
    for start in reversed([i for i, label in enumerate(found) if label[1] == "A"]):
        run: list[re.Match[str]] = []
        for label in found[start:]:
            if len(run) < len(ascii_uppercase) and label[1] == ascii_uppercase[len(run)]:
                run.append(label)
        if len(run) >= _FEWEST:
            return run
    return []


def _options(text: str, labels: Sequence[re.Match[str]]) -> list[tuple[str, str]]:
    ends = [label.start() for label in labels[1:]]
    if labels:
        blank = text.find("\n\n", labels[-1].end())
        ends.append(len(text) if blank < 0 else blank)
    return [
        (label[1], text[label.end() : end].strip()) for label, end in zip(labels, ends, strict=True)
    ]
