"""Schedules: made from features, the same each time, of methods that fit; and what is named is asked, or refused."""

from __future__ import annotations

from importlib import import_module
from itertools import product

import pytest

from sorrel.methods.features import Features, Subject
from sorrel.methods.registry import METHODS, demand_known, left_out
from sorrel.methods.schedule import FOLLOWING_SHARE, LONG_PROGRAM, MUTATION_SHARE, schedule
from sorrel.model.errors import UsageError

FLAGS = ("obligations", "bits", "roles", "copies", "calls", "many", "closed", "limited")
QUESTIONS = [
    Features(subject, **dict(zip(FLAGS, chosen, strict=True)))
    for subject in Subject
    for chosen in product((False, True), repeat=len(FLAGS))
    if not (chosen[0] and subject not in (Subject.CLAUSES, Subject.RULE))
]


def test_every_step_is_a_method_that_fits() -> None:
    for features in QUESTIONS:
        plan = schedule(features)
        assert plan.lanes, features
        for name in plan.names:
            assert METHODS[name].fits(features), (name, features)


def test_the_same_features_give_the_same_schedule() -> None:
    assert [str(schedule(features)) for features in QUESTIONS] == [str(schedule(features)) for features in QUESTIONS]


def test_runs_that_have_an_end_are_followed_for_most_of_the_time() -> None:
    def followed(**seen: bool) -> list[tuple[str, float]]:
        lane = schedule(Features(Subject.PROGRAM, clauses=LONG_PROGRAM, **seen)).lanes[-1]
        return [(step.method, step.share) for step in lane]

    assert ("unrolling", FOLLOWING_SHARE) in followed()
    assert ("unrolling", FOLLOWING_SHARE) not in followed(endless=True)
    assert followed(floats=True) == [("mutation", MUTATION_SHARE)]


def test_products_of_several_runs_are_for_flower() -> None:
    assert "flower" in schedule(Features(Subject.CLAUSES, copies=True)).names
    assert "flower" not in schedule(Features(Subject.CLAUSES)).names


@pytest.mark.parametrize("name", METHODS)
def test_every_way_of_a_method_is_a_function(name: str) -> None:
    for way in METHODS[name].ways.values():
        module, _, function = way.partition(":")
        assert callable(getattr(import_module(module), function))


def test_options_are_for_whoever_takes_part() -> None:
    demand_known({"unwind.levels": "3"}, ["unwind", "clover"])
    with pytest.raises(UsageError, match="which does not run"):
        demand_known({"unwind.levels": "3"}, ["clover"])
    with pytest.raises(UsageError, match="no option nonsense"):
        demand_known({"nonsense": "3"}, ["clover"])


def test_the_default_without_one_method_asks_it_nowhere() -> None:
    whole = schedule(Features(Subject.THREADS))
    rest = whole.without("slices")
    assert "slices" in str(whole)
    assert "slices" not in str(rest)
    assert "clover" in str(rest)
    assert left_out("portfolio-recurrent-set") == "recurrent-set"
    assert left_out("portfolio") == ""
    with pytest.raises(UsageError, match="there is no engine nobody"):
        left_out("portfolio-nobody")


def test_long_programs_have_ranges_before_clover_and_short_ones_do_not() -> None:
    long, short = (str(schedule(Features(Subject.PROGRAM, calls=True, clauses=n))) for n in (40, 5))
    assert "exploration; whole(engine=ranges) → slices → whole → clover" in long
    assert "ranges" not in short
