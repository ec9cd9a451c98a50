"""Blocks under construction."""

from __future__ import annotations

from dataclasses import field

from sorrel.model.errors import NOWHERE, InternalError, Span
from sorrel.model.values import dataclass
from sorrel.program.checks import guards
from sorrel.program.expression import Constant, Expression, Variable
from sorrel.program.program import successors
from sorrel.program.statement import Assign, Assume, Block, Branch, Call, Goto, Havoc, Statement, Stop, Terminator


@dataclass(eq=False, slots=True)
class OpenBlock:
    label: str
    statements: list[Statement] = field(default_factory=list)
    terminator: Terminator | None = None


@dataclass(frozen=True, slots=True)
class Position:
    """A point between two statements, and what was emitted before it in total."""

    block: OpenBlock
    index: int
    emitted: int


@dataclass(frozen=True, slots=True)
class Mark:
    """What a builder had at some moment, to go back to."""

    block: OpenBlock
    statements: int
    blocks: int
    written: int


class Builder:
    """Appends to a current block; what follows a jump without a label is thrown away."""

    def __init__(self) -> None:
        self._blocks: list[OpenBlock] = []
        self._labels = 0
        self._written: list[tuple[Variable | None, bool]] = []
        self.current = self.start(self.label("entry"))

    def label(self, hint: str) -> str:
        self._labels += 1
        return f"{hint}.{self._labels}"

    def start(self, label: str) -> OpenBlock:
        """Goes on in a new block; the previous one falls through if it has no end yet."""
        block = OpenBlock(label)
        if self._blocks and self.current.terminator is None:
            self.current.terminator = Goto(label)
        self._blocks.append(block)
        self.current = block
        return block

    def leave(self, label: str) -> OpenBlock:
        """Goes on in a new block that the current one does not lead to; returns the current one, to be resumed."""
        left = self.current
        block = OpenBlock(label)
        self._blocks.append(block)
        self.current = block
        return left

    def resume(self, block: OpenBlock) -> None:
        self.current = block

    def emit(self, statement: Statement) -> None:
        if self.current.terminator is not None:
            self.start(self.label("dead"))
        self.current.statements.append(statement)
        match statement:
            case Assign(target) | Havoc(target):
                self._written.append((target, False))
            case Call(_, _, results):
                self._written.append((None, True))
                self._written.extend((result, False) for result in results if result is not None)

    def end(self, terminator: Terminator) -> None:
        if self.current.terminator is None:
            self.current.terminator = terminator

    def goto(self, label: str, span: Span = NOWHERE) -> None:
        self.end(Goto(label, span))

    def branch(self, condition: Expression, then: str, otherwise: str, span: Span = NOWHERE) -> None:
        match condition:
            case Constant(True):
                self.goto(then, span)
            case Constant(False):
                self.goto(otherwise, span)
            case _:
                self.end(Branch(condition, then, otherwise, span))

    def position(self) -> Position:
        if self.current.terminator is not None:
            self.start(self.label("dead"))
        return Position(self.current, len(self.current.statements), len(self._written))

    def written_since(self, position: Position) -> tuple[frozenset[str], bool]:
        """Variables assigned after the position, and whether anything was called."""
        recent = self._written[position.emitted :]
        return frozenset(variable.name for variable, _ in recent if variable is not None), any(c for _, c in recent)

    def insert(self, position: Position, statement: Statement) -> None:
        position.block.statements.insert(position.index, statement)

    def mark(self) -> Mark:
        if self.current.terminator is not None:
            self.start(self.label("dead"))
        return Mark(self.current, len(self.current.statements), len(self._blocks), len(self._written))

    def undo(self, mark: Mark) -> None:
        """Forgets everything since the mark."""
        del self._blocks[mark.blocks :]
        del self._written[mark.written :]
        del mark.block.statements[mark.statements :]
        mark.block.terminator = None
        self.current = mark.block

    def only_assumed_since(self, mark: Mark) -> bool:
        """Whether nothing but assumptions was emitted."""
        added = mark.block.statements[mark.statements :]
        return len(self._blocks) == mark.blocks and all(isinstance(statement, Assume) for statement in added)

    def has_written_since(self, mark: Mark, names: frozenset[str]) -> bool:
        """Whether one of the variables may have another value now."""
        return any(v is not None and v.name in names for v, _ in self._written[mark.written :])

    def finished(self, entry: str) -> tuple[Block, ...]:
        """The blocks that can be reached, in the order in which they were written; chains of jumps made short."""
        if self.current.terminator is None:
            self.current.terminator = Stop()
        by_label = {block.label: block for block in self._blocks}
        hops = {
            block.label: block.terminator.target
            for block in self._blocks
            if isinstance(block.terminator, Goto) and not block.statements
        }
        ends = _ends(hops)
        reached: dict[str, None] = {}
        pending = [entry]
        while pending:
            label = pending.pop()
            if label in reached:
                continue
            reached[label] = None
            block = by_label[label]
            if block.terminator is None:
                raise InternalError(f"the block {label} has no end")
            block.terminator = _shortened(block.terminator, ends)
            pending.extend(successors(block.terminator))
        return tuple(
            Block(block.label, tuple(block.statements), block.terminator)
            for block in self._blocks
            if block.label in reached and block.terminator is not None
        )


def _shortened(terminator: Terminator, ends: dict[str, str]) -> Terminator:
    match terminator:
        case Goto(target, span):
            return Goto(ends.get(target, target), span)
        case Branch(condition, then, otherwise, span):
            one, other = ends.get(then, then), ends.get(otherwise, otherwise)
            needless = one == other and not any(guards(condition))  # what can go wrong in a test is part of the program
            return Goto(one, span) if needless else Branch(condition, one, other, span)
        case _:
            return terminator


def _ends(hops: dict[str, str]) -> dict[str, str]:
    """Where each chain of jumps leads in the end; one that never ends, to some label on it."""
    ends: dict[str, str] = {}
    for label in hops:
        chain: dict[str, None] = {}
        while label in hops and label not in ends and label not in chain:
            chain[label] = None
            label = hops[label]
        ends.update(dict.fromkeys(chain, ends.get(label, label)))
    return ends
