"""The CDNF algorithm alone: it learns every function exactly, with few queries."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sorrel.engines.cdnf.learner import Around, Learner, learn
from sorrel.model.errors import InternalError


class Teacher:
    """Knows the target as a table of truth values, and counts what it is asked."""

    def __init__(self, table: list[bool]) -> None:
        self.table = table
        self.memberships = 0
        self.equivalences = 0

    def member(self, point: int) -> bool:
        self.memberships += 1
        return self.table[point]

    def equivalent(self, learner: Learner) -> int | None:
        self.equivalences += 1
        return next((p for p, value in enumerate(self.table) if learner.holds(p) != value), None)

    def learned(self) -> Learner:
        return learn(self.member, self.equivalent)


@given(st.integers(1, 6).flatmap(lambda n: st.lists(st.booleans(), min_size=2**n, max_size=2**n)))
def test_every_function_is_learned_exactly(table: list[bool]) -> None:
    learner = Teacher(table).learned()
    assert [learner.holds(point) for point in range(len(table))] == table


@given(st.integers(1, 5).flatmap(lambda n: st.lists(st.booleans(), min_size=2**n, max_size=2**n)))
def test_bases_are_negative_and_terms_end_at_positive_points(table: list[bool]) -> None:
    teacher = Teacher(table)
    learner = Learner(teacher.member)
    while (point := teacher.equivalent(learner)) is not None:
        changed = learner.refine(point)
        assert all(around.holds(point) == table[point] for around in changed)
        for around in learner.hypothesis:
            assert not table[around.base]
            assert not around.holds(around.base)
            assert all(table[around.base ^ term] for term in around.terms)


def _terms(random_: random.Random, variables: int, count: int, width: int) -> Iterator[tuple[int, int]]:
    for _ in range(count):
        chosen = random_.sample(range(variables), width)
        mask = sum(1 << i for i in chosen)
        yield mask, random_.getrandbits(variables) & mask


@pytest.mark.parametrize(("variables", "terms"), [(8, 2), (8, 4), (12, 3)])
def test_queries_stay_polynomial_in_the_sizes_of_dnf_and_cnf(variables: int, terms: int) -> None:
    random_ = random.Random(variables * terms)
    cubes = list(_terms(random_, variables, terms, 3))
    teacher = Teacher([any(p & mask == value for mask, value in cubes) for p in range(2**variables)])
    learner = teacher.learned()
    # The product of the terms' literals is a CNF: at most 3 ** terms clauses.
    clauses = 3**terms
    assert len(learner.hypothesis) <= clauses
    assert teacher.equivalences <= clauses * (terms + 1) + 1
    assert teacher.memberships <= variables**2 * teacher.equivalences * len(learner.hypothesis)


def test_constants_need_at_most_two_equivalence_queries() -> None:
    always, never = Teacher([True] * 8), Teacher([False] * 8)
    assert always.learned().hypothesis == []
    assert never.learned().hypothesis == [Around(0)]
    assert (always.equivalences, never.equivalences) == (1, 2)


def test_a_point_that_is_negative_twice_is_a_broken_promise() -> None:
    learner = Learner(lambda point: False)
    learner.refine(5)
    learner.hypothesis[0].terms.append(0)
    with pytest.raises(InternalError):
        learner.refine(5)


def test_a_forgotten_base_point_only_weakens() -> None:
    learner = Learner(lambda point: point == 3)
    (around,) = learner.refine(3)
    assert not learner.holds(3)
    learner.forget(around)
    assert learner.holds(3)
