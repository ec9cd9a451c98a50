"""The fixpoint of guess and check: clauses are visited until none of them has anything to change."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

from sorrel.horn.clause import Clause
from sorrel.model.budget import Clock

Part = TypeVar("Part", bound=Hashable)


def settle(
    clauses: Iterable[Clause],
    visit: Callable[[Clause], Iterable[Clause]],
    clock: Clock,
    rank: Callable[[Clause], tuple[int, ...]] = lambda _: (),
) -> bool:
    """Visit every clause, and again those that a visit says are affected by what it changed; False if time runs out.

    Those of the least rank come first, and among these who has waited longest.
    """
    work = {clause.name: clause for clause in clauses}
    while work and not clock.expired():
        clause = work.pop(min(work, key=lambda name: rank(work[name])))
        work.update((affected.name, affected) for affected in visit(clause))
    return not work


def with_reasons(
    wanted: Iterable[Part],
    proofs: Callable[[Part], Iterable[Iterable[Part] | None]],
    together: Callable[[Part], Hashable] = lambda part: part,
) -> set[Part] | None:
    """These parts and all that their proofs rest on, which is inductive by itself; None if a proof is missing.

    `proofs` says, for each place where a part has to be shown, what shows it there. Parts that are looked at `together`
    are shown one after the other: their clauses are in solvers then.
    """
    needed: set[Part] = set()
    work: dict[Hashable, list[Part]] = {}

    def demand(parts: Iterable[Part]) -> None:
        for part in parts:
            if part not in needed:
                needed.add(part)
                work.setdefault(together(part), []).append(part)

    demand(wanted)
    while work:
        _, waiting = work.popitem()
        for part in waiting:
            for used in proofs(part):
                if used is None:
                    return None
                demand(used)
    return needed
