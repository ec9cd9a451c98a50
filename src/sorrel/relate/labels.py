"""Labels: which variables may differ between two runs that agree on what is low and released.

A labelling says for each procedure, for each way in which it is called, and at the start of each block, which variables
are *high*. It is a proof that no comparison fails if every statement respects it (`faults` finds none): along the lines
of Volpano, Irvine and Smith, A sound type system for secure flow analysis, 1996, with labels that change from place to
place (Hunt and Sands, On flow-sensitive security types, 2006).

Two runs that are both somewhere go on together as long as the conditions that they branch on are low. From a high one
they may go different ways until they meet again, in the block that every way from there passes (ways that never end or
that stop the run meet nobody). In between nothing may be compared, and whatever is written is high afterwards. A run
that is there alone is compared with nobody, so what is low or released there binds nobody either.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import field
from functools import cached_property

from sorrel.model.values import dataclass
from sorrel.program.expression import (
    Binary,
    Constant,
    Convert,
    Expression,
    Operator,
    Unary,
    UnaryOperator,
    Variable,
)
from sorrel.program.program import Procedure, Program, successors
from sorrel.program.statement import (
    Assert,
    Assign,
    Assume,
    Branch,
    Call,
    Havoc,
    Observe,
    Print,
    Purpose,
    Return,
    Statement,
    Stop,
)
from sorrel.program.traversal import subexpressions
from sorrel.program.types import Machine, Type, Unbounded

MOST_CONTEXTS = 5_000
High = frozenset[str]


@dataclass(frozen=True, slots=True)
class Context:
    """A way in which a procedure is called: what is high then, and whether a run may be there alone."""

    procedure: str
    high: High
    alone: bool = False


@dataclass(frozen=True)
class Labelling:
    """What is high at the start of each block, and of the outputs and globals on return, for each context."""

    blocks: Mapping[Context, Mapping[str, High]]
    returns: Mapping[Context, High]


class Compared(Exception):
    """A comparison of something that may differ."""

    def __init__(self, statement: Observe) -> None:
        super().__init__(str(statement.span))
        self.statement = statement


def labelled(program: Program) -> Labelling | None:
    """The smallest labelling, if it shows that no comparison fails."""
    try:
        return _Analysis(program).run()
    except (Compared, TooMany):
        return None


def faults(program: Program, labelling: Labelling) -> Iterator[str]:
    """Where the labelling is not respected, in words; no fault means that no comparison of the program fails."""
    rules = _Rules(program)
    start = rules.start
    if start not in labelling.blocks:
        yield "nothing is said of how the program starts"
    for context in labelling.blocks:
        for label, high in labelling.blocks[context].items():
            yield from _block_faults(rules, labelling, context, label, high)
        procedure = program.procedure[context.procedure]
        at_entry = labelling.blocks[context].get(procedure.entry)
        if at_entry is None or not rules.entry(context) <= at_entry:
            yield f"{context.procedure} does not start as it is called"


def _block_faults(rules: _Rules, labelling: Labelling, context: Context, label: str, high: High) -> Iterator[str]:
    try:
        after = rules.through(context, label, high, labelling.returns)
    except Compared as problem:
        yield f"what is compared at {problem} may differ"
        return
    for called in after.calls:
        if called not in labelling.blocks:
            yield f"nothing is said of how {called.procedure} is called"
    for target, wanted in after.next.items():
        if _exceeds(wanted, labelling.blocks[context].get(target)):
            yield f"{context.procedure}, {target}: more is high than is said"
    if after.returned is not None and _exceeds(after.returned, labelling.returns.get(context)):
        yield f"{context.procedure}: more is high on return than is said"


def _exceeds(high: High, said: High | None) -> bool:
    return said is None or not high <= said


class TooMany(Exception):
    """More contexts than are worth it."""


@dataclass(frozen=True, slots=True)
class _After:
    """What a block does to labels: for each successor, and for the caller if it returns; and how it calls others."""

    next: Mapping[str, High]
    returned: High | None
    calls: tuple[Context, ...]


@dataclass(frozen=True)
class _Rules:
    program: Program
    regions: dict[str, Mapping[str, frozenset[str]]] = field(default_factory=dict)

    @cached_property
    def globals(self) -> High:
        return frozenset(each.name for each in self.program.globals)

    @cached_property
    def start(self) -> Context:
        """Everything that comes from outside is high; a global with an initial value has the same in all runs."""
        main = self.program.procedure[self.program.main]
        open_globals = {name for name in self.globals if not self._is_fixed(name)}
        return Context(main.name, frozenset({*open_globals, *(each.name for each in main.parameters)}))

    def _is_fixed(self, name: str) -> bool:
        value = self.program.initial.get(name)
        return value is not None and not any(isinstance(each, Variable) for each in subexpressions(value))

    def entry(self, context: Context) -> High:
        """Locals and outputs start with any value."""
        procedure = self.program.procedure[context.procedure]
        given = {each.name for each in procedure.parameters}
        return context.high | {each.name for each in procedure.variables if each.name not in given}

    def through(self, context: Context, label: str, high: High, returns: Mapping[Context, High]) -> _After:
        """The labels behind a block; none if it calls what never returns, as far as is known."""
        procedure = self.program.procedure[context.procedure]
        block = procedure.block[label]
        alone = context.alone or self._is_apart(procedure, label, high)
        found, calls = set(high), []
        for statement in block.statements:
            match statement:
                case Call():
                    called = self._called(statement, found, alone)
                    calls.append(called)
                    if called not in returns:
                        return _After({}, None, tuple(calls))
                    self._return(statement, returns[called], found, alone)
                case _:
                    self._step(statement, found, alone)
        terminator = block.terminator
        if isinstance(terminator, Branch) and not alone and _is_high(terminator.condition, found):
            found.add(_mark(label))
        kept = frozenset(found)
        if isinstance(terminator, Return | Stop):
            visible = self.globals | {each.name for each in procedure.outputs}
            return _After({}, kept & visible if isinstance(terminator, Return) else None, tuple(calls))
        after = {target: self._met(procedure, target, kept) for target in successors(terminator)}
        return _After(after, None, tuple(calls))

    def _step(self, statement: Statement, high: set[str], alone: bool) -> None:
        match statement:
            case Assign(target, value):
                _put(target.name, alone or _is_high(value, high), high)
            case Havoc(target):
                high.add(target.name)
            case Observe(value, purpose):
                if purpose is Purpose.COMPARED:
                    if alone or _is_high(value, high):
                        raise Compared(statement)
                elif not alone:
                    high.difference_update(_determined(value))
            case Assume() | Assert() | Print() | Call():
                pass

    def _called(self, call: Call, high: set[str], alone: bool) -> Context:
        procedure = self.program.procedure[call.procedure]
        given = zip(procedure.parameters, call.arguments, strict=True)
        parameters = {each.name for each, value in given if _is_high(value, high)}
        return Context(call.procedure, frozenset(parameters | (high & self.globals)), alone)

    def _return(self, call: Call, returned: High, high: set[str], alone: bool) -> None:
        """Globals have the labels that the callee leaves them with, which are high if it wrote them alone."""
        outputs = self.program.procedure[call.procedure].outputs
        for name in self.globals:
            _put(name, name in returned, high)
        for output, result in zip(outputs, call.results or (None,) * len(outputs), strict=True):
            if result is not None:
                _put(result.name, alone or output.name in returned, high)

    # Where runs are apart

    def _is_apart(self, procedure: Procedure, label: str, high: High) -> bool:
        """Whether runs that went different ways have not met again: a mark of the branch is still there."""
        return any(_mark(branch) in high for branch in self._around(procedure).get(label, ()))

    def _met(self, procedure: Procedure, target: str, high: High) -> High:
        """Marks of branches end where their ways meet."""
        around = self._around(procedure).get(target, frozenset())
        return frozenset(each for each in high if not each.startswith(_MARK) or each.removeprefix(_MARK) in around)

    def _around(self, procedure: Procedure) -> Mapping[str, frozenset[str]]:
        """For each block, the branches whose ways have not met yet there."""
        if procedure.name not in self.regions:
            found: dict[str, set[str]] = {}
            meeting = _meeting(procedure)
            for block in procedure.blocks:
                if isinstance(block.terminator, Branch):
                    for label in _until(procedure, successors(block.terminator), meeting.get(block.label)):
                        found.setdefault(label, set()).add(block.label)
            self.regions[procedure.name] = {label: frozenset(branches) for label, branches in found.items()}
        return self.regions[procedure.name]


_MARK = "?"
"""Begins what stands among the high variables for a branch on something high."""


def _mark(label: str) -> str:
    return f"{_MARK}{label}"


def _put(name: str, is_high: bool, high: set[str]) -> None:
    if is_high:
        high.add(name)
    else:
        high.discard(name)


def _is_high(expression: Expression, high: Collection[str]) -> bool:
    return any(isinstance(each, Variable) and each.name in high for each in subexpressions(expression))


def _determined(value: Expression) -> Iterator[str]:
    """Variables whose values are the same in two runs that agree on the value: it tells all that they may be apart."""
    inner: Expression | None = value
    while inner is not None and not isinstance(inner, Variable):
        inner = _told_by(inner)
    if inner is not None:
        yield inner.name


def _told_by(value: Expression) -> Expression | None:
    """The operand of which no two values give the same one here; what overflows wraps around or has no value."""
    match value:
        case Convert(operand, type) if _keeps_apart(operand.type, type):
            return operand
        case Unary(UnaryOperator.NEGATE | UnaryOperator.COMPLEMENT, operand, Machine() | Unbounded()):
            return operand
        case Binary(
            Operator.ADD | Operator.SUBTRACT | Operator.BIT_XOR, Constant(), operand, Machine() | Unbounded()
        ) | Binary(Operator.ADD | Operator.SUBTRACT | Operator.BIT_XOR, operand, Constant(), Machine() | Unbounded()):
            return operand
        case _:
            return None


def _keeps_apart(old: Type, new: Type) -> bool:
    """Numbers of at most as many bits differ in the last ones: signs do not matter."""
    match old, new:
        case Machine(), Unbounded():
            return True
        case Machine(), Machine():
            return old.bits <= new.bits
        case _:
            return False


def _until(procedure: Procedure, starts: Iterable[str], end: str | None) -> set[str]:
    """The blocks that are reached from the starts without passing the end."""
    found: set[str] = set()
    pending = list(starts)
    while pending:
        label = pending.pop()
        if label != end and label not in found:
            found.add(label)
            pending.extend(successors(procedure.block[label].terminator))
    return found


def _meeting(procedure: Procedure) -> Mapping[str, str | None]:
    """For each block, the next one that every way to a return passes; none if that is the return itself."""
    everything = {block.label for block in procedure.blocks}
    passed: dict[str, set[str]] = {
        block.label: {block.label} if isinstance(block.terminator, Return) else set(everything)
        for block in procedure.blocks
    }
    changed = True
    while changed:
        changed = False
        for block in reversed(procedure.blocks):
            targets = successors(block.terminator)
            if isinstance(block.terminator, Return) or not targets:
                continue
            common = set.intersection(*(passed[target] for target in targets)) | {block.label}
            if common != passed[block.label]:
                passed[block.label] = common
                changed = True
    return {label: _nearest(label, passed) for label in passed}


def _nearest(label: str, passed: Mapping[str, set[str]]) -> str | None:
    """Of the blocks that are passed later, the one that passes all the others."""
    later = passed[label] - {label}
    return next((each for each in sorted(later) if later <= passed[each]), None)


class _Analysis:
    """Contexts and labels grow until nothing changes; a callee's callers are looked at again when its labels grow."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._rules = _Rules(program)
        self._blocks: dict[Context, dict[str, High]] = {}
        self._returns: dict[Context, High] = {}
        self._callers: dict[Context, set[tuple[Context, str]]] = {}
        self._pending: list[tuple[Context, str]] = []

    def run(self) -> Labelling:
        self._enter(self._rules.start)
        while self._pending:
            self._visit(*self._pending.pop())
        return Labelling(self._blocks, self._returns)

    def _enter(self, context: Context) -> None:
        if context in self._blocks:
            return
        if len(self._blocks) >= MOST_CONTEXTS:
            raise TooMany
        self._blocks[context] = {}
        self._grow(context, self._program.procedure[context.procedure].entry, self._rules.entry(context))

    def _grow(self, context: Context, label: str, high: High) -> None:
        known = self._blocks[context].get(label)
        if known is None or not high <= known:
            self._blocks[context][label] = high | (known or frozenset())
            self._pending.append((context, label))

    def _visit(self, context: Context, label: str) -> None:
        after = self._rules.through(context, label, self._blocks[context][label], self._returns)
        for called in after.calls:
            self._callers.setdefault(called, set()).add((context, label))
            self._enter(called)
        for target, high in after.next.items():
            self._grow(context, target, high)
        if after.returned is not None and _exceeds(after.returned, self._returns.get(context)):
            self._returns[context] = after.returned | self._returns.get(context, frozenset())
            self._pending.extend(self._callers.get(context, ()))
