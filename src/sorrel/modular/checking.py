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
from dataclasses import dataclass, field
from multiprocessing import get_context

from sorrel.evidence.result import Accepted
from sorrel.horn.clause import Predicate
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.modular.component import Component
from sorrel.modular.judging import Judged, accepted, standings
from sorrel.modular.known import Known
from sorrel.store.block import Block

FEWEST = 12
"""Fewer components than this are checked sooner than processes are started."""
_SHARES = 20
"""For each process: the more, the more evenly the work is divided."""


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


@dataclass(frozen=True, slots=True, eq=False)
class _Claims:
    """What is claimed, by component, and what was read of it for callers so far."""

    known: Known
    blocks: Mapping[str, Block]
    components: Mapping[str, Component]
    _read: dict[str, Term | None] = field(default_factory=dict)

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
    """A copy must not outlive the process that it is a copy of, however that ends."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1.0)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _findings(names: Sequence[str]) -> list[tuple[str, Finding]]:
    (claims,) = _claims
    return [(name, claims.finding(name)) for name in names]


def findings(known: Known, blocks: Mapping[str, Block], jobs: int, stopped: Callable[[], bool]) -> dict[str, Finding]:
    """What there is to say about the blocks, by component; nothing of some or all if that cannot be done side by side.

    Whoever misses a finding checks the component himself.
    """
    if jobs < 2 or len(blocks) < FEWEST:
        return {}
    components = {each.name: each for each in known.parts.components if each.name in blocks}
    _claims.append(_Claims(known, blocks, components))
    found: dict[str, Finding] = {}
    waiting: set[Future[list[tuple[str, Finding]]]] = set()
    pool = ProcessPoolExecutor(jobs, get_context("fork"), _end_with, (os.getpid(),))
    try:
        waiting = {pool.submit(_findings, share) for share in _shares(list(components), jobs * _SHARES)}
        while waiting and not stopped():
            done, waiting = wait(waiting, 0.5, FIRST_COMPLETED)
            found.update(pair for future in done for pair in _result(future))
    finally:
        pool.shutdown(wait=not waiting, cancel_futures=True)
        _claims.clear()
    return found


def _result(future: Future[list[tuple[str, Finding]]]) -> list[tuple[str, Finding]]:
    """What a process found; nothing if it did not live to tell."""
    try:
        return future.result()
    except (BrokenProcessPool, MemoryError):
        return []


def _shares(names: Sequence[str], count: int) -> Iterator[Sequence[str]]:
    size = -(-len(names) // count)
    return (names[start : start + size] for start in range(0, len(names), size))
