"""An invariant from what was seen: the configurations of an exploration as a formula, made inductive if it can be.

Each thread's place and each variable with few values is a column; a row is a combination of values that was seen. Of
the other variables, which depend on chosen values or grow, each row says what held whenever it was seen: comparisons
among them and with small numbers. A step that leads out of the formula takes away what is wrong about the row that it
leads to (Flanagan and Leino, Houdini, FME 2001); one that leads to no row shows which variable has more values than
were seen, and the next attempt compares it instead. Whoever uses the result checks it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from sorrel.encode.plan import PLAN
from sorrel.encode.steps import place_of
from sorrel.encode.transition import Slot, ThreadView
from sorrel.horn.clause import Clause
from sorrel.horn.system import HornSystem
from sorrel.logic import terms
from sorrel.logic.evaluate import Model
from sorrel.logic.names import Names
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass
from sorrel.program.expression import Variable
from sorrel.program.interleaving import Configuration
from sorrel.program.threads import Threads
from sorrel.program.types import Array
from sorrel.program.value import Value
from sorrel.smt.solver import Oracle, Sat, Unsat

MOST_VALUES = 24
"""A variable with more values than this is compared, not listed."""
MOST_COMPARED = 12
MOST_ATTEMPTS = 12


def seen_invariant(
    view: ThreadView, system: HornSystem, reached: Sequence[Configuration], oracle: Oracle
) -> Term | None:
    """A formula over the formals of the system's only predicate that its steps keep; None if none was found."""
    table = _Table(view, reached)
    compared: set[int] = {i for i in table.columns if len(set(table.columns[i])) > MOST_VALUES}
    for _ in range(MOST_ATTEMPTS):
        attempt = _Attempt(table, system, oracle, compared)
        found = attempt.run()
        if isinstance(found, set):
            compared = found
        else:
            return found
    return None


