"""Clauses made from states, without equations that could be substituted, and with what a replay needs."""

from __future__ import annotations

from collections.abc import Mapping

from sorrel.encode.knowledge import Knowledge
from sorrel.encode.points import Point
from sorrel.encode.region import Region
from sorrel.encode.state import State
from sorrel.encode.trace import Trace
from sorrel.horn.clause import Atom, Clause
from sorrel.logic import terms, walk
from sorrel.logic.names import Names
from sorrel.logic.terms import Term
from sorrel.model.errors import Span
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Record:
    """How a clause came about. `solved` gives the variables that were substituted away, over those that are left.

    `from_point`: the first atom of the body is the cut point that the path starts from.
    """

    trace: Trace | None
    solved: Mapping[int, tuple[Term, Term]]
    from_point: bool
    abstractions: tuple[str, ...]


class Clauses:
    """Collects the clauses and points of a program."""

    def __init__(self) -> None:
        self.clauses: list[Clause] = []
        self.records: dict[str, Record] = {}
        self.points: dict[str, Point] = {}
        self._counts: dict[str, int] = {}
        self._point_names = Names()
        self._simplified: dict[int, tuple[Term, Term]] = {}  # with the term itself, which keeps its identity

    def _simple(self, part: Term) -> Term:
        """Paths share their conditions, so each is simplified once."""
        identity = terms.identity(part)
        found = self._simplified.get(identity)
        if found is None:
            found = self._simplified[identity] = (part, terms.simplify(part))
        return found[1]

    def point_name(self, wish: str) -> str:
        return self._point_names.fresh(wish)

    def add(
        self, procedure: str, head: Atom | None, state: State, region: Region, span: Span, from_point: bool
    ) -> None:
        """path ∧ calls ⇒ head; nothing if the path is impossible at sight."""
        if not state.is_possible:
            return
        parts = [part for condition in state.path.values() for part in terms.conjuncts(condition)]
        atoms = [*state.calls, *([head] if head else [])]
        mentioned = walk.free_variables(*parts, *(argument for atom in atoms for argument in atom.arguments))
        parts += _needed(region.facts(mentioned), parts, state.knowledge.fresh())
        solved = solved_equations(parts)
        pairs = [(variable, term) for variable, term in solved.values()]
        substituted = [self._simple(part) for part in terms.substitute_all(parts, pairs)]
        constraint = _propagated(terms.conjunction(substituted))
        if terms.is_false(constraint):
            return
        number = self._counts.get(procedure, 0)
        self._counts[procedure] = number + 1
        name = f"{procedure}#{number}"
        body = tuple(_tidy(atom, solved, pairs) for atom in state.calls)
        self.clauses.append(Clause(name, _tidy(head, solved, pairs) if head else None, body, constraint, span))
        self.records[name] = Record(state.trace, solved, from_point, state.abstractions)


def _needed(facts: list[Term], parts: list[Term], knowledge: Knowledge) -> list[Term]:
    """The facts that the path does not imply at sight; `knowledge` knows nothing yet."""
    about: dict[int, list[Term]] = {}
    for part in parts:
        knowledge.learn(part)
        for side in knowledge.mentioned(part):
            about.setdefault(terms.identity(side), []).append(part)
    needed: list[Term] = []
    for fact in facts:
        if knowledge.decide(fact) is True:
            continue
        needed.append(fact)
        knowledge.learn(fact)
        # i < n and n ≤ 9 give i ≤ 8.
        for side in knowledge.mentioned(fact):
            for part in about.get(terms.identity(side), ()):
                knowledge.learn(part)
    return needed


def _propagated(constraint: Term) -> Term:
    """The conjunction with each conjunct that is a literal taken for granted in the others."""
    parts = terms.conjuncts(constraint)
    literals: list[Term] = []
    others: list[Term] = []
    for part in parts:
        (literals if _is_literal(part) else others).append(part)
    if not literals or not others:
        return constraint
    known = [
        (terms.negation(literal), terms.FALSE) if terms.is_not(literal) else (literal, terms.TRUE)
        for literal in literals
    ]
    return terms.conjunction([*literals, *(terms.simplify(part) for part in terms.substitute_all(others, known))])


def _is_literal(part: Term) -> bool:
    atom = terms.negation(part) if terms.is_not(part) else part
    return not terms.is_composed(atom)


def _tidy(atom: Atom, solved: Mapping[int, tuple[Term, Term]], pairs: list[tuple[Term, Term]]) -> Atom:
    """With `pairs`, which are those of `solved`, substituted; most arguments are variables, and are looked up."""

    def tidy(argument: Term) -> Term:
        if terms.is_plain(argument):
            return solved.get(terms.identity(argument), (argument, argument))[1]
        return terms.substitute(argument, pairs)

    return Atom(atom.predicate, tuple(terms.simplify(tidy(argument)) for argument in atom.arguments))


def solved_equations(parts: list[Term]) -> dict[int, tuple[Term, Term]]:
    """Variables that the parts determine as terms over the others; substituting them all at once is idempotent."""
    solved: dict[int, tuple[Term, Term]] = {}
    for part in parts:
        if _equation(part) is None:  # what is no equation now does not become one
            continue
        equation = _equation(terms.substitute(part, solved.values()))
        if equation is None:
            continue
        variable, term = equation
        for identity, (known, value) in list(solved.items()):
            solved[identity] = (known, terms.substitute(value, [equation]))
        solved[terms.identity(variable)] = (variable, term)
    return solved


def _equation(part: Term) -> tuple[Term, Term] | None:
    """The part as variable = term, if it is that; a Boolean variable alone is true."""
    if terms.is_not(part):
        denied = terms.negation(part)
        return (denied, terms.FALSE) if terms.is_variable(denied) else None
    if not terms.is_equation(part):
        return (part, terms.TRUE) if terms.is_variable(part) and terms.is_boolean(part) else None
    left, right = terms.children(part)
    for one, other in ((left, right), (right, left)):
        if terms.is_variable(one) and not any(terms.same(one, v) for v in walk.free_variables(other)):
            return one, other
    return None
