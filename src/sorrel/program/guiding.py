"""Which variables guide what is read and written: their values decide, from a block on, at which places of arrays.

Counters and positions do. Where runs come to one block with different values of these, they do different things from
there on, and what is known of them together is little. (Where they are told apart by such values, that is trace
partitioning: Mauborgne and Rival, ESOP 2005.)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from sorrel.program.expression import Expression, Select, Store, Variable
from sorrel.program.graph import predecessors, reverse_postorder
from sorrel.program.nesting import nesting
from sorrel.program.program import Procedure, Program, successors
from sorrel.program.statement import Assign, Call, Havoc, Return, Statement, Terminator
from sorrel.program.traversal import expressions, free_variables, steps, subexpressions
from sorrel.program.types import Array

_Labels: TypeAlias = "dict[str, tuple[Variable, ...]]"


class Guiding:
    """Backwards through all procedures until nothing changes: what guides a callee guides its callers.

    What guides a procedure depends on what its caller is guided by afterwards: callees are looked at for all of their
    callers together, and the procedure that is asked about for the one that asks.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self._globals = frozenset(program.globals)
        self._at_return: dict[str, frozenset[Variable]] = {each.name: frozenset() for each in program.procedures}
        self._at_entry: dict[str, frozenset[Variable]] = {each.name: frozenset() for each in program.procedures}
        self._found: dict[tuple[str, frozenset[Variable]], _Labels] = {}
        self._inside: dict[str, _Labels] = {}
        self._work = dict.fromkeys(each.name for each in program.procedures)
        while self._work:
            name, _ = self._work.popitem()
            self._look_at(program.procedure[name])

    def before(self, name: str, wanted: frozenset[Variable]) -> _Labels:
        """What guides from the start of each block on, if these guide whoever the procedure returns to."""
        found = self._found.get((name, wanted))
        if found is None:
            procedure = self._program.procedure[name]
            here = {label: frozenset[Variable]() for label in reverse_postorder(procedure)}
            self._settle(procedure, here, wanted)
            found = self._found[name, wanted] = _in_order(here)
        return found

    def inside(self, name: str) -> _Labels:
        """By the heads of loops, what guides in the loop, whatever comes after it."""
        found = self._inside.get(name)
        if found is None:
            procedure = self._program.procedure[name]
            heads = nesting(procedure).heads
            made: dict[str, frozenset[Variable]] = {}
            for head in [label for label, around in heads.items() if around and around[-1] == label]:
                here = {label: frozenset[Variable]() for label, around in heads.items() if head in around}
                self._settle(procedure, here, frozenset())
                made[head] = here[head]
            found = self._inside[name] = _in_order(made)
        return found

    def wanted_of(self, call: Call, after: Iterable[Variable]) -> frozenset[Variable]:
        """Which of a callee's outputs and globals guide its caller, where these do after the call."""
        behind = frozenset(after)
        outputs = zip(call.results, self._program.procedure[call.procedure].outputs, strict=True)
        return frozenset(each for target, each in outputs if target in behind) | (behind & self._globals)

    def _look_at(self, procedure: Procedure) -> None:
        here = {label: frozenset[Variable]() for label in reverse_postorder(procedure)}
        self._settle(procedure, here, self._at_return[procedure.name])
        if here[procedure.entry] != self._at_entry[procedure.name]:
            self._at_entry[procedure.name] = here[procedure.entry]
            self._work.update(dict.fromkeys(each.name for each in self._program.procedures))

    def _settle(self, procedure: Procedure, here: dict[str, frozenset[Variable]], wanted: frozenset[Variable]) -> None:
        """Among these blocks, if nothing else is guided by what comes after them."""
        before = predecessors(procedure)
        work = dict.fromkeys(here)
        while work:
            label, _ = work.popitem()
            ahead = (here[each] for each in successors(procedure.block[label].terminator) if each in here)
            now = frozenset[Variable]().union(*ahead)
            for step in reversed(steps(procedure.block[label])):
                now = self._before(step, now, wanted)
            if now != here[label]:
                here[label] = now
                work.update(dict.fromkeys(each for each in before[label] if each in here))

    def _before(
        self, step: Statement | Terminator, after: frozenset[Variable], wanted: frozenset[Variable]
    ) -> frozenset[Variable]:
        found = set(after)
        match step:
            case Assign(target, value):
                if target in found and not isinstance(target.type, Array):
                    found |= set(_numbers(value))
                    if target not in free_variables(value):
                        found.discard(target)
            case Havoc(target):
                found.discard(target)
            case Call():
                return self._before_call(step, after)
            case Return():
                found |= wanted
        for each in expressions(step):
            found |= set(_in_places(each))
        return frozenset(found)

    def _before_call(self, call: Call, after: frozenset[Variable]) -> frozenset[Variable]:
        callee = self._program.procedure[call.procedure]
        wanted = self.wanted_of(call, after)
        if not wanted <= self._at_return[callee.name]:
            self._at_return[callee.name] |= wanted
            self._work[callee.name] = None
        inside = self._at_entry[callee.name]
        found = (set(after) - self._globals - {each for each in call.results if each is not None}) | (
            inside & self._globals
        )
        for parameter, argument in zip(callee.parameters, call.arguments, strict=True):
            if parameter in inside:
                found |= set(_numbers(argument))
            found |= set(_in_places(argument))
        return frozenset(found)


def _numbers(expression: Expression) -> Iterator[Variable]:
    return (each for each in free_variables(expression) if not isinstance(each.type, Array))


def _in_places(expression: Expression) -> Iterator[Variable]:
    """What the places are computed from at which the expression reads and writes."""
    for each in subexpressions(expression):
        if isinstance(each, Select | Store):
            yield from _numbers(each.index)


def _in_order(found: Mapping[str, frozenset[Variable]]) -> _Labels:
    return {label: tuple(sorted(each, key=lambda variable: variable.name)) for label, each in found.items()}
