"""One object that is watched: whether it is there, for any object that one may choose.

What holds for an arbitrary object holds for all of them, so no table of flags is needed: `memory.$watch` is the number
of any object and never changes, `memory.$state` is what has become of that object so far. (CBMC keeps one deallocated
object in this way; in Horn clauses it spares the invariants a quantifier.)
"""

from __future__ import annotations

from enum import IntEnum

from sorrel.frontends.c.addresses import NOWHERE
from sorrel.frontends.c.cells import find
from sorrel.frontends.c.context import Context
from sorrel.frontends.c.layout import Region
from sorrel.frontends.c.objects import ObjectKind
from sorrel.frontends.c.operations import both, choose, compare, either, implied, minus, number, opposite
from sorrel.frontends.c.paths import displacement
from sorrel.frontends.c.values import PointerValue
from sorrel.model.errors import Span
from sorrel.program import checks
from sorrel.program.construction import FALSE, TRUE
from sorrel.program.expression import Expression, Operator, Variable
from sorrel.program.statement import Assert, Choice, Kind
from sorrel.program.types import BOOLEAN, UNBOUNDED

WATCHED = Variable(checks.WATCHED, UNBOUNDED)
STATE = Variable("memory.$state", UNBOUNDED)
ENDED = "use of memory that was freed, or of a variable that has ended"
NOT_OWNED = "free of what was not allocated, or was freed before"


class State(IntEnum):
    """Of the watched object."""

    NOT_MADE = 0  # or there from the start to the end
    ALLOCATED = 1
    ENDED = 2
    AUTOMATIC = 3
    FROM_OUTSIDE = 4  # there at the start; whether it may be freed is for the caller to know


class Watch:
    """Nothing happens in programs in which no object ends."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._layout = context.layout
        self._mortal = context.translation.mortal

    @property
    def _active(self) -> bool:
        return self._context.translation.watched

    def _become(self, state: State, condition: Expression, span: Span) -> None:
        if self._active:
            self._layout.declare_global(WATCHED)
            self._layout.declare_global(STATE)
            self._context.assign(STATE, choose(condition, number(state), STATE), span)

    def made(self, at: Expression, state: State, span: Span, unless: Expression = FALSE) -> None:
        """An object with the number comes into being."""
        self._become(state, both(opposite(unless), compare(Operator.EQUAL, WATCHED, at)), span)

    def made_crowds(self, span: Span) -> None:
        self._become(State.FROM_OUTSIDE, compare(Operator.LESS, WATCHED, number(NOWHERE)), span)

    def ended(self, at: Expression, span: Span) -> None:
        self._become(State.ENDED, compare(Operator.EQUAL, WATCHED, at), span)

    def check_access(self, pointer: PointerValue, span: Span) -> None:
        """What is read or written through the pointer has not ended."""
        region = None if pointer.cell is None else self._layout.region(pointer.cell)
        if not self._active or region is None or not any(id(each.object) in self._mortal for each in region.members):
            return
        there = compare(Operator.DIFFERENT, STATE, number(State.ENDED))
        self._context.check(implied(self._is_watched(pointer, region), there), ENDED, span, Kind.LIFETIME)

    def free(self, pointer: PointerValue, span: Span, unless: Expression = FALSE) -> None:
        """`free` of the pointer: null, or the beginning of an object that was allocated and is still there.

        Unless the condition holds it ends.
        """
        if pointer.cell is None or not self._active:
            return
        region = self._layout.region(pointer.cell)
        if not region.members:
            return  # it can only be null
        is_watched, begins = self._beginning(pointer, region)
        owned = either(
            compare(Operator.EQUAL, STATE, number(State.ALLOCATED)),
            compare(Operator.EQUAL, STATE, number(State.FROM_OUTSIDE)),
        )
        proper = both(begins, implied(is_watched, owned))
        if pointer.offset is not None:
            proper = both(compare(Operator.EQUAL, pointer.offset, number(0)), proper)
        cell = find(pointer.cell)
        if cell.blurred and (cell.arithmetic or cell.interior):
            at_start = self._context.temporary("begins", BOOLEAN)
            self._context.havoc(at_start, Choice.ABSTRACTION, cell.reason, span)
            proper = both(at_start, proper)  # where in its object the pointer is nobody knows
        if pointer.object is not None:
            proper = either(compare(Operator.EQUAL, pointer.object, number(0)), proper)
        self._context.check(proper, NOT_OWNED, span, Kind.FREE)
        self._become(State.ENDED, both(opposite(unless), is_watched), span)

    def _beginning(self, pointer: PointerValue, region: Region) -> tuple[Expression, Expression]:
        """Whether the watched object begins where the pointer leads; whether any object does, by what is watched.

        Where parts are among what pointers of the region mean, a number may be that of an object or that of a part.
        Of what has its number from the start that is known; of all else it shows in the watched object being one: only
        what was made is, and no number of another object is as near (`Layout.space`).
        """
        at = _number(pointer, region)
        if not region.has_parts:
            return compare(Operator.EQUAL, WATCHED, at), TRUE
        is_made = compare(Operator.DIFFERENT, STATE, number(State.NOT_MADE))
        watched: Expression = FALSE
        known: Expression = FALSE
        begins: Expression = TRUE
        for member in region.members:
            index, is_crowd = self._layout.part_index(member), member.object.kind is ObjectKind.CROWD
            if is_crowd:
                here = compare(Operator.LESS, at, number(NOWHERE))
            elif member.object.several:
                here = compare(Operator.AT_LEAST, at, number(self._layout.first_free))
            else:
                here = compare(Operator.EQUAL, at, number(member.number))
            known = either(known, here)
            there = both(here, compare(Operator.EQUAL, WATCHED, minus(at, number(index)) if index else at))
            if member.object.several and not is_crowd:
                here = there = both(there, is_made)
            if displacement(member.object.type, member.path) == 0:
                watched = either(watched, there)
            else:
                begins = both(begins, opposite(here))
        return watched, both(known, begins)

    def _is_watched(self, pointer: PointerValue, region: Region) -> Expression:
        """Whether it points to the watched object, or to a part of that; no other object is as near as a part is."""
        found: Expression = FALSE
        at = _number(pointer, region)
        for index in sorted({self._layout.part_index(each) for each in region.members}):
            base = at if not index else minus(at, number(index))
            found = either(found, compare(Operator.EQUAL, WATCHED, base))
        return found

    def check_at_end(self, span: Span) -> None:
        """Where the program ends: all was freed, or something leads to it still, which is not modelled."""
        if not self._active:
            return
        left = compare(Operator.DIFFERENT, STATE, number(State.ALLOCATED))
        known = self._context.temporary("reachable", BOOLEAN)
        self._context.havoc(known, Choice.ABSTRACTION, "what leads to memory that is left", span)
        builder = self._context.builder
        builder.emit(Assert(either(left, known), Kind.UNTRACKED, "memory is lost", span))
        builder.emit(Assert(left, Kind.NOT_FREED, "memory is not freed", span))


def _number(pointer: PointerValue, region: Region) -> Expression:
    return pointer.object if pointer.object is not None else number(region.members[0].number)
