"""Calls: of the program's own functions, of those that mean something by name, of those without a body."""

from __future__ import annotations

from functools import partial

from sorrel.frontends.c import syntax
from sorrel.frontends.c.classification import classified
from sorrel.frontends.c.context import Context
from sorrel.frontends.c.direct_calls import DirectCalls
from sorrel.frontends.c.errors import Unsupported
from sorrel.frontends.c.evaluation import Evaluator
from sorrel.frontends.c.external import ExternalCalls
from sorrel.frontends.c.indirect_calls import IndirectCalls
from sorrel.frontends.c.library.catalogue import is_writer
from sorrel.frontends.c.library.meanings import PURPOSES, Meaning, meaning
from sorrel.frontends.c.linking import LinkedFunction
from sorrel.frontends.c.memory import Memory
from sorrel.frontends.c.memory_functions import MemoryFunctions
from sorrel.frontends.c.observations import Observations
from sorrel.frontends.c.operations import choose, compare, convert, exact, from_truth, to_type
from sorrel.frontends.c.output import Output
from sorrel.frontends.c.pointer_uses import called_function
from sorrel.frontends.c.promises import Promises
from sorrel.frontends.c.syntax import converted_from
from sorrel.frontends.c.types import INT, Integer
from sorrel.frontends.c.values import UNKNOWN, Value, is_expression
from sorrel.model.assumption import AssumptionKind
from sorrel.model.errors import Span
from sorrel.program.construction import FALSE
from sorrel.program.creation import THREAD_BEGIN, THREAD_JOIN
from sorrel.program.expression import Binary, Constant, Expression, Operator, Unary, UnaryOperator
from sorrel.program.statement import READS, Assert, Assume, Choice, Kind, Stop
from sorrel.program.types import BOOLEAN, UNBOUNDED, is_integer

_OVERFLOWING = {"add": Operator.ADD, "sub": Operator.SUBTRACT, "mul": Operator.MULTIPLY}
_ABORTING, _ABORTED = ("abort", "__builtin_abort"), 134  # as a shell tells of a process that SIGABRT ended