@dataclass(slots=True, eq=False)
class _Table:
    """The value of each slot, by its position, in each configuration; arrays are left out."""

    view: ThreadView
    reached: Sequence[Configuration]
    columns: dict[int, list[Value]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        types = _types(self.view.threads)
        for i, slot in sorted(enumerate(self.view.slots), key=lambda pair: not pair[1].is_counter):
            if slot.is_counter:
                thread = int(slot.owner or 0)
                places = self.view.counters[thread]
                self.columns[i] = [places[place_of(c.places[thread])] for c in self.reached]
            elif not isinstance(types[slot.name].type, Array):
                self.columns[i] = _values(self.view, self.reached, slot)

    def constant(self, position: int, value: Value) -> Term:
        slot = self.view.slots[position]
        if slot.is_counter:
            return terms.integer(int(value))  # type: ignore[arg-type]
        type = _types(self.view.threads)[slot.name].type
        return self.view.semantics.constant(value, type)  # type: ignore[arg-type]


class _Attempt:
    """One set of variables to compare."""

    def __init__(self, table: _Table, system: HornSystem, oracle: Oracle, compared: set[int]) -> None:
        (self._predicate,) = system.predicates
        self._clauses = [clause for clause in system.clauses if clause.head is not None]
        self._table = table
        self._oracle = oracle
        self._compared = compared
        self._listed = [i for i in table.columns if i not in compared]
        self._formals = self._predicate.formals
        self._rows: dict[tuple[Value, ...], list[Term]] = {}
        self._facts: dict[int, Term] = {}
        self._made: Term | None = None
        self._fill()

    def _fill(self) -> None:
        grouped: dict[tuple[Value, ...], list[int]] = {}
        for number in range(len(self._table.reached)):
            row = tuple(self._table.columns[i][number] for i in self._listed)
            grouped.setdefault(row, []).append(number)
        candidates = list(self._candidates())
        for row, numbers in grouped.items():
            self._rows[row] = [atom for atom, holds in candidates if all(holds(number) for number in numbers)]

    def _candidates(self) -> Iterator[tuple[Term, _Test]]:
        """Comparisons of the variables that are not listed, among each other and with small numbers."""
        chosen = [i for i in sorted(self._compared) if terms.is_arithmetic(self._formals[i])][:MOST_COMPARED]
        columns = self._table.columns
        for position, i in enumerate(chosen):
            one = columns[i]
            for constant in (0, 1):
                yield terms.equal(self._formals[i], terms.integer(constant)), _Test(one, None, constant, "==")
                yield self._formals[i] >= constant, _Test(one, None, constant, ">=")
            for j in chosen[position + 1 :]:
                other = columns[j]
                yield terms.equal(self._formals[i], self._formals[j]), _Test(one, other, 0, "==")
                for shift in (0, 1):
                    yield self._formals[i] >= self._formals[j] + shift, _Test(one, other, shift, ">=")
                    yield self._formals[j] >= self._formals[i] + shift, _Test(other, one, shift, ">=")

    def run(self) -> Term | set[int] | None:
        """The formula, or the variables to compare in the next attempt."""
        changed = True
        while changed:
            changed = False
            for clause in self._clauses:
                while True:
                    outside = self._step_outside(clause)
                    if outside is None:
                        break
                    if isinstance(outside, bool) or self._oracle.clock.expired():
                        return None
                    wider = self._repair(clause, outside)
                    if wider is not None:
                        return wider or None
                    changed = True
        return self.formula()

    def _step_outside(self, clause: Clause) -> Model | bool | None:
        """A step from the formula that leads out of it; None: there is none; False: not known."""
        whole = self.formula()
        fresh, _ = clause.rename_apart(Names(terms.name_of(formal) for formal in self._formals))
        if fresh.head is None:
            return None
        before = [terms.substitute(whole, atom.bind()) for atom in fresh.body]
        after = terms.negation(terms.substitute(whole, fresh.head.bind()))
        match self._oracle.check(
            fresh.constraint, *before, after, kind="enumeration", seconds=PLAN.enumeration_question
        ):
            case Unsat():
                return None
            case Sat(model):
                self._fresh = fresh
                return model
        return False

    def _repair(self, clause: Clause, model: Model) -> set[int] | None:
        """Weaken the row that the step leads to; if there is none, which variables to compare instead."""
        head = self._fresh.head
        if head is None:
            return set()
        values = [model.eval(argument, model_completion=True) for argument in head.arguments]
        row = tuple(self._as_value(i, values[i]) for i in self._listed)
        known = self._rows.get(row)
        if known is None:
            return self._wider(row)
        pairs = list(zip(self._formals, values, strict=True))
        kept = [atom for atom in known if terms.is_true(terms.simplify(terms.substitute(atom, pairs)))]
        self._rows[row] = kept
        self._made = None
        return None if len(kept) < len(known) else set()

    def _wider(self, row: tuple[Value, ...]) -> set[int]:
        """Variables with a value that was never seen; if there are none, those that depend on chosen values."""
        unseen = {
            i
            for i, value in zip(self._listed, row, strict=True)
            if not self._table.view.slots[i].is_counter and value not in self._table.columns[i]
        }
        more = {i for i in unseen if terms.is_arithmetic(self._formals[i])}
        return self._compared | more if more else set()

    def _as_value(self, position: int, term: Term) -> Value:
        number = terms.as_number(term)
        return bool(number) if terms.is_boolean(term) else int(number or 0)

    # The formula

    def formula(self) -> Term:
        """The rows as a decision tree, column by column: what they share is said once."""
        if self._made is None:
            self._made = self._make()
        return self._made

    def _make(self) -> Term:
        level: dict[tuple[Value, ...], Term] = {
            row: terms.conjunction(self._interned(atoms)) for row, atoms in self._rows.items()
        }
        for depth in reversed(range(len(self._listed))):
            level = self._one_column_less(level, depth)
        return level.get((), terms.FALSE)

    def _interned(self, atoms: Sequence[Term]) -> list[Term]:
        return [self._facts.setdefault(atom.get_id(), atom) for atom in atoms]

    def _one_column_less(self, level: Mapping[tuple[Value, ...], Term], depth: int) -> dict[tuple[Value, ...], Term]:
        position = self._listed[depth]
        formal = self._formals[position]
        by_prefix: dict[tuple[Value, ...], dict[int, tuple[Term, list[Value]]]] = {}
        for row, rest in level.items():
            groups = by_prefix.setdefault(row[:depth], {})
            groups.setdefault(rest.get_id(), (rest, []))[1].append(row[depth])
        found: dict[tuple[Value, ...], Term] = {}
        for prefix, groups in by_prefix.items():
            cases = []
            for rest, values in groups.values():
                here = [terms.equal(formal, self._table.constant(position, value)) for value in values]
                cases.append(terms.conjunction([terms.disjunction(here), rest]))
            found[prefix] = terms.disjunction(cases)
        return found


@dataclass(frozen=True, slots=True)
class _Test:
    """Whether a comparison holds in a configuration."""

    left: Sequence[Value]
    right: Sequence[Value] | None
    shift: int
    operator: str

    def __call__(self, number: int) -> bool:
        left, right = int(self.left[number]), int(self.right[number]) if self.right is not None else 0  # type: ignore[arg-type]
        return left == right + self.shift if self.operator == "==" else left >= right + self.shift


def _types(threads: Threads) -> Mapping[str, Variable]:
    every = [*threads.globals, *(each for thread in threads.threads for each in thread.locals)]
    return {each.name: each for each in every}


def _values(view: ThreadView, reached: Sequence[Configuration], slot: Slot) -> list[Value]:
    if slot.owner is None:
        index = [each.name for each in view.threads.globals].index(slot.name)
        return [configuration.globals[index] for configuration in reached]
    thread = view.threads.threads[int(slot.owner)]
    index = [each.name for each in thread.locals].index(slot.name)
    return [configuration.locals[thread.number][index] for configuration in reached]
