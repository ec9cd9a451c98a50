"""Transformations keep the answer, and lifts keep acceptance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given

from property.strategies import horn_systems
from sorrel.engines.engine import Circumstances
from sorrel.engines.options import SpacerOptions, UnwindOptions
from sorrel.engines.spacer import Spacer
from sorrel.engines.unwind import Unwind
from sorrel.evidence.certificate import check
from sorrel.evidence.result import Accepted
from sorrel.horn.clause import Atom, Predicate, Role
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Safe, Unsafe, Verdict
from sorrel.model.budget import Budget
from sorrel.smt.solver import Oracle
from sorrel.transform.arguments import remove_constant_arguments, remove_unused_arguments
from sorrel.transform.contexts import with_contexts
from sorrel.transform.dead import drop_impossible_clauses, remove_dead
from sorrel.transform.equal_arguments import merge_equal_arguments
from sorrel.transform.inline import inline
from sorrel.transform.lift import Transformed, unchanged
from sorrel.transform.merge import merge_clauses
from sorrel.transform.preparation import chosen, prepare
from sorrel.transform.products import with_products
from sorrel.transform.simplify import simplify


def prepared(words: str) -> Callable[[HornSystem], Transformed]:
    """Passes that may have nothing to do."""

    def run(system: HornSystem) -> Transformed:
        oracle = Oracle(Budget(seconds=5).start())
        return prepare(system, chosen(words), oracle) or unchanged(system)

    return run


def called(system: HornSystem) -> Transformed:
    """Summaries for calls that are made, where the first argument of each predicate is an input."""

    def with_input(atom: Atom) -> Atom:
        return Atom(own[atom.predicate.name], atom.arguments)

    own = {
        p.name: Predicate(
            p.name, tuple(replace(a, role=Role.OUTPUT if i else Role.INPUT) for i, a in enumerate(p.arguments))
        )
        for p in system.predicates
    }
    clauses = [
        replace(c, head=with_input(c.head) if c.head else None, body=tuple(map(with_input, c.body)))
        for c in system.clauses
    ]
    return with_contexts(HornSystem(tuple(own.values()), tuple(clauses))) or unchanged(system)


PASSES: dict[str, Callable[[HornSystem], Transformed]] = {
    "dead": remove_dead,
    "impossible": drop_impossible_clauses,
    "inline": inline,
    "inline-without-cycles": lambda system: inline(system, cut_cycles=False),
    "unused": remove_unused_arguments,
    "constant": remove_constant_arguments,
    "merge": merge_clauses,
    "all": simplify,
    "control": prepared("control"),
    "loops": prepared("loops"),
    "contexts": called,
    "equal": merge_equal_arguments,
    "products": lambda system: with_products(system) or unchanged(system),
}


def run(seconds: float = 0.3) -> Circumstances:
    return Circumstances(Budget(seconds=seconds).start())


def answers(system: HornSystem) -> list[Verdict]:
    return [
        Spacer(SpacerOptions()).solve(system, run(), {}),
        Unwind(UnwindOptions()).solve(system, run(), {}),
    ]


@pytest.mark.parametrize("name", PASSES)
@given(system=horn_systems())
def test_lift_preserves_acceptance(name: str, system: HornSystem) -> None:
    transformed = PASSES[name](system)
    oracle = Oracle(Budget(seconds=5).start())
    for verdict in answers(transformed.system):
        if isinstance(verdict, Safe | Unsafe):
            assert isinstance(check(transformed.system, verdict), Accepted)
            if isinstance(verdict, Unsafe) and not transformed.exact:
                continue  # it says nothing
            lifted = transformed.lift(verdict, oracle)
            assert isinstance(lifted, Safe | Unsafe)
            assert isinstance(check(system, lifted), Accepted), (name, type(verdict).__name__)


@given(system=horn_systems())
def test_engines_never_contradict_each_other(system: HornSystem) -> None:
    kinds = {type(verdict) for verdict in answers(system)} | {type(v) for v in answers(simplify(system).system)}
    assert not {Safe, Unsafe} <= kinds


@given(system=horn_systems())
def test_every_verdict_of_an_engine_is_accepted(system: HornSystem) -> None:
    for verdict in answers(system):
        if isinstance(verdict, Safe | Unsafe):
            assert isinstance(check(system, verdict), Accepted)
