"""DAGCOND, IDAGCOND and SPECCOND: paths through ARGs as formulas.

Every path of an ARG has a control variable c; a call edge is replaced by the ARG that justifies it (IDAGCOND) or by
contracts (SPECCOND). Executions that are known already are paths of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field

from sorrel.engines.whale.executions import Execution, Executions
from sorrel.engines.whale.function import Function, Path
from sorrel.engines.whale.graph import Arg, Assumed, Contract
from sorrel.logic import terms
from sorrel.logic.evaluate import Model, assignment_from, value_in
from sorrel.logic.terms import Term
from sorrel.model.errors import InternalError
from sorrel.model.values import dataclass
from sorrel.smt.solver import Oracle, Sat, Session, Unsat


def violation(contract: Contract, path: Path) -> list[Term]:
    """G ∧ DAGCOND ∧ ¬S for one path: its calls may return anything."""
    return [path.at_exit(contract.guard), path.constraint, terms.negation(path.at_exit(contract.summary))]


def claims_at(path: Path, assumed: Assumed) -> list[Term]:
    """The contracts assumed about the calls of a path, each as g ⇒ s."""
    return [
        terms.substitute(callee.claim, call.bind())
        for call, contracts in zip(path.calls, assumed, strict=True)
        for callee in contracts
    ]


def spec_condition(contract: Contract, path: Path, assumed: Assumed) -> Term:
    """G ∧ SPECCOND ∧ ¬S: the path with contracts in place of its calls. Lemma 3 says that it is unsatisfiable."""
    return terms.conjunction([*violation(contract, path), *claims_at(path, assumed)])


@dataclass(eq=False, slots=True)
class Passage:
    """One way through one instance of an ARG: a path over variables of its own, or a known execution."""

    control: Term
    path: Path | None
    execution: Execution | None = None
    renaming: list[tuple[Term, Term]] = field(default_factory=list)
    parts: list[Term] = field(default_factory=list)  # what holds if it is taken
    calls: list[list[Passage]] = field(default_factory=list)  # for each call, the ways through its ARG


@dataclass(frozen=True, slots=True)
class Label:
    """A part of an ARG that can be left out: the argument at a position, or a conjunct of a path's constraint."""

    arg: int
    position: int
    path: str = ""
    part: Term | None = field(default=None, compare=False)


class Unrolling:
    """ARGs in place of calls, and of the calls in them, as formulas over variables of their own.

    With labels each part of an ARG is there only if its label is; all instances of the ARG share them. `known_only`
    leaves only known executions of functions that are not transparent.
    """

    def __init__(
        self, executions: Executions | None, *, with_labels: bool, known_only: bool = False, tag: str = ""
    ) -> None:
        self.parts: list[Term] = []
        self._known_only = known_only
        self.labels: dict[Label, Term] = {}
        self._executions = executions
        self._with_labels = with_labels
        self._tag = tag
        self._count = 0
        self._work: list[tuple[Passage, Sequence[Arg]]] = []

    def enter(self, arg: Arg, actual: Sequence[Term], control: Term = terms.TRUE) -> list[Passage]:
        """The ways through an ARG that return what the call does."""
        ways = self._ways_through(arg, actual, control)
        while self._work:
            passage, callees = self._work.pop()
            if passage.path is None:
                raise InternalError("a known execution has no calls to enter")
            for call, callee in zip(passage.path.calls, callees, strict=True):
                inner = call.substitute(passage.renaming).arguments
                passage.calls.append(self._ways_through(callee, inner, passage.control))
        return ways

    def _ways_through(self, arg: Arg, actual: Sequence[Term], control: Term) -> list[Passage]:
        """DAGCOND of one instance: one of the ways is taken if the call is."""
        ways: list[Passage] = []
        for execution in self._known(arg.function):
            way = Passage(self._control(), None, execution)
            self._returns(arg, way, actual, execution.arguments)
            ways.append(way)
        for path, callees in arg.unwinding() if not self._known_only or arg.function.is_transparent else ():
            if path.clause.head is None:
                raise InternalError("a query is called")
            way = Passage(self._control(), path, renaming=self._copies(path))
            for position, part in enumerate(terms.conjuncts(path.constraint)):
                self._add(Label(arg.number, position, path.name, part), way, terms.substitute(part, way.renaming))
            self._returns(arg, way, actual, path.clause.head.substitute(way.renaming).arguments)
            self._work.append((way, callees))
            ways.append(way)
        taken = terms.disjunction(way.control for way in ways)
        self.parts.append(taken if terms.is_true(control) else terms.implication(control, taken))
        return ways

    def _known(self, function: Function) -> Sequence[Execution]:
        if self._executions is None or function.is_transparent:
            return ()
        return self._executions.some(function.name) if self._known_only else self._executions.latest(function.name)

    def _returns(self, arg: Arg, way: Passage, actual: Sequence[Term], returned: Sequence[Term]) -> None:
        for position, (a, b) in enumerate(zip(actual, returned, strict=True)):
            self._add(Label(arg.number, position), way, terms.equal(a, b))

    def _add(self, label: Label, way: Passage, part: Term) -> None:
        if terms.is_true(part):
            return
        way.parts.append(part)
        condition = way.control
        if self._with_labels:
            if label not in self.labels:
                self.labels[label] = terms.variable(f"whale!l{len(self.labels)}", terms.BOOL)
            condition = terms.conjunction([self.labels[label], way.control])
        self.parts.append(terms.implication(condition, part))

    def _copies(self, path: Path) -> list[tuple[Term, Term]]:
        self._count += 1
        mark = f"!w{self._tag}{self._count}"
        return [(v, terms.variable(terms.name_of(v) + mark, v.sort())) for v in path.clause.variables]

    def _control(self) -> Term:
        self._count += 1
        return terms.variable(f"whale!c{self._tag}{self._count}", terms.BOOL)


