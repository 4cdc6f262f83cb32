"""The words around a named answer that decide whether it is one.

What stands before it may deny, doubt, assume or merely report it; what follows a letter shows
whether the letter stands for itself. As in `wording`, the patterns expect plain text and search it
in linear time.
"""

from __future__ import annotations

import re

_FLAGS = re.IGNORECASE | re.VERBOSE

#: Directly before a letter: it is certainly a letter and not an option's text.
NAMES_A_LETTER = re.compile(r"(?:option|choice|letter|选项)\ ?\(?$", _FLAGS)
#: Directly before a head: one of two.
OR_BEFORE = re.compile(
    r"(?:(?<!\w)or|或者|或|还是)(?:\ (?:maybe|perhaps|possibly|else))?(?:\ (?:the|my))?\ ?$", _FLAGS
)
#: Directly before "answer": it is another answer than the one asked for.
OTHER_ANSWER = re.compile(
    r"""(?<!\w)(?:wrong|incorrect|false|worst|bad|implausible|unlikely|least\ likely|alternative
      |other|another|common|tempting|distractor|second|previous|first|initial
      |each|every|any|which|following
      |his|her|their|(?!(?:it|that|here|answer)'s)[\w-]{1,20}'s|错误|其他)\ ?$""",
    _FLAGS,
)
_SAYS = r"(?:think|say|argue|assume|suggest|believe|claim|guess|answer|choose|pick)"

