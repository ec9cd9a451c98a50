"""Loops as tail-recursive procedures, for those who think in procedures only.

A loop becomes a procedure that runs from the header on, calls itself where the loop went back to its header, and
returns where the loop was left; the block of the header becomes a call of it. Loops are taken from the outside in: the
procedure of an outer loop holds the inner ones as loops, until their turn comes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from sorrel.model.errors import Span
from sorrel.model.values import dataclass
from sorrel.program.construction import binary, zero
from sorrel.program.expression import Constant, Operator, Variable
from sorrel.program.graph import reached_only
from sorrel.program.liveness import live_variables
from sorrel.program.loops import Loop, loops
from sorrel.program.program import Procedure, Program, successors
from sorrel.program.statement import Assign, Block, Branch, Call, Goto, Return, Stop
from sorrel.program.traversal import read, retarget, steps, written
from sorrel.program.types import UNBOUNDED, Type


@dataclass(frozen=True, slots=True)
class LoopOrigin:
    """Which loop of the user's program a procedure stands for; `exits` are the labels that it can be left to.

    If there are several, the last output of the procedure says which one was taken, by its position.
    """

    procedure: str
    header: str
    span: Span
    exits: tuple[str, ...]


def loops_as_procedures(program: Program, selector: Type = UNBOUNDED) -> tuple[Program, Mapping[str, LoopOrigin]]:
    """The program without loops, with the same runs, and where the procedures come from that it has more.

    `selector` is the type of outputs that say which exit was taken.
    """
    globals = frozenset(program.globals)
    taken = {procedure.name for procedure in program.procedures}
    origins: dict[str, LoopOrigin] = {}
    done: list[Procedure] = []
    for procedure in program.procedures:
        work: list[tuple[Procedure, Mapping[str, str]]] = [(procedure, {})]
        while work:
            current, original = work.pop()
            found = _extracted(current, globals, taken, procedure.name, selector)
            for each in found:
                exits = tuple(original.get(label, label) for label in each.exits)
                origins[each.procedure.name] = LoopOrigin(procedure.name, each.loop.header, each.loop.span, exits)
            done.append(_without_loops(current, found, globals))
            work.extend((each.procedure, _composed(original, each.original)) for each in reversed(found))
    return replace(program, procedures=tuple(done)), origins


def _composed(outer: Mapping[str, str], inner: Mapping[str, str]) -> Mapping[str, str]:
    return {**outer, **{new: outer.get(old, old) for new, old in inner.items()}}


@dataclass(frozen=True, slots=True)
class _Interface:
    """What goes into a loop and comes out of it.

    `kept` are the results that may be read after each exit; `selector` tells the exit if there are several.
    """

    inputs: tuple[Variable, ...]
    results: tuple[Variable, ...]
    kept: Mapping[str, frozenset[Variable]]
    selector: Variable | None
    inner: tuple[Variable, ...]

    @property
    def outputs(self) -> tuple[Variable, ...]:
        return (*self.results, self.selector) if self.selector else self.results


@dataclass(frozen=True, slots=True)
class _Extracted:
    """A loop with the procedure that it became; `original` are the outer labels that labels in it stand for."""

    loop: Loop
    procedure: Procedure
    selector: Variable | None
    exits: tuple[str, ...]
    original: Mapping[str, str]


def _extracted(
    outer: Procedure, globals: frozenset[Variable], taken: set[str], source: str, type: Type
) -> list[_Extracted]:
    """The outermost loops as procedures, named after the user's procedure that they come from."""
    found = [loop for loop in loops(outer) if loop.parent is None]
    if not found:
        return []
    live = live_variables(outer)
    names = {variable.name for variable in (*globals, *outer.variables)}
    selector = Variable(fresh_name("exit", names), type)
    return [
        _extract(outer, loop, _interface(outer, loop, live, globals, selector), fresh_name(f"{source}.loop", taken))
        for loop in found
    ]


def _interface(
    outer: Procedure,
    loop: Loop,
    live: Mapping[str, frozenset[Variable]],
    globals: frozenset[Variable],
    selector: Variable,
) -> _Interface:
    """Variables that the loop does not mention stay with the caller."""
    body = [outer.block[label] for label in loop.body]
    mentioned = _mentioned(body, globals)
    inputs = tuple(variable for variable in mentioned if variable in live[loop.header])
    changed = {variable for block in body for step in steps(block) for variable in written(step)}
    kept = {label: live[label] & changed for label in _exits(outer, loop)}
    results = tuple(variable for variable in mentioned if any(variable in read for read in kept.values()))
    inner = tuple(variable for variable in mentioned if variable not in inputs and variable not in results)
    return _Interface(inputs, results, kept, selector if len(kept) > 1 else None, inner)


