"""All facts that templates can find: guessed, filtered on points, inductive; with no query to aim at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sorrel.guess.houdini import Houdini
from sorrel.guess.points import Point
from sorrel.guess.templates import Guess, Vocabulary, guarded, guesses, vocabularies
from sorrel.horn.system import HornSystem
from sorrel.smt.solver import Oracle

Facts = Mapping[str, list[Guess]]
"""For each predicate, by name, guesses that are inductive together."""


def facts(system: HornSystem, points: Mapping[str, Sequence[Point]], oracle: Oracle) -> tuple[Facts, Vocabulary]:
    """The largest inductive part of plain and guarded guesses, in the richest vocabulary for which time suffices."""
    best: Facts = {p.name: [] for p in system.predicates}
    used = vocabularies(system)[0]
    for words in vocabularies(system):
        plain = {p.name: guesses(p, points[p.name], words) for p in system.predicates}
        kept = _inductive(system, plain, oracle)
        if oracle.clock.expired():
            break
        best, used = _richer(best, kept), words
        held = {name: {guess.text for guess in found} for name, found in kept.items()}
        both = {
            p.name: [
                *plain[p.name],
                *guarded(p, points[p.name], words, [g.text for g in plain[p.name] if g.text not in held[p.name]]),
            ]
            for p in system.predicates
        }
        kept = _inductive(system, both, oracle)
        if oracle.clock.expired():
            break
        best = _richer(best, kept)
    return best, used


def _inductive(system: HornSystem, chosen: Mapping[str, Sequence[Guess]], oracle: Oracle) -> Facts:
    built = {p.name: [guess.build(p.formals) for guess in chosen[p.name]] for p in system.predicates}
    survivors = Houdini(system, built, oracle, {}).run()
    held = {name: {term.get_id() for term in found} for name, found in survivors.items()}
    return {
        name: [g for g, term in zip(found, built[name], strict=True) if term.get_id() in held[name]]
        for name, found in chosen.items()
    }


def _richer(before: Facts, after: Facts) -> Facts:
    """Both: two inductive sets are inductive together."""
    return {name: list({g.text: g for g in (*before[name], *found)}.values()) for name, found in after.items()}
