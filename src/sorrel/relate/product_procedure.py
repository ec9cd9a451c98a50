"""One procedure for several runs at once: see `sorrel.relate.product`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from sorrel.model.errors import NOWHERE, Span
from sorrel.model.values import dataclass
from sorrel.program.checks import guards
from sorrel.program.construction import FALSE, TRUE, binary, every, negation, zero
from sorrel.program.expression import Conditional, Expression, Operator, Variable
from sorrel.program.graph import immediate_dominators, predecessors, reverse_postorder
from sorrel.program.liveness import open_starts
from sorrel.program.program import Procedure, Program, successors
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
from sorrel.relate.copies import ACTIVE, Copies, run_name

DIFFERENT = "two runs differ where they should agree"


@dataclass(frozen=True, slots=True)
class Traits:
    """Of procedures: which may lead to recursion, and which are called by one run after the other."""

    recursive: frozenset[str]
    apart: frozenset[str]


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


class ProductProcedure:
    """The product of one procedure without loops. The main procedure has no activations: all runs start with it.

    A call that may lead to recursion is made only if some run is there, or it would not end. Other calls are always
    made: they have no effect on runs that are elsewhere, and a body without alternatives is a single clause.
    """

    def __init__(
        self, program: Program, procedure: Procedure, copies: Copies, traits: Traits, *, is_main: bool
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
