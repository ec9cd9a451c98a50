"""Where all runs together have come to: values of variables, the conditions met on the way, what the runs chose."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from sorrel.encode.bounds import Bounds
from sorrel.encode.cells import Arrays, Cells, Content
from sorrel.logic.graph import Graph
from sorrel.logic.node import Node, Truth, Value
from sorrel.logic.whole import Range
from sorrel.model.values import dataclass
from sorrel.program.expression import Apply
from sorrel.program.types import Type


@dataclass(frozen=True, slots=True, eq=False)
class Chosen:
    before: Trace | None
    value: Content
    type: Type


@dataclass(frozen=True, slots=True, eq=False)
class Applied:
    """A value of a function of which nothing is known; it was asked for only if `guard` holds."""

    before: Trace | None
    expression: Apply
    arguments: tuple[Value, ...]
    result: Value
    guard: Truth


@dataclass(frozen=True, slots=True, eq=False)
class Joined:
    """All of `then` happened if the condition holds, all of `otherwise` if not."""

    condition: Truth
    then: Trace | None
    otherwise: Trace | None


Trace: TypeAlias = Chosen | Applied | Joined


class Path:
    """Conditions that were met, the last one here; `guard` is all of them together."""

    __slots__ = ("before", "condition", "guard", "length")

    def __init__(self, before: Path | None, condition: Truth, guard: Truth) -> None:
        self.before = before
        self.condition = condition
        self.guard = guard
        self.length: int = 0 if before is None else before.length + 1


START = Path(None, True, True)


class State:
    """`guards` are the conditions under which the part of an expression is evaluated that is looked at now.

    `told` is the last comparison of a choice with a number, what it says of the choice: as a condition it is made of
    those of the choice, so that whoever learns of it does not see that.
    """

    __slots__ = ("applied", "bounds", "globals", "guards", "is_possible", "locals", "path", "told", "trace")

    def __init__(
        self,
        locals: dict[str, Content],
        globals: dict[str, Content],
        bounds: Bounds,
        path: Path = START,
        trace: Trace | None = None,
        applied: tuple[Applied, ...] = (),
    ) -> None:
        self.locals = locals
        self.globals = globals
        self.bounds = bounds
        self.path = path
        self.trace = trace
        self.applied = applied
        self.guards: list[Truth] = []
        self.is_possible = True
        self.told: tuple[Node, Node, int] | None = None

    def fork(self) -> State:
        made = State(dict(self.locals), dict(self.globals), self.bounds.copy(), self.path, self.trace, self.applied)
        made.told = self.told
        return made

    def tell(self, truth: Truth, left: Value, right: Value) -> None:
        """That it holds means that these are equal, which does not show in it if one of them is a choice.

        What is evaluated under a condition may have bounds that hold there alone, and the truth may be met elsewhere.
        """
        if self.guards or not isinstance(truth, Node) or truth.kind == "=":
            return
        if isinstance(left, Node) and type(right) is int:
            self.told = (truth, left, right)

    def _learn(self, fact: Truth) -> bool:
        """Whether that may be, by what is known."""
        if not self.bounds.learn(fact):
            return False
        if self.told is None or not isinstance(fact, Node):
            return True
        truth, node, number = self.told
        for one, other, holds in ((fact, truth, True), (_denied(fact), truth, False), (fact, _denied(truth), False)):
            if one is other:
                return self.bounds.learn_value(node, number, holds)
        return True

    def guard(self, graph: Graph) -> Truth:
        """When the part of an expression is evaluated that is looked at now."""
        found = self.path.guard
        for each in self.guards:
            found = graph.conjunction(found, each)
        return found

    def assume(self, graph: Graph, fact: Truth) -> None:
        """Runs in which it does not hold end here, if they come here at all."""
        decided = self.bounds.decide(fact)
        if decided:
            return
        if decided is False or not self._learn(fact):
            fact = False
        for each in reversed(self.guards):
            fact = graph.implication(each, fact)
        self.is_possible &= fact is not False
        self.path = Path(self.path, fact, graph.conjunction(self.path.guard, fact))

    def meet(self, graph: Graph, condition: Truth) -> None:
        """A branch that was taken: a condition of its own on the path, also where bounds tell that it cannot be."""
        if not self._learn(condition):
            self.is_possible = False
            return
        self.path = Path(self.path, condition, graph.conjunction(self.path.guard, condition))


class Joining:
    """Paths that meet become one."""

    def __init__(self, graph: Graph, arrays: Arrays) -> None:
        self._graph = graph
        self._arrays = arrays

    def together(self, states: Sequence[State], names: Iterable[str]) -> State:
        """Neighbours that parted last are joined first, so that conditions meet their own negations."""
        if len(states) == 1:
            return states[0]
        wanted = tuple(names)
        stack: list[State] = []
        for position, state in enumerate(states):
            stack.append(state)
            following = states[position + 1] if position + 1 < len(states) else None
            while len(stack) > 1 and (
                following is None
                or _common(stack[-2].path, stack[-1].path).length >= _common(stack[-1].path, following.path).length
            ):
                last = stack.pop()
                stack.append(self._joined(stack.pop(), last, wanted))
        return stack[0]

    def _joined(self, left: State, right: State, names: tuple[str, ...]) -> State:
        common = _common(left.path, right.path)
        condition, path = self._parted(common, _since(left.path, common), _since(right.path, common))
        bounds = left.bounds.merged(right.bounds)
        locals: dict[str, Content] = {}
        for name in names:
            one, other = left.locals[name], right.locals[name]
            locals[name] = one if one is other else self._choice(condition, one, other, left, right)
        globals: dict[str, Content] = {}
        for name, one in left.globals.items():
            other = right.globals[name]
            globals[name] = one if one is other else self._choice(condition, one, other, left, right)
        trace = left.trace if left.trace is right.trace else Joined(condition, left.trace, right.trace)
        applied = left.applied
        if applied is not right.applied:
            applied = tuple(dict.fromkeys((*applied, *right.applied)))
        return State(locals, globals, bounds, path, trace, applied)

    def _choice(self, condition: Truth, one: Content, other: Content, left: State, right: State) -> Content:
        if isinstance(one, Cells) and isinstance(other, Cells):
            return self._arrays.array_choice(condition, one, other, (left.bounds, right.bounds))
        return self._arrays.choice(condition, one, other, _known(one, left), _known(other, right))

    def _parted(self, common: Path, here: list[Truth], there: list[Truth]) -> tuple[Truth, Path]:
        """The condition that tells the two paths apart, and what was met on either.

        As a rule they parted at a branch, so that one goes on with its condition and the other with the negation. In
        any case they exclude each other, since a program is deterministic once its choices are made.
        """
        graph = self._graph
        if here and there and here[0] is graph.negation(there[0]):
            condition = here[0]
            rest = [
                graph.implication(condition, self._all(here[1:])),
                graph.implication(there[0], self._all(there[1:])),
            ]
        else:
            condition = self._all(here)
            rest = [graph.disjunction(condition, self._all(there))]
        path = common
        for each in rest:
            if each is not True:
                path = Path(path, each, graph.conjunction(path.guard, each))
        return condition, path

    def _all(self, conditions: list[Truth]) -> Truth:
        found: Truth = True
        for each in conditions:
            found = self._graph.conjunction(found, each)
        return found


def _denied(truth: Node) -> object:
    return truth.parts[0] if truth.kind == "not" else None


def _known(value: Content, state: State) -> Range:
    return (0, 0) if isinstance(value, Cells) else state.bounds.tight(value)


def _common(left: Path, right: Path) -> Path:
    """Where the two parted."""
    while left is not right:
        if left.length >= right.length and left.before is not None:
            left = left.before
        elif right.before is not None:
            right = right.before
        else:
            break
    return left


def _since(path: Path, start: Path) -> list[Truth]:
    found: list[Truth] = []
    while path is not start and path.before is not None:
        found.append(path.condition)
        path = path.before
    found.reverse()
    return found
