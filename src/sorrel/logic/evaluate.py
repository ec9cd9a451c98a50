"""Terms under an assignment of values to variables, and the part of a formula that makes it true there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

import z3

from sorrel.logic import terms
from sorrel.logic.terms import Term

Assignment: TypeAlias = Mapping[Term, Term]
Model: TypeAlias = z3.ModelRef


def evaluate(term: Term, assignment: Assignment | Iterable[tuple[Term, Term]]) -> Term:
    """The term with its variables replaced by values, simplified: a value if the assignment is total.

    Division by zero stays as it is: its value is not fixed by the logic, so it must not look fixed here.
    """
    pairs = assignment.items() if isinstance(assignment, Mapping) else assignment
    return terms.simplify(terms.substitute(term, pairs))


def value_in(model: Model, term: Term) -> Term:
    """The value of a term in a model; what the model leaves open gets some value of its sort."""
    value = model.eval(term, model_completion=True)
    if terms.is_value(value):
        return value
    return _explicit_array(value, model) if z3.is_array(value) else value


def _explicit_array(value: Term, model: Model) -> Term:
    """An array given as a function (`as-array`) in store form; others are returned as they are."""
    if not z3.is_as_array(value):
        return terms.simplify(value)
    interpretation = model[z3.get_as_array_func(value)]
    sort = value.sort()
    array = z3.K(sort.domain(), value_in(model, interpretation.else_value()))
    for entry in interpretation.as_list()[:-1]:
        array = z3.Store(array, entry[0], value_in(model, entry[1]))
    return array


def assignment_from(model: Model, variables: Sequence[Term]) -> dict[Term, Term]:
    return {variable: value_in(model, variable) for variable in variables}


def implicant(formula: Term, holds: Callable[[Term], bool]) -> list[Term]:
    """Literals that are true in a model and together imply the formula, which the model satisfies.

    `holds` tells whether an atom or a subformula is true in the model. Boolean structure is taken apart;
    an `ite` between non-Boolean terms inside an atom is resolved by the branch that the model takes.
    """
    literals: dict[int, Term] = {}
    seen: set[tuple[int, bool]] = set()
    keep_alive: list[Term] = []
    stack: list[tuple[Term, bool]] = [(formula, True)]
    while stack:
        current, positive = stack.pop()
        key = (current.get_id(), positive)
        if key in seen:
            continue
        seen.add(key)
        keep_alive.append(current)
        if terms.is_true(current) or terms.is_false(current):
            continue
        parts = _parts(current, positive, holds)
        if parts is not None:
            stack.extend(reversed(parts))
            continue
        resolved, conditions = _resolve_ites(current, holds)
        stack.extend((condition, holds(condition)) for condition in conditions)
        literal = resolved if positive else terms.negation(resolved)
        keep_alive.append(literal)
        literals.setdefault(literal.get_id(), literal)
    return list(literals.values())


def _parts(term: Term, positive: bool, holds: Callable[[Term], bool]) -> list[tuple[Term, bool]] | None:
    """What must be shown instead of `term` (or its negation), or None if it is an atom."""
    if terms.is_quantifier(term) or not terms.is_application(term):
        return None
    if terms.is_not(term):
        return [(term.arg(0), not positive)]
    kind = term.decl().kind()
    if kind in (z3.Z3_OP_AND, z3.Z3_OP_OR):
        if (kind == z3.Z3_OP_AND) == positive:
            return [(child, positive) for child in term.children()]
        return [(next(c for c in term.children() if holds(c) == positive), positive)]
    if kind == z3.Z3_OP_IMPLIES:
        left, right = term.children()
        if not positive:
            return [(left, True), (right, False)]
        return [(right, True)] if holds(right) else [(left, False)]
    if kind == z3.Z3_OP_ITE and terms.is_boolean(term):
        condition, then, otherwise = term.children()
        return [(condition, True), (then, positive)] if holds(condition) else [(condition, False), (otherwise, positive)]
    if kind in (z3.Z3_OP_EQ, z3.Z3_OP_XOR, z3.Z3_OP_DISTINCT) and terms.is_boolean(term.arg(0)):
        return [(child, holds(child)) for child in term.children()]
    return None


def _resolve_ites(atom: Term, holds: Callable[[Term], bool]) -> tuple[Term, list[Term]]:
    """The atom with every `ite` replaced by the branch taken, and the conditions that decided."""
    conditions: list[Term] = []
    while True:
        found = _first_ite(atom)
        if found is None:
            return atom, conditions
        condition, then, otherwise = found.children()
        conditions.append(condition)
        atom = terms.substitute(atom, [(found, then if holds(condition) else otherwise)])


def _first_ite(term: Term) -> Term | None:
    seen: set[int] = set()
    stack = [term]
    while stack:
        current = stack.pop()
        if current.get_id() in seen or not terms.is_application(current):
            continue
        seen.add(current.get_id())
        if terms.is_ite(current) and not terms.is_boolean(current):
            return current
        stack.extend(reversed(current.children()))
    return None
