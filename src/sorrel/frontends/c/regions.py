"""What pointers may point to, by unification (Steensgaard, Points-to analysis in almost linear time, POPL 1996).

A cell stands for the places that one name, or one pointer, may mean. All elements of an array share a cell; each field
of a structure has its own. Assigning a pointer makes one cell of the two that source and target point to. When the
whole program is read, every place that a pointer may reach is in the pointer's cell: whatever is not, it cannot touch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sorrel.frontends.c import syntax
from sorrel.frontends.c.errors import Unsupported
from sorrel.frontends.c.initialization import assigned_first
from sorrel.frontends.c.library.meanings import Meaning, meaning
from sorrel.frontends.c.linking import Linked, LinkedFunction
from sorrel.frontends.c.objects import Object, ObjectKind, Objects
from sorrel.frontends.c.paths import place_name
from sorrel.frontends.c.references import References, Slot, called_function, temporary
from sorrel.frontends.c.subobjects import Parts, Steps, initial
from sorrel.frontends.c.syntax import Node, converted_from
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

_ALLOCATING = (Meaning.ALLOCATE, Meaning.ALLOCATE_ZEROED, Meaning.REALLOCATE)


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
    written: bool = False  # of a pointer: the program may set it
    freed: bool = False  # a pointer to it is given to free
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
        self.indirect_calls: dict[int, tuple[syntax.Call, str]] = {}
        self._assigned_first: frozenset[int] = frozenset()
        self._initialized: set[int] = set()
        self._indirect_results: dict[int, Cell] = {}
        self._given_to_unknown: set[int] = set()  # calls through pointers
        self._cleared: list[Cell] = []  # what memset may have made null
        self._copied: list[tuple[Cell, Cell, Span]] = []  # by memcpy
        self.handed_out: list[Way] = []  # to functions without a body that are not of the library, or from them
        self.given: list[Way] = []  # to any function without a body, or from one
        self._bodies = {function.name: function for function in linked.reached}

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
            self._mark_null(cell, written=True)
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

    def _mark_null(self, cell: Cell, *, unset: bool = False, written: bool = False) -> None:
        """All pointers in it may be null, or not even be set."""
        pending = [cell]
        while pending:
            place = find(pending.pop())
            if isinstance(place.type, Record):
                pending.extend(field_cell(place, f.name) for f in place.type.places)
            elif isinstance(place.type, Pointer):
                place.written |= written
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
            left.written |= right.written
            left.freed |= right.freed
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
                find(left).written = find(right).written = True
                self.unify(target_cell(left), target_cell(right), span)
            elif isinstance(current, Record):
                pending.extend(
                    (field_cell(left, f.name), field_cell(right, f.name), base_element(f.type)) for f in current.places
                )

    # Statements

    def _walk(self, root: Node) -> None:
        """Everything in the tree whose value nobody asked for."""
        pending: list[Node] = [root]
        while pending:
            node = pending.pop()
            match node:
                case syntax.Variable():
                    self._variable(node)
                case syntax.Return():
                    self._return(node)
                case syntax.Call():
                    self._call(node)
                case syntax.Assignment():
                    self._assignment(node)
                case syntax.CompoundAssignment():
                    self._compound(node)
                case syntax.Comma():
                    pending.extend(reversed(node.children))
                case syntax.Expression() if isinstance(node.type, Pointer):
                    self.points(node)  # one that nobody keeps is moved as well: it may be compared
                case syntax.ImplicitConversion() if isinstance(node.operand.type, Pointer):
                    self.points(node.operand)
                case syntax.Subscript() | syntax.Member() | syntax.Dereference():
                    self.place(node)
                case syntax.CompoundLiteral():
                    self._literal(node)
                case _:
                    pending.extend(reversed(node.children))

    def _variable(self, node: syntax.Variable) -> None:
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

    def _return(self, node: syntax.Return) -> None:
        if node.value is not None:
            result = self._objects.results[self._function]
            self._assign(self.cell(result), result.type, node.value)

    def _initialize(self, cell: Cell, type: CType, node: syntax.Expression) -> None:
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

    def _assign(self, cell: Cell, type: CType, value: syntax.Expression) -> None:
        if isinstance(type, Pointer):
            find(cell).written = True
            self.unify(target_cell(cell), self.points(value), value.span)
        elif isinstance(type, Record):
            self._unify_contents(cell, self.value_cell(value), type, value.span)
        else:
            self._walk(value)

    # Expressions

    def _assignment(self, node: syntax.Assignment) -> None:
        self._assign(self.place(node.target), node.target.type, node.value)

    def _compound(self, node: syntax.CompoundAssignment) -> None:
        place = self.place(node.target)
        if isinstance(node.target.type, Pointer):
            target_cell(place).arithmetic = place.written = True
        self._walk(node.value)

    def value_cell(self, node: syntax.Expression) -> Cell:
        """The cell of a structure's value."""
        match node:
            case syntax.Conversion():
                return self.value_cell(node.operand)
            case syntax.Call():
                self._call(node)
                return self._result_cell(node)
            case syntax.Conditional():
                self._walk(node.condition)
                one, other = self.value_cell(node.then), self.value_cell(node.otherwise)
                self._unify_contents(one, other, node.type, node.span)
                return one
            case syntax.Comma():
                self._walk(node.left)
                return self.value_cell(node.right)
            case syntax.Assignment():
                self._assignment(node)
                return self.place(node.target)
            case syntax.CompoundLiteral():
                return self._literal(node)
            case syntax.MissingArgument() if node.instead is not None:
                return self.value_cell(node.instead)
            case syntax.StatementExpression():
                return self.value_cell(self._statement_value(node))
            case _:
                return self.place(node)

    def _statement_value(self, node: syntax.StatementExpression) -> syntax.Expression:
        statements = node.body.statements
        for statement in statements[:-1]:
            self._walk(statement)
        if not statements or not isinstance(statements[-1], syntax.Expression):
            raise Unsupported("a statement expression without a value", node.span)
        return statements[-1]

    def place(self, node: syntax.Expression) -> Cell:
        """The cell of an expression that has an address; what it evaluates on the way is read too."""
        match node:
            case syntax.Reference():
                return self._named(node)
            case syntax.Member():
                base = node.owner
                owner = self._followed(base) if isinstance(base.type, Pointer) else self._owner(base)
                self._typed(owner, node.record, node.span)
                return field_cell(owner, place_name(node.record, node.name))
            case syntax.Subscript():
                self._walk(node.index)
                inner = converted_from(node.pointer)
                if isinstance(inner.type, Array) or self._referent(inner) is not None:
                    return self._followed(node.pointer)
                cell = self.points(node.pointer)
                cell.arithmetic = True
                return cell
            case syntax.Dereference():
                return self._followed(node.operand)
            case syntax.CompoundLiteral() | syntax.StringLiteral():
                return self._literal(node)
            case syntax.Conversion():
                return self.value_cell(node.operand)
            case _:
                return self._opaque(node) if temporary(node) is None else self.value_cell(node)

    def _owner(self, node: syntax.Expression) -> Cell:
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

    def _opaque(self, node: syntax.Expression) -> Cell:
        if isinstance(node, syntax.VariableArgument):
            raise Unsupported(f"{node.type} among variable arguments that come from outside", node.span)
        words = node.words if isinstance(node, syntax.OtherExpression) else "an expression"
        raise Unsupported(f"this use of {words} as a place", node.span)

    def _named(self, node: syntax.Reference) -> Cell:
        function = self._linked.functions.get(node.symbol)
        if function is not None:
            return self.cell(self._objects.functions[function.name])
        return self.cell(self._objects.of_symbol[node.symbol])

    def _referent(self, node: syntax.Expression) -> Object | None:
        if isinstance(node, syntax.Reference) and isinstance(node.type, Pointer):
            return self._objects.referents.get(node.symbol)
        return None

    def _followed(self, pointer: syntax.Expression) -> Cell:
        """Where a pointer leads that is followed at once: an array or address is not taken by that."""
        inner = converted_from(pointer)
        referent = self._referent(inner)
        if referent is not None:
            return self.cell(referent)
        if isinstance(inner.type, Array) or isinstance(inner, syntax.AddressOf):
            place = inner.operand if isinstance(inner, syntax.AddressOf) else inner
            if not isinstance(place.type, Function):
                return self.place(place)
        return self.points(pointer)

    def points(self, node: syntax.Expression) -> Cell:
        """The cell that a pointer value points to."""
        if isinstance(node.type, Array) and not isinstance(node, syntax.ImplicitConversion):
            return self._pointed(self.place(node))
        if isinstance(node.type, Function):
            return self._pointed(self.place(node))
        match node:
            case syntax.Elvis():
                return self._either(node.condition, node.otherwise, node.span)
            case syntax.Conditional():
                self._walk(node.condition)
                return self._either(node.then, node.otherwise, node.span)
            case syntax.Conversion():
                return self._cast(node)
            case syntax.AddressOf():
                return self._pointed(self.place(node.operand))
            case syntax.Step():
                place = self.place(node.target)
                place.written = True
                cell = target_cell(place)
                cell.arithmetic = True
                return cell
            case syntax.Assignment():
                self._assignment(node)
                return target_cell(self.place(node.target))
            case syntax.Comma():
                self._walk(node.left)
                return self.points(node.right)
            case syntax.Binary():
                return self._moved(node)
            case syntax.CompoundAssignment():
                self._compound(node)
                return target_cell(self.place(node.target))
            case syntax.Call():
                self._call(node)
                return self._call_points(node)
            case syntax.StatementExpression():
                return self.points(self._statement_value(node))
            case syntax.MissingArgument() if node.instead is not None:
                return self.points(node.instead)
            case syntax.IntegerConstant() | syntax.MissingArgument():
                return self._null()
            case syntax.StringLiteral() | syntax.CompoundLiteral():
                return self._pointed(self._literal(node))
            case _:
                return target_cell(self.place(node))

    def _null(self) -> Cell:
        return Cell(nullable=True)

    def _either(self, one: syntax.Expression, other: syntax.Expression, span: Span) -> Cell:
        cell = self.points(one)
        self.unify(cell, self.points(other), span)
        return find(cell)

    def _pointed(self, cell: Cell) -> Cell:
        cell.pointed = True
        self._spread(cell)
        return cell

    def _cast(self, node: syntax.Conversion) -> Cell:
        inner = node.operand
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

    def _moved(self, node: syntax.Binary) -> Cell:
        forwards = isinstance(node.left.type, Pointer | Array)
        pointer, number = (node.left, node.right) if forwards else (node.right, node.left)
        self._walk(number)
        cell = self.points(pointer)
        cell.arithmetic = True
        return cell

    def _literal(self, node: syntax.StringLiteral | syntax.CompoundLiteral) -> Cell:
        known = self._objects.of_node.get(id(node))
        if known is None:
            number = len(self._objects.of_node) + 1
            name = f"string.{number}" if isinstance(node, syntax.StringLiteral) else f"literal.{number}"
            known = Object(ObjectKind.LITERAL, name, node.type, node.span, self._function, node=node)
            self._objects.of_node[id(node)] = known
            if isinstance(node, syntax.CompoundLiteral):
                self._initialize(self.cell(known), node.type, node.initializer)
        return self.cell(known)

    # Calls

    def _call(self, node: syntax.Call) -> None:
        name = called_function(node, self._linked)
        if name is None:
            self._indirect_call(node)
            return
        function = self._bodies[name]
        meant = meaning(function.source_name, function.body is not None)
        if meant in _ALLOCATING:
            self._allocation(node)
        if meant is not None or function.body is None:
            self._external_call(node, meant, function)
            return
        self._pass_all(name, node.arguments)

    def _pass_all(self, name: str, arguments: tuple[syntax.Expression, ...]) -> None:
        parameters = self._objects.parameters[name]
        for position, argument in enumerate(arguments):
            if position >= len(parameters):
                self._walk(argument)
            elif Slot(name, position) in self._references.slots:
                self._pass_reference(name, position, argument)
            else:
                self._assign(self.cell(parameters[position]), parameters[position].type, argument)

    def _pass_reference(self, name: str, position: int, argument: syntax.Expression) -> None:
        pointer = self._objects.parameters[name][position]
        referent = next(each for each in self._objects.referents.values() if each.parameter is pointer)
        self._unify_contents(self.cell(referent), self._followed(argument), referent.type, argument.span)

    def _indirect_call(self, node: syntax.Call) -> None:
        self._function_cell(node)
        self.indirect_calls[id(node)] = (node, self._function)
        for argument in node.arguments:
            self._walk(argument)

    def _function_cell(self, node: syntax.Call) -> Cell:
        return self.points(function_value(node))

    def called(self, node: syntax.Call) -> tuple[str, ...]:
        """The functions that a call through a pointer may mean."""
        return tuple(find(self._function_cell(node)).functions)

    def all_called(self, node: syntax.Call) -> tuple[str, ...] | None:
        """The functions that a call through a pointer may mean; None if there may be one that nobody knows."""
        cell = find(self._function_cell(node))
        return None if cell.foreign or not cell.functions else tuple(cell.functions)

    def may_be_unknown(self, node: syntax.Call) -> bool:
        """Whether a call through a pointer may go to a function that nobody knows, or that has no body."""
        names = self.all_called(node)
        return names is None or any(self._bodies[name].body is None for name in names)

    def adopt(self, object: Object, cell: Cell) -> None:
        """The object is what pointers to the cell may lead to."""
        self._cells[id(object)] = cell
        self._pointed(find(cell))

    def _bind_indirect_calls(self) -> None:
        """Arguments flow to every function that a pointer may mean; that may make it mean more."""
        bound: set[tuple[int, str]] = set()
        while True:
            new = [
                (node, caller, name)
                for key, (node, caller) in list(self.indirect_calls.items())
                for name in self.called(node)
                if (key, name) not in bound and self._bodies[name].body is not None
            ]
            if not new:
                return
            for node, caller, name in new:
                bound.add((id(node), name))
                self._function = caller
                self._pass_all(name, node.arguments)
                result = self._objects.results[name]
                self._unify_contents(self._result_cell(node), self.cell(result), result.type, node.span)

    def _allocation(self, node: syntax.Call) -> Cell:
        known = self._objects.of_node.get(id(node))
        if known is None:
            name = f"block.{len(self._objects.of_node) + 1}"
            known = Object(ObjectKind.ALLOCATED, name, VOID, node.span, self._function, node=node)
            self._objects.of_node[id(node)] = known
            self.cell(known).pointed = True
        return self.cell(known)

    def _external_call(self, node: syntax.Call, meant: Meaning | None, function: LinkedFunction) -> None:
        for argument in node.arguments:
            if isinstance(argument.type, Pointer):
                self.points(argument)
            elif isinstance(argument.type, Record):
                self.value_cell(argument)
            else:
                self._walk(argument)
        if meant is None:
            given = self._given(node, [parameter.type for parameter in function.declaration.parameters])
            self.given.extend(given)
            self.handed_out.extend(() if function.library else given)
        if meant is Meaning.COPY:
            self._copied.append((self.points(node.arguments[0]), self.points(node.arguments[1]), node.span))
        elif meant is Meaning.REALLOCATE:
            old = self.points(node.arguments[0])
            old.freed = True
            self.unify(old, self._allocation(node), node.span)
        elif meant is Meaning.FREE:
            self.points(node.arguments[0]).freed = True
        elif meant is Meaning.FILL:
            self._cleared.append(self.points(node.arguments[0]))
        elif meant is None and isinstance(node.type, Pointer):
            cell = self._allocation(node)
            cell.nullable = True
            self._typed(cell, node.type.target, node.span)

    def _given(self, node: syntax.Call, declared: Sequence[CType]) -> list[Way]:
        """What a function without a body is given, or gives: it may keep that."""
        found: list[Way] = []
        for position, argument in enumerate(node.arguments):
            type = declared[position] if position < len(declared) else argument.type
            if isinstance(argument.type, Record):
                found.extend(ways_inside(self.value_cell(argument), argument.type))
            elif isinstance(argument.type, Pointer):
                found.append(Way(self.points(argument), isinstance(type, Pointer) and type.constant))
        if isinstance(node.type, Pointer):
            found.append(Way(self._allocation(node), False))
        return found

    def give_to_unknown(self) -> bool:
        """What calls through pointers that may lead to unknown functions hand out; whether there are new ones."""
        new = [
            (key, node, caller)
            for key, (node, caller) in self.indirect_calls.items()
            if key not in self._given_to_unknown and self.may_be_unknown(node)
        ]
        for key, node, self._function in new:
            self._given_to_unknown.add(key)
            given = self._given(node, function_type(node).parameters)
            self.given.extend(given)
            self.handed_out.extend(given)
            if isinstance(node.type, Pointer):
                result = self._allocation(node)
                result.nullable = True
                self._typed(result, node.type.target, node.span)
                self.unify(target_cell(self._result_cell(node)), result, node.span)
        return bool(new)

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

    def _call_points(self, node: syntax.Call) -> Cell:
        name = called_function(node, self._linked)
        if name is None:
            return target_cell(self._result_cell(node))
        function = self._bodies[name]
        meant = meaning(function.source_name, function.body is not None)
        if meant in (Meaning.FILL, Meaning.COPY):
            return self.points(node.arguments[0])
        if meant in _ALLOCATING or (meant is None and function.body is None):
            return self._allocation(node)
        return target_cell(self.cell(self._objects.results[name]))

    def _result_cell(self, node: syntax.Call) -> Cell:
        name = called_function(node, self._linked)
        if name is not None:
            return self.cell(self._objects.results[name])
        known = self._indirect_results.get(id(node))
        if known is None:
            known = self._indirect_results[id(node)] = Cell(type=base_element(node.type), span=node.span)
        return find(known)


def function_value(call: syntax.Call) -> syntax.Expression:
    """The pointer that a call goes through: `(*f)(x)` and `f(x)` mean the same."""
    inner = converted_from(call.function)
    while isinstance(inner, syntax.Dereference):
        inner = converted_from(inner.operand)
    return inner


def function_type(call: syntax.Call) -> Function:
    """Of what a call through a pointer calls."""
    type = function_value(call).type
    type = type.target if isinstance(type, Pointer) else type
    return type if isinstance(type, Function) else Function(call.type, (), True)


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
