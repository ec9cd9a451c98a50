"""What the conjuncts of a clause decide put into its other parts: truth values, definitions of arrays and values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from itertools import islice

from sorrel.horn.clause import Clause
from sorrel.logic import datatypes, terms, walk
from sorrel.logic.terms import Term

Pair = tuple[Term, Term]


def solve_equations(clause: Clause) -> Clause:
    """The same clause without truth values that its constraint decides, and arrays and data that it defines."""
    clause = _with(clause, [])
    while pairs := _decided(clause.constraint) or _definition(clause.constraint):
        clause = _with(clause, pairs)
    return clause


def solve_for_locals(clause: Clause) -> Clause:
    """The same without any variable that the constraint defines, but for those that its calls are at.

    So indices are told by arguments of calls, as in a program before its statements were taken apart.
    """
    clause = _with(clause, [])
    while True:
        kept = {terms.identity(v) for atom in clause.body for v in walk.free_variables(*atom.arguments)}
        decided = [pair for pair in _decided(clause.constraint) if terms.identity(pair[0]) not in kept]
        pairs = decided or _definition(clause.constraint, kept)
        if not pairs:
            return clause
        clause = _with(clause, pairs)


def solve_for_guarded(clause: Clause) -> Clause:
    """As `solve_for_locals`; a variable that matters only under a condition, which defines it, is put in, too."""
    clause = solve_for_locals(clause)
    while pairs := _guarded(clause):
        clause = solve_for_locals(_with(clause, pairs))
    return clause


def _guarded(clause: Clause) -> list[Pair]:
    """A variable that each conjunct speaks of only if a truth value holds, and what it is equal to then."""
    atoms = [*clause.body, *([clause.head] if clause.head else [])]
    kept = {terms.identity(v) for atom in atoms for v in walk.free_variables(*atom.arguments)}
    conjuncts = terms.conjuncts(clause.constraint)
    used = [{terms.identity(v) for v in walk.free_variables(conjunct)} for conjunct in conjuncts]
    for conjunct in conjuncts:
        cases = terms.disjuncts(conjunct)
        guards = [case for case in cases if terms.is_not(case) and terms.is_variable(terms.children(case)[0])]
        for definition in _definitions([case for case in cases if len(cases) == 2 and len(guards) == 1], kept):
            variable = terms.identity(definition[0])
            about = [terms.disjuncts(c) for c, found in zip(conjuncts, used, strict=True) if variable in found]
            if all(any(terms.same(case, guards[0]) for case in each) for each in about):
                return [definition]
    return []


def _with(clause: Clause, pairs: list[Pair]) -> Clause:
    solved = clause.substitute(pairs)
    return Clause(clause.name, solved.head, solved.body, terms.simplify(solved.constraint), clause.origin)


def _decided(constraint: Term) -> list[Pair]:
    """Truth values that stand as conjuncts of their own."""
    found: dict[int, Pair] = {}
    for conjunct in terms.conjuncts(constraint):
        variable = terms.children(conjunct)[0] if terms.is_not(conjunct) else conjunct
        if terms.is_variable(variable):
            found[terms.identity(variable)] = (variable, terms.FALSE if terms.is_not(conjunct) else terms.TRUE)
    return list(found.values())


def _definition(constraint: Term, kept: Set[int] | None = None) -> list[Pair]:
    """A variable for an array or a value of a datatype, or any that is not kept, and the term that it is equal to."""
    return list(islice(_definitions(terms.conjuncts(constraint), kept), 1))


def _definitions(conjuncts: Iterable[Term], kept: Set[int] | None) -> Iterator[Pair]:
    for conjunct in conjuncts:
        if not terms.is_equation(conjunct):
            continue
        left, right = terms.children(conjunct)
        if kept is None and not (terms.is_array(left) or datatypes.is_datatype(terms.sort_of(left))):
            continue
        for variable, term in ((left, right), (right, left)):
            used = walk.free_variables(term)
            if not terms.is_variable(variable) or terms.identity(variable) in (kept or ()):
                continue
            if not any(terms.same(variable, each) for each in used):
                yield variable, term
