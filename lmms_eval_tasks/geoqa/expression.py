r"""The value of an arithmetic expression as answer options write it: ``\frac{10√{3}}{3}``, ``4π``.

A recursive descent over at most `LONGEST` characters and `DEEPEST` levels of nesting: no `eval`,
and no input that takes long. It counts in decimals of `_PRECISION` digits, so that the value is the
float nearest to the exact one whatever the order of the operations.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from decimal import Context, Decimal, localcontext

LONGEST, DEEPEST = 200, 16
_PRECISION = 40
_LARGEST_POWER = 20
_PI = Decimal("3.14159265358979323846264338327950288419716939937510582")
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?|\.[0-9]+")
_WHOLE = re.compile(r"[0-9]+")
_MINUTES = re.compile(r"\s*°\s*([0-9]+(?:\.[0-9]+)?)\s*'")
_TRIGONOMETRIC: dict[str, Callable[[float], float]] = {
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
}
_BRACKETS = {"(": ")", "[": "]", "{": "}"}


class NoValueError(ValueError):
    """The text is no arithmetic expression, or it has no finite value."""


def leading_value(text: str) -> tuple[float, str]:
    r"""Evaluate the expression a text begins with.

    Understood are decimal numbers, ``π``, ``√3`` / ``√{3}`` / ``√[3]{8}``, ``\frac{a}{b}``,
    ``+ - * / :``, powers, brackets, products without a sign (``2√{3}π``), mixed numbers
    (``1\frac{1}{2}``), minutes of arc (``22°30'``) and ``sin 30°``, ``cos``, ``tan``.

    Args:
        text: The text, with one spelling for each sign (see `normalised` in the numbers module).

    Returns:
        The value, and the text after the expression without surrounding white space.

    Raises:
        NoValueError: The text does not begin with an expression, or its value is not finite.
    """
    if len(text) > LONGEST:
        msg = f"longer than {LONGEST} characters"
        raise NoValueError(msg)
    reader = _Reader(text)
    try:
        with localcontext(Context(prec=_PRECISION)):
            value = float(reader.ratio())
    except (ArithmeticError, ValueError) as error:
        raise NoValueError(str(error)) from error
    if not math.isfinite(value):
        msg = "the value is not finite"
        raise NoValueError(msg)
    return value, text[reader.position :].strip()


class _Reader:
    """One pass over one text; each method reads one rule of the grammar from `position` on."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._depth = 0
        self.position = 0

    def ratio(self) -> Decimal:
        value = self._sum()
        if self._take(":"):
            value /= self._sum()
        return value

    def _sum(self) -> Decimal:
        value = self._signed_product()
        while sign := self._take("+", "-"):
            term = self._product()
            value = value + term if sign == "+" else value - term
        return value

    def _signed_product(self) -> Decimal:
        sign = self._take("+", "-")
        value = self._product()
        return -value if sign == "-" else value

    def _product(self) -> Decimal:
        value = self._power()
        while True:
            if self._take("*"):
                value *= self._power()
            elif self._take("/"):
                value /= self._power()
            elif self._factor_follows():
                value *= self._power()
            else:
                return value

    def _factor_follows(self) -> bool:
        """Whether a factor follows that needs no sign of multiplication before it."""
        self._skip_space()
        return self._text.startswith(("π", "√", r"\frac", "(", *_TRIGONOMETRIC), self.position)

    def _power(self) -> Decimal:
        value = self._atom()
        start = self.position
        if not self._take("^"):
            return value
        exponent = self._argument()
        # `10cm^2^` closes a superscript with the sign that opens it.
        self._take("^")
        if not 0 <= exponent <= _LARGEST_POWER or exponent != int(exponent):
            self.position = start
            return value
        return value ** int(exponent)

    def _atom(self) -> Decimal:
        self._skip_space()
        if number := _NUMBER.match(self._text, self.position):
            self.position = number.end()
            return self._with_parts(number[0])
        if self._take("π"):
            return _PI
        if self._take("√"):
            return self._root()
        if self._take(r"\frac"):
            return self._fraction()
        if name := self._take(*_TRIGONOMETRIC):
            return self._of_degrees(_TRIGONOMETRIC[name])
        return self._bracketed()

    def _with_parts(self, digits: str) -> Decimal:
        """A number with the minutes or the proper fraction that may follow it."""
        value = Decimal(digits)
        if minutes := _MINUTES.match(self._text, self.position):
            self.position = minutes.end()
            return value + Decimal(minutes[1]) / 60
        start = self.position
        if _WHOLE.fullmatch(digits) and self._take(r"\frac"):
            before = self.position
            part = self._fraction()
            if re.fullmatch(r"[\s{}0-9]+", self._text[before : self.position]) and 0 < part < 1:
                return value + part
            self.position = start
        return value

    def _root(self) -> Decimal:
        degree = self._inside("]") if self._take("[") else Decimal(2)
        radicand = self._argument()
        if radicand < 0 or not 1 <= degree <= _LARGEST_POWER:
            msg = "a root of a negative number"
            raise NoValueError(msg)
        return radicand.sqrt() if degree == Decimal(2) else radicand ** (1 / degree)

    def _fraction(self) -> Decimal:
        numerator = self._fraction_part()
        return numerator / self._fraction_part()

    def _fraction_part(self) -> Decimal:
        r"""One argument of a fraction: a group, or, as in ``\frac12``, a single digit."""
        self._skip_space()
        digit = self._text[self.position : self.position + 1]
        if digit and digit in "0123456789":
            self.position += 1
            return Decimal(digit)
        return self._bracketed()

    def _of_degrees(self, function: Callable[[float], float]) -> Decimal:
        degrees = self._argument()
        if not self._take("°"):
            msg = "an angle without its unit"
            raise NoValueError(msg)
        return Decimal(function(math.radians(degrees)))

    def _argument(self) -> Decimal:
        """What a sign before it applies to: one number, one π, or one group."""
        self._skip_space()
        if number := _NUMBER.match(self._text, self.position):
            self.position = number.end()
            return Decimal(number[0])
        if self._take("π"):
            return _PI
        return self._bracketed()

    def _bracketed(self) -> Decimal:
        opening = self._take(*_BRACKETS)
        if not opening:
            msg = f"no number at {self.position}"
            raise NoValueError(msg)
        return self._inside(_BRACKETS[opening])

    def _inside(self, closing: str) -> Decimal:
        self._depth += 1
        if self._depth > DEEPEST:
            msg = f"more than {DEEPEST} levels of nesting"
            raise NoValueError(msg)
        value = self.ratio()
        self._depth -= 1
        if not self._take(closing):
            msg = f"no {closing} at {self.position}"
            raise NoValueError(msg)
        return value

    def _take(self, *signs: str) -> str:
        """Step over the first of these signs that stands here; an empty string if none does."""
        self._skip_space()
        for sign in signs:
            if self._text.startswith(sign, self.position):
                self.position += len(sign)
                return sign
        return ""

    def _skip_space(self) -> None:
        while self._text[self.position : self.position + 1].isspace():
            self.position += 1
