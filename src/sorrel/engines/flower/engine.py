"""INFERSUM (algorithm 9): guessed summaries about information flow, then the rules of CLOVER from where they led."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sorrel.engines.clover.engine import Clover
from sorrel.engines.clover.options import CloverOptions
from sorrel.engines.engine import Run
from sorrel.engines.flower.grammar import Vocabulary, plain_shape_of, shape_of, vocabularies
from sorrel.engines.flower.laws import law_guesses
from sorrel.engines.flower.options import FlowerOptions
from sorrel.engines.flower.product import Product, products_of
from sorrel.guess.lattice import Implication, LatticeHoudini, Literal, Shape
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Safe, Summaries, Unknown, Verdict
from sorrel.logic import terms
from sorrel.outcome import Cause, Reason
from sorrel.smt.solver import Oracle
from sorrel.smt.uninterpreted import without_nonlinear

GUESS_SHARE = 0.6
QUERY_SECONDS = 2.0


class Flower:
    def __init__(self, options: FlowerOptions) -> None:
        self._options = options

    def unsupported(self, system: HornSystem) -> str:
        return "flower has no well-foundedness obligations" if system.obligations else ""

    def solve(self, system: HornSystem, run: Run, seeds: Summaries) -> Verdict:
        oracle = Oracle(run.clock.share(GUESS_SHARE), run.statistics, query_seconds=QUERY_SECONDS, seed=run.seed)
        products = products_of(system, oracle)
        weaker = without_nonlinear(system)
        run.progress({"phase": "guesses about laws"})
        lawful = law_guesses(weaker, oracle, seeds)
        if lawful is not None:
            return _settled(system, seeds, lawful)
        run.progress({"phase": "plain guesses"})
        plain = LatticeHoudini(weaker, shapes(system, products, plain_shape_of), oracle, seeds)
        plain.run()
        support = plain.support()
        if support is not None:
            return _settled(system, seeds, support)
        # What holds by itself is assumed from here on, so that it need not be found again.
        seeds = _joined({p.name: seeds.get(p.name, terms.TRUE) for p in system.predicates}, plain.facts())
        houdini = LatticeHoudini(weaker, shapes(system, products, shape_of), oracle, seeds)
        run.progress({"phase": "guesses"})
        houdini.run()
        support = houdini.support()
        if support is None and self._options.directed:
            run.progress({"phase": "directed guesses"})
            support = refine_over(houdini)
        if support is not None:
            return _settled(system, seeds, support)
        facts = _joined(seeds, houdini.facts())
        if not self._options.rules:
            return Unknown(Reason(Cause.INCOMPLETE, "no guess about information flow settles the queries"), facts)
        verdict = Clover(CloverOptions()).solve(system, run, facts)
        return replace(verdict, notes=(*verdict.notes, "after guesses about information flow"))


def _settled(system: HornSystem, known: Summaries, support: dict[str, list[terms.Term]]) -> Safe:
    whole = {p.name: known.get(p.name, terms.TRUE) for p in system.predicates}
    return Safe(_joined(whole, support), ("decided by guesses about information flow",))


def shapes(
    system: HornSystem, products: dict[str, Product], grammar: Callable[[Product, Vocabulary], Shape]
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
