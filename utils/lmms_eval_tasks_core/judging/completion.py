"""What a chat completion says and costs, whatever a server calls a chat completion."""

from __future__ import annotations

from dataclasses import dataclass

from lmms_eval_tasks_core.outcome import NotJudged, NotJudgedReason

LONGEST_QUOTE = 300


@dataclass(frozen=True, slots=True)
class Usage:
    """What one reply cost.

    Attributes:
        requests: How many replies these tokens are for.
        input_tokens: Tokens of the prompt, as the server counts them; 0 where it does not say.
        output_tokens: Tokens of the reply, reasoning included.
        model: The model the server says it used.
    """

    requests: int
    input_tokens: int
    output_tokens: int
    model: str


@dataclass(frozen=True, slots=True)
class Reply:
    """The text of a reply and where it comes from.

    Attributes:
        text: What the model said.
        finish: Why it ended, in the server's word, if it gives one.
        model: The model the server says it used.
        fingerprint: The server's ``system_fingerprint``, if it gives one.
        usage: What it cost.
    """

    text: str
    finish: str | None
    model: str
    fingerprint: str | None
    usage: Usage

    @property
    def is_cut(self) -> bool:
        """Whether it was cut off at the bound on its length."""
        return self.finish == "length"


def reply_of(completion: object) -> Reply | NotJudged:
    """The text of a completion, or why it has none."""
    choices = getattr(completion, "choices", None)
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = getattr(choice, "message", None)
    if message is None:
        trouble = "its reply is not a chat completion"
        return NotJudged(NotJudgedReason.UNREADABLE_REPLY, {"trouble": trouble})
    finish = getattr(choice, "finish_reason", None)
    if finish == "content_filter":
        return NotJudged(NotJudgedReason.CONTENT_FILTER)
    if refusal := getattr(message, "refusal", None):
        return NotJudged(NotJudgedReason.JUDGE_REFUSED, {"reply": str(refusal)})
    text = _text(getattr(message, "content", None))
    if not text.strip():
        return NotJudged(NotJudgedReason.EMPTY_REPLY, {"cut_off": finish == "length"})
    fingerprint = getattr(completion, "system_fingerprint", None)
    model = str(getattr(completion, "model", None) or "")
    return Reply(
        text,
        finish and str(finish),
        model,
        fingerprint and str(fingerprint),
        usage_of(completion, model),
    )


def usage_of(completion: object, model: str) -> Usage:
    """What a completion cost; ``model`` stands where the server does not name one."""
    usage = getattr(completion, "usage", None)
    counts = [getattr(usage, f"{kind}_tokens", None) for kind in ("prompt", "completion")]
    read, written = (count if isinstance(count, int) else 0 for count in counts)
    return Usage(1, read, written, str(getattr(completion, "model", None) or model))


def _text(content: object) -> str:
    """The text of a message: a string, or the parts that some gateways send."""
    if isinstance(content, list):
        parts = (part.get("text") for part in content if isinstance(part, dict))
        return "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""
