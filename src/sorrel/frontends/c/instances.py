"""Models of library functions, a copy for each call: no two calls share what their pointers may mean.

A copy stands where its call stands: whatever goes wrong in it is told as the caller's mistake. What the caller does not
look at is left out of it: the result, or how large a number is of which the library promises the sign only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from enum import IntEnum

from sorrel.frontends.c import syntax
from sorrel.frontends.c.formats import follows_strings, format_position, model_text
from sorrel.frontends.c.library.catalogue import compares_bytes, is_writer, looks_at_bytes
from sorrel.frontends.c.purity import CHANGES
from sorrel.frontends.c.syntax import (
    FunctionDeclaration,
    Node,
    Prototype,
    constant_product,
    converted_from,
    named_callee,
    rebuilt,
)
from sorrel.frontends.c.types import VOID, Array, CType, Integer, Pointer, Record, Truth, bytewise, is_byte
from sorrel.model.errors import Span
from sorrel.program.expression import COMPARISONS, Operator

POSITIVE, NONZERO = "__sorrel_positive", "__sorrel_nonzero"
_CHANGING = (syntax.Call, *CHANGES)


class Asked(IntEnum):
    """What a caller looks at in a result, the least first."""

    NOTHING = 0
    TRUTH = 1  # whether it is 0
    SIGN = 2
    VALUE = 3


def fits(call: syntax.Call, model: FunctionDeclaration, name: str) -> bool:
    """Whether the program calls the function as it is: announced otherwise, it is another one."""
    arguments = call.arguments
    if len(arguments) != len(model.parameters) or not _matches(call.type, model.result):
        return False
    given = zip(arguments, model.parameters, strict=True)
    return all(
        _matches(argument.type, parameter.type)
        and (
            not looks_at_bytes(name) or not _leads_to_bytes(parameter.type) or _is_bytes(argument, compares_bytes(name))
        )
        for argument, parameter in given
    )


def fits_declared(function: FunctionDeclaration, model: FunctionDeclaration, name: str) -> bool:
    """The same of a function whose address is taken."""
    if looks_at_bytes(name) or len(function.parameters) != len(model.parameters):
        return False
    pairs = zip(function.parameters, model.parameters, strict=True)
    return _matches(function.result, model.result) and all(_matches(one.type, other.type) for one, other in pairs)


def _matches(given: CType, wanted: CType) -> bool:
    if isinstance(wanted, Integer | Truth):
        return isinstance(given, Integer | Truth)
    return type(given) is type(wanted)


def _is_bytes(argument: syntax.Expression, structures: bool) -> bool:
    """Whether it leads to characters: other memory is not read as bytes, but structures of integers where they matter.

    Whoever sets or copies a structure needs no bytes for it, and proofs about members get much harder by them.
    """
    target = _target(converted_from(argument).type)
    return is_byte(target) or (structures and isinstance(target, Record) and bytewise(target))


def _leads_to_bytes(type: CType) -> bool:
    return is_byte(_target(type))


def _target(type: CType) -> CType | None:
    return type.target if isinstance(type, Pointer) else type.element if isinstance(type, Array) else None


def written_out(call: syntax.Call, most: int) -> bool:
    """Whether the last argument is a length that is known and small."""
    length = constant_product(call.arguments[-1])
    return length is not None and length <= most


def reads_beside(call: syntax.Call) -> bool:
    """Whether a call that writes text reads strings that are not written out, and can be evaluated again for that."""
    arguments = call.arguments
    followed = any(
        isinstance(each.type, Pointer) and not isinstance(converted_from(each), syntax.StringLiteral)
        for each in arguments
    )
    return followed and all(map(_is_plain, arguments))


def _is_plain(argument: syntax.Expression) -> bool:
    """Whether it may be evaluated twice: nothing in it calls or assigns, by its form."""
    return not any(isinstance(node, _CHANGING) for node in syntax.nodes(argument))


def format_model(call: syntax.Call, name: str) -> str | None:
    """The model of a function that prints or reads as a format says, if that is written out and needs one."""
    position = format_position(name)
    arguments = call.arguments
    if position is None or position >= len(arguments):
        return None
    literal = converted_from(arguments[position])
    format = literal.text if isinstance(literal, syntax.StringLiteral) else None
    if format is None:
        return None
    if is_writer(name) and not follows_strings(format):
        return None
    return model_text(name, format)


def demands(root: Node) -> dict[int, Asked]:
    """What is looked at in the result of each call, by the call's id; a call that is not there is looked at as such."""
    found: dict[int, Asked] = {}
    valued: set[int] = set()  # statements that are the value of an expression
    pending: list[Node] = [root]
    while pending:
        node = pending.pop()
        if isinstance(node, syntax.StatementExpression):
            valued.update(id(each) for each in _last_statements(node.body))
        for child, asked in _looked_at(node):
            call = _call_in(child)
            if call is not None and not (asked is Asked.NOTHING and id(child) in valued):
                found[id(call)] = asked
        pending.extend(node.children)
    return found


