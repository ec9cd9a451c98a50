"""The text of a condition to its tree, by recursive descent, in two dialects.

ACSL (Baudin et al., ACSL: ANSI/ISO C Specification Language, sections 2.2 and 2.4) has the operators of C without side
effects, implications, quantifiers and values of the past; a chain of comparisons says that each holds. A condition of
an SV-COMP witness is an expression of C, which may speak of results and of values at the entry of a function.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from sorrel.contracts.syntax import (
    Before,
    Cast,
    Choice,
    Condition,
    Element,
    Infix,
    Length,
    Member,
    Name,
    Null,
    Number,
    Prefix,
    Quantified,
    Range,
    Separated,
    Terminated,
    Truth,
    Valid,
)
from sorrel.contracts.tokens import Word, WordKind, unreadable, words
from sorrel.model.errors import NOWHERE, InputError, Span
from sorrel.program.types import Machine


class Dialect(StrEnum):
    ACSL = "ACSL"  # arithmetic is exact
    C = "C"  # arithmetic is the machine's


# From loose to tight; implications associate to the right, the rest to the left.
_LEVELS = (("||",), ("&&",), ("|",), ("^",), ("&",))
_EQUALITIES, _ORDERS = ("==", "!="), ("<", "<=", ">", ">=")
_TIGHT_LEVELS = (("<<", ">>"), ("+", "-"), ("*", "/", "%"))
_RISING, _FALLING = frozenset({"<", "<=", "=="}), frozenset({">", ">=", "=="})
_TYPE_WORDS = frozenset({"signed", "unsigned", "char", "short", "int", "long", "_Bool"})
_LOGIC = {"\\true": True, "\\false": False}
_EXTENDED = frozenset({"\\result", "\\at"})
"""Words of the past and of results that witnesses have beside the expressions of C."""
_STRINGS = {"\\valid_read_string": False, "\\valid_string": True}
STRING_LENGTH = "strlen"
MOST_NESTED = 400


def read(text: str, dialect: Dialect, place: Span = NOWHERE, *, long_bits: int = 64) -> Condition:
    """`place` is where the text stands, for messages; `long_bits` is how wide the machine's `long` is."""
    try:
        return _Reader(text, dialect, place, long_bits).condition()
    except RecursionError:
        raise InputError("a condition is nested too deeply", place) from None


