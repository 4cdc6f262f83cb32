"""Reads programs out of what language models write, and puts them into the token form.

Read is whatever can be told with certainty: fenced code, one step a line, calls (also nested),
assignments, numbered steps and candidates, the paper's operator names, and the characters that
Markdown, LaTeX, JSON and Chinese keyboards bring along. Everything else is a typed failure that
names the first thing that could not be read and where it stands. `grouping` lists the rules by
which one program, or the candidates, are chosen.
"""

from __future__ import annotations

from dataclasses import dataclass

from lmms_eval_tasks.geoqa.program.drafts import Draft, drafts_of
from lmms_eval_tasks.geoqa.program.errors import NoProgramError, ProgramError, TooLongError
from lmms_eval_tasks.geoqa.program.grouping import ambiguity, candidates_of
from lmms_eval_tasks.geoqa.program.layout import lay_out
from lmms_eval_tasks.geoqa.program.lexer import Lexeme, plain
from lmms_eval_tasks.geoqa.program.phrases import TOKENS, assigns
from lmms_eval_tasks.geoqa.program.references import token_form

MAX_RESPONSE_CHARACTERS = 400_000


@dataclass(frozen=True, slots=True)
class Candidate:
    """One program of a response.

    Attributes:
        text: The program in the token form. Where it could not be read: its tokens as they stand,
            for the official interpreter, which may make something of them.
        offset: The index in the response of the first character it was read from.
        failure: Why it could not be read, or None. It may still fail when it runs.
    """

    text: str
    offset: int
    failure: ProgramError | None = None


def read_programs(response: str, most: int = 1) -> tuple[Candidate, ...]:
    """Read the programs of a response, best first.

    Args:
        response: What the model wrote; any text.
        most: How many candidates were asked for. With 1, the last program is the answer; with
            more, a single program or list may be read differently, see `grouping`.

    Returns:
        Between 1 and ``most`` candidates. Where there is no program, one that says so.

    Raises:
        ValueError: ``most`` is less than 1.
    """
    if most < 1:
        raise ValueError(f"most is {most}; at least one candidate has to be asked for")
    if len(response) > MAX_RESPONSE_CHARACTERS:
        why = f"a response has at most {MAX_RESPONSE_CHARACTERS} characters"
        return (Candidate("", 0, TooLongError(response, 0, why, 0)),)
    drafts = drafts_of(lay_out(plain(response)))
    if not drafts:
        why = "nothing here looks like a program"
        return (Candidate("", 0, NoProgramError("", 0, why, 0)),)
    return tuple(_candidate(draft) for draft in candidates_of(drafts, most)[:most])


def _candidate(draft: Draft) -> Candidate:
    offset = draft.lexemes[0].start
    failure = draft.failure or ambiguity(draft)
    if failure is None:
        try:
            return Candidate(token_form(draft.steps), offset)
        except ProgramError as error:
            failure = error
    return Candidate(_tokens_as_they_stand(draft.lexemes), offset, failure)


def _tokens_as_they_stand(lexemes: list[Lexeme]) -> str:
    assigned = {at for at in range(len(lexemes)) if assigns(lexemes, at)}
    return " ".join(
        lexeme.text
        for at, lexeme in enumerate(lexemes)
        if lexeme.kind in TOKENS and at not in assigned
    )
