"""A procedure with the bodies of its callees in place of the calls, for those who think in one flow graph.

Each call gets a copy of its own, with labels and variables of its own. What a copy would read before it is written is
open anew each time it is entered, as at a call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field, replace
from functools import partial

from sorrel.model.components import strongly_connected
from sorrel.model.errors import InputError, Span
from sorrel.model.values import dataclass
from sorrel.program.expression import Variable
from sorrel.program.graph import reached_only
from sorrel.program.liveness import open_starts
from sorrel.program.program import Procedure, Program
from sorrel.program.statement import Assign, Block, Call, Choice, Goto, Havoc, Return, Statement, Terminator
from sorrel.program.traversal import rename, retarget, rewrite_terminator, substitute


class Recursive(InputError):
    """A procedure that calls itself has no finite copy."""

    def __init__(self, name: str, span: Span) -> None:
        super().__init__(f"{name} calls itself, directly or by way of others", span)


MOST_BLOCKS = 20_000
"""More blocks than this are no use to anyone."""


@dataclass(slots=True)
class _Copy:
    """A copy that is still to be made: where it starts and where its returns go."""

    procedure: Procedure
    prefix: str
    above: frozenset[str]
    back: str | None
    results: tuple[Variable | None, ...] = ()


@dataclass(slots=True)
class Inliner:
    """`keep` says which calls stay, or what stands for them: it is asked with the call and the names of its copy."""

    program: Program
    prefix: str
    keep: Callable[[Call], list[Statement] | None] = lambda call: None
    around: Callable[[str], tuple[list[Statement], list[Statement]]] = lambda name: ([], [])
    _blocks: list[Block] = field(default_factory=list)
    _locals: dict[str, Variable] = field(default_factory=dict)
    _source_names: dict[str, str] = field(default_factory=dict)
    _waiting: list[_Copy] = field(default_factory=list)
    _count: int = 0
    _taken: frozenset[str] | None = None
    stands_for: dict[str, str] = field(default_factory=dict)
    """For each variable of a copy the name of the one that it is a copy of."""

    @property
    def size(self) -> int:
        """How many blocks there will be, as far as is known."""
        return len(self._blocks) + sum(len(copy.procedure.blocks) for copy in self._waiting)

    def run(self, name: str) -> Procedure:
        """The procedure with the copies; it has no outputs, for nobody calls it."""
        procedure = self.program.procedure[name]
        self._waiting.append(_Copy(procedure, self.prefix, frozenset({name}), None))
        entry = f"{self.prefix}{_entering(procedure)}"
        outer = _renaming(procedure, self.prefix)
        while self._waiting:
            self._copy(self._waiting.pop())
            if len(self._blocks) > MOST_BLOCKS:
                raise InputError(f"{name} has more than {MOST_BLOCKS} blocks once all calls are inlined")
        parameters = tuple(outer[each] for each in procedure.parameters)
        own = {each.name for each in parameters}
        return reached_only(
            Procedure(
                name,
                parameters,
                (),
                tuple(each for each in self._locals.values() if each.name not in own),
                tuple(self._blocks),
                entry,
                procedure.span,
                self._source_names,
            )
        )

    def _copy(self, copy: _Copy) -> None:
        renaming = _renaming(copy.procedure, copy.prefix)
        for old, new in renaming.items():
            self._locals[new.name] = new
            self.stands_for[new.name] = old.name
            self._source_names[new.name] = copy.procedure.source_names.get(old.name, old.name)
        # A block of its own: the entry may be the target of a loop, which starts nothing anew.
        starts = [Havoc(renaming[each], Choice.UNINITIALISED, each.name) for each in open_starts(copy.procedure)]
        entering = f"{copy.prefix}{_entering(copy.procedure)}"
        self._blocks.append(Block(entering, tuple(starts), Goto(f"{copy.prefix}{copy.procedure.entry}")))
        for block in copy.procedure.blocks:
            self._block(copy, block, renaming)

    def _block(self, copy: _Copy, block: Block, renaming: dict[Variable, Variable]) -> None:
        label = f"{copy.prefix}{block.label}"
        done: list[Statement] = []
        for statement in block.statements:
            renamed = rename(statement, renaming)
            if not isinstance(renamed, Call):
                done.append(renamed)
                continue
            kept = self.keep(renamed)
            if kept is not None:
                done += kept
                continue
            after = self._enter(copy, renamed, label, done)
            label, done = after, list(self.around(renamed.procedure)[1])
        self._blocks.append(Block(label, tuple(done), self._terminator(copy, block.terminator, renaming, done, label)))

    def _enter(self, copy: _Copy, call: Call, label: str, done: list[Statement]) -> str:
        """End the block at the call; the label where it goes on."""
        callee = self.program.procedure[call.procedure]
        if callee.name in copy.above:
            raise Recursive(callee.name, call.span)
        prefix = self._fresh(callee.name)
        after = f"{prefix}after"
        names = _renaming(callee, prefix)
        done += self.around(callee.name)[0]
        done += [
            Assign(names[parameter], argument, call.span)
            for parameter, argument in zip(callee.parameters, call.arguments, strict=True)
        ]
        self._blocks.append(Block(label, tuple(done), Goto(f"{prefix}{_entering(callee)}", call.span)))
        self._waiting.append(_Copy(callee, prefix, copy.above | {callee.name}, after, call.results))
        return after

    def _fresh(self, name: str) -> str:
        """A prefix that no name has; the program may have been inlined in part before."""
        if self._taken is None:
            self._taken = frozenset(_prefixes(self.program))
        while True:
            self._count += 1
            prefix = f"{self.prefix}{name}.{self._count}."
            if prefix not in self._taken:
                return prefix

    def _terminator(
        self,
        copy: _Copy,
        terminator: Terminator,
        renaming: dict[Variable, Variable],
        done: list[Statement],
        label: str,
    ) -> Terminator:
        if isinstance(terminator, Return) and copy.back is not None:
            outputs = zip(copy.results, copy.procedure.outputs, strict=True)
            moved = [Assign(to, renaming[output], terminator.span) for to, output in outputs if to is not None]
            self._blocks.append(Block(f"{label}.return", tuple(moved), Goto(copy.back, terminator.span)))
            return Goto(f"{label}.return", terminator.span)
        renamed = rewrite_terminator(terminator, lambda condition: substitute(condition, renaming))
        return retarget(renamed, lambda to: f"{copy.prefix}{to}")


def _entering(procedure: Procedure) -> str:
    """The label of the block before the first one of a copy."""
    taken = {block.label for block in procedure.blocks}
    label = "enter"
    while label in taken:
        label += "."
    return label


def _prefixes(program: Program) -> Iterator[str]:
    """What names begin with, up to each of their dots."""
    for procedure in program.procedures:
        names = [*(block.label for block in procedure.blocks), *(each.name for each in procedure.variables)]
        for name in names:
            yield from (name[: position + 1] for position, sign in enumerate(name) if sign == ".")


def _renaming(procedure: Procedure, prefix: str) -> dict[Variable, Variable]:
    return {each: replace(each, name=f"{prefix}{each.name}") for each in procedure.variables}


def inlined(program: Program, name: str, prefix: str = "") -> Procedure:
    """The procedure without calls and outputs; the globals are those of the program."""
    return Inliner(program, prefix).run(name)


def leading_to_recursion(program: Program) -> frozenset[str]:
    """The procedures from which calls lead around a cycle: what is left when leaves are taken away again and again."""
    left = {procedure.name: set(procedure.callees) for procedure in program.procedures}
    while True:
        leaves = [name for name, callees in left.items() if not callees & left.keys()]
        if not leaves:
            return frozenset(left)
        for name in leaves:
            del left[name]


def calling_themselves(program: Program) -> frozenset[str]:
    """The procedures that calls lead back to."""
    callees = {procedure.name: procedure.callees for procedure in program.procedures}
    groups = strongly_connected(callees)
    return frozenset(name for group in groups for name in group if len(group) > 1 or name in callees[name])


MOST_BLOCKS_OF_ONE = 5_000
"""A procedure that would become larger keeps its calls."""


def without_calls(
    program: Program,
    reshape: Callable[[Procedure], Procedure] = lambda procedure: procedure,
    kept: frozenset[str] | None = None,
) -> tuple[Program, Mapping[str, str]]:
    """The program in which every procedure that leads to no recursion, or is not among those `kept`, is part of its
    callers.

    A question about functions without loops is then one without any procedure, whose proof needs no summaries. Runs
    are the same, choice for choice: what a procedure starts with and may read is chosen where the call was. With it,
    for each variable that is new, the name of the one that it stands for. `reshape` is asked about each procedure
    before it becomes part of others.
    """
    kept = leading_to_recursion(program) if kept is None else kept
    names: dict[str, str] = {}
    done = program
    for name in _callees_first(program):
        inliner = Inliner(done, "")
        inliner.keep = partial(_unless_small, inliner, done, kept)
        made = reshape(_with_outputs(inliner.run(name), program.procedure[name]))
        done = replace(done, procedures=tuple(made if each.name == name else each for each in done.procedures))
        names.update({new: names.get(old, old) for new, old in inliner.stands_for.items() if new != old})
    return done, names


def _with_outputs(copied: Procedure, original: Procedure) -> Procedure:
    """The copy as a procedure that can be called."""
    outputs = frozenset(original.outputs)
    locals_ = tuple(variable for variable in copied.locals if variable not in outputs)
    made = replace(copied, outputs=original.outputs, locals=locals_)
    return replace(made, source_names=original.source_names, scopes=original.scopes)


def _callees_first(program: Program) -> Iterator[str]:
    seen: set[str] = set()
    for root in program.procedure:
        stack = [(root, False)]
        while stack:
            name, ready = stack.pop()
            if ready:
                yield name
            elif name not in seen:
                seen.add(name)
                stack.append((name, True))
                stack += [(callee, False) for callee in program.procedure[name].callees]


def _unless_small(inliner: Inliner, program: Program, kept: frozenset[str], call: Call) -> list[Statement] | None:
    room = inliner.size + len(program.procedure[call.procedure].blocks) <= MOST_BLOCKS_OF_ONE
    return None if room and call.procedure not in kept else [call]
