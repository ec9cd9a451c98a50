"""MAKECEX: a violation as the tree of the rule applications behind it, without abstraction.

If the constraints of the tree have a model, it is a ground derivation. If not, the tree is a Horn system without
recursion that has a solution: one predicate for each node. Only the constraints of an unsat core go into it, so
that the solution speaks of nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from sorrel.engines.hsf.inference import AbstractFact, Violation
from sorrel.engines.hsf.plan import PLAN
from sorrel.engines.hsf.predicates import Predicates
from sorrel.engines.hsf.rules import Rule
from sorrel.horn.clause import Argument, Atom, Clause, Predicate
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Derivation, Step, Summaries
from sorrel.logic import terms, walk
from sorrel.logic.evaluate import Model, assignment_from
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass
from sorrel.smt.solver import Oracle, Sat, Unsat


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A rule application over variables of its own: `arguments` are those of its fact, `parts` its constraints.

    `parts` also say that the arguments are those of the head, and that each child's are those of the call, where they
    are not the same variables.
    """

    number: int
    rule: Rule
    children: tuple[Node, ...]
    renaming: tuple[tuple[Term, Term], ...]
    arguments: tuple[Term, ...]
    parts: tuple[Term, ...]
    updates: tuple[tuple[int, Term], ...] = ()
    """Of a round of a loop: the parts that give an argument another value, by position in the fact."""
    values: tuple[tuple[int, Term], ...] = ()
    """What the abstraction knows already: the values of tracked arguments, by position in the fact."""

    @property
    def known(self) -> list[Term]:
        return [terms.equal(self.arguments[position], value) for position, value in self.values]


@dataclass(frozen=True, slots=True, eq=False)
class Feasible:
    """The violation is real."""

    derivation: Derivation
    model: Model


@dataclass(frozen=True, slots=True, eq=False)
class Infeasible:
    """The violation is due to the abstraction. `system` has a predicate for each node that takes part in why."""

    system: HornSystem
    nodes: tuple[Node, ...]  # those with a predicate

    def solutions(self, summaries: Summaries) -> list[tuple[str, Term]]:
        """Each node's summary as a formula over the formals of its query symbol."""
        found = []
        for node in self.nodes:
            head = node.rule.head
            if head is None:
                continue
            values = [(node.arguments[position], value) for position, value in node.values]
            at_formals = list(zip(node.arguments, head.predicate.formals, strict=True))
            # Where the values are those that are known, this is what the solution says beside them. Where it says that
            # they cannot be, the solutions of the facts before say so already.
            beside = terms.simplify(terms.substitute(summaries[_name(node)], values))
            if not terms.is_false(beside):
                found.append((head.predicate.name, terms.substitute(beside, at_formals)))
        return found


@dataclass(frozen=True, slots=True)
class Undecided:
    reason: str


class _Labels:
    """The constraints of all nodes in a solver, each under a label."""

    def __init__(self, nodes: Sequence[Node], oracle: Oracle) -> None:
        self.session = oracle.session("hsf.cex")
        self._owner: dict[str, tuple[Node, Term]] = {}
        self.all = [self._labelled(node, part) for node in nodes for part in node.parts]
        self.known = [self._labelled(node, part) for node in nodes for part in node.known]
        """Of the values that the abstraction knows: a reason may rest on them."""

    def _labelled(self, node: Node, part: Term) -> Term:
        label = terms.variable(f"hsf!part!{len(self._owner)}", terms.BOOL)
        self.session.add(terms.implication(label, part))
        self._owner[terms.name_of(label)] = (node, part)
        return label

    def outside(self, labels: Sequence[Term], numbers: set[int]) -> list[Term]:
        """The labels of nodes with other numbers."""
        return [label for label in labels if self._owner[terms.name_of(label)][0].number not in numbers]

    def without(self, labels: Sequence[Term], parts: set[int]) -> list[Term]:
        """The labels of other constraints than those with these ids."""
        return [label for label in labels if self._owner[terms.name_of(label)][1].get_id() not in parts]

    def parts_of(self, labels: Sequence[Term]) -> dict[int, list[Term]]:
        """The constraints under these labels, by number of their node."""
        chosen = {terms.name_of(label) for label in labels}
        kept: dict[int, list[Term]] = {}
        for name, (node, part) in self._owner.items():
            if name in chosen:
                kept.setdefault(node.number, []).append(part)
        return kept


MOST_DROPS = 60
"""How many subtrees are tried to be dropped from a core."""


