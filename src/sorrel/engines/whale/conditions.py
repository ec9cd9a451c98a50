"""DAGCOND, IDAGCOND and SPECCOND: paths through ARGs as formulas.

Every path of an ARG has a control variable c; a call edge is replaced by the ARG that justifies it (IDAGCOND) or by
contracts (SPECCOND). Executions that are known already are paths of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sorrel.engines.whale.executions import Execution, Executions
from sorrel.engines.whale.function import Path
from sorrel.engines.whale.graph import Arg, Assumed, Contract
from sorrel.errors import InternalError
from sorrel.logic import terms
from sorrel.logic.evaluate import Model, assignment_from, value_in
from sorrel.logic.terms import Term


@dataclass(eq=False, slots=True)
class _Passage:
    """One way through one instance of an ARG: a path over variables of its own, or a known execution."""

    control: Term
    path: Path | None
    execution: Execution | None = None
    renaming: list[tuple[Term, Term]] = field(default_factory=list)
    calls: list[list[_Passage]] = field(default_factory=list)  # for each call, the ways through its ARG


class InterproceduralCondition:
    """G ∧ IDAGCOND ∧ ¬S for one path of an ARG: satisfiable exactly if an execution that is there violates a contract."""

    def __init__(self, contract: Contract, path: Path, callees: Sequence[Arg], executions: Executions) -> None:
        self._executions = executions
        self._count = 0
        self._parts: list[Term] = []
        self._work: list[tuple[_Passage, Sequence[Arg]]] = []
        self._top = self._passage(terms.TRUE, path, callees)
        violated = [path.at_exit(contract.guard), terms.negation(path.at_exit(contract.summary))]
        self._parts += terms.substitute_all(violated, self._top.renaming)
        while self._work:
            self._enter_calls(*self._work.pop())

    @property
    def formula(self) -> Term:
        return terms.joined(self._parts)

    def _passage(self, control: Term, path: Path, callees: Sequence[Arg]) -> _Passage:
        self._count += 1
        renaming = [(v, terms.variable(f"{terms.name_of(v)}!w{self._count}", v.sort())) for v in path.clause.variables]
        passage = _Passage(control, path, renaming=renaming)
        self._work.append((passage, callees))
        self._parts.append(_if(control, terms.substitute(path.constraint, renaming)))
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
            same = [terms.equal(a, value) for a, value in zip(actual, execution.arguments, strict=True)]
            self._parts.append(_if(chosen, terms.joined(same)))
            ways.append(_Passage(chosen, None, execution))
        for path, callees in arg.unwinding():
            chosen = self._control()
            way = self._passage(chosen, path, callees)
            if path.clause.head is None:
                raise InternalError("a query is called")
            returned = path.clause.head.substitute(way.renaming).arguments
            same = [terms.equal(a, b) for a, b in zip(actual, returned, strict=True)]
            self._parts.append(_if(chosen, terms.joined(same)))
            ways.append(way)
        self._parts.append(_if(control, terms.disjunction(way.control for way in ways)))
        return ways

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
