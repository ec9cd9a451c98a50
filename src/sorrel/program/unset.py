"""Values that were never set, made visible: a truth value beside each variable that may hold one.

The front end says what is unset (`Purpose.UNSET`, or a havoc) and where the program reads a value (`Purpose.READ`).
Between the two, values that were never set may be copied on, from variable to variable and through calls: a structure
is copied as a whole, whether all its members are set or not. Of arrays one place is watched, any one: what holds for it
holds for all, without a table of flags. What is copied silently from one place to another, on the spot or by way of
other variables (carriers), is not followed: it may be set or not, and a run through that proves nothing.

What is read is asserted to be set. So a value that was read is set in every run up to the first error, wherever it
goes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field, replace

from sorrel.model.errors import NOWHERE, Span
from sorrel.model.values import dataclass
from sorrel.program.construction import FALSE, TRUE, binary
from sorrel.program.expression import (
    Conditional,
    Convert,
    Expression,
    Filled,
    Operator,
    Select,
    Store,
    Variable,
)
from sorrel.program.program import Procedure, Program
from sorrel.program.statement import (
    Assert,
    Assign,
    Block,
    Call,
    Choice,
    Goto,
    Havoc,
    Kind,
    Observe,
    Purpose,
    Statement,
)
from sorrel.program.traversal import free_variables, written
from sorrel.program.types import BOOLEAN, UNBOUNDED, Array

NEVER_SET = "an uninitialised value is read"
COPIED = "what is copied within an array"
PLACE = Variable("memory.$place", UNBOUNDED)
"""Which place of arrays is watched: any, and always the same."""
_ENTRY = "entry..set"


def watching_reads(program: Program) -> Program:
    """The program that asserts of each value that is used that it was set."""
    unset = _may_be_unset(program)
    if not unset:
        return program
    carriers = _carriers(program, unset)
    procedures = tuple(_Watching(program, each, unset, carriers).procedure() for each in program.procedures)
    global_ones = [each for each in program.globals if ("", each.name) in unset]
    marks = [mark for each in global_ones for mark in _marks(("", each.name), each, carriers)]
    initial = {**program.initial, **{each.name: TRUE for each in marks}}
    kept = (*program.globals, *marks, PLACE)
    return replace(program, procedures=procedures, globals=kept, initial=initial)


def _flag(variable: Variable) -> Variable:
    """Whether it was set; of an array, whether the place was that is watched."""
    return Variable(f"{variable.name}..set", BOOLEAN)


def _known(variable: Variable) -> Variable:
    """Whether its flag says so of its value, which may be a copy from a place that is not watched."""
    return Variable(f"{variable.name}..known", BOOLEAN)


def _marks(key: _Key, variable: Variable, carriers: frozenset[_Key]) -> list[Variable]:
    return [_flag(variable), _known(variable)] if key in carriers else [_flag(variable)]


# Which variables may hold what was never set

_Key = tuple[str, str]
"""The procedure that a variable belongs to, empty for globals, and its name."""
_Unset = Mapping[_Key, Variable]


def _keys(program: Program) -> Callable[[Procedure, Variable], _Key]:
    owned = {each.name for each in program.globals}
    return lambda procedure, variable: ("" if variable.name in owned else procedure.name, variable.name)


def _may_be_unset(program: Program) -> _Unset:
    """Without regard to order: those that start without a value, and those that they are copied to."""
    found: dict[_Key, Variable] = {}
    key = _keys(program)
    known = -1
    while known != len(found):
        known = len(found)
        for procedure in program.procedures:
            for block in procedure.blocks:
                for statement in block.statements:
                    for owner, target, sources in _flows(program, procedure, statement):
                        if sources is None or any(key(own, each) in found for own, each in sources):
                            found.setdefault(key(owner, target), target)
    return found


_Source = tuple[Procedure, Variable]


def _flows(
    program: Program, procedure: Procedure, statement: Statement
) -> Iterator[tuple[Procedure, Variable, list[_Source] | None]]:
    """What gets a value from where; None: from nowhere."""
    match statement:
        case Havoc(target, Choice.UNINITIALISED):
            yield procedure, target, None
        case Observe(Variable() as target, Purpose.UNSET) | Observe(Select(Variable() as target), Purpose.UNSET):
            yield procedure, target, None
        case Assign(target, value):
            yield procedure, target, [(procedure, each) for each in _copied(value)]
        case Call(callee, arguments, results) if callee in program.procedure:
            called = program.procedure[callee]
            for parameter, argument in zip(called.parameters, arguments, strict=True):
                yield called, parameter, [(procedure, each) for each in _copied(argument)]
            for output, result in zip(called.outputs, results, strict=False):
                if result is not None:
                    yield procedure, result, [(called, output)]


def _copied(value: Expression) -> Iterator[Variable]:
    """The variables whose values, or elements, the value may be."""
    pending = [value]
    while pending:
        match pending.pop():
            case Variable() as variable:
                yield variable
            case Conditional(_, then, otherwise):
                pending += [then, otherwise]
            case Convert(operand) | Filled(operand):
                pending.append(operand)
            case Select(array):
                pending.append(array)
            case Store(array, _, stored):
                pending += [array, stored]


# Which variables may hold a copy of an element


def _carriers(program: Program, unset: _Unset) -> frozenset[_Key]:
    """Those that elements are copied to silently: what is known of them is known of the place that is watched alone."""
    key = _keys(program)
    flows = [
        (key(owner, target), frozenset(key(own, each) for own, each in sources))
        for procedure in program.procedures
        for statement in _silent(program, procedure)
        for owner, target, sources in _flows(program, procedure, statement)
        if sources and not isinstance(target.type, Array)
    ]
    found = {each for each, variable in unset.items() if isinstance(variable.type, Array)}
    elements = frozenset(found)
    known = -1
    while known != len(found):
        known = len(found)
        found |= {target for target, sources in flows if not sources.isdisjoint(found)}
    return frozenset(found - elements)


def _silent(program: Program, procedure: Procedure) -> Iterator[Statement]:
    """The statements that copy something which was not read just before, and is thereby known to be set."""
    for block in procedure.blocks:
        read = _Read(program)
        for statement in block.statements:
            match statement:
                case Observe(value, Purpose.READ):
                    read.values[value] = None
                case Assign(_, value) if value in read.values:
                    read.forget(statement)
                case _:
                    yield statement
                    read.forget(statement)


@dataclass
class _Read:
    """What was read since the block began, and has not changed."""

    program: Program
    values: dict[Expression, None] = field(default_factory=dict)

    def forget(self, statement: Statement) -> None:
        """What was read is not what would be read once something that it depends on has changed."""
        changed = set(written(statement))
        if isinstance(statement, Call):
            changed |= set(self.program.globals)
        self.values = {each: None for each in self.values if changed.isdisjoint(free_variables(each))}


# One procedure


@dataclass
class _Watching:
    program: Program
    source: Procedure
    unset: _Unset
    carriers: frozenset[_Key]
    made: list[Variable] = field(default_factory=list)
    pending: list[Statement] = field(default_factory=list)
    _read: _Read = field(init=False)
    _span: Span = NOWHERE

    def procedure(self) -> Procedure:
        source = self.source
        own = [each for each in source.variables if each not in source.parameters]
        start = [Assign(each, TRUE) for each in self._marks_of(source, own)]
        first = Block(_ENTRY, tuple(start), Goto(source.entry))
        blocks = (first, *map(self._block, source.blocks))
        return replace(
            source,
            parameters=(*source.parameters, *self._marks_of(source, source.parameters)),
            outputs=(*source.outputs, *self._marks_of(source, source.outputs)),
            locals=(*source.locals, *self._marks_of(source, self._inner), *self.made),
            blocks=blocks,
            entry=_ENTRY,
        )

    @property
    def _inner(self) -> list[Variable]:
        outside = {*self.source.parameters, *self.source.outputs}
        return [each for each in self.source.locals if each not in outside]

    def _marks_of(self, procedure: Procedure, variables: Iterable[Variable]) -> list[Variable]:
        keys = [((procedure.name, each.name), each) for each in variables]
        return [mark for key, each in keys if key in self.unset for mark in _marks(key, each, self.carriers)]

    def _is_unset(self, variable: Variable) -> bool:
        return ("", variable.name) in self.unset or (self.source.name, variable.name) in self.unset

    def _is_carrier(self, variable: Variable) -> bool:
        return ("", variable.name) in self.carriers or (self.source.name, variable.name) in self.carriers

    # Statements

    def _block(self, block: Block) -> Block:
        statements: list[Statement] = []
        self._read = _Read(self.program)
        for statement in block.statements:
            self._span = statement.span
            match statement:
                case Observe(value, Purpose.READ):
                    statements += self._checked(value, statement.span)
                    continue
                case Observe(_, Purpose.UNSET):
                    statements += self._flags(statement)
                    continue
            flags = list(self._flags(statement))
            statements += [*self.pending, *flags, self._with_flags(statement)]
            self.pending = []
            self._read.forget(statement)
        return replace(block, statements=tuple(statements))

    def _checked(self, value: Expression, span: Span) -> Iterator[Statement]:
        known = self._is_set(value)
        self._read.values[value] = None
        if known != TRUE:
            yield Assert(known, Kind.UNINITIALISED, NEVER_SET, span)

    def _with_flags(self, statement: Statement) -> Statement:
        """Calls hand over whether what they pass and return was set."""
        if not isinstance(statement, Call) or statement.procedure not in self.program.procedure:
            return statement
        called = self.program.procedure[statement.procedure]
        given: list[Expression] = []
        for each, value in zip(called.parameters, statement.arguments, strict=True):
            said = (self._is_set(value), self._is_known(value))
            given += said[: len(self._marks_of(called, [each]))]
        results: list[Variable | None] = []
        taken = (*statement.results, *[None] * len(called.outputs))
        for output, result in zip(called.outputs, taken, strict=False):
            into = (None, None) if result is None else self._taken(result)
            results += into[: len(self._marks_of(called, [output]))]
        missing = [None] * (len(called.outputs) - len(statement.results)) if results else []
        return replace(
            statement,
            arguments=(*statement.arguments, *given),
            results=(*statement.results, *missing, *results),
        )

    def _taken(self, result: Variable) -> tuple[Variable | None, Variable | None]:
        return (
            _flag(result) if self._is_unset(result) else None,
            _known(result) if self._is_carrier(result) else None,
        )

    def _flags(self, statement: Statement) -> Iterator[Statement]:
        match statement:
            case Havoc(target, Choice.ABSTRACTION) if self._is_unset(target) and isinstance(target.type, Array):
                yield Assign(_flag(target), self._any(), statement.span)  # as many elements as are not known
            case Havoc(target, choice) if self._is_unset(target):
                yield Assign(_flag(target), FALSE if choice is Choice.UNINITIALISED else TRUE, statement.span)
            case Observe(Variable() as target, Purpose.UNSET):
                yield Assign(_flag(target), FALSE, statement.span)
            case Observe(Select(Variable() as target, start), Purpose.UNSET):
                before = binary(Operator.LESS, PLACE, start)
                yield Assign(_flag(target), binary(Operator.AND, _flag(target), before), statement.span)
            case Assign(target, value) if self._is_unset(target):
                is_array = isinstance(target.type, Array)
                is_set = self._is_set_there(value) if is_array else self._is_set(value)
                yield Assign(_flag(target), is_set, statement.span)
        match statement:
            case Assign(target, value) if self._is_carrier(target):
                yield Assign(_known(target), self._is_known(value), statement.span)
            case Havoc(target) | Observe(Variable() as target, Purpose.UNSET) if self._is_carrier(target):
                yield Assign(_known(target), TRUE, statement.span)

    # Whether a value was set

    def _is_set(self, value: Expression) -> Expression:
        """Of a copy of it."""
        if value in self._read.values:
            return TRUE
        match value:
            case Variable() if self._is_unset(value):
                return _flag(value)
            case Conditional(condition, then, otherwise):
                return _choice(condition, self._is_set(then), self._is_set(otherwise))
            case Convert(operand):
                return self._is_set(operand)
            case Select(Variable() as array, index) if self._is_unset(array):
                return _implied(binary(Operator.EQUAL, index_of(index), PLACE), _flag(array))
            case _:
                return TRUE

    def _is_set_there(self, value: Expression) -> Expression:
        """Of the place of an array that is watched."""
        match value:
            case Variable() if self._is_unset(value):
                return _flag(value)
            case Conditional(condition, then, otherwise):
                return _choice(condition, self._is_set_there(then), self._is_set_there(otherwise))
            case Filled(operand):
                return self._stored(operand)
            case Store(array, index, stored):
                here = binary(Operator.EQUAL, index_of(index), PLACE)
                return _choice(here, self._stored(stored), self._is_set_there(array))
            case _:
                return TRUE

    def _stored(self, value: Expression) -> Expression:
        """Of what is stored at the place that is watched; it may come from another place."""
        known = self._is_known(value)
        return self._is_set(value) if known == TRUE else _choice(known, self._is_set(value), self._any())

    def _is_known(self, value: Expression) -> Expression:
        """Whether `_is_set` tells of the value itself: of an element it does if its place is watched."""
        if value in self._read.values:
            return TRUE
        match value:
            case Variable() if self._is_carrier(value):
                return _known(value)
            case Conditional(condition, then, otherwise):
                return _choice(condition, self._is_known(then), self._is_known(otherwise))
            case Convert(operand):
                return self._is_known(operand)
            case Select(Variable() as array, index) if self._is_unset(array):
                return binary(Operator.EQUAL, index_of(index), PLACE)
            case _:
                return TRUE

    def _any(self) -> Variable:
        made = Variable(f"any..set.{len(self.made) + 1}", BOOLEAN)
        self.made.append(made)
        self.pending.append(Havoc(made, Choice.ABSTRACTION, COPIED, self._span))
        return made


def index_of(index: Expression) -> Expression:
    """An index as an exact number, as places are."""
    return index if index.type == UNBOUNDED else Convert(index, UNBOUNDED)


def _choice(condition: Expression, then: Expression, otherwise: Expression) -> Expression:
    return then if then == otherwise else Conditional(condition, then, otherwise, BOOLEAN)


def _implied(premise: Expression, conclusion: Expression) -> Expression:
    return conclusion if conclusion == TRUE else binary(Operator.IMPLIES, premise, conclusion)
