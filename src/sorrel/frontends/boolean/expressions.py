"""Expressions as terms, with the widths checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field

from sorrel.frontends.boolean.syntax import Binary, Expression, Name, Number, Truth, Unary
from sorrel.logic import terms, words
from sorrel.logic.listing import BOOLEAN, width_of
from sorrel.logic.sexpr import Text
from sorrel.logic.terms import Term
from sorrel.model.errors import InputError
from sorrel.model.values import dataclass


@dataclass
class Translation:
    """`exact` collects what must hold for every result to be exact."""

    text: Text
    width: int
    environment: Mapping[str, Term]
    exact: list[Term] = field(default_factory=list)

    def formula(self, expression: Expression) -> Term:
        return self.of_width(expression, BOOLEAN)

    def of_width(self, expression: Expression, width: int) -> Term:
        found = self.term(expression, width)
        actual = width_of(found.sort())
        if actual != width:
            raise self._error(f"{_kind(width)} is expected here, not {_kind(actual)}", expression)
        return found

    def term(self, expression: Expression, wish: int | None = None) -> Term:
        """`wish` is the width that a number takes. A chain of operators is walked, not recursed into."""
        chain: list[tuple[Binary, int | None]] = []
        while isinstance(expression, Binary):
            wish = self._width_below(expression, wish)
            chain.append((expression, wish))
            expression = expression.left
        found = self._leaf(expression, wish)
        together: list[Term] = []  # operands of one connective in a row: joining them one by one would copy them all
        joins = ""
        for binary, its_wish in reversed(chain):
            right = self.term(binary.right, its_wish)
            if terms.is_boolean(found) and terms.is_boolean(right) and binary.operator in _JOINED:
                if binary.operator != joins:
                    found, together, joins = self._joined(found, together, joins), [], binary.operator
                together.append(right)
                continue
            found, together, joins = self._joined(found, together, joins), [], ""
            found = self._binary(binary, found, right)
        return self._joined(found, together, joins)

    @staticmethod
    def _joined(first: Term, more: list[Term], operator: str) -> Term:
        return _JOINED[operator]([first, *more]) if more else first

    def _leaf(self, expression: Number | Truth | Name | Unary, wish: int | None) -> Term:
        match expression:
            case Number(value):
                return self._number(expression, value, wish or self.width)
            case Truth(value):
                return terms.TRUE if value else terms.FALSE
            case Name(name):
                if name not in self.environment:
                    raise self._error(f"there is no variable {name}", expression)
                return self.environment[name]
            case Unary(operator, operand):
                return self._unary(operator, self.term(operand, wish), operand)

    def _width_below(self, expression: Binary, wish: int | None) -> int:
        """The width of numbers below an operator: that of some variable beside them, or what is wished for."""
        if wish is not None and expression.operator not in _RELATIONS:
            return wish
        stack: list[Expression] = [expression.right, expression.left]
        while stack:
            match stack.pop():
                case Name(name) if name in self.environment and (width := width_of(self.environment[name].sort())):
                    return width
                case Unary(_, operand):
                    stack.append(operand)
                case Binary(operator, left, right) if operator not in _RELATIONS:
                    stack += [right, left]
                case _:
                    pass
        return BOOLEAN  # looked for, and not found: nobody below has to look again

    def _number(self, expression: Expression, value: int, width: int) -> Term:
        if value >> width:
            raise self._error(f"{value} does not fit into {width} bits", expression)
        return words.number(value, width)

    def _unary(self, operator: str, value: Term, operand: Expression) -> Term:
        if operator == "~":
            return terms.negation(value) if terms.is_boolean(value) else ~value
        if terms.is_boolean(value):
            raise self._error("a truth value has no negative", operand)
        self.exact.append(terms.equal(value, words.number(0, width_of(value.sort()))))
        return -value

    def _binary(self, expression: Binary, left: Term, right: Term) -> Term:
        operator = expression.operator
        if not terms.same_sort(left, right):
            kinds = f"{_kind(width_of(left.sort()))} and {_kind(width_of(right.sort()))}"
            raise self._error(f"the sides of `{operator}` are {kinds}", expression)
        if operator in ("=", "!="):
            return terms.equal(left, right) if operator == "=" else terms.distinct(left, right)
        if terms.is_boolean(left):
            if operator not in _CONNECTIVES:
                raise self._error(f"`{operator}` takes words, not truth values", expression)
            return _CONNECTIVES[operator](left, right)
        if operator == "=>":
            raise self._error("`=>` takes truth values, not words", expression)
        self._note_exactness(operator, left, right)
        return _WORD_OPERATORS[operator](left, right)

    def _note_exactness(self, operator: str, left: Term, right: Term) -> None:
        match operator:
            case "+":
                self.exact.append(words.sum_fits(left, right))
            case "-":
                self.exact.append(words.at_most(right, left))
            case "*":
                self.exact.append(words.product_fits(left, right))
            case "/" | "%":
                self.exact.append(terms.distinct(right, words.number(0, width_of(right.sort()))))
            case _:
                pass

    def _error(self, message: str, expression: Expression) -> InputError:
        hint = "Names without a type are truth values; declare others: var x: word;" if "not" in message else ""
        return self.text.error(message, expression.at, hint=hint)


def _kind(width: int) -> str:
    return "a truth value" if width == BOOLEAN else f"a word of {width} bits"


_RELATIONS = frozenset(("=", "!=", "<", "<=", ">", ">="))
_JOINED: Mapping[str, Callable[[list[Term]], Term]] = {"&": terms.conjunction, "|": terms.disjunction}
_CONNECTIVES: Mapping[str, Callable[[Term, Term], Term]] = {
    "&": lambda a, b: terms.conjunction([a, b]),
    "|": lambda a, b: terms.disjunction([a, b]),
    "^": words.exclusive,
    "=>": terms.implication,
}
_WORD_OPERATORS: Mapping[str, Callable[[Term, Term], Term]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": words.quotient,
    "%": words.remainder,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": words.exclusive,
    "<<": lambda a, b: a << b,
    ">>": words.shifted_right,
    "<": words.less,
    "<=": words.at_most,
    ">": words.more,
    ">=": words.at_least,
}