#: Before a head in its clause: the answer is denied.
NEGATED = re.compile(
    r"""(?<!\w)(?:not|never|neither|nor|cannot|can't|no|none|unlikely|doubt|doubtful|doubts|hardly
      |disagree|deny|refuse|avoid|fails?|mistake|mistaken|misconception|tempting|mistakenly|wrongly|almost
      |nearly|tempted|considered\ (?:choosing|picking|selecting)
      |nobody|(?:wrong|incorrect|false)\ (?:to|that)|nicht|kein|keine|pas|não|nunca|не)(?!\w)
      |n't(?!\w)|不(?!过)|没|非(?!常)|(?<![分特区个级])别|勿|아니""",
    _FLAGS,
)
CERTAIN = re.compile(
    r"(?:no|without(?:\ a|\ any)?|not\ a)\ (?:doubt|question)|not\ only|no\ wonder|no\ longer",
    _FLAGS,
)
#: Before a head in its sentence: the answer is assumed, quoted or put in somebody else's mouth.
REPORTED = re.compile(
    rf"""(?<!\w)(?:if|whether|suppose|supposing|assuming|unless|imagine|were\ to|thought|assumed
      |guessed|at\ first|initially|originally|claims?|claimed
      |says|said|reads
      |(?:one|you|he|she|they|people|others|some|many|someone|students?|who)[ ]
        (?:(?:might|may|could|would|will|often)\ )?{_SAYS}s?)(?!\w)
      |如果|假设|假如|若|是否|例如|有人""",
    _FLAGS,
)
#: No condition, for the choice had to be made.
FORCED = re.compile(
    r"""if\ (?:i|we)\ (?:had|have|were|must|am)\ (?:to\ )?
      (?:choose|guess|pick|answer|say|select|decide)
      |contrary\ to\ [^,\n]{1,60},""",
    _FLAGS,
)
#: Anywhere before a head in its sentence: the answer is only an example.
QUOTED = re.compile(r"(?<!\w)(?:example|e\.g\.?|format|template)(?!\w)|例如|格式", _FLAGS)
#: Before a verb such as "choose": somebody in the story chooses.
THIRD_PERSON = re.compile(
    r"(?<!\w)(?:he|she|they|man|woman|boy|girl|people|someone|who)(?!\w)", _FLAGS
)
HEDGED = re.compile(
    r"(?<!\w)(?:maybe|perhaps|possibly|might|could|may|unsure|uncertain|either)(?!\w)|可能|也许|或许",
    _FLAGS,
)
#: Where one clause ends and the next begins.
SENTENCE_END = re.compile(
    r"\n|[!?。]|(?<!\bdr)(?<!\bmr)(?<!\bms)(?<!\bmrs)(?<!\bst)(?<!\bvs)(?<!\bprof)\.(?=\s|$)",
    _FLAGS,
)
TURN = re.compile(
    r"(?<!\w)(?:but|however|so|therefore|thus|hence|yet|instead|consequently|finally)(?!\w)"
    r"|[;:—–∴]|所以|因此|故|但是|但",
    _FLAGS,
)
CLAUSE_END = re.compile(r",|、|(?<!\w)(?:and|because|since|which|means|meaning)(?!\w)", _FLAGS)
#: A clause that opens like this goes on from what was said before the comma.
GOES_BACK = re.compile(
    rf"[\s,]*(?:that\ )?(?:{_SAYS}|feel|see|find|know|mean|conclude|agree)(?!\w)", _FLAGS
)
#: What may follow a letter if the letter stands for itself: an end, or words that go on from it.
GOES_ON = re.compile(
    r"""\ ?[)\]}】>]{0,3}(?:
        $ | \n | \ ?[,;:!?。、…)\]}】—–|] | \ ?\.(?![\w.]\w) | \ -\ | \ \( | \ ?<
      | \ (?:because|since|given|due|which|according|based|among|so|but|rather|instead|not|and
          |although|though|while|as|over|here|from|out
          |considering|if|unless|only\ if
          |assuming|provided|for\ (?:the|these|this)|in\ (?:this|the)|of\ the
          |i\ (?:think|believe|guess)|(?:for\ sure|it\ is)(?=[.!]?$)|too|again
          |option|choice|answer)\b
      | \ ?(?:因为|由于|所以|理由|解析|选项|项|吧|了|是正确|です|だ|である|となる|が正解
          |입니다|이다|번|이며|예요|이에요) )""",
    _FLAGS,
)
CLOSED = re.compile(r"\ ?[)\]}】]{0,3}\ ?[.!。]?(?:$|\n)", _FLAGS)
#: What may follow a small letter: "answer: a", but not "the answer is a dog".
SMALL_LETTER_ENDS = re.compile(r"[)\]}】]{0,3}\ ?(?:$|[\n,;:!?。)]|\.(?![\w.]\w))", _FLAGS)
#: What may follow an option's text.
TEXT_ENDS = re.compile(
    r"""\ ?(?: $ | [\n;!。)\]}】>—–] | \.(?=\s(?![0-9])|$) | ,?\ (?:because|since|given|due|which
      |as\ (?:shown|seen|the|she|he|it|they|we)|based|according)\b | ,?因为 | \ -[ ]
      | ,\ (?:not|rather)\b | (?:(?<=^yes)|(?<=^no)),(?!\ (?:I|I'm|sorry|but|wait|let)\b)\  )""",
    _FLAGS,
)
WORD_ENDS = re.compile(r"(?!\w)")
#: What may follow a letter that opens a response; "A" may be an article, "I" the speaker.
LEADS = re.compile(
    r"""\ ?[)\]}】>]{0,3}(?: $ | \n | \ ?[,;:!。、)\]】—–] | \ ?\. | \ -\  | \ \( | 因为
      | \ (?:because|since|given|due|rather|not|is\ correct)\b
      | \ (?:i\ (?:think|believe|guess)|for\ sure|it\ is)[.!]?$ )""",
    _FLAGS,
)
LEADS_AS_PRONOUN = re.compile(r"[)\]}】>]{0,3}(?:$|[\n.:)])", _FLAGS)
#: "B. The balloons show it" explains; "B. Franklin flew a kite" is about somebody.
NAME_OR_SENTENCE = re.compile(r"\. ([A-Z][\w'-]*)")
OPENS_A_SENTENCE = re.compile(
    r"""(?:a|according|after|all|although|an|analysis|answer|as|at|based|because|before|both|by
      |correct|during|everyone|explanation|for|from|given|he|her|here|his|i|i'm|if|in|it|it's|its
      |looking|no|not|note|on|option|people|rationale|reason|reasoning|she|since|so|someone|that
      |the|their|there|therefore|these|they|this|though|to|we|what|when|while|who|with|yes|you)""",
    _FLAGS,
)
#: "B. Franklin" and "The answer is B. Franklin": an initial.
INITIAL = re.compile(
    r"""\.\ (?!(?i:explanation|reason|reasoning|because|rationale|analysis|note|yes|correct)\b)
      (?P<name>[A-Z][\w'-]{0,30}(?:\ [A-Z][\w'-]{0,30})?)\.?(?=\n|$)""",
    re.VERBOSE,
)
#: After an option that opens a response: it is turned down, or taken back.
REJECTED = re.compile(
    r"""\W{0,4}(?:(?:is|was|would\ be)\ )?(?:(?:wrong|incorrect|false
      |not(?!\ (?:option\ )?[A-Z]\b)|no|nope|unlikely|isn't|wasn't|impossible
      |can\ be\ (?:ruled|excluded|eliminated)|错|不)(?!\w)|or\ |错|不)""",
    _FLAGS,
)
SECOND_THOUGHT = re.compile(
    r"(?<!\w)(?:wait|actually|on second thought|correction|scratch that|or maybe|or perhaps)(?!\w)",
    re.IGNORECASE,
)
#: Another letter that is named together with the first one.
TOGETHER = re.compile(
    r"""\ ?[)\]}】]{0,3}(?:
        (?: [,(.;]?\s?(?:or|and/or|maybe|perhaps|possibly|或者|或|还是|、|oder|ou|или|または)
          | \ ?[/|&+、] | \ and/or )
        (?:\ ?(?:maybe|perhaps|possibly|even|also|else|option|the|both|either)\b){0,3}
        \s?[(\[]?[A-Z](?![\w'])
      | (?: ,\ ?and|,|;|\ and|\ und|\ et|\ y|\.|和|与|及|\  )
        \ ?(?:option\ )?[(\[]?[A-Z][)\]]?
        (?=\ ?(?:$|\n|[,.;)\]}/]|(?:and|or|both|are|were|equally)\b)) )""",
    _FLAGS,
)
#: Another option that is named after a letter and its text.
OR_ELSE = re.compile(
    r"[.,;]?\ (?:or|or\ maybe)\b|[.,;]?\ (?:and|/|&)\ (?:option\ )?\(?[A-Z][.):]\ ", _FLAGS
)
CONDITION_AFTER = re.compile(r"[)\]},]{0,3}\ (?:only\ )?(?:if|unless|assuming|provided)\b", _FLAGS)
#: A labelled line with a labelled line below it: a list of remarks, if the letters are in order.
LIST = re.compile(r"\(?([A-Z])[.):]\ [^\n]{1,400}\n\(?([A-Z])[.):]\ ", re.VERBOSE)
