"""Models of library functions, a copy for each call: no two calls share what their pointers may mean.

A copy stands where its call stands: whatever goes wrong in it is told as the caller's mistake. What the caller does not
look at is left out of it: the result, or how large a number is of which the library promises the sign only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from enum import IntEnum

from sorrel.frontends.c.formats import follows_strings, format_position, model_text
from sorrel.frontends.c.library import WRITERS
from sorrel.frontends.c.syntax import FunctionDeclaration, Node, NodeKind, constant_product, named_callee, value_of
from sorrel.frontends.c.types import VOID, Array, CType, Integer, Pointer, Truth
from sorrel.model.errors import Span

POSITIVE, NONZERO = "__sorrel_positive", "__sorrel_nonzero"
_BYTES = frozenset({"memset", "bzero", "memcpy", "memmove", "memcmp", "bcmp", "memchr", "fread", "read"})
"""Models that look at memory byte by byte, whatever it holds."""
_BEFORE_STATEMENTS = (NodeKind.LABEL, NodeKind.CASE, NodeKind.DEFAULT)


class Asked(IntEnum):
    """What a caller looks at in a result, the least first."""

    NOTHING = 0
    TRUTH = 1  # whether it is 0
    SIGN = 2
    VALUE = 3


def fits(call: Node, model: FunctionDeclaration, name: str) -> bool:
    """Whether the program calls the function as it is: announced otherwise, it is another one."""
    arguments = call.children[1:]
    if len(arguments) != len(model.parameters) or not _matches(call.type, model.result):
        return False
    given = zip(arguments, model.parameters, strict=True)
    return all(
        _matches(argument.type, parameter.type)
        and (name not in _BYTES or not _leads_to_bytes(parameter.type) or _is_bytes(argument))
        for argument, parameter in given
    )


def fits_declared(function: FunctionDeclaration, model: FunctionDeclaration, name: str) -> bool:
    """The same of a function whose address is taken."""
    if name in _BYTES or len(function.parameters) != len(model.parameters):
        return False
    pairs = zip(function.parameters, model.parameters, strict=True)
    return _matches(function.result, model.result) and all(_matches(one.type, other.type) for one, other in pairs)


def _matches(given: CType, wanted: CType) -> bool:
    if isinstance(wanted, Integer | Truth):
        return isinstance(given, Integer | Truth)
    return type(given) is type(wanted)


def _is_bytes(argument: Node) -> bool:
    """Whether it is a pointer to characters: other memory is not read as bytes."""
    return _leads_to_bytes(value_of(argument).type)


def _leads_to_bytes(type: CType) -> bool:
    target = type.target if isinstance(type, Pointer) else type.element if isinstance(type, Array) else None
    return isinstance(target, Integer) and target.machine.bits == 8


def written_out(call: Node, most: int) -> bool:
    """Whether the last argument is a length that is known and small."""
    length = constant_product(call.children[-1])
    return length is not None and length <= most


def reads_beside(call: Node) -> bool:
    """Whether a call that writes text reads strings that are not written out, and can be evaluated again for that."""
    arguments = call.children[1:]
    followed = any(isinstance(each.type, Pointer) and value_of(each).kind is not NodeKind.STRING for each in arguments)
    return followed and all(map(_is_plain, arguments))


def _is_plain(argument: Node) -> bool:
    """Whether it may be evaluated twice: nothing in it calls or assigns, by its form."""
    changing = (NodeKind.CALL, NodeKind.COMPOUND_ASSIGNMENT, NodeKind.STATEMENT_EXPRESSION, NodeKind.COMPOUND_LITERAL)
    pending = [argument]
    while pending:
        node = pending.pop()
        if node.kind in changing or node.operator in ("=", "x++", "x--", "++x", "--x"):
            return False
        pending.extend(node.children)
    return True


def format_model(call: Node, name: str) -> str | None:
    """The model of a function that prints or reads as a format says, if that is written out and needs one."""
    position = format_position(name)
    arguments = call.children[1:]
    if position is None or position >= len(arguments):
        return None
    literal = value_of(arguments[position])
    if literal.kind is not NodeKind.STRING or any(not 0 <= each <= 255 for each in literal.characters):
        return None
    format = "".join(map(chr, literal.characters)).split("\0")[0]
    if name in WRITERS and not follows_strings(format):
        return None
    return model_text(name, format)


def demands(root: Node) -> dict[int, Asked]:
    """What is looked at in the result of each call, by the call's id; a call that is not there is looked at as such."""
    found: dict[int, Asked] = {}
    valued: set[int] = set()  # statements that are the value of an expression
    pending = [root]
    while pending:
        node = pending.pop()
        if node.kind is NodeKind.STATEMENT_EXPRESSION:
            valued.update(id(each) for each in _last_statements(node))
        for child, asked in _looked_at(node):
            call = _call_in(child)
            if call is not None and not (asked is Asked.NOTHING and id(child) in valued):
                found[id(call)] = asked
        pending.extend(node.children)
        pending.extend(node.sizes)
        if node.initializer is not None:
            pending.append(node.initializer)
    return found


