"""Cubes without what their other literals say: facts derived from facts would otherwise grow with every step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sorrel.logic import terms
from sorrel.logic.evaluate import evaluate
from sorrel.logic.linear import Atom, Sum, atom
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass

Form = tuple[tuple[int, int], ...]
"""Terms by identity with their coefficients: what atoms about the same sum have in common."""


@dataclass(frozen=True, slots=True, eq=False)
class _Literal:
    """A literal of the cube, and the linear atom that it is, if it is one."""

    term: Term
    atom: Atom | None


def without_implied(literals: Sequence[Term]) -> list[Term]:
    """An equivalent cube: values that equations fix decide other literals, and of bounds on a sum the sharpest is left.

    What is dropped follows from what is left. A cube that contradicts itself may come back as it is.
    """
    once = {literal.get_id(): literal for literal in literals}
    rest = [_Literal(literal, atom(literal)) for literal in once.values()]
    fixed = _values(rest)
    undecided = [each for each in rest if each.term.get_id() in fixed.by or not _decided(each, fixed)]
    return _sharpest(undecided)


def only_point(cube: Term, formals: Sequence[Term]) -> dict[Term, Term] | None:
    """The values of a cube that fixes all formals and can be met; None for any other."""
    literals = terms.conjuncts(cube)
    if len(literals) < len(formals):
        return None
    numbers = _values([_Literal(literal, atom(literal)) for literal in literals]).values
    known = {variable.get_id(): terms.integer(value) for variable, value in numbers.values()}
    for literal in literals:
        inner = terms.children(literal)[0] if terms.is_not(literal) else literal
        if terms.is_variable(inner) and terms.is_boolean(inner):
            known[inner.get_id()] = terms.FALSE if terms.is_not(literal) else terms.TRUE
    if any(formal.get_id() not in known for formal in formals):
        return None
    point = {formal: known[formal.get_id()] for formal in formals}
    return point if terms.is_true(evaluate(cube, point)) else None


@dataclass(frozen=True, slots=True, eq=False)
class _Fixed:
    """Values of variables, and the literals by identity that say so."""

    values: Mapping[int, tuple[Term, int]]
    by: frozenset[int]


def _values(literals: Sequence[_Literal]) -> _Fixed:
    """Equations that leave one variable, given those that were found before."""
    values: dict[int, tuple[Term, int]] = {}
    by: set[int] = set()
    changed = True
    while changed:
        changed = False
        for each in literals:
            if each.atom is None or each.atom.sign != "=" or each.term.get_id() in by:
                continue
            left = _left(each.atom.sum, values)
            if len(left.terms) != 1:
                continue
            ((identity, (variable, factor)),) = left.terms.items()
            if terms.is_variable(variable) and abs(factor) == 1:
                values[identity] = (variable, -left.constant * factor)
                by.add(each.term.get_id())
                changed = True
    return _Fixed(values, frozenset(by))


def _left(sum_: Sum, values: Mapping[int, tuple[Term, int]]) -> Sum:
    """The sum without the variables that have a value."""
    constant = sum_.constant
    others: dict[int, tuple[Term, int]] = {}
    for identity, (term, factor) in sum_.terms.items():
        if identity in values:
            constant += factor * values[identity][1]
        else:
            others[identity] = (term, factor)
    return Sum(others, constant)


def _decided(literal: _Literal, fixed: _Fixed) -> bool:
    """Whether the values make it true."""
    if not fixed.values:
        return False
    if literal.atom is not None:
        left = _left(literal.atom.sum, fixed.values)
        if not left.terms:
            return _holds(literal.atom.sign, left.constant)
    pairs = [(variable, terms.integer(value)) for variable, value in fixed.values.values()]
    return terms.is_true(terms.simplify(terms.substitute(literal.term, pairs)))


def _holds(sign: str, value: int) -> bool:
    return value <= 0 if sign == "≤" else (value == 0) is (sign == "=")


def _sharpest(literals: Sequence[_Literal]) -> list[Term]:
    """Without bounds that a sharper one, or an equation about the same sum, implies."""
    highest: dict[Form, int] = {}
    equal: dict[Form, int] = {}
    for each in literals:
        if each.atom is None or not each.atom.sum.terms:
            continue
        form, constant = _form(each.atom.sum), each.atom.sum.constant
        if each.atom.sign == "≤":
            highest[form] = max(constant, highest.get(form, constant))
        elif each.atom.sign == "=":
            equal[form] = constant
            equal[_opposite(form)] = -constant
    kept = [each for each in literals if not _implied(each, highest, equal)]
    return list({_said(each): each.term for each in kept}.values())


def _said(literal: _Literal) -> tuple[object, ...]:
    """The same for two ways to write one comparison."""
    if literal.atom is None:
        return (literal.term.get_id(),)
    return literal.atom.sign, _form(literal.atom.sum), literal.atom.sum.constant


def _implied(literal: _Literal, highest: Mapping[Form, int], equal: Mapping[Form, int]) -> bool:
    if literal.atom is None or not literal.atom.sum.terms or literal.atom.sign == "=":
        return False
    form, constant = _form(literal.atom.sum), literal.atom.sum.constant
    if form in equal:
        return _holds(literal.atom.sign, constant - equal[form])
    if literal.atom.sign == "≤":
        return constant != highest[form]
    return _excluded(form, constant, highest)


def _excluded(form: Form, constant: int, highest: Mapping[Form, int]) -> bool:
    """Whether bounds keep a sum away from the value that a literal with ≠ excludes."""
    if form in highest and highest[form] > constant:
        return True
    opposite = _opposite(form)
    return opposite in highest and highest[opposite] > -constant


def _form(sum_: Sum) -> Form:
    return tuple(sorted((identity, factor) for identity, (_, factor) in sum_.terms.items()))


def _opposite(form: Form) -> Form:
    return tuple((identity, -factor) for identity, factor in form)
