"""What cannot be in which case: an object that is this one is not freed, a number that was not given out has no owner.

Some arguments have one of a few values, as flags and states of objects have. For two numbers that the clauses compare
by equality it is asked which of these values they exclude if they are equal and not zero, if the first is at least the
second, and if the first differs from all that it is compared with.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sorrel.engines.ranges.names import comparisons, names_at, own_names
from sorrel.horn.clause import Clause, Predicate
from sorrel.horn.system import HornSystem
from sorrel.logic import terms
from sorrel.logic.terms import Term

MOST_VALUES, MOST_CASES = 6, 80

Case = tuple[Term, Term]
"""What is excluded, and where."""


def cases(system: HornSystem) -> dict[str, list[Case]]:
    """For each predicate, by name."""
    values, pairs = _values(system), _pairs(system)
    return {p.name: list(_cases(p, values, pairs[p.name]))[:MOST_CASES] for p in system.predicates}


def _cases(
    predicate: Predicate, values: Mapping[tuple[str, str], Mapping[int, None]], pairs: Mapping[tuple[str, str], None]
) -> Iterator[Case]:
    formals = {terms.name(formal): formal for formal in predicate.formals}
    zero = terms.integer(0)
    others: dict[str, list[Term]] = {}
    guards: list[Term] = []
    for one, other in pairs:
        others.setdefault(one, []).append(formals[other])
        # Zero is no object: what is said of the one that a pointer points to is not said of none.
        same = terms.conjunction([terms.equal(formals[one], formals[other]), terms.distinct(formals[other], zero)])
        guards += (same, formals[one] >= formals[other])
    guards += (terms.conjunction([terms.distinct(formals[one], each) for each in them]) for one, them in others.items())
    for name, formal in formals.items():
        for value in values.get((predicate.name, name), ()):
            yield from ((terms.equal(formal, terms.integer(value)), guard) for guard in guards)


def _pairs(system: HornSystem) -> dict[str, dict[tuple[str, str], None]]:
    """Formals that clauses compare with one another; first the one that most are compared with."""
    found: dict[str, dict[tuple[str, str], None]] = {p.name: {} for p in system.predicates}
    own = own_names(system)
    for clause in system.clauses:
        known = [*own, *names_at(clause)]
        for term in comparisons(clause):
            one, other = terms.children(term)
            if not (terms.is_equation(term) and terms.is_variable(one) and terms.is_variable(other)):
                continue
            if not (terms.is_integer(one) and terms.is_integer(other)):
                continue
            pair = terms.name(one), terms.name(other)
            for predicate, names in known:
                if all(name in names for name in pair):
                    left, right = sorted(names[name] for name in pair)
                    found[predicate].setdefault((left, right))
    return {name: _most_compared_first(pairs) for name, pairs in found.items()}


def _most_compared_first(pairs: Mapping[tuple[str, str], None]) -> dict[tuple[str, str], None]:
    often: dict[str, int] = {}
    for pair in pairs:
        for name in pair:
            often[name] = often.get(name, 0) + 1
    return {(a, b) if often[a] >= often[b] else (b, a): None for a, b in pairs if a != b}


def _values(system: HornSystem) -> dict[tuple[str, str], dict[int, None]]:
    """The values of arguments that have few: each is a number of the clauses, or the value of another such argument."""
    found: dict[tuple[str, str], dict[int, None]] = {
        (p.name, terms.name(formal)): {} for p in system.predicates for formal in p.formals if terms.is_integer(formal)
    }
    changed = True
    while changed:
        changed = False
        for clause in system.clauses:
            changed |= _passed(clause, found)
    return {key: values for key, values in found.items() if len(values) > 1}


def _passed(clause: Clause, found: dict[tuple[str, str], dict[int, None]]) -> bool:
    """What a clause adds to the values of its head; an argument that may be anything is taken out."""
    if clause.head is None:
        return False
    sources = {
        terms.name(argument): (atom.predicate.name, terms.name(formal))
        for atom in clause.body
        for formal, argument in atom.bind()
        if terms.is_variable(argument)
    }
    changed = False
    for formal, argument in clause.head.bind():
        key = clause.head.predicate.name, terms.name(formal)
        if key not in found:
            continue
        values = _leaves(argument, sources, found)
        if values is None or len(found[key] | values) > MOST_VALUES:
            del found[key]
            changed = True
        elif values.keys() - found[key].keys():
            found[key].update(values)
            changed = True
    return changed


def _leaves(
    term: Term, sources: Mapping[str, tuple[str, str]], found: Mapping[tuple[str, str], dict[int, None]]
) -> dict[int, None] | None:
    values: dict[int, None] = {}
    work = [term]
    while work:
        node = work.pop()
        if terms.is_ite(node):
            work += terms.children(node)[1:]
        elif terms.is_value(node):
            values.setdefault(int(terms.as_number(node) or 0))
        elif terms.is_variable(node) and sources.get(terms.name(node)) in found:
            values.update(found[sources[terms.name(node)]])
        else:
            return None
    return values
