"""INFERABST: abstract facts from rules until nothing new is inferred, or a query becomes applicable."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from heapq import heappop, heappush
from itertools import product

from sorrel.engines.hsf.abstraction import Abstraction
from sorrel.engines.hsf.predicates import Predicates
from sorrel.engines.hsf.rules import Rule
from sorrel.horn.system import HornSystem
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class AbstractFact:
    """φ(v) in Inferred(q), as a set of predicates, with its Parent: the rule and the facts it was inferred by."""

    number: int
    name: str
    chosen: int
    rule: Rule
    parents: tuple[AbstractFact, ...]
    size: int  # steps of the derivation as a tree


@dataclass(frozen=True, slots=True, eq=False)
class Violation:
    """A query that applies to inferred facts: by the abstraction, perhaps not in truth."""

    rule: Rule
    parents: tuple[AbstractFact, ...]

    @property
    def size(self) -> int:
        """Steps of the derivation as a tree."""
        return 1 + sum(parent.size for parent in self.parents)


class Inference:
    """One run of INFERABST over a fixed table of predicates; facts with the smallest derivations first."""

    def __init__(self, system: HornSystem, rules: Sequence[Rule], predicates: Predicates, abstraction: Abstraction):
        self._predicates = predicates
        self._abstraction = abstraction
        self._inferred: dict[str, dict[int, list[AbstractFact]]] = {p.name: {} for p in system.predicates}
        self._active: dict[str, list[AbstractFact]] = {p.name: [] for p in system.predicates}
        self._waiting: list[tuple[int, int, AbstractFact]] = []
        self._dropped: set[int] = set()  # numbers of facts that a weaker one replaced
        self._count = 0
        self._initial = [rule for rule in rules if not rule.body]
        self._using = {p.name: _Users(p.name, rules, predicates) for p in system.predicates}

    def run(self) -> Violation | None:
        """The first query that applies, or None: then the inferred facts are a solution."""
        for rule in sorted(self._initial, key=lambda rule: rule.head is not None):
            violation = self._apply(rule, ())
            if violation is not None:
                return violation
        while self._waiting:
            _, _, fact = heappop(self._waiting)
            if fact.number in self._dropped:
                continue
            self._active[fact.name].append(fact)
            violation = self._process(fact)
            if violation is not None:
                return violation
        return None

    def _process(self, fact: AbstractFact) -> Violation | None:
        """All rules that can use the fact, with all facts that were processed before."""
        for rule in self._using[fact.name].of(fact.chosen):
            for parents in self._combinations(rule, fact):
                violation = self._apply(rule, parents)
                if violation is not None:
                    return violation
                if fact.number in self._dropped:
                    return None
        return None

    @property
    def count(self) -> int:
        return self._count

    def summaries(self) -> Mapping[str, Term]:
        """⋁ Inferred(q) for every query symbol."""
        return {
            name: terms.disjunction(
                self._predicates.conjunction(name, fact.chosen) for facts in groups.values() for fact in facts
            )
            for name, groups in self._inferred.items()
        }

    def _combinations(self, rule: Rule, fact: AbstractFact) -> Iterator[tuple[AbstractFact, ...]]:
        """Premises for the calls of a rule, each combination with the new fact once: it stands first at `place`."""
        for place, atom in enumerate(rule.body):
            if atom.predicate.name != fact.name:
                continue
            choices = []
            for position, other in enumerate(rule.body):
                if position == place:
                    choices.append([fact])
                elif position < place and other.predicate.name == fact.name:
                    choices.append([f for f in self._active[fact.name] if f is not fact])
                else:
                    choices.append(list(self._active[other.predicate.name]))
            yield from (c for c in product(*choices) if self._dropped.isdisjoint(f.number for f in c))

    def _apply(self, rule: Rule, parents: tuple[AbstractFact, ...]) -> Violation | None:
        derived = self._abstraction.apply(rule, tuple(parent.chosen for parent in parents))
        if derived and rule.head is None:
            return Violation(rule, parents)
        size = 1 + sum(parent.size for parent in parents)
        for chosen in derived:
            if rule.head is not None:
                self._count += 1
                self._add(AbstractFact(self._count, rule.head.predicate.name, chosen, rule, parents, size))
        return None

    def _add(self, fact: AbstractFact) -> None:
        """ADDINFERRED. A fact is a set of predicates that is closed under implication, so inclusion is entailment.

        Facts with other values of tracked arguments are no more than others: only those with the same are compared.
        """
        facts = self._inferred[fact.name].setdefault(self._predicates.values_in(fact.name, fact.chosen), [])
        if any(not other.chosen & ~fact.chosen for other in facts):
            return
        # What the stronger facts imply, the new one implies too. Facts inferred from them keep them as parents.
        stronger = {other.number for other in facts if not fact.chosen & ~other.chosen}
        if stronger:
            self._dropped |= stronger
            facts[:] = [other for other in facts if other.number not in stronger]
            active = self._active[fact.name]
            active[:] = [other for other in active if other.number not in stronger]
        facts.append(fact)
        heappush(self._waiting, (fact.size, fact.number, fact))


class _Users:
    """The rules that call a query symbol, queries first: the sooner a violation is seen, the smaller it is.

    Rules that demand a constant of a tracked argument are found by it.
    """

    def __init__(self, name: str, rules: Sequence[Rule], predicates: Predicates) -> None:
        self._tracked = predicates.tracked(name)
        self._others: list[tuple[int, Rule]] = []
        self._demanding: dict[int, dict[int, list[tuple[int, Rule]]]] = {}
        calling = [rule for rule in rules if any(atom.predicate.name == name for atom in rule.body)]
        for entry in enumerate(sorted(calling, key=lambda rule: rule.head is not None)):
            demand = self._demand(name, entry[1])
            if demand is None:
                self._others.append(entry)
            else:
                position, value = demand
                self._demanding.setdefault(position, {}).setdefault(value.get_id(), []).append(entry)

    def _demand(self, name: str, rule: Rule) -> tuple[int, Term] | None:
        """A tracked position and the constant there, of a rule that calls the symbol once."""
        calls = [atom for atom in rule.body if atom.predicate.name == name]
        if len(calls) == 1:
            for position in self._tracked:
                if terms.is_value(calls[0].arguments[position]):
                    return position, calls[0].arguments[position]
        return None

    def of(self, chosen: int) -> list[Rule]:
        """Without those that demand another value than a fact has."""
        found = list(self._others)
        for position, by_value in self._demanding.items():
            value = self._tracked[position].among(chosen)
            if value is None:
                found += [entry for entries in by_value.values() for entry in entries]
            else:
                found += by_value.get(value.get_id(), ())
        return [rule for _, rule in sorted(found, key=lambda entry: entry[0])]
