"""Java files to a program: the whole path on one page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sorrel.frontends.errors import Unsupported
from sorrel.frontends.java.classes import Classes, Method
from sorrel.frontends.java.context import Context, Translation, Value, ZeroUse
from sorrel.frontends.java.statements import StatementReader
from sorrel.frontends.java.tree import Node, parse, unparenthesized
from sorrel.frontends.java.types import JavaType, Primitive, Reference, is_reference, program_type, read_type
from sorrel.model.assumption import AssumptionKind
from sorrel.model.errors import InputError, Span
from sorrel.model.source import Source
from sorrel.program.construction import binary
from sorrel.program.expression import Constant, Operator, Variable
from sorrel.program.program import Procedure, Program
from sorrel.program.statement import Assume, Block, Call, Choice, Goto, Havoc, Return
from sorrel.program.types import UNBOUNDED

ENTRY = "entry.point"
RESULT = "return.value"
_COMPARISONS = {"compare": 2, "compareTo": 1}
"""The methods that a class is a comparator by, with the number of their parameters."""


def read(sources: Sequence[Source], function: str = "", *, narrow: bool = False) -> Program:
    """The program that calls the method with any arguments; without a name, the comparison of the only class that
    has one. A `narrow` program does not do what is not modelled: its violations are real, its proofs are none.
    """
    trees = [parse(source.read(), source.name) for source in sources]
    classes = Classes([tree for tree, _ in trees])
    entry = _entry(classes, function)
    tested = tuple(dict.fromkeys(type for tree, _ in trees for type in _tested(tree)))
    translation = Translation(classes, entry, _is_comparator(entry), narrow, tested)
    for _, notes in trees:
        for note in notes:
            translation.assume(AssumptionKind.OTHER, note)
    name = translation.procedure(entry)
    procedures = []
    while translation.pending:
        procedures.append(_procedure(translation, translation.pending.pop(0)))
    if translation.fresh and translation.identity:
        hint = "Compare them with equals."
        raise Unsupported("a comparison of objects that may have been made on the way", translation.identity, hint=hint)
    start = _start(translation, entry, name)
    return Program((*procedures, start), main=ENTRY, assumptions=translation.told)


def _tested(tree: Node) -> Iterator[JavaType]:
    """The types of objects that are tested for or cast to."""
    stack = [tree]
    while stack:
        node = stack.pop()
        named = node.get("right") if node.kind == "instanceof_expression" else None
        named = node.get("type") if node.kind == "cast_expression" else named
        if named is not None and is_reference(type := read_type(named)):
            yield type
        stack += node.children


def question(sources: Sequence[Source], function: str) -> tuple[Classes, Method]:
    """The classes of the files, and the method that is asked about."""
    classes = Classes([parse(source.read(), source.name)[0] for source in sources])
    return classes, _entry(classes, function)


def called(program: Program) -> str:
    """The procedure that a program made by `read` is about."""
    return program.procedure[ENTRY].callees[0]


# The method that it is about


def _entry(classes: Classes, function: str) -> Method:
    owner, _, name = function.rpartition(".")
    found = [
        method
        for each in classes.all.values()
        if owner in ("", each.name)
        for methods in each.methods.values()
        for method in methods
        if method.body is not None and (method.name == name if name else _compares(method))
    ]
    if len(found) == 1:
        return found[0]
    wanted = function or "compare or compareTo"
    if not found:
        raise InputError(f"there is no method {wanted} with a body", hint="Name a method with --function.")
    places = ", ".join(f"{method.owner}.{method.name} ({method.span})" for method in found)
    raise InputError(f"there are several methods {wanted}: {places}", hint="Say which with --function CLASS.METHOD.")


def _compares(method: Method) -> bool:
    return _COMPARISONS.get(method.name) == len(method.parameters)


def _is_comparator(method: Method) -> bool:
    """Whether laws are about the arguments alone: the receiver is the comparator, the same in all runs."""
    return method.name == "compare" and len(method.parameters) == 2 and not method.static


# Procedures


def _procedure(translation: Translation, method: Method) -> Procedure:
    if method.body is None:
        raise InputError(f"{method.name} has no body", method.span)
    context = Context(translation, method, frozenset(_assigned(method.body)))
    parameters = [context.parameter(name, type) for name, type in _parameters(translation, method)]
    result = None if method.result == Primitive.VOID else Variable(RESULT, program_type(method.result))
    entry = context.builder.current.label
    StatementReader(context, result).read(method.body)
    context.builder.end(Return(method.span))
    blocks = context.builder.finished(entry)
    first = Block("start", tuple(context.beginning), Goto(entry))
    names = {**context.source_names, **({RESULT: "\\result"} if result else {})}
    return Procedure(
        translation.procedure(method),
        tuple(parameters),
        (result,) if result else (),
        tuple(context.locals.values()),
        (first, *blocks),
        first.label,
        method.span,
        names,
    )


def _parameters(translation: Translation, method: Method) -> Iterator[tuple[str, JavaType]]:
    if not method.static and not (method is translation.entry and translation.shared_receiver):
        yield "this", Reference(method.owner)
    for parameter in method.parameters:
        yield parameter.name, parameter.type


def _assigned(body: Node) -> Iterator[str]:
    """The names of variables that get another value than the one they are declared with."""
    stack = [body]
    while stack:
        node = stack.pop()
        if node.kind == "assignment_expression":
            yield unparenthesized(node["left"]).text
        elif node.kind == "update_expression":
            yield unparenthesized(node.children[0]).text
        elif node.kind == "variable_declarator" and node.get("value") is None:
            yield node["name"].text
        stack += node.children


def _start(translation: Translation, entry: Method, name: str) -> Procedure:
    """Stands for every caller: any arguments, the receiver not null.

    How objects are numbered is ours to choose: null is 0, and the arguments have numbers above.
    """
    span = entry.span
    context = Context(translation, entry, frozenset())
    arguments = []
    for parameter, type in _parameters(translation, entry):
        variable = context.parameter(parameter, type)
        input = context.temporary(parameter, variable.type)
        context.builder.emit(Havoc(input, Choice.INPUT, parameter, span))
        if variable.type == UNBOUNDED:
            least = Constant(1 if parameter == "this" else 0, UNBOUNDED)
            context.builder.emit(Assume(binary(Operator.AT_MOST, least, input), "", span))
        context.typed(Value(input, type), span)
        arguments.append(input)
    _doubt_zeros(context, span)
    label = context.builder.current.label
    results = () if entry.result == Primitive.VOID else (None,)
    context.builder.emit(Call(name, tuple(arguments), results, span))
    context.builder.end(Return(span))
    locals_ = tuple(context.locals.values())
    return Procedure(ENTRY, (), (), locals_, context.builder.finished(label), label, span)


def _doubt_zeros(context: Context, span: Span) -> None:
    """Runs that tell zeros apart and make negative ones may go another way; a value that is not modelled says so."""
    if set(ZeroUse) <= context.translation.negative_zeros:
        doubt = context.temporary("doubt", UNBOUNDED)
        context.builder.emit(Havoc(doubt, Choice.ABSTRACTION, "the sign of a zero", span))
