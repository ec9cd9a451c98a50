"""What a rule leaves alone: arguments that go from the call to the head as they are and that nothing is said of.

Of a step of one thread these are the places and the locals of the others. What is known of them stays known, so one
answer of the abstraction serves all states that differ in nothing else.
"""

from __future__ import annotations

from collections import Counter

from sorrel.engines.hsf.predicates import Predicates
from sorrel.engines.hsf.rules import Rule
from sorrel.logic import terms, walk


class Frame:
    """For a rule whose head is what it calls, once: its arguments, in those it touches and those it keeps.

    A predicate that speaks of a touched argument touches its other arguments: what is known of them may decide it.
    """

    def __init__(self, rule: Rule, predicates: Predicates) -> None:
        self._predicates = predicates
        head = rule.head
        self.is_one = head is not None and [a.predicate.name for a in rule.body] == [head.predicate.name]
        self._name = head.predicate.name if head else ""
        self._positions = ~_kept(rule) if self.is_one else -1  # touched ones
        self.touched = 0
        """The predicates that speak of touched arguments."""

    def spread(self) -> None:
        """Follow the table of predicates."""
        supports = self._predicates.supports(self._name) if self.is_one else ()
        positions = 0
        while positions != self._positions:
            positions = self._positions
            for support in supports:
                if support & self._positions:
                    self._positions |= support
        self.touched = sum(1 << index for index, support in enumerate(supports) if support & self._positions)

    def keeps(self, position: int) -> bool:
        return not self._positions >> position & 1

    def split(self, premises: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
        """The premises that the rule has to do with, and those that hold afterwards as they did before."""
        if not self.is_one:
            return premises, 0
        (chosen,) = premises
        return (chosen & self.touched,), chosen & ~self.touched


def _kept(rule: Rule) -> int:
    """The positions that are handed over as they are, by a variable that occurs nowhere else."""
    if rule.head is None:
        return 0
    (call,) = rule.body
    uses = Counter(
        variable.get_id()
        for arguments in (call.arguments, rule.head.arguments)
        for argument in arguments
        for variable in walk.free_variables(argument)
    )
    mentioned = {variable.get_id() for variable in walk.free_variables(*rule.parts)}
    return sum(
        1 << position
        for position, (before, after) in enumerate(zip(call.arguments, rule.head.arguments, strict=True))
        if terms.is_variable(before)
        and before.eq(after)
        and uses[before.get_id()] == 2
        and before.get_id() not in mentioned
    )
