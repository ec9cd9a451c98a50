"""Bounds of numbers at the calls that happen: what holds before every call, and what holds after it then.

Of each predicate sums of a few arguments are looked at, such as i, i - n or low + step - high. Before a call each sum
of inputs is at most some limit, after it each sum of inputs and outputs is, from a few limits that are tried for each.
At first nothing is called; a clause with a model calls something with inputs that exceed limits, or ends with results
that do, and the limits are raised to the next ones that allow for it. So contexts of calls and results grow together
from what the queries ask until no clause leaves them: an analysis over template polyhedra (Sankaranarayanan, Sipma and
Manna, *Scalable analysis of linear systems using mathematical programming*, VMCAI 2005), with limits for a widening.

What comes out is meant as candidates for `contexts.ContextHoudini`, which proves it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from sorrel.guess.contexts import Side
from sorrel.horn.clause import Atom, Clause
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries
from sorrel.logic import terms
from sorrel.logic.evaluate import Model, value_in
from sorrel.logic.terms import Term
from sorrel.smt.solver import Oracle, Sat, Session, Unsat

SLOW_SECONDS = 1.0
"""What a solver does not decide about all sums at once it is asked about each of them, for so long."""

Parts = tuple[tuple[int, int], ...]
"""Positions of arguments, in order, each with its factor."""


@dataclass(frozen=True, slots=True)
class Form:
    """A sum of arguments with factors, and what it may be at most, in rising order."""

    parts: Parts
    limits: tuple[int, ...]

    def term(self, arguments: Sequence[Term]) -> Term:
        found = None
        for position, factor in self.parts:
            summand = arguments[position] if factor == 1 else terms.integer(factor) * arguments[position]
            found = summand if found is None else found + summand
        return terms.integer(0) if found is None else found

    def value(self, values: Mapping[int, int]) -> int:
        return sum(factor * values[position] for position, factor in self.parts)


@dataclass(frozen=True, slots=True)
class Bounded:
    """What is looked at of one predicate; `ok` is the position of the argument that tells whether it failed."""

    before: tuple[Form, ...]
    after: tuple[Form, ...]
    ok: int | None = None

    def forms(self, side: Side) -> tuple[Form, ...]:
        return self.before if side is Side.BEFORE else self.after


@dataclass
class _Limits:
    """How far the sums of one predicate reach on one side. Nothing is `reached` as long as nothing is called."""

    forms: tuple[Form, ...]
    reached: bool = False
    may_fail: bool = False
    level: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.level = [0] * len(self.forms)

    def admit(self, values: Mapping[int, int]) -> bool:
        """Raise the limits until they allow for these values; had any of them to be?"""
        changed = not self.reached
        self.reached = True
        for number, form in enumerate(self.forms):
            value, level = form.value(values), self.level[number]
            while level < len(form.limits) and form.limits[level] < value:
                level += 1
            changed |= level != self.level[number]
            self.level[number] = level
        return changed

    def drop(self, number: int) -> None:
        self.level[number] = len(self.forms[number].limits)

    @property
    def known(self) -> dict[Parts, int]:
        found = zip(self.forms, self.level, strict=True)
        return {form.parts: form.limits[level] for form, level in found if level < len(form.limits)}

    def essential(self, others: Mapping[Parts, int]) -> list[int]:
        """Numbers of the sums whose limits are neither among the others nor the sums of limits of either."""
        own = self.known
        known = {**own, **{parts: min(limit, own.get(parts, limit)) for parts, limit in others.items()}}
        return [
            number
            for number, form in enumerate(self.forms)
            if form.parts in own
            and others.get(form.parts, own[form.parts] + 1) > own[form.parts]
            and not _is_implied(form.parts, own[form.parts], known)
        ]


def _is_implied(parts: Parts, limit: int, known: Mapping[Parts, int]) -> bool:
    """Is the limit that of one summand and that of the rest together?"""
    for place, part in enumerate(parts if len(parts) > 1 else ()):
        rest = parts[:place] + parts[place + 1 :]
        if (part,) in known and rest in known and known[(part,)] + known[rest] <= limit:
            return True
    return False


@dataclass
class _Bench:
    """One clause in a solver, and the sums at its calls and at its head, made when they come up."""

    clause: Clause
    session: Session
    sums: dict[tuple[int, Side, int], Term] = field(default_factory=dict)


class ContextBounds:
    """The least limits, of those that are tried, that no clause exceeds; `known` holds of all calls anyway."""

    def __init__(self, system: HornSystem, looked_at: Mapping[str, Bounded], oracle: Oracle, known: Summaries) -> None:
        self._system = system
        self._looked_at = looked_at
        self._oracle = oracle
        self._known = known
        self._limits = {
            (name, side): _Limits(bounded.forms(side))
            for name, bounded in looked_at.items()
            for side in (Side.BEFORE, Side.AFTER)
        }
        self._benches: dict[str, _Bench] = {}

    def run(self) -> bool:
        """Until no clause exceeds a limit; False if time runs out before."""
        work = {c.name: c for c in self._system.clauses}
        while work and not self._oracle.clock.expired():
            name, clause = next(iter(work.items()))
            del work[name]
            for changed in self._widened(self._bench(clause)):
                affected = (*self._system.defining[changed], *self._system.using[changed])
                work.update((c.name, c) for c in affected)
        return not work

    def settle(self) -> bool:
        """Do the limits contradict every query?"""
        return all(self._settles(self._bench(query)) for query in self._system.queries)

    def found(self, name: str, side: Side) -> list[Term]:
        """The limits as formulas over the formals, without those that follow from others; false if nothing happens."""
        if not self._limits[name, side].reached:
            return [terms.FALSE]
        formals = self._system.predicate[name].formals
        return [form.term(formals) <= limit for form, limit in self._essential(name, side)]

    def may_fail(self, name: str) -> bool:
        """Is there a call, as far as the limits tell, that fails?"""
        return self._limits[name, Side.AFTER].may_fail

    # One clause

    def _bench(self, clause: Clause) -> _Bench:
        if clause.name not in self._benches:
            bench = _Bench(clause, self._oracle.session("bounds"))
            bench.session.add(clause.constraint)
            for atom in clause.body:
                bench.session.add(terms.substitute(self._known.get(atom.predicate.name, terms.TRUE), atom.bind()))
            self._benches[clause.name] = bench
        return self._benches[clause.name]

    def _widened(self, bench: _Bench) -> list[str]:
        """Raise the limits before calls, in their order, and after the head; the predicates of which some were."""
        changed: list[str] = []
        clause = bench.clause
        bench.session.push()
        if clause.head and clause.head.predicate.name in self._looked_at:
            if not self._limits[clause.head.predicate.name, Side.BEFORE].reached:
                bench.session.pop()
                return []
            bench.session.add(*self._assumed(bench, len(clause.body), clause.head, Side.BEFORE))
        for position, atom in enumerate(clause.body):
            name = atom.predicate.name
            if name not in self._looked_at:
                continue
            changed += self._admitted(bench, position, atom, Side.BEFORE)
            if not self._limits[name, Side.AFTER].reached:
                break  # nothing comes after it yet
            bench.session.add(*self._assumed(bench, position, atom, Side.AFTER))
        else:
            if clause.head and clause.head.predicate.name in self._looked_at:
                changed += self._admitted(bench, len(clause.body), clause.head, Side.AFTER)
        bench.session.pop()
        return changed

    def _settles(self, bench: _Bench) -> bool:
        bench.session.push()
        for position, atom in enumerate(bench.clause.body):
            if atom.predicate.name in self._looked_at:
                bench.session.add(*self._assumed(bench, position, atom, Side.AFTER))
        result = bench.session.check()
        bench.session.pop()
        return isinstance(result, Unsat)

    def _admitted(self, bench: _Bench, position: int, atom: Atom, side: Side) -> list[str]:
        """Raise the limits of one predicate until no model of the clause exceeds them; its name if that was needed."""
        limits = self._limits[atom.predicate.name, side]
        changed = False
        while not self._oracle.clock.expired():
            exceeded = [terms.negation(claim) for claim in self._claims(bench, position, atom, side)]
            denied = terms.disjunction(exceeded) if limits.reached else terms.TRUE
            bench.session.push()
            bench.session.add(denied)
            result = bench.session.check()
            bench.session.pop()
            if isinstance(result, Unsat):
                break
            raised = isinstance(result, Sat) and self._admit(result.model, atom, side)
            changed |= raised
            if not raised:
                changed |= self._one_by_one(bench, position, atom, side)
                break
        return [atom.predicate.name] if changed else []

    def _claims(self, bench: _Bench, position: int, atom: Atom, side: Side) -> Iterator[Term]:
        name = atom.predicate.name
        succeeded = self._ok(atom) if side is Side.AFTER else terms.TRUE
        if not terms.is_true(succeeded) and not self.may_fail(name):
            yield succeeded
        for number in self._limits[name, side].essential(self._before(name, side)):
            yield terms.implication(succeeded, self._limited(bench, position, atom, side, number))

    def _ok(self, atom: Atom) -> Term:
        position = self._looked_at[atom.predicate.name].ok
        return terms.TRUE if position is None else atom.arguments[position]

    def _before(self, name: str, side: Side) -> dict[Parts, int]:
        return self._limits[name, Side.BEFORE].known if side is Side.AFTER else {}

    def _essential(self, name: str, side: Side) -> Iterator[tuple[Form, int]]:
        limits = self._limits[name, side]
        for number in limits.essential(self._before(name, side)):
            form = limits.forms[number]
            yield form, form.limits[limits.level[number]]

    def _limited(self, bench: _Bench, position: int, atom: Atom, side: Side, number: int) -> Term:
        limits = self._limits[atom.predicate.name, side]
        form = limits.forms[number]
        key = (position, side, number)
        if key not in bench.sums:
            bench.sums[key] = form.term(atom.arguments)
        return bench.sums[key] <= form.limits[limits.level[number]]

    def _assumed(self, bench: _Bench, position: int, atom: Atom, side: Side) -> list[Term]:
        reached = self._limits[atom.predicate.name, side].reached
        return list(self._claims(bench, position, atom, side)) if reached else [terms.FALSE]

    def _admit(self, model: Model, atom: Atom, side: Side) -> bool:
        """Allow for what the model calls, or returns; False if nothing had to be changed for it."""
        limits = self._limits[atom.predicate.name, side]
        if side is Side.AFTER and terms.is_false(value_in(model, self._ok(atom))):
            changed, limits.may_fail, limits.reached = not limits.may_fail, True, True
            return changed
        used = sorted({position for form in limits.forms for position, _ in form.parts})
        values = {position: terms.as_number(value_in(model, atom.arguments[position])) for position in used}
        known = {position: int(value) for position, value in values.items() if value is not None}
        return len(known) == len(used) and limits.admit(known)

    def _one_by_one(self, bench: _Bench, position: int, atom: Atom, side: Side) -> bool:
        """Each limit by itself; what is not decided is given up."""
        limits = self._limits[atom.predicate.name, side]
        limits.reached = limits.may_fail = changed = True
        succeeded = self._ok(atom) if side is Side.AFTER else terms.TRUE
        for number in range(len(limits.forms)):
            while limits.level[number] < len(limits.forms[number].limits):
                bench.session.push()
                bench.session.add(succeeded)
                bench.session.add(terms.negation(self._limited(bench, position, atom, side, number)))
                result = bench.session.check(seconds=SLOW_SECONDS)
                bench.session.pop()
                if isinstance(result, Unsat):
                    break
                if not (isinstance(result, Sat) and self._admit(result.model, atom, side)):
                    limits.drop(number)
        return changed
