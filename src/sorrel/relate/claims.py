"""Specifications of functions as products: all runs are made, what is required is assumed, the rest asserted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from sorrel.model.assumption import AssumptionKind, Premise
from sorrel.model.errors import InputError, InternalError
from sorrel.model.values import dataclass
from sorrel.program.construction import FALSE, TRUE, binary, every
from sorrel.program.expression import Constant, Expression, Operator, Variable
from sorrel.program.inline import calling_themselves
from sorrel.program.program import Procedure, Program
from sorrel.program.statement import Assert, Assign, Assume, Block, Branch, Call, Goto, Havoc, Kind, Return, Statement
from sorrel.program.tails import loops_as_tail_calls
from sorrel.program.types import BOOLEAN, UNBOUNDED, Machine, Real, Unbounded
from sorrel.relate.copies import Copies
from sorrel.relate.product import ENTRY, Claim, Composition, Product, composed, multiplied
from sorrel.relate.product_procedure import call
from sorrel.relate.specification import RESULT, Specification, read_formula

SAME_START = Premise(AssumptionKind.QUESTION, "All runs start with the same values of global variables.")
RUNS_OF = "runs."
"""Begins the name of a procedure that runs a function for all inputs; the dot keeps users from having it."""


@dataclass(frozen=True, slots=True)
class FunctionOfAnyInputs:
    """A function for all inputs: a program whose main procedure returns the inputs that it made up, and the result.

    `names` are what the user calls these values, in order.
    """

    program: Program
    names: tuple[str, ...]

    @property
    def start(self) -> Procedure:
        return self.program.procedure[self.program.main]


def subject(program: Program, function: str) -> FunctionOfAnyInputs:
    """A program that calls the function once, with inputs of its own making, so that they can be spoken about."""
    entry = program.procedure[program.main]
    callee = program.procedure.get(function)
    if callee is None:
        raise InputError(f"there is no function {function} with a body")
    named = _named(callee)
    inputs = [Variable(f"input.{position}", callee.parameters[position].type) for position, _ in named]
    outputs = [Variable(f"result.{position}", v.type) for position, v in enumerate(callee.outputs)]
    results = [v for v, own in zip(outputs, callee.outputs, strict=True) if callee.source_names.get(own.name) == RESULT]
    if not results:
        raise InputError(f"{function} returns no number, so that nothing can be ensured about it")

    def changed(statement: Statement) -> Iterable[Statement]:
        if not isinstance(statement, Call) or statement.procedure != function:
            return (statement,)
        given = [Assign(v, statement.arguments[p]) for v, (p, _) in zip(inputs, named, strict=True)]
        return (*given, replace(statement, results=tuple(outputs)))

    start = replace(
        entry,
        name=f"{RUNS_OF}{function}",
        outputs=(*inputs, *results),
        locals=(*entry.locals, *(v for v in outputs if v not in results)),
        blocks=tuple(
            replace(block, statements=tuple(new for old in block.statements for new in changed(old)))
            for block in entry.blocks
        ),
    )
    procedures = tuple(start if each is entry else each for each in program.procedures)
    made = replace(program, procedures=procedures, main=start.name)
    return FunctionOfAnyInputs(made, (*(name for _, name in named), *(RESULT for _ in results)))


def _named(callee: Procedure) -> list[tuple[int, str]]:
    """The parameters that are numbers, by position and with the user's name.

    One of a type without bounds is a number if the user knows the variable itself; else it is how we see a pointer.
    """
    found = []
    for position, variable in enumerate(callee.parameters):
        name = callee.source_names.get(variable.name, variable.name)
        plain = isinstance(variable.type, Unbounded | Real) and "." not in variable.name
        if plain or isinstance(variable.type, Machine) or variable.type == BOOLEAN:
            found.append((position, name))
    return found


def parameters(program: Program, function: str) -> tuple[str, ...]:
    """The names of the function's parameters, all of which must be numbers: laws speak of all of them."""
    callee = program.procedure.get(function)
    if callee is None:
        raise InputError(f"there is no function {function} with a body")
    named = _named(callee)
    if len(named) < len(callee.parameters):
        hint = "Write a specification of your own about the parameters that are numbers."
        raise InputError(f"{function} has parameters that are not numbers; laws by name are about numbers", hint=hint)
    return tuple(name for _, name in named)


