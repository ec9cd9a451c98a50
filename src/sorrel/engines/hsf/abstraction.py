"""Cartesian predicate abstraction α of what one rule derives from abstract facts.

A question is asked only if neither a remembered proof nor a remembered point answers it. A proof is an unsat
core: which predicates of the premises imply which predicates of the head; it holds for all stronger premises and
for every later table of predicates, which only grow. A point is a model of the rule's constraint: it refutes
every predicate of the head that is false there, for all premises that are true there.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import field
from typing import TypeAlias

from sorrel.engines.hsf.frame import Frame
from sorrel.engines.hsf.plan import PLAN
from sorrel.engines.hsf.predicates import Predicates
from sorrel.engines.hsf.rules import Rule
from sorrel.logic import terms
from sorrel.logic.evaluate import Model
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass
from sorrel.smt.solver import Oracle, Sat, Session, Unsat

MOST_POINTS = 96
MOST_PROOFS = 400
MOST_CHOICES = 16
"""Combinations of values that tracked arguments can have after one rule application."""
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

    def apply(self, rule: Rule, premises: Premises) -> tuple[int, ...]:
        """For each choice of values of tracked arguments the predicates of the head that the rule implies.

        Nothing if the rule cannot be applied under the premises. What the solver cannot decide counts as not implied,
        and as applicable: both are over-approximations.
        """
        if self._oracle.clock.expired():
            raise OutOfTime
        bench = self._benches.get(rule.number)
        if bench is None:
            bench = self._benches[rule.number] = _Bench(rule, self._predicates, self._oracle)
        return bench.apply(premises)


class _Bench:
    """One rule in a solver: the predicates of its calls, and after them those of its head, under switches."""

    def __init__(self, rule: Rule, predicates: Predicates, oracle: Oracle) -> None:
        self._rule = rule
        self._predicates = predicates
        self._oracle = oracle
        self._atoms = (*rule.body, *((rule.head,) if rule.head else ()))
        self._frame = Frame(rule, predicates)
        self._handed = [
            [
                (call, there)
                for call, atom in enumerate(rule.body)
                for there, argument in enumerate(atom.arguments)
                if argument.eq(given)
            ]
            for given in (rule.head.arguments if rule.head else ())
        ]
        self._instances: list[list[Term]] = [[] for _ in self._atoms]
        self._switches: list[list[Term]] = [[] for _ in self._atoms]
        self._points: deque[_Point] = deque(maxlen=MOST_POINTS)
        self._proofs: deque[_Proof] = deque(maxlen=MOST_PROOFS)
        self._undecided: dict[Premises, int] = {}
        self._answers: dict[Premises, tuple[tuple[int, int], tuple[int, ...]]] = {}
        self._session, self._asserted, self._checks = self._fresh_session()

    def _fresh_session(self) -> tuple[Session, list[int], int]:
        session = self._oracle.session("hsf.abstract")
        session.add(*self._rule.parts)
        return session, [0] * len(self._atoms), 0

    def apply(self, premises: Premises) -> tuple[int, ...]:
        self._catch_up()
        premises, kept = self._frame.split(premises)
        known = self._answers.get(premises)
        if known is None or known[0] != self._size():
            found = self._derive(premises)
            self._answers[premises] = known = (self._size(), found)
        return tuple(chosen | kept for chosen in known[1])

    def _size(self) -> tuple[int, int]:
        """How many predicates and tracked arguments an answer depends on."""
        predicates = self._frame.touched.bit_count() if self._frame.is_one else sum(map(len, self._instances))
        return predicates, len(self._predicates.tracked(self._atoms[-1].predicate.name)) if self._atoms else 0

    def _derive(self, premises: Premises) -> tuple[int, ...]:
        asked = premises if self._rule.head is None else (*premises, 0)
        if any(p.implied is None and _within(p.premises, asked) for p in self._proofs):
            return ()
        if not any(_within(asked, tuple(p.true)) for p in self._points) and not self._is_applicable(asked):
            return ()
        if self._rule.head is None:
            return (0,)
        choices = self._values(premises)
        self._catch_up()
        return tuple(values | self._implied((*premises, values)) for values in choices)

    def _catch_up(self) -> None:
        """Instances of predicates that are new in the table, and what they are at the known points."""
        grown = False
        for position, atom in enumerate(self._atoms):
            grown |= self._extend(self._instances[position], atom.predicate.name, atom.bind())
            for index in range(len(self._switches[position]), len(self._instances[position])):
                self._switches[position].append(terms.variable(f"hsf!on!{position}!{index}", terms.BOOL))
        if grown:
            self._frame.spread()
            for point in self._points:
                self._evaluate(point)

    def _extend(self, instances: list[Term], name: str, bind: Sequence[tuple[Term, Term]]) -> bool:
        fresh = self._predicates.of(name)[len(instances) :]
        instances.extend(terms.substitute_all(fresh, bind))
        return bool(fresh)

    def _evaluate(self, point: _Point) -> None:
        last = len(self._rule.body)
        for position, instances in enumerate(self._instances):
            for index in range(point.seen[position], len(instances)):
                value = point.model.eval(instances[index], model_completion=True)
                if terms.is_true(value):
                    point.true[position] |= 1 << index
                elif position == last and terms.is_false(value):
                    point.false |= 1 << index
            point.seen[position] = len(instances)

    def _remember(self, model: Model) -> _Point:
        size = len(self._atoms)
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

    # Values of tracked arguments of the head

    def _values(self, premises: Premises) -> list[int]:
        """The combinations of values that tracked arguments can have, as sets of predicates of the head."""
        name = self._atoms[-1].predicate.name
        fixed, open_ = 0, []
        for position in self._predicates.tracked(name):
            if self._frame.keeps(position):
                continue
            value = self._fixed(position, premises)
            if value is None:
                open_.append(position)
                continue
            index = self._predicates.value(name, position, value)
            fixed |= 0 if index is None else 1 << index
        return [fixed | others for others in self._enumerated(premises, open_)] if open_ else [fixed]

    def _fixed(self, position: int, premises: Premises) -> Term | None:
        """The value of an argument that is a constant, or handed over by a call that knows it."""
        argument: Term = self._atoms[-1].arguments[position]
        if terms.is_value(argument):
            return argument
        for call, there in self._handed[position]:
            values = self._predicates.tracked(self._atoms[call].predicate.name).get(there)
            if values is not None and (value := values.among(premises[call])) is not None:
                return value
        return None

    def _enumerated(self, premises: Premises, positions: Sequence[int]) -> list[int]:
        """By models, each with other values than all before; one choice without values if there are many."""
        arguments = [self._atoms[-1].arguments[position] for position in positions]
        found: list[list[Term]] = []
        assumptions = self._prepared((*premises, 0))
        self._session.push()
        result = self._session.check(assumptions, PLAN.abstraction)
        while isinstance(result, Sat) and len(found) < MOST_CHOICES:
            found.append([result.model.eval(argument, model_completion=True) for argument in arguments])
            different = [terms.distinct(a, value) for a, value in zip(arguments, found[-1], strict=True)]
            self._session.add(terms.disjunction(different))
            result = self._session.check(assumptions, PLAN.abstraction)
        self._session.pop()
        if not isinstance(result, Unsat):
            return [0]
        name = self._atoms[-1].predicate.name
        indices = [[self._predicates.value(name, *pair) for pair in zip(positions, row, strict=True)] for row in found]
        # Without a value there are too many for one argument: what is left may be the same for several choices.
        return list(dict.fromkeys(sum(1 << index for index in row if index is not None) for row in indices))

    # Predicates of the head

    def _implied(self, premises: Premises) -> int:
        """The predicates of the head that hold for the values of tracked arguments in the last part of `premises`."""
        refuted = self._undecided.get(premises, 0)
        for point in self._points:
            if point.false & ~refuted and _within(premises, tuple(point.true)):
                refuted |= point.false
        proved = 0
        for proof in self._proofs:
            if proof.implied and proof.implied & ~proved and _within(proof.premises, premises):
                proved |= proof.implied
        everything = self._wanted(premises[-1])
        while open_ := everything & ~refuted & ~proved:
            denials = [terms.negation(self._instances[-1][index]) for index in _bits(open_)]
            match self._check(premises, (terms.disjunction(denials),)):
                case Sat(model):
                    new = self._remember(model).false & open_
                    if not new:
                        return (proved | self._one_by_one(premises, open_)) & everything
                    refuted |= new
                case Unsat(core):
                    self._proofs.append(_Proof(self._in_core(core), open_))
                    proved |= open_
                case _:
                    return (proved | self._one_by_one(premises, open_)) & everything
        return proved & everything

    def _wanted(self, values: int) -> int:
        """The predicates to ask for: not those that a frame keeps, and no values where they are known."""
        wanted = (1 << len(self._instances[-1])) - 1
        if self._frame.is_one:
            wanted &= self._frame.touched
        for tracked in self._predicates.tracked(self._atoms[-1].predicate.name).values():
            if tracked.bits & values:
                wanted &= ~tracked.bits
        return wanted

    def _one_by_one(self, premises: Premises, open_: int) -> int:
        """Where the solver could not decide them together; what it cannot decide alone is not asked again."""
        proved = 0
        for index in _bits(open_):
            match self._check(premises, (terms.negation(self._instances[-1][index]),), seconds=PLAN.abstraction_each):
                case Unsat(core):
                    self._proofs.append(_Proof(self._in_core(core), 1 << index))
                    proved |= 1 << index
        self._undecided[premises] = self._undecided.get(premises, 0) | (open_ & ~proved)
        return proved

    def _check(self, premises: Premises, extra: Sequence[Term], seconds: float = PLAN.abstraction) -> object:
        assumptions = self._prepared(premises)
        if not extra:
            return self._session.check(assumptions, seconds)
        return self._session.check_with(extra, assumptions, seconds)

    def _prepared(self, premises: Premises) -> list[Term]:
        """The switches for the premises; the session knows what they stand for."""
        self._checks += 1
        if self._checks > CHECKS_PER_SESSION:
            self._session, self._asserted, self._checks = self._fresh_session()
        for position, instances in enumerate(self._instances):
            for index in range(self._asserted[position], len(instances)):
                self._session.add(terms.implication(self._switches[position][index], instances[index]))
            self._asserted[position] = len(instances)
        return [self._switches[position][i] for position, chosen in enumerate(premises) for i in _bits(chosen)]

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
