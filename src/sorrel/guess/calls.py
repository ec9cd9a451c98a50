"""Contracts with several comparisons before and after: an index is within its array at each call, and what is returned.

Bounds at the calls that happen are looked for (`bounds`), proved as contracts (`contexts`), and cut down to what the
queries need. Procedures without recursion and loops take part with their bodies (`bodies`). Each round looks at more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sorrel.guess.bodies import bodies
from sorrel.guess.bounds import Bounded, ContextBounds
from sorrel.guess.contexts import ContextHoudini, Frame, Side
from sorrel.guess.lattice import Literal
from sorrel.guess.plan import PLAN
from sorrel.guess.sentinels import with_sentinels
from sorrel.guess.sums import compared, limits_of, sums, with_cases
from sorrel.horn.clause import Role
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries
from sorrel.logic import terms
from sorrel.smt.nonlinear import is_nonlinear, linear
from sorrel.smt.solver import Oracle


def contracts_of_calls(system: HornSystem, oracle: Oracle, known: Summaries) -> Summaries | None:
    """Summaries that settle the queries, inductive together with what is known; None if none of the rounds has any."""
    exact, system = system, linear(system) if is_nonlinear(system) else system
    own = bodies(system, oracle)
    known = {p.name: terms.conjunction(s[p.name] for s in (own, known) if p.name in s) for p in system.predicates}
    open_ones = [p.name for p in system.predicates if p.name not in own]
    for looked_at in _rounds(exact, known, open_ones):
        patient = Oracle(
            PLAN.calls_round.of(oracle.clock),
            oracle.statistics,
            query_seconds=oracle.query_seconds,
            seed=oracle.seed,
            measure_sizes=False,
        )
        found = _settled(system, looked_at, patient, known)
        if found is not None:
            return {name: terms.conjunction([known[name], found.get(name, terms.TRUE)]) for name in known}
        if oracle.clock.expired():
            break
    return None


def _rounds(system: HornSystem, known: Summaries, names: Sequence[str]) -> Iterator[dict[str, Bounded]]:
    """Sums of two arguments, the same with facts about elements, sums of three, and by cases of few values."""
    limits, relevant = limits_of(system), compared(system)
    pairs = sums(system, names, relevant, limits, 2)
    yield pairs
    with_elements = with_sentinels(system, pairs, known, relevant)
    if with_elements is not None:
        yield with_elements
    yield sums(system, names, relevant, limits, 3)
    yield with_cases(pairs)


def _settled(system: HornSystem, looked_at: dict[str, Bounded], oracle: Oracle, known: Summaries) -> Summaries | None:
    bounds = ContextBounds(system, looked_at, oracle, known)
    if not bounds.settle():
        return None
    frames = {name: _frame(system, bounds, name) for name in looked_at}
    houdini = ContextHoudini(system, frames, oracle, known)
    return houdini.support() if houdini.run() else None


def _frame(system: HornSystem, bounds: ContextBounds, name: str) -> Frame:
    return Frame(terms.TRUE, tuple(bounds.found(name, Side.BEFORE)), tuple(_after(system, bounds, name)))


def _after(system: HornSystem, bounds: ContextBounds, name: str) -> Iterator[Literal]:
    """That the call does not fail, and what holds after it; after calls that may fail, if they do not."""
    ok = terms.conjunction(a.formal for a in system.predicate[name].arguments if a.role is Role.OK)
    found = bounds.found(name, Side.AFTER)
    if bounds.may_fail(name):
        yield from (replace(fact, body=terms.implication(ok, fact.body)) for fact in found)
        return
    if not terms.is_true(ok):
        yield Literal(ok)
    yield from found
