"""Loops and recursive functions that are functions: equal inputs give equal outputs.

A comparison that looks up both objects in a list searches for o1 and then for o2 in one run, and the other way round in
the other: no rounds of these loops belong together, but the same search for the same object ends in the same place. So
what a loop computes that chooses, writes and asserts nothing is said to be a value of a function (as Godlin and
Strichman, Regression verification, 2009, say of recursive calls), and loops of one code compute one function. That is
true of all runs, for functions that do what the loops do, so what is proved with it holds without it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256

from sorrel.program.construction import binary
from sorrel.program.effects import Effects, effects
from sorrel.program.expression import Apply, Expression, Operator, Variable
from sorrel.program.graph import called, reverse_postorder
from sorrel.program.inline import calling_themselves
from sorrel.program.liveness import open_starts
from sorrel.program.program import Procedure, Program
from sorrel.program.recursion import loops_as_procedures
from sorrel.program.statement import Assign, Assume, Block, Call, Havoc, Observe, Statement
from sorrel.program.traversal import read, rename, retarget, rewrite_terminator, steps, substitute, written
from sorrel.program.types import Array
from sorrel.program.writing import write_step


def with_functions(programs: Sequence[Program]) -> tuple[Program, ...] | None:
    """The programs with loops as procedures that compute values of functions; None if no function is met twice.

    One that is met once is met by all runs at the same place, where they are compared anyway.
    """
    flat = [loops_as_procedures(program)[0] for program in programs]
    codes = [_functions(program) for program in flat]
    met: Counter[str] = Counter()
    for program, own in zip(flat, codes, strict=True):
        for name, times in _calls(program, frozenset(own)).items():
            met[own[name]] += times
    if not any(times > 1 for times in met.values()):
        return None
    return tuple(
        _calling(program, {name: code for name, code in own.items() if met[code] > 1})
        for program, own in zip(flat, codes, strict=True)
    )


def _functions(program: Program) -> dict[str, str]:
    """The procedures that call themselves and are functions, with their code."""
    known = effects(program)
    found = calling_themselves(program)
    return {name: _code(program, name) for name in sorted(found) if _is_function(program, name, known[name])}


def _calling(program: Program, codes: Mapping[str, str]) -> Program:
    known = effects(program)
    # A name that only this code has, in whatever program.
    functions = {name: f"loop.{sha256(code.encode()).hexdigest()}" for name, code in codes.items()}
    made = (
        each if each.name in functions else _Caller(program, each, functions, known).result()
        for each in program.procedures
    )
    return replace(program, procedures=tuple(made))


def _calls(program: Program, functions: frozenset[str]) -> Mapping[str, int]:
    """How many calls of the functions there are in the main procedure if all others are part of their callers.

    A call in a recursive procedure that is no function counts once.
    """
    found: Counter[str] = Counter()
    work = [(program.main, frozenset({program.main}))]
    while work:
        name, inside = work.pop()
        for block in program.procedure[name].blocks:
            for statement in block.statements:
                if isinstance(statement, Call):
                    if statement.procedure in functions:
                        found[statement.procedure] += 1
                    elif statement.procedure not in inside:
                        work.append((statement.procedure, inside | {statement.procedure}))
    return found


def _reached(program: Program, start: str) -> list[Procedure]:
    """The procedure and all that it calls."""
    return [program.procedure[name] for name in called(program, start)]


def _is_function(program: Program, name: str, known: Effects) -> bool:
    """Whether its outputs depend on parameters and globals alone, and nothing else comes of it."""
    procedure = program.procedure[name]
    if known.writes or known.may_fail or not procedure.outputs:
        return False
    if any(isinstance(v.type, Array) for v in (*procedure.parameters, *procedure.outputs, *known.reads)):
        return False
    reached = _reached(program, name)
    statements = (statement for each in reached for block in each.blocks for statement in block.statements)
    chooses = any(isinstance(statement, Havoc | Observe) for statement in statements)
    return not chooses and not any(open_starts(each) for each in reached)


# Code


def _code(program: Program, name: str) -> str:
    """What the procedure does, whatever its variables, labels and callees are called: one text, one function."""
    reached = _reached(program, name)
    numbers = {each.name: f"p{number}" for number, each in enumerate(reached)}
    return "\n".join(line for each in reached for line in _lines(each, numbers))


def _lines(procedure: Procedure, procedures: Mapping[str, str]) -> Iterator[str]:
    order = reverse_postorder(procedure)
    labels = {label: f"l{number}" for number, label in enumerate(order)}
    names = {v: Variable(f"v{number}", v.type) for number, v in enumerate(_in_order(procedure, order))}
    values: dict[Variable, Expression] = dict(names)
    yield f"procedure {procedures[procedure.name]}"
    for kind, variables in (("takes", procedure.parameters), ("gives", procedure.outputs)):
        yield f"{kind} {', '.join(names[v].name for v in variables)}"
    yield from (f"{each.name}: {each.type}" for each in names.values())
    for label in order:
        yield f"{labels[label]}:"
        for statement in procedure.block[label].statements:
            called = (
                replace(statement, procedure=procedures[statement.procedure]) if isinstance(statement, Call) else None
            )
            yield write_step(rename(called or statement, names))
        end = retarget(procedure.block[label].terminator, labels.__getitem__)
        yield write_step(rewrite_terminator(end, lambda each: substitute(each, values)))


def _in_order(procedure: Procedure, order: tuple[str, ...]) -> list[Variable]:
    """The variables of the procedure, as they occur from its head on."""
    own = frozenset(procedure.variables)
    met = (v for label in order for step in steps(procedure.block[label]) for v in (*read(step), *written(step)))
    found = dict.fromkeys(v for v in met if v in own)
    return [*found, *(v for v in procedure.variables if v not in found)]


# Calls


class _Caller:
    """A procedure that knows of each call of a function that its results are values of it."""

    def __init__(
        self, program: Program, procedure: Procedure, functions: Mapping[str, str], known: Mapping[str, Effects]
    ) -> None:
        self._program = program
        self._procedure = procedure
        self._functions = functions
        self._effects = known
        self._made: list[Variable] = []

    def result(self) -> Procedure:
        blocks = tuple(
            Block(block.label, tuple(s for each in block.statements for s in self._statement(each)), block.terminator)
            for block in self._procedure.blocks
        )
        return replace(self._procedure, blocks=blocks, locals=(*self._procedure.locals, *self._made))

    def _statement(self, statement: Statement) -> Iterator[Statement]:
        """Values come before the call, whose results may be among its arguments."""
        if not isinstance(statement, Call) or statement.procedure not in self._functions:
            yield statement
            return
        callee = self._program.procedure[statement.procedure]
        # In an order that programs with other globals have, too.
        given = (*statement.arguments, *sorted(self._effects[callee.name].reads, key=lambda each: each.name))
        taken: list[tuple[Variable, Variable]] = []
        for position, (output, result) in enumerate(zip(callee.outputs, statement.results, strict=True)):
            if result is not None:
                made = Variable(f"function.{len(self._made)}", output.type)
                self._made.append(made)
                taken.append((result, made))
                value = Apply(f"{self._functions[callee.name]}.{position}", given, output.type)
                yield Assign(made, value, statement.span)
        yield statement
        for result, made in taken:
            yield Assume(binary(Operator.EQUAL, result, made), "", statement.span)
