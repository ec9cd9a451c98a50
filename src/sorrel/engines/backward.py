"""States from which an error is a few steps away, computed backward from the queries, a step at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import field

from sorrel.engines.engine import Circumstances
from sorrel.engines.one_call import SEVERAL_CALLS, has_several_calls
from sorrel.engines.options import PathsOptions
from sorrel.engines.paths import Paths
from sorrel.engines.plan import PLAN
from sorrel.engines.prepared import joined, strengthened
from sorrel.horn.clause import Atom, Clause
from sorrel.horn.exchange import ALONE
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Safe, Summaries, Unknown, Unsafe, Verdict
from sorrel.logic import terms
from sorrel.logic.names import Names
from sorrel.logic.terms import Term
from sorrel.model.outcome import Cause, Reason
from sorrel.model.values import dataclass
from sorrel.smt.projection import project_exact
from sorrel.smt.solver import Oracle, Sat, Unsat
from sorrel.transform.simplify import simplify


def search_backward(
    system: HornSystem,
    run: Circumstances,
    seeds: Summaries,
    levels: int,
    closed: Callable[[Backward, bool], Summaries | None],
) -> Verdict:
    """Errors one step further away at each level, until `closed` finds summaries that keep all of them away.

    It is told whether the last level brought something new.
    """
    simpler = simplify(strengthened(system, seeds))
    if has_several_calls(simpler.system):
        return Unknown(Reason(Cause.UNSUPPORTED, SEVERAL_CALLS))
    facts = {} if run.exchange is ALONE or seeds else run.exchange.known(simpler.system)
    found = simpler.lift(_searched(Backward(simpler.system, facts, run.oracle()), run, levels, closed), run.oracle())
    return Safe(joined(found.summaries, seeds)) if isinstance(found, Safe) else found


def _searched(
    backward: Backward, run: Circumstances, levels: int, closed: Callable[[Backward, bool], Summaries | None]
) -> Verdict:
    for level in range(levels):
        if run.clock.expired():
            return Unknown(Reason(Cause.TIME, f"errors {level} steps away are not all that has to be excluded"))
        run.progress({"phase": "backward", "level": level})
        following = backward.step()
        if following is None:
            return Unknown(
                Reason(Cause.INCOMPLETE, f"the states from which an error is {level} steps away could not be described")
            )
        if backward.refuted:
            return _path(backward.system, level, run)
        found = closed(backward, bool(following))
        if found is not None:
            return Safe(found)
    return Unknown(Reason(Cause.INCOMPLETE, f"errors {levels} steps away are not all that has to be excluded"))


def _path(system: HornSystem, level: int, run: Circumstances) -> Verdict:
    """The counterexample of so many steps, which is known to exist."""
    match Paths(PathsOptions(level + 2)).solve(system, run, {}):
        case Unsafe() as found:
            return found
    return Unknown(Reason(Cause.UNCONFIRMED, f"an error is {level} steps away, but its path was not found"))


@dataclass(slots=True, eq=False)
class Backward:
    """Clauses with one call each; `facts` are inductive for them.

    `_near`: for each predicate, formulas for states with an error not far away; `_last`: those of the last level.
    """

    system: HornSystem
    facts: Summaries
    oracle: Oracle
    refuted: bool = False
    _near: dict[str, list[Term]] = field(default_factory=dict)
    _last: dict[str, list[Term]] | None = None

    def near(self, name: str) -> Term:
        """States of the predicate, within the facts, with an error at most as many steps away as were taken."""
        return terms.disjunction(self._near.get(name, ()))

    def step(self) -> dict[str, list[Term]] | None:
        """What is new among the states that are one step further away; None if that could not be found out."""
        found: dict[str, list[Term]] = {}
        for clause, after in self._leading():
            if not clause.body:
                match self.oracle.check(clause.constraint, after, kind="induction", seconds=PLAN.backward_question):
                    case Sat():
                        self.refuted = True
                        return {}
                    case Unsat():
                        continue
                return None
            (call,) = clause.body
            there = self._before(clause, call, after)
            if there is None:
                return None
            is_new = self._is_new(call.predicate.name, there)
            if is_new is None:
                return None
            if is_new:
                found.setdefault(call.predicate.name, []).append(there)
                self._near.setdefault(call.predicate.name, []).append(there)
        self._last = found
        return found

    def _leading(self) -> Iterable[tuple[Clause, Term]]:
        """Clauses that lead to an error, or else to what is known to lead there, with what must hold after them."""
        for clause in self.system.clauses:
            if self._last is None:
                if clause.head is None:
                    yield clause, terms.TRUE
            elif clause.head is not None:
                for formula in self._last.get(clause.head.predicate.name, ()):
                    yield clause, terms.substitute(formula, clause.head.bind())

    def _before(self, clause: Clause, call: Atom, after: Term) -> Term | None:
        """The states of the call from which the clause leads there, without its other variables."""
        fresh, renaming = clause.rename_apart(Names(terms.name(v) for v in call.predicate.formals))
        (atom,) = fresh.body
        equations = [terms.equal(a, f) for a, f in zip(atom.arguments, call.predicate.formals, strict=True)]
        known = self.facts.get(call.predicate.name, terms.TRUE)
        formula = terms.conjunction([*equations, fresh.constraint, terms.substitute(after, renaming), known])
        if terms.is_false(terms.simplify(formula)):
            return terms.FALSE
        return project_exact(self.oracle, formula, fresh.variables, PLAN.backward_step)

    def _is_new(self, name: str, there: Term) -> bool | None:
        others: Sequence[Term] = [terms.negation(each) for each in self._near.get(name, ())]
        match self.oracle.check(there, *others, kind="induction", seconds=PLAN.backward_question):
            case Sat():
                return True
            case Unsat():
                return False
        return None
