"""What procedures are called with: a predicate for the inputs of each, and summaries that hold of such calls alone.

A summary of a procedure speaks of all inputs, of most of which nothing is known. With `called!P(x)` for the inputs x
that P is reached with, P(x, y) need only be known where P is called (magic sets: Bancilhon, Maier, Sagiv and Ullman,
PODS 1986; as a transformation of Horn clauses: Kafle and Gallagher, 2015). A clause

    H(x, y) ← B₁(x₁, y₁), …, Bₙ(xₙ, yₙ), c

becomes

    H(x, y) ← called!H(x), B₁(x₁, y₁), …, Bₙ(xₙ, yₙ), c
    called!Bᵢ(xᵢ) ← called!H(x), B₁(x₁, y₁), …, Bᵢ₋₁(xᵢ₋₁, yᵢ₋₁), c

A solution goes back as called!P(x) ⇒ P(x, y): if that holds of all calls of a clause in turn, each is one that was
asked for, by the clauses for `called!`, so that the head follows. A derivation goes back without the steps for calls.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sorrel.horn.clause import Atom, Clause, Predicate, Role
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Derivation, Step, Summaries
from sorrel.logic import terms
from sorrel.logic.names import Names
from sorrel.model.values import dataclass
from sorrel.smt.solver import Oracle
from sorrel.transform.lift import Transformed

CALLED = "called!"


@dataclass(frozen=True, slots=True, eq=False)
class _Context:
    """The inputs of a predicate, as a predicate of their own."""

    inputs: tuple[int, ...]
    predicate: Predicate

    @staticmethod
    def of(whole: Predicate, names: Names) -> _Context:
        inputs = tuple(number for number, each in enumerate(whole.arguments) if each.role is Role.INPUT)
        own = Predicate(names.fresh(CALLED + whole.name), tuple(whole.arguments[i] for i in inputs))
        return _Context(inputs, own)

    def atom(self, call: Atom) -> Atom:
        return Atom(self.predicate, tuple(call.arguments[i] for i in self.inputs))


def with_contexts(system: HornSystem) -> Transformed | None:
    """Summaries for calls that are made; None if no predicate that calls itself, by others or at once, has inputs."""
    names = Names(system.predicate)
    contexts = {
        p.name: _Context.of(p, names) for p in system.predicates if any(a.role is Role.INPUT for a in p.arguments)
    }
    if system.obligations or not system.call_graph.recursive & contexts.keys():
        return None
    calling = list(_calling(system, contexts))
    predicates = (*system.predicates, *(each.predicate for each in contexts.values()))
    clauses = (*(_where_called(clause, contexts) for clause in system.clauses), *calling)
    about_calls = {clause.name for clause in calling}

    def summaries(found: Summaries, _: Oracle) -> Summaries:
        there = {p.name: found[p.name] for p in system.predicates if p.name in found}
        for name in there.keys() & contexts.keys():
            made = found.get(contexts[name].predicate.name, terms.TRUE)
            there[name] = terms.implication(made, there[name])
        return there

    def derivation(found: Derivation) -> Derivation:
        place: dict[int, int] = {}
        steps: list[Step] = []
        for number, step in enumerate(found.steps):
            if step.clause not in about_calls:
                place[number] = len(steps)
                premises = tuple(place[premise] for premise in step.premises if premise in place)
                steps.append(Step(step.clause, step.values, premises))
        return Derivation(tuple(steps))

    return Transformed(HornSystem(predicates, clauses), summaries, derivation)


def _context(clause: Clause, contexts: Mapping[str, _Context]) -> tuple[Atom, ...]:
    """That the head of the clause is called, if it has inputs."""
    head = clause.head
    return (contexts[head.predicate.name].atom(head),) if head and head.predicate.name in contexts else ()


def _where_called(clause: Clause, contexts: Mapping[str, _Context]) -> Clause:
    body = (*_context(clause, contexts), *clause.body)
    return Clause(clause.name, clause.head, body, clause.constraint, clause.origin)


def _calling(system: HornSystem, contexts: Mapping[str, _Context]) -> Iterator[Clause]:
    """What each clause calls, after the calls before."""
    names = Names(system.clause)
    for clause in system.clauses:
        for number, call in enumerate(clause.body):
            if call.predicate.name in contexts:
                made = contexts[call.predicate.name].atom(call)
                before = (*_context(clause, contexts), *clause.body[:number])
                yield Clause(names.fresh(CALLED + clause.name), made, before, clause.constraint, clause.origin)
