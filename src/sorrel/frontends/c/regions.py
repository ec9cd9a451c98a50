"""What pointers may point to, by unification (Steensgaard, Points-to analysis in almost linear time, POPL 1996).

A cell stands for the places that one name, or one pointer, may mean. All elements of an array share a cell; each field
of a structure has its own. Assigning a pointer makes one cell of the two that source and target point to. When the
whole program is read, every place that a pointer may reach is in the pointer's cell: whatever is not, it cannot touch.
"""

from __future__ import annotations

from collections.abc import Sequence

from sorrel.frontends.c import syntax
from sorrel.frontends.c.cells import (
    Cell,
    Way,
    find,
    mark_null,
    new_cell,
    parts,
    path_cell,
    smear,
    spread,
    target_cell,
    typed,
    unify,
    unify_contents,
    ways_inside,
)
from sorrel.frontends.c.flows import Flow
from sorrel.frontends.c.initialization import assigned_first
from sorrel.frontends.c.library.catalogue import returns_new
from sorrel.frontends.c.library.meanings import WRITTEN_OUT, Meaning, meaning
from sorrel.frontends.c.linking import Linked, LinkedFunction
from sorrel.frontends.c.objects import Object, ObjectKind, Objects
from sorrel.frontends.c.pointer_uses import Slot, called_function, is_followed
from sorrel.frontends.c.references import References
from sorrel.frontends.c.syntax import constant_product, converted_from
from sorrel.frontends.c.types import VOID, CType, Function, Integer, Pointer, Record, base_element, byte_size, leaves
from sorrel.model.errors import Span

_ALLOCATING = (Meaning.ALLOCATE, Meaning.ALLOCATE_ZEROED, Meaning.REALLOCATE)