def _last_statements(statement: syntax.Statement) -> Iterator[syntax.Statement]:
    while True:
        yield statement
        if isinstance(statement, syntax.Compound) and statement.statements:
            statement = statement.statements[-1]
        elif isinstance(statement, syntax.Labelled):
            statement = statement.body
        else:
            return


def _call_in(node: Node) -> syntax.Call | None:
    """The call that an expression is, apart from conversions that keep what is looked at."""
    while isinstance(node, syntax.Cast) and node.type == VOID:
        node = node.operand
    return node if isinstance(node, syntax.Call) else None


def _looked_at(node: Node) -> Iterator[tuple[Node, Asked]]:
    match node:
        case syntax.Compound():
            yield from ((child, Asked.NOTHING) for child in node.statements)
        case syntax.Labelled():
            yield node.body, Asked.NOTHING
        case syntax.If():
            yield node.condition, Asked.TRUTH
            yield node.then, Asked.NOTHING
            if node.otherwise is not None:
                yield node.otherwise, Asked.NOTHING
        case syntax.While() | syntax.Do():
            yield node.condition, Asked.TRUTH
            yield node.body, Asked.NOTHING
        case syntax.For():
            if node.condition is not None:
                yield node.condition, Asked.TRUTH
            yield from ((child, Asked.NOTHING) for child in (node.start, node.step, node.body))
        case syntax.Conditional():
            yield node.condition, Asked.TRUTH
        case syntax.Unary(operator=syntax.UnaryOperator.NOT):
            yield node.operand, Asked.TRUTH
        case syntax.Comma():
            yield node.left, Asked.NOTHING
        case syntax.Logical():
            yield node.left, Asked.TRUTH
            yield node.right, Asked.TRUTH
        case syntax.Binary() if node.operator in COMPARISONS:
            asked = Asked.TRUTH if node.operator in (Operator.EQUAL, Operator.DIFFERENT) else Asked.SIGN
            for one, other in ((node.left, node.right), (node.right, node.left)):
                if constant_product(other) == 0:
                    yield one, asked


_PROMISED = {POSITIVE: Asked.SIGN, NONZERO: Asked.TRUTH}


class Copier:
    """`symbols` gives a number that nothing else has, for each variable that a copy declares."""

    def __init__(self, symbols: Callable[[], int]) -> None:
        self._symbols = symbols
        self._renamed: dict[int, int] = {}

    def copy(
        self, model: FunctionDeclaration, body: syntax.Compound, span: Span, asked: Asked
    ) -> tuple[FunctionDeclaration, syntax.Compound]:
        parameters = tuple(replace(each, symbol=self._own(each.symbol), span=span) for each in model.parameters)
        result = VOID if asked is Asked.NOTHING else model.result
        prototype = Prototype(result, parameters, model.variadic, span)
        function = replace(model, symbol=self._symbols(), prototype=prototype.itself, external=False)
        copied = rebuilt(body, lambda node: self._node(node, span, asked), span=span)
        self._renamed = {}
        return function, copied

    def _own(self, symbol: int) -> int:
        if symbol not in self._renamed:
            self._renamed[symbol] = self._symbols()
        return self._renamed[symbol]

    def _node(self, node: Node, span: Span, asked: Asked) -> Node:
        match node:
            case syntax.Return() if asked is Asked.NOTHING:
                return syntax.Return(span, None)
            case syntax.Call() if self._is_enough(node, asked):
                return syntax.IntegerConstant(span, node.type, 1)
            case syntax.Reference():
                return replace(node, span=span, symbol=self._renamed.get(node.symbol, node.symbol))
            case syntax.Variable():
                return rebuilt(
                    node, lambda child: self._node(child, span, asked), span=span, symbol=self._own(node.symbol)
                )
            case _:
                return rebuilt(node, lambda child: self._node(child, span, asked), span=span)

    def _is_enough(self, call: syntax.Call, asked: Asked) -> bool:
        """Whether any value with the promised property does: nobody asks for more."""
        name = named_callee(call)
        enough = _PROMISED.get(name.name) if name is not None else None
        return enough is not None and asked <= enough
