"""Bounds of numbers at the calls that happen: what holds before every call, and what holds after it then.

Of each predicate sums of a few arguments are looked at, such as i, i - n or low + step - high. Before a call each sum
of inputs is at most some limit, after it each sum of inputs and outputs is, from a few limits that are tried for each.
At first nothing is called; a clause with a model calls something with inputs that exceed limits, or ends with results
that do, and the limits are raised to the next ones that allow for it. So contexts of calls and results grow together
from what the queries ask until no clause leaves them: an analysis over template polyhedra (Sankaranarayanan, Sipma and
Manna, *Scalable analysis of linear systems using mathematical programming*, VMCAI 2005), with limits for a widening.

Beside the limits there are facts that hold or do not, and are dropped when a model exceeds them: that some element
within a range stops a walk, for one.

What comes out is meant as candidates for `contexts.ContextHoudini`, which proves it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from sorrel.guess.bench import Bench, Benches, session_of
from sorrel.guess.cases import Cases, CaseTable, Parts, sum_of, value_of
from sorrel.guess.contexts import Side, index_terms
from sorrel.guess.fixpoint import settle
from sorrel.guess.lattice import Literal
from sorrel.guess.plan import PLAN
from sorrel.horn.clause import Atom, Clause
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries
from sorrel.logic import terms
from sorrel.logic.evaluate import Model, value_in
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass
from sorrel.smt.solver import Oracle, Result, Sat, Session, Undecided, Unsat


@dataclass(frozen=True, slots=True)
class Form:
    """A sum of arguments with factors, and what it may be at most, in rising order."""

    parts: Parts
    limits: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Fact:
    """A plain fact, or one about some index; of no use as long as one of the `stronger` ones, by number, is left."""

    literal: Literal
    stronger: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Looked:
    """What is looked at on one side of the calls of a predicate."""

    forms: tuple[Form, ...]
    facts: tuple[Fact, ...] = ()
    cases: tuple[Cases, ...] = ()

    @property
    def places(self) -> set[int]:
        """Positions of all arguments in sums."""
        in_cases = {case.place for case in self.cases} | {p for case in self.cases for sum in case.sums for p, _ in sum}
        return {place for form in self.forms for place, _ in form.parts} | in_cases


@dataclass(frozen=True, slots=True)
class Bounded:
    """What is looked at of one predicate; `ok` is the position of the argument that tells whether it failed."""

    before: Looked
    after: Looked
    ok: int | None = None


@dataclass
class _Limits:
    """How far the sums of one predicate reach on one side, and which facts are `left`. Nothing is `reached` as long
    as nothing is called."""

    at: Looked
    reached: bool = False
    may_fail: bool = False
    level: list[int] = field(init=False)
    left: dict[int, None] = field(init=False)
    tables: list[CaseTable] = field(init=False)

    def __post_init__(self) -> None:
        self.level = [0] * len(self.at.forms)
        self.left = dict.fromkeys(range(len(self.at.facts)))
        self.tables = [CaseTable(cases) for cases in self.at.cases]

    @property
    def forms(self) -> tuple[Form, ...]:
        return self.at.forms

    @property
    def facts(self) -> tuple[Fact, ...]:
        return self.at.facts

    def admit(self, values: Mapping[int, int]) -> bool:
        """Raise the limits until they allow for these values; had any of them to be?"""
        changed = not self.reached
        self.reached = True
        for number, form in enumerate(self.forms):
            value, level = value_of(form.parts, values), self.level[number]
            while level < len(form.limits) and form.limits[level] < value:
                level += 1
            changed |= level != self.level[number]
            self.level[number] = level
        for table in self.tables:
            changed |= table.admit(values)
        return changed

    @property
    def strongest(self) -> dict[int, Literal]:
        """The facts that are left, without those that others imply."""
        return {
            number: self.facts[number].literal
            for number in self.left
            if not any(other in self.left for other in self.facts[number].stronger)
        }

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
class _Sums(Bench):
    """One clause in a solver, and the sums at its calls and at its head, made when they come up."""

    indices: list[Term] = field(default_factory=list)
    sums: dict[tuple[int, Side, int], Term] = field(default_factory=dict)
    shown: dict[tuple[int, Side, int], Term] = field(default_factory=dict)
    witnesses: dict[tuple[int, Side, int], Term] = field(default_factory=dict)
    by_case: dict[tuple[int, Side, int], tuple[int, list[Term]]] = field(default_factory=dict)

    def witness(self, key: tuple[int, Side, int]) -> Term:
        """An index of which a fact says that there is one."""
        return self.witnesses.setdefault(key, terms.variable(f"some!{len(self.witnesses)}", terms.INT))


class _Possible(Exception):
    """A query is possible within the limits."""


class ContextBounds:
    """The least limits, of those that are tried, that no clause exceeds; `known` holds of all calls anyway."""

    def __init__(self, system: HornSystem, looked_at: Mapping[str, Bounded], oracle: Oracle, known: Summaries) -> None:
        self._system = system
        self._looked_at = looked_at
        self._oracle = oracle
        self._known = known
        self._limits = {
            (name, side): _Limits(at)
            for name, bounded in looked_at.items()
            for side, at in ((Side.BEFORE, bounded.before), (Side.AFTER, bounded.after))
        }
        self._benches = Benches(self._set_up)

    def settle(self) -> bool:
        """Raise limits until no clause exceeds them. False if that takes too long, or as soon as a query is possible:
        limits are only ever raised, so it stays possible."""
        try:
            return settle(self._system.clauses, self._visit, self._oracle.clock)
        except _Possible:
            return False

    def _visit(self, clause: Clause) -> list[Clause]:
        bench = self._benches.of(clause)
        changed = self._widened(bench)
        if clause.is_query and not self._is_contradicted(bench):
            raise _Possible
        return [c for name in changed for c in (*self._system.defining[name], *self._system.using[name])]

    def found(self, name: str, side: Side) -> list[Literal]:
        """The limits, without those that follow from others, and the facts; false if nothing happens."""
        limits = self._limits[name, side]
        if not limits.reached:
            return [Literal(terms.FALSE)]
        formals = self._system.predicate[name].formals
        bounds = [Literal(sum_of(form.parts, formals) <= limit) for form, limit in self._essential(name, side)]
        by_case = [Literal(formula) for table in limits.tables for formula in table.formulas(formals)]
        return [*bounds, *by_case, *limits.strongest.values()]

    def may_fail(self, name: str) -> bool:
        """Is there a call, as far as the limits tell, that fails?"""
        return self._limits[name, Side.AFTER].may_fail

    # One clause

    def _set_up(self, clause: Clause) -> _Sums:
        session = session_of(clause, self._oracle, self._known, "bounds")
        return _Sums(clause, session, indices=index_terms(clause, self._known))

    def _widened(self, bench: _Sums) -> list[str]:
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

    def _is_contradicted(self, bench: _Sums) -> bool:
        """Do the limits contradict the query?"""
        assumed = [
            formula
            for position, atom in enumerate(bench.clause.body)
            if atom.predicate.name in self._looked_at
            for formula in self._assumed(bench, position, atom, Side.AFTER)
        ]
        return isinstance(bench.session.check_with(assumed), Unsat)

    def _admitted(self, bench: _Sums, position: int, atom: Atom, side: Side) -> list[str]:
        """Raise the limits of one predicate until no model of the clause exceeds them; its name if that was needed."""
        limits = self._limits[atom.predicate.name, side]
        changed = False
        while not self._oracle.clock.expired():
            claims = list(self._claims(bench, position, atom, side)) if limits.reached else [terms.FALSE]
            result = _refutation(bench.session, claims)
            if isinstance(result, Unsat):
                break
            raised = isinstance(result, Sat) and self._admit(bench, position, atom, side, result.model)
            changed |= raised
            if not raised:
                changed |= self._one_by_one(bench, position, atom, side)
                break
        return [atom.predicate.name] if changed else []

    def _claims(self, bench: _Sums, position: int, atom: Atom, side: Side) -> Iterator[Term]:
        """What is to be shown of a call, or of the head behind the last one."""
        succeeded = self._ok(atom, side)
        yield from self._bounds(bench, position, atom, side)
        for number in self._limits[atom.predicate.name, side].strongest:
            yield terms.implication(succeeded, self._shown(bench, position, atom, side, number))

    def _assumed(self, bench: _Sums, position: int, atom: Atom, side: Side) -> Iterator[Term]:
        limits = self._limits[atom.predicate.name, side]
        if not limits.reached:
            yield terms.FALSE
            return
        succeeded = self._ok(atom, side)
        yield from self._bounds(bench, position, atom, side)
        for number, fact in limits.strongest.items():
            witness = bench.witness((position, side, number)) if fact.some else None
            yield terms.implication(succeeded, fact.at(atom.bind(), witness))

    def _bounds(self, bench: _Sums, position: int, atom: Atom, side: Side) -> Iterator[Term]:
        name, succeeded = atom.predicate.name, self._ok(atom, side)
        if not terms.is_true(succeeded) and not self.may_fail(name):
            yield succeeded
        for number in self._limits[name, side].essential(self._before(name, side)):
            yield terms.implication(succeeded, self._limited(bench, position, atom, side, number))
        for number, table in enumerate(self._limits[name, side].tables):
            yield from self._by_case(bench, (position, side, number), table, atom)

    def _by_case(self, bench: _Sums, key: tuple[int, Side, int], table: CaseTable, atom: Atom) -> list[Term]:
        """What the table says, made again only when it has changed."""
        made = bench.by_case.get(key)
        if made is None or made[0] != table.version:
            succeeded = self._ok(atom, key[1])
            said = [terms.implication(succeeded, formula) for formula in table.formulas(atom.arguments)]
            made = bench.by_case[key] = (table.version, said)
        return made[1]

    def _ok(self, atom: Atom, side: Side) -> Term:
        position = self._looked_at[atom.predicate.name].ok
        return terms.TRUE if position is None or side is Side.BEFORE else atom.arguments[position]

    def _before(self, name: str, side: Side) -> dict[Parts, int]:
        return self._limits[name, Side.BEFORE].known if side is Side.AFTER else {}

    def _essential(self, name: str, side: Side) -> Iterator[tuple[Form, int]]:
        limits = self._limits[name, side]
        for number in limits.essential(self._before(name, side)):
            form = limits.forms[number]
            yield form, form.limits[limits.level[number]]

    def _limited(self, bench: _Sums, position: int, atom: Atom, side: Side, number: int) -> Term:
        limits = self._limits[atom.predicate.name, side]
        form = limits.forms[number]
        key = (position, side, number)
        if key not in bench.sums:
            bench.sums[key] = sum_of(form.parts, atom.arguments)
        return bench.sums[key] <= form.limits[limits.level[number]]

    def _shown(self, bench: _Sums, position: int, atom: Atom, side: Side, number: int) -> Term:
        key = (position, side, number)
        if key not in bench.shown:
            fact = self._limits[atom.predicate.name, side].facts[number].literal
            indices = [*bench.indices, *bench.witnesses.values()]
            bench.shown[key] = fact.found_at(atom.bind(), indices) if fact.some else fact.at(atom.bind())
        return bench.shown[key]

    def _admit(self, bench: _Sums, position: int, atom: Atom, side: Side, model: Model) -> bool:
        """Allow for what the model calls, or returns; False if nothing had to be changed for it."""
        limits = self._limits[atom.predicate.name, side]
        if terms.is_false(value_in(model, self._ok(atom, side))):
            changed, limits.may_fail, limits.reached = not limits.may_fail, True, True
            return changed
        used = sorted(limits.at.places)
        values = {place: terms.as_number(value_in(model, atom.arguments[place])) for place in used}
        known = {place: int(value) for place, value in values.items() if value is not None}
        wrong = [
            number
            for number in limits.strongest
            if terms.is_false(value_in(model, self._shown(bench, position, atom, side, number)))
        ]
        for number in wrong:
            del limits.left[number]
        return (len(known) == len(used) and limits.admit(known)) or bool(wrong)

    def _one_by_one(self, bench: _Sums, position: int, atom: Atom, side: Side) -> bool:
        """Each limit and each fact by itself; what is not decided is given up."""
        limits = self._limits[atom.predicate.name, side]
        limits.reached = True
        limits.may_fail |= not terms.is_true(self._ok(atom, side))
        for table in limits.tables:
            table.drop()
        for number in range(len(limits.forms)):
            while limits.level[number] < len(limits.forms[number].limits):
                result = self._denied(bench, atom, side, self._limited(bench, position, atom, side, number))
                if isinstance(result, Unsat):
                    break
                if not (isinstance(result, Sat) and self._admit(bench, position, atom, side, result.model)):
                    limits.drop(number)
        for number in list(limits.left):
            claim = self._shown(bench, position, atom, side, number)
            if not isinstance(self._denied(bench, atom, side, claim), Unsat):
                limits.left.pop(number, None)
        return True

    def _denied(self, bench: _Sums, atom: Atom, side: Side, claim: Term) -> Result:
        return bench.session.check_with([self._ok(atom, side), terms.negation(claim)], seconds=PLAN.sum)


def _refutation(session: Session, claims: Sequence[Term]) -> Result:
    """A model in which one of the claims does not hold; what is not decided together is asked in halves."""
    undecided: Result | None = None
    work = [claims]
    while work:
        part = work.pop()
        result = session.check_with([terms.negation(terms.conjunction(part))])
        if isinstance(result, Sat):
            return result
        if isinstance(result, Undecided):
            undecided = undecided if len(part) > 1 else result
            middle = len(part) // 2
            work += [part[middle:], part[:middle]] if len(part) > 1 else []
    return undecided or Unsat()
