"""A function of C as a procedure."""

from __future__ import annotations

from dataclasses import replace

from sorrel.frontends.c.context import Context, Translation
from sorrel.frontends.c.errors import Unsupported
from sorrel.frontends.c.interface import ParameterInterface, interface, own_variables
from sorrel.frontends.c.linking import LinkedFunction
from sorrel.frontends.c.lowering import Lowering
from sorrel.frontends.c.memory import Memory
from sorrel.frontends.c.objects import Object, ObjectKind
from sorrel.frontends.c.operations import number
from sorrel.frontends.c.paths import is_kept_otherwise
from sorrel.frontends.c.types import Floating, Path, Pointer, Void, leaves
from sorrel.model.assumption import AssumptionKind
from sorrel.model.errors import InternalError
from sorrel.program.construction import zero
from sorrel.program.expression import Variable
from sorrel.program.program import Procedure
from sorrel.program.reducing import reducible
from sorrel.program.statement import Block, Return, Statement, Stop


class ProcedureReader:
    def __init__(self, translation: Translation, function: LinkedFunction, dropped: frozenset[int]) -> None:
        self._translation = translation
        self._function = function
        self._interface = interface(translation, function.name, dropped=dropped)
        taken = set(translation.layout.globals)
        within = function.source_name if function.library else ""
        self._context = Context(translation, function.name, taken, within)
        self._memory = Memory(self._context)
        self._lowering = Lowering(self._context, self._memory)

    def read(self, prologue: tuple[Statement, ...] = ()) -> Procedure:
        """`prologue` comes first: what must happen before the program starts."""
        function, builder = self._function, self._context.builder
        if function.body is None:
            raise InternalError(f"{function.name} has no body to translate")
        entry = builder.current.label
        self._declare_names()
        for statement in prologue:
            builder.emit(statement)
        for object in self._translation.ending.get(function.name, ()):
            if object.several:  # a jump may go past its declaration
                self._context.assign(self._memory.instance(object), number(0), object.span)
        for parameter in self._interface.parameters:
            self._settle(parameter)
        self._lowering.statement(function.body)
        self._finish()
        shape = self._interface
        outer = {variable.name for variable in (*shape.inputs, *shape.outputs)}
        blocks = builder.finished(entry)
        if not function.returns:
            blocks = self._without_returns(blocks)
        return reducible(
            Procedure(
                function.name,
                shape.inputs,
                shape.outputs,
                tuple(variable for name, variable in self._context.locals.items() if name not in outer),
                blocks,
                entry,
                function.declaration.span,
                self._context.source_names,
            )
        )

    def _without_returns(self, blocks: tuple[Block, ...]) -> tuple[Block, ...]:
        """A function that is declared not to return: where it would, the run ends."""
        if any(isinstance(block.terminator, Return) for block in blocks):
            told = f"{self._function.source_name} does not return, as it is declared."
            self._translation.assume(AssumptionKind.OTHER, told)
        return tuple(
            replace(block, terminator=Stop(block.terminator.span)) if isinstance(block.terminator, Return) else block
            for block in blocks
        )

    def _finish(self) -> None:
        """Falling off the end of main returns 0; elsewhere the result is any value."""
        builder = self._context.builder
        if builder.current.terminator is not None:
            return
        span = self._function.declaration.span
        is_main = self._function.source_name == "main" and self._function.declaration.external
        if is_main and self._interface.result_parts:
            for variable in self._interface.result_parts[0].variables:
                self._context.assign(variable, zero(variable.type), span)
        self._memory.leave(span)
        builder.end(Return(span))

    def _settle(self, parameter: ParameterInterface) -> None:
        """A parameter whose address is taken moves to where pointers find it."""
        object = parameter.parameter
        if parameter.referent is not None or not parameter.parts:
            return
        layout = self._translation.layout
        self._memory.begin(object, object.span)
        for part in parameter.parts:
            if layout.is_global(object, part.leaf.path):
                self._move_in(object, part.leaf.path, part.variables)

    def _move_in(self, object: Object, path: Path, variables: tuple[Variable, ...]) -> None:
        if object.declared is not None:
            self._memory.initialize(self._memory.object_place(object), variables[0], object.span)
            return
        place = self._memory.kept_place(object, path)
        if place.cell.blurred:
            return
        if not self._translation.layout.is_array(object, path):
            for _, storage, index in self._memory.parts(place):
                self._memory.store(storage, index, variables, object.span)
            return
        if self._translation.layout.region(place.cell).flat:
            raise Unsupported("the address of a parameter that contains an array, one of many objects", object.span)
        for target, value in zip(self._translation.layout.storage(object, path).components, variables, strict=True):
            self._context.assign(target, value, object.span)

    def _declare_names(self) -> None:
        """Locals and their names in the user's text."""
        names = self._context.source_names
        objects = self._translation.objects
        own = [*objects.parameters[self._function.name], *objects.locals[self._function.name]]
        own += self._translation.beside(self._function.name)
        own.append(objects.results[self._function.name])
        for object in own:
            if object.kind is ObjectKind.PARAMETER and self._is_reference(object):
                continue
            for leaf in leaves(object.type):
                if isinstance(leaf.type, Floating | Void):
                    continue
                # A pointer is not the number that we know its object by: no name of the user's means that.
                # Nor are bytes the number that they make, nor a member of a union what was written as another one.
                hidden = isinstance(leaf.type, Pointer) or is_kept_otherwise(object.in_source, leaf.path)
                shown: dict[str, str] = {} if hidden or object.declared is not None else names
                self._name(object, leaf.path, shown)

    def _is_reference(self, object: Object) -> bool:
        return any(parameter.parameter is object and parameter.referent for parameter in self._interface.parameters)

    def _name(self, object: Object, path: Path, names: dict[str, str]) -> None:
        layout = self._translation.layout
        if object.kind is ObjectKind.ALLOCATED or (
            object.kind is ObjectKind.LITERAL and layout.is_global(object, path)
        ):
            return
        written = source_name(object, path)
        if layout.is_global(object, path):
            for variable in layout.storage(object, path).components:
                if not variable.name.startswith("memory."):
                    names[variable.name] = written
        if object.kind is ObjectKind.GLOBAL:
            return
        for variable in own_variables(self._translation, object, path):
            if object.kind is ObjectKind.TEMPORARY:
                self._context.local(variable)
            elif not layout.is_global(object, path) or object.kind is ObjectKind.PARAMETER:
                self._context.local(variable)
                if variable.name != written or "." in written:
                    names[variable.name] = written


def source_name(object: Object, path: Path) -> str:
    """How the user would write it."""
    fields = ".".join(name for name in path if not name.startswith("."))
    if object.kind is ObjectKind.RESULT:
        return "\\result" + (f".{fields}" if fields else "")
    name = object.parameter.source_name if object.parameter is not None else object.source_name
    name = name or object.name
    if object.kind is ObjectKind.REFERENT:
        if object.array:
            return name if not fields else f"{name}.{fields}"
        return f"{name}->{fields}" if fields else f"*{name}"
    return f"{name}.{fields}" if fields else name
