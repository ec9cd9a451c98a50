"""What has an address in C: variables, string literals, what malloc returns, what a parameter refers to."""

from __future__ import annotations

from dataclasses import field
from enum import Enum, auto

from sorrel.frontends.c import syntax
from sorrel.frontends.c.linking import Linked, LinkedFunction
from sorrel.frontends.c.syntax import Node, nodes
from sorrel.frontends.c.types import VOID, Array, CType, Integer, Pointer, leaves
from sorrel.model.errors import Span
from sorrel.model.values import dataclass


class ObjectKind(Enum):
    GLOBAL = auto()  # of a file, or static in a function
    LOCAL = auto()
    PARAMETER = auto()
    RESULT = auto()  # what a function returns
    REFERENT = auto()  # what a reference parameter stands for: a variable of the function, copied in and out
    LITERAL = auto()
    TEMPORARY = auto()  # a structure that an expression yields, and a part of which is used
    ALLOCATED = auto()
    INPUT = auto()  # what exists before a function is called, and a pointer from outside leads to
    CROWD = auto()  # all objects from outside in a region that have no names of their own
    FUNCTION = auto()


FROM_OUTSIDE = (ObjectKind.INPUT, ObjectKind.CROWD)


@dataclass(eq=False, slots=True)
class Object:
    """`several`: more than one of it can exist at a time (locals of recursive functions, allocations in loops)."""

    kind: ObjectKind
    name: str
    type: CType
    span: Span
    function: str = ""  # whose it is; empty for globals
    several: bool = False
    node: Node | None = None
    source_name: str = ""
    parameter: Object | None = None  # of a REFERENT: the pointer that it replaces
    array: bool = False  # of a REFERENT or INPUT: a whole array, with its length
    constant: bool = False  # declared so
    single: bool = False  # of an ALLOCATED one: the block has room for one structure, whoever asks for it
    declared: CType | None = None  # what it is in C, if it is kept as bytes

    @property
    def in_source(self) -> CType:
        """The type that it has in C."""
        return self.type if self.declared is None else self.declared

    @property
    def is_string(self) -> bool:
        """A string literal: it exists, with its characters, before the program starts."""
        return self.kind is ObjectKind.LITERAL and isinstance(self.node, syntax.StringLiteral)

    @property
    def is_read_only(self) -> bool:
        """Whether writing to it, by whatever way, is wrong once it has its first value."""
        return self.constant or self.is_string

    @property
    def runtime_length(self) -> bool:
        """Whether only the running program knows how many elements it has."""
        type = self.type
        while isinstance(type, Array):
            if type.length is None:
                return True
            type = type.element
        allocated = self.kind is ObjectKind.ALLOCATED and not self.single
        return allocated or (self.kind in FROM_OUTSIDE and self.array)


@dataclass(eq=False, slots=True)
class Objects:
    """All objects of the program; trees refer to variables by symbol and to the rest by node."""

    of_symbol: dict[int, Object] = field(default_factory=dict)
    of_node: dict[int, Object] = field(default_factory=dict)
    results: dict[str, Object] = field(default_factory=dict)
    functions: dict[str, Object] = field(default_factory=dict)
    parameters: dict[str, tuple[Object, ...]] = field(default_factory=dict)
    referents: dict[int, Object] = field(default_factory=dict)  # by the symbol of the reference parameter
    locals: dict[str, list[Object]] = field(default_factory=dict)

    def all(self) -> list[Object]:
        """Each once, in the order in which they were found."""
        found = [*self.of_symbol.values(), *self.of_node.values(), *self.results.values(), *self.referents.values()]
        return list({id(each): each for each in found}.values())


def collect(linked: Linked) -> Objects:
    """The variables of everything that was reached; literals and allocations are added where they are met."""
    objects = Objects()
    symbols: dict[int, list[int]] = {}
    for symbol, variable in linked.variables.items():
        symbols.setdefault(id(variable), []).append(symbol)
    for variable in linked.reached_variables:
        declaration = variable.declaration
        constant = declaration.constant
        made = Object(ObjectKind.GLOBAL, variable.name, declaration.type, declaration.span, constant=constant)
        made.source_name = variable.source_name
        objects.of_symbol.update(dict.fromkeys(symbols[id(variable)], made))
    for function in linked.reached:
        _collect_function(function, objects)
    return objects


def _collect_function(function: LinkedFunction, objects: Objects) -> None:
    name, declaration = function.name, function.declaration
    objects.results[name] = Object(ObjectKind.RESULT, "result", declaration.result, declaration.span, name)
    objects.functions[name] = Object(ObjectKind.FUNCTION, name, VOID, declaration.span)
    parameters = []
    for position, parameter in enumerate(declaration.parameters):
        spelling = parameter.name or f"argument.{position + 1}"
        made = Object(ObjectKind.PARAMETER, spelling, parameter.type, parameter.span, name, source_name=parameter.name)
        made.constant = parameter.constant
        objects.of_symbol[parameter.symbol] = made
        parameters.append(made)
    objects.parameters[name] = tuple(parameters)
    objects.locals[name] = []
    if function.body is None:
        return
    for node in nodes(function.body):
        if isinstance(node, syntax.Variable) and node.symbol not in objects.of_symbol:
            kind = ObjectKind.GLOBAL if node.static or node.external else ObjectKind.LOCAL
            made = Object(kind, node.name, node.type, node.span, name, node=node, source_name=node.name)
            made.constant = node.constant
            objects.of_symbol[node.symbol] = made
            objects.locals[name].append(made)


def is_data_pointer(type: CType) -> bool:
    """A pointer to something with a value of its own: not to void, not to a function."""
    if not isinstance(type, Pointer):
        return False
    return bool(leaves(type.target)) and all(isinstance(leaf.type, Integer | Pointer) for leaf in leaves(type.target))
