"""What pointers may point to, by unification (Steensgaard, Points-to analysis in almost linear time, POPL 1996).

A cell stands for the places that one name, or one pointer, may mean. All elements of an array share a cell; each field
of a structure has its own. Assigning a pointer makes one cell of the two that source and target point to. When the
whole program is read, every place that a pointer may reach is in the pointer's cell: whatever is not, it cannot touch.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from sorrel.frontends.c.errors import Unsupported
from sorrel.frontends.c.initialization import assigned_first
from sorrel.frontends.c.library import Meaning, meaning
from sorrel.frontends.c.linking import Linked, LinkedFunction
from sorrel.frontends.c.objects import Object, ObjectKind, Objects
from sorrel.frontends.c.paths import place_name
from sorrel.frontends.c.references import References, Slot, called_function, subscript, temporary
from sorrel.frontends.c.subobjects import Parts, Steps, initial
from sorrel.frontends.c.syntax import Node, NodeKind, stripped, value_of
from sorrel.frontends.c.types import (
    VOID,
    Array,
    CType,
    Floating,
    Function,
    Integer,
    Path,
    Pointer,
    Record,
    Truth,
    Void,
    base_element,
    leaves,
)
from sorrel.model.errors import Span


@dataclass(eq=False, slots=True)
class Cell:
    """`type` is that of the base element, None as long as only `void *` is known to point here."""

    parent: Cell | None = None
    type: CType | None = None
    fields: dict[str, Cell] = field(default_factory=dict)
    target: Cell | None = None
    pointed: bool = False  # some pointer may point here
    nullable: bool = False  # a pointer here may be null or not set
    unset: bool = False  # a pointer here may be read before it is set
    arithmetic: bool = False  # a pointer here is moved
    foreign: bool = False  # a pointer here may come from outside, and mean what no name of the program means
    functions: dict[str, None] = field(default_factory=dict)
    span: Span = field(default_factory=Span)


@dataclass(frozen=True, slots=True)
class Way:
    """A pointer that somebody was given; `constant`: not to write through."""

    cell: Cell
    constant: bool


def find(cell: Cell) -> Cell:
    root = cell
    while root.parent is not None:
        root = root.parent
    while cell.parent is not None:
        cell.parent, cell = root, cell.parent
    return root


def field_cell(cell: Cell, name: str) -> Cell:
    cell = find(cell)
    known = cell.fields.get(name)
    if known is None:
        type = None
        if isinstance(cell.type, Record):
            type = base_element(cell.type.field_type(name))
        known = cell.fields[name] = Cell(type=type, pointed=cell.pointed, span=cell.span)
    return find(known)


def path_cell(cell: Cell, path: Path) -> Cell:
    for name in path:
        cell = field_cell(cell, name)
    return find(cell)


def target_cell(cell: Cell) -> Cell:
    cell = find(cell)
    if cell.target is None:
        cell.target = Cell(span=cell.span)
    return find(cell.target)


def ways_inside(cell: Cell, type: CType) -> list[Way]:
    """The pointers that a value of the type holds."""
    return [
        Way(target_cell(path_cell(cell, leaf.path)), leaf.type.constant)
        for leaf in leaves(type)
        if isinstance(leaf.type, Pointer)
    ]


class PointsTo:
    """Reads the whole program once; afterwards `cell` and the functions above answer."""

    def __init__(self, linked: Linked, objects: Objects, references: References) -> None:
        self._linked = linked
        self._objects = objects
        self._references = references
        self._cells: dict[int, Cell] = {}
        self._function = ""
        self.indirect_calls: dict[int, tuple[Node, str]] = {}
        self._assigned_first: frozenset[int] = frozenset()
        self._initialized: set[int] = set()
        self._indirect_results: dict[int, Cell] = {}
        self._cleared: list[Cell] = []  # what memset may have made null
        self._copied: list[tuple[Cell, Cell, Span]] = []  # by memcpy
        self.handed_out: list[Way] = []  # to functions without a body that are not of the library, or from them
        self._bodies = {function.name: function for function in linked.reached}
        self._handlers = {
            NodeKind.CALL: self._call,
            NodeKind.BINARY: self._binary,
            NodeKind.COMPOUND_ASSIGNMENT: self._compound,
            NodeKind.VARIABLE: self._variable,
            NodeKind.RETURN: self._return,
        }

    def cell(self, object: Object) -> Cell:
        known = self._cells.get(id(object))
        if known is None:
            type = base_element(object.type)
            known = Cell(type=None if isinstance(type, Void) else type, span=object.span)
            if object.kind is ObjectKind.FUNCTION:
                known.functions[object.name] = None
                known.type = Function(VOID, (), False)
            self._cells[id(object)] = known
        return find(known)

    def solve(self) -> None:
        for variable in self._linked.reached_variables:
            if variable.initializer is not None:
                object = self._objects.of_symbol[variable.declaration.symbol]
                self._initialized.add(id(object))
                self._initialize(self.cell(object), object.type, variable.initializer)
        for function in self._linked.reached:
            self._function = function.name
            if function.body is not None:
                self._assigned_first = assigned_first(function.body)
                self._walk(function.body)
        self._bind_indirect_calls()
        self._copy_contents()
        for object in self._objects.all():
            self._mark_unset(object)
        for cell in self._cleared:
            self._mark_null(cell)
        for cell in list(self._cells.values()):
            self._spread(cell)

    def _mark_unset(self, object: Object) -> None:
        """Pointers that may be read before they are set are null: parts of what is declared, allocated or zeroed."""
        settable = (ObjectKind.GLOBAL, ObjectKind.LOCAL, ObjectKind.ALLOCATED, ObjectKind.LITERAL)
        if object.kind not in settable:
            return
        cell = self.cell(object)
        scalar = isinstance(object.type, Pointer)
        if scalar and object.kind is ObjectKind.LOCAL:
            return  # its declaration tells
        if scalar and object.kind is ObjectKind.GLOBAL and id(object) in self._initialized:
            return
        self._mark_null(cell, unset=object.kind in (ObjectKind.LOCAL, ObjectKind.ALLOCATED))

    def _mark_null(self, cell: Cell, *, unset: bool = False) -> None:
        """All pointers in it may be null, or not even be set."""
        pending = [cell]
        while pending:
            place = find(pending.pop())
            if isinstance(place.type, Record):
                pending.extend(field_cell(place, f.name) for f in place.type.places)
            elif isinstance(place.type, Pointer):
                target = target_cell(place)
                target.nullable, target.unset = True, target.unset or unset

    def _spread(self, cell: Cell) -> None:
        """A pointer to a structure is a way to its fields."""
        pending = [find(cell)]
        while pending:
            current = pending.pop()
            for child in list(current.fields.values()):
                child = find(child)
                child.pointed = child.pointed or current.pointed
                pending.append(child)

    # Unification

    def unify(self, one: Cell, other: Cell, span: Span) -> None:
        pending = [(one, other)]
        while pending:
            left, right = (find(cell) for cell in pending.pop())
            if left is right:
                continue
            left.type = _agreed(left.type, right.type, span)
            right.parent = left
            left.pointed |= right.pointed
            left.nullable |= right.nullable
            left.unset |= right.unset
            left.arithmetic |= right.arithmetic
            left.foreign |= right.foreign
            left.functions.update(right.functions)
            if right.target is not None:
                if left.target is None:
                    left.target = right.target
                else:
                    pending.append((left.target, right.target))
            for name, child in right.fields.items():
                if name in left.fields:
                    pending.append((left.fields[name], child))
                else:
                    left.fields[name] = child

    def _unify_contents(self, one: Cell, other: Cell, type: CType, span: Span) -> None:
        """After a copy between two places of a type, their pointers may be equal."""
        pending = [(one, other, base_element(type))]
        while pending:
            left, right, current = pending.pop()
            if isinstance(current, Pointer):
                self.unify(target_cell(left), target_cell(right), span)
            elif isinstance(current, Record):
                pending.extend(
                    (field_cell(left, f.name), field_cell(right, f.name), base_element(f.type)) for f in current.places
                )

    # Statements

    def _walk(self, root: Node) -> None:
        """Everything in the tree whose value nobody asked for."""
        pending = [root]
        while pending:
            node = pending.pop()
            handler = self._handlers.get(node.kind)
            if handler is not None:
                handler(node)
            elif isinstance(node.type, Pointer) and node.kind not in (NodeKind.TYPE, NodeKind.PARAMETER):
                self.points(node)
            elif node.kind is NodeKind.IMPLICIT and node.children and isinstance(node.children[0].type, Pointer):
                self.points(node.children[0])
            elif node.kind in (NodeKind.SUBSCRIPT, NodeKind.MEMBER) or node.operator == "*":
                self.place(node)
            elif node.kind is NodeKind.COMPOUND_LITERAL:
                self._literal(node)
            else:
                pending.extend(reversed(node.children))

    def _variable(self, node: Node) -> None:
        for size in node.sizes:
            self._walk(size)
        object = self._objects.of_symbol[node.symbol]
        if node.initializer is not None:
            self._initialized.add(id(object))
            self._initialize(self.cell(object), node.type, node.initializer)
            return
        unset = object.kind is ObjectKind.LOCAL and node.symbol not in self._assigned_first
        if unset and isinstance(node.type, Pointer):
            target = target_cell(self.cell(object))
            target.nullable = target.unset = True

    def _return(self, node: Node) -> None:
        if node.children:
            result = self._objects.results[self._function]
            self._assign(self.cell(result), result.type, node.children[0])

    def _initialize(self, cell: Cell, type: CType, node: Node) -> None:
        """Each value flows to the subobject that gets it; pointers that get none are null."""
        plan = initial(type, node)
        for steps, given in plan.leaves():
            if not isinstance(given.type, Array):  # a string: its characters point nowhere
                self._assign(self._subobject(cell, type, steps, node.span), given.type, given.value)
        if isinstance(plan.root, Parts):
            self._mark_null(cell)

    def _subobject(self, cell: Cell, type: CType, steps: Steps, span: Span) -> Cell:
        """Where the way leads: all elements of an array are one cell."""
        for key in steps:
            if isinstance(type, Array):
                type = type.element
            elif isinstance(type, Record) and isinstance(key, str):
                self._typed(cell, type, span)
                cell, type = field_cell(cell, place_name(type, key)), type.field_type(key)
        return cell

    def _assign(self, cell: Cell, type: CType, value: Node) -> None:
        if isinstance(type, Pointer):
            self.unify(target_cell(cell), self.points(value), value.span)
        elif isinstance(type, Record):
            self._unify_contents(cell, self.value_cell(value), type, value.span)
        else:
            self._walk(value)

    # Expressions

    def _binary(self, node: Node) -> None:
        left, right = node.children
        if node.operator == "=":
            self._assign(self.place(left), left.type, right)
        elif isinstance(node.type, Pointer) and node.operator != ",":
            self._pointer_binary(node)  # one that nobody keeps is moved as well: it may be compared
        else:
            self._walk(left)
            self._walk(right)

    def _compound(self, node: Node) -> None:
        left, right = node.children
        place = self.place(left)
        if isinstance(left.type, Pointer):
            target_cell(place).arithmetic = True
        self._walk(right)

    def value_cell(self, node: Node) -> Cell:
        """The cell of a structure's value."""
        node = stripped(node)
        match node.kind:
            case NodeKind.IMPLICIT | NodeKind.CAST if node.children:
                return self.value_cell(node.children[-1])
            case NodeKind.CALL:
                self._call(node)
                return self._result_cell(node)
            case NodeKind.CONDITIONAL:
                self._walk(node.children[0])
                one, other = self.value_cell(node.children[1]), self.value_cell(node.children[2])
                self._unify_contents(one, other, node.type, node.span)
                return one
            case NodeKind.BINARY if node.operator == ",":
                self._walk(node.children[0])
                return self.value_cell(node.children[1])
            case NodeKind.BINARY if node.operator == "=":
                self._binary(node)
                return self.place(node.children[0])
            case NodeKind.COMPOUND_LITERAL:
                return self._literal(node)
            case NodeKind.STATEMENT_EXPRESSION:
                return self.value_cell(self._statement_value(node))
            case _:
                return self.place(node)

    def _statement_value(self, node: Node) -> Node:
        statements = node.children[0].children
        for statement in statements[:-1]:
            self._walk(statement)
        if not statements:
            raise Unsupported("a statement expression without a value", node.span)
        return statements[-1]

    def place(self, node: Node) -> Cell:
        """The cell of an expression that has an address; what it evaluates on the way is read too."""
        node = stripped(node)
        match node.kind:
            case NodeKind.REFERENCE:
                return self._named(node)
            case NodeKind.MEMBER:
                base = node.children[0]
                record = base.type.target if isinstance(base.type, Pointer) else base.type
                owner = self._followed(base) if isinstance(base.type, Pointer) else self._owner(base)
                self._typed(owner, record, node.span)
                return field_cell(owner, place_name(record, node.spelling))
            case NodeKind.SUBSCRIPT:
                pointer, index = subscript(node)
                self._walk(index)
                inner = value_of(pointer)
                if isinstance(inner.type, Array) or self._referent(inner) is not None:
                    return self._followed(pointer)
                cell = self.points(pointer)
                cell.arithmetic = True
                return cell
            case NodeKind.UNARY if node.operator == "*":
                return self._followed(node.children[0])
            case NodeKind.UNARY if node.operator == "__extension__":
                return self.place(node.children[0])
            case NodeKind.COMPOUND_LITERAL:
                return self._literal(node)
            case NodeKind.STRING:
                return self._literal(node)
            case NodeKind.IMPLICIT | NodeKind.CAST if node.children:
                return self.value_cell(node.children[-1])
            case _:
                return self.value_cell(node) if isinstance(node.type, Record) else self._opaque(node)

    def _owner(self, node: Node) -> Cell:
        """The structure that a member is of; if it has no address, it gets a place of its own."""
        source = self.value_cell(node)
        inner = temporary(node)
        if inner is None:
            return source
        known = self._objects.of_node.get(id(inner))
        if known is None:
            name = f"temporary.{len(self._objects.of_node) + 1}"
            known = Object(ObjectKind.TEMPORARY, name, inner.type, inner.span, self._function, node=inner)
            self._objects.of_node[id(inner)] = known
        self._unify_contents(self.cell(known), source, inner.type, inner.span)
        return self.cell(known)

    def _opaque(self, node: Node) -> Cell:
        raise Unsupported(f"this use of {node.spelling or 'an expression'} as a place", node.span)

    def _named(self, node: Node) -> Cell:
        function = self._linked.functions.get(node.symbol)
        if function is not None:
            return self.cell(self._objects.functions[function.name])
        return self.cell(self._objects.of_symbol[node.symbol])

    def _referent(self, node: Node) -> Object | None:
        if node.kind is NodeKind.REFERENCE and isinstance(node.type, Pointer):
            return self._objects.referents.get(node.symbol)
        return None

    def _followed(self, pointer: Node) -> Cell:
        """Where a pointer leads that is followed at once: an array or address is not taken by that."""
        inner = value_of(pointer)
        referent = self._referent(inner)
        if referent is not None:
            return self.cell(referent)
        if isinstance(inner.type, Array) or (inner.kind is NodeKind.UNARY and inner.operator == "&"):
            place = inner.children[0] if inner.kind is NodeKind.UNARY and inner.operator == "&" else inner
            if not isinstance(place.type, Function):
                return self.place(place)
        return self.points(pointer)

    def points(self, node: Node) -> Cell:
        """The cell that a pointer value points to."""
        node = stripped(node)
        if isinstance(node.type, Array) and node.kind is not NodeKind.IMPLICIT:
            return self._pointed(self.place(node), node)
        if isinstance(node.type, Function):
            return self._pointed(self.place(node), node)
        match node.kind:
            case NodeKind.IMPLICIT | NodeKind.CAST if len(node.children) >= 4:
                return self._elvis(node)
            case NodeKind.IMPLICIT | NodeKind.CAST if node.children:
                return self._cast(node)
            case NodeKind.UNARY if node.operator == "&":
                return self._pointed(self.place(node.children[0]), node.children[0])
            case NodeKind.UNARY if node.operator in ("x++", "x--", "++x", "--x"):
                cell = target_cell(self.place(node.children[0]))
                cell.arithmetic = True
                return cell
            case NodeKind.UNARY if node.operator == "__extension__":
                return self.points(node.children[0])
            case NodeKind.BINARY:
                return self._pointer_binary(node)
            case NodeKind.COMPOUND_ASSIGNMENT:
                self._compound(node)
                return target_cell(self.place(node.children[0]))
            case NodeKind.CONDITIONAL:
                self._walk(node.children[0])
                cell = self.points(node.children[1])
                self.unify(cell, self.points(node.children[2]), node.span)
                return find(cell)
            case NodeKind.CALL:
                self._call(node)
                return self._call_points(node)
            case NodeKind.STATEMENT_EXPRESSION:
                return self.points(self._statement_value(node))
            case NodeKind.INTEGER:
                return self._null()
            case NodeKind.STRING | NodeKind.COMPOUND_LITERAL:
                return self._pointed(self._literal(node), node)
            case _:
                return target_cell(self.place(node))

    def _null(self) -> Cell:
        return Cell(nullable=True)

    def _elvis(self, node: Node) -> Cell:
        cell = self.points(node.children[0])
        self.unify(cell, self.points(node.children[-1]), node.span)
        return find(cell)

    def _pointed(self, cell: Cell, node: Node) -> Cell:
        cell.pointed = True
        self._spread(cell)
        return cell

    def _cast(self, node: Node) -> Cell:
        inner = node.children[-1]
        if not isinstance(inner.type, Pointer | Array | Function):
            self._walk(inner)
            return self._null()
        cell = self.points(inner)
        if isinstance(node.type, Pointer):
            self._typed(cell, node.type.target, node.span)
        return find(cell)

    def _typed(self, cell: Cell, type: CType, span: Span) -> None:
        type = base_element(type)
        if not isinstance(type, Void):
            root = find(cell)
            root.type = _agreed(root.type, type, span)

    def _pointer_binary(self, node: Node) -> Cell:
        left, right = node.children
        if node.operator == "=":
            self._binary(node)
            return target_cell(self.place(left))
        if node.operator == ",":
            self._walk(left)
            return self.points(right)
        pointer, number = (left, right) if isinstance(left.type, Pointer | Array) else (right, left)
        self._walk(number)
        cell = self.points(pointer)
        cell.arithmetic = True
        return cell

    def _literal(self, node: Node) -> Cell:
        known = self._objects.of_node.get(id(node))
        if known is None:
            number = len(self._objects.of_node) + 1
            name = f"string.{number}" if node.kind is NodeKind.STRING else f"literal.{number}"
            known = Object(ObjectKind.LITERAL, name, node.type, node.span, self._function, node=node)
            self._objects.of_node[id(node)] = known
            if node.kind is NodeKind.COMPOUND_LITERAL:
                self._initialize(self.cell(known), node.type, node.children[-1])
        return self.cell(known)

    # Calls

    def _call(self, node: Node) -> None:
        name = called_function(node, self._linked)
        arguments = node.children[1:]
        if name is None:
            self._indirect_call(node)
            return
        function = self._bodies[name]
        meant = meaning(function.source_name, function.body is not None)
        if meant in (Meaning.ALLOCATE, Meaning.ALLOCATE_ZEROED):
            self._allocation(node)
        if meant is not None or function.body is None:
            self._external_call(node, meant, function)
            return
        self._pass_all(name, arguments, node)

    def _pass_all(self, name: str, arguments: tuple[Node, ...], node: Node) -> None:
        parameters = self._objects.parameters[name]
        for position, argument in enumerate(arguments):
            if position >= len(parameters):
                self._walk(argument)
            elif Slot(name, position) in self._references.slots:
                self._pass_reference(name, position, argument)
            else:
                self._assign(self.cell(parameters[position]), parameters[position].type, argument)

    def _pass_reference(self, name: str, position: int, argument: Node) -> None:
        pointer = self._objects.parameters[name][position]
        referent = next(each for each in self._objects.referents.values() if each.parameter is pointer)
        self._unify_contents(self.cell(referent), self._followed(argument), referent.type, argument.span)

    def _indirect_call(self, node: Node) -> None:
        self._function_cell(node)
        self.indirect_calls[id(node)] = (node, self._function)
        for argument in node.children[1:]:
            self._walk(argument)

    def _function_cell(self, node: Node) -> Cell:
        return self.points(function_value(node))

    def called(self, node: Node) -> tuple[str, ...]:
        """The functions that a call through a pointer may mean."""
        cell = find(self._function_cell(node))
        if cell.foreign:
            raise Unsupported("a call through a pointer that has any value at the start", node.span)
        return tuple(cell.functions)

    def let_in(self, object: Object) -> None:
        """The object starts with any value: where its pointers lead is not known."""
        for way in ways_inside(self.cell(object), object.type):
            cell = find(way.cell)
            cell.foreign = cell.nullable = True

    def _bind_indirect_calls(self) -> None:
        """Arguments flow to every function that a pointer may mean; that may make it mean more."""
        bound: set[tuple[int, str]] = set()
        while True:
            new = [
                (node, caller, name)
                for key, (node, caller) in list(self.indirect_calls.items())
                for name in self.called(node)
                if (key, name) not in bound
            ]
            if not new:
                return
            for node, caller, name in new:
                bound.add((id(node), name))
                self._function = caller
                self._pass_all(name, node.children[1:], node)
                result = self._objects.results[name]
                self._unify_contents(self._result_cell(node), self.cell(result), result.type, node.span)

    def _allocation(self, node: Node) -> Cell:
        known = self._objects.of_node.get(id(node))
        if known is None:
            name = f"block.{len(self._objects.of_node) + 1}"
            known = Object(ObjectKind.ALLOCATED, name, VOID, node.span, self._function, node=node)
            self._objects.of_node[id(node)] = known
            self.cell(known).pointed = True
        return self.cell(known)

    def _external_call(self, node: Node, meant: Meaning | None, function: LinkedFunction) -> None:
        for argument in node.children[1:]:
            if isinstance(argument.type, Pointer):
                cell = self.points(argument)
                if find(cell).functions and meant is None:
                    raise Unsupported(f"a function passed to {function.source_name}, which has no body", argument.span)
            elif isinstance(argument.type, Record):
                self.value_cell(argument)
            else:
                self._walk(argument)
        if meant is None and not function.library:
            self._hand_out(node, function)
        if meant is Meaning.COPY:
            self._copied.append((self.points(node.children[1]), self.points(node.children[2]), node.span))
        elif meant is Meaning.FILL:
            self._cleared.append(self.points(node.children[1]))
        elif meant is None and isinstance(node.type, Pointer):
            cell = self._allocation(node)
            cell.nullable = True
            self._typed(cell, node.type.target, node.span)

    def _hand_out(self, node: Node, function: LinkedFunction) -> None:
        """What a function without a body may keep."""
        parameters = function.declaration.parameters
        for position, argument in enumerate(node.children[1:]):
            type = parameters[position].type if position < len(parameters) else argument.type
            if isinstance(argument.type, Record):
                self.handed_out.extend(ways_inside(self.value_cell(argument), argument.type))
            elif isinstance(argument.type, Pointer):
                self.handed_out.append(Way(self.points(argument), isinstance(type, Pointer) and type.constant))
        if isinstance(node.type, Pointer):
            self.handed_out.append(Way(self._allocation(node), False))

    def _copy_contents(self) -> None:
        """memcpy moves pointers too: both sides have one type then, which may be known only when all is read."""
        settled: list[tuple[int, int, CType | None]] = []
        while True:
            for to, source, span in self._copied:
                left, right = find(to), find(source)
                agreed = left.type = right.type = _agreed(left.type, right.type, span)
                if agreed is not None:
                    self._unify_contents(left, right, agreed, span)
            state = [(id(find(to)), id(find(source)), find(to).type) for to, source, _ in self._copied]
            if state == settled:
                return
            settled = state

    def _call_points(self, node: Node) -> Cell:
        name = called_function(node, self._linked)
        if name is None:
            return target_cell(self._result_cell(node))
        function = self._bodies[name]
        meant = meaning(function.source_name, function.body is not None)
        if meant in (Meaning.FILL, Meaning.COPY):
            return self.points(node.children[1])
        if meant in (Meaning.ALLOCATE, Meaning.ALLOCATE_ZEROED) or (meant is None and function.body is None):
            return self._allocation(node)
        return target_cell(self.cell(self._objects.results[name]))

    def _result_cell(self, node: Node) -> Cell:
        name = called_function(node, self._linked)
        if name is not None:
            return self.cell(self._objects.results[name])
        known = self._indirect_results.get(id(node))
        if known is None:
            known = self._indirect_results[id(node)] = Cell(type=base_element(node.type), span=node.span)
        return find(known)


def function_value(call: Node) -> Node:
    """The pointer that a call goes through: `(*f)(x)` and `f(x)` mean the same."""
    inner = value_of(call.children[0])
    while inner.kind is NodeKind.UNARY and inner.operator == "*":
        inner = value_of(inner.children[0])
    return inner


def _compatible(one: CType, other: CType) -> bool:
    if isinstance(one, Integer) and isinstance(other, Integer):
        return one.machine.bits == other.machine.bits
    if isinstance(one, Pointer | Function | Floating | Truth):
        return type(one) is type(other)
    return one == other


def _told(type: CType, beside: CType) -> str:
    """A type by name; if that is the other's name too, with the place where it is declared."""
    return f"{type} of {type.span}" if isinstance(type, Record) and str(type) == str(beside) else str(type)


def _agreed(one: CType | None, other: CType | None, span: Span) -> CType | None:
    """One type for what two pointers point to: memory is not reinterpreted."""
    if one is None or other is None:
        return one if other is None else other
    if not _compatible(one, other):
        raise Unsupported(f"memory used both as {_told(one, other)} and as {_told(other, one)}", span)
    return one
