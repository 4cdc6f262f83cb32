"""`chance`: a model that guesses; the floor of every table."""

from __future__ import annotations

import random
import re
from string import ascii_uppercase
from typing import Any

from lmms_eval_tasks.models.offline import OfflineModel, refuse_unknown

_OPTION = re.compile(r"^\s*\(?([A-Z])[.):]\s*\S", re.MULTILINE)


class Chance(OfflineModel):
    """Chooses one of the options a prompt shows, each with the same probability.

    A question without lettered options gets an empty response, which counts as no answer.

    Args:
        seed: Another seed, another guess. The guess at a question depends on the seed, the task
            and the question alone, so that any number of processes guess alike.
        **arguments: What lmms-eval passes to every model.

    Raises:
        SettingError: An argument is unknown.
    """

    def __init__(
        self,
        seed: int | str = 0,
        **arguments: object,
    ) -> None:
        super().__init__()
        refuse_unknown(arguments, "seed")
        self._seed = str(seed)

    def generate_until(self, requests: list[Any]) -> list[str]:
        """Guess at each request.

        Args:
            requests: Instances whose arguments are (context, doc_to_messages, generation_kwargs,
                doc_id, task, split).
        """
        return [self._guess(request) for request in requests]

    def _guess(self, request: Any) -> str:  # noqa: ANN401
        prompt, *_, position, task, _split = request.args
        count = len(option_letters(prompt))
        if not count:
            return ""
        guess = random.Random(f"{self._seed}/{task}/{position}").randrange(count)  # noqa: S311 - a guess, not a secret
        return f"ANSWER: {ascii_uppercase[guess]}"


def option_letters(prompt: str) -> str:
    """The letters of the options a prompt lists, one a line and in order from A on.

    Returns:
        "ABCD" for four options, "" where no list of at least two is found.
    """
    letters = ""
    for match in _OPTION.finditer(prompt):
        if match[1] == "A":
            letters = "A"
        elif letters and match[1] == ascii_uppercase[len(letters) % len(ascii_uppercase)]:
            letters += match[1]
    return letters if len(letters) > 1 else ""
