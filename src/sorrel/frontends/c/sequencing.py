"""Where the order of evaluation makes a difference, as far as can be seen: C leaves it open, and we go left to right.

Two operands conflict if one of them changes what the other reads or changes. Variables are known by their symbols, what
is behind a pointer by the cells that it may lead to. Where these are not known it is any memory, which may be any
variable whose address is taken, any array and any global.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import TypeAlias

from sorrel.frontends.c import syntax
from sorrel.frontends.c.cells import Cell, find, parts
from sorrel.frontends.c.elements import compares
from sorrel.frontends.c.library.catalogue import is_writer
from sorrel.frontends.c.library.meanings import WRITE_NOTHING, Meaning, meaning
from sorrel.frontends.c.linking import Linked, LinkedFunction
from sorrel.frontends.c.objects import ObjectKind, Objects
from sorrel.frontends.c.pointer_uses import called_function
from sorrel.frontends.c.regions import PointsTo
from sorrel.frontends.c.syntax import Node, nodes
from sorrel.frontends.c.types import Array, Function, Ieee, Integer, Pointer, Truth
from sorrel.model.errors import Span
from sorrel.model.values import dataclass

_Member: TypeAlias = tuple[int | str, ...]
"""A variable by its symbol, then the names of members, as far as they are known."""
MEMORY = 0
"""Stands for whatever is behind pointers; symbols are other numbers, and cells are numbers below this and the next."""
OUTPUT = -1
"""Stands for what is printed."""
_WITHOUT_EFFECT = WRITE_NOTHING | {
    *(Meaning.REALLOCATE, Meaning.FREE, Meaning.ARGUMENT_LIST),
    *(Meaning.FROM_OUTSIDE, Meaning.ANY, Meaning.POSITIVE, Meaning.NONZERO),
    *(Meaning.REQUIRE, Meaning.SEPARATE, Meaning.BEHIND),
}


@dataclass(frozen=True, slots=True)
class _Effects:
    """`steps` are the writes that are part of the expression itself, and not of a function that it calls.

    They are known more precisely, by the members that lead to them.
    """

    reads: frozenset[int] = frozenset()
    writes: frozenset[int] = frozenset()
    steps: frozenset[_Member] = frozenset()

    def plus(self, other: _Effects) -> _Effects:
        if other is _NONE:
            return self
        if self is _NONE:
            return other
        return _Effects(self.reads | other.reads, self.writes | other.writes, self.steps | other.steps)

    @property
    def without_output(self) -> _Effects:
        return replace(self, reads=self.reads - {OUTPUT}, writes=self.writes - {OUTPUT})


_NONE = _Effects()
_ANYTHING_BEHIND = _Effects(frozenset({MEMORY}), frozenset({MEMORY, OUTPUT}))


@dataclass(frozen=True, slots=True)
class Conflicts:
    """The expressions in which the order matters, each once: to what is computed, or only to what is printed.

    `compared`: calls of functions that compare elements as often as they like, by something that does more than that.
    """

    computed: tuple[Span, ...]
    printed: tuple[Span, ...]
    compared: tuple[Span, ...]


def conflicts(linked: Linked, objects: Objects, points_to: PointsTo) -> Conflicts:
    sequencing = _Sequencing(linked, objects, points_to)
    found = dict(sequencing.run())
    computed = tuple(span for span, is_computed in found.items() if is_computed)
    printed = tuple(span for span in found if span not in computed)
    return Conflicts(computed, printed, tuple(dict.fromkeys(sequencing.compared())))


class _Sequencing:
    def __init__(self, linked: Linked, objects: Objects, points_to: PointsTo) -> None:
        self._linked = linked
        self._points_to = points_to
        self._objects = objects
        self._numbers: dict[int, int] = {}
        self._lent: set[int] = set()  # cells of variables of callers, which nobody else reaches while they are lent
        self._cells_of_symbol: dict[int, frozenset[int]] = {}
        self._functions = {function.name: function for function in linked.reached}
        self._exposed = {s for s, each in objects.of_symbol.items() if each.kind is ObjectKind.GLOBAL}
        self._globals = frozenset(self._exposed)
        self._bodies = [function for function in linked.reached if function.body is not None]
        self._of_function: dict[str, _Effects] = {}
        self._exposed |= {symbol for function in self._bodies for symbol in _exposed(function)}

    def run(self) -> Iterator[tuple[Span, bool]]:
        """Where the order matters, and whether it does so to what is computed."""
        first = self._summarize()
        for function in self._bodies:
            if function.body is not None:
                effects = first.get(function.name) or self._effects(function.body)
                clashing = [node for node in nodes(function.body) if self._matters(node, effects)]
                if clashing:
                    silent = {node: each.without_output for node, each in effects.items()}
                    yield from ((node.span, self._matters(node, silent)) for node in clashing)

    def compared(self) -> Iterator[Span]:
        """Where elements are compared by a function that changes or prints something."""
        busy = {each.name for each in self._bodies if compares(each.source_name) and self._is_busy(each.body)}
        for function in self._bodies if busy else ():
            if function.body is not None and not function.library:
                calls = _evaluated_calls(function.body)
                yield from (call.span for call in calls if not busy.isdisjoint(self._callees(call) or ()))

    def _is_busy(self, body: Node | None) -> bool:
        """Whether what it calls through pointers does more than compute."""
        calls = [] if body is None else _evaluated_calls(body)
        return any(self._called(call).writes for call in calls if called_function(call, self._linked) is None)

    def _summarize(self) -> dict[str, dict[int, _Effects]]:
        """What a call of each function does to what is not its own; bodies are read once, calls until all agree.

        Returned is what was found in bodies in which no call turned out to do more than was known when they were read.
        """
        calls = {each.name: _evaluated_calls(each.body) for each in self._bodies if each.body is not None}
        callers: dict[str, set[str]] = {}
        for name, made in calls.items():
            for call in made:
                for callee in self._callees(call) or ():
                    callers.setdefault(callee, set()).add(name)
        bodies = {each.name: each.body for each in self._bodies if each.body is not None}
        first = {name: self._effects(body) for name, body in bodies.items()}
        then = {name: [self._called(call) for call in made] for name, made in calls.items()}
        self._of_function = {name: self._visible(first[name][id(body)]) for name, body in bodies.items()}
        pending = dict.fromkeys(self._of_function)
        while pending:
            name = pending.popitem()[0]
            found = self._of_function[name]
            for call in calls[name]:
                found = found.plus(self._visible(self._called(call)))
            if found != self._of_function[name]:
                self._of_function[name] = found
                pending.update(dict.fromkeys(callers.get(name, ())))
        now = {name: [self._called(call) for call in made] for name, made in calls.items()}
        return {name: effects for name, effects in first.items() if now[name] == then[name]}

    def _visible(self, effects: _Effects) -> _Effects:
        """To others: steps are nobody else's, and what a reference stands for is some variable of theirs."""

        def seen(places: frozenset[int]) -> frozenset[int]:
            kept = frozenset(place for place in places if place <= MEMORY or place in self._globals)
            return kept if kept.isdisjoint(self._lent) else kept - self._lent | {MEMORY}

        return _Effects(seen(effects.reads), seen(effects.writes))

    # Conflicts

    def _matters(self, node: Node, effects: dict[int, _Effects]) -> bool:
        if not effects[id(node)].writes:
            return False  # nor does anything below it write
        parts = [effects[id(child)] for child in node.children]
        match node:
            case syntax.Assignment():
                # The value is stored after both sides; only a step inside of one may come later still.
                place = self._without_access(node.target, effects)
                steps = place.steps | self._later_steps(node, effects)
                return self._clash(place, parts[1]) or self._same_place(self._member(node.target), steps)
            case syntax.Binary() | syntax.CompoundAssignment() | syntax.Subscript():
                return self._clash(*parts)
            case syntax.Call() | syntax.InitializerList():
                return any(self._clash(one, other) for one, other in combinations(parts, 2))
            case _:
                return False

    def _later_steps(self, node: syntax.Assignment, effects: dict[int, _Effects]) -> frozenset[_Member]:
        """Writes inside of the value that may come after its storing; in `a = b = v` both orders store the same."""
        value, steps = _stripped(node.value), frozenset[_Member]()
        while isinstance(value, syntax.Assignment) and value.target.type == node.target.type and _is_scalar(value):
            steps |= self._without_access(value.target, effects).steps
            value = _stripped(value.value)
        return steps | effects[id(value)].steps

    def _clash(self, one: _Effects, other: _Effects) -> bool:
        return self._overlap(one.writes, other.reads | other.writes) or self._overlap(other.writes, one.reads)

    def _overlap(self, one: frozenset[int], other: frozenset[int]) -> bool:
        if one & other:
            return True
        return self._is_behind(one, other) or self._is_behind(other, one)

    def _is_behind(self, places: frozenset[int], variables: frozenset[int]) -> bool:
        """Whether memory among the places may be memory or a variable among the others."""
        if MEMORY in places and any(place < OUTPUT or place in self._exposed for place in variables):
            return True
        cells = {place for place in places if place < OUTPUT}
        return bool(cells) and any(not cells.isdisjoint(self._cells_of(each)) for each in variables if each > MEMORY)

    def _same_place(self, one: _Member, others: frozenset[_Member]) -> bool:
        return any(self._is_same(one, other) for other in others)

    def _is_same(self, one: _Member, other: _Member) -> bool:
        if one[0] == other[0]:
            return one[: len(other)] == other[: len(one)]
        return self._overlap(_head(one), _head(other))

    # Places

    def _cells_of(self, symbol: int) -> frozenset[int]:
        """The cells that a variable consists of, as far as it is one that pointers may lead to."""
        if symbol not in self._exposed or symbol not in self._objects.of_symbol:
            return frozenset()
        if symbol not in self._cells_of_symbol:
            whole = self._points_to.cell(self._objects.of_symbol[symbol])
            self._cells_of_symbol[symbol] = frozenset(map(self._number, parts(whole)))
        return self._cells_of_symbol[symbol]

    def _number(self, cell: Cell) -> int:
        return self._numbers.setdefault(id(find(cell)), OUTPUT - 1 - len(self._numbers))

    def _behind(self, place: syntax.Expression) -> frozenset[int]:
        """What a place behind a pointer may be: its cells, or any memory."""
        if isinstance(place.type, Function) or not _is_simple(place):
            return frozenset({MEMORY})
        found = frozenset(map(self._number, parts(self._points_to.place(place))))
        if self._is_lent(place):
            self._lent |= found
        return found

    def _is_lent(self, place: syntax.Expression) -> bool:
        """Whether it is a part of what a reference stands for."""
        while isinstance(place, syntax.Member | syntax.Subscript | syntax.Dereference):
            place = _stripped(place.operand) if isinstance(place, syntax.Dereference) else _owner(place)
            if isinstance(place.type, Pointer):
                return isinstance(place, syntax.Reference) and place.symbol in self._objects.referents
        return False

    def _target(self, place: syntax.Expression) -> frozenset[int]:
        """The variable that a place is part of, or what is behind pointers."""
        symbol = _variable(place)
        return self._behind(_stripped(place)) if symbol is None else frozenset({symbol})

    def _member(self, place: syntax.Expression) -> _Member:
        """What is written; elements of an array are the array, and what is behind pointers is known by its cell."""
        whole = place = _stripped(place)
        names: list[int | str] = []
        while isinstance(place, syntax.Member | syntax.Subscript):
            names = [*names, place.name] if isinstance(place, syntax.Member) else []
            place = _owner(place)
            if isinstance(place.type, Pointer):
                return self._cell_of(whole)
        return (place.symbol, *reversed(names)) if isinstance(place, syntax.Reference) else self._cell_of(whole)

    def _cell_of(self, place: syntax.Expression) -> _Member:
        found = self._behind(place)
        return tuple(found) if len(found) == 1 else (MEMORY,)

    # Effects

    def _effects(self, root: Node) -> dict[int, _Effects]:
        """Of each node below, and of the root."""
        found: dict[int, _Effects] = {}
        for node in reversed(list(nodes(root))):  # what is below comes first
            total = _NONE
            for child in node.children:
                total = total.plus(found[id(child)])
            found[id(node)] = self._own(node, total, found)
        return found

    def _own(self, node: Node, below: _Effects, found: dict[int, _Effects]) -> _Effects:
        if isinstance(node, syntax.Expression) and isinstance(node.type, Array):
            return self._without_access(node, found)  # its address alone
        match node:
            case syntax.Reference():
                return _Effects(frozenset({node.symbol}))
            case syntax.AddressOf():
                return self._without_access(node.operand, found)
            case syntax.Dereference() | syntax.Subscript() | syntax.Member():
                return below.plus(_Effects(self._target(node)))
            case syntax.Assignment():
                target = self._target(node.target)
                place = self._without_access(node.target, found)
                return place.plus(found[id(node.value)]).plus(
                    _Effects(frozenset(), target, frozenset({self._member(node.target)}))
                )
            case syntax.CompoundAssignment() | syntax.Step():
                target = self._target(node.target)
                return below.plus(_Effects(target, target, frozenset({self._member(node.target)})))
            case syntax.Call():
                return below.plus(self._called(node))
            case syntax.Size():
                return _NONE
            case _:
                return below

    def _without_access(self, place: syntax.Expression, found: dict[int, _Effects]) -> _Effects:
        """What is evaluated to know which place is meant, without reading it."""
        place = _stripped(place)
        match place:
            case syntax.Reference():
                return _NONE
            case syntax.Member() if not isinstance(_stripped(place.owner).type, Pointer):
                return self._without_access(place.owner, found)
            case syntax.Subscript() if isinstance(_stripped(place.pointer).type, Array):
                return self._without_access(place.pointer, found).plus(found[id(place.index)])
            case _:
                total = _NONE
                for child in place.children:
                    total = total.plus(found[id(child)])
                return total

    def _callees(self, node: syntax.Call) -> tuple[str, ...] | None:
        """The functions that a call may mean; None if nobody knows them."""
        name = called_function(node, self._linked)
        return self._points_to.all_called(node) if name is None else (name,)

    def _called(self, node: syntax.Call) -> _Effects:
        if node.pure:
            return _NONE
        names = self._callees(node)
        if names is None:
            everything = self._globals | {MEMORY, OUTPUT}
            return _Effects(everything, everything)
        done = _NONE
        for name in names:
            done = done.plus(self._done_by(name))
        if MEMORY not in done.reads and MEMORY not in done.writes:
            return done
        given = frozenset(symbol for argument in node.arguments for symbol in _addresses(argument))
        reads = done.reads | (given if MEMORY in done.reads else frozenset())
        return _Effects(reads, done.writes | (given if MEMORY in done.writes else frozenset()))

    def _done_by(self, name: str) -> _Effects:
        """What a call of the function does to what is not its own and not given to it."""
        function = self._functions.get(name)
        if function is not None and function.body is not None:
            return self._of_function.get(name, _NONE)  # not there yet: it is added when it is
        if function is not None and function.library and is_writer(function.source_name):
            return _Effects(frozenset({MEMORY}), frozenset({OUTPUT}))
        known = meaning(function.source_name if function else name, False)
        return _NONE if known in _WITHOUT_EFFECT else _ANYTHING_BEHIND


