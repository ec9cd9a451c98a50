"""The derivation tree: call paths from the queries, and the bounded environment of each node (definitions 8 to 11)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sorrel.engines.clover.rules import Rule, Rules
from sorrel.horn.clause import Atom, Predicate
from sorrel.logic import terms
from sorrel.logic.terms import Term

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
    stamp: tuple[int, ...] = ()  # versions of what its queries depended on when it was last processed
    cubes: list[Term] = field(default_factory=list)
    hopes: list[Term] = field(
        default_factory=list
    )  # facts that would discharge the subtask, neither proved nor refuted
    parents: list[Node] = field(default_factory=list)  # bounded parents

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

    def key(self, bound: int) -> tuple[str, ...]:
        """Nodes with the same last `bound` steps have the same bounded context, but for the interface."""
        window = self.path[-bound:]
        return tuple(f"{rule.clause.name}:{at}" for rule, at in window)


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
        self._by_key: dict[tuple[str, ...], Node] = {}
        for query in rules.queries:
            for position in range(len(query.calls)):
                self.try_add(None, query, position)

    def try_add(self, parent: Node | None, rule: Rule, position: int) -> Node | None:
        """AN: a node for one call, unless an equivalent one is there; that one gets another bounded parent."""
        path = (*(parent.path if parent else ()), (rule, position))
        node = Node(len(self.nodes), rule.calls[position].predicate, path, parent)
        key = node.key(self.bound)
        known = self._by_key.get(key)
        if known is not None:
            if parent is not None and parent not in known.parents:
                known.parents.append(parent)
            return None
        if parent is not None:
            node.parents.append(parent)
        self._by_key[key] = node
        self.nodes.append(node)
        return node

    def equivalent(self, parent: Node, rule: Rule, position: int) -> Node:
        path = (*parent.path, (rule, position))
        window = path[-self.bound :]
        return self._by_key[tuple(f"{r.clause.name}:{at}" for r, at in window)]

    def environment(self, node: Node) -> BoundedEnvironment:
        """The last `bound` levels of callers unfolded; what is above them only through the interface."""
        window = node.path[-self.bound :]
        constraint: list[Term] = []
        calls: list[Atom] = []
        first, _ = window[0]
        actuals: Sequence[Term] = ()
        if first.predicate is not None:
            actuals = [terms.variable(f"{a.name}@0", a.sort) for a in first.predicate.arguments]
            constraint.append(self._interface(node, len(window), first.predicate, actuals))
        for level, (rule, position) in enumerate(window, start=1):
            instance = rule.instance(actuals, level)
            constraint.append(instance.constraint)
            calls += [c for i, c in enumerate(instance.calls) if i != position]
            actuals = instance.calls[position].arguments
        equations = [terms.equal(f, a) for f, a in zip(node.predicate.formals, actuals, strict=True)]
        return BoundedEnvironment(terms.conjunction([*constraint, *equations]), tuple(calls))

    @staticmethod
    def _interface(node: Node, levels: int, predicate: Predicate, actuals: Sequence[Term]) -> Term:
        """interface(d, k): the cubes of the ancestor just above the window; true if it met none."""
        ancestors = node.ancestors()
        if levels > len(ancestors):
            return terms.TRUE
        above = ancestors[levels - 1]
        if not above.cubes:
            return terms.TRUE
        pairs = list(zip(predicate.formals, actuals, strict=True))
        return terms.disjunction(terms.substitute(cube, pairs) for cube in above.cubes)
