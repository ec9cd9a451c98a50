"""State/transition interpolants (STITP), as the solution of a Horn system without recursion.

For a path with calls e₁, …, eₘ the system has for each call a state predicate gₖ over the inputs of the callee and a
transition predicate sₖ over all its arguments:

    G ∧ φ ∧ s₁ ∧ … ∧ sₖ₋₁  ⇒  gₖ(aₖ)          the call is made with such inputs only
    gₖ ∧ IDAGCOND(𝒥(eₖ))   ⇒  sₖ              and the executions that are there return so
    G ∧ φ ∧ s₁ ∧ … ∧ sₘ    ⇒  S

Its solutions are GUARD and SUM of the paper already, over formals and without quantifiers or control variables.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from sorrel.engines.spacer import rebuild
from sorrel.engines.whale.conditions import Slice, violation
from sorrel.engines.whale.executions import Execution, Executions
from sorrel.engines.whale.function import Path
from sorrel.engines.whale.graph import Arg, Contract, reachable
from sorrel.errors import InternalError
from sorrel.horn.clause import Argument, Atom, Clause, Predicate
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.smt import fixedpoint
from sorrel.smt.recursion_free import Method, refinement
from sorrel.smt.solver import Oracle
from sorrel.transform.lift import complete


T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class Specification:
    """GUARD(gₖ) and SUM(sₖ) for one call, over the formals of the callee."""

    guard: Term
    summary: Term


@dataclass(frozen=True, slots=True, eq=False)
class Feasible:
    """There is an execution that violates the contract; it is given if it could be rebuilt."""

    execution: Execution | None


class Interpolation:
    """The Horn system of one refinement; of a slice of the ARGs, if one is given.

    A solution for the slice, which says less about the ARGs, is one for all of them.
    """

    def __init__(
        self,
        contract: Contract,
        path: Path,
        callees: Sequence[Arg],
        executions: Executions,
        *,
        guards: bool,
        needed: Slice | None = None,
    ) -> None:
        self._contract = contract
        self._path = path
        self._callees = tuple(callees)
        self._needed = needed
        self._original: dict[str, tuple[Clause | None, Execution | None]] = {}
        args = reachable(self._callees)
        self._under = {arg.number: Predicate(f"under!{arg.number}", self._arguments(arg)) for arg in args}
        self._executions = list(self._execution_clauses(args, executions))
        self._unwinding = list(self._unwinding_clauses(args))
        self.after = [Predicate(f"after!{k}", self._arguments(arg)) for k, arg in enumerate(self._callees)]
        inputs = [tuple(a for a in p.arguments if a in arg.function.inputs) for p, arg in zip(self.after, callees, strict=True)]
        self.before = [Predicate(f"before!{k}", own) if guards and own else None for k, own in enumerate(inputs)]

    def _arguments(self, arg: Arg) -> tuple[Argument, ...]:
        return self._at_places(arg, arg.function.arguments)

    def _at_places(self, arg: Arg, whole: Sequence[T]) -> tuple[T, ...]:
        """Those of the values for all arguments of an ARG's function that callers look at."""
        if self._needed is None:
            return tuple(whole)
        places = self._needed.places.get(arg.number, set())
        return tuple(value for position, value in enumerate(whole) if position in places)

    def _atom(self, arg: Arg, whole: Sequence[Term]) -> Atom:
        return Atom(self._under[arg.number], self._at_places(arg, whole))

    def _constraint(self, arg: Arg, path: Path) -> Term:
        if self._needed is None:
            return path.constraint
        return terms.conjunction(self._needed.parts.get((arg.number, path.name), []))

    def _unwinding_clauses(self, args: Sequence[Arg]) -> Iterator[Clause]:
        for arg in args:
            for path, callees in arg.unwinding():
                if path.clause.head is None:
                    raise InternalError("a query is called")
                name = f"{arg.number}!{path.name}"
                self._original[name] = (path.clause, None)
                head = self._atom(arg, path.clause.head.arguments)
                yield Clause(name, head, self._body(path, callees), self._constraint(arg, path))

    def _body(self, path: Path, callees: Sequence[Arg]) -> tuple[Atom, ...]:
        return tuple(self._atom(arg, call.arguments) for call, arg in zip(path.calls, callees, strict=True))

    def _execution_clauses(self, args: Sequence[Arg], executions: Executions) -> Iterator[Clause]:
        for arg in args:
            for number, execution in enumerate(executions.of(arg.function.name)):
                name = f"{arg.number}!run!{number}"
                self._original[name] = (None, execution)
                yield Clause(name, self._atom(arg, execution.arguments), (), terms.TRUE)

    def system(self) -> HornSystem:
        """The conditions above."""
        violated = violation(self._contract, self._path)
        clauses = [*self._executions, *self._unwinding]
        returned: list[Atom] = []
        for k, (call, callee) in enumerate(zip(self._path.calls, self._callees, strict=True)):
            own = dict(zip(callee.function.arguments, call.arguments, strict=True))
            premises = [Atom(self._under[callee.number], self.after[k].formals)]
            state = self.before[k]
            if state is not None:
                inputs = Atom(state, tuple(own[argument] for argument in state.arguments))
                clauses.append(Clause(f"state!{k}", inputs, tuple(returned), terms.conjunction(violated[:2])))
                premises.append(Atom(state, state.formals))
            after = self.after[k]
            clauses.append(Clause(f"transition!{k}", Atom(after, after.formals), tuple(premises), terms.TRUE))
            returned.append(Atom(after, tuple(own[argument] for argument in after.arguments)))
        clauses.append(Clause("exit", None, tuple(returned), terms.conjunction(violated)))
        states = [state for state in self.before if state is not None]
        return HornSystem((*self._under.values(), *states, *self.after), tuple(clauses))

    def by_spacer(self, oracle: Oracle, seconds: float) -> tuple[Specification, ...] | Feasible | None:
        match fixedpoint.refute(self.system(), oracle, seconds=seconds):
            case fixedpoint.Solved(summaries):
                return self._specifications(summaries)
            case fixedpoint.Refuted():
                return Feasible(None)
        return None

    def solve(self, oracle: Oracle, methods: Sequence[Method], seconds: float) -> tuple[Specification, ...] | None:
        """For a system that is known to have a solution."""
        found = refinement(self.system(), oracle, methods=methods, seconds=seconds)
        return self._specifications(found.summaries) if found else None

    def _specifications(self, summaries: Summaries) -> tuple[Specification, ...]:
        return tuple(
            Specification(summaries[before.name] if before is not None else terms.TRUE, summaries[after.name])
            for before, after in zip(self.before, self.after, strict=True)
        )

    def rebuilt(self, oracle: Oracle, seconds: float) -> Execution | None:
        """An execution that violates the contract, from the facts of Spacer's proof that there is one."""
        if self._needed is not None:
            raise InternalError("an execution is rebuilt from whole ARGs")
        violated = terms.conjunction(violation(self._contract, self._path))
        query = Clause("exit", None, self._body(self._path, self._callees), violated)
        system = HornSystem(tuple(self._under.values()), (*self._executions, *self._unwinding, query))
        match fixedpoint.refute(system, oracle, seconds=seconds):
            case fixedpoint.Refuted(facts):
                derivation = rebuild(system, facts, oracle)
                if derivation is None:
                    return None
                done: list[Execution] = []
                for step in derivation.steps:
                    clause, execution = self._original.get(step.clause, (self._path.clause, None))
                    callees = tuple(done[p] for p in step.premises)
                    clause = clause or self._path.clause
                    values = complete(clause, step.values, [callee.arguments for callee in callees])
                    done.append(execution or Execution(clause, values, callees))
                return done[-1]
        return None
