"""The words with which models declare, turn down or take back an answer.

All patterns expect text that `markup.plain` has returned: NFKC, single spaces, no quotation marks.
Every repetition is bounded or runs over a single class of characters, so that searching takes
linear time.
"""

from __future__ import annotations

import re

_FLAGS = re.IGNORECASE | re.VERBOSE

_NOUN = (
    r"(?:answer|ans|choice|option|selection|pick|guess|verdict|conclusion|response|solution"
    r"|prediction)"
)
# What may stand between "the answer" and "is": "to the question", "that fits the scene best".

_ASIDE = r"(?:\ (?!(?:is|was|options|choices|explanation)\b)(?:I|[\w'-]{2,20})){0,8}?"

_LABEL_ASIDE = (
    r"(?:\ (?:to|for|of|the|this|my|question|number|no\.?|choice|option|key|letter|is"
    r"|q?[0-9]{1,3})){0,4}(?:\ ?\([^()\n]{1,30}\))?"
)
_INSERTED = (
    r"(?:,\ (?:I\ (?:think|believe|guess|would\ say)|then|therefore|thus|of\ course"
    r"|in\ my\ (?:opinion|view)),)?"
)
_IS = (
    r"(?:\ (?:is|was|(?:would|must|should|will|can\ only)"
    r"(?:\ (?:(?:most\ )?(?:likely|probably)|therefore|thus|then))?\ be|has\ to\ be"
    r"|could\ only\ be|seems|seems\ to\ be|appears|appears\ to\ be|turns\ out\ to\ be"
    r"|corresponds\ to|remains)|'s)(?![\w'])"
)
_MAYBE_IS = r"\ (?:could|may|might|can)(?:\ (?:also|well|very|possibly|perhaps|indeed)){0,3}\ be\b"

