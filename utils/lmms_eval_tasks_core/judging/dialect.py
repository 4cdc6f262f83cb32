"""What a chat-completions server takes: not every one knows every parameter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

# A verdict takes about 100 tokens. Servers that insist on `max_completion_tokens` count the
# model's reasoning in, and cut the verdict off if that leaves no room for it.
_ROOM = {"max_tokens": 1_024, "max_completion_tokens": 8_192}
_LENGTHS = ("max_tokens", "max_completion_tokens", None)
_WORDS_ON_SCHEMA = ("response_format", "json_schema", "json schema", "structured output", "guided")


@dataclass(frozen=True, slots=True)
class Dialect:
    """Which of the optional parameters a server takes.

    Attributes:
        schema: Replies in JSON by a schema.
        temperature: A temperature of 0.
        length: The name under which it takes a bound on the reply, or None.
    """

    schema: bool = True
    temperature: bool = True
    length: str | None = _LENGTHS[0]

    def parameters(self, response_format: Mapping[str, object]) -> dict[str, object]:
        """The optional parameters of a request for a reply in this format."""
        parameters: dict[str, object] = {}
        if self.schema:
            parameters["response_format"] = response_format
        if self.temperature:
            parameters["temperature"] = 0
        if self.length:
            parameters[self.length] = _ROOM[self.length]
        return parameters

    def without(self, parameter: str | None, words: str) -> Dialect | None:
        """The dialect to try after a server rejected a request.

        Args:
            parameter: The parameter the server names as the cause, if it names one.
            words: What it says.

        Returns:
            A dialect without the parameter, or None where the cause is something else.
        """
        said = (parameter or words).lower()
        if self.schema and any(word in said for word in _WORDS_ON_SCHEMA):
            return replace(self, schema=False)
        if self.temperature and "temperature" in said:
            return replace(self, temperature=False)
        if self.length and self.length in said:
            return replace(self, length=_LENGTHS[_LENGTHS.index(self.length) + 1])
        return None

    def and_also(self, other: Dialect) -> Dialect:
        """What both dialects allow."""
        return Dialect(
            schema=self.schema and other.schema,
            temperature=self.temperature and other.temperature,
            length=max(self.length, other.length, key=_LENGTHS.index),
        )


def closed_choice(name: str, member: str, values: Sequence[str], *before: str) -> dict[str, object]:
    """A response format: an object with one member of a closed set of values.

    Args:
        name: What the object is called.
        member: The member's name.
        values: The only values it may have.
        *before: Members of free text that come first: a model that has to name the value first
            cannot think before it.
    """
    texts = {text: {"type": "string"} for text in before}
    schema = {
        "type": "object",
        "properties": {**texts, member: {"type": "string", "enum": list(values)}},
        "required": [*before, member],
        "additionalProperties": False,
    }
    return {
        "type": "json_schema",
        "json_schema": {"name": name, "strict": True, "schema": schema},
    }
