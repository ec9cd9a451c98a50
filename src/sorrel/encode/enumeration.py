"""An invariant from what was seen: the configurations of an exploration as a formula, for the check to judge.

Variables that depend on chosen values are left out, since only a few values were tried. What remains is an invariant if
the choices made no other difference; whoever uses it asks whether it is inductive.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sorrel.encode.steps import RETURN, STOP
from sorrel.encode.transition import Slot, ThreadView
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.program.expression import Variable
from sorrel.program.interleaving import Configuration
from sorrel.program.statement import Havoc
from sorrel.program.threads import Threads
from sorrel.program.traversal import read, steps, written
from sorrel.program.types import Array
from sorrel.program.value import Value

MOST_VALUES = 40
"""A variable with more values than this was not seen completely."""


def open_variables(threads: Threads) -> frozenset[Variable]:
    """Those whose value comes from a choice, directly or by way of others."""
    found: set[Variable] = {each for each in threads.globals if each.name not in threads.initial}
    blocks = [block for thread in threads.threads for block in thread.procedure.blocks]
    while True:
        more = {
            target
            for block in blocks
            for step in steps(block)
            if isinstance(step, Havoc) or any(each in found for each in read(step))
            for target in written(step)
        }
        if more <= found:
            return frozenset(found)
        found |= more


def seen_invariant(
    view: ThreadView, reached: Sequence[Configuration], formals: Sequence[Term], ignored: frozenset[Variable]
) -> Term:
    """A formula over the formals, one for each slot of the view, that holds exactly of what was seen.

    Nothing is said of the variables that are to be ignored.
    """
    columns = _columns(view, reached, {each.name for each in ignored})
    rows = {tuple(columns[i][number] for i in columns) for number in range(len(reached))}
    return _grouped(sorted(rows), [(formals[i], view.slots[i]) for i in columns], view)


def _columns(
    view: ThreadView, reached: Sequence[Configuration], ignored: set[str]
) -> Mapping[int, list[Value]]:
    """For each slot that is described, its value in each configuration; counters first."""
    types = _types(view.threads)
    found: dict[int, list[Value]] = {}
    for i, slot in sorted(enumerate(view.slots), key=lambda pair: not pair[1].is_counter):
        if slot.is_counter:
            thread = int(slot.owner or 0)
            found[i] = [view.counters[thread][_place(c.places[thread])] for c in reached]
        elif slot.name not in ignored and not isinstance(types[slot.name].type, Array):
            values = [_value(view, c, slot) for c in reached]
            if len(set(values)) <= MOST_VALUES:
                found[i] = values
    return found


def _place(label: str) -> str:
    return {"return": RETURN, "stop": STOP}.get(label, label)


def _types(threads: Threads) -> Mapping[str, Variable]:
    every = [*threads.globals, *(each for thread in threads.threads for each in thread.locals)]
    return {each.name: each for each in every}


def _value(view: ThreadView, configuration: Configuration, slot: Slot) -> Value:
    if slot.owner is None:
        names = [each.name for each in view.threads.globals]
        return configuration.globals[names.index(slot.name)]
    thread = view.threads.threads[int(slot.owner)]
    names = [each.name for each in thread.locals]
    return configuration.locals[thread.number][names.index(slot.name)]


def _grouped(rows: Sequence[tuple[Value, ...]], columns: Sequence[tuple[Term, Slot]], view: ThreadView) -> Term:
    """The rows as a decision tree, column by column: what they share is said once."""
    types = _types(view.threads)

    def equals(column: int, value: Value) -> Term:
        formal, slot = columns[column]
        if slot.is_counter:
            return terms.equal(formal, terms.integer(int(value)))  # type: ignore[arg-type]
        return terms.equal(formal, view.semantics.constant(value, types[slot.name].type))  # type: ignore[arg-type]

    # From the last column to the first: formulas for each prefix of a row.
    level: dict[tuple[Value, ...], Term] = {row: terms.TRUE for row in rows}
    for column in reversed(range(len(columns))):
        by_prefix: dict[tuple[Value, ...], dict[int, tuple[Term, list[Value]]]] = {}
        for row, rest in level.items():
            groups = by_prefix.setdefault(row[:column], {})
            groups.setdefault(rest.get_id(), (rest, []))[1].append(row[column])
        level = {
            prefix: terms.disjunction(
                terms.conjunction([terms.disjunction([equals(column, v) for v in values]), rest])
                for rest, values in groups.values()
            )
            for prefix, groups in by_prefix.items()
        }
    return level.get((), terms.FALSE)
