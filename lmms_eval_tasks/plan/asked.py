"""What a judge or a matcher will be asked."""

from __future__ import annotations

from dataclasses import dataclass

LEXICAL = "lexical"


@dataclass(frozen=True, slots=True)
class Exact:
    """What an earlier run's responses make certain.

    Attributes:
        responses: To how many of the requests there is a response.
        asked: How many of these are put to the judge or matcher.
        in_store: How many of its answers to them are kept.
        to_buy: How many have to be bought; the same question is bought once.
    """

    responses: int
    asked: int
    in_store: int
    to_buy: int


@dataclass(frozen=True, slots=True)
class Asked:
    """What a judge or a matcher will be asked for one task.

    Attributes:
        role: "judge" or "matcher".
        model: Its model; "lexical" where words are compared offline, which costs nothing. None
            where the settings name none.
        server: Its server; "" offline, None where no model is named.
        version: The version of the rubric or prompt.
        least: The fewest requests, if no response is empty and all that the store holds fits.
        most: The most.
        expected: How many to reckon with.
        kept: How many replies the store holds of this model, server and version: no more than
            these can be reused.
        exact: What is certain; None without the responses of an earlier run.
        input_tokens: What `expected` requests read.
        output_tokens: What they write.
    """

    role: str
    model: str | None
    server: str | None
    version: str
    least: int
    most: int
    expected: int
    kept: int
    exact: Exact | None
    input_tokens: int
    output_tokens: int
