"""Whether a program is well formed: names, labels, types, calls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TypeAlias

from sorrel.model.errors import InternalError
from sorrel.model.values import dataclass
from sorrel.program.evaluation import UndefinedOperation, compile, evaluate
from sorrel.program.expression import Apply, Expression, Variable
from sorrel.program.printing import Directive, pieces
from sorrel.program.program import Procedure, Program, successors
from sorrel.program.statement import Assert, Assign, Assume, Block, Branch, Call, Print, Statement, Stop, Terminator
from sorrel.program.traversal import expressions, free_variables, steps, subexpressions, written
from sorrel.program.types import BOOLEAN, DOUBLE, Array, Type, is_integer
from sorrel.program.typing import complaint
from sorrel.program.value import Value

Subject: TypeAlias = Statement | Terminator | Block | Procedure | Variable | Program


@dataclass(frozen=True, slots=True)
class Complaint:
    """What is wrong, and the thing that it is wrong with; procedure and block are empty where there is none."""

    message: str
    subject: Subject
    procedure: str = ""
    block: str = ""

    def __str__(self) -> str:
        places = [f"procedure {self.procedure}"] if self.procedure else []
        places += [f"block {self.block}"] if self.block else []
        span = getattr(self.subject, "span", None)
        places += [str(span)] if span is not None and span.line else []
        return ": ".join([", ".join(places), self.message]) if places else self.message


def validate(program: Program) -> None:
    """Raise if the program is ill formed: whoever made it broke a promise."""
    wrong = next(complaints(program), None)
    if wrong is not None:
        raise InternalError(f"the program is ill formed: {wrong}")


def complaints(program: Program) -> Iterator[Complaint]:
    """Everything that is wrong, in the order of the program."""
    names = [procedure.name for procedure in program.procedures]
    yield from (Complaint(f"two procedures are called {name}", program) for name in _twice(names))
    yield from _about_globals(program)
    for procedure in program.procedures:
        yield from _about_procedure(program, procedure)
    if program.main not in names:
        yield Complaint(f"there is no procedure {program.main} to start with", program)


def _twice(names: list[str]) -> list[str]:
    return [name for name, count in Counter(names).items() if count > 1]


def _about_globals(program: Program) -> Iterator[Complaint]:
    known = {variable.name: variable for variable in program.globals}
    for name in _twice([variable.name for variable in program.globals]):
        yield Complaint(f"two globals are called {name}", known[name])
    for name, value in program.initial.items():
        if name not in known:
            yield Complaint(f"{name} has an initial value but is not a global", program)
            continue
        yield from (Complaint(message, known[name]) for message in _about_initial(value, known[name].type))


def _about_initial(value: Expression, type: Type) -> Iterator[str]:
    """An initial value is a constant: it depends on nothing, and it is defined."""
    wrong = next(_about_expression(value, {}), None)
    if wrong is None and any(isinstance(node, Apply) for node in subexpressions(value)):
        wrong = "an initial value applies an uninterpreted function"
    if wrong is not None:
        yield wrong
        return
    if value.type != type:
        yield f"the initial value is of type {value.type}, not {type}"
    try:
        evaluate(compile(value, frozenset()), {}, {}, _no_function)
    except UndefinedOperation as undefined:
        yield f"the initial value is undefined: {undefined.message}"


def _no_function(function: str, arguments: tuple[Value, ...], type: Type) -> Value:
    raise InternalError(f"the function {function} has no value here")


def _about_procedure(program: Program, procedure: Procedure) -> Iterator[Complaint]:
    name = procedure.name
    scope = {variable.name: variable for variable in (*program.globals, *procedure.variables)}
    yield from (Complaint(message, procedure, name) for message in _about_names(program, procedure))
    if procedure.entry not in procedure.block:
        yield Complaint(f"there is no block {procedure.entry} to start with", procedure, name)
    for label in _twice([block.label for block in procedure.blocks]):
        yield Complaint(f"two blocks are labelled {label}", procedure, name)
    for block in procedure.blocks:
        for step in steps(block):
            yield from (Complaint(message, step, name, block.label) for message in _about_step(program, step, scope))
        for target in successors(block.terminator):
            if target not in procedure.block:
                yield Complaint(f"there is no block {target} to go to", block.terminator, name, block.label)


def _about_names(program: Program, procedure: Procedure) -> Iterator[str]:
    """A variable may be parameter and output at once; no two variables share a name."""
    for group in (procedure.parameters, procedure.outputs, procedure.locals):
        yield from (f"{name} is declared twice" for name in _twice([variable.name for variable in group]))
    outer = [*procedure.parameters, *procedure.outputs]
    yield from (f"the local {each.name} is also a parameter or output" for each in procedure.locals if each in outer)
    distinct = [*program.globals, *procedure.variables]
    yield from (f"two variables are called {name}" for name in _twice([variable.name for variable in distinct]))


def _about_step(program: Program, step: Statement | Terminator, scope: dict[str, Variable]) -> Iterator[str]:
    wrong = False
    for expression in expressions(step):
        for message in _about_expression(expression, scope):
            wrong = True
            yield message
    for variable in written(step):
        yield from _about_variable(variable, scope)
    if wrong:
        return
    match step:
        case Assign(target, value) if target.type != value.type:
            yield f"a value of type {value.type} is assigned to {target.name}, which is of type {target.type}"
        case Assume(condition) | Assert(condition) | Branch(condition) if condition.type != BOOLEAN:
            yield f"the condition is of type {condition.type}, not bool"
        case Call():
            yield from _about_call(program, step)
        case Print(format, arguments):
            yield from _about_text(format, arguments)
        case Stop(_, status) if status is not None and not is_integer(status.type):
            yield f"the status is of type {status.type}, no integer"
        case _:
            pass


def _about_text(format: str, arguments: tuple[Expression, ...]) -> Iterator[str]:
    if any(ord(character) > 255 for character in format):
        yield "a character of a text is not a byte"
    try:
        wanted = [kind for piece in pieces(format) if isinstance(piece, Directive) for kind in piece.kinds]
    except ValueError as problem:
        yield str(problem)
        return
    if len(wanted) != len(arguments):
        yield f"{len(arguments)} arguments are printed where {len(wanted)} are named"
    for kind, argument in zip(wanted, arguments, strict=False):
        fitting = argument.type == DOUBLE if kind is float else isinstance(argument.type, Array)
        fitting = is_integer(argument.type) if kind is int else fitting
        if not fitting:
            yield f"a value of type {argument.type} is printed as another"


def _about_expression(expression: Expression, scope: dict[str, Variable]) -> Iterator[str]:
    for variable in free_variables(expression):
        yield from _about_variable(variable, scope)
    for node in subexpressions(expression):
        message = complaint(node)
        if message:
            yield message
            return  # what contains a wrong expression is wrong by it


def _about_variable(variable: Variable, scope: dict[str, Variable]) -> Iterator[str]:
    declared = scope.get(variable.name)
    if declared is None:
        yield f"the variable {variable.name} is not declared"
    elif declared.type != variable.type:
        yield f"the variable {variable.name} is of type {declared.type} and used as {variable.type}"


def _about_call(program: Program, call: Call) -> Iterator[str]:
    callee = program.procedure.get(call.procedure)
    if callee is None:
        yield f"there is no procedure {call.procedure} to call"
        return
    given, wanted = len(call.arguments), len(callee.parameters)
    if given != wanted:
        yield f"{callee.name} is called with {given} arguments and has {wanted} parameters"
    for parameter, argument in zip(callee.parameters, call.arguments, strict=False):
        if parameter.type != argument.type:
            yield f"{callee.name} takes {parameter.type} for {parameter.name} and is given {argument.type}"
    if len(call.results) != len(callee.outputs):
        yield f"{len(call.results)} results are taken from {callee.name}, which has {len(callee.outputs)} outputs"
    for output, result in zip(callee.outputs, call.results, strict=False):
        if result is not None and result.type != output.type:
            yield f"the output {output.name} of {callee.name} is of type {output.type}, not {result.type}"
    results = [result.name for result in call.results if result is not None]
    yield from (f"{name} takes two results of one call" for name in _twice(results))
