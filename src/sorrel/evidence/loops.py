"""Is this a loop of a derivation? What a round does is shown once, for a round of any number: by induction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum

from sorrel.evidence.result import Accepted, Rejected, Result
from sorrel.evidence.rounds_over_bits import over_bits
from sorrel.evidence.validity import valid
from sorrel.horn.clause import Atom, Clause
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import ROUND, Derivation, Loop, Step
from sorrel.logic import evaluate, terms, walk
from sorrel.logic.terms import Term


class Inside(Enum):
    """The conclusion of a step that only its own loop may use."""

    A_LOOP = "inside a loop"


Conclusion = Atom | Inside | None
"""What a step concludes: a fact, something inside of a loop, or nothing in the case of a query."""


def loops_problem(derivation: Derivation) -> str:
    """Loops stand one after the other, each has rounds and a premise before it."""
    end = -1
    for loop in derivation.loops:
        if not end < loop.first <= loop.last < len(derivation.steps):
            return f"a loop of steps {loop.first} to {loop.last} does not fit into the derivation"
        if not 0 <= loop.entry < loop.first or loop.count < 1:
            return f"the loop of steps {loop.first} to {loop.last} has no rounds, or no premise before it"
        end = loop.last
    return ""


def shape_problem(clause: Clause, step: Step, number: int, allowed: Sequence[Term] = ()) -> str:
    """Values for all variables, of their sorts and about nothing but what is allowed; premises before the step."""
    missing = {v.get_id() for v in clause.variables} - {v.get_id() for v in step.values}
    if missing:
        return f"step {number} gives no value to a variable of clause {clause.name}"
    known = {variable.get_id() for variable in allowed}
    if any(v.get_id() not in known for value in step.values.values() for v in walk.free_variables(value)):
        return f"step {number} has a value that is not one"
    if not all(variable.sort() == value.sort() for variable, value in step.values.items()):
        return f"step {number} has a value of the wrong sort"
    if len(step.premises) != len(clause.body):
        return f"step {number} has {len(step.premises)} premises, clause {clause.name} needs {len(clause.body)}"
    if not all(0 <= premise < number for premise in step.premises):
        return f"step {number} has a premise that does not stand before it"
    return ""


def check_loop(
    system: HornSystem, derivation: Derivation, loop: Loop, facts: list[Conclusion], deadline: float
) -> Result:
    """Every step is valid in a round of any number, and each round begins where the one before has ended.

    Appends a conclusion for each of its steps: only that of the last one is a fact, the one after all rounds.
    """
    numbers = range(loop.first, loop.last + 1)
    clauses: list[Clause] = []
    for number in numbers:
        step = derivation.steps[number]
        clause = system.clause.get(step.clause)
        if clause is None or clause.head is None:
            return Rejected(f"step {number} of a loop does not apply a clause with a head")
        problem = shape_problem(clause, step, number, (ROUND,))
        if problem:
            return Rejected(problem)
        if any(walk.uninterpreted_applications(v) or walk.has_quantifier(v) for v in step.values.values()):
            return Rejected(f"step {number} has a value that is not one")
        clauses.append(clause)
    checked = _Rounds(derivation, loop, clauses, facts)
    for number in numbers:
        for obligation in checked.obligations(number):
            result = (
                obligation
                if isinstance(obligation, Rejected)
                else valid(over_bits(obligation, loop.count), deadline, Rejected("it does not hold in every round"))
            )
            if not isinstance(result, Accepted):
                return type(result)(
                    f"step {number} in a loop (clause {derivation.steps[number].clause}): {result.detail}"
                )
    facts.extend(Inside.A_LOOP for _ in numbers[1:])
    facts.append(checked.conclusion(loop.last, terms.integer(loop.count - 1)))
    return Accepted()


class _Rounds:
    def __init__(
        self, derivation: Derivation, loop: Loop, clauses: Sequence[Clause], facts: Sequence[Conclusion]
    ) -> None:
        self._steps = derivation.steps
        self._loop = loop
        self._clauses = clauses
        self._facts = facts

    def _instance(self, number: int, term: Term, round_: Term) -> Term:
        """A term of the clause of a step, in the given round."""
        inside = terms.substitute(term, self._steps[number].values.items())
        return terms.substitute(inside, [(ROUND, round_)])

    def _head(self, number: int) -> Atom:
        head = self._clauses[number - self._loop.first].head
        if head is None:
            raise ValueError("a step of a loop has a head")
        return head

    def conclusion(self, number: int, round_: Term) -> Atom:
        head = self._head(number)
        return Atom(
            head.predicate,
            tuple(evaluate.evaluate(self._instance(number, a, round_), ()) for a in head.arguments),
        )

    def obligations(self, number: int) -> Iterator[Term | Rejected]:
        """Formulas over the number of the round that must be valid."""
        clause = self._clauses[number - self._loop.first]
        within = _between(0, self._loop.count)
        yield terms.implication(within, self._instance(number, clause.constraint, ROUND))
        for atom, premise in zip(clause.body, self._steps[number].premises, strict=True):
            if premise == self._loop.entry:
                yield from self._carried(number, atom)
            elif premise >= self._loop.first:
                if self._head(premise).predicate is not atom.predicate:
                    yield Rejected(f"premise {premise} is not a fact about {atom.predicate.name}")
                    return
                there = [self._instance(premise, a, ROUND) for a in self._head(premise).arguments]
                yield terms.implication(within, self._same(number, atom, ROUND, there))
            else:
                yield self._before(number, atom, premise, within)

    def _carried(self, number: int, atom: Atom) -> Iterator[Term | Rejected]:
        """In the first round the fact before the loop, later what the last step of the round before concludes."""
        yield self._before(number, atom, self._loop.entry, terms.equal(ROUND, terms.integer(0)))
        last = self._head(self._loop.last)
        if last.predicate is not atom.predicate:
            yield Rejected(f"the loop does not end with a fact about {atom.predicate.name}")
            return
        earlier = ROUND - terms.integer(1)
        there = [self._instance(self._loop.last, argument, earlier) for argument in last.arguments]
        yield terms.implication(_between(1, self._loop.count), self._same(number, atom, ROUND, there))

    def _before(self, number: int, atom: Atom, premise: int, when: Term) -> Term | Rejected:
        fact = self._facts[premise]
        if not isinstance(fact, Atom) or fact.predicate is not atom.predicate:
            return Rejected(f"premise {premise} is not a fact about {atom.predicate.name}")
        return terms.implication(when, self._same(number, atom, ROUND, fact.arguments))

    def _same(self, number: int, atom: Atom, round_: Term, values: Sequence[Term]) -> Term:
        return terms.conjunction(
            terms.equal(self._instance(number, argument, round_), value)
            for argument, value in zip(atom.arguments, values, strict=True)
        )


def _between(low: int, high: int) -> Term:
    """low ≤ round < high"""
    return terms.conjunction([terms.integer(low) <= ROUND, terms.integer(high) > ROUND])
