"""Facts for contracts, what comes out given what goes in: guessed, filtered on points, inductive; without a query."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from sorrel.guess.atoms import Guess
from sorrel.guess.houdini import Houdini
from sorrel.guess.plan import PLAN
from sorrel.guess.points import Point
from sorrel.guess.templates import bounds, conditions, congruences, equations
from sorrel.guess.vocabulary import Vocabulary, vocabulary
from sorrel.horn.clause import Predicate, Role
from sorrel.horn.system import HornSystem
from sorrel.logic import terms
from sorrel.model.budget import Clock
from sorrel.model.values import dataclass
from sorrel.smt.solver import Oracle

Facts = dict[str, list[Guess]]
"""For each predicate, by name, guesses that are inductive together."""
MOST_AT_ONCE = 400


@dataclass(frozen=True, slots=True, eq=False)
class Sampled:
    """A predicate with derivable points, and what is an output of it."""

    predicate: Predicate
    points: Sequence[Point]
    words: Vocabulary

    @property
    def outputs(self) -> frozenset[int]:
        return frozenset(i for i, a in enumerate(self.predicate.arguments) if a.role is Role.OUTPUT)


def subjects(system: HornSystem, points: Mapping[str, Sequence[Point]]) -> list[Sampled]:
    """Moduli are those that the program divides by, or counts around in a cycle of calls; and 2."""
    words = vocabulary(system)
    moduli = tuple(m for m in words.moduli if m != 3 or any(len(g) == 3 for g in system.call_graph.components))
    return [Sampled(p, points[p.name], replace(words, moduli=moduli)) for p in system.predicates]


def facts(
    system: HornSystem,
    found: Sequence[Sampled],
    clock: Clock,
    oracle: Oracle,
    *,
    conditional: bool = True,
    given: Mapping[str, Sequence[Guess]] | None = None,
) -> Facts:
    """Callees first: one group of predicates that call each other at a time, given what is known of the others.

    `conditional`: also what holds under conditions, which takes most of the time. `given` is inductive already.
    """
    shapes = (_plain, _conditional_equations, _conditional_bounds) if conditional else (_plain,)
    known: Facts = {subject.predicate.name: list((given or {}).get(subject.predicate.name, ())) for subject in found}
    by_name = {subject.predicate.name: subject for subject in found}
    groups = system.call_graph.components
    for position, group in enumerate(groups):
        part = _part(system, group)
        even = clock.share(1 / (len(groups) - position))
        own = Oracle(even, oracle.statistics, query_seconds=PLAN.facts_question, seed=oracle.seed)
        _rounds(part, [by_name[name] for name in group], known, own, shapes)
    return known


def tightest(found: Sequence[Guess]) -> list[Guess]:
    """The guesses without those that another one about the same subject implies."""
    best: dict[tuple[str, str], Guess] = {}
    for guess in found:
        key = guess.subject, guess.direction
        if key not in best or guess.rank < best[key].rank:
            best[key] = guess
    kept = {guess.text for guess in best.values()}
    exact = {subject for subject, direction in best if direction == "=="}
    return [
        guess
        for guess in found
        if not guess.subject or guess.direction == "==" or (guess.subject not in exact and guess.text in kept)
    ]


def _part(system: HornSystem, group: Sequence[str]) -> HornSystem:
    """The clauses that define the group; others are known by what was proved about them."""
    clauses = [clause for name in group for clause in system.defining[name]]
    used = dict.fromkeys([*group, *(atom.predicate.name for clause in clauses for atom in clause.body)])
    return HornSystem(tuple(system.predicate[name] for name in used), tuple(clauses))


def _rounds(
    part: HornSystem,
    found: Sequence[Sampled],
    known: Facts,
    oracle: Oracle,
    shapes: Sequence[Callable[[Sampled], Iterator[Guess]]],
) -> None:
    """Bounds and equations, equations under conditions, bounds under conditions; what holds is added to the known."""
    failed: Facts = {subject.predicate.name: [] for subject in found}
    for shape in shapes:
        candidates: Facts = {p.name: [] for p in part.predicates}
        for subject in found:
            name = subject.predicate.name
            held = {guess.text for guess in known[name]}
            fresh = {g.text: g for g in (*failed[name], *shape(subject)) if g.text not in held}
            candidates[name] = list(fresh.values())[:MOST_AT_ONCE]
        kept = _inductive(part, known, candidates, oracle)
        if kept is None:
            break
        for subject in found:
            name = subject.predicate.name
            texts = {guess.text for guess in kept[name]}
            # Some are inductive only together with what a later round brings.
            failed[name] = [g for g in candidates[name] if g.text not in texts and " => " not in g.text]
            known[name] += kept[name]


def _plain(subject: Sampled) -> Iterator[Guess]:
    yield from equations(subject.predicate, subject.points, subject.outputs)
    yield from bounds(subject.predicate, subject.points, subject.words, subject.outputs)
    yield from congruences(subject.predicate, subject.points, subject.words, subject.outputs)
    for guess in conditions(subject.predicate, subject.words, subject.outputs):
        if all(map(guess.holds, subject.points)):
            yield guess  # nothing to tell, but others may need it to be inductive


def _conditional_equations(subject: Sampled) -> Iterator[Guess]:
    return _conditional(subject, lambda inside: equations(subject.predicate, inside, subject.outputs))


def _conditional_bounds(subject: Sampled) -> Iterator[Guess]:
    return _conditional(subject, lambda inside: bounds(subject.predicate, inside, subject.words, subject.outputs))


def _conditional(subject: Sampled, conclusions: Callable[[Sequence[Point]], Iterator[Guess]]) -> Iterator[Guess]:
    for condition in conditions(subject.predicate, subject.words, subject.outputs):
        inside = [point for point in subject.points if condition.holds(point)]
        if inside and len(inside) < len(subject.points):
            for guess in conclusions(inside):
                if not all(map(guess.holds, subject.points)):
                    yield guess.under(condition)


def _inductive(system: HornSystem, known: Facts, candidates: Facts, oracle: Oracle) -> Facts | None:
    """The part of the candidates that is inductive together with what is known; None if time ran out."""
    built = {p.name: [guess.build(p.formals) for guess in candidates[p.name]] for p in system.predicates}
    proved = {p.name: terms.conjunction(g.build(p.formals) for g in known[p.name]) for p in system.predicates}
    survivors = Houdini(system, built, oracle, proved).run()
    if oracle.clock.expired():
        return None
    held = {name: {term.get_id() for term in found} for name, found in survivors.items()}
    return {
        name: [g for g, term in zip(found, built[name], strict=True) if term.get_id() in held[name]]
        for name, found in candidates.items()
    }
