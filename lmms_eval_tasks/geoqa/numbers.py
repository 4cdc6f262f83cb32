r"""The numbers of a problem and of its options, derived from their text.

The official archive ships both; other copies of GeoQA carry the text alone. The rules here were
found by comparing official numbers with the texts they came from, and are written down with their
evidence at the pattern that states them.
"""

from __future__ import annotations

import re
import unicodedata

from lmms_eval_tasks.geoqa.expression import LONGEST, NoValueError, leading_value

_MOST_DIGITS = 300
_LOOK_BACK = 16
_FULL_WIDTH = str.maketrans("0123456789．", "0123456789.")

_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")
# A digit that names a thing is not counted: ∠1, angle 2, 图1, Figure 3, the points A1 and B1.
_NAMES_A_THING = re.compile(
    r"(?:∠\s*|\bangles?\s*|(?<![A-Za-z])(?:figure|fig\.?|diagram)\s*\(?|图\s*[(（]?|第\s*|[A-Za-z_′'])$",
    re.IGNORECASE,
)
_FUNCTION_OF_A_NUMBER = re.compile(r"(?:sin|cos|tan|cot)$")
_DEGREES_FOLLOW = re.compile(r"\s*(?:°|º|˚|度|degree|\^\{?\\?circ)", re.IGNORECASE)
# What a problem is worth in its exam, and the exam it comes from, belong to no problem.
_MARKS = re.compile(r"[(（]\s*[0-9]{1,2}\s*分\s*[)）]")
_SOURCE = re.compile(r"\s*[(（]\s*(?:19|20)[0-9]{2}\s*年?\s*[•·∙・][^()（）]{1,30}[)）]")
# The English texts write every counted number as a float: a bare digit there is a name, or the
# exponent of a unit.
_ALWAYS_A_FLOAT = re.compile(r"(?<![0-9.])[0-9]+\.0(?![0-9])")
_CHINESE = re.compile(r"[一-鿿]")
# No official row shows how these count.
_UNWITNESSED = re.compile(r"√|sqrt|_|[A-Za-z]~?[0-9]|第\s*[0-9]|[(（,，]\s*[-−﹣－][0-9]")

_ONE_SIGN_EACH = str.maketrans(
    {
        "℃": "°",
        "º": "°",
        "˚": "°",
        "∘": "°",
        "²": "^2",
        "³": "^3",
        "−": "-",
        "﹣": "-",
        "－": "-",
        "–": "-",
        "×": "*",
        "·": "*",
        "•": "*",
        "⋅": "*",
        "∙": "*",
        "÷": "/",
        "∶": ":",
        "′": "'",
        "’": "'",
        "½": r"\frac{1}{2}",
        "⅓": r"\frac{1}{3}",
        "⅔": r"\frac{2}{3}",
        "¼": r"\frac{1}{4}",
        "¾": r"\frac{3}{4}",
        "【": "[",
        "】": "]",
    }
)
_LATEX = (
    (re.compile(r"\\(?:text|mathrm|mathbf|rm|operatorname)\s*\{([^{}]*)\}"), r" \1"),
    (re.compile(r"\\?[dt]?frac(?![a-z])"), r"\\frac"),
    (re.compile(r"\\?sqrt(?![a-z])"), "√"),
    (re.compile(r"\\?\bpi\b"), "π"),
    (re.compile(r"\\(?:times|cdot)(?![a-z])"), "*"),
    (re.compile(r"\\div(?![a-z])"), "/"),
    (re.compile(r"\^\s*\{?\s*(?:\\circ|°)\s*\}?|\\(?:degree|circ)(?![a-z])"), "°"),
    (re.compile(r"\\(sin|cos|tan)(?![a-z])"), r"\1"),
    (re.compile(r"\\(?:left|right|displaystyle|rm)(?![a-z])|\\[,;:! ]|\$"), " "),
)
_SEVERAL = re.compile(r"\s*(?:或者|或|和|、|,|;|\bor\b|\band\b)\s*")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?!\d)")
_BEFORE = re.compile(r"(?:约为?|大约|≈|=|[∠△]?[A-Za-z]{1,4}'?\s*=)\s*")
# Nobody leaves the difference of two plain numbers to the reader: 10-20 is a range.
_SPAN = re.compile(r"\d+(?:\.\d+)?\s*[^\s\dπ√()]{0,3}\s*-\s*\d+(?:\.\d+)?\s*(?![\d√π.(\\])")
_NUMERAL = re.compile(r"[\dπ]")
_ENCLOSED = re.compile(r"[①-⓿❶-➓]")

