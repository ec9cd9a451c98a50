"""Pointer parameters that only ever stand for a variable of the caller: they are passed in and out by value.

A parameter p is a *reference* if its function uses it only as `*p`, `p[i]`, `p->f` or as an argument for another
reference, and if every argument for it is the address of a variable (or of a part of one) that nobody but the caller
can reach while the function runs: a variable whose address is taken for references only, that the function and its
callees do not name, and that no other argument of the same call overlaps. Then the function may as well work on a
copy that is copied back when it returns: no run can tell the difference. What does not qualify goes through regions.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from sorrel.frontends.c import syntax
from sorrel.frontends.c.library.catalogue import is_writer
from sorrel.frontends.c.library.meanings import LOOKING, meaning
from sorrel.frontends.c.linking import Linked
from sorrel.frontends.c.objects import Object, ObjectKind, Objects, is_data_pointer
from sorrel.frontends.c.paths import overlap, path_of
from sorrel.frontends.c.syntax import Node, converted_from, named_callee
from sorrel.frontends.c.types import (
    Array,
    CType,
    Floating,
    Function,
    Path,
    Pointer,
    Record,
    base_element,
    element_count,
    leaves,
)
from sorrel.model.errors import InternalError

_OPERATORS = (syntax.AddressOf, syntax.Dereference, syntax.Step)


@dataclass(frozen=True, slots=True)
class Slot:
    """The parameter of a function, by position."""

    function: str
    position: int


@dataclass(eq=False, slots=True)
class Argument:
    """What a call passes for a slot. `root` is the variable, or the parameter whose referent it is."""

    slot: Slot
    call: int
    caller: str
    root: Object | None = None
    through: bool = False  # the root is a parameter, and what is passed is (a part of) what it refers to
    path: Path = ()
    whole: bool = False  # an array as such, not one element
    indexed: bool = False


@dataclass(eq=False, slots=True)
class Uses:
    """What the bodies do with pointers, as far as references care."""

    bare: list[tuple[Object, Slot | None]] = field(default_factory=list)  # a parameter as a value, and as what
    addresses: list[tuple[Object, bool, Slot | None]] = field(default_factory=list)
    arguments: list[Argument] = field(default_factory=list)
    indexed: set[int] = field(default_factory=set)  # parameters used as arrays
    written: set[int] = field(default_factory=set)  # parameters written through
    mentions: dict[str, set[int]] = field(default_factory=dict)  # globals by function
    callees: dict[str, set[str]] = field(default_factory=dict)
    address_taken: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class References:
    """`array`, `written`: for each reference slot, whether a whole array is passed, and whether it comes back."""

    slots: frozenset[Slot]
    array: frozenset[Slot]
    written: frozenset[Slot]


class UseFinder:
    """Walks the bodies once."""

    def __init__(self, linked: Linked, objects: Objects) -> None:
        self._linked = linked
        self._objects = objects
        self._uses = Uses()
        self._function = ""
        self._defined = {function.name for function in linked.reached if function.body is not None}
        self._writing = {each.name for each in linked.reached if each.library and is_writer(each.source_name)}
        self._looking = {each.name for each in linked.reached if meaning(each.source_name, False) in LOOKING}

    def find(self) -> Uses:
        for variable in self._linked.reached_variables:
            if variable.initializer is not None:
                self._visit_all(variable.initializer)
        for function in self._linked.reached:
            self._function = function.name
            self._uses.mentions[function.name] = set()
            self._uses.callees[function.name] = set()
            if function.body is not None:
                self._visit_all(function.body)
        return self._uses

    def _visit_all(self, root: Node) -> None:
        pending: list[Node] = [root]
        while pending:
            pending.extend(self._visit(pending.pop()))

    def _visit(self, node: Node) -> Iterable[Node]:
        """Notes what the node does; returns what is left to look at below it."""
        match node:
            case syntax.Call():
                return self._call(node)
            case syntax.Assignment() | syntax.CompoundAssignment() | syntax.Step():
                self._write(node.target)
            case syntax.AddressOf():
                return self._address(node.operand, None)
            case syntax.Conversion() if _decays(node):
                return self._address(node.operand, None)
            case syntax.Reference():
                self._name(node)
            case syntax.Subscript() | syntax.Member() | syntax.Dereference():
                place = self._place(node)
                return place if place is not None else node.children
        return node.children

    def _name(self, node: syntax.Reference) -> None:
        linked = self._linked.functions.get(node.symbol)
        if linked is not None:
            self._uses.address_taken.add(linked.name)
            return
        known = self._objects.of_symbol.get(node.symbol)
        if known is None:
            return
        self._mention(known)
        if known.kind is ObjectKind.PARAMETER:
            self._uses.bare.append((known, None))

    def _place(self, node: syntax.Expression) -> list[Node] | None:
        """A part of a variable, or of what a parameter refers to: neither is then used bare. None: not such a place."""
        root, _, rest, _ = self._rooted(node)
        if root is None:
            return None
        self._mention(root)
        return rest

    def _mention(self, root: Object) -> None:
        if root.kind is ObjectKind.GLOBAL and self._function:
            self._uses.mentions[self._function].add(id(root))

    def _rooted(self, node: syntax.Expression) -> tuple[Object | None, Path, list[Node], bool]:
        """Root, path, index expressions passed over, and whether the root is a parameter that is followed."""
        path: list[tuple[CType, str]] = []
        rest: list[Node] = []
        while True:
            index: syntax.Expression | None = None
            match node:
                case syntax.Member():
                    path.append((node.record, node.name))
                    pointer = node.owner
                    if not isinstance(pointer.type, Pointer):
                        node = pointer
                        continue
                case syntax.Subscript():
                    pointer, index = node.pointer, node.index
                    rest.append(index)
                    if isinstance(converted_from(pointer), _OPERATORS) and not isinstance(
                        converted_from(pointer).type, Array
                    ):
                        return None, (), [], False  # (&x)[i]: a pointer that moves
                case syntax.Dereference():
                    pointer = node.operand
                case syntax.Reference():
                    return self._objects.of_symbol.get(node.symbol), path_of(reversed(path)), rest, False
                case _:
                    return None, (), [], False
            inner = converted_from(pointer)
            if isinstance(inner, syntax.Reference) and isinstance(inner.type, Pointer):
                root = self._objects.of_symbol.get(inner.symbol)
                if root is None or root.kind is not ObjectKind.PARAMETER:
                    return None, (), [], False
                if index is not None and not _is_zero(index):
                    self._uses.indexed.add(id(root))
                return root, path_of(reversed(path)), rest, True
            base = direct_base(pointer)
            if base is None:
                return None, (), [], False
            node = base

    def _write(self, target: syntax.Expression) -> None:
        root, _, _, used = self._rooted(target)
        if root is not None and used:
            self._uses.written.add(id(root))

    def _address(self, place: syntax.Expression, slot: Slot | None) -> list[Node]:
        """The address of a place is taken."""
        linked = self._linked.functions.get(place.symbol) if isinstance(place, syntax.Reference) else None
        if linked is not None:
            self._uses.address_taken.add(linked.name)
            return []
        root, _, rest, used = self._rooted(place)
        if root is None:
            return [place]
        self._mention(root)
        self._uses.addresses.append((root, used, slot))
        return rest

    def _call(self, node: syntax.Call) -> list[Node]:
        callee = called_function(node, self._linked)
        if callee is None:
            return list(node.children)
        if self._function:
            self._uses.callees[self._function].add(callee)
        if callee in self._looking:
            return list(node.arguments[2:])  # whatever is a reference overlaps with nothing
        if callee in self._writing:
            self._uses.address_taken.add(callee)  # what it writes is looked up beside its body
            return list(node.arguments)
        parameters = self._objects.parameters[callee]
        below: list[Node] = []
        for position, argument in enumerate(node.arguments):
            if callee in self._defined and position < len(parameters) and is_data_pointer(parameters[position].type):
                below.extend(self._pass(argument, Slot(callee, position), id(node)))
            else:
                below.append(argument)
        return below

    def _pass(self, node: syntax.Expression, slot: Slot, call: int) -> list[Node]:
        """An argument for a slot that may be a reference."""
        found = Argument(slot, call, self._function)
        self._uses.arguments.append(found)
        inner = converted_from(node)
        if isinstance(inner, syntax.Reference) and isinstance(inner.type, Pointer):
            root = self._objects.of_symbol.get(inner.symbol)
            wanted = self._objects.parameters[slot.function][slot.position]
            if root is not None and root.kind is ObjectKind.PARAMETER and _same_target(inner, wanted):
                found.root, found.through, found.whole = root, True, True
                self._uses.bare.append((root, slot))
                return []
            return [node]
        place: syntax.Expression | None = None
        if isinstance(inner, syntax.AddressOf):
            place = inner.operand
        elif isinstance(inner.type, Array):
            place, found.whole = inner, True
        if place is None:
            return [node]
        root, path, rest, used = self._rooted(place)
        if root is not None and _same_element(place, self._objects.parameters[slot.function][slot.position]):
            found.root, found.through, found.path, found.indexed = root, used, path, bool(rest)
        return self._address(place, slot)


def called_function(node: syntax.Call, linked: Linked) -> str | None:
    """The name of the function that a call names directly."""
    inner = named_callee(node)
    function = linked.functions.get(inner.symbol) if inner is not None else None
    return function.name if function is not None else None


def temporary(node: syntax.Expression) -> syntax.Expression | None:
    """The expression that yields a structure without an address, if this is one: `f()`, `c ? s : t`, `(s = t)`."""
    inner = converted_from(node)
    yields = (syntax.Call, syntax.Conditional, syntax.Assignment, syntax.Comma, syntax.StatementExpression)
    return inner if isinstance(inner, yields) and isinstance(inner.type, Record) else None


def _decays(node: syntax.Conversion) -> bool:
    child = node.operand.type
    return isinstance(child, Array | Function) and not isinstance(node.type, Array | Function)


def direct_base(pointer: syntax.Expression) -> syntax.Expression | None:
    """The array or place whose address a pointer expression is, if it says so itself."""
    node = converted_from(pointer)
    if isinstance(node, syntax.AddressOf):
        return node.operand
    simple = isinstance(node, syntax.Reference | syntax.Member | syntax.Subscript | syntax.Dereference)
    return node if simple and isinstance(node.type, Array) else None


def _is_zero(node: syntax.Expression) -> bool:
    node = converted_from(node)
    return isinstance(node, syntax.IntegerConstant) and node.value == 0


def _same_element(place: syntax.Expression, parameter: Object) -> bool:
    """Whether what is passed is made of exactly what the parameter points to."""
    return base_element(place.type) == base_element(_pointed(parameter))


def _same_target(pointer: syntax.Expression, parameter: Object) -> bool:
    return isinstance(pointer.type, Pointer) and base_element(pointer.type.target) == base_element(_pointed(parameter))


def _pointed(parameter: Object) -> CType:
    """What a pointer parameter points to."""
    if not isinstance(parameter.type, Pointer):
        raise InternalError(f"{parameter.span}: {parameter.name} is no pointer")
    return parameter.type.target


def find_references(linked: Linked, objects: Objects, entries: frozenset[str]) -> References:
    """The largest set of slots that satisfies the conditions, by throwing out what violates them until nothing does."""
    uses = UseFinder(linked, objects).find()
    reach = _transitive(uses)
    slots = {
        Slot(name, position)
        for name, parameters in objects.parameters.items()
        for position, parameter in enumerate(parameters)
        if is_data_pointer(parameter.type) and name not in entries and name not in uses.address_taken
    }
    defined = {function.name for function in linked.reached if function.body is not None}
    slots = {slot for slot in slots if slot.function in defined and not _is_opaque(objects, slot)}
    slot_of = {id(objects.parameters[s.function][s.position]): s for s in slots}
    while True:
        array = _array_slots(uses, slots, slot_of, objects)
        wrong = _violations(uses, slots, slot_of, array, reach) | _writing_constants(uses, slots, slot_of)
        if not wrong:
            break
        slots -= wrong
    return References(frozenset(slots), frozenset(array & slots), _written_slots(uses, slots, slot_of))


def _is_opaque(objects: Objects, slot: Slot) -> bool:
    pointed = _pointed(objects.parameters[slot.function][slot.position])
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
        if isinstance(_pointed(objects.parameters[slot.function][slot.position]), Array):
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
            type = Array(_pointed(pointer), None) if array else _pointed(pointer)
            made = Object(ObjectKind.REFERENT, pointer.name, type, parameter.span, function.name)
            made.parameter, made.array = pointer, array
            objects.referents[parameter.symbol] = made
