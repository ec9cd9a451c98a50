"""Terms under an assignment of values to variables, and the part of a formula that makes it true there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

import z3

from sorrel.logic import pointers, terms
from sorrel.logic.terms import Term

Assignment: TypeAlias = Mapping[Term, Term]
Model: TypeAlias = z3.ModelRef


def evaluate(term: Term, assignment: Assignment | Iterable[tuple[Term, Term]]) -> Term:
    """The term with its variables replaced by values, simplified: a value if the assignment is total.

    Division by zero stays as it is: its value is not fixed by the logic, so it must not look fixed here.
    """
    pairs = assignment.items() if isinstance(assignment, Mapping) else assignment
    return _canonical(terms.simplify(terms.substitute(term, pairs)))


def value_in(model: Model, term: Term) -> Term:
    """The value of a term in a model; what the model leaves open gets some value of its sort."""
    value = model.eval(term, model_completion=True)
    if not terms.is_value(value) and z3.is_array(value):
        value = _explicit_array(value, model)
    return _canonical(value)


def integers_in(model: Model, constants: Iterable[Term]) -> list[int | None]:
    """What a model says of integer constants; None where it leaves that open. For whoever asks for many."""
    return [pointers.integer_in(model, pointers.address(constant)) for constant in constants]


def _canonical(value: Term) -> Term:
    """Equal array values become the same term: indices in order, each once, none that has the default element."""
    if not z3.is_array(value) or not terms.is_value(value):
        return value
    entries: dict[str, tuple[Term, Term]] = {}
    while z3.is_store(value):
        array, index, element = value.children()
        entries.setdefault(index.sexpr(), (index, _canonical(element)))
        value = array
    default = _canonical(value.arg(0))
    result = z3.K(value.sort().domain(), default)
    for _, (index, element) in sorted(entries.items()):
        if not terms.same(element, default):
            result = z3.Store(result, index, element)
    return result


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
    literals: dict[int, Term] = {}  # by address
    seen: set[tuple[int, bool]] = set()
    keep_alive: list[Term] = []
    stack: list[tuple[Term, bool]] = [(formula, True)]
    while stack:
        current, positive = stack.pop()
        key = (pointers.address(current), positive)
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
        literals.setdefault(pointers.address(literal), literal)
    return list(literals.values())


def _parts(term: Term, positive: bool, holds: Callable[[Term], bool]) -> list[tuple[Term, bool]] | None:
    """What must be shown instead of `term` (or its negation), or None if it is an atom."""
    kind = pointers.operator(pointers.address(term))
    if kind not in _CONNECTIVES:
        return None
    children = terms.children(term)
    if kind == z3.Z3_OP_NOT:
        return [(children[0], not positive)]
    if kind in (z3.Z3_OP_AND, z3.Z3_OP_OR):
        if (kind == z3.Z3_OP_AND) == positive:
            return [(child, positive) for child in children]
        return [(next(c for c in children if holds(c) == positive), positive)]
    if kind == z3.Z3_OP_IMPLIES:
        left, right = children
        if not positive:
            return [(left, True), (right, False)]
        return [(right, True)] if holds(right) else [(left, False)]
    if not all(terms.is_boolean(child) for child in children):
        return None
    if kind == z3.Z3_OP_ITE:
        condition, then, otherwise = children
        decided = holds(condition)
        return [(condition, decided), (then if decided else otherwise, positive)]
    return [(child, holds(child)) for child in children]


_CONNECTIVES = frozenset(
    (
        *(z3.Z3_OP_NOT, z3.Z3_OP_AND, z3.Z3_OP_OR, z3.Z3_OP_IMPLIES),
        *(z3.Z3_OP_ITE, z3.Z3_OP_EQ, z3.Z3_OP_XOR, z3.Z3_OP_DISTINCT),
    )
)


def _resolve_ites(atom: Term, holds: Callable[[Term], bool]) -> tuple[Term, list[Term]]:
    """The atom with every `ite` between terms replaced by the branch taken, and the conditions that decided.

    One pass, children first; branches not taken are not looked at.
    """
    if not _has_ite(atom):
        return atom, []
    conditions: list[Term] = []
    done: dict[int, Term] = {}
    taken: dict[int, int] = {}  # the branch that stands for an ite
    stack = [pointers.address(atom)]
    while stack:
        node = stack[-1]
        if node in done:
            stack.pop()
            continue
        children = pointers.arguments(node) if pointers.is_application(node) else []
        if _is_term_ite(node):
            if node not in taken:
                condition = pointers.term(children[0])
                conditions.append(condition)
                taken[node] = children[1] if holds(condition) else children[2]
            children = [taken[node]]
        waiting = [child for child in children if child not in done]
        if waiting:
            stack.extend(reversed(waiting))
            continue
        stack.pop()
        done[node] = done[taken[node]] if node in taken else _rebuilt(node, [done[c] for c in children])
    return done[pointers.address(atom)], conditions


def _rebuilt(node: int, children: Sequence[Term]) -> Term:
    """The application over new arguments; itself, if they are the old ones."""
    if not children or [pointers.address(child) for child in children] == pointers.arguments(node):
        return pointers.term(node)
    return pointers.application(pointers.declaration(node), children)


def _is_term_ite(node: int) -> bool:
    return bool(pointers.operator(node) == z3.Z3_OP_ITE and pointers.sort_kind(node) != z3.Z3_BOOL_SORT)


def _has_ite(term: Term) -> bool:
    return any(_is_term_ite(node) for node in pointers.nodes(pointers.address(term)))
