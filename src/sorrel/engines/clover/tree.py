"""The derivation tree: call paths from the queries, and the bounded environment of each node (definitions 8 to 11)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from sorrel.engines.clover.rules import Rule, Rules
from sorrel.horn.clause import Atom, Predicate
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.model.errors import InternalError
from sorrel.model.values import dataclass

MOST_ALIKE = 16
"""So many nodes may differ only in what is above their bounded contexts."""

Step = tuple[Rule, int]
"""A rule on a call path and the position of the call that the path goes through."""


@dataclass(eq=False)
class Node:
    """`path` leads from a query to the call of `predicate`; `cubes` are parts of the environment met so far."""

    number: int
    predicate: Predicate
    path: tuple[Step, ...]
    parent: Node | None
    available: bool = True
    chosen: int = 0
    later: bool = False  # templates of later stages were not tried yet
    stamp: tuple[int, ...] = ()  # versions of what its queries depended on when it was last processed
    cubes: list[Term] = field(default_factory=list)
    hopes: list[Term] = field(
        default_factory=list
    )  # facts that would discharge the subtask, neither proved nor refuted
    parents: list[Node] = field(default_factory=list)  # bounded parents
    interface: Term = terms.TRUE  # what is known of the callers above the window, over the formals of the topmost one

    @property
    def depth(self) -> int:
        return len(self.path)

    @property
    def names(self) -> list[str]:
        """The call path, from the query on."""
        first = "query" if self.path[0][0].predicate is None else ""
        return [first, *(rule.calls[at].predicate.name for rule, at in self.path)]

    def ancestors(self) -> list[Node]:
        """From the parent up."""
        found = []
        node = self.parent
        while node is not None:
            found.append(node)
            node = node.parent
        return found


@dataclass(frozen=True, slots=True, eq=False)
class BoundedEnvironment:
    """benv(n): `constraint` over the target's formals and variables of the path; `calls` are the other callees."""

    constraint: Term
    calls: tuple[Atom, ...]

    def approximate(self, formula_at: Mapping[str, Term]) -> Term:
        calls = [terms.substitute(formula_at[c.predicate.name], c.bind()) for c in self.calls]
        return terms.conjunction([self.constraint, *calls])


class Tree:
    def __init__(self, rules: Rules, bound: int) -> None:
        self.rules = rules
        self.bound = bound
        self.nodes: list[Node] = []
        self._alike: dict[tuple[str, ...], list[Node]] = {}  # nodes by the last steps of their paths
        for query in rules.queries:
            for position in range(len(query.calls)):
                self.try_add(None, query, position)

    def try_add(self, parent: Node | None, rule: Rule, position: int) -> Node | None:
        """AN: a node for one call, unless an equivalent one is there; that one gets another bounded parent."""
        known = self._twin(parent, rule, position)
        if known is not None:
            if parent is not None and parent not in known.parents:
                known.parents.append(parent)
            return None
        path = (*(parent.path if parent else ()), (rule, position))
        node = Node(len(self.nodes), rule.calls[position].predicate, path, parent)
        if parent is not None:
            node.parents.append(parent)
            node.interface = self._interface(parent, path)
        self._alike.setdefault(self._steps(path), []).append(node)
        self.nodes.append(node)
        return node

    def equivalent(self, parent: Node, rule: Rule, position: int) -> Node:
        twin = self._twin(parent, rule, position)
        if twin is None:
            raise InternalError("a call has neither a node nor an equivalent one")
        return twin

    def _twin(self, parent: Node | None, rule: Rule, position: int) -> Node | None:
        """The node with the same bounded context: the same last steps, and the same interface to what is above.

        Interfaces of a recursion that never ends are all different: after some of them the last one stands for all.
        """
        path = (*(parent.path if parent else ()), (rule, position))
        alike = self._alike.get(self._steps(path), [])
        interface = self._interface(parent, path) if parent else terms.TRUE
        same = next((node for node in alike if terms.same(node.interface, interface)), None)
        return same or (alike[-1] if len(alike) >= MOST_ALIKE else None)

    def _steps(self, path: Sequence[Step]) -> tuple[str, ...]:
        return tuple(f"{rule.clause.name}:{at}" for rule, at in path[-self.bound :])

    def _interface(self, parent: Node, path: Sequence[Step]) -> Term:
        """interface(d, k): the cubes that the ancestor just above the window has met so far; true if none."""
        lineage = [parent, *parent.ancestors()]
        levels = len(path[-self.bound :])
        if path[-levels][0].predicate is None or levels > len(lineage):
            return terms.TRUE
        cubes = lineage[levels - 1].cubes
        return terms.disjunction(cubes) if cubes else terms.TRUE

    def environment(self, node: Node) -> BoundedEnvironment:
        """The last `bound` levels of callers unfolded; what is above them only through the interface."""
        window = node.path[-self.bound :]
        constraint: list[Term] = []
        calls: list[Atom] = []
        first, _ = window[0]
        actuals: Sequence[Term] = ()
        if first.predicate is not None:
            actuals = [terms.variable(f"{a.name}@0", a.sort) for a in first.predicate.arguments]
            pairs = list(zip(first.predicate.formals, actuals, strict=True))
            constraint.append(terms.substitute(node.interface, pairs))
        for level, (rule, position) in enumerate(window, start=1):
            instance = rule.instance(actuals, level)
            constraint.append(instance.constraint)
            calls += [c for i, c in enumerate(instance.calls) if i != position]
            actuals = instance.calls[position].arguments
        equations = [terms.equal(f, a) for f, a in zip(node.predicate.formals, actuals, strict=True)]
        return BoundedEnvironment(terms.conjunction([*constraint, *equations]), tuple(calls))
