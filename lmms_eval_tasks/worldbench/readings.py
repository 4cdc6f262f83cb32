r"""The two readings of a WorldBench answer: strict, which is the benchmark's own, and normalised.

Both look for the line that the prompt asks for, ``ANSWER: X``. They never search the prose for a
letter, so that a response without such a line holds no answer under either.

The normalised reading forgives form only: case, ``:``, ``：`` or ``=``, full-width characters,
Markdown, LaTeX, quotation marks, brackets, chat end marks, a final period, and the text of the
option after its letter. Whatever the strict reading reads, the normalised reading reads alike.
"""

from __future__ import annotations

import re
from string import ascii_uppercase

from lmms_eval_tasks_core.options import Options
from lmms_eval_tasks_core.outcome import NoAnswer, NoAnswerReason
from lmms_eval_tasks_core.reading.markup import plain
from lmms_eval_tasks_core.reading.option_text import OptionTexts, option_texts
from lmms_eval_tasks_core.responses import answer_text

_STRICT = re.compile(r"ANSWER: ([A-Z])")
_LABEL = (
    r"(?:(?:so|thus|therefore|hence),? )?(?:(?:the|my|your) )?(?:(?:final|correct|best) ){0,2}"
    r"answer ?[:=]+"
)
_DECLARED = re.compile(rf"[\W_]*(?:[0-9]{{1,2}}[.)] )?{_LABEL}(?P<given>.*)", re.IGNORECASE)
# In the middle of a line a label counts only after the end of a sentence, and only with a letter.
_DECLARED_AT_THE_END = re.compile(rf".*[.!?。；;,] ?{_LABEL}(?P<given>[^:=]*)", re.IGNORECASE)
_LONGEST_ENDING = 4_000
_LETTER = re.compile(r"[A-Za-z](?![\w'])")
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_BRACKETS = str.maketrans("", "", "()[]{}<>【】〔〕〈〉《》")
_CLOSING = " .。!,;"
_BETWEEN = " .。:,;)–—-"


def strict_letter(text: str, options: Options) -> str | NoAnswerReason:
    """Read the letter if the last line that is not blank is exactly ``ANSWER: X``.

    Args:
        text: What the model said; `responses.answer_text` may have seen it already.
        options: The options of the question.

    Returns:
        The letter, upper case, one of the row's; or why there is none. Where the last line gives an
        answer in another form, that is "no answer line".
    """
    answer = answer_text(text)
    if isinstance(answer, NoAnswer):
        return NoAnswerReason(answer.reason)
    last = answer.splitlines()[-1].strip()
    match = _STRICT.fullmatch(last)
    if match and match[1] in options.letters:
        return match[1]
    lenient = _last_declared(last, options)
    return lenient if isinstance(lenient, NoAnswerReason) else NoAnswerReason.NO_ANSWER_LINE


def normalised_letter(text: str, options: Options) -> str | NoAnswerReason:
    """Read the letter of the last line that declares an answer, whatever its form.

    Args:
        text: What the model said; `responses.answer_text` may have seen it already.
        options: The options of the question.

    Returns:
        The letter, upper case, one of the row's; or why there is none: no line declares an answer,
        or the last one that does names several letters or none of this question.
    """
    answer = answer_text(text)
    if isinstance(answer, NoAnswer):
        return NoAnswerReason(answer.reason)
    return _last_declared(answer, options)


def _last_declared(answer: str, options: Options) -> str | NoAnswerReason:
    texts = option_texts(options)
    for line in reversed(plain(answer).split("\n")):
        bare = line.replace("\\boxed ", "").translate(_BRACKETS)
        declared = _DECLARED.fullmatch(bare)
        if declared:
            return _letter(declared["given"], texts)
        ending = _DECLARED_AT_THE_END.fullmatch(bare[-_LONGEST_ENDING:])
        letter = _letter(ending["given"], texts) if ending else None
        if isinstance(letter, str):
            return letter
    return NoAnswerReason.NO_ANSWER_LINE


def _letter(given: str, texts: OptionTexts) -> str | NoAnswerReason:
    """The letter that is all that was given, or that only its own option's text follows."""
    given = " ".join(given.split()).rstrip(_CLOSING)
    if not given:
        return NoAnswerReason.NO_ANSWER_LINE
    match = _LETTER.match(given)
    if match:
        letter = match[0].upper()
        following = given[1:].lstrip(_BETWEEN)
        known = letter in texts.options.letters
        if known and (not following or texts.is_text_of(letter, following)):
            return letter
    return _reason(given, texts.options.letters)


def _reason(given: str, letters: tuple[str, ...]) -> NoAnswerReason:
    words = _WORD.findall(given)
    # In "B. a clock" the small "a" is an article.
    in_case = words if given.islower() else [word for word in words if word.isupper()]
    named = {word.upper() for word in in_case if word.upper() in letters}
    joined = len(words) == 1 and len(set(given)) > 1 and set(given) <= set(ascii_uppercase)
    if len(named) > 1 or (joined and set(given) <= set(letters)):
        return NoAnswerReason.SEVERAL_LETTERS
    return NoAnswerReason.NOT_A_LETTER
