"""From a question to what the reply says: asked as often as it takes, and paid for once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from typing import Generic, TypeVar

from lmms_eval_tasks_core.judging.completion import LONGEST_QUOTE, Reply
from lmms_eval_tasks_core.judging.cost import Bill, Cost
from lmms_eval_tasks_core.judging.kept import Kept, Question
from lmms_eval_tasks_core.judging.transport import ChatModel
from lmms_eval_tasks_core.outcome import NotJudged, NotJudgedReason
from lmms_eval_tasks_core.responses import valid_unicode

T = TypeVar("T")
# What another asking may mend; a refusal or a filter gives the same answer to the same question.
_ASK_AGAIN = (NotJudgedReason.EMPTY_REPLY, NotJudgedReason.UNREADABLE_REPLY)


@dataclass(frozen=True, slots=True)
class Found(Generic[T]):
    """What a reply says.

    Attributes:
        value: What was read out of it.
        reused: Whether somebody else paid for it: an earlier run, or another thread or process.
        cost: What was paid for it now, for replies that could not be read too.
    """

    value: T
    reused: bool
    cost: Cost = field(default_factory=Cost)


class Asker(Generic[T]):
    """Asks a model a question until a reply can be read; thread-safe, and never raises.

    Where the model has `Purchases`, a reply that can be read is kept, and is read again when the
    same question comes again: a better reader needs no new purchase.

    Args:
        model: The model.
        read: What a reply says, or None where it cannot be read.
        askings: How often to ask where replies are empty or cannot be read.
    """

    def __init__(self, model: ChatModel, read: Callable[[str], T | None], askings: int) -> None:
        self._model = model
        self._read = read
        self._askings = askings

    def answer(self, question: Question) -> Found[T] | NotJudged:
        """What the model says to a question, or why it says nothing that can be read.

        The detail of the latter holds what was paid all the same, as `Cost` names it.
        """
        model, bill, reused = self._model, Bill(), False
        if model.purchases is None:
            kept = self._bought(question, bill)
        else:
            key = question.key(model.name, model.server)
            kept, reused = model.purchases.obtained(
                key, lambda: self._bought(question, bill), self._is_good
            )
        if isinstance(kept, Kept):
            found = self._said(kept.reply)
            if found is not None:
                return Found(found, reused, bill.cost)
            kept = self._unreadable(kept.reply)
        return NotJudged(kept.reason, {**kept.detail, **bill.cost.to_fields()})

    def _bought(self, question: Question, bill: Bill) -> Kept | NotJudged:
        outcome = self._asked(question, bill)
        for _ in range(1, self._askings):
            if isinstance(outcome, Reply) or outcome.reason not in _ASK_AGAIN:
                break
            outcome = self._asked(question, bill)
        if isinstance(outcome, NotJudged):
            return outcome
        now = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        return Kept(self._model.name, self._model.server, question.version, now, outcome)

    def _asked(self, question: Question, bill: Bill) -> Reply | NotJudged:
        """One reply, fit to be kept unless that would change what it says."""
        bill.request()
        reply = self._model.ask(question.prompt, question.response_format, on_usage=bill.usage)
        bill.end()
        if isinstance(reply, NotJudged):
            return reply
        said = self._said(reply)
        if said is None:
            return self._unreadable(reply)
        clean = replace(reply, text=self._clean(reply.text))
        return clean if self._said(clean) == said else reply

    def _is_good(self, kept: Kept) -> bool:
        is_clean = self._clean(kept.reply.text) == kept.reply.text
        return is_clean and self._said(kept.reply) is not None

    def _said(self, reply: Reply) -> T | None:
        # The last line of a reply that was cut off may be half a value: "0" of "0.5".
        return self._read(reply.text.rpartition("\n")[0] if reply.is_cut else reply.text)

    def _clean(self, text: str) -> str:
        """A text that a file can hold, without the key."""
        return valid_unicode(self._model.redacted(text))

    def _unreadable(self, reply: Reply) -> NotJudged:
        quote = self._model.redacted(reply.text)[:LONGEST_QUOTE].rstrip(" .\n")
        detail = {"reply": quote, "cut_off": reply.is_cut}
        return NotJudged(NotJudgedReason.UNREADABLE_REPLY, detail)
