"""Loops taken many times at once: for each round that moves every variable by a constant, a clause that does n of them.

So does one that moves variables by what is the same in all rounds, or grows by a constant from round to round: sums of
a counter. These clauses are not linear, so that they are made only for who asks for them.

A round is a cycle of clauses, and a conjunction of literals under which it moves. Of the calls of a clause one is on
the cycle, and the others are answered by clauses without calls. If the literals hold in the first and in the last of n
rounds, and then in all between (which a solver is asked), n rounds are one step.
The new clauses follow from the given ones, so that a solution is one of both; in a refutation their steps become loops
(`horn.verdict.Loop`), which are checked without being unrolled.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from sorrel.horn.clause import Clause
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import ROUND, Derivation, Loop, Step
from sorrel.logic import operations, terms, walk
from sorrel.logic.evaluate import Model, evaluate, implicant, value_in
from sorrel.logic.names import Names
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass
from sorrel.smt.solver import Oracle, Sat, Unsat
from sorrel.transform.cycles import MOST_CYCLES, Round, cycles, periods, round_of
from sorrel.transform.lift import Transformed

ZERO = terms.integer(0)
MOST_ROUNDS = 6
"""Ways to move in a cycle."""


@dataclass(frozen=True, slots=True, eq=False)
class _Move:
    """How far the first round moves a variable, and how much further each round than the one before."""

    step: Term
    bend: int = 0

    def after(self, start: Term, rounds: Term, pairs: Term) -> Term:
        """Where it is then; `pairs` is how many pairs of rounds there are: rounds · (rounds - 1) / 2."""
        moved = operations.add(start, operations.multiply(self.step, rounds))
        return operations.add(moved, operations.multiply(terms.integer(self.bend), pairs)) if self.bend else moved

    def further(self, place: Term, round_: Term) -> Term:
        """Where it is after the round of this number, from where that round began."""
        moved = operations.add(place, self.step)
        return operations.add(moved, operations.multiply(terms.integer(self.bend), round_)) if self.bend else moved


@dataclass(frozen=True, slots=True, eq=False)
class _Fast:
    """A clause that does `count` rounds at once, each of which moves the variables so."""

    clause: Clause
    round: Round
    moves: Mapping[Term, _Move]
    count: Term


def accelerate_loops(system: HornSystem, oracle: Oracle) -> Transformed | None:
    """The system with clauses for many rounds at once; None if no loop moves by constants."""
    return _accelerated(system, oracle, bending=False)


def accelerate_sums(system: HornSystem, oracle: Oracle) -> Transformed | None:
    """With loops that add up what grows as well; None if there are none."""
    return _accelerated(system, oracle, bending=True)


def _accelerated(system: HornSystem, oracle: Oracle, *, bending: bool) -> Transformed | None:
    if system.obligations:
        return None
    names = Names(system.clause)
    fast: dict[str, _Fast] = {}
    for cycle in islice(cycles(system), MOST_CYCLES):
        if oracle.clock.expired():
            break
        for repeated in periods(cycle):
            search = _Search(round_of(cycle * repeated), oracle, names)
            for found in search.rounds():
                fast[found.clause.name] = found
            for found in search.bent() if bending else ():
                fast[found.clause.name] = found
    grows = any(not terms.is_value(move.step) for each in fast.values() for move in each.moves.values())
    return _with(system, fast) if fast and (grows or not bending) else None


def _with(system: HornSystem, fast: Mapping[str, _Fast]) -> Transformed:

    def derivation(found: Derivation) -> Derivation:
        return _unfolded(found, fast)

    clauses = (*system.clauses, *(each.clause for each in fast.values()))
    return Transformed(system.with_clauses(clauses), lambda found, _: found, derivation)


class _Search:
    """Ways to move in a round: from models of two rounds, each with the literals that it needs."""

    def __init__(self, round_: Round, oracle: Oracle, names: Names) -> None:
        self._round = round_
        self._oracle = oracle
        self._names = names
        self._own = own = Names(terms.name_of(v) for v in round_.variables)
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
        return _literals(self._round.condition, model)

    def _cases(self, model: Model) -> Term:
        """Literals that decide what the round ends with, where that depends on cases."""
        ends = (node for argument in self._round.ends.arguments for node in walk.subterms(argument))
        conditions = [terms.children(node)[0] for node in ends if terms.is_ite(node)]
        decided = [c if terms.is_true(value_in(model, c)) else terms.negation(c) for c in conditions]
        return _literals(terms.conjunction(decided), model)

    def _shift(self, model: Model) -> dict[Term, int]:
        shift: dict[Term, int] = {}
        for variable, later in self._next:
            if terms.is_integer(variable):
                before, after = (operations.literal(value_in(model, v)) or 0 for v in (variable, later))
                shift[variable] = after - before
        return shift

    def _after(self, shift: Mapping[Term, int], rounds: int | Term) -> dict[Term, Term]:
        number = terms.integer(rounds) if isinstance(rounds, int) else rounds
        return {v: _Move(terms.integer(step)).after(v, number, ZERO) for v, step in shift.items() if step}

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
        moves = {variable: _Move(terms.integer(step)) for variable, step in shift.items()}
        return _Fast(clause, self._round, moves, self._count)

    # Rounds that move by what grows

    def bent(self) -> Iterator[_Fast]:
        session = self._oracle.session("loops")
        later = [(after, self._own.variable(terms.name_of(after), after.sort())) for _, after in self._next]
        first = self._round.condition
        second = terms.substitute(first, self._next)
        linked = self._linked(dict(self._next))
        session.add(first, second, linked, terms.substitute(second, later), terms.substitute(linked, self._then(later)))
        session.add(*(terms.equal(a, b) for a, b in (*self._next, *later) if not terms.is_integer(a)))
        for _ in range(MOST_ROUNDS):
            match session.check():
                case Sat(model):
                    cube = terms.conjunction([self._literals(model), self._cases(model)])
                case _:
                    return
            session.add(terms.negation(cube))
            moves = self._moves(model, cube, dict(later))
            if all(terms.is_value(move.step) for move in moves.values()):
                continue  # that is a shift, if anything
            found = self._bent(cube, moves)
            if found is not None:
                yield found

    def _then(self, later: Sequence[tuple[Term, Term]]) -> list[tuple[Term, Term]]:
        """A round and the next one, as the next one and the one after that."""
        return [*self._next, *later]

    def _moves(self, model: Model, cube: Term, later: Mapping[Term, Term]) -> dict[Term, _Move]:
        """By constants where that is so of all such rounds, else by a number that is chosen with the first one."""
        two = [cube, terms.substitute(cube, self._next), self._linked(dict(self._next))]
        moves: dict[Term, _Move] = {}
        for variable, after in self._next:
            if not terms.is_integer(variable):
                continue
            places = [operations.literal(value_in(model, v)) or 0 for v in (variable, after, later[after])]
            step, bend = places[1] - places[0], places[2] - 2 * places[1] + places[0]
            other = terms.negation(terms.equal(after, operations.add(variable, terms.integer(step))))
            if not bend and isinstance(self._oracle.check(*two, other, kind="loops"), Unsat):
                moves[variable] = _Move(terms.integer(step))
            else:
                moves[variable] = _Move(self._own.variable("step", terms.INT), bend)
        return moves

    def _bent(self, cube: Term, moves: Mapping[Term, _Move]) -> _Fast | None:
        one = terms.integer(1)
        last = self._count - one
        pairs, some_pairs = (self._own.variable("pairs", terms.INT) for _ in range(2))
        begin = [self._round_of(cube, moves, ZERO, ZERO), self._round_of(cube, moves, one, ZERO)]
        third = self._round_of(cube, moves, terms.integer(2), one)
        if not isinstance(self._oracle.check(*begin, third, kind="loops"), Sat):
            return None
        ends = [*begin, self._round_of(cube, moves, last, pairs)]
        inside = [operations.at_most(ZERO, self._some), operations.less(self._some, self._count)]
        between = self._round_of(cube, moves, self._some, some_pairs)
        # For whatever numbers of pairs: then products cancel out, and linear arithmetic decides it.
        if not isinstance(self._oracle.check(*ends, *inside, terms.negation(between), kind="loops"), Unsat):
            return None
        constraint = [operations.at_most(terms.integer(3), self._count), *ends, _are_pairs(pairs, last)]
        clause = Clause(
            self._names.fresh(f"{self._round.clauses[0].name}-sums"),
            self._round.ends.substitute(list(_at(moves, last, pairs).items())),
            (self._round.begins,),
            terms.simplify(terms.conjunction(constraint)),
            self._round.clauses[0].origin,
        )
        return _Fast(clause, self._round, moves, self._count)

    def _round_of(self, cube: Term, moves: Mapping[Term, _Move], number: Term, pairs: Term) -> Term:
        """What the round of this number asks for, and that the next one begins where it ends."""
        here = _at(moves, number, pairs)
        following = {v: moves[v].further(place, number) for v, place in here.items()}
        sides = zip(self._round.ends.arguments, self._round.begins.arguments, strict=True)
        linked = [
            terms.equal(terms.substitute(a, here.items()), terms.substitute(b, following.items())) for a, b in sides
        ]
        return terms.conjunction([terms.substitute(cube, here.items()), *linked])


def _at(moves: Mapping[Term, _Move], number: Term, pairs: Term) -> dict[Term, Term]:
    return {variable: move.after(variable, number, pairs) for variable, move in moves.items()}


def _are_pairs(pairs: Term, rounds: Term) -> Term:
    twice = operations.multiply(terms.integer(2), pairs)
    return terms.equal(twice, operations.multiply(rounds, operations.add(rounds, terms.integer(-1))))


def _literals(formula: Term, model: Model) -> Term:
    found = implicant(formula, lambda t: terms.is_true(value_in(model, t)))
    return terms.conjunction([_sided(literal, model) for literal in found])


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
    moves = {terms.identity(v): move for v, move in fast.moves.items()}
    for clause, renaming, rests_on in zip(fast.round.clauses, fast.round.renamings, fast.round.premises, strict=True):
        values: dict[Term, Term] = {}
        for own, fresh in renaming:
            start = evaluate(fresh, step.values)
            value = start if terms.is_value(start) else terms.default_value(fresh.sort())
            move = moves.get(terms.identity(fresh))
            values[own] = value if move is None else _in_round(value, move, step)
        premises = tuple(entry if place is None else first + place for place in rests_on)
        steps.append(Step(clause.name, values, premises))
    count = operations.literal(evaluate(fast.count, step.values)) or 0
    return steps, Loop(first, first + len(steps) - 1, count, entry)


def _in_round(start: Term, move: _Move, step: Step) -> Term:
    """The value in the round of any number, with what was chosen for the first one."""
    by = operations.literal(evaluate(move.step, step.values)) or 0
    pairs = operations.divide(operations.multiply(ROUND, ROUND - terms.integer(1)), terms.integer(2))
    return _Move(terms.integer(by), move.bend).after(start, ROUND, pairs) if by or move.bend else start
