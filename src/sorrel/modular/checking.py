"""Stored contracts, checked side by side in processes that are copies of this one.

Each is checked under what the store claims of its callees, in any order: by the theorem of docs/modular-evidence.md the
order does not matter, as long as all are about one interpretation of the predicates. So what is found here counts once
the callees have been found to have the contracts that were claimed of them, and only then.

The copies are forked: they have the program as it was read here, and make the clauses of their share themselves.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import field
from functools import cached_property
from mmap import mmap
from multiprocessing import get_context
from signal import ITIMER_REAL, SIG_DFL, SIGALRM, setitimer, signal

from sorrel.evidence.result import Accepted
from sorrel.horn.clause import Predicate
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass
from sorrel.modular.component import Component
from sorrel.modular.judging import Judged, accepted, standings
from sorrel.modular.known import Known
from sorrel.store.block import Block

FEWEST = 12
"""Fewer components than this are checked sooner than processes are started."""
_SMALLEST = 4
"""Of the shares that are handed out."""
LONGEST_SECONDS = 90.0
"""Real seconds, for one block; the solver's own limit is far below it, and not always heard."""
ORPHAN_SECONDS = 1.0
"""Real seconds between two looks whether the parent is still there."""
LOST = "it cannot be checked: the process that tried did not come to an end"


@dataclass(frozen=True, slots=True)
class Finding:
    """Whether `block` is accepted for a component, if each component in `assumed` has the contract claimed of it.

    `detail` says why not. `judged`: what the contract says about each procedure, if it is accepted.
    """

    block: Block
    accepted: bool
    assumed: tuple[str, ...]
    detail: str = ""
    judged: Mapping[str, Judged] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class _Claims:
    """What is claimed, by component, and what was read of it for callers so far."""

    known: Known
    blocks: Mapping[str, Block]
    components: Mapping[str, Component]
    marks: mmap
    """Shared by all copies: a byte for each component, 1 while it is looked at."""
    _read: dict[str, Term | None] = field(default_factory=dict)

    def begun(self) -> list[str]:
        """Those with which a copy did not come to an end."""
        return [name for name, mark in zip(self.components, self.marks[:], strict=True) if mark]

    def watched(self, name: str) -> Finding:
        """The finding, by a process that the system ends, whatever its solver is doing, if it takes too long."""
        position = self._positions[name]
        self.marks[position] = 1
        setitimer(ITIMER_REAL, LONGEST_SECONDS)
        found = self.finding(name)
        setitimer(ITIMER_REAL, 0)
        self.marks[position] = 0
        return found

    @cached_property
    def _positions(self) -> Mapping[str, int]:
        return {name: position for position, name in enumerate(self.components)}

    def _of(self, callee: Predicate, owner: Component) -> Term | None:
        """What is claimed of a procedure that is called, without the clauses of the component that it belongs to."""
        if callee.name not in self._read:
            block = self.blocks.get(owner.name)
            self._read[callee.name] = self.known.claimed_of(callee, block) if block is not None else None
        return self._read[callee.name]

    def finding(self, name: str) -> Finding:
        component, block = self.components[name], self.blocks[name]
        own = self.known.claimed(component, block)
        if isinstance(own, str):
            return Finding(block, False, (), own)
        self._read.update(own)
        assumed: dict[str, None] = {}
        below: dict[str, Term] = {}
        for callee in component.callees:
            owner = self.known.parts.owner_of(callee.name)
            claimed = self._of(callee, owner)
            if claimed is None:  # nothing that could be said of it: anything may be true
                below[callee.name] = terms.TRUE
            else:
                below[callee.name] = claimed
                assumed[owner.name] = None
        result = accepted(component, {**below, **own})
        if not isinstance(result, Accepted):
            return Finding(block, False, tuple(assumed), result.detail)
        return Finding(block, True, tuple(assumed), judged=standings(component, own))


_claims: list[_Claims] = []
"""What a process was forked with: terms cannot be sent."""


def _end_with(parent: int) -> None:
    """A copy must not outlive the process that it is a copy of, however that ends; nor the time that it is given."""
    signal(SIGALRM, SIG_DFL)  # the system ends who does nothing about it

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(ORPHAN_SECONDS)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _findings(names: Sequence[str]) -> list[tuple[str, Finding]]:
    (claims,) = _claims
    return [(name, claims.watched(name)) for name in names]


def findings(known: Known, blocks: Mapping[str, Block], jobs: int, stopped: Callable[[], bool]) -> dict[str, Finding]:
    """What there is to say about the blocks, by component; nothing of some or all if that cannot be done side by side.

    Whoever misses a finding checks the component himself. A block with which a process dies or does not come to an end
    is tried once more, alone, and then is none that can be checked: the others are not lost with it.
    """
    if jobs < 2 or len(blocks) < FEWEST:
        return {}
    components = {each.name: each for each in known.parts.components if each.name in blocks}
    found: dict[str, Finding] = {}
    with mmap(-1, len(components)) as marks:
        claims = _Claims(known, blocks, components, marks)
        _claims.append(claims)
        try:
            while left := [name for name in components if name not in found]:
                found.update(_side_by_side(left, jobs, stopped))
                lost = [name for name in claims.begun() if name not in found]
                if stopped() or not lost:
                    break
                for name in lost:
                    found.update(_side_by_side([name], 1, stopped) or {name: Finding(blocks[name], False, (), LOST)})
        finally:
            _claims.clear()
    return found


def _side_by_side(names: Sequence[str], jobs: int, stopped: Callable[[], bool]) -> dict[str, Finding]:
    """What copies of this process find, as far as they live to tell."""
    found: dict[str, Finding] = {}
    waiting: set[Future[list[tuple[str, Finding]]]] = set()
    pool = ProcessPoolExecutor(jobs, get_context("fork"), _end_with, (os.getpid(),))
    try:
        waiting = {pool.submit(_findings, share) for share in _shares(names, jobs)}
        while waiting and not stopped():
            done, waiting = wait(waiting, 0.5, FIRST_COMPLETED)
            found.update(pair for future in done for pair in _result(future))
    finally:
        pool.shutdown(wait=not waiting, cancel_futures=True)
    return found


def _result(future: Future[list[tuple[str, Finding]]]) -> list[tuple[str, Finding]]:
    """What a process found; nothing if it did not live to tell."""
    try:
        return future.result()
    except (BrokenProcessPool, MemoryError):
        return []


def _shares(names: Sequence[str], jobs: int) -> Iterator[Sequence[str]]:
    """Neighbours together, since who calls whom reads the same contracts; large ones first, and small ones at the end,
    so that all processes come to an end at the same time."""
    start = 0
    while start < len(names):
        size = max(_SMALLEST, (len(names) - start) // (2 * jobs))
        yield names[start : start + size]
        start += size
