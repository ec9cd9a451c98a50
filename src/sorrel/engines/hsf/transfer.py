"""Where else a predicate may be of use: at query symbols that are handed its variables as they are.

What a refinement finds out about a variable at one loop is mostly needed at the loops around it, after it and before
it, as long as nobody changes the variable on the way. Without this each of them costs a refinement of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from sorrel.engines.hsf.rules import Rule
from sorrel.horn.clause import Predicate
from sorrel.logic import terms, walk
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True)
class _Way:
    """From one query symbol to another; `places` maps arguments of the one to arguments of the other."""

    target: str
    places: Mapping[int, int]


class Transfer:
    """The ways between the query symbols of a system, forth and back."""

    def __init__(self, predicates: Iterable[Predicate], rules: Iterable[Rule]) -> None:
        self._formals = {predicate.name: predicate.formals for predicate in predicates}
        self._ways: dict[str, list[_Way]] = {name: [] for name in self._formals}
        for rule in rules:
            self._add(rule)

    def _add(self, rule: Rule) -> None:
        for position, call in enumerate(rule.body):
            if rule.head is None or rule.head.predicate.name == call.predicate.name:
                continue
            forth = rule.carried(position)
            back = {here: there for there, here in forth.items()}
            for source, target, places in (
                (call.predicate.name, rule.head.predicate.name, forth),
                (rule.head.predicate.name, call.predicate.name, back),
            ):
                way = _Way(target, places)
                if places and way not in self._ways[source]:
                    self._ways[source].append(way)

    def everywhere(self, name: str, formula: Term) -> Iterator[tuple[str, Term]]:
        """The formula at its own query symbol, and at all others that it can be carried to."""
        seen = {name}
        waiting = [(name, formula)]
        while waiting:
            source, here = waiting.pop()
            yield source, here
            places = {formal.get_id(): index for index, formal in enumerate(self._formals[source])}
            needed = [(v, places[v.get_id()]) for v in walk.free_variables(here)]
            for way in self._ways[source]:
                if way.target not in seen and all(index in way.places for _, index in needed):
                    seen.add(way.target)
                    formals = self._formals[way.target]
                    there = terms.substitute(here, [(v, formals[way.places[index]]) for v, index in needed])
                    waiting.append((way.target, there))
