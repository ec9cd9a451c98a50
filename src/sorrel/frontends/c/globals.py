"""Initial values of everything that exists before the program starts."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from sorrel.frontends.c import syntax
from sorrel.frontends.c.cells import path_cell
from sorrel.frontends.c.context import Context, Translation
from sorrel.frontends.c.errors import Unsupported
from sorrel.frontends.c.initializers import Initializers
from sorrel.frontends.c.lowering import Lowering
from sorrel.frontends.c.memory import Memory
from sorrel.frontends.c.objects import Object
from sorrel.frontends.c.operations import number
from sorrel.frontends.c.paths import subpaths
from sorrel.frontends.c.types import leaves
from sorrel.frontends.c.watching import STATE, State
from sorrel.program.construction import zero
from sorrel.program.expression import Constant, Expression, Store, Variable
from sorrel.program.statement import Assert, Assign, Statement
from sorrel.program.traversal import substitute


class GlobalReader:
    """Reads initialisers like assignments, then turns those into constants where nothing else is in the same variable.

    Variables that hold many objects, some of which come into being later, cannot start with a constant: what is stored
    there at first is returned as statements, for the start of the program.
    """

    def __init__(self, translation: Translation) -> None:
        self._translation = translation
        self._context = Context(translation, "", set())
        self._memory = Memory(self._context)
        self._initializers = Initializers(self._context, self._memory, Lowering(self._context, self._memory))
        self._started: set[int] = set()
        self._open = _open_lengths(translation)  # what may start with any value

    def start(self, object: Object, initializer: syntax.Expression | None, known: bool) -> None:
        """`known`: what has no initialiser is zero; else it may have any value."""
        self._started.add(id(object))
        if initializer is not None:
            self._initializers.initialize(object, initializer, object.span)
        elif known:
            self._initializers.zero(object, object.span)
        else:
            for leaf in leaves(object.type):
                storage = self._translation.layout.storage(object, leaf.path)
                if self._translation.inputs.inlet(object, leaf.path) is None:
                    self._open.update(variable.name for variable in storage.components)
            if object.runtime_length:
                self._open.add(self._memory.length_variable(object).name)
        if not object.runtime_length:
            self._memory.note_lengths(object, self._memory.total_length(object), object.span)

    def start_literals(self) -> None:
        """String literals that something points to or reads."""
        for object in self._translation.objects.of_node.values():
            missing = id(object) not in self._started and self._translation.layout.is_stored(object)
            if missing and isinstance(object.node, syntax.StringLiteral):
                self.start(object, object.node, True)

    def _starts_at_nothing(self, variable: Variable) -> bool:
        """Variables of functions that live outside of them are set when they are declared; lengths when objects are."""
        if variable.name in self._open:
            return False
        contents = variable.name.startswith("memory.")
        return variable.name.endswith(".length") or not contents

    @cached_property
    def _stored(self) -> tuple[dict[Variable, Expression], tuple[Statement, ...]]:
        """What was written, once all is started: first values, and statements for the start."""
        values: dict[Variable, Expression] = {}
        prologue: list[Statement] = []
        for statement in self._context.builder.current.statements:
            match statement:
                case Assign(target, value):
                    if target.name.startswith("memory."):
                        prologue.append(statement)
                    else:
                        values[target] = _with(value, values)
                case Assert():
                    pass  # bounds of constant initialisers, which the compiler has checked
                case _:
                    raise Unsupported("an initialiser that is not constant", statement.span)
        return values, tuple(prologue)

    def result(self) -> tuple[dict[str, Expression], tuple[Statement, ...]]:
        """Initial values by name of all variables that there are by now, and statements for the start."""
        layout = self._translation.layout
        values, prologue = dict(self._stored[0]), self._stored[1]
        for variable in layout.globals.values():
            if variable.name == "memory.next":
                values[variable] = number(layout.first_free)
            elif variable == STATE:
                values[variable] = number(State.NOT_MADE)
            elif variable not in values and self._starts_at_nothing(variable):
                values[variable] = zero(variable.type)
        return {variable.name: value for variable, value in values.items()}, prologue


def _with(value: Expression, values: dict[Variable, Expression]) -> Expression:
    """The value, with what is known of variables. One more element of a table is not looked at twice."""
    match value:
        case Store(Variable() as array, Constant(), Constant()) if array in values:
            return replace(value, array=values[array])
        case _:
            return substitute(value, values)


def _open_lengths(translation: Translation) -> set[str]:
    """Of objects that exist before the program starts nobody knows how long they are."""
    layout, points_to = translation.layout, translation.points_to
    return {
        layout.lengths(cell).name
        for crowd in translation.inputs.crowds
        for cell in (path_cell(points_to.cell(crowd), path) for path in subpaths(crowd.type))
        if cell.pointed and layout.shape(cell).offset
    }