_NOUN_ELSEWHERE = (
    r"(?:réponse|respuesta|resposta|risposta|antwort|antwoord|ответ|вариант|jawaban|cevap|odpowiedź"
    r"|đáp\ án|svar|答え|正解|回答|解答|정답|답|الإجابة|الجواب)"
)
_IS_ELSEWHERE = (
    r"(?:\ ?[:=–—]|\ -\ |\ ?(?:は|은|는|이|가)"
    r"|\ (?:est|es|è|é(?:\ a(?=\ (?:letra|opção|alternativa)))?|ist"
    r"|lautet|это|является|adalah|là|jest|är|er)(?!\w))"
)
#: What a letter or an option text must follow to be declared.
HEAD = re.compile(
    rf"""
      (?P<maybe> \b{_NOUN}\b{_ASIDE}{_MAYBE_IS} | 答案(?:可能|也许|或许|大概)(?:应该)?[是为选] )
    | (?P<noun>
          \b{_NOUN}\b{_ASIDE}{_INSERTED}{_IS}
        | \b(?:correct|right|best|only)\ one{_ASIDE}{_IS} | \bletter(?:{_IS}|\ ?:)
        | \b(?:(?:final|correct|selected|chosen|best|predicted)_)?{_NOUN}
          (?:_(?:choice|option|letter|label|text))?\b{_LABEL_ASIDE}\ ?(?:[:=→–—]|->|=>|\ -\ )
        | \bfinal(?:\ answer(?=\s\W?[A-Z]\b)|\ ?:)
        | <(?:answer|final_answer|option|choice)>
        | ^(?:(?:the|my)\ )?(?:correct\ )?answer$
        | \bcorrect\ ?: | ^ans\. | ^(?:assistant|ai|bot|gpt|output)\ ?:
        | \Aq(?:uestion)?[:.]\ [^\n]{{1,500}}?[\n\ ]a[:.](?=\ )
        | (?:答案|(?:正确|最佳)的?选项|正确答案|正确的是)
          (?:应该?|就|只能|显然|确实|因此|因而)?(?:[是为选]|应为|\ ?[:=])?
        | 答\ ?: | (?:认为|觉得|应该|那么|就|而)是 | 应[为是]
        | (?<!\w){_NOUN_ELSEWHERE}(?:\ [^\W\d_]{{2,20}}){{0,2}}?{_IS_ELSEWHERE}
      )
    | (?P<verb>
          \b(?:choos(?:e|ing)|chose|pick(?:ed|ing)?|select(?:ed|ing)?|go(?:ing)?\ (?:with|for)
          |went\ with|opt(?:ed|ing)?\ for|settled?\ (?:on|for)|vote(?:\ for)?|prefer
          |stick(?:ing)?\ with|answer(?:ing)?\ with|leaving|leaves|left\ with|leaves\ us\ with)\b
        | \bchang(?:e|ing)\ my\ (?:answer|choice|selection)(?:\ from\ \(?[A-Z]\)?)?\ to\b
      )
    | (?P<speaker>
        \bI(?:'d|'ll|\ would|\ will)?\ (?:say|answer|guess|think|believe|conclude)(?:\ that)?\b
        | 选(?!项)(?:择|了|的是)?\ ?:?
      )
    | (?P<result>
          \b(?:(?:so|therefore|thus|hence|consequently|accordingly|in\ conclusion|finally
          |(?:no,?\ )?(?:wait|actually|scratch\ that|i\ mean|correction
            |make\ that))\b[,:]?|no,|rather,)
        | [∴]
      )
    | (?P<pronoun>
          \b(?:it|that)(?:{_IS})
      )
    | (?P<box> \\boxed\b )
    """,
    _FLAGS | re.MULTILINE,
)
#: What may stand between a head and the letter.
FILLER = re.compile(
    r"""(?: [\s:=–—>(\[{【】\]<-] | \.\.\.
      | (?:the|that|indeed|therefore|thus|then|clearly|definitely|certainly|obviously
          |undoubtedly|surely
          |(?:most\ )?(?:probably|likely)|simply|just|actually|still|only|hence|again|given\ as
          |represented\ by|best|correct|right|option|choice|letter|answer|opción|opção|opzione
          |alternativa|letra|lettre|буква|вариант|la|el|le|die|as\ follows)\b
      | 选项|应该|应当|是|为 )""",
    _FLAGS,
)
#: How many of these are skipped.
MOST_FILLERS = 16
#: A head that is followed by this declares that there is no answer.
UNKNOWN = re.compile(
    r"""(?: none|unknown|unclear|undetermined|undecided|unsure|uncertain|impossible|n/a
      | not\ (?:clear|sure|known|given|available|determinable|enough|here|listed|among|provided)
      | cannot|can't|could\ not|couldn't | I\ (?:do\ not|don't|cannot|can't|am\ not|am\ unable)
      | I'm\ (?:not|unable) | either|between|both )\b""",
    _FLAGS,
)
#: "B is the correct answer", "option B fits best", "B正确", "B is wrong".
VERDICT = re.compile(
    r"""(?<![A-Za-z0-9_'.&+/-])\(?(?P<letter>[A-Z])\)?(?:
        (?i:\ (?:(?P<denied>isn't|wasn't|is\ not|was\ not|cannot\ be|can't\ be|can\ not\ be)
              |is|was|seems|appears|looks|would\ be|must\ be|should\ be|has\ to\ be))
        (?i:\ (?:to\ be|clearly|definitely|certainly|obviously|probably|likely|therefore|thus
              |indeed|also|simply|just|by\ far|my)){0,3}
        (?i:\ (?P<right>
            (?:the\ )?(?:only\ )?(?:correct|right|best|proper|appropriate|chosen|selected
              |most\ (?:likely|plausible|appropriate|accurate|suitable|reasonable|consistent
                |probable|logical|fitting))(?:\ (?:answer|option|choice|one|response|fit|match))?
          | (?:the|my)\ (?:answer|choice|pick))
        | \ (?P<wrong>(?:(?:the|a|an)\ )?(?:wrong|incorrect|false|inaccurate|implausible|unlikely
            |impossible|ruled\ out|eliminated|excluded|out|irrelevant|invalid|unsupported
            |contradicted|not|distractor)))
      | (?i:\ (?P<fits>best\ (?:fits|describes|matches|explains|answers|captures|represents)
            |fits\ best|makes\ the\ most\ sense))
      | \ ?[:).–—-]\ (?i:(?P<wrong_in_list>(?:wrong|incorrect|false|no)))
      | \ ?(?:选项|项)?(?:是|为)?(?P<zh_right>(?:正确|最佳)(?:答案|选项)|正确|对的)
      | \ ?(?:选项|项)?(?:是|为)?(?P<zh_wrong>错|不正确|不对|不符|不是)
    )(?![\w-](?<![\u4e00-\u9fff]))""",
    re.VERBOSE,
)
#: After an option's text: "She went home is the correct answer".
TEXT_VERDICT = re.compile(
    r"\ (?:is|are|would\ be|must\ be|seems)\ (?:clearly\ )?(?:the\ )?(?:correct|right|best)"
    r"(?:\ (?:answer|option|choice))?(?!\ ?[\w-])",
    _FLAGS,
)
#: What may follow "B is correct".
VERDICT_ENDS = re.compile(
    r"""$|\n|\ ?[.,;:!?)。—–]|的|\ (?:because|since|as|given|here|for\ this|based|and|so|but
      |to\ (?:the|this)\ question|in\ this|among|of\ the)\b""",
    _FLAGS,
)
#: What may precede the letter of a verdict; anything else may be a name: "Vitamin C is best".
VERDICT_OPENS = re.compile(
    r"""(?:^|(?<!\bmr)(?<!\bdr)(?<!\bms)(?<!\bmrs)[\n.,;:!?(。、—–-]\ ?
      |\b(?:option|choice|answer|letter|only|that|think|believe|say|so|hence|therefore|thus|and|but
      |because|since|as|conclude|means|although|though|while)[ ]
      |选项|答案|因此|所以|故|[项,]\ ?)\(?$""",
    _FLAGS,
)
PAIRED = re.compile(r"(?<!\w)[A-Z]\)?\ ?(?:and|or|nor|&|/|和|或)\ ?(?:option\ )?\(?$", _FLAGS)
#: "not B", "rule out A": the letter is taken back.
DENIAL = re.compile(
    r"""(?:\b(?:not|isn't|wasn't|rule[sd]?\ out|ruling\ out|eliminat(?:e|es|ed|ing)
      |exclud(?:e|es|ed|ing)|discard|reject)\ |不是|不选|排除)
      (?:(?:option|choice|answer|letter|选项)\ ?)?\(?(?P<letter>(?-i:[A-Z]))(?![\w'])""",
    _FLAGS,
)
BUT_RATHER = re.compile(
    r"[^.!?;\n]{0,60}?\ but\ (?:rather\ |instead\ |it's\ |it\ is\ )?(?:option\ )?", _FLAGS
)
NOT = re.compile(r"(?:not|never)\ (?:option\ )?", _FLAGS)
#: Inside a head: "the option that can be excluded is B".
AGAINST = re.compile(
    r"(?<!\w)(?:wrong|incorrect|false|excluded?|eliminated?|least|worst|ruled)(?!\w)", _FLAGS
)
