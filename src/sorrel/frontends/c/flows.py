"""What the program does with pointers, statement by statement: which cells that makes one."""

from __future__ import annotations

from abc import ABC, abstractmethod

from sorrel.frontends.c import syntax
from sorrel.frontends.c.cells import (
    Cell,
    find,
    mark_null,
    member_cell,
    new_cell,
    smear,
    spread,
    target_cell,
    typed,
    unify,
    unify_contents,
)
from sorrel.frontends.c.errors import Unsupported
from sorrel.frontends.c.linking import Linked
from sorrel.frontends.c.objects import Object, ObjectKind, Objects
from sorrel.frontends.c.pointer_uses import temporary
from sorrel.frontends.c.subobjects import Parts, Steps, initial
from sorrel.frontends.c.syntax import Node, constant_product, converted_from, nodes
from sorrel.frontends.c.types import BYTE, VOID, Array, CType, Function, Integer, Pointer, Record, Void, is_byte
from sorrel.model.errors import Span
from sorrel.program.expression import Operator

_CONSTANT = (syntax.IntegerConstant, syntax.Size, syntax.Unary, syntax.Binary, syntax.Conversion)
"""What a number that is written out is made of."""


class Flow(ABC):
    """Reads bodies and initialisers; what calls mean is for those who know the functions."""

    def __init__(self, linked: Linked, objects: Objects) -> None:
        self._linked = linked
        self._objects = objects
        self._cells: dict[int, Cell] = {}
        self._function = ""
        self._assigned_first: frozenset[int] = frozenset()
        self._initialized: set[int] = set()
        self.numbered = Cell(nullable=True, unset=True)  # what pointers lead to that numbers are made of
        self._numbers: list[Cell] = []  # what pointers lead to that become numbers
        self._constant_addresses: dict[int, Cell] = {}
        self.passed: dict[int, Cell] = {}  # what variable arguments from outside lead to
        self.passed_structures: dict[int, Cell] = {}  # and what they are
        self._parts: list[tuple[Cell, Cell]] = []  # whose addresses are taken, with what they are parts of

    @abstractmethod
    def _call(self, node: syntax.Call) -> None:
        """Arguments flow to parameters."""

    @abstractmethod
    def _call_points(self, node: syntax.Call) -> Cell:
        """Where a pointer that a call returns leads."""

    @abstractmethod
    def result_cell(self, node: syntax.Call) -> Cell:
        """The cell of what a call returns."""

    def cell(self, object: Object) -> Cell:
        known = self._cells.get(id(object))
        if known is None:
            known = new_cell(object.type, object.span)
            if object.kind in (ObjectKind.RESULT, ObjectKind.REFERENT) or _is_structure(object):
                known.odd |= not known.bytes
            if object.kind is ObjectKind.FUNCTION:
                known.functions[object.name] = None
                known.type = Function(VOID, (), False)
            self._cells[id(object)] = known
        return find(known)

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
                case syntax.Conversion() if isinstance(node.type, Integer) and isinstance(node.operand.type, Pointer):
                    self._numbers.append(self.points(node.operand))
                case syntax.ImplicitConversion() if isinstance(node.operand.type, Pointer):
                    self.points(node.operand)
                case syntax.Binary() if isinstance(node.left.type, Pointer) and isinstance(node.right.type, Pointer):
                    self._compared(node)
                case syntax.Subscript() | syntax.Member() | syntax.Dereference():
                    self.place(node)
                case syntax.CompoundLiteral():
                    self._literal(node)
                case _:
                    pending.extend(reversed(node.children))

    def _compared(self, node: syntax.Binary) -> None:
        """How far apart, or which comes first: both are pointers to elements of one type."""
        for side in (node.left, node.right):
            cell = self.points(side)
            if node.operator is Operator.SUBTRACT and isinstance(side.type, Pointer):
                target = side.type.target
                typed(cell, BYTE if isinstance(target, Void) else target, node.span)

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
            mark_null(cell)

    def _subobject(self, cell: Cell, type: CType, steps: Steps, span: Span) -> Cell:
        """Where the way leads: all elements of an array are one cell."""
        for key in steps:
            if isinstance(type, Array):
                type = type.element
            elif isinstance(type, Record) and isinstance(key, str):
                typed(cell, type, span)
                cell, type = member_cell(cell, type, key, span), type.field_type(key)
        return cell

    def _assign(self, cell: Cell, type: CType, value: syntax.Expression) -> None:
        if isinstance(type, Pointer):
            find(cell).written = True
            unify(target_cell(cell), self.points(value), value.span)
        elif isinstance(type, Record):
            unify_contents(cell, self.value_cell(value), type, value.span)
        else:
            self._walk(value)

    # Expressions

    def _assignment(self, node: syntax.Assignment) -> None:
        self._assign(self.place(node.target), node.target.type, node.value)

    def _compound(self, node: syntax.CompoundAssignment) -> None:
        place = self.place(node.target)
        if isinstance(node.target.type, Pointer):
            place.written = True
            self._stepped(target_cell(place), node.target)
        self._walk(node.value)

    def value_cell(self, node: syntax.Expression) -> Cell:
        """The cell of a structure's value."""
        match node:
            case syntax.Conversion():
                return self.value_cell(node.operand)
            case syntax.Call():
                self._call(node)
                return self.result_cell(node)
            case syntax.Conditional():
                self._walk(node.condition)
                one, other = self.value_cell(node.then), self.value_cell(node.otherwise)
                unify_contents(one, other, node.type, node.span)
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
            case syntax.VariableArgument():
                return find(self.passed_structures.setdefault(id(node), new_cell(node.type, node.span)))
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
                typed(owner, node.record, node.span)
                return member_cell(owner, node.record, node.name, node.span)
            case syntax.Subscript():
                self._walk(node.index)
                inner = converted_from(node.pointer)
                if isinstance(inner.type, Array) or self._referent(inner) is not None:
                    return self._followed(node.pointer)
                cell = self.points(node.pointer)
                cell.arithmetic = True
                typed(cell, node.type, node.span)
                return find(cell)
            case syntax.Dereference():
                cell = self._followed(node.operand)
                if not isinstance(node.type, Function):
                    typed(cell, node.type, node.span)
                return find(cell)
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
        unify_contents(self.cell(known), source, inner.type, inner.span)
        return self.cell(known)

    def _opaque(self, node: syntax.Expression) -> Cell:
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
            return self._part_of(node)
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
                return self._part_of(node.operand)
            case syntax.Step():
                place = self.place(node.target)
                place.written = True
                return self._stepped(target_cell(place), node)
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
            case syntax.VariableArgument() if isinstance(node.type, Pointer):
                return find(self.passed.setdefault(id(node), new_cell(node.type.target, node.span)))
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
        unify(cell, self.points(other), span)
        return find(cell)

    def _part_of(self, node: syntax.Expression) -> Cell:
        """Where the address of the place leads."""
        cell = self._pointed(self.place(node))
        cell.interior |= isinstance(node, syntax.Member | syntax.Subscript)
        whole = _pointer_to_whole(node)
        if whole is not None:
            self._parts.append((cell, self.points(whole)))
        return cell

    def _pointed(self, cell: Cell) -> Cell:
        cell.pointed = True
        spread(cell)
        return cell

    def _cast(self, node: syntax.Conversion) -> Cell:
        inner = node.operand
        if not isinstance(inner.type, Pointer | Array | Function):
            self._walk(inner)
            return self._null() if constant_product(inner) == 0 else self.made_from_number(inner)
        cell = self.points(inner)
        # A pointer to characters may only be carried: what it leads to is settled where it is followed or moved.
        if isinstance(node.type, Pointer) and not is_byte(node.type.target):
            typed(cell, node.type.target, node.span)
        return find(cell)

    def _moved(self, node: syntax.Binary) -> Cell:
        forwards = isinstance(node.left.type, Pointer | Array)
        pointer, number = (node.left, node.right) if forwards else (node.right, node.left)
        self._walk(number)
        return self._stepped(self.points(pointer), node)

    def _stepped(self, cell: Cell, pointer: syntax.Expression) -> Cell:
        """A pointer is moved by as many elements as it points to."""
        cell = find(cell)
        cell.arithmetic = True
        if isinstance(pointer.type, Pointer):
            target = pointer.type.target
            typed(cell, BYTE if isinstance(target, Void) else target, pointer.span)
        return find(cell)

    def made_from_number(self, number: syntax.Expression) -> Cell:
        """Where a pointer leads that is made from a number: to what became one, or, from a constant, nowhere."""
        if not all(isinstance(each, _CONSTANT) for each in nodes(number)):
            smear(self.numbered, "a pointer made from a number", number.span)
            return find(self.numbered)
        nowhere = Cell(nullable=True, unset=True, span=number.span)
        return find(self._constant_addresses.setdefault(id(number), nowhere))

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


def _pointer_to_whole(place: syntax.Expression) -> syntax.Expression | None:
    """The pointer to the structure that the place is a part of, if there is one; it makes the address of the part."""
    is_part = False
    while True:
        match place:
            case syntax.Member(owner=owner):
                if isinstance(owner.type, Pointer):
                    return owner
                place, is_part = owner, True
            case syntax.Subscript(pointer=pointer) | syntax.Dereference(operand=pointer):
                inner = converted_from(pointer)
                if not isinstance(inner.type, Array):
                    return pointer if is_part else None
                place = inner
            case syntax.ImplicitConversion(operand=operand):
                place = operand
            case _:
                return None


def _is_structure(object: Object) -> bool:
    """A parameter that travels in parts."""
    return object.kind is ObjectKind.PARAMETER and isinstance(object.type, Record)
