"""Cycles of clauses, and what one round of them does: clauses that lead from a predicate back to itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product

from sorrel.horn.clause import Atom, Clause
from sorrel.horn.system import HornSystem
from sorrel.logic import terms, walk
from sorrel.logic.names import Names
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass

LONGEST_CYCLE, MOST_CYCLES = 8, 40
"""Clauses in a cycle, cycles of a system."""
MOST_CALLS, MOST_LINKS = 4, 6
"""Calls of a clause, and ways to answer all but one of them."""


@dataclass(frozen=True, slots=True, eq=False)
class Link:
    """A clause on a cycle: the call that the cycle goes through, and clauses without calls that answer the others."""

    clause: Clause
    call: int
    answers: Mapping[int, Clause]

    @property
    def begins(self) -> str:
        return self.clause.body[self.call].predicate.name

    @property
    def ends(self) -> str:
        return _head(self.clause).predicate.name


@dataclass(frozen=True, slots=True, eq=False)
class Round:
    """Clauses over variables of their own that lead from a predicate back to itself.

    `renamings` give for each clause its variables over those of the round, `premises` which clauses before it its calls
    rest on (None: what the round begins with); `condition` is what all of them ask for.
    """

    clauses: tuple[Clause, ...]
    renamings: tuple[tuple[tuple[Term, Term], ...], ...]
    premises: tuple[tuple[int | None, ...], ...]
    begins: Atom
    ends: Atom
    condition: Term

    @property
    def variables(self) -> list[Term]:
        return [fresh for renaming in self.renamings for _, fresh in renaming]


def cycles(system: HornSystem) -> Iterator[tuple[Link, ...]]:
    """Simple cycles of clauses, the shortest first, each from one of its predicates alone."""
    order = {p.name: position for position, p in enumerate(system.predicates)}
    leaving: dict[str, list[Link]] = {name: [] for name in order}
    for clause in system.clauses:
        if clause.head and clause.head.predicate.name in system.call_graph.recursive:
            for link in islice(_links(clause, system), MOST_LINKS):
                leaving[link.begins].append(link)
    paths: list[tuple[Link, ...]] = [(link,) for name in order for link in leaving[name]]
    while paths:
        longer: list[tuple[Link, ...]] = []
        for path in paths:
            start, here = path[0].begins, path[-1].ends
            if here == start:
                yield path
                continue
            visited = {link.ends for link in path[:-1]}
            if here not in visited and order[here] > order[start] and len(path) < LONGEST_CYCLE:
                longer.extend((*path, link) for link in leaving[here])
        paths = longer[: MOST_CYCLES * LONGEST_CYCLE]


def periods(cycle: Sequence[Link]) -> list[int]:
    """How often a round goes through the cycle: what alternates or goes by residues is as before after several."""
    heads = [argument for link in cycle for argument in _head(link.clause).arguments]
    said = [*heads, *(link.clause.constraint for link in cycle)]
    periods = {1, *(number for each in said for number in walk.divisors(each))}
    if any(terms.is_boolean(argument) for argument in heads):
        periods.add(2)
    return sorted(number for number in periods if 0 < number * len(cycle) <= LONGEST_CYCLE)


def _links(clause: Clause, system: HornSystem) -> Iterator[Link]:
    if len(clause.body) > MOST_CALLS:
        return
    units = [[c for c in system.defining[atom.predicate.name] if not c.body] for atom in clause.body]
    for call in range(len(clause.body)):
        others = [position for position in range(len(clause.body)) if position != call]
        for chosen in product(*(units[position] for position in others)):
            yield Link(clause, call, dict(zip(others, chosen, strict=True)))


def _head(clause: Clause) -> Atom:
    if clause.head is None:
        raise ValueError("a clause of a cycle has a head")
    return clause.head


def round_of(cycle: Sequence[Link]) -> Round:
    """Links one after the other, each after the clauses that answer its other calls."""
    names = Names()
    clauses: list[Clause] = []
    renamings: list[tuple[tuple[Term, Term], ...]] = []
    premises: list[tuple[int | None, ...]] = []
    parts: list[Term] = []
    begins: Atom | None = None
    last: int | None = None
    heads: list[Atom] = []

    def add(clause: Clause, rests_on: Mapping[int, int | None]) -> Clause:
        fresh, renaming = clause.rename_apart(names)
        for position, premise in rests_on.items():
            if premise is not None:
                pairs = zip(heads[premise].arguments, fresh.body[position].arguments, strict=True)
                parts.extend(terms.equal(left, right) for left, right in pairs)
        clauses.append(clause)
        renamings.append(tuple(renaming))
        premises.append(tuple(rests_on[position] for position in range(len(clause.body))))
        parts.append(fresh.constraint)
        heads.append(_head(fresh))
        return fresh

    for link in cycle:
        rests_on: dict[int, int | None] = {link.call: last}
        for position, unit in link.answers.items():
            add(unit, {})
            rests_on[position] = len(clauses) - 1
        fresh = add(link.clause, rests_on)
        begins = begins or fresh.body[link.call]
        last = len(clauses) - 1
    if begins is None:
        raise ValueError("a cycle has a clause")
    return Round(tuple(clauses), tuple(renamings), tuple(premises), begins, heads[-1], terms.conjunction(parts))
