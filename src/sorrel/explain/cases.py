"""Results of functions as cases of their arguments: what the clauses say, one after the other, as `c ? a : b`.

Templates guess facts one by one; a `switch` is read best as the table that it is. Where each clause of a function gives
its result as a term over the arguments, under a condition on these, the cases are put together, the longest condition
last, where it need not be said. A callee whose results are such terms is put in its place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sorrel.explain.bounds import always
from sorrel.horn.clause import Argument, Clause, Predicate, Role
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries
from sorrel.logic import linear, operations, terms, walk
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass
from sorrel.smt.solver import Oracle, Unsat

MOST_CASES, MOST_CHOICES, LARGEST = 12, 4, 120
"""Rows of a table, choices in one condition, and nodes of a value or a condition, that a person still reads."""

Results = Mapping[str, Term]
"""Outputs of a predicate by their names, as terms over its inputs."""


@dataclass(frozen=True, slots=True, eq=False)
class _Case:
    condition: Term
    value: Term


def cases(system: HornSystem, proved: Summaries, oracle: Oracle) -> dict[str, list[Term]]:
    """For each predicate equations of results with their cases, each of which follows in all its clauses."""
    known: dict[str, Results] = {}
    found: dict[str, list[Term]] = {}
    summaries = dict(proved)
    for name in (name for group in system.call_graph.components for name in group):
        predicate = system.predicate[name]
        results: dict[str, Term] = {}
        if name not in system.call_graph.recursive:
            for output in filter(_is_scalar, predicate.arguments):
                value = _value(system.defining[name], predicate, output, known, oracle)
                if value is None:
                    continue
                equation = operations.equation(output.formal, value)
                if always(system, name, equation, summaries, oracle):
                    results[output.name] = value
                    found.setdefault(name, []).append(equation)
        known[name] = results
        summaries[name] = terms.conjunction([summaries[name], *found.get(name, ())])
    return found


def _is_scalar(argument: Argument) -> bool:
    formal = argument.formal
    return argument.role is Role.OUTPUT and (terms.is_integer(formal) or terms.is_boolean(formal))


def _value(
    clauses: Sequence[Clause], predicate: Predicate, output: Argument, known: Mapping[str, Results], oracle: Oracle
) -> Term | None:
    """The output as a term over the inputs; None if the clauses do not say, or at length."""
    found: list[_Case] = []
    for clause in clauses:
        if oracle.clock.expired() or len(found) > MOST_CASES:
            return None
        case = _case(clause, predicate, output, known)
        if case is None:
            return None
        found += _apart(case)
    if terms.is_boolean(output.formal):
        return _truth(found, oracle)
    merged = _by_value(found)
    if not merged or len(merged) > MOST_CASES:
        return None
    return _chain(merged, oracle)


def _case(clause: Clause, predicate: Predicate, output: Argument, known: Mapping[str, Results]) -> _Case | None:
    """What a clause says of the output, over the inputs of its head."""
    assert clause.head is not None
    inputs: list[tuple[Term, Term]] = []
    given: list[tuple[Term, Term]] = []
    value = None
    for argument, term in zip(predicate.arguments, clause.head.arguments, strict=True):
        if argument.name == output.name:
            value = term
        elif argument.role is Role.INPUT and terms.is_variable(term) and not _is_bound(term, inputs):
            inputs.append((term, argument.formal))
        elif argument.role is Role.INPUT:
            given.append((argument.formal, term))
    if value is None:
        return None
    called = _called(clause, known)
    parts = [terms.substitute(each, called) for each in (*terms.conjuncts(clause.constraint), value)]
    sides = [terms.substitute(term, called) for _, term in given]
    allowed = {terms.identity(own) for own, _ in inputs}
    if any(terms.identity(each) not in allowed for each in walk.free_variables(*parts, *sides)):
        return None
    *condition, value = (terms.substitute(each, inputs) for each in parts)
    condition = [_decided(part) for part in condition]
    condition += [
        operations.equal(formal, terms.substitute(t, inputs)) for (formal, _), t in zip(given, sides, strict=True)
    ]
    case = _Case(terms.conjunction(condition), value)
    return case if max(walk.size(case.condition), walk.size(case.value)) <= LARGEST else None


def _decided(part: Term) -> Term:
    """Without choices between numbers: what it says of each of the two, where that one is chosen."""
    for _ in range(MOST_CHOICES):
        choice = next((each for each in walk.subterms(part) if terms.is_ite(each) and terms.is_integer(each)), None)
        if choice is None:
            break
        condition, *values = terms.children(choice)
        sides = (condition, terms.negation(condition))
        said = (_settled(terms.substitute(part, [(choice, value)])) for value in values)
        part = terms.disjunction(terms.conjunction(each) for each in zip(sides, said, strict=True))
    return part


def _settled(part: Term) -> Term:
    """True or false, where it speaks of numbers alone; else as it is."""
    simple = terms.simplify(part)
    return simple if terms.is_value(simple) else part


def _is_bound(term: Term, pairs: Sequence[tuple[Term, Term]]) -> bool:
    return any(terms.same(term, own) for own, _ in pairs)


def _called(clause: Clause, known: Mapping[str, Results]) -> list[tuple[Term, Term]]:
    """What calls give, for variables that stand for it; a call may be given what an earlier one gave."""
    found: list[tuple[Term, Term]] = []
    for atom in clause.body:
        results = known.get(atom.predicate.name, {})
        passed = [(formal, terms.substitute(term, found)) for formal, term in atom.bind()]
        for argument, term in zip(atom.predicate.arguments, atom.arguments, strict=True):
            if argument.name in results and terms.is_variable(term) and not _is_bound(term, found):
                found.append((term, terms.substitute(results[argument.name], passed)))
    return found


def _apart(case: _Case) -> list[_Case]:
    """A value of two cases as two."""
    found: list[_Case] = []
    waiting = [case]
    while waiting:
        each = waiting.pop()
        choice = next((part for part in walk.subterms(each.value) if terms.is_ite(part)), None)
        if choice is None or len(found) + len(waiting) > MOST_CASES:
            found.append(each)
            continue
        condition = terms.children(choice)[0]
        for side, value in zip((terms.negation(condition), condition), terms.children(choice)[:0:-1], strict=True):
            made = terms.substitute(each.value, [(choice, value)])
            waiting.append(_Case(terms.conjunction([each.condition, _decided(side)]), made))
    return found


def _truth(found: Sequence[_Case], oracle: Oracle) -> Term | None:
    """When an output that is a truth is so; None if it always is, or never."""
    ways = (terms.conjunction([case.condition, case.value]) for case in found)
    condition = _shorter(terms.disjunction(ways), (), oracle)
    is_open = bool(walk.free_variables(condition))
    return condition if is_open and walk.size(condition) <= LARGEST else None


def _by_value(found: Sequence[_Case]) -> list[_Case]:
    """One case for each value, in the order of the clauses."""
    values: dict[int, Term] = {}
    conditions: dict[int, list[Term]] = {}
    same: list[Term] = []
    for case in found:
        sum_ = linear.as_term(linear.linear(case.value))
        same.append(sum_)  # held, so that its identity is not another's
        values.setdefault(terms.identity(sum_), case.value)
        conditions.setdefault(terms.identity(sum_), []).append(case.condition)
    return [_Case(terms.disjunction(conditions[at]), value) for at, value in values.items()]


def _chain(found: Sequence[_Case], oracle: Oracle) -> Term | None:
    """All cases as one term: a condition need not say what those before it deny, and the longest is what is left."""
    left = max(range(len(found)), key=lambda at: (walk.size(found[at].condition), at))
    before: list[Term] = []
    rows: list[tuple[Term, Term]] = []
    for case in (case for at, case in enumerate(found) if at != left):
        condition = _shorter(case.condition, before, oracle)
        if terms.is_false(condition):
            continue
        rows.append((condition, case.value))
        before.append(terms.negation(condition))
    value = found[left].value
    for condition, then in reversed(rows):
        value = terms.ite(condition, then, value)
    return value if walk.size(value) <= LARGEST else None


def _shorter(condition: Term, known: Sequence[Term], oracle: Oracle) -> Term:
    """As much where `known` holds: alternatives that cannot be are left out, and so is what is clear.

    It is clear, too, that none of the alternatives before is the case: `a || !a && b` is `a || b`.
    """
    kept: list[Term] = []
    for way in terms.disjuncts(condition):
        parts = terms.conjuncts(way)
        otherwise = [*known, *map(terms.negation, kept)]
        if isinstance(oracle.check(*otherwise, *parts, kind="cases"), Unsat):
            continue
        for position in range(len(parts) - 1, -1, -1):
            rest = [*parts[:position], *parts[position + 1 :]]
            if oracle.entails(terms.conjunction([*otherwise, *rest]), parts[position], "cases") is True:
                parts = rest
        kept.append(terms.conjunction(_possible(part, [*otherwise, *parts], oracle) for part in parts))
    return terms.disjunction(_needed(kept, known, oracle)) if kept else terms.FALSE


def _needed(ways: Sequence[Term], known: Sequence[Term], oracle: Oracle) -> list[Term]:
    """Without alternatives that others cover."""
    kept = list(ways)
    for way in ways if len(ways) > 1 else ():
        others = [each for each in kept if each is not way]
        if others and oracle.entails(terms.conjunction([*known, way]), terms.disjunction(others), "cases") is True:
            kept = others
    return kept


def _possible(part: Term, known: Sequence[Term], oracle: Oracle) -> Term:
    """Without alternatives that cannot be."""
    ways = terms.disjuncts(part)
    if len(ways) < 2:
        return part
    return terms.disjunction(way for way in ways if not isinstance(oracle.check(*known, way, kind="cases"), Unsat))
