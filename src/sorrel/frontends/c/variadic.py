"""Functions with variable arguments: a copy for each list of types that they are called with.

In a copy each argument is a parameter, a `va_list` is a position among them, and `va_arg` chooses the parameter at that
position, if that has the type that is asked for. Whoever is handed a `va_list` gets the position and the arguments.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sorrel.frontends.c import syntax
from sorrel.frontends.c.errors import Unsupported
from sorrel.frontends.c.syntax import FunctionDeclaration, Node, VariableDeclaration, named_callee, rebuilt
from sorrel.frontends.c.types import INT, VARIABLE_ARGUMENTS, VOID, CType, Floating, Integer, Pointer
from sorrel.model.errors import Span
from sorrel.program.expression import Operator

_BY_VALUE = "Keep it in a variable of the function, and give it to others by value."
STARTING, COPYING, ENDING = "__builtin_va_start", "__builtin_va_copy", "__builtin_va_end"


def needs_copy(function: FunctionDeclaration, call: syntax.Call) -> bool:
    """Whether the call hands over arguments that the function's declaration does not name."""
    listed = any(parameter.type is VARIABLE_ARGUMENTS for parameter in function.parameters)
    return function.variadic or (listed and len(call.arguments) > len(function.parameters))


class VariadicCopier:
    """One function and the types of its variable arguments; `symbols` gives numbers that nothing else has."""

    def __init__(
        self, function: FunctionDeclaration, types: tuple[CType, ...], symbols: Callable[[], int], span: Span
    ) -> None:
        if function.variadic and any(each.type is VARIABLE_ARGUMENTS for each in function.parameters):
            raise Unsupported("variable arguments beside a va_list", function.span)
        self._function = function
        self._symbols = symbols
        self._renamed: dict[int, int] = {}
        self._lists: set[int] = set()
        self._extras = tuple(
            VariableDeclaration(symbols(), "", type, span, external=False, defined=True) for type in types
        )

    def copy(self, body: syntax.Compound) -> tuple[FunctionDeclaration, syntax.Compound]:
        parameters = [self._parameter(each) for each in self._function.parameters]
        prototype = replace(self._function.prototype(), parameters=(*parameters, *self._extras), variadic=False)
        function = replace(self._function, symbol=self._symbols(), prototype=prototype.itself, external=False)
        return function, rebuilt(body, self._node)

    def _parameter(self, parameter: VariableDeclaration) -> VariableDeclaration:
        symbol = self._renamed[parameter.symbol] = self._symbols()
        if parameter.type is not VARIABLE_ARGUMENTS:
            return replace(parameter, symbol=symbol)
        self._lists.add(parameter.symbol)
        return replace(parameter, symbol=symbol, type=INT)

    def _node(self, node: Node) -> Node:
        match node:
            case syntax.Variable():
                return self._variable(node)
            case syntax.Reference() if node.type is VARIABLE_ARGUMENTS:
                return self._position(node)
            case syntax.Reference():
                return replace(node, symbol=self._renamed.get(node.symbol, node.symbol))
            case syntax.VariableArgument():
                return self._argument(node)
            case syntax.Call():
                return self._call(node)
            case syntax.AddressOf() | syntax.Expression() if VARIABLE_ARGUMENTS in (
                node.type,
                node.type.target if isinstance(node.type, Pointer) else VOID,
            ):
                raise Unsupported("a va_list that is not a variable, or its address", node.span, _BY_VALUE)
            case _:
                return rebuilt(node, self._node)

    def _variable(self, node: syntax.Variable) -> syntax.Variable:
        if node.static or node.external:
            return rebuilt(node, self._node)  # all copies share it
        symbol = self._renamed[node.symbol] = self._symbols()
        if node.type is not VARIABLE_ARGUMENTS:
            return rebuilt(node, self._node, symbol=symbol)
        self._lists.add(node.symbol)
        return syntax.Variable(node.span, INT, node.name, symbol)

    def _position(self, node: syntax.Expression) -> syntax.Reference:
        if not isinstance(node, syntax.Reference) or node.symbol not in self._lists:
            raise Unsupported("a va_list that is not a variable of the function", node.span, _BY_VALUE)
        return syntax.Reference(node.span, INT, node.name, self._renamed[node.symbol])

    def _call(self, node: syntax.Call) -> syntax.Expression:
        name = named_callee(node)
        called = name.name if name is not None else ""
        if called == STARTING:
            zero = syntax.IntegerConstant(node.span, INT, 0)
            return syntax.Assignment(node.span, INT, self._position(node.arguments[0]), zero)
        if called == COPYING:
            to, source = (self._position(each) for each in node.arguments)
            return syntax.Assignment(node.span, INT, to, source)
        if called == ENDING:
            return syntax.IntegerConstant(node.span, INT, 0)
        copied = rebuilt(node, self._node)
        if not any(each.type is VARIABLE_ARGUMENTS for each in node.arguments):
            return copied
        return replace(
            copied, arguments=(*copied.arguments, *(self._reference(each, node.span) for each in self._extras))
        )

    def _reference(self, extra: VariableDeclaration, span: Span) -> syntax.Reference:
        return syntax.Reference(span, extra.type, extra.name, extra.symbol)

    def _read_as(self, extra: VariableDeclaration, type: CType, span: Span) -> syntax.Expression:
        value = self._reference(extra, span)
        return value if extra.type == type else syntax.ImplicitConversion(span, type, value)

    def _argument(self, node: syntax.VariableArgument) -> syntax.Expression:
        """The position moves on, then tells which argument was meant."""
        span, position = node.span, self._position(node.list)
        fitting = {
            count: self._read_as(extra, node.type, span)
            for count, extra in enumerate(self._extras, start=1)
            if _may_be_read_as(extra.type, node.type)
        }
        instead = next((self._read_as(self._extras[count - 1], node.type, span) for count in fitting), None)
        chosen: syntax.Expression = syntax.MissingArgument(span, node.type, instead)
        for count, value in reversed(fitting.items()):
            here = syntax.Binary(span, INT, Operator.EQUAL, position, syntax.IntegerConstant(span, INT, count))
            chosen = syntax.Conditional(span, node.type, here, value, chosen)
        moved = syntax.Step(span, INT, syntax.StepOperator.POST_INCREMENT, position, atomic=False)
        return syntax.Comma(span, node.type, moved, chosen)


def _may_be_read_as(given: CType, wanted: CType) -> bool:
    """C17 7.16.1.1: the same type, the other signedness if the value fits, or a pointer to void or characters."""
    match given, wanted:
        case Integer(), Integer():
            return given.machine.bits == wanted.machine.bits
        case Pointer(target=one), Pointer(target=other):
            plain = (_is_plain(one), _is_plain(other))
            return one == other or all(plain) or VOID in (one, other)
        case Floating(), Floating():
            return given == wanted
        case _:
            return given == wanted


def _is_plain(type: CType) -> bool:
    return isinstance(type, Integer) and type.machine.bits == 8
