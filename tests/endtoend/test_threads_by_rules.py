"""Threads by proof rules and predicate abstraction alone: nothing is run first."""

from __future__ import annotations

import pytest

from asking import asked
from c_threads import read, threads_text
from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.rules import places
from sorrel.encode.rules.builtin import builtin_rule
from sorrel.encode.rules.instance import Instance, instantiate
from sorrel.encode.rules.places import by_places
from sorrel.encode.transition import thread_view
from sorrel.model.outcome import Answer
from sorrel.program.threads import threads_of

FLAG = "_Atomic int ready; _Atomic int value;"


def _instance(text: str, rule: str) -> Instance:
    return instantiate(builtin_rule(rule), thread_view(threads_of(read(text)), Arithmetic.IDEAL))


def test_a_derivation_is_replayed_with_the_values_that_were_chosen() -> None:
    bodies = ["int x = __VERIFIER_nondet_int(); value = x; ready = 1;", "if (ready) if (value == 7) reach_error();"]
    outcome = asked(read(threads_text(FLAG, bodies)), engine="hsf", seconds=30)
    assert outcome.answer is Answer.UNSAFE, outcome.reason


def test_an_invariant_for_each_place_proves_a_handshake() -> None:
    bodies = ["value = 5; ready = 1;", "if (ready) if (value != 5) reach_error();"]
    outcome = asked(read(threads_text(FLAG, bodies)), engine="hsf", seconds=30)
    assert outcome.answer is Answer.SAFE, outcome.reason
    assert outcome.confirmations[0].accepted
    assert "rule invariance" in outcome.decided_by


@pytest.mark.parametrize("rule", ["invariance", "owicki-gries", "rely-guarantee"])
def test_conditions_are_made_for_places_that_can_be_reached(rule: str) -> None:
    instance = _instance(threads_text(FLAG, ["value = 5;", "ready = 1;"]), rule)
    placed = by_places(instance)
    assert placed is not None
    counted = [p for p in placed.system.predicates if p.name.startswith("R")]
    assert len(counted) > 3
    assert all(len(p.formals) < len(instance.system.predicate[p.name.split("@")[0]].formals) for p in counted)


def test_too_many_places_are_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "MOST_CLAUSES", 3)
    assert by_places(_instance(threads_text(FLAG, ["value = 5;", "ready = 1;"]), "invariance")) is None