def _exits(outer: Procedure, loop: Loop) -> tuple[str, ...]:
    inside = frozenset(loop.body)
    targets = (target for label in loop.body for target in successors(outer.block[label].terminator))
    return tuple(dict.fromkeys(target for target in targets if target not in inside))


def _extract(outer: Procedure, loop: Loop, interface: _Interface, name: str) -> _Extracted:
    labels = set(outer.block)
    again = fresh_name("again", labels)
    leaving = {label: fresh_name(f"leave.{label}", labels) for label in interface.kept}
    renamed = {**leaving, loop.header: again}
    body = [outer.block[label] for label in loop.body]
    blocks = [replace(each, terminator=retarget(each.terminator, lambda to: renamed.get(to, to))) for each in body]
    blocks.append(Block(again, (Call(name, interface.inputs, interface.outputs, loop.span),), Return(loop.span)))
    blocks += [_leave(leaving[label], position, label, interface, loop.span) for position, label in enumerate(leaving)]
    within = {variable.name for variable in (*interface.inputs, *interface.results, *interface.inner)}
    shown = {variable: text for variable, text in outer.source_names.items() if variable in within}
    procedure = Procedure(
        name, interface.inputs, interface.outputs, interface.inner, tuple(blocks), loop.header, loop.span, shown
    )
    original = {new: old for old, new in renamed.items()}
    return _Extracted(loop, procedure, interface.selector, tuple(leaving), original)


def _mentioned(blocks: Iterable[Block], globals: frozenset[Variable]) -> tuple[Variable, ...]:
    """The variables that the blocks mention, without the globals, which every procedure reaches by itself."""
    mentioned = dict.fromkeys(
        variable for block in blocks for step in steps(block) for variable in (*read(step), *written(step))
    )
    return tuple(variable for variable in mentioned if variable not in globals)


def _leave(label: str, position: int, exit: str, interface: _Interface, span: Span) -> Block:
    """Return, saying which exit it is.

    A result that nobody reads after this exit may not have been written; it is set here, so that it leaves no value
    open that the loop itself did not leave open.
    """
    dropped = (variable for variable in interface.results if variable not in interface.kept[exit])
    statements = [Assign(variable, zero(variable.type), span) for variable in dropped]
    if interface.selector:
        statements.append(Assign(interface.selector, Constant(position, interface.selector.type), span))
    return Block(label, tuple(statements), Return(span))


def _without_loops(procedure: Procedure, extracted: Sequence[_Extracted], globals: frozenset[Variable]) -> Procedure:
    """The procedure with calls in place of the given loops, which are all its outermost ones."""
    gone = {label for each in extracted for label in each.loop.body}
    blocks = [block for block in procedure.blocks if block.label not in gone]
    labels = set(procedure.block)
    for each in extracted:
        blocks += _call(each, labels)
    shorter = reached_only(replace(procedure, blocks=tuple(blocks)))
    outer = {*procedure.parameters, *procedure.outputs}
    mentioned = (variable for variable in _mentioned(shorter.blocks, globals) if variable not in outer)
    order = {variable: position for position, variable in enumerate(procedure.locals)}
    # Selectors are new; the locals that remain keep their order.
    return replace(shorter, locals=tuple(sorted(mentioned, key=lambda each: order.get(each, len(order)))))


def _call(each: _Extracted, labels: set[str]) -> list[Block]:
    """The block of the header: the call, and then to where the loop was left."""
    procedure, span = each.procedure, each.loop.span
    call = Call(procedure.name, procedure.parameters, procedure.outputs, span)
    if not each.exits:  # never left: nothing comes after
        return [Block(each.loop.header, (call,), Stop(span))]
    if each.selector is None:
        return [Block(each.loop.header, (call,), Goto(each.exits[0], span))]
    last = len(each.exits) - 1
    names = [
        each.loop.header,
        *(fresh_name(f"{each.loop.header}.or", labels) for _ in range(1, last)),
        each.exits[last],
    ]
    blocks = []
    for position in range(last):
        here = binary(Operator.EQUAL, each.selector, Constant(position, each.selector.type))
        branch = Branch(here, each.exits[position], names[position + 1], span)
        blocks.append(Block(names[position], (call,) if position == 0 else (), branch))
    return blocks


def fresh_name(wanted: str, taken: set[str]) -> str:
    """A name with a dot, so never the user's, and not taken; it is from now on."""
    number = 1
    while f"{wanted}.{number}" in taken:
        number += 1
    taken.add(f"{wanted}.{number}")
    return f"{wanted}.{number}"
