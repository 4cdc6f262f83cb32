"""From what the harness hands over to the text in which a model gives its answer."""

from __future__ import annotations

import re

from lmms_eval_tasks_core.outcome import NoAnswer, NoAnswerReason

# lmms-eval passes these on as if the model had said them (models/chat/openai.py and its kin).
_FAILURE_TEXT = re.compile(r"\[LMMS_EVAL_(REQUEST_FAILED|BUDGET_EXCEEDED)\b")
_REASONING_TAG = re.compile(r"<(/?)(think|thinking|thought|analysis|reasoning)>", re.IGNORECASE)


def answer_text(response: object) -> str | NoAnswer:
    """Find the text in which a model answers.

    Args:
        response: What ``process_results`` got for one request: a string, or whatever a model
            returned in its place.

    Returns:
        The response without its reasoning blocks and surrounding white space, as valid Unicode
        (a lone surrogate becomes U+FFFD); or why there is no answer in it: the request failed,
        nothing was said, or the thought was never closed.
    """
    if not isinstance(response, str):
        return NoAnswer(NoAnswerReason.EMPTY)
    text = valid_unicode(response)
    if _FAILURE_TEXT.match(text.lstrip()):
        return NoAnswer(NoAnswerReason.REQUEST_FAILED, {"failure": text.strip()[:300]})
    answer = _after_reasoning(text)
    if answer is None:
        return NoAnswer(NoAnswerReason.UNFINISHED_THOUGHT)
    return answer or NoAnswer(NoAnswerReason.EMPTY)


def valid_unicode(text: str) -> str:
    """Replace lone surrogates, which no file or request can carry, by U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _after_reasoning(text: str) -> str | None:
    """The text outside reasoning blocks, or None where a block was never closed."""
    kept: list[str] = []
    resume, open_tag = 0, None
    for tag in _REASONING_TAG.finditer(text):
        closing, name = bool(tag[1]), tag[2].lower()
        if open_tag is None and not closing:
            kept.append(text[resume : tag.start()])
            open_tag = name
        elif open_tag is None:
            # Some chat templates open the block in the prompt: a response may hold its end alone.
            kept.clear()
            resume = tag.end()
        elif closing and name == open_tag:
            open_tag = None
            resume = tag.end()
    if open_tag is not None:
        return None
    return "".join([*kept, text[resume:]]).strip()
