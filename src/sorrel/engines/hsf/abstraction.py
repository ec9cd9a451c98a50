"""Cartesian predicate abstraction α of what one rule derives from abstract facts.

A question is asked only if neither a remembered proof nor a remembered point answers it. A proof is an unsat
core: which predicates of the premises imply which predicates of the head; it holds for all stronger premises and
for every later table of predicates, which only grow. A point is a model of the rule's constraint: it refutes
every predicate of the head that is false there, for all premises that are true there.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from sorrel.engines.hsf.predicates import Predicates
from sorrel.engines.hsf.rules import Rule
from sorrel.logic import terms
from sorrel.logic.evaluate import Model
from sorrel.logic.terms import Term
from sorrel.smt.solver import Oracle, Sat, Session, Unsat

MOST_POINTS = 48
MOST_PROOFS = 200
CHECKS_PER_SESSION = 400
"""A solver that has seen many questions becomes slow; then a fresh one takes over."""

Premises: TypeAlias = tuple[int, ...]
"""For each call of a rule, the set of predicates that holds of it."""


class OutOfTime(Exception):
    """The clock of the run has expired."""


@dataclass(slots=True)
class _Point:
    """A model, and the predicates known to be true at each call and known to be false at the head."""

    model: Model
    true: list[int]
    false: int = 0
    seen: list[int] = field(default_factory=list)
    seen_at_head: int = 0


@dataclass(frozen=True, slots=True)
class _Proof:
    """Premises that imply the predicates `implied` at the head; None: premises that contradict the rule."""

    premises: Premises
    implied: int | None


class Abstraction:
    """α for every rule of a system, over one table of predicates."""

    def __init__(self, predicates: Predicates, oracle: Oracle) -> None:
        self._predicates = predicates
        self._oracle = oracle
        self._benches: dict[int, _Bench] = {}

    def apply(self, rule: Rule, premises: Premises) -> int | None:
        """The predicates of the head that the rule implies under the premises; None if it cannot be applied.

        What the solver cannot decide counts as not implied, and as applicable: both are over-approximations.
        """
        if self._oracle.clock.expired():
            raise OutOfTime
        bench = self._benches.get(rule.number)
        if bench is None:
            bench = self._benches[rule.number] = _Bench(rule, self._predicates, self._oracle)
        return bench.apply(premises)


class _Bench:
    """One rule in a solver: its calls' predicates under switches."""

    def __init__(self, rule: Rule, predicates: Predicates, oracle: Oracle) -> None:
        self._rule = rule
        self._predicates = predicates
        self._oracle = oracle
        self._at_calls: list[list[Term]] = [[] for _ in rule.body]
        self._switches: list[list[Term]] = [[] for _ in rule.body]
        self._at_head: list[Term] = []
        self._points: deque[_Point] = deque(maxlen=MOST_POINTS)
        self._proofs: deque[_Proof] = deque(maxlen=MOST_PROOFS)
        self._undecided: dict[Premises, int] = {}
        self._session, self._asserted, self._checks = self._fresh_session()

    def _fresh_session(self) -> tuple[Session, list[int], int]:
        session = self._oracle.session("hsf.abstract")
        session.add(*self._rule.parts)
        return session, [0] * len(self._rule.body), 0

    def apply(self, premises: Premises) -> int | None:
        self._catch_up()
        if any(p.implied is None and _within(p.premises, premises) for p in self._proofs):
            return None
        if not any(_within(premises, tuple(p.true)) for p in self._points) and not self._is_applicable(premises):
            return None
        return self._implied(premises)

    def _catch_up(self) -> None:
        """Instances of predicates that are new in the table, and what they are at the known points."""
        grown = False
        for position, atom in enumerate(self._rule.body):
            grown |= self._extend(self._at_calls[position], atom.predicate.name, atom.bind())
            for index in range(len(self._switches[position]), len(self._at_calls[position])):
                self._switches[position].append(terms.variable(f"hsf!on!{position}!{index}", terms.BOOL))
        if self._rule.head:
            grown |= self._extend(self._at_head, self._rule.head.predicate.name, self._rule.head.bind())
        if grown:
            for point in self._points:
                self._evaluate(point)

    def _extend(self, instances: list[Term], name: str, bind: Sequence[tuple[Term, Term]]) -> bool:
        fresh = self._predicates.of(name)[len(instances) :]
        instances.extend(terms.substitute_all(fresh, bind))
        return bool(fresh)

    def _evaluate(self, point: _Point) -> None:
        for position, instances in enumerate(self._at_calls):
            for index in range(point.seen[position], len(instances)):
                if terms.is_true(point.model.eval(instances[index], model_completion=True)):
                    point.true[position] |= 1 << index
            point.seen[position] = len(instances)
        for index in range(point.seen_at_head, len(self._at_head)):
            if terms.is_false(point.model.eval(self._at_head[index], model_completion=True)):
                point.false |= 1 << index
        point.seen_at_head = len(self._at_head)

    def _remember(self, model: Model) -> _Point:
        size = len(self._rule.body)
        point = _Point(model, [0] * size, seen=[0] * size)
        self._evaluate(point)
        self._points.append(point)
        return point

    def _is_applicable(self, premises: Premises) -> bool:
        match self._check(premises, ()):
            case Sat(model):
                self._remember(model)
            case Unsat(core):
                self._proofs.append(_Proof(self._in_core(core), None))
                return False
        return True

    def _implied(self, premises: Premises) -> int:
        refuted = self._undecided.get(premises, 0)
        for point in self._points:
            if point.false & ~refuted and _within(premises, tuple(point.true)):
                refuted |= point.false
        proved = 0
        for proof in self._proofs:
            if proof.implied and proof.implied & ~proved and _within(proof.premises, premises):
                proved |= proof.implied
        everything = (1 << len(self._at_head)) - 1
        while open_ := everything & ~refuted & ~proved:
            denials = [terms.negation(self._at_head[index]) for index in _bits(open_)]
            match self._check(premises, (terms.disjunction(denials),)):
                case Sat(model):
                    new = self._remember(model).false & open_
                    if not new:
                        return proved | self._one_by_one(premises, open_)
                    refuted |= new
                case Unsat(core):
                    self._proofs.append(_Proof(self._in_core(core), open_))
                    proved |= open_
                case _:
                    return proved | self._one_by_one(premises, open_)
        return proved

    def _one_by_one(self, premises: Premises, open_: int) -> int:
        """Where the solver could not decide them together; what it cannot decide alone is not asked again."""
        proved = 0
        for index in _bits(open_):
            match self._check(premises, (terms.negation(self._at_head[index]),), seconds=0.2):
                case Unsat(core):
                    self._proofs.append(_Proof(self._in_core(core), 1 << index))
                    proved |= 1 << index
        self._undecided[premises] = self._undecided.get(premises, 0) | (open_ & ~proved)
        return proved

    def _check(self, premises: Premises, extra: Sequence[Term], seconds: float = 2.0) -> object:
        self._checks += 1
        if self._checks > CHECKS_PER_SESSION:
            self._session, self._asserted, self._checks = self._fresh_session()
        for position, instances in enumerate(self._at_calls):
            for index in range(self._asserted[position], len(instances)):
                self._session.add(terms.implication(self._switches[position][index], instances[index]))
            self._asserted[position] = len(instances)
        assumptions = [self._switches[position][i] for position, chosen in enumerate(premises) for i in _bits(chosen)]
        if not extra:
            return self._session.check(assumptions, seconds)
        self._session.push()
        self._session.add(*extra)
        result = self._session.check(assumptions, seconds)
        self._session.pop()
        return result

    def _in_core(self, core: Sequence[Term]) -> Premises:
        names = {terms.name_of(literal) for literal in core}
        return tuple(
            sum(1 << index for index, switch in enumerate(switches) if terms.name_of(switch) in names)
            for switches in self._switches
        )


def _within(smaller: Premises, larger: Premises) -> bool:
    return all(not part & ~whole for part, whole in zip(smaller, larger, strict=True))


def _bits(chosen: int) -> list[int]:
    return [index for index in range(chosen.bit_length()) if chosen >> index & 1]
