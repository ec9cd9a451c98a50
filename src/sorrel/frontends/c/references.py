"""Pointer parameters that only ever stand for a variable of the caller: they are passed in and out by value.

A parameter p is a *reference* if its function uses it only as `*p`, `p[i]`, `p->f` or as an argument for another
reference, and if every argument for it is the address of a variable (or of a part of one) that nobody but the caller
can reach while the function runs: a variable whose address is taken for references only, that the function and its
callees do not name, and that no other argument of the same call overlaps. Then the function may as well work on a
copy that is copied back when it returns: no run can tell the difference. What does not qualify goes through regions.
"""

from __future__ import annotations

from sorrel.frontends.c import syntax
from sorrel.frontends.c.linking import Linked
from sorrel.frontends.c.objects import Object, ObjectKind, Objects, is_data_pointer
from sorrel.frontends.c.paths import overlap
from sorrel.frontends.c.pointer_uses import Argument, Slot, UseFinder, Uses, pointed_type
from sorrel.frontends.c.types import Array, Floating, Record, base_element, element_count, leaves
from sorrel.model.values import dataclass

_OPERATORS = (syntax.AddressOf, syntax.Dereference, syntax.Step)


@dataclass(frozen=True, slots=True)
class References:
    """`array`, `written`: for each reference slot, whether a whole array is passed, and whether it comes back."""

    slots: frozenset[Slot]
    array: frozenset[Slot]
    written: frozenset[Slot]


NO_REFERENCES = References(frozenset(), frozenset(), frozenset())


def find_references(linked: Linked, objects: Objects, entries: frozenset[str]) -> References:
    """The largest set of slots that satisfies the conditions, by throwing out what violates them until nothing does."""
    uses = UseFinder(linked, objects).find()
    slots = {
        Slot(name, position)
        for name, parameters in objects.parameters.items()
        for position, parameter in enumerate(parameters)
        if is_data_pointer(parameter.type) and name not in entries and name not in uses.address_taken
    }
    defined = {function.name for function in linked.reached if function.body is not None}
    slots = {slot for slot in slots if slot.function in defined and not _is_opaque(objects, slot)}
    if not slots:
        return NO_REFERENCES
    reach = _transitive(uses)
    slot_of = {id(objects.parameters[s.function][s.position]): s for s in slots}
    while True:
        array = _array_slots(uses, slots, slot_of, objects)
        wrong = _violations(uses, slots, slot_of, array, reach) | _writing_constants(uses, slots, slot_of)
        if not wrong:
            break
        slots -= wrong
    return References(frozenset(slots), frozenset(array & slots), _written_slots(uses, slots, slot_of))


def _is_opaque(objects: Objects, slot: Slot) -> bool:
    pointed = pointed_type(objects.parameters[slot.function][slot.position])
    target = base_element(pointed)
    unmeasured = element_count(pointed) is None  # rows of a length that only the running program knows
    floating = any(isinstance(leaf.type, Floating) for leaf in leaves(target))
    return unmeasured or floating or (isinstance(target, Record) and target.union)


def _transitive(uses: Uses) -> dict[str, set[int]]:
    """Globals that a function or its callees name; a pointer may mean any function whose address is taken."""
    reach = {name: set(mentions) for name, mentions in uses.mentions.items()}
    changed = True
    while changed:
        changed = False
        for name, callees in uses.callees.items():
            for callee in (*callees, *uses.address_taken):
                extra = reach.get(callee, set()) - reach[name]
                if extra:
                    reach[name] |= extra
                    changed = True
    return reach


def _array_slots(uses: Uses, slots: set[Slot], slot_of: dict[int, Slot], objects: Objects) -> set[Slot]:
    """Slots that are indexed, or handed on to one that is."""
    array = {slot_of[key] for key in uses.indexed if key in slot_of}
    for slot in slots:
        if isinstance(pointed_type(objects.parameters[slot.function][slot.position]), Array):
            array.add(slot)
    changed = True
    while changed:
        changed = False
        for argument in uses.arguments:
            if argument.slot in array and argument.through and argument.whole and not argument.path:
                own = slot_of.get(id(argument.root))
                if own is not None and own not in array:
                    array.add(own)
                    changed = True
    return array


def _violations(
    uses: Uses, slots: set[Slot], slot_of: dict[int, Slot], array: set[Slot], reach: dict[str, set[int]]
) -> set[Slot]:
    wrong: set[Slot] = set()
    escaped: set[int] = set()
    for parameter, slot in uses.bare:
        if slot is None or slot not in slots:
            escaped.add(id(parameter))
    for root, through, slot in uses.addresses:
        if slot is None or slot not in slots or (through and id(root) not in slot_of):
            escaped.add(id(root))
    wrong |= {slot_of[key] for key in escaped if key in slot_of and slot_of[key] in slots}
    for argument in uses.arguments:
        if argument.slot in slots and not _acceptable(argument, slots, slot_of, array, escaped, reach):
            wrong.add(argument.slot)
    by_call: dict[int, list[Argument]] = {}
    for argument in uses.arguments:
        if argument.slot in slots:
            by_call.setdefault(argument.call, []).append(argument)
    for together in by_call.values():
        for position, one in enumerate(together):
            for other in together[position + 1 :]:
                if one.root is other.root and overlap(one.path, other.path):
                    wrong |= {one.slot, other.slot}
    return wrong


def _writing_constants(uses: Uses, slots: set[Slot], slot_of: dict[int, Slot]) -> set[Slot]:
    """Where a constant is passed to be written to: only a pointer tells whether the function does it."""
    written = _written_slots(uses, slots, slot_of)
    constants = (each for each in uses.arguments if each.root is not None and each.root.is_read_only)
    return {argument.slot for argument in constants if argument.slot in written}


def _acceptable(
    argument: Argument,
    slots: set[Slot],
    slot_of: dict[int, Slot],
    array: set[Slot],
    escaped: set[int],
    reach: dict[str, set[int]],
) -> bool:
    root = argument.root
    if root is None or id(root) in escaped:
        return False
    if root.kind is ObjectKind.GLOBAL and id(root) in reach.get(argument.slot.function, set()):
        return False
    if argument.through:
        own = slot_of.get(id(root))
        if own is None or own not in slots:
            return False
        if argument.slot in array:
            return argument.whole and not argument.indexed and (bool(argument.path) or own in array)
        return True
    return argument.slot not in array or (argument.whole and not argument.indexed)


def _written_slots(uses: Uses, slots: set[Slot], slot_of: dict[int, Slot]) -> frozenset[Slot]:
    written = {slot_of[key] for key in uses.written if key in slot_of and slot_of[key] in slots}
    changed = True
    while changed:
        changed = False
        for argument in uses.arguments:
            if argument.slot in written and argument.through:
                own = slot_of.get(id(argument.root))
                if own is not None and own in slots and own not in written:
                    written.add(own)
                    changed = True
    return frozenset(written)


def make_referents(objects: Objects, references: References, linked: Linked) -> None:
    """The variables that reference parameters stand for."""
    for function in linked.reached:
        for position, parameter in enumerate(function.declaration.parameters):
            slot = Slot(function.name, position)
            if slot not in references.slots:
                continue
            array = slot in references.array
            pointer = objects.of_symbol[parameter.symbol]
            type = Array(pointed_type(pointer), None) if array else pointed_type(pointer)
            made = Object(ObjectKind.REFERENT, pointer.name, type, parameter.span, function.name)
            made.parameter, made.array = pointer, array
            objects.referents[parameter.symbol] = made
