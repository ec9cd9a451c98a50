"""Where threads are created: which function starts with what, one thread for each round of a loop.

A front end says so by a call of the function between two marks. Loops around creations, and around joins, are unrolled
as long as what is known of variables differs from round to round.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

from sorrel.model.components import strongly_connected
from sorrel.model.errors import InputError, Span
from sorrel.model.values import dataclass
from sorrel.program.constants import Known, Propagation
from sorrel.program.graph import reached_only
from sorrel.program.liveness import live_variables
from sorrel.program.program import Procedure, Program, successors
from sorrel.program.statement import Block, Call, Statement
from sorrel.program.tidy import folded_block
from sorrel.program.traversal import retarget

THREAD_BEGIN, THREAD_END = "__VERIFIER_thread_begin", "__VERIFIER_thread_end"
THREAD_JOIN = "__VERIFIER_thread_join"
START = "start of thread "
"""Begins what a call is told to call where a thread starts with it."""
MOST_COPIES = 600
"""So many blocks a loop may become."""


class UnsupportedThreads(InputError):
    """What is not a fixed number of threads, or shares memory in a way that we do not follow."""


# Calls that start a thread


def with_starts(program: Program) -> Program:
    """The program in which calls between the marks are told from others."""
    procedures = tuple(_with_starts(each) if THREAD_BEGIN in each.callees else each for each in program.procedures)
    return replace(program, procedures=procedures)


def _with_starts(procedure: Procedure) -> Procedure:
    inside = {procedure.entry: False}
    work = [procedure.entry]
    blocks: dict[str, Block] = {}
    while work:
        block = procedure.block[work.pop()]
        now = inside[block.label]
        done: list[Statement] = []
        for statement in block.statements:
            now, changed = _started(statement, now)
            done.append(changed)
        blocks[block.label] = replace(block, statements=tuple(done))
        for target in successors(block.terminator):
            if inside.setdefault(target, now) is not now:
                raise UnsupportedThreads("a thread is created on some paths only", block.terminator.span)
            if target not in blocks and target not in work:
                work.append(target)
    return replace(procedure, blocks=tuple(blocks.get(each.label, each) for each in procedure.blocks))


def _started(statement: Statement, inside: bool) -> tuple[bool, Statement]:
    """Whether a thread is being created after the statement, and the statement."""
    if not isinstance(statement, Call):
        return inside, statement
    if statement.procedure == THREAD_BEGIN:
        if inside:
            raise UnsupportedThreads("a thread is created while another one is", statement.span)
        return True, statement
    if statement.procedure == THREAD_END:
        return False, statement
    if inside and not statement.procedure.startswith("__VERIFIER_"):
        return inside, replace(statement, procedure=f"{START}{statement.procedure}")
    return inside, statement


# Rounds of loops


def unrolled(procedure: Procedure) -> Procedure:
    """With constants for what is known, and without loops around creations and joins where they say how many rounds."""
    found = _Rounds(procedure, (THREAD_BEGIN, THREAD_JOIN)).run()
    return found or _Rounds(procedure, (THREAD_BEGIN,)).run() or procedure


@dataclass(frozen=True, slots=True)
class _Visit:
    """A block, with what is known of variables that matter; nothing outside of the loops that are unrolled."""

    label: str
    known: tuple[tuple[str, object], ...] = ()


class _Rounds:
    def __init__(self, procedure: Procedure, marks: tuple[str, ...]) -> None:
        self._procedure = procedure
        self._live = live_variables(procedure)
        self._propagation = Propagation(frozenset(procedure.variables).__contains__)
        self._known = self._propagation.at_blocks(procedure, {})
        self._looping = frozenset(_looping(procedure, marks))
        self._labels: dict[_Visit, str] = {}
        self._starts: dict[_Visit, Known] = {}

    def run(self) -> Procedure | None:
        """None if there would be too many copies."""
        entry = self._visit(self._procedure.entry, {})
        work, blocks = [entry], dict[_Visit, Block]()
        while work:
            visit = work.pop()
            if visit in blocks:
                continue
            block = self._procedure.block[visit.label]
            start = self._starts[visit] if visit.label in self._looping else self._known[visit.label]
            made = folded_block(block, start, self._propagation)
            after = self._propagation.after(block.statements, start)
            terminator = retarget(made.terminator, partial(self._label, after))
            blocks[visit] = Block(self._labels[visit], made.statements, terminator)
            work += [self._visit(to, after) for to in successors(made.terminator)]
            if len(self._labels) > len(self._procedure.blocks) + MOST_COPIES:
                return None
        return reached_only(replace(self._procedure, blocks=tuple(blocks.values()), entry=self._labels[entry]))

    def _label(self, known: Known, label: str) -> str:
        return self._labels[self._visit(label, known)]

    def _visit(self, label: str, known: Known) -> _Visit:
        if label not in self._looping:
            visit = _Visit(label)
            self._labels.setdefault(visit, label)
            return visit
        kept = {each: value for each, value in known.items() if each in self._live[label]}
        visit = _Visit(label, tuple(sorted((each.name, value.value) for each, value in kept.items())))
        self._starts.setdefault(visit, kept)
        self._labels.setdefault(visit, f"{label}.round.{len(self._labels)}")
        return visit


def _looping(procedure: Procedure, marks: tuple[str, ...]) -> Iterator[str]:
    """Labels of loops in which one of the marks is."""
    following = {each.label: successors(each.terminator) for each in procedure.blocks}
    for group in strongly_connected(following):
        if len(group) == 1 and group[0] not in following[group[0]]:
            continue
        if any(_has(procedure.block[label], marks) for label in group):
            yield from group


def _has(block: Block, marks: tuple[str, ...]) -> bool:
    return any(isinstance(each, Call) and each.procedure in marks for each in block.statements)


# What each creation does


@dataclass(frozen=True, slots=True)
class Creation:
    """Statements by place: that which begins, the call that the thread starts with, those between it and the end."""

    begin: tuple[str, int]
    start: tuple[str, int]
    after: tuple[tuple[str, int], ...]
    end: tuple[str, int]


def creations(procedure: Procedure) -> list[Creation]:
    """In the order of blocks; each in a loop, or with no function that is known, is an error."""
    found = [
        _creation(procedure, block.label, position)
        for block in procedure.blocks
        for position, statement in enumerate(block.statements)
        if isinstance(statement, Call) and statement.procedure == THREAD_BEGIN
    ]
    looping = set(_looping(procedure, (THREAD_BEGIN,)))
    for each in found:
        if each.begin[0] in looping:
            span = procedure.block[each.begin[0]].statements[each.begin[1]].span
            raise UnsupportedThreads("threads are created in a loop, and it is not known how many", span)
    return found


def _creation(procedure: Procedure, label: str, position: int) -> Creation:
    begin = (label, position)
    span = procedure.block[label].statements[position].span
    start: tuple[str, int] | None = None
    after: list[tuple[str, int]] = []
    for place, statement in _straight_on(procedure, begin, span):
        if isinstance(statement, Call) and statement.procedure == THREAD_END and start is not None:
            return Creation(begin, start, tuple(after), place)
        if isinstance(statement, Call) and statement.procedure.startswith(START):
            if start is not None:
                break
            start = place
        elif start is not None:
            after.append(place)
    raise UnsupportedThreads("the function of a thread must be known", span)


def _straight_on(
    procedure: Procedure, begin: tuple[str, int], span: Span
) -> Iterator[tuple[tuple[str, int], Statement]]:
    """What comes after a statement, as long as there is one way only."""
    label, position = begin
    seen: set[str] = set()
    while True:
        block = procedure.block[label]
        for number in range(position + 1, len(block.statements)):
            yield (label, number), block.statements[number]
        following = successors(block.terminator)
        if len(following) != 1 or label in seen:
            return
        seen.add(label)
        label, position = following[0], -1


def rewritten(procedure: Procedure, changes: Mapping[tuple[str, int], list[Statement]]) -> Procedure:
    """With other statements at some places."""

    def block(each: Block) -> Block:
        done: list[Statement] = []
        for position, statement in enumerate(each.statements):
            done += changes.get((each.label, position), [statement])
        return replace(each, statements=tuple(done))

    return replace(procedure, blocks=tuple(map(block, procedure.blocks)))
