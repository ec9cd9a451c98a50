"""Frames that list the elements which are written, `a[0 .. n - 1]`, in place of all (`a[..]`).

That an element is as it was is shown for one index, which stands for all: at every point of the function, if it is so
at the points before. What is shown is what the text says, read back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice

from sorrel.contracts.elements import ALL, guesses, kept
from sorrel.contracts.meaning import Meaning
from sorrel.encode.contracts import Told
from sorrel.encode.encoding import Encoding
from sorrel.encode.points import Place
from sorrel.encode.readback import formula
from sorrel.horn.verdict import Summaries
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.smt.solver import Oracle, Unsat

MOST_TRIED = 40


def narrowed(encoding: Encoding, told: Sequence[Told], proved: Summaries, oracle: Oracle) -> tuple[Told, ...]:
    """The contracts with shorter frames; callees come first, whose frames are of use to their callers."""
    narrower = _Narrower(encoding, proved, oracle)
    frames = {each.point.predicate.name: each for each in told if each.point.place is Place.FUNCTION}
    order = [name for group in encoding.system.call_graph.components for name in group if name in frames]
    found = {name: narrower.frame(frames[name]) for name in order}
    return tuple(
        replace(each, contract=replace(each.contract, assigns=found[each.point.predicate.name]))
        if each.point.place is Place.FUNCTION and each.point.predicate.name in found
        else each
        for each in told
    )


class _Narrower:
    def __init__(self, encoding: Encoding, proved: Summaries, oracle: Oracle) -> None:
        self._encoding = encoding
        self._proved = proved
        self._oracle = oracle
        self._shown: dict[str, list[Term]] = {}
        """What is so of every element, by predicate."""

    def frame(self, told: Told) -> tuple[str, ...] | None:
        assigned = told.contract.assigns
        if assigned is None:
            return None
        found: list[str] = []
        for place in assigned:
            base = place.removesuffix(ALL)
            narrow = self._narrow(told, base) if base != place else None
            found += narrow or (place,)
        return tuple(found)

    def _narrow(self, told: Told, base: str) -> tuple[str, ...] | None:
        for places in islice(guesses(base, told.known), MOST_TRIED):
            if self._oracle.clock.expired():
                return None
            said = kept(places, told.known, self._encoding.program)
            if said is None:
                return None
            facts = self._facts(told, said)
            if facts and all(self._is_kept(name, facts) for name in facts):
                for name, fact in facts.items():
                    self._shown.setdefault(name, []).append(fact)
                return places
        return None

    def _facts(self, told: Told, said: Meaning) -> Mapping[str, Term]:
        """What that is at each point of the function, if it is something at the end; else nothing."""
        points = [point for point in self._encoding.points.values() if point.procedure == told.point.procedure]
        made = {each.predicate.name: formula(each, told.known, said, self._encoding.semantics) for each in points}
        if made[told.point.predicate.name] is None:
            return {}
        return {name: fact for name, fact in made.items() if fact is not None}

    def _is_kept(self, name: str, facts: Mapping[str, Term]) -> bool:
        """Whether each clause leads there, if it is so before: the past that is spoken of is passed on as it is."""
        for clause in self._encoding.system.defining[name]:
            assert clause.head is not None
            known = []
            for atom in clause.body:
                callee = atom.predicate.name
                of_it = [
                    self._proved.get(callee, terms.TRUE),
                    facts.get(callee, terms.TRUE),
                    *self._shown.get(callee, ()),
                ]
                known += [terms.substitute(each, atom.bind()) for each in of_it]
            denied = terms.negation(terms.substitute(facts[name], clause.head.bind()))
            if not isinstance(self._oracle.check(clause.constraint, *known, denied, kind="frame"), Unsat):
                return False
        return True