def _last_statements(node: Node) -> Iterator[Node]:
    while node.children:
        node = node.children[-1]
        yield node
        if node.kind is not NodeKind.COMPOUND and node.kind not in _BEFORE_STATEMENTS:
            return


def _call_in(node: Node) -> Node | None:
    """The call that an expression is, apart from parentheses and conversions that keep what is looked at."""
    while node.kind is NodeKind.PARENTHESES or (node.kind is NodeKind.CAST and node.type == VOID):
        node = node.children[-1]
    return node if node.kind is NodeKind.CALL else None


def _looked_at(node: Node) -> Iterator[tuple[Node, Asked]]:
    children = node.children
    match node.kind:
        case NodeKind.COMPOUND:
            yield from ((child, Asked.NOTHING) for child in children)
        case NodeKind.LABEL | NodeKind.CASE | NodeKind.DEFAULT if children:
            yield children[-1], Asked.NOTHING
        case NodeKind.IF:
            yield children[0], Asked.TRUTH
            yield from ((child, Asked.NOTHING) for child in children[1:])
        case NodeKind.WHILE:
            yield children[0], Asked.TRUTH
            yield children[1], Asked.NOTHING
        case NodeKind.DO:
            yield children[0], Asked.NOTHING
            yield children[1], Asked.TRUTH
        case NodeKind.FOR:
            start, condition, step, body = children
            yield condition, Asked.TRUTH
            yield from ((child, Asked.NOTHING) for child in (start, step, body))
        case NodeKind.CONDITIONAL:
            yield children[0], Asked.TRUTH
        case NodeKind.UNARY if node.operator == "!":
            yield children[0], Asked.TRUTH
        case NodeKind.BINARY:
            yield from _operands(node)


def _operands(node: Node) -> Iterator[tuple[Node, Asked]]:
    left, right = node.children
    match node.operator:
        case ",":
            yield left, Asked.NOTHING
        case "&&" | "||":
            yield left, Asked.TRUTH
            yield right, Asked.TRUTH
        case "==" | "!=" | "<" | ">" | "<=" | ">=":
            asked = Asked.TRUTH if node.operator in ("==", "!=") else Asked.SIGN
            for one, other in ((left, right), (right, left)):
                if constant_product(other) == 0:
                    yield one, asked


class Copier:
    """`symbols` gives a number that nothing else has, for each variable that a copy declares."""

    def __init__(self, symbols: Callable[[], int]) -> None:
        self._symbols = symbols
        self._renamed: dict[int, int] = {}

    def copy(
        self, model: FunctionDeclaration, body: Node, span: Span, asked: Asked
    ) -> tuple[FunctionDeclaration, Node]:
        parameters = tuple(replace(each, symbol=self._own(each.symbol), span=span) for each in model.parameters)
        result = VOID if asked is Asked.NOTHING else model.result
        function = replace(
            model, symbol=self._symbols(), parameters=parameters, result=result, span=span, external=False, body=None
        )
        function.body = self._node(body, span, asked)
        self._renamed = {}
        return function, function.body

    def _own(self, symbol: int) -> int:
        if symbol not in self._renamed:
            self._renamed[symbol] = self._symbols()
        return self._renamed[symbol]

    def _node(self, node: Node, span: Span, asked: Asked) -> Node:
        if node.kind is NodeKind.RETURN and asked is Asked.NOTHING:
            return replace(node, span=span, children=())
        if node.kind is NodeKind.CALL and (name := named_callee(node)) is not None:
            enough = {POSITIVE: Asked.SIGN, NONZERO: Asked.TRUTH}.get(name.spelling)
            if enough is not None and asked <= enough:
                return Node(NodeKind.INTEGER, node.type, span, value=1)
        if node.kind is NodeKind.VARIABLE:
            self._own(node.symbol)
        initializer = self._node(node.initializer, span, asked) if node.initializer is not None else None
        return replace(
            node,
            span=span,
            children=tuple([self._node(child, span, asked) for child in node.children]),
            symbol=self._renamed.get(node.symbol, node.symbol),
            initializer=initializer,
            effects=None,
        )
