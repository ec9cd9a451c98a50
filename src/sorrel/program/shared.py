"""Where a thread can be interrupted: before each access to what another thread may touch.

Everything else commutes with what other threads do, so that it can be thought of as happening at once with the access
before it (Lipton, Reduction, 1975). So does the creation of threads, and their end, with what comes before: nobody can
tell when it happened. Waiting for a thread to be created or to end commutes with what comes after.

A statement with several accesses becomes several statements, in the order of evaluation; what the right side of a
connective reads is read in any case, which changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sorrel.model.errors import InputError, Span
from sorrel.program.accesses import Accesses, Load
from sorrel.program.concurrency import MARKS, Concurrency
from sorrel.program.expression import Variable
from sorrel.program.graph import reached_only, reverse_postorder
from sorrel.program.program import Procedure, successors
from sorrel.program.statement import (
    Assign,
    Assume,
    Block,
    Call,
    Goto,
    Statement,
    Terminator,
)
from sorrel.program.traversal import (
    read,
    steps,
    written,
)

Cut = tuple[Procedure, frozenset[str]]


class AtomicLoop(InputError):
    """An atomic section that does not end on a known path."""


def one_access_each(
    procedures: Sequence[Procedure], globals: Sequence[Variable], markers: tuple[str, str]
) -> list[Cut]:
    """The graphs with cuts where they can be interrupted, and without the markers of atomic sections."""
    together = Concurrency(procedures, globals)
    return [_Cutter(number, procedure, together, markers).run() for number, procedure in enumerate(procedures)]


def change_of_depth(statement: Statement, markers: tuple[str, str]) -> int:
    """1 where an atomic section begins, -1 where one ends."""
    begin, end = markers
    return {begin: 1, end: -1}.get(statement.procedure, 0) if isinstance(statement, Call) else 0


def atomic_depths(procedure: Procedure, markers: tuple[str, str]) -> dict[str, int]:
    """How many atomic sections are open at the start of each block that can be reached."""
    found = {procedure.entry: 0}
    work = [procedure.entry]
    while work:
        label = work.pop()
        block = procedure.block[label]
        depth = found[label]
        for statement in block.statements:
            depth = max(0, depth + change_of_depth(statement, markers))
        for target in successors(block.terminator):
            if target not in found:
                found[target] = depth
                work.append(target)
            elif found[target] != depth:
                raise AtomicLoop("an atomic section ends on some paths only", procedure.span)
    return found


class _Cutter:
    def __init__(self, number: int, procedure: Procedure, together: Concurrency, markers: tuple[str, str]) -> None:
        self._number = number
        self._procedure = procedure
        self._together = together
        self._visible = together.visible
        self._markers = markers
        self._depth = atomic_depths(procedure, markers)
        self._accesses = Accesses(self._visible, f"{procedure.entry.rsplit('.', 1)[0]}.read")
        self._clean = self._clean_starts()
        self._blocks: list[Block] = []
        self._cuts: set[str] = {procedure.entry}
        self._count = 0
        self._prefix = procedure.entry.rsplit(".", 1)[0]

    def run(self) -> Cut:
        for label in reverse_postorder(self._procedure):
            self._block(self._procedure.block[label])
        locals = (*self._procedure.locals, *self._accesses.locals)
        cut = reached_only(replace(self._procedure, blocks=tuple(self._blocks), locals=locals))
        inner = {label for label in self._depth if self._depth[label] > 0}
        for header in _headers_without(cut, self._cuts):
            if header in inner:
                raise AtomicLoop("an atomic section contains a loop", self._procedure.span)
            self._cuts.add(header)
        return cut, frozenset(self._cuts)

    def _clean_starts(self) -> dict[str, bool]:
        """Whether nothing has happened at the start of each block that others can tell, since they could come between.

        So it is from the entry on, until the first access on any way.
        """
        found = {self._procedure.entry: True}
        work = [self._procedure.entry]
        while work:
            label = work.pop()
            block = self._procedure.block[label]
            visible = self._together.at(self._number, label)
            clean = found[label] and not any(
                self._tells(step, block.statements[position + 1 :], visible[position])
                for position, step in enumerate(steps(block))
            )
            for target in successors(block.terminator):
                if target not in found or (found[target] and not clean):
                    found[target] = clean
                    work.append(target)
        return found

    def _tells(self, step: Statement | Terminator, rest: Sequence[Statement], visible: frozenset[Variable]) -> bool:
        """Whether others can tell that the step was taken: it accesses something, and does not just wait."""
        if isinstance(step, Call):
            return change_of_depth(step, self._markers) > 0 and not self._is_empty(rest, visible)
        return _touches(step, visible) and not _waits(step)

    def _block(self, block: Block) -> None:
        depth = self._depth[block.label]
        clean = self._clean[block.label]
        label = block.label
        done: list[Statement] = []
        now = self._together.at(self._number, block.label)
        for position, statement in enumerate(block.statements):
            visible = now[position]
            change = change_of_depth(statement, self._markers)
            if change:
                if depth == 0 and change > 0 and not self._is_empty(block.statements[position + 1 :], visible):
                    if not clean:
                        label, done = self._interrupt(label, done, statement.span)
                    clean = False
                depth = max(0, depth + change)
                continue
            for part in self._parts(statement) if depth == 0 else [statement]:
                if depth == 0 and _touches(part, visible) and not _announces(part):
                    if not clean:
                        label, done = self._interrupt(label, done, part.span)
                    clean = _waits(part)
                elif depth == 0 and _announces(part):
                    clean = False
                done.append(part)
        terminator = block.terminator
        if depth == 0 and _touches(terminator, now[-1]):
            loads, terminator = self._accesses.loaded_terminator(terminator)
            for part in _assigned(loads, block.terminator.span):
                if not clean:
                    label, done = self._interrupt(label, done, part.span)
                clean = False
                done.append(part)
        self._blocks.append(Block(label, tuple(done), terminator))

    def _is_empty(self, statements: Sequence[Statement], visible: frozenset[Variable]) -> bool:
        """Whether the atomic section that starts here ends in this block without an access, and cannot have to wait.

        A mutex that only one thread uses is waited for if that thread has it already: what came before has happened.
        """
        for statement in statements:
            if change_of_depth(statement, self._markers) < 0:
                return True
            if (
                change_of_depth(statement, self._markers) > 0
                or _touches(statement, visible)
                or self._may_wait(statement)
            ):
                return False
        return False

    def _may_wait(self, statement: Statement) -> bool:
        own = self._procedure.variables
        waits = isinstance(statement, Assume) and not statement.reason
        return waits and any(each not in own for each in read(statement))

    def _interrupt(self, label: str, done: list[Statement], span: Span) -> tuple[str, list[Statement]]:
        """Here other threads may come between, unless nothing has happened since they last could."""
        if label in self._cuts and not done:
            return label, done
        if not done:
            self._cuts.add(label)
            return label, done
        self._count += 1
        name = f"{self._prefix}.cut.{self._count}"
        self._blocks.append(Block(label, tuple(done), Goto(name, span)))
        self._cuts.add(name)
        return name, []

    # Several accesses

    def _parts(self, statement: Statement) -> list[Statement]:
        """The statement as several, each with one access at most."""
        accesses = list(self._accesses.of(statement))
        writes = any(each in self._visible for each in written(statement))
        if len(accesses) + writes <= 1 or _waits(statement):
            return [statement]
        loads, rest = self._accesses.loaded(statement)
        return [*_assigned(loads, statement.span), rest]


def _assigned(loads: Sequence[Load], span: Span) -> list[Statement]:
    return [Assign(load.place, load.read, span) for load in loads]


def _touches(step: Statement | Terminator, visible: frozenset[Variable]) -> bool:
    return any(each in visible for each in (*read(step), *written(step)))


def _announces(statement: Statement) -> bool:
    """Says that a thread is created or done: others can only wait for that."""
    return isinstance(statement, Assign) and statement.target.name.startswith(MARKS)


def _waits(statement: Statement | Terminator) -> bool:
    """Waits for threads to be created or done: what is read stays as it is once it is true."""
    if not isinstance(statement, Assume):
        return False
    touched = read(statement)
    return bool(touched) and all(each.name.startswith(MARKS) for each in touched)


def _headers_without(procedure: Procedure, cuts: set[str]) -> list[str]:
    """Labels such that every cycle that passes no cut passes one of them."""
    found: list[str] = []
    state: dict[str, bool] = {}  # True while on the path that is looked at
    for root in (label for label in reverse_postorder(procedure) if label in cuts):
        path = [(root, iter(successors(procedure.block[root].terminator)))]
        while path:
            label, ahead = path[-1]
            target = next((each for each in ahead if each not in cuts), None)
            if target is None:
                state[label] = False
                path.pop()
            elif target not in state:
                state[target] = True
                path.append((target, iter(successors(procedure.block[target].terminator))))
            elif state[target]:
                found.append(target)
    return found
