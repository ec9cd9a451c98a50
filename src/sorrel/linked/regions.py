"""Which arrays of a program are fields of objects, which numbers are pointers to these, and where objects are made.

The program is one procedure. A *region* is a class of numbers that are only compared for equality, copied, stored and
used as indices, with the arrays that they index. Each array has one displacement: what is at `a[p + 2]` is a field of
the object p and of no other. New objects get their numbers from a counter that only goes up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from itertools import pairwise

from sorrel.model.values import dataclass
from sorrel.program.expression import (
    Binary,
    Conditional,
    Constant,
    Expression,
    Operator,
    Select,
    Store,
    Variable,
)
from sorrel.program.program import Procedure, Program
from sorrel.program.statement import Assign, Block, Havoc, Print, Statement, Terminator
from sorrel.program.traversal import expressions, operands, read, steps, subexpressions
from sorrel.program.types import UNBOUNDED, Array

_SAME = (Operator.EQUAL, Operator.DIFFERENT)
_ORDER = (Operator.LESS, Operator.AT_MOST, Operator.MORE, Operator.AT_LEAST)


@dataclass(frozen=True, slots=True)
class Region:
    """`fields` are its arrays, `links` those of them whose elements are pointers into it, `pointers` its variables.

    Objects that the program makes have numbers from `first` on; `fixed` are the other numbers that pointers are
    given or compared with.
    """

    name: str
    fields: tuple[Variable, ...]
    links: frozenset[Variable]
    pointers: frozenset[Variable]
    first: int
    counter: Variable
    fixed: frozenset[int]


def base_and_displacement(index: Expression) -> tuple[Variable, int] | None:
    """The index as a variable and a number that is added to it."""
    match index:
        case Variable():
            return index, 0
        case Binary(Operator.ADD, Variable() as base, Constant(int() as displacement)):
            return base, displacement
        case _:
            return None


def regions(program: Program) -> tuple[Region, ...]:
    """Those whose arrays can be left out; none in a program with calls."""
    if len(program.procedures) != 1:
        return ()
    return _Classes(program).found()


def allocation(first: Statement, second: Statement) -> tuple[Variable, Variable] | None:
    """`x = counter; counter = counter + n` with a number n: x, and the counter."""
    match first, second:
        case (
            Assign(made, Variable() as counter),
            Assign(
                Variable() as target,
                Binary(Operator.ADD, Variable() as same, Constant(int() as step)),
            ),
        ) if counter == target == same and step > 0 and made != counter:
            return made, counter
        case _:
            return None


@dataclass(eq=False, slots=True)
class _Classes:
    """Unification of everything that can hold a pointer: a variable stands for itself, an array for its elements.

    `indexed` leads from an array to a variable that indexes it. What spoils a class is remembered in `spoiled`.
    """

    program: Program
    parents: dict[Variable, Variable] = field(default_factory=dict)
    indexed: dict[Variable, Variable] = field(default_factory=dict)
    displacements: dict[Variable, set[int]] = field(default_factory=dict)
    spoiled: set[Variable] = field(default_factory=set)
    constants: dict[Variable, list[int]] = field(default_factory=dict)
    made: dict[Variable, set[Variable]] = field(default_factory=dict)
    counters: set[Variable] = field(default_factory=set)

    def found(self) -> tuple[Region, ...]:
        main = self.program.procedure[self.program.main]
        self._find_counters(main)
        for variable in self.program.globals:
            self._initial(variable)
        for block in main.blocks:
            done = False
            for position, step in enumerate(steps(block)):
                following = block.statements[position + 1] if position + 1 < len(block.statements) else None
                if done:
                    done = False  # the second half of an allocation
                elif following is not None and isinstance(step, Assign) and self._is_allocation(step, following):
                    done = True
                else:
                    self._step(step)
        return tuple(self._regions(main))

    # Classes

    def _root(self, variable: Variable) -> Variable:
        while (parent := self.parents.get(variable, variable)) != variable:
            variable = parent
        return variable

    def _unify(self, one: Variable, other: Variable) -> None:
        left, right = self._root(one), self._root(other)
        if left != right:
            self.parents[left] = right

    # Statements

    def _find_counters(self, main: Procedure) -> None:
        """Globals that start with a number and are only read and raised where their value is taken for a new object."""
        candidates = {
            variable
            for variable in self.program.globals
            if variable.type == UNBOUNDED and isinstance(self.program.initial.get(variable.name), Constant)
        }
        raised: set[Variable] = set()
        for block in main.blocks:
            for position, statement in enumerate(block.statements):
                previous = block.statements[position - 1] if position else None
                pair = allocation(previous, statement) if previous is not None else None
                taken = pair[1] if pair is not None else None
                raised.update((taken,) if taken is not None else ())
                if isinstance(statement, Assign | Havoc) and statement.target != taken:
                    candidates.discard(statement.target)
            candidates -= _read_elsewhere(block)
        self.counters = candidates & raised

    def _is_allocation(self, step: Assign, following: Statement) -> bool:
        pair = allocation(step, following)
        if pair is None or pair[1] not in self.counters:
            return False
        made, counter = pair
        self.made.setdefault(made, set()).add(counter)
        return True

    def _initial(self, variable: Variable) -> None:
        value = self.program.initial.get(variable.name)
        if value is None or variable in self.counters:
            return
        if isinstance(value, Constant) and variable.type == UNBOUNDED:
            self._note_constant(variable, value)
        elif variable.type == UNBOUNDED or isinstance(variable.type, Array):
            self.spoiled.add(variable)

    def _step(self, step: Statement | Terminator) -> None:
        match step:
            case Assign(Variable(type=Array()) as array, Store(same, index, value)) if array == same:
                self._access(array, index)
                if array.type == Array(UNBOUNDED):
                    self._flow(array, value)
                else:
                    self._expression(value)
            case Assign(target, value) if target.type == UNBOUNDED:
                self._flow(target, value)
            case Print():
                pass  # nothing depends on what is printed
            case _:
                for expression in expressions(step):
                    self._expression(expression)

    def _flow(self, target: Variable, value: Expression) -> None:
        """The value goes to the target, which is an array if it goes to one of its elements."""
        match value:
            case Constant():
                self._note_constant(target, value)
            case Variable() if value.type == UNBOUNDED:
                self._unify(target, value)
            case Select(Variable() as array, index) if value.type == UNBOUNDED:
                self._access(array, index)
                self._unify(target, array)
            case Conditional(condition, then, otherwise):
                self._expression(condition)
                self._flow(target, then)
                self._flow(target, otherwise)
            case _:
                self.spoiled.add(target)
                self._expression(value)

    def _note_constant(self, target: Variable, value: Constant) -> None:
        self.constants.setdefault(target, []).append(int(value.value))

    def _expression(self, expression: Expression) -> None:
        """What an expression does with pointers: it compares them, or they are none."""
        match expression:
            case Binary(operator, left, right) if operator in (*_SAME, *_ORDER) and left.type == UNBOUNDED:
                self._comparison(operator, left, right)
            case Select(Variable() as array, index):
                self._access(array, index)
                if expression.type == UNBOUNDED:
                    self.spoiled.add(array)
            case Variable():
                if expression.type == UNBOUNDED or isinstance(expression.type, Array):
                    self.spoiled.add(expression)
            case _:
                for operand in operands(expression):
                    self._expression(operand)

    def _comparison(self, operator: Operator, left: Expression, right: Expression) -> None:
        sides = [self._place(side) for side in (left, right)]
        constants = [int(side.value) for side in (left, right) if isinstance(side, Constant)]
        places = [place for place in sides if place is not None]
        if len(places) + len(constants) < 2 or (operator in _ORDER and not constants):
            self.spoiled.update(places)
            for side, place in zip((left, right), sides, strict=True):
                if place is None:
                    self._expression(side)
            return
        for place in places:
            self.constants.setdefault(place, []).extend(constants)
            self._unify(places[0], place)

    def _place(self, side: Expression) -> Variable | None:
        """The variable, or the array an element of which it is."""
        match side:
            case Variable():
                return side
            case Select(Variable() as array, index):
                self._access(array, index)
                return array
            case _:
                return None

    def _access(self, array: Variable, index: Expression) -> None:
        found = base_and_displacement(index)
        if found is None or found[0].type != UNBOUNDED:
            self.spoiled.add(array)
            self._unindexed(array)
            self._expression(index)
            return
        base, displacement = found
        self.displacements.setdefault(array, set()).add(displacement)
        known = self.indexed.setdefault(array, base)
        self._unify(known, base)

    def _unindexed(self, array: Variable) -> None:
        """No number stands for an object in it."""
        self.displacements.setdefault(array, set()).update((0, 1))

    # What they come to

    def _regions(self, main: Procedure) -> Iterator[Region]:
        bad = {self._root(variable) for variable in self.spoiled if not isinstance(variable.type, Array)}
        bad |= {self._root(variable) for variable in self.spoiled if variable.type == Array(UNBOUNDED)}
        of_class: dict[Variable, list[Variable]] = {}
        for array, base in self.indexed.items():
            of_class.setdefault(self._root(base), []).append(array)
        for number, (root, arrays) in enumerate(of_class.items(), 1):
            spoiled = any(array in self.spoiled or len(self.displacements[array]) > 1 for array in arrays)
            counters = {each for made, some in self.made.items() if self._root(made) == root for each in some}
            compared = any(self._root(each) == root for each in self.counters)
            # Pointers in the fields of other objects: whether these are set is not followed.
            elsewhere = any(
                self._root(a) == root for a in self._arrays() if a.type == Array(UNBOUNDED) and a not in arrays
            )
            if root in bad or spoiled or compared or elsewhere or len(counters) != 1:
                continue
            (counter,) = counters
            first = self._start(counter)
            known = [value for place, values in self.constants.items() if self._root(place) == root for value in values]
            if any(value >= first for value in known):
                continue
            everything = (*main.variables, *self.program.globals)
            pointers = frozenset(v for v in everything if v.type == UNBOUNDED and self._root(v) == root)
            links = frozenset(a for a in arrays if a.type == Array(UNBOUNDED) and self._root(a) == root)
            fields = tuple(each for each in self.program.globals if each in arrays)
            yield Region(f"object{number}", fields, links, pointers, first, counter, frozenset(known))

    def _arrays(self) -> Iterator[Variable]:
        """All that are read or written somewhere."""
        yield from self.indexed
        yield from (variable for variable in self.parents if isinstance(variable.type, Array))

    def _start(self, counter: Variable) -> int:
        value = self.program.initial[counter.name]
        if not isinstance(value, Constant):
            raise TypeError(f"{counter.name} is not a counter")
        return int(value.value)


def _read_elsewhere(block: Block) -> set[Variable]:
    """What a block reads, but for numbers that it takes for new objects."""
    taken = {
        position
        for position, (first, second) in enumerate(pairwise(block.statements))
        if allocation(first, second) is not None
    }
    others = (s for n, s in enumerate(steps(block)) if n not in taken and n - 1 not in taken)
    return {variable for step in others for variable in read(step)}


def touched(statement: Statement | Terminator, region: Region) -> tuple[Variable, ...]:
    """The pointers by which the statement reads fields of the region, each once, in order."""
    found: dict[Variable, None] = {}
    for expression in expressions(statement):
        for node in subexpressions(expression):
            if isinstance(node, Select) and node.array in region.fields:
                pair = base_and_displacement(node.index)
                if pair is not None:
                    found[pair[0]] = None
    return tuple(found)
