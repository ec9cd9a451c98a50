"""Modular product programs: k runs of a program as one run of another one, procedure by procedure.

Eilers, Müller and Hitz, Modular product programs, 2018; figure 5.3 of Pick's dissertation for two runs. A product
procedure has an activation variable for each run, and a copy of each variable. Its blocks are those of the original
procedure, one after the other in topological order: a run is active in the blocks on its way and passes over the
others. A call stands for the calls of all runs that are active there, so that what runs have in common is met by one
summary. Early returns, breaks and alternatives are only ways through blocks; loops are procedures before this.

A tuple of runs ends where one of them stops: what comes after can be compared with nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from sorrel.model.values import dataclass
from sorrel.program.construction import TRUE
from sorrel.program.expression import Expression, Variable
from sorrel.program.inline import leading_to_recursion, without_calls
from sorrel.program.program import Procedure, Program
from sorrel.program.recursion import LoopOrigin, loops_as_procedures
from sorrel.program.statement import (
    Block,
    Observe,
    Return,
)
from sorrel.relate.copies import Copies, CopyOf
from sorrel.relate.divergence import met_alone_written_out
from sorrel.relate.product_procedure import ProductProcedure, Traits, call

ENTRY = "product.entry"


class Composition(StrEnum):
    """How runs meet at loops and calls."""

    MODULAR = "modular"  # procedure by procedure, and round by round of loops
    LOCKSTEP = "lockstep"  # round by round; calls that lead to no recursion become part of their callers
    NAIVE = "naive"  # one run after the other, so that each loop is described for one run; what is observed still meets


@dataclass(frozen=True, slots=True)
class Claim:
    """What is said of runs by their inputs and results: if `required` holds, so does `ensured`.

    `variables` are those of each run, in the order in which its program returns their values.
    """

    required: Expression
    ensured: Expression
    variables: tuple[tuple[Variable, ...], ...]


@dataclass(frozen=True, slots=True)
class Product:
    """`program` runs one run of each of `originals` at once; `copies` says what each of its variables is.

    `loops` are the procedures that stand for loops. Without a claim the originals are one program, whose observations
    are compared. `unwrapped` are the originals as they were written, if their signed results were made to wrap around.
    """

    originals: tuple[Program, ...]
    program: Program
    copies: Mapping[str, CopyOf]
    loops: Mapping[str, LoopOrigin]
    claim: Claim | None = None
    unwrapped: tuple[Program, ...] = ()

    @property
    def count(self) -> int:
        return len(self.originals)


def product(program: Program, count: int = 2, composition: Composition = Composition.MODULAR) -> Product:
    """All procedures as product procedures; observations become assumptions and assertions about pairs of runs."""
    flat, origins = loops_as_procedures(met_alone_written_out(program))
    copies = Copies(count)
    recursive = any(flat.main in procedure.callees for procedure in flat.procedures)
    made = multiplied(flat, copies, _entry(flat, copies) if recursive else None, composition)
    whole, known = composed(made, copies, composition)
    return Product((program,) * count, whole, known, origins)


def composed(
    made: Program, copies: Copies, composition: Composition, kept: frozenset[str] | None = None
) -> tuple[Program, Mapping[str, CopyOf]]:
    """The product program as the composition wants it, and what each of its variables is; `kept` procedures stay."""
    if composition is Composition.MODULAR:
        return made, copies.known
    whole, names = without_calls(made, kept=kept)
    return whole, {**copies.known, **{new: copies.known[old] for new, old in names.items() if old in copies.known}}


def multiplied(
    program: Program, copies: Copies, entry: Procedure | None, composition: Composition = Composition.MODULAR
) -> Program:
    """The procedures and globals of a program without loops for all runs; it starts at the entry if there is one."""
    traits = Traits(
        leading_to_recursion(program),
        _unobserved(program) if composition is Composition.NAIVE else frozenset(),
    )
    procedures = [
        ProductProcedure(program, each, copies, traits, is_main=entry is None and each.name == program.main).result()
        for each in program.procedures
    ]
    initial = {
        copies.variable(variable, run).name: program.initial[variable.name]
        for variable in program.globals
        if variable.name in program.initial
        for run in copies.runs
    }
    return Program(
        (*procedures, *([entry] if entry else [])),
        tuple(copy for variable in program.globals for copy in copies.variables(variable)),
        initial,
        entry.name if entry else program.main,
        program.assumptions,
    )


def _unobserved(program: Program) -> frozenset[str]:
    """Procedures in which nothing is observed, nor in their callees: runs need not meet in them.

    What stops there stops the tuple of runs in either case.
    """
    left = set(program.procedure)
    observing = {
        procedure.name
        for procedure in program.procedures
        if any(isinstance(statement, Observe) for block in procedure.blocks for statement in block.statements)
    }
    while observing & left:
        left -= observing
        observing = {name for name in left if set(program.procedure[name].callees) - left}
    return frozenset(left)


def _entry(program: Program, copies: Copies) -> Procedure:
    """Starts all runs, where the main procedure is also called by others."""
    main = program.procedure[program.main]
    parameters = tuple(copy for variable in main.parameters for copy in copies.variables(variable))
    own = [tuple(copies.variable(v, run) for v in main.parameters) for run in copies.runs]
    made, taken = call(main, copies, [TRUE for _ in copies.runs], own, main.span)
    block = Block("start", (made,), Return(main.span))
    locals_ = tuple(variable for each in taken for variable in each)
    return Procedure(ENTRY, parameters, (), locals_, (block,), "start", main.span)
