"""Loops taken many times at once: for each round that moves every variable by a constant, a clause that does n of them.

A round is a cycle of clauses, and a conjunction of literals under which it moves. Of the calls of a clause one is on
the cycle, and the others are answered by clauses without calls. If the literals hold in the first and in the last of n
rounds, and then in all between (which a solver is asked), n rounds are one step.
The new clauses follow from the given ones, so that a solution is one of both; in a refutation their steps become loops
(`horn.verdict.Loop`), which are checked without being unrolled.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product

from sorrel.horn.clause import Atom, Clause
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import ROUND, Derivation, Loop, Step
from sorrel.logic import operations, terms, walk
from sorrel.logic.evaluate import Model, evaluate, implicant, value_in
from sorrel.logic.names import Names
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass
from sorrel.smt.solver import Oracle, Sat, Unsat
from sorrel.transform.lift import Transformed

LONGEST_CYCLE, MOST_CYCLES, MOST_ROUNDS = 8, 40, 6
"""Clauses in a cycle, cycles of a system, ways to move in a cycle."""
MOST_CALLS, MOST_LINKS = 4, 6
"""Calls of a clause, and ways to answer all but one of them."""


@dataclass(frozen=True, slots=True, eq=False)
class _Link:
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
class _Round:
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


@dataclass(frozen=True, slots=True, eq=False)
class _Fast:
    """A clause that does `count` rounds at once, each of which moves the variables by `shift`."""

    clause: Clause
    round: _Round
    shift: Mapping[Term, int]
    count: Term


def accelerate_loops(system: HornSystem, oracle: Oracle) -> Transformed | None:
    """The system with clauses for many rounds at once; None if no loop moves by constants."""
    if system.obligations:
        return None
    names = Names(system.clause)
    fast: dict[str, _Fast] = {}
    for cycle in islice(_cycles(system), MOST_CYCLES):
        if oracle.clock.expired():
            break
        for repeated in _periods(cycle):
            for found in _Search(_round(cycle * repeated), oracle, names).rounds():
                fast[found.clause.name] = found
    if not fast:
        return None

    def derivation(found: Derivation) -> Derivation:
        return _unfolded(found, fast)

    clauses = (*system.clauses, *(each.clause for each in fast.values()))
    return Transformed(system.with_clauses(clauses), lambda found, _: found, derivation)


def _cycles(system: HornSystem) -> Iterator[tuple[_Link, ...]]:
    """Simple cycles of clauses, the shortest first, each from one of its predicates alone."""
    order = {p.name: position for position, p in enumerate(system.predicates)}
    leaving: dict[str, list[_Link]] = {name: [] for name in order}
    for clause in system.clauses:
        if clause.head and clause.head.predicate.name in system.call_graph.recursive:
            for link in islice(_links(clause, system), MOST_LINKS):
                leaving[link.begins].append(link)
    paths: list[tuple[_Link, ...]] = [(link,) for name in order for link in leaving[name]]
    while paths:
        longer: list[tuple[_Link, ...]] = []
        for path in paths:
            start, here = path[0].begins, path[-1].ends
            if here == start:
                yield path
                continue
            visited = {link.ends for link in path[:-1]}
            if here not in visited and order[here] > order[start] and len(path) < LONGEST_CYCLE:
                longer.extend((*path, link) for link in leaving[here])
        paths = longer[: MOST_CYCLES * LONGEST_CYCLE]


def _periods(cycle: Sequence[_Link]) -> list[int]:
    """How often a round goes through the cycle: what alternates or goes by residues is as before after several."""
    heads = [argument for link in cycle for argument in _head(link.clause).arguments]
    said = [*heads, *(link.clause.constraint for link in cycle)]
    periods = {1, *(number for each in said for number in walk.divisors(each))}
    if any(terms.is_boolean(argument) for argument in heads):
        periods.add(2)
    return sorted(number for number in periods if 0 < number * len(cycle) <= LONGEST_CYCLE)


def _links(clause: Clause, system: HornSystem) -> Iterator[_Link]:
    if len(clause.body) > MOST_CALLS:
        return
    units = [[c for c in system.defining[atom.predicate.name] if not c.body] for atom in clause.body]
    for call in range(len(clause.body)):
        others = [position for position in range(len(clause.body)) if position != call]
        for chosen in product(*(units[position] for position in others)):
            yield _Link(clause, call, dict(zip(others, chosen, strict=True)))


def _head(clause: Clause) -> Atom:
    if clause.head is None:
        raise ValueError("a clause of a cycle has a head")
    return clause.head


def _round(cycle: Sequence[_Link]) -> _Round:
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
    return _Round(tuple(clauses), tuple(renamings), tuple(premises), begins, heads[-1], terms.conjunction(parts))


class _Search:
    """Ways to move in a round: from models of two rounds, each with the literals that it needs."""

    def __init__(self, round_: _Round, oracle: Oracle, names: Names) -> None:
        self._round = round_
        self._oracle = oracle
        self._names = names
        own = Names(terms.name_of(v) for v in round_.variables)
        self._next = [(v, own.variable(terms.name_of(v), v.sort())) for v in round_.variables]
        self._count = own.variable("rounds", terms.INT)
        self._some = own.variable("some", terms.INT)

    def rounds(self) -> Iterator[_Fast]:
        session = self._oracle.session("loops")
        following = terms.substitute(self._round.condition, self._next)
        session.add(self._round.condition, following, self._linked(dict(self._next)))
        # What is not a number stays as it is.
        session.add(*(terms.equal(a, b) for a, b in self._next if not terms.is_integer(a)))
        for _ in range(MOST_ROUNDS):
            match session.check():
                case Sat(model):
                    cube, shift = self._literals(model), self._shift(model)
                case _:
                    return
            moved = terms.conjunction([cube, self._linked(self._after(shift, 1))])
            session.add(terms.negation(moved))
            if any(shift.values()) and self._holds_between(moved, shift):
                yield self._fast(moved, shift)

    def _linked(self, following: Mapping[Term, Term]) -> Term:
        """The next round begins where this one ends."""
        pairs = zip(self._round.ends.arguments, self._round.begins.arguments, strict=True)
        return terms.conjunction([terms.equal(a, terms.substitute(b, following.items())) for a, b in pairs])

    def _literals(self, model: Model) -> Term:
        """Literals that hold in the model and make the round possible; sides of inequalities are taken."""
        found = implicant(self._round.condition, lambda t: terms.is_true(value_in(model, t)))
        return terms.conjunction([_sided(literal, model) for literal in found])

    def _shift(self, model: Model) -> dict[Term, int]:
        shift: dict[Term, int] = {}
        for variable, later in self._next:
            if terms.is_integer(variable):
                before, after = (operations.literal(value_in(model, v)) or 0 for v in (variable, later))
                shift[variable] = after - before
        return shift

    def _after(self, shift: Mapping[Term, int], rounds: int | Term) -> dict[Term, Term]:
        number = terms.integer(rounds) if isinstance(rounds, int) else rounds
        return {v: _moved(v, step, number) for v, step in shift.items() if step}

    def _holds_between(self, moved: Term, shift: Mapping[Term, int]) -> bool:
        """Where the literals hold in the first and last round they do in any other; and there is a second round."""
        last = terms.substitute(moved, self._after(shift, self._count - terms.integer(1)).items())
        ends = terms.conjunction([moved, last])
        two = [ends, operations.equal(self._count, terms.integer(2))]
        if not isinstance(self._oracle.check(*two, kind="loops"), Sat):
            return False
        between = terms.substitute(moved, self._after(shift, self._some).items())
        inside = [
            operations.at_most(terms.integer(0), self._some),
            operations.less(self._some, self._count),
        ]
        return isinstance(self._oracle.check(ends, *inside, terms.negation(between), kind="loops"), Unsat)

    def _fast(self, moved: Term, shift: Mapping[Term, int]) -> _Fast:
        final = self._after(shift, self._count - terms.integer(1))
        constraint = [
            operations.at_most(terms.integer(2), self._count),
            moved,
            terms.substitute(moved, final.items()),
        ]
        clause = Clause(
            self._names.fresh(f"{self._round.clauses[0].name}-rounds"),
            self._round.ends.substitute(list(final.items())),
            (self._round.begins,),
            terms.simplify(terms.conjunction(constraint)),
            self._round.clauses[0].origin,
        )
        return _Fast(clause, self._round, dict(shift), self._count)


def _moved(variable: Term, step: int, rounds: Term) -> Term:
    return operations.add(variable, operations.multiply(terms.integer(step), rounds))


def _sided(literal: Term, model: Model) -> Term:
    """For ≠ between numbers the side that the model is on: between two points on one side all are."""
    equation = terms.children(literal)[0] if terms.is_not(literal) else literal
    negative = terms.is_not(literal)
    if not (negative and terms.is_equation(equation)):
        return literal
    left, right = terms.children(equation)
    if not terms.is_integer(left):
        return literal
    below = operations.less(left, right)
    return below if terms.is_true(value_in(model, below)) else operations.less(right, left)


def _unfolded(found: Derivation, fast: Mapping[str, _Fast]) -> Derivation:
    """The derivation over the given clauses, with loops for steps that take many rounds."""
    steps: list[Step] = []
    loops: list[Loop] = []
    place: list[int] = []
    for step in found.steps:
        premises = tuple(place[premise] for premise in step.premises)
        if step.clause not in fast:
            steps.append(Step(step.clause, step.values, premises))
        else:
            inside, loop = _loop(step, fast[step.clause], premises[0], len(steps))
            steps += inside
            loops.append(loop)
        place.append(len(steps) - 1)
    return Derivation(tuple(steps), tuple(loops))


def _loop(step: Step, fast: _Fast, entry: int, first: int) -> tuple[list[Step], Loop]:
    steps: list[Step] = []
    shift = {terms.identity(v): by for v, by in fast.shift.items()}
    for clause, renaming, rests_on in zip(fast.round.clauses, fast.round.renamings, fast.round.premises, strict=True):
        values: dict[Term, Term] = {}
        for own, fresh in renaming:
            start = evaluate(fresh, step.values)
            value = start if terms.is_value(start) else terms.default_value(fresh.sort())
            by = shift.get(terms.identity(fresh), 0)
            values[own] = _moved(value, by, ROUND) if by else value
        premises = tuple(entry if place is None else first + place for place in rests_on)
        steps.append(Step(clause.name, values, premises))
    count = operations.literal(evaluate(fast.count, step.values)) or 0
    return steps, Loop(first, first + len(steps) - 1, count, entry)
