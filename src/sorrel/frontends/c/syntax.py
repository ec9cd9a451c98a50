"""The syntax tree, as plain Python objects: what the rest of the front end works on."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum, auto

from sorrel.frontends.c.types import VOID, CType
from sorrel.model.errors import NOWHERE, Span


class NodeKind(IntEnum):
    """What a node is; casts that the compiler put in are IMPLICIT. Numbers, since they are looked up all the time."""

    VARIABLE = auto()
    PARAMETER = auto()
    TYPE = auto()  # a mention of a type, and declarations that declare nothing that runs
    REFERENCE = auto()
    MEMBER = auto()
    DESIGNATOR = auto()  # `.f` by its spelling; `[3]` by its value, with "..." as operator if a range begins with it
    DESIGNATED = auto()  # designators, then a value, in an initialiser
    CALL = auto()
    INTEGER = auto()
    FLOATING = auto()
    STRING = auto()
    PARENTHESES = auto()
    UNARY = auto()
    SUBSCRIPT = auto()
    BINARY = auto()
    COMPOUND_ASSIGNMENT = auto()
    CONDITIONAL = auto()
    CAST = auto()
    COMPOUND_LITERAL = auto()
    INITIALIZER = auto()
    STATEMENT_EXPRESSION = auto()
    SIZE = auto()
    IMPLICIT = auto()
    LABEL = auto()
    COMPOUND = auto()
    CASE = auto()
    DEFAULT = auto()
    IF = auto()
    SWITCH = auto()
    WHILE = auto()
    DO = auto()
    FOR = auto()
    GOTO = auto()
    CONTINUE = auto()
    BREAK = auto()
    RETURN = auto()
    NOTHING = auto()
    DECLARATION = auto()
    OTHER = auto()  # `spelling` says what, in words


@dataclass(eq=False, slots=True)
class Node:
    """`symbol` identifies the declaration that is made or meant; `operator` is spelled as in C (`p++` is `x++`).

    A FOR always has four children: start, condition, step, body, with NOTHING for what is not there.
    """

    kind: NodeKind
    type: CType = VOID
    span: Span = NOWHERE
    children: tuple[Node, ...] = ()
    spelling: str = ""
    operator: str = ""
    value: int | None = None
    symbol: int = 0
    characters: tuple[int, ...] = ()
    initializer: Node | None = None
    sizes: tuple[Node, ...] = ()  # of a variable's array type, outermost first, if not all are constants
    static: bool = False
    constant: bool = False  # a variable that is never assigned to
    atomic: bool = False  # an object that is read and written as a whole, whatever other threads do
    pure: bool = False  # of a CALL: the function is known to change nothing
    effects: bool | None = None  # whether evaluating it changes anything; None: not yet asked


@dataclass(eq=False, slots=True)
class VariableDeclaration:
    """A variable of the file, or a parameter."""

    symbol: int
    name: str
    type: CType
    span: Span
    external: bool  # visible in other files under its name
    defined: bool  # not merely announced with `extern`
    promised: int = 1  # of a parameter: how many elements are there at least (`int a[static 4]`)
    constant: bool = False  # never assigned to
    initializer: Node | None = None


@dataclass(eq=False, slots=True)
class FunctionDeclaration:
    """`body` is None if it is only announced."""

    symbol: int
    name: str
    result: CType
    parameters: tuple[VariableDeclaration, ...]
    variadic: bool
    span: Span
    external: bool
    system: bool = False  # announced by a header of the system
    body: Node | None = None


@dataclass(eq=False, slots=True)
class Unit:
    """One file with all that it includes."""

    name: str
    variables: list[VariableDeclaration] = field(default_factory=list)
    functions: list[FunctionDeclaration] = field(default_factory=list)


def named_callee(call: Node) -> Node | None:
    """The name that a call goes to, if it says one; it may still be the name of a pointer."""
    inner = call.children[0] if call.children else call
    while inner.kind in (NodeKind.PARENTHESES, NodeKind.IMPLICIT) and inner.children:
        inner = inner.children[0]
    return inner if inner.kind is NodeKind.REFERENCE else None


def stripped(node: Node) -> Node:
    """Without the parentheses around it."""
    while node.kind is NodeKind.PARENTHESES:
        node = node.children[0]
    return node


def value_of(node: Node) -> Node:
    """Without parentheses and casts that the compiler put in (reading a variable, decay, qualifiers)."""
    while node.kind is NodeKind.PARENTHESES or (node.kind is NodeKind.IMPLICIT and len(node.children) == 1):
        node = node.children[0]
    return node


def constant_product(node: Node) -> int | None:
    """The value of an expression made of constants, sizes, + and *."""
    node = stripped(node)
    if node.value is not None:
        return node.value
    if node.kind in (NodeKind.IMPLICIT, NodeKind.CAST) and node.children:
        return constant_product(node.children[-1])
    if node.kind is NodeKind.BINARY and node.operator in ("+", "*"):
        left, right = constant_product(node.children[0]), constant_product(node.children[1])
        if left is not None and right is not None:
            return left * right if node.operator == "*" else left + right
    return None
