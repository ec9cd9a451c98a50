"""Predicates split by arguments that are constants wherever they occur: one predicate for each place of a program.

Engines get narrow predicates without a counter. An obligation about a split relation becomes one for each place, about
the steps from there to itself: a run that does not end comes back to some place infinitely often, and a relation that
is closed under composition relates these returns (Podelski and Rybalchenko, Transition invariants, LICS 2004). An
obligation about a relation that is not closed must not be split.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sorrel.horn.clause import Atom, Clause, Predicate, WellFounded
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Derivation, Rank, Ranks, Summaries
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass
from sorrel.smt.solver import Oracle
from sorrel.transform.lift import Transformed


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """One predicate of a split one: for these constants at the split positions."""

    whole: str
    constants: tuple[Term, ...]
    predicate: Predicate


def split_by_constants(system: HornSystem, positions: Mapping[str, Sequence[int]]) -> Transformed:
    """Split each predicate by those of the given arguments that are constants in every clause."""
    return _Splitting(system, positions).run()


class _Splitting:
    def __init__(self, system: HornSystem, positions: Mapping[str, Sequence[int]]) -> None:
        self._system = system
        self._positions = {name: _constant(system, name, positions.get(name, ())) for name in system.predicate}
        self._parts: dict[tuple[str, tuple[int, ...]], Part] = {}
        self._split: dict[str, list[str]] = {}
        self._places: dict[str, dict[str, Term]] = {}

    def run(self) -> Transformed:
        clauses = tuple(
            Clause(
                clause.name,
                self._atom(clause.head) if clause.head else None,
                tuple(self._atom(atom) for atom in clause.body),
                clause.constraint,
                clause.origin,
            )
            for clause in self._system.clauses
        )
        obligations = tuple(new for old in self._system.obligations for new in self._obligations(old))
        unsplit = [p for p in self._system.predicates if not self._positions[p.name]]
        predicates = (*unsplit, *(part.predicate for part in self._parts.values()))
        system = HornSystem(predicates, clauses, obligations)
        return Transformed(system, self._summaries, _same, ranks=self._ranks)

    def _atom(self, atom: Atom) -> Atom:
        positions = self._positions[atom.predicate.name]
        if not positions:
            return atom
        part = self._part(atom.predicate, tuple(atom.arguments[i] for i in positions))
        return Atom(part.predicate, tuple(a for i, a in enumerate(atom.arguments) if i not in positions))

    def _part(self, whole: Predicate, constants: tuple[Term, ...]) -> Part:
        key = (whole.name, tuple(constant.get_id() for constant in constants))
        if key not in self._parts:
            positions = self._positions[whole.name]
            rest = tuple(a for i, a in enumerate(whole.arguments) if i not in positions)
            name = f"{whole.name}@{'.'.join(map(str, constants))}"
            self._parts[key] = Part(whole.name, constants, Predicate(name, rest))
        return self._parts[key]

    def _obligations(self, obligation: WellFounded) -> list[WellFounded]:
        """For each place: the steps from it to itself."""
        if not any(self._positions[atom.predicate.name] for atom in obligation.relation):
            return [obligation]
        (atom,) = obligation.relation
        positions = self._positions[atom.predicate.name]
        place = {v.get_id(): i for i, v in enumerate(obligation.before)}
        own = [i for i in positions if atom.arguments[i].get_id() in place]
        gone = {place[atom.arguments[i].get_id()] for i in own}
        before = tuple(v for i, v in enumerate(obligation.before) if i not in gone)
        after = tuple(v for i, v in enumerate(obligation.after) if i not in gone)
        found: list[WellFounded] = []
        places = self._places.setdefault(obligation.name, {})
        for part in list(self._parts.values()):
            if part.whole != atom.predicate.name:
                continue
            at = [part.constants[positions.index(i)] for i in own]
            here = [
                terms.equal(obligation.before[place[atom.arguments[i].get_id()]], c)
                for i, c in zip(own, at, strict=True)
            ]
            places[".".join(map(str, at))] = terms.conjunction(here)
            if not _comes_back(part, positions, own):
                continue
            rest = tuple(a for i, a in enumerate(atom.arguments) if i not in positions)
            relation = (Atom(part.predicate, rest),)
            name = f"{obligation.name}@{'.'.join(map(str, at))}"
            self._split.setdefault(obligation.name, []).append(name)
            found.append(WellFounded(name, before, after, relation, obligation.origin))
        return found

    def _ranks(self, found: Ranks) -> Ranks:
        """Those of all places together, and for each place one that goes down when a step leads to another place."""
        lifted = dict(found)
        for name, places in self._places.items():
            own = [rank for part in self._split.get(name, ()) for rank in lifted.pop(part, ())]
            leaving = [Rank((terms.ite(here, terms.integer(1), terms.integer(0)),)) for here in places.values()]
            lifted[name] = (*own, *leaving)
        return lifted

    def _summaries(self, found: Summaries, oracle: Oracle) -> Summaries:
        lifted = {name: found[name] for name in self._system.predicate if not self._positions[name] and name in found}
        for name, predicate in self._system.predicate.items():
            positions = self._positions[name]
            if not positions:
                continue
            cases = []
            for part in self._parts.values():
                if part.whole == name:
                    formals = [f for i, f in enumerate(predicate.formals) if i not in positions]
                    pairs = list(zip(part.predicate.formals, formals, strict=True))
                    at = [terms.equal(predicate.formals[i], c) for i, c in zip(positions, part.constants, strict=True)]
                    said = found.get(part.predicate.name, terms.TRUE)
                    cases.append(terms.conjunction([*at, terms.substitute(said, pairs)]))
            lifted[name] = terms.disjunction(cases)
        return lifted


def _same(found: Derivation) -> Derivation:
    return found


def _comes_back(part: Part, positions: Sequence[int], own: Sequence[int]) -> bool:
    """Whether the places before and after are the same: they are split in the same order."""
    before = [part.constants[positions.index(i)] for i in own]
    after = [part.constants[positions.index(i)] for i in positions if i not in own]
    return len(before) == len(after) and all(a.eq(b) for a, b in zip(before, after, strict=True))


def _constant(system: HornSystem, name: str, wanted: Sequence[int]) -> tuple[int, ...]:
    """The wanted positions, if all are constants in every atom of the predicate."""
    for clause in system.clauses:
        for atom in (*clause.body, *([clause.head] if clause.head else [])):
            if atom.predicate.name == name and not all(terms.is_value(atom.arguments[i]) for i in wanted):
                return ()
    return tuple(wanted)
