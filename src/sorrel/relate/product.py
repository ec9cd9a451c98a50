"""Modular product programs: k runs of a program as one run of another one, procedure by procedure.

Eilers, Müller and Hitz, Modular product programs, 2018; figure 5.3 of Pick's dissertation for two runs. A product
procedure has an activation variable for each run, and a copy of each variable. Its blocks are those of the original
procedure, one after the other in topological order: a run is active in the blocks on its way and passes over the
others. A call stands for the calls of all runs that are active there, so that what runs have in common is met by one
summary. Early returns, breaks and alternatives are only ways through blocks; loops are procedures before this.

A tuple of runs ends where one of them stops: what comes after can be compared with nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations

from sorrel.model.errors import NOWHERE, Span
from sorrel.program.checks import guards
from sorrel.program.construction import FALSE, TRUE, binary, every, negation, zero
from sorrel.program.expression import Conditional, Expression, Operator, Variable
from sorrel.program.graph import immediate_dominators, predecessors, reverse_postorder
from sorrel.program.inline import leading_to_recursion, without_calls
from sorrel.program.liveness import open_starts
from sorrel.program.program import Procedure, Program, successors
from sorrel.program.recursion import LoopOrigin, loops_as_procedures
from sorrel.program.statement import (
    Assert,
    Assign,
    Assume,
    Block,
    Branch,
    Call,
    Choice,
    Goto,
    Havoc,
    Kind,
    Observe,
    Print,
    Purpose,
    Return,
    Statement,
    Stop,
)
from sorrel.program.types import BOOLEAN
from sorrel.relate.conditions import both_of, defined_under, some_of, under_guard
from sorrel.relate.copies import ACTIVE, Copies, CopyOf, run_name
from sorrel.relate.divergence import met_alone_written_out

ENTRY = "product.entry"
DIFFERENT = "two runs differ where they should agree"


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
    are compared.
    """

    originals: tuple[Program, ...]
    program: Program
    copies: Mapping[str, CopyOf]
    loops: Mapping[str, LoopOrigin]
    claim: Claim | None = None

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
    traits = _Traits(
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


@dataclass(frozen=True, slots=True)
class _Traits:
    """Of procedures: which may lead to recursion, and which are called by one run after the other."""

    recursive: frozenset[str]
    apart: frozenset[str]


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


def activations(copies: Copies) -> tuple[Variable, ...]:
    """The variables that say which runs are inside of a procedure."""
    return tuple(copies.variable(Variable(ACTIVE, BOOLEAN), run, activation=True) for run in copies.runs)


def call(
    callee: Procedure,
    copies: Copies,
    active: Sequence[Expression],
    arguments: Sequence[Sequence[Expression]],
    span: Span,
) -> tuple[Call, tuple[tuple[Variable, ...], ...]]:
    """One call for all runs; `arguments` are those of each run. With it the variables that take each run's outputs."""
    taken = tuple(tuple(_result(callee, v, copies, run) for v in callee.outputs) for run in copies.runs)
    given = [each[position] for position in range(len(callee.parameters)) for each in arguments]
    results = [each[position] for position in range(len(callee.outputs)) for each in taken]
    return Call(callee.name, (*active, *given), tuple(results), span), taken


def _result(callee: Procedure, output: Variable, copies: Copies, run: int) -> Variable:
    return copies.variable(Variable(f"result.{callee.name}.{output.name}", output.type), run)


def _entry(program: Program, copies: Copies) -> Procedure:
    """Starts all runs, where the main procedure is also called by others."""
    main = program.procedure[program.main]
    parameters = tuple(copy for variable in main.parameters for copy in copies.variables(variable))
    own = [tuple(copies.variable(v, run) for v in main.parameters) for run in copies.runs]
    made, taken = call(main, copies, [TRUE for _ in copies.runs], own, main.span)
    block = Block("start", (made,), Return(main.span))
    locals_ = tuple(variable for each in taken for variable in each)
    return Procedure(ENTRY, parameters, (), locals_, (block,), "start", main.span)


class ProductProcedure:
    """The product of one procedure without loops. The main procedure has no activations: all runs start with it.

    A call that may lead to recursion is made only if some run is there, or it would not end. Other calls are always
    made: they have no effect on runs that are elsewhere, and a body without alternatives is a single clause.
    """

    def __init__(
        self, program: Program, procedure: Procedure, copies: Copies, traits: _Traits, *, is_main: bool
    ) -> None:
        self._program = program
        self._recursive = traits.recursive
        self._apart = traits.apart
        self._procedure = procedure
        self._copies = copies
        self._is_main = is_main
        self._order = reverse_postorder(procedure)
        self._before = predecessors(procedure)
        self._dominators = immediate_dominators(procedure)
        self._always = _reaching(procedure, self._order)
        self._globals = frozenset(program.globals)
        self._active: dict[str, tuple[Expression, ...]] = {}
        self._taken: dict[str, tuple[Variable, ...]] = {}
        self._locals: dict[Variable, None] = {}
        self._blocks: list[Block] = []
        self._statements: list[Statement] = []
        self._label = "start"
        self._count = 0

    def result(self) -> Procedure:
        procedure, copies = self._procedure, self._copies
        own = () if self._is_main else activations(copies)
        self._active[procedure.entry] = own or tuple(TRUE for _ in copies.runs)
        self._open_variables()
        for label in self._order:
            self._block(label)
        self._blocks.append(Block(self._label, tuple(self._statements), Return(procedure.span)))
        parameters = tuple(copy for v in procedure.parameters for copy in copies.variables(v))
        outputs = tuple(copy for v in procedure.outputs for copy in copies.variables(v))
        mine = dict.fromkeys((*(c for v in procedure.locals for c in copies.variables(v)), *self._locals))
        made = Procedure(
            procedure.name,
            (*own, *parameters),
            outputs,
            tuple(mine),
            tuple(self._blocks),
            "start",
            procedure.span,
            self._source_names(),
        )
        return _without_open_starts(made)

    def _source_names(self) -> dict[str, str]:
        """a.x is x in run a; variables that the user does not know keep names that nobody shows."""
        shown: dict[str, str] = {}
        for variable in self._procedure.variables:
            text = self._procedure.user_name(variable.name)
            for run in self._copies.runs:
                if text:
                    shown[self._copies.variable(variable, run).name] = f"{run_name(run)}.{text}"
        return shown

    # Blocks

    def _block(self, label: str) -> None:
        block = self._procedure.block[label]
        self._activate(label)
        active = self._active[label]
        calls = (statement.procedure for statement in block.statements if isinstance(statement, Call))
        together = (callee for callee in calls if callee not in self._apart)
        around = any(callee in self._recursive for callee in together) and not self._always_entered(label)
        after = self._guarded(some_of(active), block.terminator.span) if around else None
        for statement in block.statements:
            self._statement(statement, active)
        if after is not None:
            self._go(after)
        match block.terminator:
            case Branch(condition, then, otherwise, span) if then != otherwise:
                self._taken[label] = tuple(
                    self._flag(f"is.taken.{label}", run, both_of(guard, self._copies.expression(condition, run)), span)
                    for run, guard in zip(self._copies.runs, active, strict=True)
                )
            case Stop(span):
                self._emit(*(Assume(negation(guard), "no run ends before the others", span) for guard in active))
            case _:
                pass

    def _always_entered(self, label: str) -> bool:
        """Whether every way passes the block: then a call here is made as often as the procedure itself is."""
        return self._active[label] == self._active[self._procedure.entry]

    def _activate(self, label: str) -> None:
        """A run is in a block if it is in the dominator and cannot miss the block; else if it came by an edge."""
        if label in self._active:
            return
        dominator = self._dominators[label]
        if label in self._always[dominator]:
            self._active[label] = self._active[dominator]
            return
        before = self._before[label]
        ways = [[self._edge(source, label, index) for source in before] for index in range(len(self._copies.runs))]
        if len(before) == 1 and all(isinstance(way[0], Variable) for way in ways):
            self._active[label] = tuple(way[0] for way in ways)
            return
        span = self._procedure.block[label].terminator.span
        self._active[label] = tuple(
            self._flag(f"is.at.{label}", run, some_of(way), span)
            for run, way in zip(self._copies.runs, ways, strict=True)
        )

    def _edge(self, source: str, target: str, index: int) -> Expression:
        """Whether a run went from one block to the next."""
        active = self._active[source][index]
        if source not in self._taken:
            return active
        taken = self._taken[source][index]
        terminator = self._procedure.block[source].terminator
        if isinstance(terminator, Branch) and terminator.then == target:
            return taken
        return both_of(active, negation(taken))

    def _flag(self, base: str, run: int, value: Expression, span: Span) -> Variable:
        variable = self._copies.variable(Variable(base, BOOLEAN), run)
        self._locals[variable] = None
        self._emit(Assign(variable, value, span))
        return variable

    # Building

    def _emit(self, *statements: Statement) -> None:
        self._statements += statements

    def _fresh(self) -> str:
        self._count += 1
        return f"step.{self._count}"

    def _go(self, target: str) -> None:
        self._blocks.append(Block(self._label, tuple(self._statements), Goto(target)))
        self._label, self._statements = target, []

    def _guarded(self, condition: Expression, span: Span) -> str | None:
        """What comes next is done if the condition holds; the label where it ends, or None if it always holds."""
        if condition == TRUE:
            return None
        inside, after = self._fresh(), self._fresh()
        self._blocks.append(Block(self._label, tuple(self._statements), Branch(condition, inside, after, span)))
        self._label, self._statements = inside, []
        return after

    # Statements

    def _open_variables(self) -> None:
        """Values that a procedure starts with and may read are chosen by the runs that are inside."""
        active = self._active[self._procedure.entry]
        for variable in open_starts(self._procedure):
            self._havoc(Havoc(variable, Choice.UNINITIALISED, variable.name, NOWHERE), active)

    def _statement(self, statement: Statement, active: Sequence[Expression]) -> None:
        copies = self._copies
        match statement:
            case Assign(target, value, span):
                for run, guard in zip(copies.runs, self._needed(active, target, value), strict=True):
                    self._assign(copies.variable(target, run), copies.expression(value, run), guard, span)
            case Havoc():
                self._havoc(statement, active)
            case Assume(condition, reason, span):
                for run, guard in zip(copies.runs, active, strict=True):
                    self._emit(Assume(under_guard(guard, copies.expression(condition, run)), reason, span))
            case Assert(condition, kind, message, span):
                for run, guard in zip(copies.runs, active, strict=True):
                    self._emit(Assert(under_guard(guard, copies.expression(condition, run)), kind, message, span))
            case Print():
                pass  # runs are compared by what is observed
            case Observe():
                self._observe(statement, active)
            case Call():
                self._call(statement, active)

    def _needed(
        self, active: Sequence[Expression], target: Variable, value: Expression | None = None
    ) -> Sequence[Expression]:
        """Guards of an assignment: none where a run that is not active is so in the whole procedure.

        Nobody looks at its variables then, unless they are global, or the value is undefined.
        """
        everywhere = tuple(active) == self._active[self._procedure.entry]
        defined = value is None or next(guards(value), None) is None
        return [TRUE for _ in active] if everywhere and defined and target not in self._globals else active

    def _assign(self, target: Variable, value: Expression, guard: Expression, span: Span) -> None:
        chosen = value if guard == TRUE else Conditional(guard, value, target, target.type)
        self._emit(Assign(target, chosen, span))

    def _havoc(self, statement: Havoc, active: Sequence[Expression]) -> None:
        """By a branch, so that a run that is not here takes no value from the list of choices."""
        for run, guard in zip(self._copies.runs, active, strict=True):
            after = self._guarded(guard, statement.span)
            self._emit(replace(statement, target=self._copies.variable(statement.target, run)))
            if after is not None:
                self._go(after)

    def _observe(self, statement: Observe, active: Sequence[Expression]) -> None:
        equal = []
        for one, other in combinations(self._copies.runs, 2):
            both = both_of(active[one - 1], active[other - 1])
            values = (self._copies.expression(statement.value, run) for run in (one, other))
            equal.append(under_guard(both, binary(Operator.EQUAL, *values)))
        if statement.purpose is Purpose.COMPARED:
            self._emit(Assert(every(equal), Kind.LEAK, statement.message or DIFFERENT, statement.span))
        else:
            self._emit(Assume(every(equal), "", statement.span))

    def _call(self, statement: Call, active: Sequence[Expression]) -> None:
        callee = self._program.procedure[statement.procedure]
        arguments = [
            [defined_under(guard, self._copies.expression(argument, run)) for argument in statement.arguments]
            for run, guard in zip(self._copies.runs, active, strict=True)
        ]
        if callee.name in self._apart:
            self._call_apart(statement, callee, active, arguments)
            return
        made, taken = call(callee, self._copies, active, arguments, statement.span)
        self._locals.update(dict.fromkeys(variable for each in taken for variable in each))
        self._emit(made)
        for position, result in enumerate(statement.results):
            for run, guard in zip(self._copies.runs, self._needed(active, result) if result else (), strict=False):
                if result is not None:
                    self._assign(self._copies.variable(result, run), taken[run - 1][position], guard, statement.span)

    def _call_apart(
        self,
        statement: Call,
        callee: Procedure,
        active: Sequence[Expression],
        arguments: Sequence[Sequence[Expression]],
    ) -> None:
        """One call for each run, in which the others are not."""
        for run, guard in zip(self._copies.runs, active, strict=True):
            after = self._guarded(guard, statement.span)
            alone = [TRUE if other == run else FALSE for other in self._copies.runs]
            made, taken = call(callee, self._copies, alone, arguments, statement.span)
            self._locals.update(dict.fromkeys(variable for each in taken for variable in each))
            self._emit(made)
            for position, result in enumerate(statement.results):
                if result is not None:
                    self._emit(Assign(self._copies.variable(result, run), taken[run - 1][position], statement.span))
            if after is not None:
                self._go(after)


def _reaching(procedure: Procedure, order: Sequence[str]) -> Mapping[str, frozenset[str]]:
    """For each block the later ones that every way from it passes; `order` has no edge back."""
    found: dict[str, frozenset[str]] = {}
    for label in reversed(order):
        ways = [found[target] | {target} for target in successors(procedure.block[label].terminator)]
        found[label] = frozenset.intersection(*ways) if ways else frozenset()
    return found


def _without_open_starts(procedure: Procedure) -> Procedure:
    """What runs that are not inside start with matters to nobody, so it is fixed: no choice is left for it."""
    fixed = [Assign(variable, zero(variable.type)) for variable in open_starts(procedure)]
    if not fixed:
        return procedure
    start = Block("fixed", tuple(fixed), Goto(procedure.entry))
    return replace(procedure, blocks=(start, *procedure.blocks), entry="fixed")
