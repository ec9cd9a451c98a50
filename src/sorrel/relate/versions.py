"""Two versions of a function as one program: both are called in the same state, and what they leave behind is compared.

Compared are results, every global that a version writes (memory behind pointers is kept in globals), and whether an
assertion fails. An assertion is turned into a flag, so that a failure of one version does not hide what the other does.
That both return is taken for granted: nothing is said about a version that does not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from sorrel.model.errors import Span
from sorrel.model.values import dataclass
from sorrel.program.construction import FALSE, binary, negation, zero
from sorrel.program.effects import effects
from sorrel.program.expression import Binary, Conditional, Expression, Operator, Select, Variable
from sorrel.program.floating import has_floats
from sorrel.program.graph import called
from sorrel.program.program import Procedure, Program
from sorrel.program.statement import Assert, Assign, Block, Call, Choice, Havoc, Kind, Return, Statement
from sorrel.program.traversal import rename, rewrite_terminator, substitute
from sorrel.program.types import BOOLEAN, UNBOUNDED, Array
from sorrel.relate.specification import RESULT

NEW = "new."
"""Begins the names of variables of the second version; the dot keeps users from having it."""
NEW_PROCEDURE = "new_version_of_"
"""Begins the names of its procedures, without a dot: what happens in them is told."""
FAILED = Variable("failed.assertion", BOOLEAN)
OBSERVER = "sorrel_observed"


class Incomparable(Exception):
    """The versions cannot be called in the same way: why."""


@dataclass(frozen=True, slots=True)
class Observable:
    """Something that the versions may differ in; `variable` is a global, or None for the result at a position."""

    name: str
    variable: Variable | None
    position: int = 0


@dataclass(frozen=True, slots=True)
class Versions:
    """Programs that start with the same function, each called by a procedure of ours; assertions are flags in both."""

    old: Program
    new: Program
    function: str

    @property
    def start_alike(self) -> bool:
        """Whether constants have the same values in both."""
        return dict(self.old.initial) == dict(self.new.initial)

    @property
    def observables(self) -> tuple[Observable, ...]:
        """What is compared, in the words of the user; what only one version writes is compared with what it was."""
        callee = self.old.procedure[self.function]
        found = [
            Observable("the result" if callee.source_names.get(v.name) == RESULT else v.name, None, position)
            for position, v in enumerate(callee.outputs)
        ]
        written = {v for program in (self.old, self.new) for v in effects(program)[self.function].writes}
        found += [Observable(_told(v), v) for v in self.old.globals if v in written]
        return tuple(sorted(found, key=lambda each: each.variable != FAILED))


def _told(variable: Variable) -> str:
    return "whether an assertion fails" if variable == FAILED else variable.name


def versions(old: Program, new: Program, function: str) -> Versions:
    """Raises Incomparable where the function is called in another way, or uses what the other has not."""
    before, after = old.procedure.get(function), new.procedure.get(function)
    if before is None or after is None:
        raise Incomparable(f"there is no {function} in both versions")
    if [v.type for v in before.parameters] != [v.type for v in after.parameters]:
        raise Incomparable("the parameters differ")
    if [v.type for v in before.outputs] != [v.type for v in after.outputs]:
        raise Incomparable("the results differ")
    if has_floats(old) or has_floats(new):
        raise Incomparable("floating-point numbers are not compared")  # some are equal, and yet tell runs apart
    flagged = _flagged(old), _flagged(new)
    known = {v.name: v.type for v in flagged[0].globals}
    used = effects(flagged[1])[function]
    for variable in (*used.reads, *used.writes):
        if known.get(variable.name) != variable.type:
            raise Incomparable(f"the new version uses {variable.name}, which the old program does not have")
    if _prologue(flagged[0]) != _prologue(flagged[1]):
        raise Incomparable("constants that are set up before the first call have other values")
    return Versions(*_with_the_same_globals(*flagged), function)


def _prologue(program: Program) -> list[tuple[Variable, Expression]]:
    """What is set up before the call of the function."""
    entry = program.procedure[program.main]
    assigned = [each for block in entry.blocks for each in block.statements if isinstance(each, Assign)]
    return [(each.target, each.value) for each in assigned]


def _with_the_same_globals(old: Program, new: Program) -> tuple[Program, Program]:
    """What only the old version knows stays as it is in the new one; what only the new one has, it does not use."""
    names = {v.name for v in new.globals}
    missing = {name: value for name, value in old.initial.items() if name not in names}
    kept = {name: value for name, value in new.initial.items() if name in {v.name for v in old.globals}}
    return old, replace(new, globals=old.globals, initial={**missing, **kept})


def is_deterministic(program: Program, function: str) -> bool:
    """Whether nobody chooses anything while the function runs."""
    return not any(
        isinstance(statement, Havoc) and statement.choice is not Choice.UNINITIALISED
        for name in called(program, function)
        for block in program.procedure[name].blocks
        for statement in block.statements
    )


def _flagged(program: Program) -> Program:
    """With a flag that goes up in place of every assertion."""

    def changed(statement: Statement) -> Statement:
        if not isinstance(statement, Assert):
            return statement
        failing = Binary(Operator.OR, FAILED, negation(statement.condition), BOOLEAN)
        return Assign(FAILED, failing, statement.span)

    procedures = tuple(
        replace(
            procedure,
            blocks=tuple(replace(b, statements=tuple(map(changed, b.statements))) for b in procedure.blocks),
        )
        for procedure in program.procedures
    )
    return replace(program, procedures=procedures, globals=(*program.globals, FAILED))


def one_after_the_other(pair: Versions) -> Program:
    """Both versions called in the same state, with an assertion for everything that is compared."""
    entry = pair.old.procedure[pair.old.main]
    shared = {v: Variable(f"{NEW}{v.name}", v.type) for v in pair.old.globals}
    procedures = [each for each in pair.old.procedures if each is not entry]
    procedures += [renamed_procedure(pair.new.procedure[name], shared) for name in called(pair.new, pair.function)]
    start = _start(pair, entry, shared)
    return replace(
        pair.old,
        procedures=(*procedures, start),
        globals=(*pair.old.globals, *shared.values()),
        initial={**pair.old.initial, FAILED.name: FALSE, **{v.name: zero(v.type) for v in shared.values()}},
    )


def renamed_procedure(procedure: Procedure, shared: Mapping[Variable, Variable]) -> Procedure:
    """The procedure as one of the second version, with its own globals."""

    def changed(statement: Statement) -> Statement:
        moved = rename(statement, shared)
        return replace(moved, procedure=f"{NEW_PROCEDURE}{moved.procedure}") if isinstance(moved, Call) else moved

    blocks = tuple(
        replace(
            block,
            statements=tuple(map(changed, block.statements)),
            terminator=rewrite_terminator(block.terminator, lambda expression: substitute(expression, shared)),
        )
        for block in procedure.blocks
    )
    return replace(procedure, name=f"{NEW_PROCEDURE}{procedure.name}", blocks=blocks)


def _start(pair: Versions, entry: Procedure, shared: Mapping[Variable, Variable]) -> Procedure:
    callee = pair.old.procedure[pair.function]
    olds = tuple(Variable(f"old.{i}", v.type) for i, v in enumerate(callee.outputs))
    news = tuple(Variable(f"{NEW}{i}", v.type) for i, v in enumerate(callee.outputs))
    given = tuple(Variable(f"given.{i}", v.type) for i, v in enumerate(callee.parameters))
    index = Variable("any.index", UNBOUNDED)

    def changed(statement: Statement) -> Iterator[Statement]:
        if not isinstance(statement, Call) or statement.procedure != pair.function:
            yield statement
            return
        span = statement.span
        yield Assign(FAILED, FALSE, span)
        yield from (Assign(v, value, span) for v, value in zip(given, statement.arguments, strict=True))
        for old, new in shared.items():
            constant = pair.new.initial.get(old.name)
            if constant is None or constant == pair.old.initial.get(old.name):
                yield Assign(new, old, span)
            else:
                yield Assign(new, substitute(constant, shared), span)
        yield Call(pair.function, given, olds, span)
        yield Call(f"{NEW_PROCEDURE}{pair.function}", given, news, span)
        yield Havoc(index, Choice.INPUT, "any index", span)
        yield from _compared(pair, olds, news, shared, index, span)

    blocks = tuple(
        replace(block, statements=tuple(new for old in block.statements for new in changed(old)))
        for block in entry.blocks
    )
    return replace(entry, blocks=blocks, locals=(*entry.locals, *olds, *news, *given, index))


def _compared(
    pair: Versions,
    olds: tuple[Variable, ...],
    news: tuple[Variable, ...],
    shared: Mapping[Variable, Variable],
    index: Variable,
    span: Span,
) -> Iterator[Statement]:
    for each in pair.observables:
        if each.variable is None:
            left, right = olds[each.position], news[each.position]
        else:
            left, right = each.variable, shared[each.variable]
        equal = _equal(left, right, index)
        if each.variable != FAILED:  # a run ends where an assertion fails
            equal = Binary(Operator.OR, FAILED, equal, BOOLEAN)
        yield Assert(equal, Kind.ASSERTION, f"{each.name} differs", span)


def _equal(left: Expression, right: Expression, index: Variable) -> Expression:
    """Of arrays an element, whichever; they are equal if they are equal everywhere."""
    type = left.type
    while isinstance(type, Array):
        left, right = Select(left, index, type.element), Select(right, index, type.element)
        type = type.element
    return binary(Operator.EQUAL, left, right)


def observed(pair: Versions, observable: Observable, *, new: bool) -> Program:
    """The old or the new program, with a function in place of its own that returns what is compared."""
    program, prefix = (pair.new, NEW_PROCEDURE) if new else (pair.old, "")
    name = f"{OBSERVER}_{'new' if new else 'old'}"
    callee = program.procedure[pair.function]
    outputs = tuple(Variable(f"output.{i}", v.type) for i, v in enumerate(callee.outputs))
    value = outputs[observable.position] if observable.variable is None else observable.variable
    result = Variable("observed.value", value.type)
    parameters = pair.old.procedure[pair.function].parameters
    body = Block(
        "start",
        (
            Assign(FAILED, FALSE, callee.span),
            Call(f"{prefix}{pair.function}", parameters, outputs, callee.span),
            Assign(result, value if value == FAILED else _unless_failed(value), callee.span),
        ),
        Return(callee.span),
    )
    names = {**callee.source_names, result.name: RESULT}
    observer = Procedure(name, parameters, (result,), outputs, (body,), "start", callee.span, names)
    procedures = [observer]
    for each in program.procedures:
        if each.name == program.main:
            procedures.append(replace(each, blocks=tuple(_calling(b, pair.function, name) for b in each.blocks)))
        else:
            procedures.append(renamed_procedure(each, {}) if new else each)
    return replace(program, procedures=tuple(procedures))


def _unless_failed(value: Variable) -> Expression:
    return Conditional(FAILED, zero(value.type), value, value.type)


def _calling(block: Block, function: str, observer: str) -> Block:
    def changed(statement: Statement) -> Statement:
        if isinstance(statement, Call) and statement.procedure == function:
            return replace(statement, procedure=observer, results=(None,))
        return statement

    return replace(block, statements=tuple(map(changed, block.statements)))