class PointsTo(Flow):
    """Reads the whole program once; afterwards `cell` and the functions of `cells` answer."""

    def __init__(
        self, linked: Linked, objects: Objects, references: References, *, failing_allocation: bool = False
    ) -> None:
        """`failing_allocation`: malloc and its kin may return null."""
        super().__init__(linked, objects)
        self._failing_allocation = failing_allocation
        self._references = references
        self.indirect_calls: dict[int, tuple[syntax.Call, str]] = {}
        self._indirect_results: dict[int, Cell] = {}
        self._given_to_unknown: set[int] = set()  # calls through pointers
        self._in_unions = Cell(nullable=True, unset=True)  # what pointers in unions lead to that are kept apart
        self._cleared: list[Cell] = []  # what memset may have made null
        self._spans: list[tuple[Cell, int | None]] = []  # what memset and memcpy touch, and how many bytes of it
        self._copied: list[tuple[Cell, Cell, Span]] = []  # by memcpy
        self._declared: list[tuple[Cell, CType, Span]] = []  # what its arguments are declared as
        self.handed_out: list[Way] = []  # to functions without a body that are not of the library, or from them
        self.given: list[Way] = []  # to any function without a body, or from one
        self._bodies = {function.name: function for function in linked.reached}

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
        self._tie_unions()
        self._copy_contents()
        self._type_copied()
        self._copy_contents()
        self._tie_unions()  # what got its type by a copy, too
        self._mark_spanned()
        self._tie_numbers()
        for object in self._objects.all():
            self._mark_unset(object)
        for cell in self._cleared:
            mark_null(cell, written=True)
        self.mark_parts()
        for cell in list(self._cells.values()):
            spread(cell)

    def _tie_unions(self) -> None:
        """Bytes of a pointer may be read as a number, carried to another union, and be read as a pointer there."""
        places = [part for cell in list(self._cells.values()) for part in list(parts(cell)) if not part.blurred]
        unions = [(part, part.type) for part in places if isinstance(part.type, Record) and part.type.keeps_apart]
        pointers = [(part, leaf) for part, type in unions for leaf in leaves(type) if isinstance(leaf.type, Pointer)]
        for part, leaf in pointers:
            unify(self._in_unions, target_cell(path_cell(part, leaf.path)), part.span)
        if pointers:
            for cell in self._numbers:
                unify(self._in_unions, cell, cell.span)
            self._numbers.append(self._in_unions)

    def mark_parts(self) -> None:
        """The address of a part leads nowhere where the pointer to the whole is null or was never set."""
        changed = True
        while changed:
            changed = False
            for part, whole in self._parts:
                cell, owner = find(part), find(whole)
                if (owner.nullable or owner.unset) and not (cell.nullable and cell.unset):
                    cell.nullable = cell.unset = changed = True

    def _mark_spanned(self) -> None:
        """Where the elements that follow are touched as well, though no pointer is moved there in the text."""
        for cell, size in self._spans:
            type = find(cell).type
            find(cell).spanned |= type is None or size is None or size > byte_size(base_element(type))

    def _tie_numbers(self) -> None:
        """A pointer that is made from a number may be any that became one, or that is somewhere as other bytes."""
        if not find(self.numbered).smeared:
            return
        for cell in self._numbers:
            unify(self.numbered, cell, cell.span)
        for cell in list(self._cells.values()):
            for part in parts(cell):
                if part.blurred and part.target is not None:
                    unify(self.numbered, part.target, part.span)

    def byte_holders(self) -> list[Cell]:
        """Memory with pointers that may also be read and written as numbers: some of several cells, or none."""
        found: dict[int, Cell] = {}
        for cell in self._cells.values():
            for part in parts(cell):
                mixed = (part.smeared and part.pointed) or (part.blurred and _mixes_numbers(part.type))
                if mixed and part.target is not None:
                    found[id(part)] = part
        return list(found.values()) if len(found) > 1 and not find(self.numbered).smeared else []

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
        mark_null(cell, unset=object.kind in (ObjectKind.LOCAL, ObjectKind.ALLOCATED))

    # Calls

    def _call(self, node: syntax.Call) -> None:
        name = called_function(node, self._linked)
        if name is None:
            self._indirect_call(node)
            return
        function = self._bodies[name]
        meant = meaning(function.source_name, function.body is not None)
        if meant in _ALLOCATING:
            self._allocation(node).nullable |= self._failing_allocation
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
        unify_contents(self.cell(referent), self._followed(argument), referent.type, argument.span)

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
                unify_contents(self.result_cell(node), self.cell(result), result.type, node.span)

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
        if meant is Meaning.OBSERVE_ARRAY and isinstance(node.arguments[0].type, Pointer):
            typed(self.points(node.arguments[0]), node.arguments[0].type.target, node.span)
        if meant is None:
            given = self._given(node, [parameter.type for parameter in function.declaration.parameters])
            self.given.extend(given)
            self.handed_out.extend(() if function.library else given)
        if meant in WRITTEN_OUT:
            size = constant_product(node.arguments[-1])
            touched = node.arguments[: 2 if meant is Meaning.COPY else 1]
            self._spans.extend((self.points(each), size) for each in touched)
        if meant is Meaning.COPY:
            to, source = node.arguments[:2]
            self._copied.append((self.points(to), self.points(source), node.span))
            self._declared.extend((self.points(each), converted_from(each).type, node.span) for each in (to, source))
        elif meant is Meaning.REALLOCATE:
            old = self.points(node.arguments[0])
            old.freed = True
            unify(old, self._allocation(node), node.span)
        elif meant is Meaning.FREE:
            self.points(node.arguments[0]).freed = True
        elif meant is Meaning.FILL:
            self._cleared.append(self.points(node.arguments[0]))
        elif meant is None and isinstance(node.type, Pointer):
            cell = self._allocation(node)
            cell.nullable = True
            typed(cell, node.type.target, node.span)
            if function.library and not returns_new(function.source_name):
                for argument in filter(is_followed, node.arguments):
                    unify(cell, self.points(argument), node.span)

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
        elif isinstance(node.type, Record):
            found.append(Way(self.result_cell(node), False))
        return found

    def leave_open(self, object: Object, reason: str) -> None:
        """A pointer from outside of which nothing is modelled, nor of what it leads to."""
        cell = self.cell(object)
        for _ in range(2):
            smear(cell, reason, object.span)
            cell = target_cell(cell)
        smear(cell, reason, object.span)

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
                typed(result, node.type.target, node.span)
                unify(target_cell(self.result_cell(node)), result, node.span)
        return bool(new)

    def _copy_contents(self) -> None:
        """memcpy moves pointers too: both sides have one type then, which may be known only when all is read."""
        settled: list[tuple[int, int, CType | None]] = []
        while True:
            for to, source, span in self._copied:
                for one, other in ((to, source), (source, to)):
                    known = find(other).type
                    if known is not None:
                        typed(one, known, span)
                left, right = find(to), find(source)
                if (left.smeared and left.blurred) or (right.smeared and right.blurred):
                    unify(target_cell(left), target_cell(right), span)
                if right.type is not None:
                    unify_contents(left, right, (left.type or right.type) if right.blurred else right.type, span)
            state = [(id(find(to)), id(find(source)), find(to).type) for to, source, _ in self._copied]
            if state == settled:
                return
            settled = state

    def _type_copied(self) -> None:
        """Where nothing else is done with what is copied, its declared type alone says that pointers are in it."""
        for cell, declared, span in self._declared:
            if find(cell).type is None and isinstance(declared, Pointer) and _has_pointers(declared.target):
                typed(cell, declared.target, span)

    def _call_points(self, node: syntax.Call) -> Cell:
        name = called_function(node, self._linked)
        if name is None:
            return target_cell(self.result_cell(node))
        function = self._bodies[name]
        meant = meaning(function.source_name, function.body is not None)
        if meant in (Meaning.FILL, Meaning.COPY):
            return self.points(node.arguments[0])
        if meant in _ALLOCATING or (meant is None and function.body is None):
            return self._allocation(node)
        return target_cell(self.cell(self._objects.results[name]))

    def result_cell(self, node: syntax.Call) -> Cell:
        name = called_function(node, self._linked)
        if name is not None:
            return self.cell(self._objects.results[name])
        known = self._indirect_results.get(id(node))
        if known is None:
            known = self._indirect_results[id(node)] = new_cell(node.type, node.span)
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


def _mixes_numbers(type: CType | None) -> bool:
    """Whether members of a union are pointers, and others numbers that are as wide."""
    if not isinstance(type, Record) or not type.union:
        return False
    inside = [leaf.type for field in type.fields for leaf in leaves(field.type)]
    wide = any(isinstance(each, Integer) and each.machine.bits >= 32 for each in inside)
    return wide and any(isinstance(each, Pointer) for each in inside)


def _has_pointers(type: CType) -> bool:
    return any(isinstance(leaf.type, Pointer) for leaf in leaves(type))
