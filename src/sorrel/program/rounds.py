"""Loops that make the same number of rounds in every run, written out round by round.

Which of them is worth it, others decide. Constants are followed through one round after the other: if each condition
by which a round can leave the loop is decided by them, the number of rounds is known. Conditions that are decided
become jumps; everything else is copied as it is, so that the procedure has the same runs, which take the same choices.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import replace

from sorrel.model.values import dataclass
from sorrel.program.constants import Known, Propagation, common, folded
from sorrel.program.expression import Constant, Variable
from sorrel.program.graph import predecessors
from sorrel.program.liveness import open_starts
from sorrel.program.loops import Loop, loops
from sorrel.program.program import Procedure, successors
from sorrel.program.statement import Block, Branch, Choice, Goto, Havoc, Terminator
from sorrel.program.traversal import retarget, substitute

MOST_ROUNDS = 16
MOST_BLOCKS = 400
"""Of a procedure in which loops are written out."""


@dataclass(frozen=True, slots=True)
class _Round:
    """The blocks that a round comes to, where decided ones go, and what is known if it leads to another; else None."""

    reached: tuple[str, ...]
    decided: Mapping[str, str]
    after: Known | None


def written_out(procedure: Procedure, wanted: Set[str]) -> Procedure:
    """The procedure without those loops among the wanted, by their headers, whose number of rounds is known."""
    return _starting_with(open_starts(procedure), _without_loops(procedure, set(wanted)))


def _starting_with(opened: tuple[Variable, ...], procedure: Procedure) -> Procedure:
    """The procedure that chooses values for these at its start, also for those that only lost code would read.

    Runs are known by the values that they take: one of the original must be one of the result.
    """
    if open_starts(procedure) == opened:
        return procedure
    chosen = tuple(Havoc(variable, Choice.UNINITIALISED, variable.name, procedure.span) for variable in opened)
    start = Block(f"{procedure.entry}.chosen", chosen, Goto(procedure.entry, procedure.span))
    return replace(procedure, blocks=(start, *procedure.blocks), entry=start.label)


def _without_loops(procedure: Procedure, wanted: set[str]) -> Procedure:
    tried: set[str] = set()
    while loop := next((each for each in loops(procedure) if each.header in wanted - tried), None):
        tried.add(loop.header)
        rounds = _rounds(procedure, loop)
        if rounds is None or len(procedure.blocks) + sum(len(each.reached) for each in rounds) > MOST_BLOCKS:
            continue
        # Loops inside have new headers in each round.
        wanted |= {
            _copy(label, loop, number)
            for number, each in enumerate(rounds)
            for label in each.reached
            if label in wanted and label != loop.header
        }
        procedure = _without(procedure, loop, rounds)
    return procedure


def _rounds(procedure: Procedure, loop: Loop) -> list[_Round] | None:
    """All rounds from the first to the one that leaves; None if there are too many or not the same in all runs."""
    known: Known | None = _at_entry(procedure, loop)
    found: list[_Round] = []
    while known is not None and len(found) <= MOST_ROUNDS:
        made = _round(procedure, loop, known)
        if made is None:
            return None
        found.append(made)
        known = made.after
    return found if known is None else None


def _at_entry(procedure: Procedure, loop: Loop) -> Known:
    """The constants with which every run comes to the loop."""
    propagation = Propagation(set(procedure.variables).__contains__)
    at = propagation.at_blocks(procedure, {})
    found: dict[Variable, Constant] | None = {} if loop.header == procedure.entry else None
    for label in predecessors(procedure)[loop.header]:
        if label not in loop.body:
            after = propagation.after(procedure.block[label].statements, at[label])
            found = after if found is None else common(found, after)
    return found or {}


def _round(procedure: Procedure, loop: Loop, start: Known) -> _Round | None:
    """One round that starts with these constants; None if they do not say whether it leaves the loop."""
    propagation = Propagation(set(procedure.variables).__contains__)
    at: dict[str, dict[Variable, Constant]] = {loop.header: dict(start)}
    ends: dict[str, tuple[str, dict[Variable, Constant]]] = {}
    work = [loop.header]
    while work:
        label = work.pop()
        after = propagation.after(procedure.block[label].statements, at[label])
        targets = _targets(procedure.block[label].terminator, after)
        ends.pop(label, None)
        for target in targets:
            if target == loop.header or target not in loop.body:
                if len(targets) > 1 and any(each not in loop.body for each in targets):
                    return None
                ends[label] = (target, after)
            elif target not in at:
                at[target] = dict(after)
                work.append(target)
            elif (left := common(at[target], after)) != at[target]:
                at[target] = left
                work.append(target)
    return _ended(procedure, loop, at, ends)


def _targets(terminator: Terminator, known: Known) -> tuple[str, ...]:
    if isinstance(terminator, Branch):
        condition = folded(substitute(terminator.condition, known))
        if isinstance(condition, Constant):
            return (terminator.then if condition.value else terminator.otherwise,)
    return successors(terminator)


def _ended(
    procedure: Procedure,
    loop: Loop,
    at: Mapping[str, Known],
    ends: Mapping[str, tuple[str, dict[Variable, Constant]]],
) -> _Round | None:
    """All ways through the round go on to the next one, or all leave."""
    back = [after for target, after in ends.values() if target == loop.header]
    if not ends or (back and len(back) < len(ends)):
        return None
    decided: dict[str, str] = {}
    propagation = Propagation(set(procedure.variables).__contains__)
    for label, known in at.items():
        after = propagation.after(procedure.block[label].statements, known)
        terminator = procedure.block[label].terminator
        targets = _targets(terminator, after)
        if isinstance(terminator, Branch) and len(targets) == 1:
            decided[label] = targets[0]
    meeting = back[0] if back else None
    for each in back[1:]:
        meeting = common(meeting or {}, each)
    return _Round(tuple(label for label in loop.body if label in at), decided, meeting)


def _without(procedure: Procedure, loop: Loop, rounds: list[_Round]) -> Procedure:
    """The first round keeps its labels; a jump back to the head goes to the next round."""
    blocks = [block for block in procedure.blocks if block.label not in loop.body]
    for number, each in enumerate(rounds):

        def name(label: str, number: int = number) -> str:
            if label == loop.header:
                return _copy(label, loop, number + 1)
            return _copy(label, loop, number) if label in loop.body else label

        for label in each.reached:
            block = procedure.block[label]
            end = Goto(each.decided[label], block.terminator.span) if label in each.decided else block.terminator
            blocks.append(Block(_copy(label, loop, number), block.statements, retarget(end, name)))
    return replace(procedure, blocks=tuple(blocks))


def _copy(label: str, loop: Loop, number: int) -> str:
    return f"{label}.{loop.header}.{number}" if number else label
