"""State/transition interpolants (STITP), as the solution of a Horn system without recursion.

For a path with calls e₁, …, eₘ the system has for each call a state predicate gₖ over the inputs of the callee and a
transition predicate sₖ over all its arguments:

    G ∧ φ ∧ s₁ ∧ … ∧ sₖ₋₁  ⇒  gₖ(aₖ)          the call is made with such inputs only
    gₖ ∧ IDAGCOND(𝒥(eₖ))   ⇒  sₖ              and the executions that are there return so
    G ∧ φ ∧ s₁ ∧ … ∧ sₘ    ⇒  S

Its solutions are GUARD and SUM of the paper already, over formals and without quantifiers or control variables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import TypeAlias, TypeVar

from sorrel.engines.spacer import rebuild
from sorrel.engines.whale.blocking import Blocking
from sorrel.engines.whale.conditions import Passage, Slice, Unrolling, path_taken, violation
from sorrel.engines.whale.covering import Covering
from sorrel.engines.whale.executions import Execution, Executions
from sorrel.engines.whale.function import Path
from sorrel.engines.whale.graph import Arg, Contract, reachable
from sorrel.horn.clause import Argument, Atom, Clause, Predicate
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Derivation, Summaries
from sorrel.logic import terms
from sorrel.logic.evaluate import Model
from sorrel.logic.terms import Term
from sorrel.model.budget import Clock
from sorrel.model.errors import InternalError
from sorrel.model.values import dataclass
from sorrel.smt import fixedpoint
from sorrel.smt.recursion_free import Method, refinement
from sorrel.smt.solver import Oracle
from sorrel.transform.lift import complete

T = TypeVar("T")

Inductive: TypeAlias = Callable[[Arg, Term], bool]
"""Is a claim about the function of an ARG inductive, as far as can be told?"""


@dataclass(frozen=True, slots=True, eq=False)
class Specification:
    """GUARD(gₖ) and SUM(sₖ) for one call, over the formals of the callee."""

    guard: Term
    summary: Term


@dataclass(frozen=True, slots=True)
class Feasible:
    """There is an execution that violates the contract."""


class Way(StrEnum):
    """Ways to find interpolants."""

    SPACER = "spacer"
    GUESSES = "guesses"  # what executions suggest and induction keeps
    BLOCKING = "blocking"  # violations are excluded cube by cube
    COVERING = "covering"  # executions are covered cube by cube
    FARKAS = "farkas"
    STRONGEST = "strongest"
    WEAKEST = "weakest"


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """What is to be refined: a path of an ARG with its contract.

    Interpolants are wanted for the calls at the positions `unknown`; those at `through` are replaced by their ARGs,
    and of the others `assumed` is all that is known.
    """

    contract: Contract
    path: Path
    callees: tuple[Arg, ...]
    unknown: tuple[int, ...]
    through: tuple[int, ...] = ()
    assumed: tuple[Term, ...] = ()

    @property
    def said(self) -> list[Term]:
        """G ∧ φ ∧ ¬S, and what is assumed."""
        return [*violation(self.contract, self.path), *self.assumed]

    @property
    def reached(self) -> Term:
        """G ∧ φ, and what is assumed: what holds when a call is made."""
        return terms.conjunction([*violation(self.contract, self.path)[:2], *self.assumed])


@dataclass(frozen=True, slots=True, eq=False)
class _Sides:
    """A call as two formulas over `copies` of its callee's formals: its executions, and what must not be returned."""

    renaming: list[tuple[Term, Term]]
    inside: list[Term]
    ways: list[Passage]
    said: list[Term]
    around: list[Term]
    calls: list[list[Passage]]

    @property
    def copies(self) -> list[Term]:
        return [copy for _, copy in self.renaming]

    @property
    def violations(self) -> list[Term]:
        return [*self.said, *self.around]

    def way_inside(self, model: Model) -> list[Term]:
        return path_taken([self.ways], model)

    def way_around(self, model: Model) -> list[Term]:
        return [*self.said, *path_taken(self.calls, model)]

    def at_formals(self, formula: Term) -> Term:
        return terms.substitute(formula, [(copy, formal) for formal, copy in self.renaming])


