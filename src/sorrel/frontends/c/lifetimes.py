"""Whether an address can be there longer than what it is the address of: locals end with their block.

What is copied in and out of a call (`references`) has no address; everything else that holds pointers is an object that
`regions` knows, with what it may point to. An address of a local is harmless if whatever may hold it ends no later: a
variable of the same block or of one inside it, or of a function that is called, at whatever depth, from the local's
and never calls back, unless it may run in a thread that goes on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from sorrel.frontends.c import syntax
from sorrel.frontends.c.cells import find, parts
from sorrel.frontends.c.linking import Linked
from sorrel.frontends.c.objects import Object, ObjectKind, Objects
from sorrel.frontends.c.recursion import Executed, calls_of
from sorrel.frontends.c.regions import PointsTo
from sorrel.frontends.c.syntax import Node, named_callee
from sorrel.frontends.c.types import leaves
from sorrel.model.components import reached
from sorrel.model.values import dataclass
from sorrel.program.creation import THREAD_BEGIN

_ENDING = (ObjectKind.LOCAL, ObjectKind.PARAMETER, ObjectKind.TEMPORARY, ObjectKind.LITERAL)
_OF_A_CALL = (*_ENDING, ObjectKind.REFERENT)
_BARE = 0
"""A block without braces, which nothing else is in."""


@dataclass(frozen=True, slots=True)
class Outlived:
    """Locals whose address may be somewhere after they have ended: with their function, or with a block inside it.

    `otherwise`: those of which it is not followed when they end.
    """

    with_function: tuple[Object, ...]
    with_block: Mapping[int, tuple[Object, ...]]  # by the identity of the block
    otherwise: tuple[Object, ...]

    @property
    def followed(self) -> tuple[Object, ...]:
        return (*self.with_function, *(object for group in self.with_block.values() for object in group))


def outlived(linked: Linked, objects: Objects, points_to: PointsTo, made: Executed) -> Outlived:
    lifetimes = _Lifetimes(linked, objects, points_to, made)
    found = lifetimes.run()
    whole: list[Object] = []
    inner: dict[int, tuple[Object, ...]] = {}
    otherwise: list[Object] = []
    for object in found:
        block = lifetimes.block(object)
        if lifetimes.lasts(object):
            whole.append(object)
        elif block is not None:
            inner[block] = (*inner.get(block, ()), object)
        else:
            otherwise.append(object)
    return Outlived(tuple(whole), inner, tuple(otherwise))


class _Lifetimes:
    def __init__(self, linked: Linked, objects: Objects, points_to: PointsTo, made: Executed) -> None:
        self._linked = linked
        self._objects = objects
        self._points_to = points_to
        self._calls = calls_of(linked, points_to, made)
        self._below: dict[str, frozenset[str]] = {}

    @cached_property
    def _scopes(self) -> Mapping[int, tuple[int, ...]]:
        """Of all functions; a program that keeps no address of a local needs none."""
        bodies = [function.body for function in self._linked.reached if function.body is not None]
        return {node: around for body in bodies for node, around in _scopes(body)}

    def run(self) -> list[Object]:
        ending: dict[int, dict[int, Object]] = {}
        for object in self._objects.all():
            if object.function and (_ends(object) or _is_on_the_stack(object)):
                for cell in parts(self._points_to.cell(object)):
                    ending.setdefault(id(cell), {})[id(object)] = object
        found: dict[int, Object] = {}
        for holder in self._objects.all():
            for cell in parts(self._points_to.cell(holder)):
                if cell.target is not None:
                    for object in ending.get(id(find(cell.target)), {}).values():
                        if not self._ends_first(holder, object):
                            found[id(object)] = object
        return list(found.values())

    def lasts(self, object: Object) -> bool:
        """Whether it is there until its function returns."""
        arrays = any(leaf.count != 1 for leaf in leaves(object.type))
        whole = object.kind is ObjectKind.LOCAL or (object.kind is ObjectKind.PARAMETER and not arrays)
        return whole and not self._scope(object)

    def block(self, object: Object) -> int | None:
        """The block inside its function with which it ends."""
        scope = self._scope(object) if object.kind in (ObjectKind.LOCAL, ObjectKind.LITERAL) else ()
        return scope[-1] if scope and scope[-1] != _BARE else None

    def _ends_first(self, holder: Object, object: Object) -> bool:
        """Whether the holder is gone when the object is."""
        there, here = holder.function, object.function
        below, above = there in self._called(here), here in self._called(there)
        if there != here:
            is_of_a_call = holder.kind in (*_OF_A_CALL, ObjectKind.RESULT)
            return bool(there) and is_of_a_call and below and not above and not self._goes_on(there, here)
        if holder.kind not in _OF_A_CALL or above or object.kind is ObjectKind.TEMPORARY:
            # What is returned is there afterwards; in a recursive function, the variable of another call may be meant;
            # a temporary value ends with the expression.
            return False
        outer, inner = self._scope(object), self._scope(holder)
        return inner[: len(outer)] == outer

    def _goes_on(self, there: str, here: str) -> bool:
        """Whether a function may still run, in a thread of its own, when one that has called it ends; main ends all."""
        return there in self._in_threads and all(entry.name != here for entry in self._linked.entries)

    @cached_property
    def _in_threads(self) -> frozenset[str]:
        """What those call, at whatever depth, who create threads: some of it by creating one."""
        creators = [name for name, callees in self._calls.items() if THREAD_BEGIN in callees]
        return frozenset(called for creator in creators for called in self._called(creator))

    def _called(self, name: str) -> frozenset[str]:
        """Those that the function calls, at whatever depth; asked of those alone whose variables lie open."""
        found = self._below.get(name)
        if found is None:
            found = frozenset(reached(self._calls.get(name, ()), lambda callee: self._calls.get(callee, ())))
            self._below[name] = found
        return found

    def _scope(self, object: Object) -> tuple[int, ...]:
        """The blocks around it in its function, from the outside; of a parameter there are none."""
        return self._scopes.get(id(object.node), ())


def _ends(object: Object) -> bool:
    return object.kind in _ENDING and not object.is_string


def _is_on_the_stack(object: Object) -> bool:
    """What alloca gives ends with its function."""
    if object.kind is not ObjectKind.ALLOCATED or not isinstance(object.node, syntax.Call):
        return False
    name = named_callee(object.node)
    return name is not None and name.name in ("alloca", "__builtin_alloca")


def _scopes(body: Node) -> Iterator[tuple[int, tuple[int, ...]]]:
    """For each declaration, and each literal, the blocks that it is in; the body of the function is not counted."""
    pending: list[tuple[Node, tuple[int, ...]]] = [(child, ()) for child in body.children]
    while pending:
        node, around = pending.pop()
        if isinstance(node, syntax.Variable | syntax.CompoundLiteral):
            yield id(node), around
        inside = (*around, id(node)) if isinstance(node, syntax.Compound | syntax.For) else around
        for child in node.children:
            bare = any(child is each for each in _chosen(node)) and not isinstance(child, syntax.Compound)
            pending.append((child, (*inside, _BARE) if bare else inside))


def _chosen(node: Node) -> tuple[Node | None, ...]:
    """What depends on a condition: that is a block, with braces or without (C17 6.8.4, 6.8.5)."""
    match node:
        case syntax.If():
            return node.then, node.otherwise
        case syntax.Switch() | syntax.While() | syntax.Do() | syntax.For():
            return (node.body,)
        case _:
            return ()
