"""The pool: guess, filter on points, keep what is inductive, and see whether it settles the queries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from sorrel.guess.atoms import Guess
from sorrel.guess.houdini import Houdini
from sorrel.guess.plan import PLAN
from sorrel.guess.points import Point
from sorrel.guess.shrinking import Shrinking
from sorrel.guess.templates import doubly_guarded, guarded, guesses, sharply_guarded
from sorrel.guess.tiles import index_terms, offsets
from sorrel.guess.views import Frame, frame, quantified_frame
from sorrel.guess.vocabulary import Vocabulary, vocabularies
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass
from sorrel.smt.solver import Oracle

Samples = Mapping[str, Sequence[dict[Term, Term]]]
"""For each predicate, by name, values of its formals that are derivable."""

Candidates = dict[str, list[Term]]
Template = Callable[[Frame, Sequence[Point], Vocabulary, Iterable[str]], list[Guess]]


@dataclass(frozen=True, slots=True, eq=False)
class Harvest:
    """`facts` are inductive; `solution` is a part of them that settles every query, if they do."""

    facts: Candidates
    solution: Summaries | None


def pool(
    system: HornSystem,
    samples: Samples,
    oracle: Oracle,
    known: Summaries | None = None,
    extra: Mapping[str, Sequence[Term]] | None = None,
    shrinking: Shrinking | None = None,
) -> Harvest:
    """Rounds of guesses, each richer than the one before, until one settles the queries.

    `extra` are candidates of the caller. Facts of all rounds are kept: sets that are inductive stay so together.
    With `shrinking`, samples are from the smaller system, and guesses about it are made to fit this one.
    """
    harvest = Harvest({p.name: [] for p in system.predicates}, None)
    for harvest in harvests(system, samples, oracle, known, extra, shrinking):
        if harvest.solution is not None:
            break
    return harvest


def harvests(
    system: HornSystem,
    samples: Samples,
    oracle: Oracle,
    known: Summaries | None = None,
    extra: Mapping[str, Sequence[Term]] | None = None,
    shrinking: Shrinking | None = None,
) -> Iterator[Harvest]:
    """What is known after each round, for those who ask more of facts than that they settle the queries."""
    known = known or {}
    guesser = _Guesser(shrinking.system, samples, shrinking.grow) if shrinking else _Guesser(system, samples)
    facts: dict[str, dict[int, Term]] = {p.name: {} for p in system.predicates}
    for candidates in guesser.rounds(facts, extra or {}):
        patient = Oracle(
            PLAN.pool_round.of(oracle.clock), oracle.statistics, query_seconds=oracle.query_seconds, seed=oracle.seed
        )
        houdini = Houdini(system, candidates, patient, known)
        for name, found in houdini.run().items():
            facts[name].update((fact.get_id(), fact) for fact in found)
        support = houdini.support()
        solution = None
        if support is not None:
            solution = {n: terms.conjunction([known.get(n, terms.TRUE), *found]) for n, found in support.items()}
        yield Harvest(_lists(facts), solution)
        if oracle.clock.expired():
            break


class _Guesser:
    def __init__(self, system: HornSystem, samples: Samples, grow: Callable[[Term], Term] = lambda term: term) -> None:
        self._grow = grow
        self._predicates = system.predicates
        self._frames = {p.name: frame(p) for p in system.predicates}
        self._points = {name: f.points(samples[name]) for name, f in self._frames.items()}
        ends = index_terms(system)
        far = offsets(system)
        self._general = {p.name: f for p in system.predicates if (f := quantified_frame(p, ends[p.name], far))}
        self._samples = samples
        self._words = vocabularies(system, self._points)

    def rounds(
        self, facts: Mapping[str, Mapping[int, Term]], extra: Mapping[str, Sequence[Term]]
    ) -> Iterator[Candidates]:
        """The cheapest first; where a small vocabulary does not do, a larger one before more of the same.

        Guesses that failed by themselves take part again: some are inductive only together with others.
        """
        first, last = self._words[0], self._words[-1]
        plain = self._plain(first)
        yield self._built(plain)
        if self._general:
            yield self._about_elements(plain, first, doubly_guarded)
        yield self._built(self._with(plain, sharply_guarded, first, self._failed(plain, facts)))
        if last is not first:
            plain = self._plain(last)
            yield self._built(self._with(plain, sharply_guarded, last, {name: [] for name in plain}))
        weak = self._failed(plain, facts)
        if extra:
            yield {p.name: list(extra.get(p.name, ())) for p in self._predicates}
        yield self._built(self._with(plain, doubly_guarded, last, weak))
        if self._general:
            yield self._about_elements(plain, last, doubly_guarded, guarded)
        for words in self._words:
            yield self._built(self._with(self._plain(words), guarded, words, weak))

    def _plain(self, words: Vocabulary) -> dict[str, list[Guess]]:
        return {p.name: guesses(self._frames[p.name], self._points[p.name], words) for p in self._predicates}

    def _with(
        self, plain: Mapping[str, list[Guess]], more: Template, words: Vocabulary, weak: Mapping[str, list[str]]
    ) -> dict[str, list[Guess]]:
        return {
            name: [*found, *more(self._frames[name], self._points[name], words, weak[name])]
            for name, found in plain.items()
        }

    def _failed(
        self, plain: Mapping[str, list[Guess]], facts: Mapping[str, Mapping[int, Term]]
    ) -> dict[str, list[str]]:
        return {
            name: [g.text for g in found if self._grow(g.build(self._frames[name].terms)).get_id() not in facts[name]]
            for name, found in plain.items()
        }

    def _built(self, chosen: Mapping[str, list[Guess]]) -> Candidates:
        built = {}
        for name, found in chosen.items():
            every = [self._grow(guess.build(self._frames[name].terms)) for guess in found]
            built[name] = list({term.get_id(): term for term in every}.values())
        return built

    def _about_elements(self, plain: Mapping[str, list[Guess]], words: Vocabulary, *templates: Template) -> Candidates:
        return {name: [*self._for_all(name, words, templates), *found] for name, found in self._built(plain).items()}

    def _for_all(self, name: str, words: Vocabulary, templates: Sequence[Template]) -> list[Term]:
        """Guesses about the elements at every index, most of them under guards about the index."""
        if name not in self._general:
            return []
        frame = self._general[name]
        points = frame.points(self._samples[name])
        plain = guesses(frame, points, words)
        weak = [guess.text for guess in plain]
        found = [*plain, *(guess for template in templates for guess in template(frame, points, words, weak))]
        return [self._grow(frame.close(g.build(frame.terms))) for g in found if "[index!]" in g.text]


def _lists(facts: Mapping[str, Mapping[int, Term]]) -> Candidates:
    return {name: list(found.values()) for name, found in facts.items()}