def looked_through(path: Path, args: Mapping[int, Arg]) -> list[Term]:
    """ARGs in place of the calls of a path at some positions, over the variables of the path and others."""
    unrolling = Unrolling(None, with_labels=False)
    for k, arg in args.items():
        unrolling.enter(arg, path.calls[k].arguments)
    return unrolling.parts


@dataclass(frozen=True, slots=True, eq=False)
class Slice:
    """The part of the ARGs below a path that is needed to exclude a violation.

    `parts` are conjuncts of constraints, by the ARG's number and the path's name; `places` are positions of arguments
    that callers look at, by the ARG's number.
    """

    parts: Mapping[tuple[int, str], list[Term]]
    places: Mapping[int, set[int]]


@dataclass(frozen=True, slots=True, eq=False)
class Refuted:
    """No execution of the ARGs violates the contract; `core` are labels of parts that show it."""

    condition: InterproceduralCondition
    session: Session
    core: tuple[Term, ...]

    def needed(self, seconds: float) -> Slice:
        return self.condition.slice(self.session, self.core, seconds)


class InterproceduralCondition:
    """IDAGCOND for some calls of a path together with what is said of it otherwise, such as G ∧ ¬S.

    If these are all calls it is satisfiable exactly if an execution of the ARGs is one of the path.
    """

    def __init__(
        self,
        said: Sequence[Term],
        path: Path,
        callees: Sequence[Arg],
        positions: Iterable[int],
        executions: Executions,
        *,
        known_only: bool = False,
    ) -> None:
        self._said = said
        self._unrolling = Unrolling(executions, with_labels=not known_only, known_only=known_only)
        ways = [self._unrolling.enter(callees[k], path.calls[k].arguments) for k in positions]
        self._top = Passage(terms.TRUE, path, renaming=[(v, v) for v in path.clause.variables], calls=ways)

    def check(self, oracle: Oracle, seconds: float) -> Execution | Refuted | None:
        """An execution that violates the contract, or that there is none; None if that was not decided."""
        session = oracle.session("whale.refine")
        session.add(*self._said, *self._unrolling.parts)
        match session.check(list(self._unrolling.labels.values()), seconds):
            case Sat(model):
                return execution_at(self._top, model)
            case Unsat(core):
                return Refuted(self, session, core)
        return None

    def slice(self, session: Session, core: Sequence[Term], seconds: float) -> Slice:
        """What is needed of the ARGs, from a core that is made smaller first."""
        session.minimize_cores()
        match session.check(core, seconds):
            case Unsat(minimal):
                core = minimal
        return self._slice({terms.name_of(label) for label in core})

    def _slice(self, chosen: set[str]) -> Slice:
        parts: dict[tuple[int, str], list[Term]] = {}
        places: dict[int, set[int]] = {}
        for label, switch in self._unrolling.labels.items():
            if terms.name_of(switch) not in chosen:
                continue
            if label.part is None:
                places.setdefault(label.arg, set()).add(label.position)
            else:
                parts.setdefault((label.arg, label.path), []).append(label.part)
        return Slice(parts, places)


def execution_at(top: Passage, model: Model) -> Execution:
    """The execution that a model of unrolled calls stands for."""
    order: list[tuple[Passage, list[Passage]]] = []
    stack = [top]
    while stack:
        passage = stack.pop()
        taken = [taken_in(ways, model) for ways in passage.calls]
        order.append((passage, taken))
        stack.extend(taken)
    done: dict[int, Execution] = {}
    for passage, taken in reversed(order):
        if passage.execution is not None:
            done[id(passage)] = passage.execution
        elif passage.path is not None:
            copies = assignment_from(model, [copy for _, copy in passage.renaming])
            values = {variable: copies[copy] for variable, copy in passage.renaming}
            done[id(passage)] = Execution(passage.path.clause, values, tuple(done[id(way)] for way in taken))
    return done[id(top)]


def path_taken(calls: Sequence[Sequence[Passage]], model: Model) -> list[Term]:
    """What holds on the way that a model takes through unrolled calls: no disjunction over paths is left."""
    parts: list[Term] = []
    stack = [taken_in(ways, model) for ways in calls]
    while stack:
        passage = stack.pop()
        parts += passage.parts
        stack.extend(taken_in(ways, model) for ways in passage.calls)
    return parts


def taken_in(ways: Sequence[Passage], model: Model) -> Passage:
    for way in ways:
        if terms.is_true(value_in(model, way.control)):
            return way
    raise InternalError("a model takes a call edge, but no path through its ARG")


def tree_size(callees: Sequence[Arg], limit: int) -> int:
    """How many instances of ARGs IDAGCOND has, or something above the limit."""
    sizes: dict[int, int] = {}
    stack = list(callees)
    while stack:
        arg = stack[-1]
        called = [callee for _, group in arg.unwinding() for callee in group]
        waiting = [callee for callee in called if callee.number not in sizes]
        if waiting:
            stack.extend(waiting)
            continue
        stack.pop()
        sizes[arg.number] = min(limit + 1, 1 + sum(sizes[callee.number] for callee in called))
    return sum(sizes[arg.number] for arg in callees)
