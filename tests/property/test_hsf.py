"""On random systems and relations: whatever HSF claims, its evidence is accepted."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from property.strategies import horn_systems
from sorrel.engines.engine import Circumstances
from sorrel.engines.hsf.engine import Hsf
from sorrel.engines.hsf.options import HsfOptions
from sorrel.evidence.certificate import check
from sorrel.evidence.result import Accepted
from sorrel.horn.clause import Argument, Clause, Predicate, WellFounded
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Unknown, Unsafe
from sorrel.logic import terms
from sorrel.model.budget import Budget

SECONDS = 1.0


def accepted_or_unknown(system: HornSystem) -> None:
    verdict = Hsf(HsfOptions()).solve(system, Circumstances(Budget(seconds=SECONDS).start()), {})
    if isinstance(verdict, Unknown):
        assert verdict.reason.message
    else:
        assert isinstance(check(system, verdict), Accepted)


@given(horn_systems())
def test_evidence_about_random_systems_is_accepted(system: HornSystem) -> None:
    accepted_or_unknown(system)


X, Y, A, B, C, D = (terms.variable(name, terms.INT) for name in ("x", "y", "a", "b", "c", "d"))
STEPS = Predicate("steps", tuple(Argument(name, terms.INT) for name in ("x", "y", "a", "b")))


def update(
    changes: tuple[int, int], guard: int, x: terms.Term, y: terms.Term, a: terms.Term, b: terms.Term
) -> terms.Term:
    condition = (x > 0, y > 0, x > y, x + y > 0)[guard]
    return terms.conjunction([condition, a == x + changes[0], b == y + changes[1]])


@given(
    st.lists(st.tuples(st.tuples(st.integers(-2, 1), st.integers(-2, 1)), st.integers(0, 3)), min_size=1, max_size=2)
)
def test_ranks_of_random_loops_are_accepted(branches: list[tuple[tuple[int, int], int]]) -> None:
    """A loop with one or two branches, each a guard and constants to add, and the closure of its steps."""
    once = terms.disjunction(update(changes, guard, X, Y, A, B) for changes, guard in branches)
    again = terms.disjunction(update(changes, guard, A, B, C, D) for changes, guard in branches)
    system = HornSystem(
        (STEPS,),
        (
            Clause("once", STEPS(X, Y, A, B), (), once),
            Clause("again", STEPS(X, Y, C, D), (STEPS(X, Y, A, B),), again),
        ),
        (WellFounded("loop", (X, Y), (A, B), (STEPS(X, Y, A, B),)),),
    )
    verdict = Hsf(HsfOptions()).solve(system, Circumstances(Budget(seconds=SECONDS).start()), {})
    assert not isinstance(verdict, Unsafe)
    if not isinstance(verdict, Unknown):
        assert isinstance(check(system, verdict), Accepted)
        assert not runs_for_ever(branches)


def runs_for_ever(branches: list[tuple[tuple[int, int], int]]) -> bool:
    """Does one branch alone repeat for ever: does it not decrease its own guard?"""
    growth = [(dx, dy, dx - dy, dx + dy)[guard] for (dx, dy), guard in branches]
    return any(change >= 0 for change in growth)
