"""Data races as failed assertions: two threads are about to access the same object, one of them to write it, and not
both in atomic sections.

What a function without a body may access, and may as well not, is announced apart: no race is claimed there.

Before a thread writes outside of atomic sections it announces that, in a step of its own; everybody who accesses the
object asserts that nobody else has announced it. If both are about to access it, the one that writes can announce that
first and the other one come after, so that no race is missed; and an announcement stands only while its thread is
about to write. Reading is announced where others write in atomic sections. If no run that is sequentially consistent
has a race, there are no other runs: that is what C promises (C11, 5.1.2.4).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from sorrel.model.errors import InputError, Span
from sorrel.model.values import dataclass
from sorrel.program.accesses import Accesses, Load, Write, write_of
from sorrel.program.concurrency import Concurrency
from sorrel.program.construction import TRUE, binary, every, negation, zero
from sorrel.program.expression import Expression, Operator, Select, Variable
from sorrel.program.program import Procedure
from sorrel.program.shared import atomic_depths, change_of_depth
from sorrel.program.statement import Assert, Assign, Block, Call, Choice, Havoc, Kind, Observe, Statement, Terminator
from sorrel.program.traversal import read, written
from sorrel.program.types import BOOLEAN, UNBOUNDED, Array

Markers = tuple[str, str]
_OURS = re.compile(r"(memory\.(next|\$\w+|\d+\.length)|block\.\d+(\.\$)?\.length)\Z")
_WRITE, _MAY_WRITE, _READ, _MAY_READ = "write", "may_write", "read", "may_read"
_DOING = {_WRITE: "writes", _MAY_WRITE: "may write", _READ: "reads", _MAY_READ: "may read"}
_MARKS = ("started.", "done.", "argument.", "result.", "__VERIFIER_")


class UnseenAccess(InputError):
    """An access of which it is not known what it touches."""


@dataclass(frozen=True, slots=True)
class Checked:
    """`globals` are the announcements; none is made at the start."""

    procedures: list[Procedure]
    globals: tuple[Variable, ...]

    @property
    def initial(self) -> dict[str, Expression]:
        return {each.name: zero(each.type) for each in self.globals}


def with_race_checks(
    procedures: Sequence[Procedure], globals: Sequence[Variable], names: Sequence[str], markers: Markers
) -> Checked:
    """The threads' graphs with announcements and assertions; `names` are the functions that they start with."""
    together = Concurrency(procedures, globals)
    visible = frozenset(each for each in together.visible if not _is_ours(each))
    mixed = _written_in_sections(procedures, visible, markers)
    announced = _Announcements(visible, mixed, _possibly_accessed(procedures), tuple(names))
    done = [_Checker(number, each, announced, together, markers).run() for number, each in enumerate(procedures)]
    return Checked(done, announced.variables())


def _is_ours(variable: Variable) -> bool:
    """How memory is kept, and how threads start and end: no object of the program."""
    if variable.name.startswith(_MARKS):
        return True
    type = variable.type.element if isinstance(variable.type, Array) else variable.type
    return type == UNBOUNDED and _OURS.match(variable.name) is not None


def _written_in_sections(
    procedures: Sequence[Procedure], visible: frozenset[Variable], markers: Markers
) -> frozenset[Variable]:
    found: set[Variable] = set()
    for procedure in procedures:
        depths = atomic_depths(procedure, markers)
        for block in procedure.blocks:
            depth = depths.get(block.label, 0)
            for statement in block.statements:
                depth = max(0, depth + change_of_depth(statement, markers))
                if depth:
                    found.update(each for each in written(statement) if each in visible)
    return frozenset(found)


def _possibly_accessed(procedures: Sequence[Procedure]) -> frozenset[tuple[int, Variable]]:
    """Threads, and what functions without a body may do there with variables."""
    return frozenset(
        (thread, each)
        for thread, procedure in enumerate(procedures)
        for block in procedure.blocks
        for statement in block.statements
        if _outsider(statement)
        for each in (*read(statement), *written(statement))
    )


