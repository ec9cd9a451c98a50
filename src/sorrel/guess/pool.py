"""The pool: guess, filter on points, keep what is inductive, and see whether it settles the queries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sorrel.guess.houdini import Houdini
from sorrel.guess.points import Point
from sorrel.guess.templates import Guess, guarded, guesses, vocabularies
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.smt.solver import Oracle


@dataclass(frozen=True, slots=True, eq=False)
class Harvest:
    """`facts` are inductive; `solution` is a part of them that settles every query, if they do."""

    facts: dict[str, list[Term]]
    solution: Summaries | None


def pool(
    system: HornSystem,
    points: Mapping[str, Sequence[Point]],
    oracle: Oracle,
    known: Summaries | None = None,
    extra: Mapping[str, Sequence[Term]] | None = None,
) -> Harvest:
    """Plain guesses, then implications beside them, in a small vocabulary and then in a larger one.

    `extra` are candidates of the caller.
    """
    known = known or {}
    harvest = Harvest({p.name: [] for p in system.predicates}, None)
    for words in vocabularies(system):
        plain = {p.name: guesses(p, points[p.name], words) for p in system.predicates}
        harvest = _round(system, plain, extra, oracle, known)
        if harvest.solution is not None:
            break
        built = {name: {t.get_id() for t in found} for name, found in harvest.facts.items()}
        both: dict[str, list[Guess]] = {}
        for p in system.predicates:
            failed = [g.text for g in plain[p.name] if g.build(p.formals).get_id() not in built[p.name]]
            # Plain guesses take part again: some are inductive only together with implications.
            both[p.name] = [*plain[p.name], *guarded(p, points[p.name], words, failed)]
        harvest = _round(system, both, extra, oracle, known)
        if harvest.solution is not None or oracle.clock.expired():
            break
    return harvest


def _round(
    system: HornSystem,
    chosen: Mapping[str, Sequence[Guess]],
    extra: Mapping[str, Sequence[Term]] | None,
    oracle: Oracle,
    known: Summaries,
) -> Harvest:
    candidates = {
        p.name: [*(extra or {}).get(p.name, ()), *(g.build(p.formals) for g in chosen[p.name])]
        for p in system.predicates
    }
    houdini = Houdini(system, candidates, oracle, known)
    facts = houdini.run()
    support = houdini.support()
    if support is None:
        return Harvest(facts, None)
    solution = {name: terms.conjunction([known.get(name, terms.TRUE), *found]) for name, found in support.items()}
    return Harvest(facts, solution)