def _evaluated_calls(body: Node) -> list[syntax.Call]:
    """Those below, but for what only a size is asked of."""
    found: list[syntax.Call] = []
    pending = [body]
    while pending:
        node = pending.pop()
        if isinstance(node, syntax.Call):
            found.append(node)
        if not isinstance(node, syntax.Size):
            pending.extend(node.children)
    return found


def _stripped(node: syntax.Expression) -> syntax.Expression:
    while isinstance(node, syntax.Conversion):
        node = node.operand
    return node


def _is_scalar(node: syntax.Expression) -> bool:
    return isinstance(node.type, Integer | Truth | Ieee | Pointer)


def _owner(place: syntax.Member | syntax.Subscript) -> syntax.Expression:
    """What it is a part of."""
    return _stripped(place.owner if isinstance(place, syntax.Member) else place.pointer)


def _is_simple(place: syntax.Expression) -> bool:
    """Whether nothing is called on the way, and no place is made."""
    hard = (syntax.Call, syntax.Conditional, syntax.StatementExpression, syntax.CompoundLiteral)
    return not any(isinstance(node, hard) for node in nodes(place))


def _head(member: _Member) -> frozenset[int]:
    """The variable or memory that it is in."""
    first = member[0]
    return frozenset({first}) if isinstance(first, int) else frozenset()


def _variable(place: syntax.Expression) -> int | None:
    """The variable that it is part of; None if that is behind a pointer."""
    place = _stripped(place)
    while isinstance(place, syntax.Member | syntax.Subscript):
        place = _owner(place)
        if isinstance(place.type, Pointer):
            return None
    return place.symbol if isinstance(place, syntax.Reference) else None


def _addresses(argument: Node) -> Iterator[int]:
    """The variables that are reached through an argument."""
    for node in nodes(argument):
        place = _stripped(node.operand) if isinstance(node, syntax.AddressOf) else node
        if not isinstance(place, syntax.Expression):
            continue
        if place is not node or isinstance(place.type, Array):
            symbol = _variable(place)
            if symbol is not None:
                yield symbol


def _exposed(function: LinkedFunction) -> Iterator[int]:
    """Variables that a pointer may lead to."""
    if function.body is not None:
        yield from _addresses(function.body)