_SCALED = (
    "平方毫米|平方厘米|平方分米|平方千米|平方米|立方毫米|立方厘米|立方分米|立方米"
    "|毫米|厘米|分米|千米|公里|海里|英里|英尺|米|里|尺|寸|丈"
    "|m|(?i:(?:square|cubic|nautical|sq\\.?)?\\s*(?:cm|mm|dm|km|miles?|(?:centi|milli|deci|kilo)?met(?:er|re)s?))"
    "|(?i:nmiles?|inch(?:es)?|f(?:oo|ee)?t)"
)
_COUNTED = (
    "平方单位|立方单位|单位长度|单位|度|弧度|小时|分钟|秒钟|[时分秒天年月日]"
    "|毫升|千克|[升克吨元角倍个条对块次张种根颗只件名棵片圈周组步格点人边段处层辆排亩]"
    "|°C?|(?i:degrees?|rad(?:ians?)?|(?:square|cubic)?\\s*units?|hours?|min(?:ute)?s?|sec(?:ond)?s?)"
    "|s|kg|g|m?L"
)
_EXPONENT = r"(?:\s*\^?\s*(?:[23]|\{\s*[23]\s*\})\s*\^?)?"
_ONE_UNIT = rf"个?\s*(?:{_SCALED}|{_COUNTED}){_EXPONENT}"
_UNIT = re.compile(rf"\(?\s*{_ONE_UNIT}(?:\s*/\s*(?:{_ONE_UNIT}|h))?\s*\)?")


def numbers_in(text: str) -> tuple[float, ...]:
    """The numbers N_0, N_1, … of a problem, in order of appearance.

    Counted is every unsigned decimal number, both parts of a fraction or ratio, dates, and an
    exponent that is written with digits (``cm^2^``, not ``cm²``), because the official data counts
    them. Not counted are digits that name a thing (∠1, 图2, A1), the marks of an exam question
    (``(3分)``) and the exam it comes from (``(2014•...)``), superscripts and spelled-out numbers.

    Args:
        text: The problem, Chinese or English, of any length.

    Returns:
        The numbers; several may be equal.
    """
    text = text.translate(_FULL_WIDTH)
    text = _MARKS.sub(" ", _SOURCE.sub(" ", text, count=1) if _SOURCE.match(text) else text)
    floats_only = bool(_ALWAYS_A_FLOAT.search(text)) and not _CHINESE.search(text)
    return tuple(
        float(match[0])
        for match in _NUMBER.finditer(text)
        if len(match[0]) <= _MOST_DIGITS and _is_counted(text, match, floats_only=floats_only)
    )


def are_numbers_certain(text: str) -> bool:
    """Whether the numbering of this text follows from rules that official rows bear out.

    It does not where the text holds a radical, a subscript, a named point such as A1, or a
    negative coordinate: no official row with its text shows how those are numbered.
    """
    return not _UNWITNESSED.search(text)


def option_number(text: str) -> float | None:
    r"""The number of an option.

    The unit is dropped; π, radicals, fractions, LaTeX, ratios and brackets are evaluated (see
    `leading_value`). An option with several values (``25°、155°``, ``4或6``) has its first number,
    as the official data has it; `is_option_certain` tells it apart.

    Args:
        text: The option without its letter.

    Returns:
        The number, or None where the text has none (无法确定) or it does not follow with certainty
        (a misread ``l00°``, two numbers side by side, an unknown unit, a variable, a range).
    """
    values = _values(text)
    return values[0] if values else None


def is_option_certain(text: str) -> bool:
    """Whether `option_number` says all there is to say about an option.

    It does where the option has exactly one value, or holds no digit and no π and so has none. It
    does not for ``.70°``: 0.7 as it stands, and in the official data, but a misread 70.
    """
    if text.lstrip().startswith((".", "．")):
        return False
    return len(_values(text)) == 1 or not _NUMERAL.search(text)


def _is_counted(text: str, match: re.Match[str], *, floats_only: bool) -> bool:
    if floats_only:
        return "." in match[0]
    if _DEGREES_FOLLOW.match(text, match.end()):
        return True
    before = text[max(0, match.start() - _LOOK_BACK) : match.start()]
    return not _NAMES_A_THING.search(before) or bool(_FUNCTION_OF_A_NUMBER.search(before))


def _values(text: str) -> tuple[float, ...]:
    """The values an option names; none where one of them cannot be told."""
    if len(text) > LONGEST or _ENCLOSED.search(text):
        return ()
    text = _normalised(text)
    values: list[float] = []
    for part in _SEVERAL.split(text):
        value = _value(part)
        if value is None:
            return ()
        values.append(value)
    return tuple(values)


def _normalised(text: str) -> str:
    """One spelling for each sign."""
    text = unicodedata.normalize("NFKC", text.translate(_ONE_SIGN_EACH))
    for pattern, replacement in _LATEX:
        text = pattern.sub(replacement, text)
    text = _THOUSANDS.sub(lambda match: match[0].replace(",", ""), text)
    return text.strip().rstrip(".。;,、 ")


def _value(text: str) -> float | None:
    text = text.strip()
    if prefix := _BEFORE.match(text):
        text = text[prefix.end() :]
    if _SPAN.match(text):
        return None
    try:
        value, rest = leading_value(text)
    except NoValueError:
        return None
    return value + 0.0 if not rest or _UNIT.fullmatch(rest) else None