class _Announcements:
    """For each thread and variable whether it is about to write or read it, and where in an array."""

    def __init__(
        self,
        visible: frozenset[Variable],
        mixed: frozenset[Variable],
        possible: frozenset[tuple[int, Variable]],
        names: tuple[str, ...],
    ) -> None:
        self.visible = visible
        self.mixed = mixed
        self.possible = possible
        self.names = names
        self._made: dict[tuple[str, int, Variable], tuple[Variable, Variable | None]] = {}

    def slot(self, what: str, thread: int, variable: Variable, index: Expression | None) -> tuple[Variable, ...]:
        """The flag, and the variable for the index if there is one."""
        key = (what, thread, variable)
        if key not in self._made:
            name = f"{what}.{thread}.{variable.name}"
            at = None if index is None else Variable(f"{name}.at", index.type)
            self._made[key] = (Variable(name, BOOLEAN), at)
        flag, at = self._made[key]
        return (flag,) if at is None else (flag, at)

    def variables(self) -> tuple[Variable, ...]:
        return tuple(each for pair in self._made.values() for each in pair if each is not None)

    def others(self, thread: int) -> Iterator[tuple[int, str]]:
        return ((number, name) for number, name in enumerate(self.names) if number != thread)


class _Checker:
    def __init__(
        self, number: int, procedure: Procedure, announced: _Announcements, together: Concurrency, markers: Markers
    ) -> None:
        self._number = number
        self._procedure = procedure
        self._announced = announced
        self._markers = markers
        self._depths = atomic_depths(procedure, markers)
        self._together = together
        self._accesses = Accesses(announced.visible, f"{procedure.entry.rsplit('.', 1)[0]}.seen")

    def run(self) -> Procedure:
        blocks = [self._block(each) for each in self._procedure.blocks if each.label in self._depths]
        locals = (*self._procedure.locals, *self._accesses.locals)
        return replace(self._procedure, blocks=tuple(blocks), locals=locals)

    def _block(self, block: Block) -> Block:
        depth = self._depths[block.label]
        now = self._together.at(self._number, block.label)
        done: list[Statement] = []
        for statement, visible in zip(block.statements, now, strict=False):
            depth = max(0, depth + change_of_depth(statement, self._markers))
            if not self._touches(statement, visible):
                done.append(statement)
                continue
            done += self._within(statement) if depth else self._outside(statement)
        terminator: Terminator = block.terminator
        if not self._touches(terminator, now[-1]):
            return Block(block.label, tuple(done), terminator)
        if depth:
            done += self._reads_within(terminator)
        else:
            loads, terminator = self._accesses.loaded_terminator(terminator)
            done += self._loaded(loads, block.terminator.span)
        return Block(block.label, tuple(done), terminator)

    def _touches(self, step: Statement | Terminator, visible: frozenset[Variable]) -> bool:
        """Whether the step accesses something that others may access at the same time."""
        return any(each in visible and each in self._announced.visible for each in (*read(step), *written(step)))

    # Outside of atomic sections: one access at a time

    def _outside(self, statement: Statement) -> list[Statement]:
        if _begins_life(statement):
            return [statement]
        loads, rest = self._accesses.loaded(statement)
        who = _outsider(statement)
        done = self._loaded(loads, statement.span, who)
        target = self._target(rest)
        if target is None:
            return [*done, rest]
        announce = self._announce(
            _MAY_WRITE if who else _WRITE, target.target, target.index, target.condition, rest.span
        )
        checks = self._checks(target.target, target.index, target.condition, rest.span, writes=True, who=who)
        return [*done, *self._section([*checks, *announce]), *self._section([rest, *self._taken_back(announce)])]

    def _loaded(self, loads: Sequence[Load], span: Span, who: str = "") -> list[Statement]:
        done: list[Statement] = []
        for load in loads:
            variable, index = _object(load.read, span)
            checks = self._checks(variable, index, load.condition, span, writes=False, who=who)
            read = Assign(load.place, load.read, span)
            if variable in self._announced.mixed:
                announce = self._announce(_MAY_READ if who else _READ, variable, index, load.condition, span)
                done += self._section([*checks, *announce])
                done += self._section([read, *self._taken_back(announce)])
            else:
                done += self._section([*checks, read])
        return done

    def _announce(
        self, what: str, variable: Variable, index: Expression | None, condition: Expression, span: Span
    ) -> list[Statement]:
        flag, *at = self._announced.slot(what, self._number, variable, index)
        done: list[Statement] = [Assign(flag, condition, span)]
        return [*done, *(Assign(each, index, span) for each in at if index is not None)]

    def _taken_back(self, announced: Sequence[Statement]) -> list[Statement]:
        targets = [each.target for each in announced if isinstance(each, Assign)]
        return [Assign(target, zero(target.type), announced[0].span) for target in targets]

    def _section(self, statements: Sequence[Statement]) -> list[Statement]:
        begin, end = self._markers
        span = statements[0].span
        return [Call(begin, (), (), span), *statements, Call(end, (), (), span)]

    # In atomic sections: with what else happens there

    def _within(self, statement: Statement) -> list[Statement]:
        if _begins_life(statement):
            return [statement]
        done = self._reads_within(statement)
        target = self._target(statement)
        if target is not None:
            whom, where, who = target.target, target.index, _outsider(statement)
            done += self._checks(whom, where, target.condition, statement.span, writes=True, atomic=True, who=who)
        return [*done, statement]

    def _reads_within(self, step: Statement | Terminator) -> list[Statement]:
        done: list[Statement] = []
        for access, condition in self._accesses.of(step):
            variable, index = _object(access, step.span)
            who = _outsider(step)
            done += self._checks(variable, index, condition, step.span, writes=False, atomic=True, who=who)
        return done

    # Assertions

    def _target(self, statement: Statement) -> Write | None:
        """What a statement writes of what others can see."""
        if isinstance(statement, Havoc):
            write = Write(statement.target, TRUE, None, statement.target)
        else:
            found = write_of(statement)
            if found is None:
                return None
            write = found
        if write.target not in self._announced.visible:
            return None
        if write.index is None and isinstance(write.target.type, Array):
            raise UnseenAccess(f"{_shown(write.target)} is written as a whole and shared by threads", statement.span)
        return write

    def _checks(
        self,
        variable: Variable,
        index: Expression | None,
        condition: Expression,
        span: Span,
        *,
        writes: bool,
        atomic: bool = False,
        who: str = "",
    ) -> list[Statement]:
        """Nobody else has announced what goes against it; `who` has no body and may do it."""
        does = "written here" if writes else "read here"
        does = f"may be {does} by {who}, which has no body," if who else f"is {does}"
        done: list[Statement] = []
        for thread, name in self._announced.others(self._number):
            for what, doing in _DOING.items():
                if what in (_READ, _MAY_READ) and not (writes and atomic):
                    continue
                if what in (_MAY_WRITE, _MAY_READ) and (thread, variable) not in self._announced.possible:
                    continue
                flag, *at = self._announced.slot(what, thread, variable, index)
                same = [binary(Operator.EQUAL, each, index) for each in at if index is not None]
                free = negation(every([each for each in (condition, flag, *same) if each != TRUE]))
                told = f"data race: {_shown(variable)} {does} while thread {thread} ({name}) {doing} it"
                kind = Kind.POSSIBLE_RACE if who or what in (_MAY_WRITE, _MAY_READ) else Kind.RACE
                done.append(Assert(free, kind, told, span))
        return done


def _outsider(step: Statement | Terminator) -> str:
    """The function without a body that may, or may not, do this; none if the program itself does it."""
    if isinstance(step, Havoc) and step.choice is Choice.EXTERNAL:
        return step.source
    return step.message if isinstance(step, Observe) else ""


def _begins_life(statement: Statement) -> bool:
    """No access: nobody knows of an object before it is there."""
    return isinstance(statement, Havoc) and statement.choice is Choice.UNINITIALISED


def _object(access: Expression, span: Span) -> tuple[Variable, Expression | None]:
    if isinstance(access, Select) and isinstance(access.array, Variable):
        return access.array, access.index
    if isinstance(access, Variable) and not isinstance(access.type, Array):
        return access, None
    raise UnseenAccess("an array that threads share is read as a whole", span)


def _shown(variable: Variable) -> str:
    """A name that says something to the user."""
    name = variable.name.rsplit("..", 1)[-1]
    for part in (".object", ".offset"):
        name = name.removesuffix(part)
    return "memory" if name.startswith(("memory.", "block.")) else name