class Calls:
    def __init__(self, context: Context, memory: Memory, evaluator: Evaluator) -> None:
        self._context = context
        self._memory = memory
        self._evaluator = evaluator
        self._blocks = MemoryFunctions(context, memory, evaluator)
        self._external = ExternalCalls(context, memory, evaluator, self._blocks)
        self._promises = Promises(context, evaluator, self._external)
        self._observations = Observations(context, memory, evaluator)
        self._output = Output(context, memory, evaluator)
        self._direct = DirectCalls(context, memory, evaluator)
        self._indirect = IndirectCalls(context, memory, evaluator, self._direct, self._external)
        self._translation = context.translation

    def call(self, node: syntax.Call, wanted: bool = True) -> Value:
        """`wanted`: whether anything is done with the value."""
        name = called_function(node, self._translation.linked)
        if name is None:
            return self._through_pointer(node, wanted)
        function = self._translation.functions[name]
        meant = meaning(function.source_name, function.body is not None)
        if meant is not None:
            return self._by_meaning(node, meant, function)
        if self._writes(name):
            return self._written(node, name, wanted)
        if function.body is None:
            return self._external.call(node, function)
        if name == THREAD_JOIN and THREAD_BEGIN not in self._translation.functions:
            raise Unsupported("joining a thread that the program did not create", node.span)
        value = self._direct.call(node, name)
        # A program may have announced a function of the library with a result of another width.
        if function.library and isinstance(node.type, Integer) and is_expression(value):
            return to_type(value, node.type)
        return value

    def _through_pointer(self, node: syntax.Call, wanted: bool) -> Value:
        names = self._translation.points_to.called(node)
        pointer = self._indirect.pointer(node)
        if len(names) == 1 and self._writes(names[0]):
            self._context.check(self._memory.is_set(pointer), "call through a null pointer", node.span)
            return self._written(node, names[0], wanted)
        return self._indirect.call(node, names, pointer)

    # Functions that mean something by name

    def _writes(self, name: str) -> bool:
        function = self._translation.functions[name]
        return function.library and is_writer(function.source_name)

    def _written(self, node: syntax.Call, name: str, wanted: bool) -> Value:
        function = self._translation.functions[name]
        self._output.write(function.source_name, node)
        if function.body is not None:
            return self._direct.call(node, name)
        self._external.tell_of_reading(node, function)
        return self._external.any(node, Choice.ABSTRACTION, function.source_name) if wanted else UNKNOWN

    def _by_meaning(self, node: syntax.Call, meant: Meaning, function: LinkedFunction) -> Value:
        arguments = node.arguments
        match meant:
            case Meaning.INPUT:
                return self._external.any(node, Choice.INPUT, function.source_name)
            case Meaning.ERROR:
                self._fail(Kind.ERROR_CALL, f"{function.source_name} is called", node.span)
            case Meaning.ASSERTION_FAILURE:
                self._fail(Kind.ASSERTION, _message(node), node.span)
            case Meaning.ASSERT:
                condition = self._evaluator.condition(arguments[0])
                self._context.builder.emit(Assert(condition, Kind.ASSERTION, "assertion", node.span))
            case Meaning.ASSUME:
                condition = self._evaluator.condition(arguments[0])
                self._context.builder.emit(Assume(condition, "", node.span))
            case Meaning.STOP:
                status = self._status(function.source_name, arguments)
                if function.source_name == "exit" and not self._translation.settings.is_from_outside:
                    self._memory.watch.check_at_end(node.span)
                self._context.builder.end(Stop(node.span, status))
            case Meaning.ARGUMENT_LIST:
                return UNKNOWN
            case Meaning.FREE:
                self._blocks.free(arguments[0], node.span)
            case Meaning.FIRST_ARGUMENT:
                return self._evaluator.scalar(arguments[0])
            case Meaning.ABSOLUTE:
                return self._absolute(node)
            case Meaning.ALLOCATE | Meaning.ALLOCATE_ZEROED:
                return self._blocks.allocate(node, meant is Meaning.ALLOCATE_ZEROED)
            case Meaning.REALLOCATE:
                return self._blocks.reallocate(node)
            case Meaning.FILL:
                return self._blocks.fill(node)
            case Meaning.COPY:
                return self._blocks.copy(node, may_overlap=function.source_name.endswith("memmove"))
            case Meaning.OBSERVE:
                self._observations.value(node, PURPOSES[function.source_name])
            case Meaning.OBSERVE_ARRAY:
                self._observations.array(node, PURPOSES[function.source_name])
            case Meaning.UNREACHABLE:
                told = f"{function.source_name} is never reached."
                self._translation.assume(AssumptionKind.OTHER, told)
                self._context.builder.end(Stop(node.span))
            case Meaning.FROM_OUTSIDE:
                return self._external.any(node, Choice.INPUT, f"{READS}{self._context.within}")
            case Meaning.ANY | Meaning.POSITIVE | Meaning.NONZERO:
                return self._promises.unspecified(node, meant)
            case Meaning.SECTION_BEGINS | Meaning.SECTION_ENDS:
                self._context.atomic_section(meant is Meaning.SECTION_BEGINS, node.span)
                return UNKNOWN
            case Meaning.REQUIRE:
                self._promises.require(arguments[0], node.span)
            case Meaning.SEPARATE:
                self._promises.separate(node)
            case Meaning.BEHIND:
                return self._promises.behind(node)
            case Meaning.CLASSIFY:
                return self._classified(node, function.source_name)
            case Meaning.OVERFLOWING:
                return self._overflowing(node, function.source_name)
            case Meaning.CONSTANT_KNOWN:
                return self._either(node, function.source_name)
            case Meaning.NOT_SUPPORTED:
                hint = "Verify the functions that do not need it, each with --function NAME."
                raise Unsupported(f"the function {function.source_name}", node.span, hint)
        return UNKNOWN

    def _status(self, name: str, arguments: tuple[syntax.Expression, ...]) -> Expression | None:
        """What the environment is told: the lowest byte of the argument, or that of a program that was aborted."""
        if name in _ABORTING:
            return Constant(_ABORTED, INT.machine)
        values = [self._evaluator.scalar(argument) for argument in arguments]
        return values[0] if len(values) == 1 and is_integer(values[0].type) else None

    def _fail(self, kind: Kind, message: str, span: Span) -> None:
        self._context.builder.emit(Assert(FALSE, kind, message, span))
        self._context.builder.end(Stop(span))

    def failed_assertion(self, node: syntax.Node) -> syntax.Call | None:
        """The call that the assert macro makes when its condition is false, if this is only that."""
        while isinstance(node, syntax.Compound) and len(node.statements) == 1:
            node = node.statements[0]
        name = called_function(node, self._translation.linked) if isinstance(node, syntax.Call) else None
        if name is None or not isinstance(node, syntax.Call):
            return None
        function = self._translation.functions[name]
        meant = meaning(function.source_name, function.body is not None)
        return node if meant is Meaning.ASSERTION_FAILURE else None

    def assertion(self, condition: syntax.Expression, failure: syntax.Call, span: Span) -> None:
        test = self._evaluator.condition(condition)
        self._context.builder.emit(Assert(test, Kind.ASSERTION, _message(failure), span))

    def _absolute(self, node: syntax.Call) -> Value:
        value = to_type(self._evaluator.scalar(node.arguments[0]), node.type)
        negative = compare(Operator.LESS, value, Constant(0, value.type))
        return choose(negative, Unary(UnaryOperator.NEGATE, value, value.type), value)

    def _classified(self, node: syntax.Call, name: str) -> Value:
        value = self._evaluator.scalar(node.arguments[0])
        found = classified(name, value)
        return self._evaluator.unknown(INT, node.span) if found is None else found

    def _overflowing(self, node: syntax.Call, name: str) -> Value:
        """The exact result, as far as it fits where it is written; whether it does not fit."""
        left, right, result = node.arguments
        operator = next(each for letters, each in _OVERFLOWING.items() if letters in name)
        one, other = self._evaluator.keeping.sequence(
            [partial(self._evaluator.scalar, left), partial(self._evaluator.scalar, right)], node.span
        )
        place = self._evaluator.followed(result)
        if not is_expression(one) or not is_expression(other) or not isinstance(place.type, Integer):
            raise Unsupported(f"{name} of these types", node.span)
        exactly = self._context.saved(Binary(operator, exact(one), exact(other), UNBOUNDED), "exact", node.span)
        stored = self._context.saved(convert(exactly, place.type.machine), "stored", node.span)
        self._memory.write(place, stored, node.span)
        return compare(Operator.DIFFERENT, exactly, exact(stored))

    def _either(self, node: syntax.Call, name: str) -> Value:
        """0 or 1, as the compiler likes. The argument is not evaluated."""
        known = self._context.temporary(name, BOOLEAN)
        self._context.havoc(known, Choice.ABSTRACTION, name, node.span)
        return from_truth(known, INT)


def _message(node: syntax.Call) -> str:
    """The text of the condition that the assert macro passes on."""
    for argument in node.arguments[:1]:
        inner = converted_from(argument)
        if isinstance(inner, syntax.StringLiteral):
            return "assertion " + bytes(inner.characters).decode("utf-8", "replace")
    return "assertion"
