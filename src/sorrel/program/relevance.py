"""Threads without what decides nothing: numbers that no condition depends on, as counters of what was done.

Every step stays as it is but for assignments to such variables, so a schedule of one is a schedule of the other, with
the same choices: what is chosen counts as something that decides.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sorrel.program.expression import Expression, Variable
from sorrel.program.statement import Assert, Assign, Assume, Branch, Havoc
from sorrel.program.threads import Thread, Threads
from sorrel.program.traversal import free_variables, steps


def without_irrelevant(threads: Threads) -> Threads:
    """The threads, and every variable that a condition or a choice depends on."""
    kept = _relevant(threads)
    return replace(
        threads,
        threads=tuple(_only(thread, kept) for thread in threads.threads),
        globals=tuple(each for each in threads.globals if each in kept),
        initial={each.name: threads.initial[each.name] for each in kept if each.name in threads.initial},
    )


def _relevant(threads: Threads) -> frozenset[Variable]:
    needed: dict[Variable, set[Variable]] = {}
    found = {each for conditions in threads.blocked for one in conditions for each in free_variables(one.condition)}
    for thread in threads.threads:
        for block in thread.procedure.blocks:
            for step in steps(block):
                match step:
                    case Assign(target, value):
                        needed.setdefault(target, set()).update(free_variables(value))
                    case Havoc(target):
                        found.add(target)
                    case Assume(condition) | Assert(condition) | Branch(condition):
                        found.update(free_variables(condition))
    for each in threads.globals:
        needed.setdefault(each, set()).update(_initially(threads.initial.get(each.name)))
    work = list(found)
    while work:
        new = needed.get(work.pop(), set()) - found
        found |= new
        work += new
    return frozenset(found)


def _initially(value: Expression | None) -> Iterator[Variable]:
    return iter(() if value is None else free_variables(value))


def _only(thread: Thread, kept: frozenset[Variable]) -> Thread:
    procedure = thread.procedure
    blocks = [
        replace(
            block,
            statements=tuple(each for each in block.statements if not isinstance(each, Assign) or each.target in kept),
        )
        for block in procedure.blocks
    ]
    locals = tuple(each for each in procedure.locals if each in kept)
    return replace(thread, procedure=replace(procedure, blocks=tuple(blocks), locals=locals))
