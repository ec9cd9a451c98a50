"""How a function's parameters and result travel: which variables of the procedure stand for which part of them."""

from __future__ import annotations

from sorrel.frontends.c.cells import path_cell
from sorrel.frontends.c.context import Translation
from sorrel.frontends.c.objects import Object, ObjectKind
from sorrel.frontends.c.pointer_uses import Slot
from sorrel.frontends.c.types import Leaf, Path, leaves, scalar_type
from sorrel.model.values import dataclass
from sorrel.program import types as program_types
from sorrel.program.expression import Variable
from sorrel.program.types import UNBOUNDED


@dataclass(frozen=True, slots=True)
class Passed:
    """A leaf of a parameter or result, and the variables that carry it."""

    leaf: Leaf
    variables: tuple[Variable, ...]


@dataclass(frozen=True, slots=True)
class ParameterInterface:
    """`referent` is set if the parameter is a reference; `length` if that is an array."""

    parameter: Object
    parts: tuple[Passed, ...]
    referent: Object | None = None
    length: Variable | None = None
    written: bool = False

    @property
    def inputs(self) -> tuple[Variable, ...]:
        own = tuple(variable for part in self.parts for variable in part.variables)
        return own if self.length is None else (*own, self.length)

    @property
    def outputs(self) -> tuple[Variable, ...]:
        return tuple(variable for part in self.parts for variable in part.variables) if self.written else ()


@dataclass(frozen=True, slots=True)
class Interface:
    parameters: tuple[ParameterInterface, ...]
    result: Object
    result_parts: tuple[Passed, ...]

    @property
    def inputs(self) -> tuple[Variable, ...]:
        return tuple(variable for parameter in self.parameters for variable in parameter.inputs)

    @property
    def outputs(self) -> tuple[Variable, ...]:
        own = tuple(variable for part in self.result_parts for variable in part.variables)
        return (*own, *(variable for parameter in self.parameters for variable in parameter.outputs))


def interface(translation: Translation, function: str, *, dropped: frozenset[int] = frozenset()) -> Interface:
    """`dropped` are positions of parameters that nobody reads and that have no meaning (main's argv)."""
    objects = translation.objects
    parameters = []
    for position, parameter in enumerate(objects.parameters[function]):
        if position in dropped:
            parameters.append(ParameterInterface(parameter, ()))
            continue
        slot = Slot(function, position)
        if slot not in translation.references.slots:
            parameters.append(ParameterInterface(parameter, _parts(translation, parameter)))
            continue
        referent = next(each for each in objects.referents.values() if each.parameter is parameter)
        length = Variable(f"{referent.name}.length", UNBOUNDED) if referent.array else None
        parts = _parts(translation, referent)
        written = slot in translation.references.written
        parameters.append(ParameterInterface(parameter, parts, referent, length, written))
    result = objects.results[function]
    return Interface(tuple(parameters), result, _parts(translation, result))


def _parts(translation: Translation, object: Object) -> tuple[Passed, ...]:
    return tuple(Passed(leaf, own_variables(translation, object, leaf.path)) for leaf in leaves(object.in_source))


def own_variables(translation: Translation, object: Object, path: Path) -> tuple[Variable, ...]:
    """The variables under the object's own name, also where it lives in memory that all share."""
    layout = translation.layout
    if object.declared is not None and object.kind is ObjectKind.PARAMETER:
        return (Variable(object.name, scalar_type(object.declared)),)
    cell = path_cell(translation.points_to.cell(object), path)
    if not layout.is_global(object, path):
        return layout.storage(object, path).components
    leaf = next(leaf for leaf in leaves(object.type) if leaf.path == path)
    array = layout.is_array(object, path)
    stem = ".".join((object.name, *(name.strip(".") for name in path)))
    return tuple(
        Variable(f"{stem}{suffix}", program_types.Array(kind) if array else kind)
        for suffix, kind in layout.leaf_types(cell, leaf.type)
    )
