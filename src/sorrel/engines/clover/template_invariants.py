"""Invariants for the rules out of templates: conjunctions that hold of a few procedures, found by elimination."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from sorrel.engines.clover.plan import PLAN
from sorrel.engines.engine import Circumstances
from sorrel.engines.unwind import ForwardSearch
from sorrel.guess.houdini import Houdini
from sorrel.guess.points import Point, sample
from sorrel.guess.templates import doubly_guarded, guesses, sharply_guarded
from sorrel.guess.views import Frame, frame
from sorrel.guess.vocabulary import Vocabulary, vocabularies
from sorrel.horn.clause import Atom, Clause, Predicate
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries
from sorrel.logic import terms, walk
from sorrel.logic.terms import Term
from sorrel.model.errors import InternalError
from sorrel.smt.solver import Oracle

POINTS_PER_PREDICATE = 60
MOST_EXACT_FACTS = 60
MOST_FACTS = 40
MOST_STAGES = 4


@dataclass(frozen=True, slots=True, eq=False)
class Invariants:
    """Facts that are inductive together with O; do they contradict the environment they were sought for?

    `later`: there may be more to find, in stages that were not tried.
    """

    facts: dict[str, list[Term]]
    exclude: bool
    later: bool = False


class TemplateInvariants:
    """Keeps what it has tried: the same candidates against the same summaries give the same facts."""

    def __init__(self, system: HornSystem, forward: ForwardSearch, run: Circumstances) -> None:
        self._system = system
        self._forward = forward
        self._run = run
        self._tried: set[tuple[object, ...]] = set()
        self._held: list[Term] = []
        self._samples: dict[str, tuple[list[dict[Term, Term]], int]] = {}  # and how many facts they come from

    def invariants(
        self, targets: Sequence[str], target: Predicate, environment: Term, known: Summaries, stages: int
    ) -> Invariants:
        """Templates in a small vocabulary, then in a larger one: what excludes the environment, or what a stage finds.

        Stages are the dearer the later they come: who learned something from one goes on with that, and no more than
        so many `stages` are tried in one visit, so that all procedures have had the first before one has the last.
        """
        oracle = Oracle(PLAN.templates.of(self._run.clock), self._run.statistics, query_seconds=PLAN.question)
        for stage, candidates in enumerate(islice(self._stages(targets, oracle), stages)):
            key = (stage, *self._circumstances(targets, known))
            if key in self._tried or oracle.clock.expired():
                continue
            self._tried.add(key)
            if set(candidates) != set(targets):
                raise InternalError("facts about other procedures are not shown by the clauses of these")
            houdini = Houdini(self._around(targets, target, environment), candidates, oracle, known)
            houdini.run()
            support = houdini.support()
            if support is not None:
                return Invariants({name: support[name] for name in targets}, True)
            part = houdini.part(MOST_FACTS)
            if any(self._says_more(name, part[name], known, oracle) for name in targets):
                return Invariants({name: part[name] for name in targets}, False, stages < MOST_STAGES)
        return Invariants({}, False, stages < MOST_STAGES)

    @staticmethod
    def _says_more(name: str, facts: Sequence[Term], known: Summaries, oracle: Oracle) -> bool:
        return (
            bool(facts) and oracle.entails(known[name], terms.conjunction(facts), "templates", seconds=0.5) is not True
        )

    def _sampled(self, name: str, oracle: Oracle) -> list[dict[Term, Term]]:
        """Samples of the facts that were not known before, as long as there are few."""
        found, seen = self._samples.get(name, ([], 0))
        if len(found) < POINTS_PER_PREDICATE:
            found = [*found, *sampled(self._forward, name, oracle, seen)]
            self._samples[name] = found, len(self._forward.known(name))
        return found

    def _circumstances(self, targets: Sequence[str], known: Summaries) -> tuple[object, ...]:
        """What elimination depends on: summaries of other callees, and points, but not every single new one."""
        callees = {c for name in targets for c in self._system.call_graph.callees[name]} - set(targets)
        others = tuple(known[name] for name in sorted(callees))
        self._held += others  # identities are reused once a term is freed
        seen = tuple(len(self._forward.known(name)).bit_length() for name in targets)
        return tuple(targets), tuple(term.get_id() for term in others), seen

    def _around(self, targets: Sequence[str], target: Predicate, environment: Term) -> HornSystem:
        """The clauses of the targets, and the claim that the environment never meets the procedure."""
        claim = Clause("environment!", None, (Atom(target, target.formals),), environment)
        return self._system.with_clauses([*(c for name in targets for c in self._system.defining[name]), claim])

    def _stages(self, targets: Sequence[str], oracle: Oracle) -> Iterator[dict[str, list[Term]]]:
        frames = {name: frame(self._system.predicate[name]) for name in targets}
        points = {name: frames[name].points(self._sampled(name, oracle)) for name in targets}
        words = vocabularies(self._system, points)
        for vocabulary in words:
            yield {name: _sharp(frames[name], points[name], vocabulary) for name in targets}
        exact = exact_facts(self._forward)
        yield {name: exact[name] for name in targets}
        yield {name: _double(frames[name], points[name], words[-1]) for name in targets}


def _sharp(frame: Frame, points: Sequence[Point], words: Vocabulary) -> list[Term]:
    plain = guesses(frame, points, words)
    implied = sharply_guarded(frame, points, words, [g.text for g in plain])
    return [g.build(frame.terms) for g in (*plain, *implied)]


def _double(frame: Frame, points: Sequence[Point], words: Vocabulary) -> list[Term]:
    plain = guesses(frame, points, words)
    implied = doubly_guarded(frame, points, words, [g.text for g in plain])
    return [g.build(frame.terms) for g in (*plain, *implied)]


def samples(forward: ForwardSearch, oracle: Oracle) -> dict[str, list[dict[Term, Term]]]:
    """Derivable values of every predicate's formals."""
    return {p.name: sampled(forward, p.name, oracle) for p in forward.system.predicates}


def sampled(forward: ForwardSearch, name: str, oracle: Oracle, start: int = 0) -> list[dict[Term, Term]]:
    """Samples of the facts about a predicate, from one of them on."""
    predicate = forward.system.predicate[name]
    views = frame(predicate).terms
    found: list[dict[Term, Term]] = []
    for cube in forward.known(name)[start:]:
        found += sample(cube.formula, predicate.formals, oracle, views=views)
        if len(found) >= POINTS_PER_PREDICATE:
            break
    return found


def exact_facts(forward: ForwardSearch) -> dict[str, list[Term]]:
    """Known facts read as functions: whatever meets the rest of a fact meets its equation too.

    That is so where a procedure has one result for each input; up to the depth that is known it is inductive.
    """
    found: dict[str, list[Term]] = {}
    for predicate in forward.system.predicates:
        functions = (_as_function(cube.formula, predicate.formals) for cube in forward.known(predicate.name))
        found[predicate.name] = [f for f in functions if f is not None][:MOST_EXACT_FACTS]
    return found


def _as_function(cube: Term, formals: Sequence[Term]) -> Term | None:
    """The rest of a cube implies its equation about the last argument that has one: results come last."""
    literals = terms.conjuncts(cube)
    for formal in reversed(formals):
        for literal in literals:
            if terms.is_equation(literal) and any(terms.same(formal, v) for v in walk.free_variables(literal)):
                rest = terms.conjunction(other for other in literals if not terms.same(other, literal))
                return terms.implication(rest, literal)
    return None