def claimed(
    specification: Specification,
    subjects: Mapping[str, FunctionOfAnyInputs],
    function: str,
    composition: Composition = Composition.LOCKSTEP,
) -> Product:
    """The product of the runs that the specification speaks of; one that names no function is of the given one."""
    functions = [run.function or function for run in specification.runs]
    copies = Copies(len(functions))
    together, origins = loops_as_tail_calls(_united([each.program for each in subjects.values()]))
    statements: list[Statement] = list(_same_globals(together, copies))
    variables: list[tuple[Variable, ...]] = [()] * len(functions)
    for name in dict.fromkeys(functions):
        start = together.procedure[subjects[name].start.name]
        inside = [TRUE if each == name else FALSE for each in functions]
        made, taken = call(start, copies, inside, [() for _ in functions], start.span)
        statements.append(made)
        for index, each in enumerate(functions):
            variables[index] = taken[index] if each == name else variables[index]
    scope: dict[str, dict[str, Expression]] = {
        run.name: dict(zip(subjects[each].names, values, strict=True))
        for run, each, values in zip(specification.runs, functions, variables, strict=True)
    }
    required, ensured = (
        every([read_formula(text, scope, specification.name) for text in texts])
        for texts in (specification.requires, specification.ensures)
    )
    span = together.procedure[function].span
    message = f"{specification.name} does not hold: {' && '.join(specification.ensures)}"
    statements += [Assume(required, "", span), Assert(ensured, Kind.LEAK, message, span)]
    locals_ = tuple(dict.fromkeys(v for s in statements if isinstance(s, Call) for v in s.results if v is not None))
    entry = Procedure(
        ENTRY, (), (), locals_, (Block("start", tuple(statements), Return(span)),), "start", span, _shown(scope)
    )
    originals = tuple(subjects[each].program for each in functions)
    whole = multiplied(together, copies, entry, composition)
    # Only what calls itself needs a summary; a proof about less is smaller, and quickly checked.
    program, known = composed(whole, copies, composition, calling_themselves(whole))
    return Product(originals, program, known, origins, Claim(required, ensured, tuple(variables)))


def _shown(scope: Mapping[str, Mapping[str, Expression]]) -> dict[str, str]:
    return {
        value.name: f"{run}.{name}"
        for run, names in scope.items()
        for name, value in names.items()
        if isinstance(value, Variable)
    }


def _united(programs: Sequence[Program]) -> Program:
    """One program with the procedures and globals of all."""
    first = programs[0]
    procedures: dict[str, Procedure] = {}
    globals_: dict[str, Variable] = {}
    initial: dict[str, Expression] = {}
    for program in programs:
        for procedure in program.procedures:
            if procedures.setdefault(procedure.name, procedure) != procedure:
                raise InputError(f"{procedure.name} uses memory that two functions see differently")
        for variable in program.globals:
            if globals_.setdefault(variable.name, variable) != variable:
                raise InternalError(f"the global {variable.name} has two types")
        initial.update(program.initial)
    assumptions = tuple(dict.fromkeys(each for program in programs for each in program.assumptions))
    return replace(
        first,
        procedures=tuple(procedures.values()),
        globals=tuple(globals_.values()),
        initial=initial,
        assumptions=(*assumptions, SAME_START),
    )


def any_of(subjects: Sequence[FunctionOfAnyInputs]) -> Program:
    """A program whose runs are those of each of the functions: what none of them does, no run of a law does."""
    together = _united([each.program for each in subjects])
    labels = [f"{RUNS_OF}any.{position}" for position in range(len(subjects))]
    which = Variable(f"{RUNS_OF}which", UNBOUNDED)
    blocks: list[Block] = []
    for position, (label, each) in enumerate(zip(labels, subjects, strict=True)):
        call = Call(each.start.name, (), (None,) * len(each.start.outputs))
        blocks.append(Block(f"{label}.run", (call,), Return()))
        chosen = binary(Operator.EQUAL, which, Constant(position, UNBOUNDED))
        more = labels[position + 1] if position + 1 < len(labels) else f"{label}.run"
        blocks.append(Block(label, (), Branch(chosen, f"{label}.run", more)))
    first = Block(f"{RUNS_OF}any", (Havoc(which),), Goto(labels[0]))
    main = Procedure(first.label, (), (), (which,), (first, *blocks), first.label)
    return replace(together, procedures=(*together.procedures, main), main=main.name)


def _same_globals(program: Program, copies: Copies) -> Iterable[Assume]:
    for variable in program.globals:
        if variable.name not in program.initial:
            equal = [binary(Operator.EQUAL, one, other) for one, other in pairwise(copies.variables(variable))]
            if equal:
                yield Assume(every(equal))
