"""DAGCOND, IDAGCOND and SPECCOND: paths through ARGs as formulas.

Every path of an ARG has a control variable c; a call edge is replaced by the ARG that justifies it (IDAGCOND) or by
contracts (SPECCOND). Executions that are known already are paths of their own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sorrel.engines.whale.executions import Execution, Executions
from sorrel.engines.whale.function import Path
from sorrel.engines.whale.graph import Arg, Assumed, Contract
from sorrel.errors import InternalError
from sorrel.logic import terms
from sorrel.logic.evaluate import Model, assignment_from, value_in
from sorrel.logic.terms import Term
from sorrel.smt.solver import Oracle, Sat, Unsat


@dataclass(eq=False, slots=True)
class _Passage:
    """One way through one instance of an ARG: a path over variables of its own, or a known execution."""

    control: Term
    path: Path | None
    execution: Execution | None = None
    renaming: list[tuple[Term, Term]] = field(default_factory=list)
    calls: list[list[_Passage]] = field(default_factory=list)  # for each call, the ways through its ARG


@dataclass(frozen=True, slots=True)
class _Key:
    """What a label stands for: the argument at a position, or a conjunct of a path's constraint."""

    arg: int
    position: int
    path: str = ""
    part: Term | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True, eq=False)
class Slice:
    """The part of the ARGs below a path that is needed to exclude a violation.

    `parts` are conjuncts of constraints, by the ARG's number and the path's name; `places` are positions of arguments
    that callers look at, by the ARG's number.
    """

    parts: Mapping[tuple[int, str], list[Term]]
    places: Mapping[int, set[int]]


class InterproceduralCondition:
    """G ∧ IDAGCOND ∧ ¬S for one path: satisfiable exactly if an execution of the ARGs below violates a contract.

    Conjuncts of constraints, and arguments, have labels; all instances of an ARG share them, so that a core names
    what is needed of the ARG.
    """

    def __init__(self, contract: Contract, path: Path, callees: Sequence[Arg], executions: Executions) -> None:
        self._executions = executions
        self._count = 0
        self._control_parts: list[Term] = []
        self._labels: dict[_Key, Term] = {}
        self._work: list[tuple[_Passage, Sequence[Arg]]] = []
        self._top = self._passage(terms.TRUE, path, callees)
        fixed = [path.at_exit(contract.guard), path.constraint, terms.negation(path.at_exit(contract.summary))]
        self._control_parts += terms.substitute_all(fixed, self._top.renaming)
        while self._work:
            self._enter_calls(*self._work.pop())

    def check(self, oracle: Oracle, seconds: float) -> Execution | Slice | None:
        """An execution that violates the contract, or what excludes it; None if that was not decided."""
        session = oracle.session("whale.refine")
        session.add(*self._control_parts)
        match session.check(list(self._labels.values()), seconds):
            case Sat(model):
                return self.execution(model)
            case Unsat(core):
                session.minimize_cores()
                match session.check(core, seconds):
                    case Unsat(minimal):
                        core = minimal
                return self._slice({terms.name_of(label) for label in core})
        return None

    def _slice(self, chosen: set[str]) -> Slice:
        parts: dict[tuple[int, str], list[Term]] = {}
        places: dict[int, set[int]] = {}
        for key, label in self._labels.items():
            if terms.name_of(label) not in chosen:
                continue
            if key.part is None:
                places.setdefault(key.arg, set()).add(key.position)
            else:
                parts.setdefault((key.arg, key.path), []).append(key.part)
        return Slice(parts, places)

    def _passage(self, control: Term, path: Path, callees: Sequence[Arg]) -> _Passage:
        self._count += 1
        renaming = [(v, terms.variable(f"{terms.name_of(v)}!w{self._count}", v.sort())) for v in path.clause.variables]
        passage = _Passage(control, path, renaming=renaming)
        self._work.append((passage, callees))
        return passage

    def _enter_calls(self, passage: _Passage, callees: Sequence[Arg]) -> None:
        if passage.path is None:
            raise InternalError("a known execution has no calls to enter")
        for call, callee in zip(passage.path.calls, callees, strict=True):
            actual = call.substitute(passage.renaming).arguments
            passage.calls.append(self._ways_through(callee, actual, passage.control))

    def _ways_through(self, arg: Arg, actual: Sequence[Term], control: Term) -> list[_Passage]:
        """DAGCOND of one instance: one of the ways is taken if the call is, and it returns what the call does."""
        ways: list[_Passage] = []
        for execution in self._executions.of(arg.function.name):
            chosen = self._control()
            self._returns(arg, chosen, actual, execution.arguments)
            ways.append(_Passage(chosen, None, execution))
        for path, callees in arg.unwinding():
            if path.clause.head is None:
                raise InternalError("a query is called")
            chosen = self._control()
            way = self._passage(chosen, path, callees)
            for position, part in enumerate(terms.conjuncts(path.constraint)):
                label = self._label(_Key(arg.number, position, path.name, part))
                instance = terms.substitute(part, way.renaming)
                self._control_parts.append(terms.implication(terms.conjunction([label, chosen]), instance))
            self._returns(arg, chosen, actual, path.clause.head.substitute(way.renaming).arguments)
            ways.append(way)
        self._control_parts.append(_if(control, terms.disjunction(way.control for way in ways)))
        return ways

    def _returns(self, arg: Arg, chosen: Term, actual: Sequence[Term], returned: Sequence[Term]) -> None:
        for position, (a, b) in enumerate(zip(actual, returned, strict=True)):
            label = self._label(_Key(arg.number, position))
            self._control_parts.append(terms.implication(terms.conjunction([label, chosen]), terms.equal(a, b)))

    def _label(self, key: _Key) -> Term:
        if key not in self._labels:
            self._labels[key] = terms.variable(f"whale!l{len(self._labels)}", terms.BOOL)
        return self._labels[key]

    def _control(self) -> Term:
        self._count += 1
        return terms.variable(f"whale!c{self._count}", terms.BOOL)

    def execution(self, model: Model) -> Execution:
        """The execution that a model of the formula stands for."""
        order: list[tuple[_Passage, list[_Passage]]] = []
        stack = [self._top]
        while stack:
            passage = stack.pop()
            taken = [_taken(ways, model) for ways in passage.calls]
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
        return done[id(self._top)]


def _if(control: Term, part: Term) -> Term:
    return part if terms.is_true(control) else terms.implication(control, part)


def _taken(ways: Sequence[_Passage], model: Model) -> _Passage:
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


def spec_condition(contract: Contract, path: Path, assumed: Assumed) -> Term:
    """G ∧ SPECCOND ∧ ¬S: the path with its calls replaced by contracts (g ⇒ s). Lemma 3 says that it is unsatisfiable."""
    claims = [
        terms.substitute(callee.claim, call.bind())
        for call, contracts in zip(path.calls, assumed, strict=True)
        for callee in contracts
    ]
    return terms.conjunction([*violation(contract, path), *claims])


def violation(contract: Contract, path: Path) -> list[Term]:
    """G ∧ DAGCOND ∧ ¬S for one path: its calls may return anything."""
    return [path.at_exit(contract.guard), path.constraint, terms.negation(path.at_exit(contract.summary))]
