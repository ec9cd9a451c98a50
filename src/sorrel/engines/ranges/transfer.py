"""What one clause does to limits: those of its calls are assumed, and the least ones are sought that its head keeps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import partial

from sorrel.engines.ranges.forms import INDEX, Form
from sorrel.engines.ranges.levels import Levels
from sorrel.engines.ranges.plan import PLAN
from sorrel.guess.bench import Bench
from sorrel.horn.clause import Atom
from sorrel.logic import terms
from sorrel.logic.evaluate import Model, integers_in
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass
from sorrel.smt.solver import Sat, Session, Unsat


@dataclass
class Transfer(Bench):
    """A clause in a solver. What is said of its calls stands under switches, one for each limit; numbers of the head
    are variables of their own: terms are made once, and a question names switches.
    """

    indices: Sequence[Term] = ()
    limits: dict[tuple[int, int], Term] = field(default_factory=dict)
    heads: dict[int, Term] = field(default_factory=dict)
    above: dict[tuple[int, int], Term] = field(default_factory=dict)
    points: list[Term] = field(default_factory=list)

    def assumed(self, levels: Mapping[str, Levels]) -> list[Term] | None:
        """What is known of the calls, as switches; None if one of them is not reached."""
        found: list[Term] = []
        for position, atom in enumerate(self.clause.body):
            known = levels[atom.predicate.name]
            if not known.reached:
                return None
            found += self._switches(position, atom, known)
        return found

    def _switches(self, position: int, atom: Atom, known: Levels) -> Iterator[Term]:
        for number in known.bounded:
            said = partial(self._said, position, atom, number, known)
            yield self.switch((position, number, known.level[number]), said)
        equal = partial(_at_atom, known.equations, atom)
        yield self.switch((position, "equations", known.hull.version), equal)

    def _said(self, position: int, atom: Atom, number: int, known: Levels) -> Term:
        """Of elements at all terms at which the clause looks at some: one limit for all, which is a variable."""
        form = known.forms[number]
        if not form.of_elements:
            return _at(form, atom, INDEX).bounded(known.limit(number))
        if (position, number) not in self.limits:
            limit = self.limits[position, number] = terms.variable(f"ranges!limit!{position}!{number}", terms.INT)
            there = (_at(form, atom, index) for index in self.indices)
            self.session.add(*(terms.implication(each.guard, each.body <= limit) for each in there))
        return self.limits[position, number] <= known.limit(number)

    def head(self, atom: Atom, number: int, form: Form) -> Term:
        """The number at the head as a variable; where it is not meant it is as small as the least limit."""
        if number not in self.heads:
            there = _at(form, atom, INDEX)
            self.heads[number] = terms.variable(f"ranges!head!{number}", terms.INT)
            meant = there.body
            if not terms.is_true(there.guard):
                meant = terms.ite(there.guard, there.body, terms.integer(form.limits[0]))
            self.session.add(terms.equal(self.heads[number], meant))
        return self.heads[number]

    def point(self, atom: Atom, numbers: Sequence[Term]) -> list[Term]:
        """The numbers of the head between which equations are sought, as variables."""
        for number, term in enumerate(numbers[len(self.points) :], len(self.points)):
            self.points.append(terms.variable(f"ranges!point!{number}", terms.INT))
            self.session.add(terms.equal(self.points[number], terms.substitute(term, atom.bind())))
        return self.points

    def exceeds(self, atom: Atom, number: int, form: Form, level: int) -> Term:
        """The head has a greater number than this limit."""
        if (number, level) not in self.above:
            self.above[number, level] = self.head(atom, number, form) >= form.limits[level] + 1
        return self.above[number, level]


def _at(form: Form, atom: Atom, index: Term) -> Form:
    pairs = [*atom.bind(), (INDEX, index)]
    body, guard = (terms.substitute(term, pairs) for term in (form.body, form.guard))
    return replace(form, body=body, guard=guard)


def _at_atom(claims: Callable[[], Sequence[Term]], atom: Atom) -> Term:
    return terms.substitute(terms.conjunction(claims()), atom.bind())


class Raising:
    """Levels of a head are raised until no model of its clause exceeds them.

    Models tend to exceed a limit by as little as they can. So a limit that was raised is asked for with a distance that
    doubles, and halves again once nothing exceeds the limits there: few questions, and the least levels all the same.
    `most` are levels that are known to suffice.
    """

    def __init__(self, bench: Transfer, head: Atom, levels: Levels, most: Sequence[int]) -> None:
        self._bench = bench
        self._head = head
        self._levels = levels
        self._most = list(most)
        self._distance = [0] * len(most)
        self._equations_hold = not levels.template.numbers
        self._grown = False
        self.raised: set[int] = set()

    @property
    def _session(self) -> Session:
        return self._bench.session

    def run(self, switches: Sequence[Term], expired: Callable[[], bool]) -> bool:
        """Was anything raised, or reached for the first time?"""
        fresh = not self._levels.reached
        for number in self._open:
            self._bench.head(self._head, number, self._levels.forms[number])
        self._bench.point(self._head, self._levels.template.numbers)
        if fresh:
            result = self._session.check(switches)
            if isinstance(result, Unsat):
                return False
            self._levels.reached = True
            if isinstance(result, Sat):
                self._raise(self._open, result.model)
                self._grow(result.model)
        while (waiting := self._open) or not self._equations_hold:
            if expired():
                break
            denied = [*map(self._denied, waiting), *self._outside()]
            result = self._session.check_with([terms.disjunction(denied)], switches)
            if isinstance(result, Unsat):
                self._suffices(waiting)
                self._equations_hold = True
            elif not (isinstance(result, Sat) and self._allowed_for(waiting, result.model)):
                self._one_by_one(waiting, switches, expired)
                break
        return fresh or self._grown or bool(self.raised)

    def _allowed_for(self, waiting: Sequence[int], model: Model) -> bool:
        grown = self._grow(model)
        return self._raise(waiting, model) or grown

    def _outside(self) -> list[Term]:
        """The head is not where the equations hold."""
        if self._equations_hold:
            return []
        return [terms.negation(_at_atom(self._levels.equations, self._head))]

    def _grow(self, model: Model) -> bool:
        if self._equations_hold:
            return False
        found = integers_in(model, self._bench.points)
        point = [value for value in found if value is not None]
        grown = len(point) == len(found) and self._levels.hull.add(point)
        self._grown |= grown
        return grown

    @property
    def _open(self) -> list[int]:
        return [number for number, most in enumerate(self._most) if self._levels.level[number] < most]

    def _asked(self, number: int) -> int:
        return min(self._levels.level[number] + self._distance[number], self._most[number] - 1)

    def _denied(self, number: int) -> Term:
        return self._bench.exceeds(self._head, number, self._levels.forms[number], self._asked(number))

    def _suffices(self, numbers: Sequence[int]) -> None:
        """Nothing exceeds the limits that were asked for."""
        for number in numbers:
            self._most[number] = self._asked(number)
            self._distance[number] //= 2

    def _raise(self, numbers: Sequence[int], model: Model) -> bool:
        """Allow for what the model makes of the head; False if it makes nothing of it."""
        changed = False
        variables = [self._bench.head(self._head, number, self._levels.forms[number]) for number in numbers]
        for number, value in zip(numbers, integers_in(model, variables), strict=True):
            if value is not None and (level := self._levels.needed(number, value)) > self._levels.level[number]:
                self._levels.level[number] = level
                self._distance[number] = max(1, 2 * self._distance[number])
                self.raised.add(number)
                changed = True
        return changed

    def _one_by_one(self, numbers: Sequence[int], switches: Sequence[Term], expired: Callable[[], bool]) -> None:
        """Each limit by itself; what is not decided is given up."""
        if not self._equations_hold:
            self._levels.hull.forget()
            self._grown = True
        for number in numbers:
            self._distance[number] = 0
            while self._levels.level[number] < self._most[number] and not expired():
                result = self._session.check_with([self._denied(number)], switches, seconds=PLAN.limit)
                if isinstance(result, Unsat):
                    break
                if not (isinstance(result, Sat) and self._raise([number], result.model)):
                    self._levels.level[number] = self._most[number]
                    self.raised.add(number)
