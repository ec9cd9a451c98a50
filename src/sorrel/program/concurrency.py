"""Who may run at the same time: at each step of a thread, the variables that others may access meanwhile.

A thread that has not been created yet accesses nothing, nor do those that it would create. What only such threads touch
is the creator's own until then.
"""

from __future__ import annotations

from collections.abc import Sequence

from sorrel.program.expression import Variable
from sorrel.program.program import Procedure, successors
from sorrel.program.statement import Assign, Block, Statement, Terminator
from sorrel.program.traversal import read, steps, written

STARTED, DONE = "started.", "done."
MARKS = (STARTED, DONE)
"""How the names of variables begin that say that a thread was created, and that it has ended."""
WAITS = "waits."
"""How the names of variables begin that say what a thread waits for: whoever looks at a run must see that."""
_ALWAYS = (*MARKS, WAITS)


class Concurrency:
    """`visible` are globals that one thread writes while another one may touch them, and the marks that are waited for.

    Nobody may ever write that a thread is done, if it never is; who waits for it waits after all that came before.
    """

    def __init__(self, procedures: Sequence[Procedure], globals: Sequence[Variable]) -> None:
        self._procedures = procedures
        self._below = _created_by(procedures)
        self._started = [_started_at(each) for each in procedures]
        self._touched = _touched(procedures, globals)
        self._known: dict[frozenset[int], frozenset[Variable]] = {}
        self.visible = frozenset(self._written_by_several()) | {
            each for each, who in self._touched.items() if who and each.name.startswith(_ALWAYS)
        }

    def at(self, thread: int, label: str) -> list[frozenset[Variable]]:
        """For each step of a block, its terminator last, the visible variables that others may touch meanwhile."""
        return [
            self._shared(thread, started) for _, started in self._steps(thread, self._procedures[thread].block[label])
        ]

    def _written_by_several(self) -> set[Variable]:
        found: set[Variable] = set()
        for thread, procedure in enumerate(self._procedures):
            for block in procedure.blocks:
                for step, started in self._steps(thread, block):
                    others = self._others(thread, started)
                    found.update(each for each in written(step) if self._touched.get(each, frozenset()) & others)
        return found

    def _steps(self, thread: int, block: Block) -> list[tuple[Statement | Terminator, frozenset[int]]]:
        """With those that the thread may have created before; a creation counts as being after itself."""
        started = self._started[thread].get(block.label, frozenset())
        found: list[tuple[Statement | Terminator, frozenset[int]]] = []
        for step in steps(block):
            started |= _creates(step)
            found.append((step, started))
        return found

    def _shared(self, thread: int, started: frozenset[int]) -> frozenset[Variable]:
        others = self._others(thread, started)
        known = self._known.get(others)
        if known is None:
            marks = frozenset(each for each in self.visible if each.name.startswith(_ALWAYS))
            known = self._known[others] = marks | {each for each in self.visible if self._touched[each] & others}
        return known

    def _others(self, thread: int, started: frozenset[int]) -> frozenset[int]:
        """The threads that may run beside this one, which may have created those."""
        absent = {each for child in self._below[thread] - started for each in self._all_below(child)}
        return frozenset(range(len(self._procedures))) - absent - {thread}

    def _all_below(self, thread: int) -> frozenset[int]:
        found, work = {thread}, [thread]
        while work:
            new = self._below[work.pop()] - found
            found |= new
            work += new
        return frozenset(found)


def _creates(step: Statement | Terminator) -> frozenset[int]:
    if isinstance(step, Assign) and step.target.name.startswith(STARTED):
        return frozenset({int(step.target.name.removeprefix(STARTED))})
    return frozenset()


def _created_by(procedures: Sequence[Procedure]) -> list[frozenset[int]]:
    return [
        frozenset(child for block in each.blocks for step in steps(block) for child in _creates(step))
        for each in procedures
    ]


def _started_at(procedure: Procedure) -> dict[str, frozenset[int]]:
    """The threads that may have been created at the start of each block."""
    found = {procedure.entry: frozenset[int]()}
    work = [procedure.entry]
    while work:
        block = procedure.block[work.pop()]
        after = found[block.label].union(*map(_creates, block.statements))
        for target in successors(block.terminator):
            if target not in found or not after <= found[target]:
                found[target] = after | found.get(target, frozenset())
                work.append(target)
    return found


def _touched(procedures: Sequence[Procedure], globals: Sequence[Variable]) -> dict[Variable, frozenset[int]]:
    found: dict[Variable, set[int]] = {each: set() for each in globals}
    for number, procedure in enumerate(procedures):
        for block in procedure.blocks:
            for step in steps(block):
                for each in (*read(step), *written(step)):
                    if each in found:
                        found[each].add(number)
    return {each: frozenset(who) for each, who in found.items()}
