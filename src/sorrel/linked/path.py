"""Statements of the abstract program, from a place to where its paths part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from sorrel.linked.memory import Memory
from sorrel.linked.records import NOTHING, Shape
from sorrel.linked.regions import base_and_displacement
from sorrel.linked.unpacked import SLOTS, Slot, Unpacked
from sorrel.program.construction import binary, every
from sorrel.program.expression import Conditional, Constant, Expression, Operator, Store, Variable
from sorrel.program.statement import (
    Assign,
    Assume,
    Block,
    Branch,
    Choice,
    Goto,
    Havoc,
    Print,
    Statement,
    Stop,
    Terminator,
)
from sorrel.program.traversal import free_variables, rewrite, rewrite_statement, subexpressions
from sorrel.program.types import UNBOUNDED


class TooLarge(Exception):
    """There are too many ways in which pointers may meet."""


class Places(Protocol):
    """The blocks of the abstract program."""

    def fresh(self, wish: str) -> str:
        """A label that no block has."""

    def place(self, label: str, position: int, unpacked: Unpacked) -> str:
        """The label of what follows when so many statements of a block were done, with these objects in variables."""

    def add(self, block: Block) -> None: ...


class Path:
    """Statements of the abstract program up to where its paths part."""

    def __init__(self, memory: Memory, places: Places, label: str, unpacked: Unpacked) -> None:
        self._memory = memory
        self._places = places
        self.label = label
        self.unpacked = unpacked
        self._statements: list[Statement] = []

    def close(self, terminator: Terminator) -> None:
        self._places.add(Block(self.label, tuple(self._statements), terminator))

    # Objects

    def allocate(self, pointer: Variable) -> None:
        """A new object, the contents of which are any; so are its attributes, until they are settled."""
        shape = self._memory.of_pointer[pointer]
        for wild in self.unpacked.in_region(shape.region.name):
            if wild.wild:  # its number may be the new one
                self.unpacked = self.unpacked.without_slot(wild)
        slot = self._room(shape)
        record, counter = self._memory.record_of(slot), shape.counter
        self._statements += [
            Assign(record.key, counter),
            Assign(counter, binary(Operator.ADD, counter, Constant(1, UNBOUNDED))),
            Assign(pointer, record.key),
            *record.anything(own=True),
            *_copied(shape.carried(pointer), record.own),
        ]
        slot = replace(slot, sealed=False, changed=True, unset=shape.region.links)
        self.unpacked = self.unpacked.with_slot(slot).held(pointer, slot)

    def _room(self, shape: Shape) -> Slot:
        """A slot for another object; what was used least lately makes room."""
        name = shape.region.name
        if self.unpacked.free(name) is None:
            self._pack(self.unpacked.in_region(name)[0])
        free = self.unpacked.free(name)
        if free is None:
            raise TooLarge
        return free

    def _pack(self, slot: Slot) -> None:
        self._seal(slot)
        if slot.changed and not slot.wild:
            self._statements.append(self._memory.record_of(slot).keep())
        self.unpacked = self.unpacked.without_slot(slot)

    def _seal(self, slot: Slot) -> None:
        if slot.sealed:
            return
        record = self._memory.record_of(slot)
        self._memory.unset |= slot.unset
        for link in sorted(record.shape.region.links - slot.unset, key=lambda each: each.name):
            self._statements += self._memory.tame(record.fields[link], link)
        self._statements += record.seal()

    def look_up(self, pointer: Variable, at: tuple[str, int], *, checked: bool) -> None:
        """One way on for each object in variables that the pointer may mean, one for all others.

        `checked`: it is known here that it is no fixed number.
        """
        shape = self._memory.of_pointer[pointer]
        self._statements += self._memory.tame(pointer, pointer)
        there = self.unpacked.in_region(shape.region.name)
        for slot in there:
            self._hit(pointer, slot, at)
        if len(there) == SLOTS:
            self._pack(there[0])
        born = every(
            [
                binary(Operator.AT_MOST, Constant(shape.region.first, UNBOUNDED), pointer),
                binary(Operator.LESS, pointer, shape.counter),
            ]
        )
        known = Path(self._memory, self._places, self._places.fresh(at[0]), self.unpacked)
        wild = Path(self._memory, self._places, self._places.fresh(at[0]), self.unpacked)
        self.close(Branch(born, known.label, wild.label))
        ways = [(known, False), (wild, True)]
        if checked and self._memory.is_tame(pointer):
            wild.close(Stop())  # no run comes here
            ways.pop()
        for path, is_wild in ways:
            slot = replace(path._room(shape), wild=is_wild)
            record = self._memory.record_of(slot)
            if is_wild:
                path._statements += [*_copied((record.key, *record.own), (pointer, *shape.carried(pointer)))]
                path._statements += record.anything(own=False)
            else:
                path._statements += record.recall(pointer)
            path._go_on(pointer, slot, at)

    def _hit(self, pointer: Variable, slot: Slot, at: tuple[str, int]) -> None:
        record = self._memory.record_of(slot)
        same = Path(self._memory, self._places, self._places.fresh(at[0]), self.unpacked)
        other = self._places.fresh(at[0])
        self.close(Branch(binary(Operator.EQUAL, pointer, record.key), same.label, other))
        carried = record.shape.carried(pointer)
        # All pointers to an object carry its attributes.
        same._statements += [
            Assume(binary(Operator.EQUAL, mine, own)) for mine, own in zip(carried, record.own, strict=True)
        ]
        same._go_on(pointer, slot, at)
        self.label, self._statements = other, []

    def _go_on(self, pointer: Variable, slot: Slot, at: tuple[str, int]) -> None:
        after = self.unpacked.with_slot(slot).held(pointer, slot)
        self.close(Goto(self._places.place(at[0], at[1], after)))

    # Statements

    def statement(self, statement: Statement) -> None:
        match statement:
            case Assign(target, Store(_, index, value)) if target in self._memory.of_field:
                self._store(target, index, value, statement)
            case Assign(target, value) if target in self._memory.of_pointer:
                carried = self._memory.of_pointer[target].carried(target)
                self._flow(value)
                self._statements += _copied(carried, self._attributes(value, len(carried)))
                self._statements.append(replace(statement, value=self.read(value)))
                meant = self.unpacked.of(value) if isinstance(value, Variable) else None
                self.unpacked = self.unpacked.held(target, meant)
            case Havoc(target, _, source) if target in self._memory.of_pointer:
                carried = self._memory.of_pointer[target].carried(target)
                self._statements += [statement, *(Havoc(each, Choice.ABSTRACTION, source) for each in carried)]
                self.unpacked = self.unpacked.held(target, None)
            case Print():
                pass
            case _:
                self._statements.append(rewrite_statement(statement, self.read))

    def _store(self, field: Variable, index: Expression, value: Expression, statement: Assign) -> None:
        pair = base_and_displacement(index)
        slot = self.unpacked.of(pair[0]) if pair else None
        if slot is None:
            raise TooLarge
        record = self._memory.record_of(slot)
        carried = record.carried(field)
        if field in record.shape.region.links:
            self._flow(value)
        self._statements += _copied(carried, self._attributes(value, len(carried)))
        self._statements.append(Assign(record.fields[field], self.read(value), statement.span))
        self.unpacked = self.unpacked.with_slot(replace(slot, changed=True, unset=slot.unset - {field}))

    def _flow(self, value: Expression) -> None:
        """What becomes a pointer is wild if it was not set, or comes from where no object is."""
        for node in subexpressions(value):
            found = self._memory.field(node)
            slot = self.unpacked.of(found[0]) if found else None
            if found and slot is not None and (slot.wild or found[1] in slot.unset):
                self._memory.unset.add(found[1])

    def read(self, expression: Expression) -> Expression:
        """The expression with variables in place of the fields that it reads."""

        def change(node: Expression) -> Expression:
            found = self._memory.field(node)
            if found is None:
                return node
            slot = self.unpacked.of(found[0])
            if slot is None:
                raise TooLarge
            return self._memory.record_of(slot).fields[found[1]]

        return rewrite(expression, change)

    def _attributes(self, value: Expression, count: int) -> tuple[Expression, ...]:
        """Of the pointer that the expression yields."""
        if not count:
            return ()
        found = self._memory.field(value)
        if found is not None:
            slot = self.unpacked.of(found[0])
            if slot is None:
                raise TooLarge
            return self._memory.record_of(slot).carried(found[1])
        match value:
            case Variable() if value in self._memory.of_pointer:
                return self._memory.of_pointer[value].carried(value)
            case Conditional(condition, then, otherwise):
                test = self.read(condition)
                sides = zip(self._attributes(then, count), self._attributes(otherwise, count), strict=True)
                return tuple(Conditional(test, one, other, UNBOUNDED) for one, other in sides)
            case Constant():
                return (NOTHING,) * count
            case _:
                raise TooLarge

    def null_has_nothing(self, condition: Expression) -> None:
        """The attributes of null, and of all that has a fixed number, are 0."""
        for pointer in free_variables(condition):
            if pointer in self._memory.of_pointer:
                shape = self._memory.of_pointer[pointer]
                null = binary(Operator.EQUAL, pointer, NOTHING)
                self._statements += [
                    Assume(binary(Operator.IMPLIES, null, binary(Operator.EQUAL, each, NOTHING)))
                    for each in shape.carried(pointer)
                ]

    # Loops

    def pack_for_loop(self, focus: int) -> None:
        """Settles attributes, and packs all but a few objects, which get the first slots."""
        for slot in self.unpacked.slots:
            self._seal(slot)
            self.unpacked = replace(
                self.unpacked,
                slots=tuple(
                    replace(each, sealed=True, unset=frozenset()) if each == slot else each
                    for each in self.unpacked.slots
                ),
            )
        for region in dict.fromkeys(slot.region for slot in self.unpacked.slots):
            self._pack_region(region, focus)

    def _pack_region(self, region: str, focus: int) -> None:
        there = [slot for slot in self.unpacked.in_region(region) if slot.changed and not slot.wild]
        latest = {slot.name: -number for number, slot in enumerate(there)}
        # Those through whose pointers something is written first, then those with pointers, then those used last.
        ranked = sorted(there, key=lambda slot: (*self._distance(slot), latest[slot.name]))[:focus]
        for slot in self.unpacked.in_region(region):
            if slot not in ranked:
                self._pack(slot)
        ordered = sorted(ranked, key=lambda slot: (not self.unpacked.holding(slot), self.unpacked.holding(slot)))
        self._renumber(ordered)

    def _distance(self, slot: Slot) -> tuple[bool, bool]:
        """How unlikely it is that the object is written to again, by the pointers that are known to mean it."""
        holders = self.unpacked.holding(slot)
        return self._memory.written_through.isdisjoint(holders), not holders

    def _renumber(self, ordered: list[Slot]) -> None:
        """The same objects in the first slots, so that it does not matter how a path came to the loop."""
        moves = [(slot, replace(slot, number=number)) for number, slot in enumerate(ordered)]
        moving = [(old, new) for old, new in moves if old.number != new.number]
        for old, _ in moving:
            source, spare = self._memory.record_of(old), self._memory.spare_of(old)
            self._statements += _copied(spare.variables, source.variables)
        for old, new in moving:
            spare, target = self._memory.spare_of(old), self._memory.record_of(new)
            self._statements += _copied(target.variables, spare.variables)
        names = {old.name: new.name for old, new in moves}
        others = tuple(slot for slot in self.unpacked.slots if slot.name not in names)
        holders = frozenset((holder, names.get(name, name)) for holder, name in self.unpacked.holders)
        self.unpacked = Unpacked((*others, *(new for _, new in moves)), holders)


def _copied(targets: Sequence[Variable], values: Sequence[Expression]) -> list[Statement]:
    return [Assign(target, value) for target, value in zip(targets, values, strict=True)]
