"""How many tokens a text is, about: no tokenizer fits all models, and none is needed to plan."""

from __future__ import annotations

import math
import re

RULE = (
    "one token for each Chinese, Japanese or Korean character, and one for every four other "
    "characters; the tokenizer of a model counts otherwise"
)
_CHARACTERS_A_TOKEN = 4
_EAST_ASIAN = re.compile(
    r"[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003134f]"
)


def tokens_of(text: str) -> int:
    """About how many tokens a text is; see `RULE`."""
    east_asian = len(_EAST_ASIAN.findall(text))
    return east_asian + math.ceil((len(text) - east_asian) / _CHARACTERS_A_TOKEN)