class _Reader:
    def __init__(self, text: str, dialect: Dialect, place: Span, long_bits: int) -> None:
        self._text = text
        self._dialect = dialect
        self._place = place
        self._long_bits = long_bits
        self._words = words(text, place)
        self._position = 0
        self._depth = 0

    def condition(self) -> Condition:
        found = self._loosest()
        if self._word.kind is not WordKind.END:
            raise self._problem(f"“{self._word.text}” after the end of the condition")
        return found

    # Words

    @property
    def _word(self) -> Word:
        return self._words[self._position]

    @property
    def _exact(self) -> bool:
        return self._dialect is Dialect.ACSL

    def _problem(self, message: str) -> InputError:
        return unreadable(message, self._text, self._word.column, self._place)

    def _take(self, *texts: str) -> Word | None:
        word = self._word
        if word.text not in texts or word.kind is WordKind.END:
            return None
        self._position += 1
        return word

    def _expect(self, text: str) -> Word:
        word = self._take(text)
        if word is None:
            raise self._problem(f"“{text}” is missing before “{self._word.text or 'the end'}”")
        return word

    def _name(self) -> Word:
        word = self._word
        if word.kind is not WordKind.NAME or word.text.startswith("\\"):
            raise self._problem("a name is missing")
        self._position += 1
        return word

    def _member(self) -> Word:
        """The results of several runs are told side by side: a.\\result."""
        result = self._take("\\result") if self._exact else None
        return result or self._name()

    # From loose to tight

    def _loosest(self) -> Condition:
        self._depth += 1
        if self._depth > MOST_NESTED:
            raise self._problem("a condition is nested too deeply")
        found = self._quantified() if self._word.text in ("\\forall", "\\exists") else self._choice()
        self._depth -= 1
        return found

    def _quantified(self) -> Condition:
        word = self._word
        if not self._exact and word.text not in _EXTENDED:
            raise self._problem(f"C has no “{word.text}”")
        self._position += 1
        self._expect("integer")
        names = [self._name().text]
        while self._take(","):
            names.append(self._name().text)
        self._expect(";")
        return Quantified(word.text == "\\forall", tuple(names), self._loosest(), word.column)

    def _choice(self) -> Condition:
        test = self._equivalence() if self._exact else self._level(0)
        mark = self._take("?")
        if mark is None:
            return test
        then = self._loosest()
        self._expect(":")
        return Choice(test, then, self._loosest(), mark.column)

    def _equivalence(self) -> Condition:
        found = self._implication()
        while sign := self._take("<==>"):
            found = Infix("<==>", found, self._implication(), sign.column)
        return found

    def _implication(self) -> Condition:
        left = self._level(0)
        sign = self._take("==>")
        if sign is None:
            return left
        right = self._quantified() if self._word.text in ("\\forall", "\\exists") else self._implication()
        return Infix("==>", left, right, sign.column)

    def _level(self, number: int) -> Condition:
        if number == len(_LEVELS):
            return self._comparisons() if self._exact else self._chained(_EQUALITIES, self._order)
        return self._chained(_LEVELS[number], lambda: self._level(number + 1))

    def _chained(self, signs: tuple[str, ...], inner: Callable[[], Condition]) -> Condition:
        found = inner()
        while sign := self._take(*signs):
            found = Infix(sign.text, found, inner(), sign.column)
        return found

    def _order(self) -> Condition:
        return self._chained(_ORDERS, lambda: self._tight(0))

    def _comparisons(self) -> Condition:
        """a <= b < c: both. Comparisons that point in different directions make no chain."""
        left = self._tight(0)
        found: Condition | None = None
        used: set[str] = set()
        while sign := self._take(*_EQUALITIES, *_ORDERS):
            right = self._tight(0)
            one = Infix(sign.text, left, right, sign.column)
            used.add(sign.text)
            if found is not None and not (used <= _RISING or used <= _FALLING):
                raise unreadable("comparisons that make no chain", self._text, sign.column, self._place)
            found = one if found is None else Infix("&&", found, one, sign.column)
            left = right
        return left if found is None else found

    def _tight(self, number: int) -> Condition:
        if number == len(_TIGHT_LEVELS):
            return self._prefix()
        return self._chained(_TIGHT_LEVELS[number], lambda: self._tight(number + 1))

    def _prefix(self) -> Condition:
        sign = self._take("-", "+", "!", "~", "*", *(("&",) if self._exact else ()))
        if sign is not None:
            return Prefix(sign.text, self._nested(self._prefix), sign.column)
        if self._word.text == "(" and self._words[self._position + 1].text in _TYPE_WORDS:
            column = self._expect("(").column
            type = self._type()
            self._expect(")")
            return Cast(type, self._nested(self._prefix), column)
        return self._postfix()

    def _nested(self, inner: Callable[[], Condition]) -> Condition:
        self._depth += 1
        if self._depth > MOST_NESTED:
            raise self._problem("a condition is nested too deeply")
        found = inner()
        self._depth -= 1
        return found

    def _type(self) -> Machine:
        found: list[str] = []
        while word := self._take(*_TYPE_WORDS):
            found.append(word.text)
        signed = "unsigned" not in found
        if "_Bool" in found:
            raise self._problem("a conversion to _Bool")
        if "char" in found:
            return Machine(8, signed)
        if "short" in found:
            return Machine(16, signed)
        bits = {0: 32, 1: self._long_bits, 2: 64}.get(found.count("long"))
        if bits is None:
            raise self._problem("there is no such type")
        return Machine(bits, signed)

    def _postfix(self) -> Condition:
        found = self._primary()
        while sign := self._take("[", ".", "->"):
            if sign.text == "[":
                found = Element(found, self._numbers(), sign.column)
                self._expect("]")
            else:
                found = Member(found, self._member().text, sign.text == "->", sign.column)
        return found

    def _primary(self) -> Condition:
        word = self._word
        if word.kind is WordKind.NUMBER:
            self._position += 1
            return _number(word)
        if self._take("("):
            found = self._numbers()
            self._expect(")")
            return found
        if word.kind is not WordKind.NAME:
            raise self._problem(f"a value is missing before “{word.text or 'the end'}”")
        if not word.text.startswith("\\"):
            self._position += 1
            if self._exact and word.text == STRING_LENGTH and self._word.text == "(":
                return Length(self._operands(1)[0], word.column)
            return Name(word.text, word.column)
        if not self._exact and word.text not in _EXTENDED:
            raise self._problem(f"C has no “{word.text}”")
        self._position += 1
        return self._logic(word)

    def _logic(self, word: Word) -> Condition:
        if word.text in _LOGIC:
            return Truth(_LOGIC[word.text], word.column)
        if word.text == "\\result":
            return Name(word.text, word.column)
        if word.text == "\\null":
            return Null(word.column)
        if word.text in ("\\valid", "\\valid_read"):
            return Valid(self._operands(), word.text == "\\valid", word.column)
        if word.text in _STRINGS:
            return Terminated(self._operands(1)[0], _STRINGS[word.text], word.column)
        if word.text == "\\separated":
            return Separated(self._operands(), word.column)
        if word.text not in ("\\old", "\\at"):
            raise unreadable(f"“{word.text}” is not supported", self._text, word.column, self._place)
        self._expect("(")
        operand = self._loosest()
        if word.text == "\\at":
            self._expect(",")
            label = self._name()
            if label.text not in ("Pre", "Old", "Here"):
                raise unreadable(f"the label {label.text} is not supported", self._text, label.column, self._place)
            if label.text == "Here":
                self._expect(")")
                return operand
        self._expect(")")
        return Before(operand, word.column)

    def _operands(self, most: int = MOST_NESTED) -> tuple[Condition, ...]:
        """In parentheses, with commas between them."""
        self._expect("(")
        found = [self._loosest()]
        while len(found) < most and self._take(","):
            found.append(self._loosest())
        self._expect(")")
        return tuple(found)

    def _numbers(self) -> Condition:
        """A number, or a range of numbers, whose ends may be left out."""
        low = None if self._exact and self._word.text == ".." else self._loosest()
        sign = self._take("..") if self._exact else None
        if low is not None and sign is None:
            return low
        high = None if self._word.text in ("]", ")") else self._loosest()
        return Range(low, high, self._word.column if sign is None else sign.column)


def _number(word: Word) -> Number:
    digits = word.text.rstrip("uUlL")
    suffix = word.text[len(digits) :].lower()
    hexadecimal = digits[:2].lower() == "0x"
    octal = not hexadecimal and len(digits) > 1 and digits[0] == "0"
    value = int(digits, 16 if hexadecimal else 8 if octal else 10)
    return Number(value, word.column, "u" in suffix)
