"""A Boolean program as a finite program: loops to functions, functions that are not recursive inlined."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sorrel.finite.function import FiniteFunction, FiniteProgram, Property
from sorrel.finite.overflow import Overflow
from sorrel.frontends.boolean.expressions import Translation
from sorrel.frontends.boolean.loops import without_loops
from sorrel.frontends.boolean.parser import parse_expression, parse_program
from sorrel.frontends.boolean.paths import Reading, finite_function
from sorrel.frontends.boolean.syntax import Block, CallStatement, Expression, Function, If, Program
from sorrel.horn.system import CallGraph
from sorrel.logic import terms
from sorrel.logic.printing_smtlib import FUNCTION_NAMES
from sorrel.logic.sexpr import Text


def read_program(
    content: str,
    file: str = "",
    *,
    width: int = 32,
    overflow: Overflow = Overflow.WRAP,
    properties: Sequence[str] = (),
) -> FiniteProgram:
    """The first function is where the program starts; properties are about its parameters and results."""
    text = Text(content, file)
    try:
        return _read(text, width, overflow, properties)
    except RecursionError:
        raise text.error("this program is nested too deeply", 0, hint="Calls that are inlined count.") from None


def _read(text: Text, width: int, overflow: Overflow, properties: Sequence[str]) -> FiniteProgram:
    program = parse_program(text, width)
    functions = _functions(text, program)
    start = program.functions[0]
    graph = CallGraph({name: tuple(dict.fromkeys(_callees(f.body))) for name, f in functions.items()})
    inlined = frozenset(name for name in functions if name not in graph.recursive and name != start.name)
    reading = Reading(text, width, overflow, functions, inlined)
    kept = [n for n in graph.reached(start.name) if n not in inlined]
    finite = tuple(finite_function(functions[name], reading) for name in kept)
    own = [_property(text, width, finite[0], p, i) for i, p in enumerate(program.properties)]
    more = [_given(wanted, width, finite[0], len(own) + i) for i, wanted in enumerate(properties)]
    return FiniteProgram(finite, (*own, *more))


def _functions(text: Text, program: Program) -> dict[str, Function]:
    found: dict[str, Function] = {}
    names = {function.name for function in program.functions}
    for function in program.functions:
        _demand_own_names(text, function, names)
        for part in without_loops(function):
            if part.name in found:
                raise text.error(f"there are two functions {part.name}", part.at)
            found[part.name] = part
    for function in found.values():
        for call in _calls(function.body):
            if call.function.name not in found:
                raise text.error(f"there is no function {call.function.name}", call.function.at)
    return found


def _demand_own_names(text: Text, function: Function, functions: set[str]) -> None:
    """Programs become SMT-LIB text, where functions and variables share one space with the theories' names."""
    if function.name in FUNCTION_NAMES:
        raise text.error(f"{function.name} is a function of SMT-LIB", function.at, hint="Rename it.")
    seen: set[str] = set()
    for variable in (*function.parameters, *function.results, *function.declared):
        if variable.name in seen:
            raise text.error(f"{variable.name} is declared twice", variable.at)
        if variable.name in functions or variable.name in FUNCTION_NAMES:
            raise text.error(f"{variable.name} is the name of a function", variable.at, hint="Rename the variable.")
        seen.add(variable.name)


def _calls(block: Block) -> Iterable[CallStatement]:
    for statement in block:
        match statement:
            case CallStatement():
                yield statement
            case If(_, then, otherwise):
                yield from _calls(then)
                yield from _calls(otherwise)
            case _:
                pass


def _callees(block: Block) -> Iterable[str]:
    return (call.function.name for call in _calls(block))


def _given(wanted: str, width: int, start: FiniteFunction, number: int) -> Property:
    text = Text(wanted, "--property")
    return _property(text, width, start, parse_expression(text, width), number)


def _property(text: Text, width: int, start: FiniteFunction, expression: Expression, number: int) -> Property:
    """Properties are formulas: their arithmetic wraps around whatever runs do."""
    environment = {terms.name(formal): formal for formal in start.formals}
    formula = Translation(text, width, environment).formula(expression)
    return Property(f"property_{number}", start.name, formula, text.span(expression.at))
