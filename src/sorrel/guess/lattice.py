"""Implications with as few antecedents as induction allows: Houdini over a lattice.

For each consequent an antichain of sets of antecedents is kept, at first only the empty set. A set that a clause does
not preserve is replaced by larger ones that it does: with all antecedents assumed, the core of the proof says which
were needed; if there is no proof even then, no set will do. Further cores are sought without one antecedent of the
first. So nothing weaker is ever tried than what the clauses ask for, and 2ⁿ sets are never enumerated.

Facts may be quantified over an index of arrays. The solver never sees a quantifier: where a fact is assumed it is
instantiated at the index terms of the clause, where it is to be shown its index is a fresh constant. Fewer hypotheses
can only make a proof fail, so what is proved this way holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field

from sorrel.guess.bench import Bench, Benches, atoms, session_of
from sorrel.guess.fixpoint import settle, with_reasons
from sorrel.horn.clause import Atom, Clause
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries
from sorrel.logic import terms, walk
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass
from sorrel.smt.solver import Oracle, Unsat

MOST_ANTECEDENT_SETS = 12
MOST_CORES = 6
MOST_TRIES = 30
MOST_INDEX_TERMS = 12


@dataclass(frozen=True, slots=True, eq=False)
class Literal:
    """A formula over the formals of a predicate; with `index` given, it is meant for every value of that variable,
    or for `some` value of it.

    `whole` says the same without that variable, if there is such a formula: arrays agree in all cells if they are
    equal. It takes the place of instances where the fact is assumed.
    """

    body: Term
    index: Term | None = None
    whole: Term | None = None
    some: bool = False

    @property
    def closed(self) -> Term:
        if self.whole is not None:
            return self.whole
        if self.index is None:
            return self.body
        return (terms.exists if self.some else terms.forall)([self.index], self.body)

    def at(self, pairs: Sequence[tuple[Term, Term]], index: Term | None = None) -> Term:
        """The body with formals, and the index if there is one, replaced."""
        if self.index is not None and index is not None:
            pairs = [*pairs, (self.index, index)]
        return terms.substitute(self.body, pairs)

    def instances(self, pairs: Sequence[tuple[Term, Term]], indices: Sequence[Term]) -> Term:
        if self.whole is not None:
            return terms.substitute(self.whole, pairs)
        if self.index is None:
            return self.at(pairs)
        return terms.conjunction(self.at(pairs, index) for index in indices)

    def found_at(self, pairs: Sequence[tuple[Term, Term]], indices: Sequence[Term]) -> Term:
        """That one of these indices is as the body says: enough for what is meant for some."""
        return terms.disjunction(self.at(pairs, index) for index in indices)


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """What may be said of a predicate: under `always`, some antecedents imply a consequent. Consequents that are
    `unguarded` do without `always`.

    Antecedents come in order of preference: `tiers` are the numbers of them that are tried one after the other.
    `trivial` are pairs of an antecedent and a consequent that say nothing together.
    """

    always: Term
    antecedents: tuple[Literal, ...]
    consequents: tuple[Literal, ...]
    tiers: tuple[int, ...]
    unguarded: frozenset[int] = frozenset()
    trivial: frozenset[tuple[int, int]] = frozenset()

    def guard(self, consequent: int) -> Term:
        return terms.TRUE if consequent in self.unguarded else self.always


@dataclass(frozen=True, slots=True)
class Implication:
    """Of the shape of its predicate: which antecedents, which consequent."""

    antecedents: frozenset[int]
    consequent: int


@dataclass
class _Facts(Bench):
    """One clause in a solver: implications at its calls, antecedents at its head."""

    indices: list[Term] = field(default_factory=list)
    proofs: dict[Implication | None, list[tuple[str, Implication]]] = field(default_factory=dict)  # what each rests on


class LatticeHoudini:
    """CHECKGUESSES: the strongest implications of the given shapes that are inductive together with `known`."""

    def __init__(
        self,
        system: HornSystem,
        shapes: Mapping[str, Shape],
        oracle: Oracle,
        known: Summaries,
        start: Mapping[str, Sequence[Implication]] | None = None,
    ) -> None:
        self._system = system
        self._shapes = shapes
        self._oracle = oracle
        self._known = known
        self._active: dict[str, dict[Implication, None]] = {p.name: {} for p in system.predicates}
        for name, shape in shapes.items():
            first = start.get(name, ()) if start is not None else _unconditional(shape)
            self._active[name].update(dict.fromkeys(first))
        self._benches = Benches(self._set_up)

    def run(self) -> dict[str, list[Implication]]:
        """What is left when nothing has to be weakened; nothing at all if time runs out before."""
        if not settle((c for c in self._system.clauses if c.head), self._visit, self._oracle.clock):
            self._active = {name: {} for name in self._active}
        return {name: list(found) for name, found in self._active.items()}

    def _visit(self, clause: Clause) -> list[Clause]:
        if clause.head and self._weaken(self._benches.of(clause), clause.head):
            return [c for c in self._system.using[clause.head.predicate.name] if c.head]
        return []

    def formula(self, name: str, implication: Implication) -> Term:
        shape = self._shapes[name]
        antecedents = [shape.antecedents[i].closed for i in sorted(implication.antecedents)]
        consequent = shape.consequents[implication.consequent]
        guard = shape.guard(implication.consequent)
        return terms.implication(terms.conjunction([guard, *antecedents]), consequent.closed)

    def facts(self) -> dict[str, list[Term]]:
        return {name: [self.formula(name, i) for i in found] for name, found in self._active.items()}

    def support(self, queries: Sequence[Clause] | None = None) -> dict[str, list[Term]] | None:
        """A part of what is left that is inductive by itself and settles every query; None if it does not.

        The queries are those of the system, or others that stand for them.
        """
        work: list[tuple[str, Implication]] = []
        for query in self._system.queries if queries is None else queries:
            used = self._used(self._benches.of(query), None)
            if used is None:
                return None
            work += used
        needed = with_reasons(work, self._proofs)
        if needed is None:
            return None
        return {
            name: [self.formula(name, i) for i in found if (name, i) in needed] for name, found in self._active.items()
        }

    def _proofs(self, part: tuple[str, Implication]) -> Iterator[list[tuple[str, Implication]] | None]:
        name, implication = part
        return (self._used(self._benches.of(clause), implication) for clause in self._system.defining[name])

    def preconditions(self) -> dict[str, frozenset[int]]:
        """FILTER (algorithm 11), for all calls at once: antecedents that hold whenever a query leads to the predicate.

        The largest sets that are preserved from callers to callees, with what is known of other calls; they decide
        nothing, they are only what is worth guessing.
        """
        holding = {name: set(range(len(shape.antecedents))) for name, shape in self._shapes.items()}

        def visit(clause: Clause) -> Iterator[Clause]:
            for position, atom in enumerate(clause.body):
                lost = self._not_passed_on(self._benches.of(clause), position, atom, holding)
                if lost:
                    holding[atom.predicate.name] -= lost
                    yield from self._system.defining[atom.predicate.name]

        settle(self._system.clauses, visit, self._oracle.clock)
        return {name: frozenset(found) for name, found in holding.items()}

    def _not_passed_on(self, bench: _Facts, position: int, atom: Atom, holding: Mapping[str, set[int]]) -> set[int]:
        name = atom.predicate.name
        if not holding.get(name):
            return set()
        head = bench.clause.head
        switches = [terms.variable(switch, terms.BOOL) for switch in self._assumptions(bench)]
        if head and head.predicate.name in self._shapes:
            switches += [self._given(bench, head, number) for number in sorted(holding[head.predicate.name])]
        bench.session.push()
        shape = self._shapes[name]
        bench.session.add(terms.substitute(shape.always, atom.bind()))
        if head and head.predicate.name in self._shapes:
            bench.session.add(terms.substitute(self._shapes[head.predicate.name].always, head.bind()))
        lost = set()
        for number in sorted(holding[name]):
            literal = shape.antecedents[number]
            claim = literal.at(atom.bind(), self._index(literal, f"call!{position}!{number}"))
            if not isinstance(bench.session.check_with([terms.negation(claim)], switches), Unsat):
                lost.add(number)
        bench.session.pop()
        return lost

    def shape(self, name: str) -> Shape:
        return self._shapes[name]

    def guess(self, name: str, implications: Iterable[Implication]) -> None:
        """Put more candidates in; `run` says what is left of them."""
        self._active[name].update(dict.fromkeys(implications))

    def shrink(self) -> None:
        """Drop antecedents that no clause needs, one set at a time, as long as everything stays inductive."""
        for name in self._active:
            for implication in list(self._active[name]):
                smaller = self._needed(name, implication)
                before = dict(self._active[name])
                del self._active[name][implication]
                self._add(name, smaller.consequent, [smaller.antecedents])
                if not self._is_inductive():
                    self._active[name] = before

    def _needed(self, name: str, implication: Implication) -> Implication:
        needed: frozenset[int] = frozenset()
        for clause in self._system.defining[name]:
            bench = self._benches.of(clause)
            if clause.head is None:
                continue
            given = {n: self._given(bench, clause.head, n) for n in sorted(implication.antecedents)}
            switches = [terms.variable(switch, terms.BOOL) for switch in self._assumptions(bench)]
            bench.session.push()
            bench.session.add(*self._denial(bench, clause.head, Implication(frozenset(), implication.consequent)))
            core = self._core(bench, switches, given)
            bench.session.pop()
            if core is None:
                return implication
            needed |= core
        return Implication(needed, implication.consequent)

    def _is_inductive(self) -> bool:
        return all(
            self._used(self._benches.of(clause), implication) is not None
            for name, found in self._active.items()
            for clause in self._system.defining[name]
            for implication in found
        )

    # One clause

    def _set_up(self, clause: Clause) -> _Facts:
        session = session_of(clause, self._oracle, self._known, "lattice")
        session.minimize_cores()
        return _Facts(clause, session, indices=[*index_terms(clause), *self._skolems(clause)])

    def _skolems(self, clause: Clause) -> Iterator[Term]:
        """The constants for indices of quantified facts: antecedents at calls, consequents at the head."""
        for position, atom in enumerate(clause.body):
            shape = self._shapes.get(atom.predicate.name)
            for number, literal in enumerate(shape.antecedents if shape else ()):
                if literal.index is not None:
                    yield _skolem(f"call!{position}!{number}", literal.index)
        shape = self._shapes.get(clause.head.predicate.name) if clause.head else None
        for number, literal in enumerate(shape.consequents if shape else ()):
            if literal.index is not None:
                yield _skolem(f"head!{number}", literal.index)

    def _assumptions(self, bench: _Facts) -> dict[str, tuple[str, Implication]]:
        """The switches of what is known of the calls, by name."""
        found = {}
        for position, atom in enumerate(bench.clause.body):
            name = atom.predicate.name
            for implication in self._active[name]:
                found[terms.name(self._switch(bench, position, atom, implication))] = (name, implication)
        return found

    def _switch(self, bench: _Facts, position: int, atom: Atom, implication: Implication) -> Term:
        def said() -> Term:
            shape = self._shapes[atom.predicate.name]
            pairs = atom.bind()
            left = [terms.substitute(shape.guard(implication.consequent), pairs)]
            for number in sorted(implication.antecedents):
                literal = shape.antecedents[number]
                # To use the fact, its antecedent must hold for every index: for one that nothing is known of.
                left.append(literal.at(pairs, self._index(literal, f"call!{position}!{number}")))
            right = shape.consequents[implication.consequent].instances(pairs, bench.indices)
            return terms.implication(terms.conjunction(left), right)

        return bench.switch((position, implication), said)

    @staticmethod
    def _index(literal: Literal, place: str) -> Term | None:
        return None if literal.index is None else _skolem(place, literal.index)

    def _denial(self, bench: _Facts, head: Atom, implication: Implication) -> list[Term]:
        shape = self._shapes[head.predicate.name]
        pairs = head.bind()
        parts = [terms.substitute(shape.guard(implication.consequent), pairs)]
        parts += [shape.antecedents[i].instances(pairs, bench.indices) for i in sorted(implication.antecedents)]
        consequent = shape.consequents[implication.consequent]
        index = self._index(consequent, f"head!{implication.consequent}")
        return [*parts, terms.negation(consequent.at(pairs, index))]

    def _weaken(self, bench: _Facts, head: Atom) -> bool:
        """Weaken what this clause does not preserve, until it preserves all; was there anything?"""
        name = head.predicate.name
        changed = False
        work = list(self._active[name])
        while work:
            implication = work.pop(0)
            if implication not in self._active[name] or self._used(bench, implication) is not None:
                continue
            changed = True
            weaker = list(self._sufficient(bench, head, implication))
            del self._active[name][implication]
            self._add(name, implication.consequent, weaker)
            # The fact may have been assumed at a recursive call: the others have to be looked at again.
            work = list(self._active[name])
        return changed

    def _add(self, name: str, consequent: int, sets: Sequence[frozenset[int]]) -> None:
        active = self._active[name]
        for antecedents in sets:
            rivals = [i.antecedents for i in active if i.consequent == consequent]
            if len(rivals) < MOST_ANTECEDENT_SETS and not any(rival <= antecedents for rival in rivals):
                active[Implication(antecedents, consequent)] = None

    def _sufficient(self, bench: _Facts, head: Atom, implication: Implication) -> Iterator[frozenset[int]]:
        """Larger sets of antecedents with which this clause preserves the implication.

        The implication itself is still assumed at recursive calls: its successor will be weaker there too, and has to
        pass this clause again.
        """
        shape = self._shapes[head.predicate.name]
        others = [
            number
            for number in range(len(shape.antecedents))
            if number not in implication.antecedents and (number, implication.consequent) not in shape.trivial
        ]
        switches = [terms.variable(name, terms.BOOL) for name in self._assumptions(bench)]
        given = {number: self._given(bench, head, number) for number in others}
        bench.session.push()
        bench.session.add(*self._denial(bench, head, implication))
        cores = self._cores(bench, switches, given, shape, implication.antecedents)
        bench.session.pop()
        for core in cores:
            yield implication.antecedents | core

    def _cores(
        self,
        bench: _Facts,
        switches: Sequence[Term],
        given: Mapping[int, Term],
        shape: Shape,
        had: frozenset[int],
    ) -> list[frozenset[int]]:
        """Several cores: each found one is forbidden by leaving out one of its antecedents at a time.

        Antecedents that contradict each other prove anything and say nothing.
        """
        found: dict[frozenset[int], None] = {}
        work: list[frozenset[int]] = [frozenset()]
        seen: set[frozenset[int]] = set(work)
        while work and len(found) < MOST_CORES and len(seen) < MOST_TRIES:
            left_out = work.pop(0)
            core = None
            for tier in shape.tiers:
                rest = {n: switch for n, switch in given.items() if n < tier and n not in left_out}
                core = self._core(bench, switches, rest)
                if core is not None:
                    break
            if core is None:
                continue
            if self._consistent(shape, had | core):
                found[core] = None
            for number in sorted(core):
                following = left_out | {number}
                if following not in seen:
                    seen.add(following)
                    work.append(following)
        return list(found)

    def _consistent(self, shape: Shape, antecedents: frozenset[int]) -> bool:
        parts = [shape.antecedents[i].body for i in antecedents if shape.antecedents[i].index is None]
        return not isinstance(self._oracle.check(*parts, kind="lattice"), Unsat)

    def _given(self, bench: _Facts, head: Atom, number: int) -> Term:
        literal = self._shapes[head.predicate.name].antecedents[number]
        return bench.switch(number, lambda: literal.instances(head.bind(), bench.indices))

    @staticmethod
    def _core(bench: _Facts, switches: Sequence[Term], given: Mapping[int, Term]) -> frozenset[int] | None:
        result = bench.session.check([*switches, *given.values()])
        if not isinstance(result, Unsat):
            return None
        names = {terms.name(literal) for literal in result.core}
        return frozenset(number for number, switch in given.items() if terms.name(switch) in names)

    def _used(self, bench: _Facts, goal: Implication | None) -> list[tuple[str, Implication]] | None:
        """What is known of the calls that proves the clause, for one fact about its head or for a query; or None.

        A proof is kept as long as everything that it rests on is.
        """
        proof = bench.proofs.get(goal)
        if proof is not None and all(implication in self._active[name] for name, implication in proof):
            return proof
        switches = self._assumptions(bench)
        denial = self._denial(bench, bench.clause.head, goal) if goal is not None and bench.clause.head else []
        result = bench.session.check_with(denial, [terms.variable(name, terms.BOOL) for name in switches])
        if not isinstance(result, Unsat):
            return None
        bench.proofs[goal] = [switches[terms.name(literal)] for literal in result.core]
        return bench.proofs[goal]


def _unconditional(shape: Shape) -> Iterator[Implication]:
    return (Implication(frozenset(), number) for number in range(len(shape.consequents)))


def _skolem(place: str, index: Term) -> Term:
    return terms.variable(f"index!{place}", terms.sort_of(index))


def index_terms(clause: Clause) -> list[Term]:
    """Where the clause reads or writes arrays, and the integers it passes on: what facts about cells are needed at."""
    arguments = [argument for atom in atoms(clause) for argument in atom.arguments]
    found: dict[int, Term] = {}
    for index in walk.array_indices(clause.constraint, *arguments):
        found[index.get_id()] = index
    if found or any(map(terms.is_array, arguments)):
        for argument in arguments:
            if terms.is_integer(argument):
                found.setdefault(argument.get_id(), argument)
    return list(found.values())[:MOST_INDEX_TERMS]
