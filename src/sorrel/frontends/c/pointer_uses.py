"""What bodies do with pointers to variables: which parameters they follow, what they pass, whose address they take."""

from collections.abc import Iterable
from dataclasses import field

from sorrel.frontends.c import syntax
from sorrel.frontends.c.library.catalogue import is_writer
from sorrel.frontends.c.library.meanings import LOOKING, meaning
from sorrel.frontends.c.linking import Linked
from sorrel.frontends.c.objects import Object, ObjectKind, Objects, is_data_pointer
from sorrel.frontends.c.paths import path_of
from sorrel.frontends.c.syntax import Node, constant_product, converted_from, named_callee
from sorrel.frontends.c.types import Array, CType, Function, Path, Pointer, Record, base_element, is_stream
from sorrel.model.errors import InternalError
from sorrel.model.values import dataclass

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


def is_followed(argument: syntax.Expression) -> bool:
    """Whether it is a pointer, other than to a stream, a string that is written out, or null."""
    inner = converted_from(argument)
    if (
        not isinstance(argument.type, Pointer)
        or isinstance(inner, syntax.StringLiteral)
        or constant_product(inner) == 0
    ):
        return False
    return not is_stream(argument.type.target)


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
    return base_element(place.type) == base_element(pointed_type(parameter))


def _same_target(pointer: syntax.Expression, parameter: Object) -> bool:
    return isinstance(pointer.type, Pointer) and base_element(pointer.type.target) == base_element(
        pointed_type(parameter)
    )


def pointed_type(parameter: Object) -> CType:
    """What a pointer parameter points to."""
    if not isinstance(parameter.type, Pointer):
        raise InternalError(f"{parameter.span}: {parameter.name} is not a pointer")
    return parameter.type.target
