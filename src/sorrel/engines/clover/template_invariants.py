"""Invariants for the rules out of templates: conjunctions that hold of a few procedures, found by elimination."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sorrel.engines.clover.plan import PLAN
from sorrel.engines.engine import Circumstances
from sorrel.engines.unwind import ForwardSearch
from sorrel.guess.atoms import Guess
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
from sorrel.model.values import dataclass
from sorrel.smt.solver import Oracle

POINTS_PER_PREDICATE = 60
MOST_EXACT_FACTS = 60
MOST_FACTS = 40


@dataclass(frozen=True, slots=True, eq=False)
class Invariants:
    """Facts that are inductive together with O; do they contradict the environment they were sought for?

    `later`: there may be more to find, in stages that were not tried.
    """

    facts: dict[str, list[Term]]
    exclude: bool
    later: bool = False


@dataclass(eq=False)
class _Stage:
    """Templates of one kind about some procedures, thinned out under these circumstances."""

    circumstances: tuple[object, ...]
    houdini: Houdini


class TemplateInvariants:
    """Keeps what it has thinned out: the same candidates against the same summaries serve every environment."""

    def __init__(self, system: HornSystem, forward: ForwardSearch, run: Circumstances) -> None:
        self._system = system
        self._forward = forward
        self._run = run
        self._oracle = Oracle(run.clock, run.statistics, query_seconds=PLAN.question, seed=run.seed)
        self._thinned: dict[tuple[int, tuple[str, ...]], _Stage] = {}
        self._claims = 0
        self._held: list[Term] = []
        self._samples: dict[str, tuple[list[dict[Term, Term]], int]] = {}  # and how many facts they come from

    def invariants(self, targets: Sequence[str], target: Predicate, environment: Term, known: Summaries) -> Invariants:
        """Templates in a small vocabulary, then in a larger one: what excludes the environment, or what a stage finds.

        Stages are the dearer the later they come: one of them is thinned out in a visit, so that all procedures have
        had the first before one has the last.
        """
        self._claims += 1
        met = terms.conjunction([environment, known[target.name]])
        claim = Clause(f"environment!{self._claims}", None, (Atom(target, target.formals),), met)
        circumstances = self._circumstances(targets, known)
        for number, stage in enumerate(_STAGES):
            later = number + 1 < len(_STAGES)
            before = self._thinned.get((number, tuple(targets)))
            if before is not None and before.circumstances == circumstances:
                support = before.houdini.support([claim])
                if support is not None:
                    return Invariants({name: support[name] for name in targets}, True)
                continue
            houdini = self._thin(stage, targets, known)
            self._thinned[number, tuple(targets)] = _Stage(circumstances, houdini)
            support = houdini.support([claim])
            if support is not None:
                return Invariants({name: support[name] for name in targets}, True)
            part = houdini.part(MOST_FACTS)
            if any(self._says_more(name, part[name], known) for name in targets):
                return Invariants({name: part[name] for name in targets}, False, later)
            return Invariants({}, False, later)
        return Invariants({}, False)

    def tried(self, name: str) -> int:
        """How many stages of templates about a procedure were thinned out so far."""
        return len({number for number, targets in self._thinned if name in targets})

    def _thin(self, stage: _Templates, targets: Sequence[str], known: Summaries) -> Houdini:
        """The largest inductive part of the templates of a stage, under O at every other call."""
        candidates = stage(self._material(targets))
        if set(candidates) != set(targets):
            raise InternalError("facts about other procedures are not shown by the clauses of these")
        clauses = [clause for name in targets for clause in self._system.defining[name]]
        patience = PLAN.templates.of(self._run.clock)
        houdini = Houdini(self._system.with_clauses(clauses), candidates, self._oracle, known, patience)
        houdini.run()
        return houdini

    def _says_more(self, name: str, facts: Sequence[Term], known: Summaries) -> bool:
        if not facts:
            return False
        told = terms.conjunction(facts)
        return self._oracle.entails(known[name], told, "templates", seconds=PLAN.templates_question) is not True

    def _sampled(self, name: str) -> list[dict[Term, Term]]:
        """Samples of the facts that were not known before, as long as there are few."""
        found, seen = self._samples.get(name, ([], 0))
        if len(found) < POINTS_PER_PREDICATE:
            found = [*found, *sampled(self._forward, name, self._oracle, seen)]
            self._samples[name] = found, len(self._forward.known(name))
        return found

    def _circumstances(self, targets: Sequence[str], known: Summaries) -> tuple[object, ...]:
        """What elimination depends on: summaries of other callees, and samples, but not every single new one."""
        callees = {c for name in targets for c in self._system.call_graph.callees[name]} - set(targets)
        others = tuple(known[name] for name in sorted(callees))
        self._held += others  # identities are reused once a term is freed
        seen = tuple(len(self._sampled(name)).bit_length() for name in targets)
        return tuple(targets), tuple(term.get_id() for term in others), seen

    def _material(self, targets: Sequence[str]) -> _Material:
        frames = {name: frame(self._system.predicate[name]) for name in targets}
        points = {name: frames[name].points(self._sampled(name)) for name in targets}
        return _Material(frames, points, vocabularies(self._system, points), self._forward)


@dataclass(frozen=True, slots=True, eq=False)
class _Material:
    """What templates about some procedures are made of."""

    frames: dict[str, Frame]
    points: dict[str, list[Point]]
    words: list[Vocabulary]
    forward: ForwardSearch


_Templates = Callable[[_Material], dict[str, list[Term]]]


def _small(given: _Material) -> dict[str, list[Term]]:
    return {name: _sharp(frame, given.points[name], given.words[0]) for name, frame in given.frames.items()}


def _large(given: _Material) -> dict[str, list[Term]]:
    if len(given.words) == 1:
        return {name: [] for name in given.frames}
    return {name: _sharp(frame, given.points[name], given.words[-1]) for name, frame in given.frames.items()}


def _functions(given: _Material) -> dict[str, list[Term]]:
    exact = exact_facts(given.forward)
    return {name: exact[name] for name in given.frames}


def _two_guards(given: _Material) -> dict[str, list[Term]]:
    return {name: _double(frame, given.points[name], given.words[-1]) for name, frame in given.frames.items()}


_STAGES: tuple[_Templates, ...] = (_small, _large, _functions, _two_guards)


def _sharp(frame: Frame, points: Sequence[Point], words: Vocabulary) -> list[Term]:
    plain = guesses(frame, points, words)
    implied = sharply_guarded(frame, points, words, [g.text for g in plain])
    first, rest = _sharpest_first(plain)
    return [g.build(frame.terms) for g in (*first, *implied, *rest)]


def _sharpest_first(plain: Sequence[Guess]) -> tuple[list[Guess], list[Guess]]:
    """The sharpest guess of each kind, and the others, which matter where a sharper one fails.

    Of all that holds only so much is taken over: without an order that would be the weakest bounds.
    """
    kinds: dict[tuple[str, str], list[Guess]] = {}
    for guess in plain:
        kinds.setdefault((guess.subject, guess.direction) if guess.subject else (guess.text, ""), []).append(guess)
    ordered = [sorted(kind, key=lambda guess: guess.rank) for kind in kinds.values()]
    rest = [(place, guess) for kind in ordered for place, guess in enumerate(kind[1:]) if not _implied(kind[0], guess)]
    return [kind[0] for kind in ordered], [guess for _, guess in sorted(rest, key=lambda found: found[0])]


def _implied(sharpest: Guess, guess: Guess) -> bool:
    """One class of a modulus excludes all others, and both are equally likely to be kept."""
    return guess.direction.startswith("mod") and sharpest.rank < guess.rank


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