class Counterexample:
    """The tree of a violation; `nodes` has children before parents, and the query last."""

    def __init__(self, violation: Violation, predicates: Predicates | None = None) -> None:
        """With the table of predicates, what it knows of the values of arguments is taken for granted in reasons."""
        self.nodes: list[Node] = []
        self._predicates = predicates
        self._build(violation)

    @property
    def query(self) -> Node:
        return self.nodes[-1]

    def _build(self, violation: Violation) -> None:
        """One node for each use of a fact: two uses may need different values."""
        stack: list[tuple[Violation | AbstractFact, bool]] = [(violation, False)]
        done: list[Node] = []
        while stack:
            step, expanded = stack.pop()
            if not expanded:
                stack.append((step, True))
                stack.extend((parent, False) for parent in reversed(step.parents))
                continue
            first = len(done) - len(step.parents)
            children = tuple(done[first:])
            del done[first:]
            node = replace(_node(len(self.nodes), step.rule, children), values=self._values(step))
            self.nodes.append(node)
            done.append(node)

    def _values(self, step: Violation | AbstractFact) -> tuple[tuple[int, Term], ...]:
        if self._predicates is None or isinstance(step, Violation):
            return ()
        return self._predicates.values_of(step.name, step.chosen)

    def examine(self, oracle: Oracle) -> Feasible | Infeasible | Undecided:
        labels = _Labels(self.nodes, oracle)
        match labels.session.check(labels.all):
            case Sat(model):
                return Feasible(self._derivation(model), model)
            case Unsat(core):
                return self._system(labels.parts_of(self._core(labels, core)))
        return Undecided("the solver could not decide whether a derivation is feasible")

    def _core(self, labels: _Labels, core: Sequence[Term]) -> Sequence[Term]:
        """A small core that needs few calls: before single constraints, whole subtrees beside others are dropped.

        What is shown without the facts of a call is shown for all its facts, so a solution without the call is the
        more general one. The largest go first. An only call stays: what comes before it is no alternative to it.
        """
        sizes = self._sizes()
        kept, core = self._without_rounds(labels, core)
        kept, core = self._nearest(labels, kept, core)
        waiting = [self.query]
        drops = 0
        while waiting and drops < MOST_DROPS:
            parent = waiting.pop()
            children = sorted(parent.children, key=lambda child: -sizes[child.number])
            for node in children:
                below = self._below(node)
                rest = labels.outside(kept, below)
                if len(labels.outside(core, below)) == len(core):
                    kept = rest
                    continue
                if len(children) > 1:
                    drops += 1
                    match labels.session.check(rest, PLAN.dropping):
                        case Unsat(smaller):
                            kept, core = rest, smaller
                            continue
                waiting.append(node)
        labels.session.minimize_cores()
        match labels.session.check(core):
            case Unsat(minimal):
                return minimal
        return core

    def _without_rounds(self, labels: _Labels, core: Sequence[Term]) -> tuple[Sequence[Term], Sequence[Term]]:
        """Labels without what loops do to their variables, as far as the rest contradicts itself.

        A reason that does not follow a variable from round to round is one for any number of rounds.
        """
        kept: Sequence[Term] = [*labels.all, *labels.known]
        groups: dict[tuple[str, int], list[Term]] = {}
        for node in self.nodes:
            for position, part in node.updates:
                name = node.rule.head.predicate.name if node.rule.head else ""
                groups.setdefault((name, position), []).append(part)
        waiting = [list(groups)] if groups else []
        tried = 0
        while waiting and tried < MOST_DROPS:
            some = waiting.pop()
            dropped = {part.get_id() for key in some for part in groups[key]}
            rest = labels.without(kept, dropped)
            tried += 1
            match labels.session.check(rest, PLAN.dropping):
                case Unsat(smaller):
                    kept, core = rest, smaller
                case _ if len(some) > 1:
                    waiting += [some[len(some) // 2 :], some[: len(some) // 2]]
        return kept, core

    def _nearest(
        self, labels: _Labels, kept: Sequence[Term], core: Sequence[Term]
    ) -> tuple[Sequence[Term], Sequence[Term]]:
        """What is near the query, as little of it as contradicts itself, and the core of that.

        What is shown of the last steps is shown for everything that may come before them: rounds of loops that were
        left long ago play no part in it.
        """
        depths = self._depths()
        near, far = 0, max(depths)
        while near < far:
            middle = (near + far) // 2
            part = labels.outside(kept, {node.number for node in self.nodes if depths[node.number] > middle})
            match labels.session.check(part, PLAN.dropping):
                case Unsat(smaller):
                    kept, core, far = part, smaller, middle
                case _:
                    near = middle + 1
        return kept, core

    def _depths(self) -> list[int]:
        """How many steps each node is away from the query."""
        depths = [0] * len(self.nodes)
        for node in reversed(self.nodes):
            for child in node.children:
                depths[child.number] = depths[node.number] + 1
        return depths

    def _sizes(self) -> list[int]:
        sizes: list[int] = []
        for node in self.nodes:
            sizes.append(1 + sum(sizes[child.number] for child in node.children))
        return sizes

    def _below(self, node: Node) -> set[int]:
        """The numbers of a node and all below it."""
        found: set[int] = set()
        stack = [node]
        while stack:
            current = stack.pop()
            found.add(current.number)
            stack.extend(current.children)
        return found

    def _derivation(self, model: Model) -> Derivation:
        steps = []
        for node in self.nodes:
            copies = assignment_from(model, [copy for _, copy in node.renaming])
            values = {variable: copies[copy] for variable, copy in node.renaming}
            steps.append(Step(node.rule.clause.name, values, tuple(child.number for child in node.children)))
        return Derivation(tuple(steps))

    def _shared(self, kept: dict[int, list[Term]]) -> list[set[int]]:
        """For each node the variables of which constraints speak both at or below it and elsewhere."""
        everywhere: Counter[int] = Counter()
        below: list[Counter[int]] = []
        for node in self.nodes:
            own = Counter(_ids(kept.get(node.number, ())))
            everywhere += own
            below.append(sum((below[child.number] for child in node.children), own))
        return [{v for v, count in here.items() if count < everywhere[v]} for here in below]

    def _system(self, kept: dict[int, list[Term]]) -> Infeasible:
        """The tree with the kept constraints; subtrees without any are left out, and so are idle arguments."""
        shared = self._shared(kept)
        predicates: dict[int, Predicate] = {}
        for parent in self.nodes:
            for child in parent.children:
                both = shared[child.number]
                if both or child.number in kept or any(c.number in predicates for c in child.children):
                    arguments = [a for a in child.arguments if a.get_id() in both]
                    predicates[child.number] = Predicate(
                        _name(child), tuple(Argument(terms.name_of(a), a.sort()) for a in arguments)
                    )
        clauses = []
        for node in self.nodes:
            if node.number in predicates or node is self.query:
                body = [predicates[c.number] for c in node.children if c.number in predicates]
                head = predicates.get(node.number)
                clauses.append(
                    Clause(
                        f"clause!{node.number}",
                        Atom(head, head.formals) if head else None,
                        tuple(Atom(p, p.formals) for p in body),
                        terms.conjunction(kept.get(node.number, [])),
                    )
                )
        nodes = tuple(node for node in self.nodes if node.number in predicates)
        return Infeasible(HornSystem(tuple(predicates.values()), tuple(clauses)), nodes)


def _ids(parts: Iterable[Term]) -> set[int]:
    return {variable.get_id() for variable in walk.free_variables(*parts)}


def _name(node: Node) -> str:
    return f"node!{node.number}"


def _node(number: int, rule: Rule, children: tuple[Node, ...]) -> Node:
    """What a rule hands from its calls to its head keeps its variable: no equation says that it is the same."""
    clause = rule.clause
    handed, equations = _handed(children, clause.body)
    renaming = [
        (v, handed[v.get_id()] if v.get_id() in handed else terms.variable(f"{terms.name_of(v)}!v{number}", v.sort()))
        for v in clause.variables
    ]
    parts = terms.substitute_all(rule.parts, renaming)
    parts += [terms.equal(argument, terms.substitute(term, renaming)) for argument, term in equations]
    arguments: list[Term] = []
    updates: list[tuple[int, Term]] = []
    given: set[int] = set()
    changes = frozenset(rule.changed)
    if clause.head:
        instances = clause.head.substitute(renaming).arguments
        for position, (formal, instance) in enumerate(zip(clause.head.predicate.formals, instances, strict=True)):
            changed = position in changes
            if terms.is_variable(instance) and not changed and instance.get_id() not in given:
                given.add(instance.get_id())
                arguments.append(instance)
                continue
            arguments.append(terms.variable(f"{terms.name_of(formal)}!a{number}", formal.sort()))
            parts.append(terms.equal(arguments[-1], instance))
            if changed:
                updates.append((position, parts[-1]))
    return Node(number, rule, children, tuple(renaming), tuple(arguments), tuple(parts), tuple(updates))


def _handed(children: Sequence[Node], body: Sequence[Atom]) -> tuple[dict[int, Term], list[tuple[Term, Term]]]:
    """For variables in calls the arguments that they stand for, and what else must be equal to arguments."""
    handed: dict[int, Term] = {}
    equations: list[tuple[Term, Term]] = []
    for child, atom in zip(children, body, strict=True):
        for argument, term in zip(child.arguments, atom.arguments, strict=True):
            if terms.is_variable(term) and handed.setdefault(term.get_id(), argument) is argument:
                continue
            equations.append((argument, term))
    return handed, equations
