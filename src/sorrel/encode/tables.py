"""Tables as a person writes them: output = (condition ? value : …), and what holds of an output that is a truth.

A condition says nothing that types or the rows before it say, `x == y` where no other way is left to be `x <= y`, and a
row that is reached whenever those before it do not apply is the last.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sorrel.encode import intervals
from sorrel.encode.conversions import is_conversion, wraps
from sorrel.logic import linear, operations, terms, walk
from sorrel.logic.linear import Sum
from sorrel.logic.terms import Term
from sorrel.smt.solver import Oracle, Unsat


def is_table(part: Term) -> bool:
    """output = (condition ? value : …), or one value that is converted, or when a truth is so: told as it stands."""
    if not terms.is_equation(part) or not terms.is_variable(part.arg(0)):
        return False
    value = part.arg(1)
    if terms.is_boolean(value):
        return not (terms.is_variable(value) or terms.is_value(value))
    return terms.is_ite(value) or (terms.is_integer(value) and wraps(value))


def in_words(table: Term, types: Sequence[Term], inputs: Sequence[Term], oracle: Oracle) -> Term:
    """With conditions and values as a person writes them."""
    output, value = terms.children(table)
    words = _Words({terms.identity(term): position for position, term in enumerate(inputs)}, oracle)
    if terms.is_boolean(output):
        return operations.equal(output, words.condition(value, types))
    rows: list[tuple[Term, Term, list[Term]]] = []
    before = list(types)
    while terms.is_ite(value):
        condition, then, value = terms.children(value)
        said = words.condition(condition, before)
        if terms.is_true(said):
            value = then
        elif not terms.is_false(said):
            rows.append((said, words.value(then, [*before, condition]), [*before, condition]))
        before.append(terms.negation(condition))
    value = words.value(value, before)
    for condition, then, known in reversed(rows):
        if terms.is_ite(value) or not words.is_the_same(then, value, known):
            value = terms.ite(condition, then, value)
    return operations.equation(output, value)


class _Words:
    """Conditions for a reader who knows the arguments in their order."""

    def __init__(self, order: Mapping[int, int], oracle: Oracle) -> None:
        self._order = order
        self._oracle = oracle

    def value(self, value: Term, known: Sequence[Term]) -> Term:
        """Without a conversion that changes nothing wherever `known` holds."""
        if is_conversion(value):
            converted, modulus = terms.children(value)
            least, most = terms.integer(0), operations.less(converted, modulus)
            if self._clear(terms.conjunction([operations.at_most(least, converted), most]), known):
                value = converted
        return linear.as_term(linear.linear(value))

    def is_the_same(self, one: Term, other: Term, known: Sequence[Term]) -> bool:
        return self._clear(operations.equal(one, other), known)

    def condition(self, condition: Term, known: Sequence[Term]) -> Term:
        """As much wherever `known` holds."""
        ways: list[Term] = []
        for way in intervals.joined(terms.disjuncts(condition)):
            if isinstance(self._oracle.check(*known, way, kind="tidy"), Unsat):
                continue
            parts = self._without_clear(self._equated(_narrowed(terms.conjuncts(way)), known), known)
            if not parts:
                return terms.TRUE
            ways.append(terms.conjunction(self._shaped(parts)))
        return terms.disjunction(ways)

    def _equated(self, parts: Sequence[Term], known: Sequence[Term]) -> list[Term]:
        """With equations in place of bounds that cannot be passed by."""
        found = list(parts)
        for position, part in enumerate(found):
            equation = self._equation(part)
            if equation is not None and self._clear(equation, [*known, *found]):
                found[position] = equation
        return found

    def _equation(self, part: Term) -> Term | None:
        """x = y, if the part is x ≤ y or the like."""
        turned = _turned(part, self._order)
        sign, left, right = operations.comparison(turned) or ("", part, part)
        if sign in ("", "="):
            return None
        if sign == "<":
            above = linear.linear(right)
            right = linear.as_term(Sum(above.terms, above.constant - 1))
        sides = (left, right) if _first(left, self._order) <= _first(right, self._order) else (right, left)
        return operations.equation(*sides)

    def _without_clear(self, parts: Sequence[Term], known: Sequence[Term]) -> list[Term]:
        found = list(parts)
        for position in range(len(found) - 1, -1, -1):
            rest = [*found[:position], *found[position + 1 :]]
            if self._clear(found[position], [*known, *rest]):
                found = rest
        return found

    def _clear(self, part: Term, known: Sequence[Term]) -> bool:
        return self._oracle.entails(terms.conjunction(known), part, "tidy") is True

    def _shaped(self, parts: Sequence[Term]) -> Iterator[Term]:
        """Parts of a conjunction, with a lower bound in front of an upper one."""
        split = (terms.disjuncts(_pushed(part)) for part in parts)
        found = [terms.disjunction(_turned(literal, self._order) for literal in part) for part in split]
        found = _lower_first(found)
        for position, part in enumerate(found):
            yield _from_below(part) if any(_meet(part, other) for other in found[position + 1 :]) else part


def _narrowed(parts: Sequence[Term]) -> list[Term]:
    """x ≤ k and x ≠ k as x ≤ k - 1."""
    found = list(parts)
    for bound in parts:
        limit = linear.atom(bound)
        for other in parts if limit is not None and limit.sign == "≤" else ():
            excluded = linear.atom(other)
            if limit is None or excluded is None or excluded.sign in ("≤", "="):
                continue
            if any(_is_same(limit.sum, each) for each in (excluded.sum, excluded.sum.scaled(-1))):
                found = [_below(limit.sum) if each is bound else each for each in found if each is not other]
    return found


def _below(sum_: Sum) -> Term:
    """That it is less than zero, without a negative side."""
    left = Sum({key: (term, factor) for key, (term, factor) in sum_.terms.items() if factor > 0}, 0)
    right = Sum({key: (term, -factor) for key, (term, factor) in sum_.terms.items() if factor < 0}, -sum_.constant)
    if left.terms:
        return operations.less(linear.as_term(left), linear.as_term(right))
    return operations.more(linear.as_term(Sum(right.terms, 0)), terms.integer(-right.constant))


def _is_same(one: Sum, other: Sum) -> bool:
    return one.same_terms(other) and one.constant == other.constant


def _turned(literal: Term, order: Mapping[int, int]) -> Term:
    """With the earlier argument on the left, and without a negation: 0 ≤ x as x ≥ 0, and not x ≤ 0 as x > 0."""
    denied = terms.is_not(literal)
    sign, left, right = operations.comparison(terms.negation(literal) if denied else literal) or ("", literal, literal)
    if sign in ("", "="):
        return _balanced(literal, left, right, denied) if sign else literal
    left, right = (linear.as_term(linear.linear(side)) for side in (left, right))
    if denied:
        sign, left, right = ("<" if sign == "<=" else "<="), right, left
    if sign == "<=":
        sign, left, right = _strictly(left, right)
    if _first(right, order) < _first(left, order):
        return operations.not_less(right, left) if sign == "<=" else operations.more(right, left)
    return operations.not_more(left, right) if sign == "<=" else operations.less(left, right)


def _strictly(left: Term, right: Term) -> tuple[str, Term, Term]:
    """x ≤ y - 1 and x + 1 ≤ y as x < y."""
    smaller, greater = linear.linear(left), linear.linear(right)
    if greater.terms and smaller.terms and greater.constant - smaller.constant == -1:
        return "<", linear.as_term(Sum(smaller.terms, 0)), linear.as_term(Sum(greater.terms, 0))
    return "<=", left, right


def _balanced(literal: Term, left: Term, right: Term, denied: bool) -> Term:
    """x - y = 0 as x = y."""
    difference = linear.linear(left)
    added = {key: (term, factor) for key, (term, factor) in difference.terms.items() if factor > 0}
    if operations.literal(right) != 0 or not 0 < len(added) < len(difference.terms):
        return literal
    taken = {key: (term, -factor) for key, (term, factor) in difference.terms.items() if factor < 0}
    made = operations.equation(linear.as_term(Sum(added, 0)), linear.as_term(Sum(taken, -difference.constant)))
    return terms.negation(made) if denied else made


def _lower_first(parts: Sequence[Term]) -> list[Term]:
    """x ≥ a in front of the x ≤ b that it belongs to."""
    found = list(parts)
    for position, part in enumerate(parts):
        upper = next((each for each in found if _meet(part, each)), None)
        if upper is not None and any(each is upper for each in parts[:position]):
            found = [each for each in found if each is not part]
            at = next(at for at, each in enumerate(found) if each is upper)
            found.insert(at, part)
    return found


def _first(term: Term, order: Mapping[int, int]) -> int:
    """The position of the earliest argument in a term; numbers come last."""
    return min((order.get(terms.identity(each), len(order)) for each in walk.free_variables(term)), default=len(order))


def _pushed(part: Term) -> Term:
    """What is denied of several is denied of each."""
    denied = terms.negation(part) if terms.is_not(part) else None
    if denied is None or not terms.is_and(denied):
        return part
    return terms.disjunction(terms.negation(each) for each in terms.children(denied))


def _meet(lower: Term, upper: Term) -> bool:
    """x ≥ a and x ≤ b."""
    signs = [operations.comparison(each) for each in (lower, upper)]
    return (
        signs[0] is not None
        and signs[1] is not None
        and terms.same(signs[0][2], signs[1][1])
        and "=" not in (signs[0][0], signs[1][0])
    )


def _from_below(comparison: Term) -> Term:
    """x ≥ a as a ≤ x."""
    sign, left, right = operations.comparison(comparison) or ("", comparison, comparison)
    if not sign:
        return comparison
    return operations.not_more(left, right) if sign == "<=" else operations.less(left, right)
