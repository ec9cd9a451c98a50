"""INFERSUM (algorithm 9): guessed summaries about information flow, then the rules of CLOVER from where they led."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sorrel.engines.clover.engine import Clover
from sorrel.engines.clover.options import CloverOptions
from sorrel.engines.engine import Circumstances
from sorrel.engines.flower.directed import DirectedGuesser
from sorrel.engines.flower.frames import frames
from sorrel.engines.flower.grammar import Vocabulary, plain_shape_of, shape_of, vocabularies
from sorrel.engines.flower.laws import law_guesses
from sorrel.engines.flower.options import FlowerOptions
from sorrel.engines.flower.plan import PLAN
from sorrel.engines.flower.product import Tagging, products_of
from sorrel.guess.contexts import ContextHoudini
from sorrel.guess.lattice import Implication, LatticeHoudini, Literal, Shape
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Safe, Summaries, Unknown, Verdict
from sorrel.logic import terms
from sorrel.model.outcome import Cause, Reason
from sorrel.smt.nonlinear import exact_queries, without_nonlinear
from sorrel.smt.solver import Oracle


class Flower:
    def __init__(self, options: FlowerOptions) -> None:
        self._options = options

    def unsupported(self, system: HornSystem) -> str:
        return ""

    def solve(self, system: HornSystem, run: Circumstances, seeds: Summaries) -> Verdict:
        return _Attempt(system, run, self._options, seeds).verdict()


class _Attempt:
    """One run: guesses of growing size, each of which may settle the queries; then the rules.

    What is found is kept in `_known`, which is inductive at all times.
    """

    def __init__(self, system: HornSystem, run: Circumstances, options: FlowerOptions, seeds: Summaries) -> None:
        self._system = system
        self._run = run
        self._options = options
        # Sizes of queries are not measured: that takes as long as the queries.
        self._oracle = Oracle(
            PLAN.guesses.of(run.clock),
            run.statistics,
            query_seconds=PLAN.question,
            seed=run.seed,
            measure_sizes=False,
        )
        self._known = {p.name: seeds.get(p.name, terms.TRUE) for p in system.predicates}
        self._products = products_of(system, self._oracle)
        self._weaker = without_nonlinear(system)
        self._exact = exact_queries(system)
        self._frames = frames(self._weaker, self._products)

    def verdict(self) -> Verdict:
        self._run.progress({"phase": "guesses about laws"})
        lawful = law_guesses(self._weaker, self._oracle, self._known)
        if lawful is not None:
            return self._settled(lawful)
        self._run.progress({"phase": "plain guesses"})
        plain = self._houdini(plain_shape_of)
        support = self._support(plain)
        if support is not None:
            return self._settled(support)
        by_itself = self._contexts()
        if by_itself is not None:
            return by_itself
        # What holds by itself is assumed from here on, so that it need not be found again.
        self._known = _joined(self._known, plain.facts())
        return self._contexts() or self._lattice() or self._apply_rules()

    def _houdini(self, grammar: Callable[[Tagging, Vocabulary], Shape]) -> LatticeHoudini:
        """Which consequents follow from which antecedents of the grammar, for any call."""
        offered = shapes(self._system, self._products, grammar)
        houdini = LatticeHoudini(self._weaker, offered, self._oracle, self._known)
        houdini.run()
        return houdini

    def _contexts(self) -> Verdict | None:
        """One contract for all calls that happen."""
        if not self._options.contexts:
            return None
        self._run.progress({"phase": "contexts"})
        houdini = ContextHoudini(self._weaker, self._frames, self._oracle, self._known)
        if not houdini.run():
            return None
        support = houdini.support() or (houdini.support(self._exact) if self._exact else None)
        return self._settled({name: [formula] for name, formula in support.items()}) if support is not None else None

    def _lattice(self) -> Verdict | None:
        """Facts with any antecedents of the grammar, at first by themselves, then for the calls that happen."""
        self._run.progress({"phase": "guesses"})
        houdini = self._houdini(shape_of)
        support = self._support(houdini)
        if support is None and self._options.directed:
            self._run.progress({"phase": "directed guesses"})
            support = refine_over(houdini)
        if support is not None:
            return self._settled(support)
        self._known = _joined(self._known, houdini.facts())
        return None

    def _support(self, houdini: LatticeHoudini) -> dict[str, list[terms.Term]] | None:
        found = houdini.support()
        return houdini.support(self._exact) if found is None and self._exact else found

    def _apply_rules(self) -> Verdict:
        if not self._options.rules:
            why = Reason(Cause.INCOMPLETE, "no candidate about information flow proves the queries")
            return Unknown(why, self._known)
        guesser = None
        if self._options.directed:
            guesser = DirectedGuesser(self._weaker, self._frames, self._run.clock, self._run.statistics)
        verdict = Clover(CloverOptions(), guesser).solve(self._system, self._run, self._known)
        return replace(verdict, notes=(*verdict.notes, "after guesses about information flow"))

    def _settled(self, support: dict[str, list[terms.Term]]) -> Safe:
        return Safe(_joined(self._known, support), ("decided by guesses about information flow",))


def shapes(
    system: HornSystem, products: dict[str, Tagging], grammar: Callable[[Tagging, Vocabulary], Shape]
) -> dict[str, Shape]:
    """What may be guessed of each predicate; one that is no part of the product may only be impossible."""
    words = vocabularies(system, products)
    impossible = Shape(terms.TRUE, (), (Literal(terms.FALSE),), ())
    return {
        p.name: grammar(products[p.name], words[p.name]) if p.name in products else impossible
        for p in system.predicates
    }


def refine_over(houdini: LatticeHoudini) -> dict[str, list[terms.Term]] | None:
    """REFINEOVER (algorithm 10) and COMBINEGUESS (algorithm 12): what holds at every call implies each consequent.

    Powersets of the atoms explode; the single guess with all of them is the weakest that can be of use, and what it
    does not need is dropped afterwards.
    """
    for name, antecedents in houdini.preconditions().items():
        houdini.guess(name, combine_guess(houdini.shape(name), antecedents))
    houdini.run()
    if houdini.support() is None:
        return None
    houdini.shrink()
    return houdini.support()


def combine_guess(shape: Shape, antecedents: frozenset[int]) -> list[Implication]:
    return [
        Implication(frozenset(a for a in antecedents if (a, consequent) not in shape.trivial), consequent)
        for consequent in range(len(shape.consequents))
    ]


def _joined(known: Summaries, more: dict[str, list[terms.Term]]) -> dict[str, terms.Term]:
    return {name: terms.conjunction([formula, *more.get(name, ())]) for name, formula in known.items()}
