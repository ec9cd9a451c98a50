"""A symbolic state: where paths from a cut point have come so far, as one set of terms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field

from sorrel.encode.knowledge import Knowledge
from sorrel.encode.scope import Application, Scope
from sorrel.encode.trace import Applied, Joined, Trace
from sorrel.horn.clause import Atom
from sorrel.logic import operations, terms
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass


@dataclass(slots=True, eq=False)
class State:
    """`values` are those of the variables that matter; `path` are the conditions met, in order and each once.

    `calls` are the atoms of the body of the clause to be: that of the cut point, if it has one, and the calls made.
    `applications` are those of uninterpreted functions since the cut point, each of which is known to be one value.
    """

    values: dict[str, Term]
    knowledge: Knowledge
    path: dict[int, Term] = field(default_factory=dict)
    calls: tuple[Atom, ...] = ()
    trace: Trace | None = None
    abstractions: tuple[str, ...] = ()
    is_possible: bool = True
    applications: tuple[Application, ...] = ()

    def fork(self) -> State:
        return State(
            dict(self.values),
            self.knowledge.copy(),
            dict(self.path),
            self.calls,
            self.trace,
            self.abstractions,
            applications=self.applications,
        )

    def evaluated(self, scope: Scope) -> None:
        """Take over what the evaluation of an expression in the scope took for granted and met."""
        for assumption in scope.assumptions:
            # The scope has learned it already, so the state must not decide by what it knows.
            self.path.setdefault(terms.identity(assumption), assumption)
            self.is_possible &= not terms.is_false(assumption)
        for application in scope.applications:
            self.trace = Applied(self.trace, application)
        self.applications = (*self.applications, *scope.applications)
        self.abstractions = (*self.abstractions, *scope.abstractions)

    def decide(self, condition: Term) -> bool | None:
        """Whether the condition holds on this path; None: both may be."""
        if terms.identity(condition) in self.path:
            return True
        if terms.identity(terms.negation(condition)) in self.path:
            return False
        return self.knowledge.decide(condition)

    def assume(self, condition: Term) -> None:
        decided = self.decide(condition)
        if decided is not None:
            self.is_possible &= decided
            return
        self.path[terms.identity(condition)] = condition
        for part in terms.conjuncts(condition):
            self.knowledge.learn(part)


def merge(states: Sequence[State], names: Iterable[str]) -> list[State]:
    """At most one state for each sequence of calls, over the named variables.

    Neighbours that parted last are merged first, so that conditions meet their own negations.
    """
    wanted = list(names)
    groups: dict[tuple[int, ...], list[State]] = {}
    for state in states:
        groups.setdefault(tuple(map(id, state.calls)), []).append(state)
    return [_folded(group, wanted) for group in groups.values()]


def _folded(group: list[State], names: list[str]) -> State:
    stack: list[State] = []
    for position, state in enumerate(group):
        stack.append(state)
        following = group[position + 1] if position + 1 < len(group) else None
        while len(stack) > 1 and (following is None or _shared(stack[-2], stack[-1]) >= _shared(stack[-1], following)):
            last = stack.pop()
            stack.append(_merged(stack.pop(), last, names))
    only = stack[0]
    only.values = {name: only.values[name] for name in names}
    return only


def _shared(left: State, right: State) -> int:
    """How many conditions both paths start with."""
    count = 0
    for one, other in zip(left.path, right.path, strict=False):
        if one != other:
            break
        count += 1
    return count


def _merged(left: State, right: State, names: list[str]) -> State:
    common = _shared(left, right)
    here, there = list(left.path.values()), list(right.path.values())
    condition, path = _choice(here[common:], there[common:])
    triples: list[tuple[Term, Term, Term]] = []
    values: dict[str, Term] = {}
    for name in names:
        one, other = left.values[name], right.values[name]
        values[name] = operations.ite(condition, one, other)
        triples.append((one, other, values[name]))
    return State(
        values,
        left.knowledge.merged(right.knowledge, triples),
        {terms.identity(part): part for part in (*here[:common], *path) if not terms.is_true(part)},
        left.calls,
        left.trace if left.trace is right.trace else Joined(condition, left.trace, right.trace),
        tuple(dict.fromkeys((*left.abstractions, *right.abstractions))),
        applications=tuple(dict.fromkeys((*left.applications, *right.applications))),
    )


def _choice(here: list[Term], there: list[Term]) -> tuple[Term, list[Term]]:
    """The condition that tells the two paths apart, and what holds on either.

    As a rule they parted at a branch, so that one goes on with its condition and the other with the negation. Paths of
    one region exclude each other in any case, since the program is deterministic once its choices are made.
    """
    if here and there and terms.same(here[0], terms.negation(there[0])):
        condition = here[0]
        rest = (
            operations.implies(condition, terms.conjunction(here[1:])),
            operations.implies(there[0], terms.conjunction(there[1:])),
        )
        return condition, list(rest)
    condition = terms.conjunction(here)
    return condition, [terms.disjunction([condition, terms.conjunction(there)])]
