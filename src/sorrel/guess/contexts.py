"""Contracts for the calls that happen: what holds before every call, and what holds after it then.

Of each predicate two sets of literals are thinned out together. Those *before* speak of inputs, and must hold at each
call that a clause makes when they hold at its head; those *after* must hold at the head of each clause when those
before do. What is left are implications `guard ∧ before ⇒ after`, which are inductive: a clause shows the antecedent at
each call before it uses the consequent. Nothing is enumerated, since a counterexample to one literal is looked at for
all of them; in return there is one contract for all calls (section 5.6.2 of Pick's dissertation, where it is the guess
with all the context's atoms).

Quantified literals are treated as in `lattice`: instantiated where they are assumed, at one unknown index where they
are shown. With those that claim some index it is the other way round.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from enum import Enum

from sorrel.guess.bench import Bench, Benches, atoms, given, session_of
from sorrel.guess.fixpoint import settle, with_reasons
from sorrel.guess.lattice import Literal
from sorrel.guess.plan import PLAN
from sorrel.horn.clause import Atom, Clause
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries
from sorrel.logic import terms, walk
from sorrel.logic.evaluate import value_in
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass
from sorrel.smt.solver import Oracle, Sat, Unsat

MOST_INDICES = 16
_ANY = terms.variable("index!any", terms.INT)


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """Candidates for one predicate. `guard` says when the contract is meant; what is `always` so needs neither it nor
    anything before. Literals are in order of preference: a proof uses the first `tiers` of them that are enough."""

    guard: Term
    before: tuple[Literal, ...]
    after: tuple[Literal, ...]
    always: tuple[Literal, ...] = ()
    tiers: tuple[int, ...] = ()


class Side(Enum):
    BEFORE = "before"
    AFTER = "after"
    ALWAYS = "always"


@dataclass(frozen=True, slots=True)
class Part:
    """One literal of a frame."""

    predicate: str
    side: Side
    number: int


@dataclass
class _Literals(Bench):
    """One clause in a solver, with literals at its calls and at its head, which is position -1 when it is assumed."""

    indices: list[Term] = field(default_factory=list)
    claims: dict[tuple[int, Part], Term] = field(default_factory=dict)
    witnesses: list[Term] = field(default_factory=list)

    def witness(self) -> Term:
        """An index of which nothing is known."""
        self.witnesses.append(terms.variable(f"some!{len(self.witnesses)}", terms.INT))
        return self.witnesses[-1]


class ContextHoudini:
    """The largest contracts of the given frames that are inductive together with `known`."""

    def __init__(self, system: HornSystem, frames: Mapping[str, Frame], oracle: Oracle, known: Summaries) -> None:
        self._system = system
        self._frames = frames
        self._oracle = oracle
        self._known = known
        self._active = {
            (name, side): dict.fromkeys(range(len(_literals(frame, side))))
            for name, frame in frames.items()
            for side in Side
        }
        self._benches = Benches(self._set_up)

    def run(self) -> bool:
        """Thin out until nothing has to go; False, with nothing left, if time runs out before."""
        settled = settle(self._system.clauses, self._visit, self._oracle.clock)
        if not settled:
            self._active = {key: {} for key in self._active}
        return settled

    def _visit(self, clause: Clause) -> Iterator[Clause]:
        """What callees lose after a call their callers lose, what callers lose before it their callees do."""
        for part in self._thin(self._benches.of(clause)):
            yield from (self._system.defining if part.side is Side.BEFORE else self._system.using)[part.predicate]

    def summaries(self) -> dict[str, Term]:
        """All that is left, as one formula for each predicate."""
        return self._formulas(Part(*key, number) for key, left in self._active.items() for number in left)

    def support(self, queries: Sequence[Clause] | None = None) -> dict[str, Term] | None:
        """A part of what is left that is inductive by itself and settles every query; None if there is none.

        The queries are those of the system, or others that stand for them.
        """
        work: list[Part] = []
        for query in self._system.queries if queries is None else queries:
            used = self._proof(self._benches.of(query), len(query.body), None)
            if used is None:
                return None
            work += used
        return self.with_reasons(work)

    def left(self, name: str, side: Side) -> dict[Part, Literal]:
        """What has not been dropped."""
        parts = (Part(name, side, number) for number in self._active[name, side])
        return {part: self._literal(part) for part in parts}

    def with_reasons(self, parts: Iterable[Part]) -> dict[str, Term] | None:
        """These parts and all that their proofs need, which is inductive by itself; None if a proof is not found."""
        needed = with_reasons(parts, self._proofs)
        return None if needed is None else self._formulas(needed)

    def _proofs(self, part: Part) -> Iterator[list[Part] | None]:
        return (self._proof(bench, position, part) for bench, position in self._places(part))

    def _formulas(self, parts: Iterable[Part]) -> dict[str, Term]:
        found: dict[tuple[str, Side], list[int]] = {key: [] for key in self._active}
        for part in parts:
            found[part.predicate, part.side].append(part.number)
        return {name: self._formula(name, found) for name in self._frames}

    def _formula(self, name: str, found: Mapping[tuple[str, Side], Sequence[int]]) -> Term:
        frame = self._frames[name]
        before, after, always = (
            [_literals(frame, side)[number].closed for number in sorted(found[name, side])] for side in Side
        )
        contract = terms.implication(terms.conjunction([frame.guard, *before]), terms.conjunction(after))
        return terms.conjunction([contract, *always] if after else always)

    def _places(self, part: Part) -> Iterator[tuple[_Literals, int]]:
        """Where a literal is to be shown: one before at each call, others at the head of each clause."""
        if part.side is not Side.BEFORE:
            yield from ((self._benches.of(c), len(c.body)) for c in self._system.defining[part.predicate])
            return
        for clause in self._system.using[part.predicate]:
            for position, atom in enumerate(clause.body):
                if atom.predicate.name == part.predicate:
                    yield self._benches.of(clause), position

    # One clause

    def _set_up(self, clause: Clause) -> _Literals:
        session = session_of(clause, self._oracle, self._known, "contexts")
        session.minimize_cores()
        return _Literals(clause, session, indices=[_ANY, *index_terms(clause, self._known)])

    def _thin(self, bench: _Literals) -> list[Part]:
        """Drop what this clause does not show at its calls, in their order, and at its head."""
        lost: list[Part] = []
        for position, atom in enumerate(bench.clause.body):
            lost += self._thin_at(bench, position, atom, Side.BEFORE)
        if bench.clause.head:
            for side in (Side.AFTER, Side.ALWAYS):
                lost += self._thin_at(bench, len(bench.clause.body), bench.clause.head, side)
        return lost

    def _thin_at(self, bench: _Literals, position: int, atom: Atom, side: Side) -> list[Part]:
        name = atom.predicate.name
        left = self._active.get((name, side))
        if not left:
            return []
        lost: list[Part] = []
        switches = self._assumed(bench, position, side)
        claims = {number: self._claim(bench, position, Part(name, side, number)) for number in left}
        bench.session.push()
        # Added rather than assumed: nobody asks for a core here, and z3 makes one for assumptions.
        bench.session.add(*self._setting(bench, atom, side), *switches)
        while claims:
            result = bench.session.check_with([terms.negation(terms.conjunction(claims.values()))])
            if isinstance(result, Unsat):
                break
            refuted = []
            if isinstance(result, Sat):
                refuted = [n for n, claim in claims.items() if terms.is_false(value_in(result.model, claim))]
            if not refuted:
                refuted = self._not_shown(bench, claims)
            for number in refuted:
                del claims[number], left[number]
                lost.append(Part(name, side, number))
            if self._oracle.clock.expired():
                break
        bench.session.pop()
        return lost

    def _not_shown(self, bench: _Literals, claims: Mapping[int, Term]) -> list[int]:
        """What is left is asked about one by one; what is not decided counts as wrong."""
        return [
            number
            for number, claim in claims.items()
            if not isinstance(bench.session.check_with([terms.negation(claim)], seconds=PLAN.literal), Unsat)
        ]

    def _claim(self, bench: _Literals, position: int, part: Part) -> Term:
        """What is to be shown at a call, or at the head behind the last one."""
        key = (position, part)
        if key not in bench.claims:
            literal = self._literal(part)
            pairs = atoms(bench.clause)[position].bind()
            if literal.some:
                bench.claims[key] = literal.found_at(pairs, [*bench.indices, *bench.witnesses])
            else:
                bench.claims[key] = literal.at(pairs, _ANY if literal.index is not None else None)
        return bench.claims[key]

    def _setting(self, bench: _Literals, atom: Atom, side: Side) -> Iterator[Term]:
        """When a literal has to hold: nothing but what is always so is said of calls for which no contract is meant."""
        if side is Side.ALWAYS:
            return
        yield terms.substitute(self._frames[atom.predicate.name].guard, atom.bind())
        head = bench.clause.head
        if side is Side.BEFORE and head and head.predicate.name in self._frames:
            yield terms.substitute(self._frames[head.predicate.name].guard, head.bind())

    def _assumed(self, bench: _Literals, position: int, side: Side) -> dict[Term, Part]:
        """What may be used: what holds before the head, and after the calls that come before the position.

        What is always so is shown without anything before the head, so that it may use of calls only the same.
        """
        found: dict[Term, Part] = {}
        head = bench.clause.head
        if side is not Side.ALWAYS and head:
            found.update(self._switches(bench, -1, head, Side.BEFORE))
        for place, atom in enumerate(bench.clause.body):
            found.update(self._switches(bench, place, atom, Side.ALWAYS))
            if side is not Side.ALWAYS and place < position:
                found.update(self._switches(bench, place, atom, Side.AFTER))
        return found

    def _switches(self, bench: _Literals, place: int, atom: Atom, side: Side) -> dict[Term, Part]:
        name = atom.predicate.name
        parts = (Part(name, side, number) for number in self._active.get((name, side), ()))
        return {self._switch(bench, place, atom, part): part for part in parts}

    def _switch(self, bench: _Literals, place: int, atom: Atom, part: Part) -> Term:
        def said() -> Term:
            literal, pairs = self._literal(part), atom.bind()
            told = literal.at(pairs, bench.witness()) if literal.some else literal.instances(pairs, bench.indices)
            if part.side is Side.AFTER:
                return terms.implication(terms.substitute(self._frames[part.predicate].guard, pairs), told)
            return told

        return bench.switch((place, part), said)

    def _literal(self, part: Part) -> Literal:
        return _literals(self._frames[part.predicate], part.side)[part.number]

    # Proofs

    def _proof(self, bench: _Literals, position: int, part: Part | None) -> list[Part] | None:
        """What shows the literal at this place of the clause, or the query; None if nothing does.

        Also all that is shown before a call is asked for, where something after it is used: `support` closes over it.
        """
        side = part.side if part else Side.AFTER
        switches = self._assumed(bench, position, side)
        bench.session.push()
        if part is not None:
            atom = atoms(bench.clause)[position]
            claim = self._claim(bench, position, part)
            bench.session.add(*self._setting(bench, atom, side), terms.negation(claim))
        core = self._core(bench, switches)
        bench.session.pop()
        return core

    def _core(self, bench: _Literals, switches: Mapping[Term, Part]) -> list[Part] | None:
        most = max((len(frame.tiers) for frame in self._frames.values()), default=0)
        for tier in range(most + 1):
            offered = {terms.name(s): (s, part) for s, part in switches.items() if self._is_offered(part, tier)}
            result = bench.session.check([switch for switch, _ in offered.values()])
            if isinstance(result, Unsat):
                return [offered[terms.name(literal)][1] for literal in result.core]
        return None

    def _is_offered(self, part: Part, tier: int) -> bool:
        tiers = self._frames[part.predicate].tiers
        return part.side is not Side.BEFORE or tier >= len(tiers) or part.number < tiers[tier]


def index_terms(clause: Clause, known: Summaries) -> list[Term]:
    """Where the clause, or what is known of its calls, reads and writes arrays."""
    arguments = [argument for atom in atoms(clause) for argument in atom.arguments]
    return walk.array_indices(clause.constraint, *arguments, *given(clause, known))[: MOST_INDICES - 1]


def _literals(frame: Frame, side: Side) -> tuple[Literal, ...]:
    match side:
        case Side.BEFORE:
            return frame.before
        case Side.AFTER:
            return frame.after
        case Side.ALWAYS:
            return frame.always