class Interpolation:
    """The Horn system of one refinement; of a slice of the ARGs, if one is given.

    A solution for the slice, which says less about the ARGs, is one for all of them.
    """

    def __init__(
        self, question: Question, executions: Executions, *, guards: bool = False, needed: Slice | None = None
    ) -> None:
        self._question = question
        self._path = question.path
        self._callees = question.callees
        self._known = executions
        self._needed = needed
        self._original: dict[str, tuple[Clause | None, Execution | None]] = {}
        args = reachable(tuple(self._callees[k] for k in (*question.unknown, *question.through)))
        self._under = {arg.number: Predicate(f"under!{arg.number}", self._arguments(arg)) for arg in args}
        self._executions = list(self._execution_clauses(args, executions))
        self._unwinding = list(self._unwinding_clauses(args))
        self.after = [Predicate(f"after!{k}", self._arguments(arg)) for k, arg in enumerate(self._callees)]
        self.before = [self._state(k, arg) if guards else None for k, arg in enumerate(self._callees)]

    def _state(self, k: int, arg: Arg) -> Predicate | None:
        inputs = tuple(argument for argument in self.after[k].arguments if argument in arg.function.inputs)
        return Predicate(f"before!{k}", inputs) if inputs else None

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
            for number, execution in enumerate(executions.latest(arg.function.name)):
                name = f"{arg.number}!run!{number}"
                self._original[name] = (None, execution)
                yield Clause(name, self._atom(arg, execution.arguments), (), terms.TRUE)

    def system(self) -> HornSystem:
        """The conditions above."""
        predicates = [*self._under.values()]
        clauses = [*self._executions, *self._unwinding]
        returned = [self._atom(self._callees[k], self._path.calls[k].arguments) for k in self._question.through]
        for k in self._question.unknown:
            call, callee = self._path.calls[k], self._callees[k]
            own = dict(zip(callee.function.arguments, call.arguments, strict=True))
            after, state = self.after[k], self.before[k]
            premises = [Atom(self._under[callee.number], after.formals)]
            if state is not None:
                inputs = Atom(state, tuple(own[argument] for argument in state.arguments))
                clauses.append(Clause(f"state!{k}", inputs, tuple(returned), self._question.reached))
                premises.append(Atom(state, state.formals))
                predicates.append(state)
            predicates.append(after)
            clauses.append(Clause(f"transition!{k}", Atom(after, after.formals), tuple(premises), terms.TRUE))
            returned.append(Atom(after, tuple(own[argument] for argument in after.arguments)))
        clauses.append(Clause("exit", None, tuple(returned), terms.conjunction(self._question.said)))
        return HornSystem(tuple(predicates), tuple(clauses))

    def solve(
        self, way: Way, oracle: Oracle, induction: Inductive, seconds: float
    ) -> tuple[Specification, ...] | Feasible | None:
        """Specifications for all calls, true for those that none were wanted for; None if the way leads nowhere."""
        if way is Way.GUESSES:
            raise InternalError("guesses are not interpolants of one question")
        if way is Way.SPACER:
            return self._by_spacer(oracle, seconds)
        if way is Way.BLOCKING:
            return self._by_blocking(oracle, induction, seconds)
        if way is Way.COVERING:
            return self._by_covering(oracle)
        found = refinement(self.system(), oracle, methods=[Method(way)], seconds=seconds)
        return self._specifications(found.summaries) if found else None

    def _by_spacer(self, oracle: Oracle, seconds: float) -> tuple[Specification, ...] | Feasible | None:
        match fixedpoint.refute(self.system(), oracle, seconds=seconds):
            case fixedpoint.Solved(summaries):
                return self._specifications(summaries)
            case fixedpoint.Refuted():
                return Feasible()
        return None

    def _specifications(self, summaries: Summaries) -> tuple[Specification, ...]:
        names = zip(self.before, self.after, strict=True)
        return tuple(
            Specification(
                summaries.get(before.name, terms.TRUE) if before is not None else terms.TRUE,
                summaries.get(after.name, terms.TRUE),
            )
            for before, after in names
        )

    def _by_blocking(self, oracle: Oracle, induction: Inductive, seconds: float) -> tuple[Specification, ...] | None:
        """One call after the other, the last one first, by excluding violations; the others are unrolled meanwhile."""
        clock = oracle.clock.share(1.0, seconds)
        found: dict[int, Term] = {}
        for k in reversed(self._question.unknown):
            summary = self._blocked(k, found, oracle, induction, clock)
            if summary is None:
                return None
            found[k] = summary
        return tuple(Specification(terms.TRUE, found.get(k, terms.TRUE)) for k in range(len(self._callees)))

    def _by_covering(self, oracle: Oracle) -> tuple[Specification, ...] | None:
        """One call after the other, the first one first, by covering its executions."""
        found: dict[int, Term] = {}
        for k in self._question.unknown:
            sides = self._sides_of(k, found)
            covering = Covering(oracle, sides.inside, sides.violations, sides.way_inside, sides.copies)
            summary = covering.run()
            if summary is None:
                return None
            found[k] = sides.at_formals(summary)
        return tuple(Specification(terms.TRUE, found.get(k, terms.TRUE)) for k in range(len(self._callees)))

    def _blocked(
        self, k: int, found: Mapping[int, Term], oracle: Oracle, induction: Inductive, clock: Clock
    ) -> Term | None:
        """A summary for one call."""
        callee = self._callees[k]
        sides = self._sides_of(k, found)

        def is_inductive(claim: Term) -> bool:
            return induction(callee, sides.at_formals(claim))

        points = [
            dict(zip(sides.copies, execution.arguments, strict=True))
            for execution in self._known.of(callee.function.name)
        ]
        blocking = Blocking(
            oracle, sides.inside, sides.violations, sides.way_around, sides.copies, points, is_inductive, clock
        )
        summary = blocking.run()
        return None if summary is None else sides.at_formals(summary)

    def _sides_of(self, k: int, found: Mapping[int, Term]) -> _Sides:
        """One call, between the ARG that justifies it and all the rest; calls that are solved are their summaries."""
        call, callee = self._path.calls[k], self._callees[k]
        # Variables of the path may be called like the formals of the callee.
        copies = [(f, terms.variable(f"{terms.name_of(f)}!formal", f.sort())) for f in call.predicate.formals]
        at_copies = [copy for _, copy in copies]
        around = Unrolling(self._known, with_labels=False, tag="a")
        calls = [
            around.enter(self._callees[other], self._path.calls[other].arguments)
            for other in (*self._question.unknown, *self._question.through)
            if other != k and other not in found
        ]
        solved = [terms.substitute(summary, self._path.calls[other].bind()) for other, summary in found.items()]
        equations = [terms.equal(copy, value) for copy, value in zip(at_copies, call.arguments, strict=True)]
        inside = Unrolling(self._known, with_labels=False)
        ways = inside.enter(callee, at_copies)
        said = [*self._question.said, *solved, *equations]
        return _Sides(copies, inside.parts, ways, said, around.parts, calls)

    def rebuilt(self, oracle: Oracle, seconds: float) -> Execution | None:
        """An execution that violates the contract, from the facts of Spacer's proof that there is one."""
        if self._needed is not None or self._question.unknown:
            raise InternalError("an execution is rebuilt from whole ARGs")
        system = self.system()
        match fixedpoint.refute(system, oracle, seconds=seconds):
            case fixedpoint.Refuted(facts):
                derivation = rebuild(system, facts, oracle)
                return self._execution(derivation) if derivation is not None else None
        return None

    def _execution(self, derivation: Derivation) -> Execution:
        done: list[Execution] = []
        for step in derivation.steps:
            clause, execution = self._original.get(step.clause, (self._path.clause, None))
            if clause is not None:
                callees = tuple(done[premise] for premise in step.premises)
                values = complete(clause, step.values, [callee.arguments for callee in callees])
                execution = Execution(clause, values, callees)
            if execution is None:
                raise InternalError(f"step {step.clause} stands for nothing")
            done.append(execution)
        return done[-1]
