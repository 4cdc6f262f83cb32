"""From what a model typed to the words in it: no markup, no look-alike characters."""

from __future__ import annotations

import re
import unicodedata
from itertools import groupby

# UAX #15 calls text stream-safe with at most 30 combining characters in a row. Normalising longer
# rows takes quadratic time, and no writing system needs them.
_MOST_COMBINING = 30

_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\ufe00-\ufe0f\ufeff]"
)
_CHAT_MARK = re.compile(
    r"<\|[^<>|\n]{1,40}\|>(?:assistant\b)?|</?s>|\[/?INST\]"
    r"|<(?:eos|bos|pad|eoa|eot|end|unk|end_of_turn|start_of_turn|end_of_text|end_of_utterance)>",
    re.IGNORECASE,
)
_LATEX_FONT = re.compile(
    r"\\(?:text(?:bf|it|rm|sf|tt|normal)?|math(?:rm|bf|it|sf|tt|bb|cal)|operatorname|mbox"
    r"|boldsymbol|bm|bf|rm)\s?\{([^{}]*)\}"
)
_LATEX_BOX = re.compile(r"\\f?boxe?d?\s?\{([^{}]*)\}")
_LATEX_DEGREE = re.compile(r" ?\^ ?(?:\{ ?\\circ ?\}|\\circ(?![A-Za-z]))|\\degree(?![A-Za-z])")
_LATEX_MARK = re.compile(r"\\[()\[\],;:!$ ]|\$")
_ORNAMENT = re.compile("[✅✔👉👍🎯🙂😊]")
_STRUCK_OUT = re.compile(r"~~[^~\n]*~~")
_TAG = re.compile(
    r"</?(?:em|strong|br|div|span|code|pre|mark|center|font|h[1-6]|li|ul|ol)\s?/?>",
    re.IGNORECASE,
)
# Without its end, "<B>" is a letter in brackets.
_TAG_PAIR = re.compile(r"<([biup])>([^<>]*)</\1>", re.IGNORECASE)
_NEXT_QUESTION = re.compile(r"\n[ #*]*(?:question|q|user|human)[ *]*:", re.IGNORECASE)
_DEEPEST = 4
_STOP = re.compile(r"\n|。|[.!?]\s")
_LONGEST_BEGINNING, _LONGEST_END = 2_000, 16_000
_EMPHASIS = re.compile(r"[*`]|(?<![^\W_])_+|_+(?![^\W_])")
_QUOTES = re.compile(r"[\"“”„‟«»「」『』‹›]|(?<!\w)['‘’‚]|['‘’](?!\w)")
_LINE_PREFIX = re.compile(r"^ ?(?:(?:[-•+>–·●▪→]|#{1,6}) ){1,4}", re.MULTILINE)


def compatible(text: str) -> str:
    """Apply NFKC, in linear time also on endless rows of combining characters."""
    if text.isascii():
        return text
    pieces = []
    for combines, row in groupby(text, key=lambda character: unicodedata.combining(character) > 0):
        piece = "".join(row)
        pieces.append(piece[:_MOST_COMBINING] if combines else piece)
    return unicodedata.normalize("NFKC", "".join(pieces))


def plain(text: str) -> str:
    r"""Take the markup off a text.

    Gone are invisible characters, chat end marks, Markdown emphasis, list bullets and headings,
    text that was struck out, simple HTML tags, quotation marks, dollar signs and LaTeX fonts.
    ``\boxed{X}`` becomes ``\boxed X``, because a box says "this is my answer". Characters are in
    NFKC, a row of spaces is one space, and blank lines are gone.
    """
    text = "\n".join(text.splitlines())
    text = _CHAT_MARK.sub("", _INVISIBLE.sub("", compatible(text)))
    text = _LATEX_DEGREE.sub("°", text)
    text = _STRUCK_OUT.sub("", _ORNAMENT.sub("", text))
    text = _LATEX_MARK.sub(" ", _unwrapped(_TAG.sub("", text)))
    text = _QUOTES.sub("", _EMPHASIS.sub("", text)).replace("’", "'")
    lines = (" ".join(line.split()) for line in text.splitlines())
    return _LINE_PREFIX.sub("", "\n".join(line for line in lines if line))


def _unwrapped(text: str) -> str:
    """Take off what wraps a text, from the inside out."""
    for _ in range(_DEEPEST):
        wrapped = text
        text = _TAG_PAIR.sub(r"\2", text)
        text = _LATEX_BOX.sub(r" \\boxed \1 ", _LATEX_FONT.sub(r"\1", text))
        if text == wrapped:
            break
    return text


def first_turn(text: str) -> str:
    """What stands before a chat mark that ends the turn: the rest was not asked for."""
    return next((turn for turn in _CHAT_MARK.split(text) if turn.strip()), "")


def before_next_question(text: str) -> str:
    """What stands before the first line that opens another question; "" if there is none."""
    found = _NEXT_QUESTION.search(text)
    return text[: found.start()].strip() if found else ""


def shortened(text: str) -> str:
    """A text without its middle if it is longer than any answer that people would read.

    What counts stands at the beginning (an answer, then its explanation) or at the end.
    """
    if len(text) <= _LONGEST_BEGINNING + _LONGEST_END:
        return text
    beginning, end = text[:_LONGEST_BEGINNING], text[-_LONGEST_END:]
    # Half a sentence may say the opposite of the whole.
    stops = [stop.end() for stop in _STOP.finditer(beginning)]
    start = _STOP.search(end)
    return f"{beginning[: stops[-1] if stops else 0]}\n{end[start.end() :] if start else ''}"
