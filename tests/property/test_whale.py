"""On random systems whatever WHALE claims is accepted, and on Boolean programs it always ends with the right answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import z3
from hypothesis import given
from hypothesis import strategies as st

from property.strategies import horn_systems
from sorrel.engines.engine import Circumstances
from sorrel.engines.whale.engine import Whale
from sorrel.engines.whale.options import WhaleOptions
from sorrel.evidence.certificate import check
from sorrel.evidence.result import Accepted
from sorrel.horn.clause import Argument, Atom, Clause, Predicate, Role
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Safe, Unknown, Unsafe
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.model.budget import Budget

Draw = Callable[[st.SearchStrategy[Any]], Any]


@given(horn_systems())
def test_evidence_about_random_systems_is_accepted(system: HornSystem) -> None:
    verdict = Whale(WhaleOptions(audit=True)).solve(system, Circumstances(Budget(seconds=1.0).start()), {})
    if isinstance(verdict, Unknown):
        assert verdict.reason.message
    else:
        assert isinstance(check(system, verdict), Accepted)


# Boolean programs

NAMES = ("f", "g", "h")
VARIABLES = tuple(z3.Bool(name) for name in ("u", "v", "w", "x", "y"))


@dataclass(frozen=True)
class BooleanProgram:
    system: HornSystem

    def is_safe(self) -> bool:
        """By deriving all facts: each predicate has finitely many."""
        facts: dict[str, set[tuple[bool, ...]]] = {name: set() for name in NAMES}
        changed = True
        while changed:
            changed = False
            for clause in self.system.clauses:
                for values in product((False, True), repeat=len(clause.variables)):
                    at = list(zip(clause.variables, map(z3.BoolVal, values), strict=True))
                    if not _applies(clause, at, facts):
                        continue
                    if clause.head is None:
                        return False
                    fact = tuple(_truth(argument, at) for argument in clause.head.arguments)
                    changed |= fact not in facts[clause.head.predicate.name]
                    facts[clause.head.predicate.name].add(fact)
        return True


def _applies(clause: Clause, at: list[tuple[Term, Term]], facts: dict[str, set[tuple[bool, ...]]]) -> bool:
    calls = ((atom.predicate.name, tuple(_truth(a, at) for a in atom.arguments)) for atom in clause.body)
    return _truth(clause.constraint, at) and all(fact in facts[name] for name, fact in calls)


def _truth(term: Term, at: list[tuple[Term, Term]]) -> bool:
    return bool(z3.is_true(z3.simplify(z3.substitute(term, *at))))


@st.composite
def boolean_programs(draw: Draw) -> BooleanProgram:
    """Procedures with Boolean inputs and outputs: base cases, and paths that call any of them, themselves too."""
    predicates = [_signature(draw, name) for name in NAMES]
    clauses = [_path(draw, number, predicate, ()) for number, predicate in enumerate(predicates)]
    for predicate in predicates:
        for _ in range(draw(st.integers(0, 2))):
            callees = draw(st.lists(st.sampled_from(predicates), min_size=1, max_size=2))
            clauses.append(_path(draw, len(clauses), predicate, callees))
    for _ in range(draw(st.integers(1, 2))):
        callees = draw(st.lists(st.sampled_from(predicates), min_size=1, max_size=2))
        clauses.append(_path(draw, len(clauses), None, callees))
    return BooleanProgram(HornSystem(tuple(predicates), tuple(clauses)))


def _signature(draw: Draw, name: str) -> Predicate:
    inputs = draw(st.integers(0, 2))
    outputs = draw(st.integers(1, 2))
    ins = [Argument(f"{name}_in{i}", terms.BOOL, Role.INPUT) for i in range(inputs)]
    outs = [Argument(f"{name}_out{i}", terms.BOOL, Role.OUTPUT) for i in range(outputs)]
    return Predicate(name, (*ins, *outs))


def _path(draw: Draw, number: int, head: Predicate | None, callees: Sequence[Predicate]) -> Clause:
    literals = st.sampled_from([*VARIABLES, *(z3.Not(v) for v in VARIABLES)])
    pairs = st.tuples(literals, literals)
    conditions = draw(
        st.lists(st.one_of(pairs.map(lambda p: z3.Or(*p)), pairs.map(lambda p: p[0] == p[1])), max_size=3)
    )
    return Clause(
        f"c{number}",
        _atom(draw, head) if head else None,
        tuple(_atom(draw, callee) for callee in callees),
        terms.conjunction(conditions),
    )


def _atom(draw: Draw, predicate: Predicate) -> Atom:
    return Atom(predicate, tuple(draw(st.sampled_from(VARIABLES)) for _ in predicate.arguments))


CONFIGURATIONS: tuple[dict[str, Any], ...] = (
    {},
    {"expand": "path", "merge": False, "transparent": False, "reuse": False},
    {"guards": False, "methods": "blocking+spacer+strongest"},
    {"tree": 0, "transparent": False},
)


@given(boolean_programs(), st.sampled_from(CONFIGURATIONS))
def test_boolean_programs_are_always_decided(program: BooleanProgram, configuration: dict[str, Any]) -> None:
    whale = Whale(WhaleOptions(audit=True, **configuration))
    verdict = whale.solve(program.system, Circumstances(Budget(seconds=60.0).start()), {})
    assert isinstance(verdict, Safe if program.is_safe() else Unsafe)
    assert isinstance(check(program.system, verdict), Accepted)
