"""Second thoughts and conclusions: what names an option without declaring it outright."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lmms_eval_tasks_core.reading.declarations import said_after, said_before
from lmms_eval_tasks_core.reading.naming import Naming, Stance
from lmms_eval_tasks_core.reading.option_text import OptionTexts
from lmms_eval_tasks_core.reading.surroundings import HEDGED, NEGATED, SENTENCE_END, TOGETHER
from lmms_eval_tasks_core.reading.wording import AGAINST

_FLAGS = re.IGNORECASE | re.VERBOSE

_CUE = re.compile(
    r"""(?<!\w)(?:wait|hm+|actually|correction|scratch\ that|on\ second\ thoughts?|on\ reflection
      |(?:on|upon|after)\ (?:a\ |further\ |closer\ |more\ |careful\ |second\ ){0,2}
        (?:look|inspection|examination|re-?examination|reflection|consideration|reconsideration
        |review|thought|re-?examining|reconsidering|reviewing|checking)
      |(?:looking|checking|thinking)\ (?:\w{2,10}\ )?again)(?!\w)""",
    _FLAGS,
)
# Far enough for a sentence; what stands between the cue and the letter may not end it.
_REACH = 200
_PREFERRED = re.compile(
    r"""(?<![\w.'-])\(?(?P<letter>(?-i:[A-Z]))\)?\ (?:(?:also|now|actually|really|clearly)\ )?
      (?:is|was|seems|looks|appears|sounds|fits|matches|works|makes|would|might|may|could
        |must|should)(?!\w)
      (?!\ (?:not|never|be\ (?:ruled|wrong|excluded)|(?:the\ |a\ )?(?:wrong|incorrect|false
        |unlikely|implausible|impossible|worse|less|ruled|out|excluded|eliminated|irrelevant
        |(?:common\ )?(?:distractor|trap)|tempting))(?!\w))""",
    _FLAGS,
)
#: "which corresponds to option B", "this makes B the correct answer", "(option B)".
_POINTS_AT = re.compile(
    r"""(?:(?:(?<!\w)(?:corresponds?\ to|corresponding\ to|match(?:es|ing)?|fits?|points?\ to
          |pointing\ to|supports?|supporting|align(?:s|ing)?\ with|consistent\ with|described\ by
          |represented\ by|this\ is|that\ is|which\ is|it\ is|i\.e\.,?)\ |\()
        (?:option|choice|answer)\ \(?(?P<option>(?-i:[A-Z]))\)?(?![\w'])
      |(?<!\w)mak(?:es|ing)\ (?:option\ |choice\ )?\(?(?P<made>(?-i:[A-Z]))\)?
        \ (?:the\ )?(?:(?:only\ )?(?:correct|right|best)|most\ (?:likely|plausible
          |appropriate|accurate|suitable|reasonable|consistent|probable|logical|fitting))
        (?:\ (?:answer|option|choice|one))?(?!\w))""",
    _FLAGS,
)

_ENDS = re.compile(
    r"\)?(?:\ \([^()\n]{1,200}\))?"
    r"(?:[.!]?$|\.?\n|[,;]|\ (?:(?:but|and|,)\ not|because|since|rather\ than)\b)",
    _FLAGS,
)
# "(option B)" may stand behind anything that is compared.
_THEREFORE = re.compile(
    r"\s*(?:so|therefore|thus|hence|in\ conclusion|overall|consequently|finally|clearly)\b", _FLAGS
)
_DOUBTED = re.compile(
    rf"(?<!\w)(?:nothing|little|few|less|reject(?:s|ed|ing)?|compared?)(?!\w)"
    rf"|{AGAINST.pattern}|{NEGATED.pattern}|{HEDGED.pattern}",
    _FLAGS,
)


def reconsidered(text: str, texts: OptionTexts) -> Iterator[Naming]:
    """Takings back of every other option where a later sentence prefers one on second thoughts.

    The option preferred is not declared by that: "On second thought, D fits better" only unsettles
    an answer that was given before.
    """
    letters = texts.options.letters
    for cue in _CUE.finditer(text):
        end = SENTENCE_END.search(text, cue.end(), cue.end() + _REACH)
        if end and (end[0] == "?" or not text[cue.end() : end.start()].strip(" ,")):
            # "Hmm, is it C? C would fit." and "Wait. C would fit."
            end = SENTENCE_END.search(text, end.end(), end.end() + _REACH)
        stop = end.start() if end else min(len(text), cue.end() + _REACH)
        preferred = _PREFERRED.search(text, cue.end(), stop)
        if preferred and preferred["letter"] in letters:
            for letter in letters:
                if letter != preferred["letter"]:
                    yield Naming(cue.start(), preferred.end(), Stance.TAKEN_BACK, letter)


def concluded(text: str, texts: OptionTexts) -> Naming | None:
    """The option that the last sentence points at: "which corresponds to option B".

    Only for a response that declares nothing, and only if it points at no other option anywhere.
    """
    found = [*_POINTS_AT.finditer(text)]
    named = {match["option"] or match["made"] for match in found}
    if len(named) != 1:
        return None
    last, letter = found[-1], named.pop()
    position = last.start("option" if last["option"] else "made")
    if letter not in texts.options.letters or TOGETHER.match(text, position + 1):
        return None
    end = SENTENCE_END.search(text, last.end())
    if (end and text[end.end() :].strip()) or AGAINST.search(text, last.end()):
        return None
    stops = [stop.end() for stop in SENTENCE_END.finditer(text, 0, last.start())]
    start = stops[-1] if stops else 0
    if _DOUBTED.search(text, start, last.start()) or not _ENDS.match(text, last.end()):
        return None
    if last[0].startswith("(") and not _THEREFORE.match(text, start):
        return None
    naming = Naming(position, last.end(), Stance.DECLARED, letter)
    stance = said_after(text, naming, said_before(text, last.start()))
    return naming if stance is Stance.DECLARED else None
