"""What cannot be in which case: an object that is this one is not freed, a number that was not given out has no owner.

Some arguments have one of a few values, as flags and states of objects have. For two numbers that the clauses compare
by equality it is asked which of these values they exclude if they are equal and not zero, if the first is at least the
second, and if the first differs from all objects that it is compared with, zero or not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sorrel.engines.ranges.names import Comparison, Survey
from sorrel.horn.clause import Clause, Predicate
from sorrel.horn.system import HornSystem
from sorrel.logic import terms
from sorrel.logic.terms import Term

MOST_VALUES, MOST_CASES = 6, 80

Case = tuple[Term, Term]
"""What is excluded, and where."""
Pair = tuple[str, str | int]
"""An argument, and another one or a number that it is compared with."""


def cases(survey: Survey) -> dict[str, list[Case]]:
    """For each predicate, by name."""
    system = survey.system
    values, pairs = few_values(system), _pairs(survey)
    return {p.name: list(_cases(p, values, pairs[p.name]))[:MOST_CASES] for p in system.predicates}


def _cases(
    predicate: Predicate, values: Mapping[tuple[str, str], Mapping[int, None]], pairs: Mapping[Pair, None]
) -> Iterator[Case]:
    formals = {terms.name(formal): formal for formal in predicate.formals}
    zero = terms.integer(0)
    objects: dict[str, list[Term]] = {}
    guards: list[Term] = []
    for one, other in pairs:
        if isinstance(other, int) and (predicate.name, one) in values:
            continue  # what it has itself is no case
        partner = formals[other] if isinstance(other, str) else terms.integer(other)
        guards.append(formals[one] >= partner)
        if other != 0:
            # Zero is no object: what is said of the one that a pointer points to is not said of none.
            objects.setdefault(one, []).append(partner)
            guards.append(terms.conjunction([terms.equal(formals[one], partner), terms.distinct(partner, zero)]))
    for one, them in objects.items():
        none_of_these = terms.conjunction([terms.distinct(formals[one], each) for each in them])
        guards.append(none_of_these)
        if (one, 0) in pairs:
            guards.append(terms.conjunction([none_of_these, terms.distinct(formals[one], zero)]))
        # An object that had a number may be one that is gone, as others are to which nothing points.
        guards += (
            terms.conjunction([terms.distinct(formals[one], each) for each in them if each is not left])
            for left in filter(terms.is_value, them if len(them) > 1 else ())
        )
    for name, formal in formals.items():
        for value in values.get((predicate.name, name), ()):
            yield from ((terms.equal(formal, terms.integer(value)), guard) for guard in guards)


def _pairs(survey: Survey) -> dict[str, dict[Pair, None]]:
    """What clauses compare with one another; first the one that most are compared with."""
    found: dict[str, dict[Pair, None]] = {p.name: {} for p in survey.system.predicates}
    kept = _kept(survey.system)
    for clause in survey.system.clauses:
        known = survey.known(clause)
        for left, right in dict.fromkeys(_equal_in(survey.comparisons(clause))):
            for predicate, names in known:
                one, other = names.get(left), names.get(right) if isinstance(right, str) else right
                if one is not None and other is not None and one != other:
                    if isinstance(other, str):
                        one, other = sorted((one, other))
                    elif (predicate, one) not in kept:
                        continue
                    found[predicate].setdefault((one, other))
    return {name: _most_compared_first(pairs) for name, pairs in found.items()}


def _equal_in(comparisons: Sequence[Comparison]) -> Iterator[Pair]:
    """Variables that are compared by equality, and with which numbers, if need be by way of another one."""
    equal = [(one, other) for one, other, is_equation in comparisons if is_equation and terms.is_integer(one)]
    pairs = [*equal, *((other, one) for one, other in equal)]
    values = {terms.name(one): _number(other) for one, other in pairs if terms.is_variable(one) and _is_number(other)}
    for one, other in pairs:
        if not terms.is_variable(one):
            continue
        if _is_number(other):
            yield terms.name(one), _number(other)
        elif terms.is_variable(other):
            yield terms.name(one), terms.name(other)
            if terms.name(other) in values:
                yield terms.name(one), values[terms.name(other)]


def _is_number(term: Term) -> bool:
    return terms.is_value(term) and terms.is_integer(term)


def _number(term: Term) -> int:
    return int(terms.as_number(term) or 0)


def _kept(system: HornSystem) -> set[tuple[str, str]]:
    """Arguments that no clause changes, such as the object that is watched."""
    kept = {(p.name, terms.name(formal)) for p in system.predicates for formal in p.formals}
    for clause in system.clauses:
        if clause.head is None or not clause.body:
            continue
        passed = {
            terms.name(argument) for atom in clause.body for argument in atom.arguments if terms.is_variable(argument)
        }
        for formal, argument in clause.head.bind():
            if not (terms.is_variable(argument) and terms.name(argument) in passed):
                kept.discard((clause.head.predicate.name, terms.name(formal)))
    return kept


def _most_compared_first(pairs: Mapping[Pair, None]) -> dict[Pair, None]:
    often: dict[str | int, int] = {}
    for pair in pairs:
        for name in pair:
            often[name] = often.get(name, 0) + 1
    turned = ((b, a) if isinstance(b, str) and often[b] > often[a] else (a, b) for a, b in pairs)
    return dict.fromkeys(turned)


def few_values(system: HornSystem) -> dict[tuple[str, str], dict[int, None]]:
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
    """What a clause adds to the values of its head; an argument that may be anything is taken out.

    Calls that do not succeed return anything; what they return is no value of those that do.
    """
    if clause.head is None or any(map(terms.is_false, clause.head.arguments)):
        return False
    sources = {
        terms.name(argument): (atom.predicate.name, terms.name(formal))
        for atom in clause.body
        for formal, argument in atom.bind()
        if terms.is_variable(argument)
    }
    told = _told(clause)
    changed = False
    for formal, argument in clause.head.bind():
        key = clause.head.predicate.name, terms.name(formal)
        if key not in found:
            continue
        values = _leaves(argument, sources, told, found)
        if values is None or len(found[key] | values) > MOST_VALUES:
            del found[key]
            changed = True
        elif values.keys() - found[key].keys():
            found[key].update(values)
            changed = True
    return changed


def _told(clause: Clause) -> dict[str, int]:
    """Variables that the clause says have one value."""
    pairs = [terms.children(part) for part in terms.conjuncts(clause.constraint) if terms.is_equation(part)]
    both = (pair for one, other in pairs for pair in ((one, other), (other, one)))
    return {terms.name(one): _number(other) for one, other in both if terms.is_variable(one) and _is_number(other)}


def _leaves(
    term: Term,
    sources: Mapping[str, tuple[str, str]],
    told: Mapping[str, int],
    found: Mapping[tuple[str, str], dict[int, None]],
) -> dict[int, None] | None:
    values: dict[int, None] = {}
    work, seen = [term], {terms.identity(term): term}
    while work:
        node = work.pop()
        if terms.is_ite(node):
            new = [each for each in terms.children(node)[1:] if terms.identity(each) not in seen]
            seen.update((terms.identity(each), each) for each in new)
            work += new
        elif terms.is_value(node):
            values.setdefault(int(terms.as_number(node) or 0))
        elif terms.is_variable(node) and terms.name(node) in told:
            values.setdefault(told[terms.name(node)])
        elif terms.is_variable(node) and sources.get(terms.name(node)) in found:
            values.update(found[sources[terms.name(node)]])
        else:
            return None
    return values
