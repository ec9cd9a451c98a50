"""k-induction: what k rounds without an error exclude in the next, told as an invariant of one round.

States from which an error is at most k steps away are computed backward, a step at a time, within facts that are known
to be inductive. When a step brings nothing new, all other states stay among themselves (docs/engines/induction.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field

from sorrel.engines.engine import Circumstances
from sorrel.engines.options import InductionOptions, PathsOptions
from sorrel.engines.paths import Paths
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

BY = "k-induction"
SEVERAL_CALLS = "induction takes clauses with one call each"
STEP_SECONDS, CHECK_SECONDS = 2.0, 2.0
"""For one clause at one level: for what leads there without its other variables, and for whether that is new."""


class Induction:
    """Proofs of linear clauses; where it meets an error on the way it asks for the path to it."""

    def __init__(self, options: InductionOptions) -> None:
        self._options = options

    def unsupported(self, system: HornSystem) -> str:
        return "induction has no well-foundedness obligations" if system.obligations else ""

    def solve(self, system: HornSystem, run: Circumstances, seeds: Summaries) -> Verdict:
        problem = self.unsupported(system)
        if problem:
            return Unknown(Reason(Cause.UNSUPPORTED, problem))
        simpler = simplify(strengthened(system, seeds))
        if any(len(clause.body) > 1 for clause in simpler.system.clauses):
            return Unknown(Reason(Cause.UNSUPPORTED, SEVERAL_CALLS))
        facts = {} if run.exchange is ALONE or seeds else run.exchange.known(simpler.system)
        found = simpler.lift(self._solve(simpler.system, facts, run), run.oracle())
        return Safe(joined(found.summaries, seeds), by=BY) if isinstance(found, Safe) else found

    def _solve(self, system: HornSystem, facts: Summaries, run: Circumstances) -> Verdict:
        search = _Search(system, facts, run.oracle())
        for level in range(self._options.levels):
            if run.clock.expired():
                return Unknown(Reason(Cause.TIME, f"{level} rounds exclude no error in the next"))
            run.progress({"phase": "induction", "level": level})
            following = search.step()
            if following is None:
                return Unknown(Reason(Cause.INCOMPLETE, f"what leads to an error in {level} steps could not be told"))
            if search.refuted:
                return _path(system, level, run)
            if not following:
                return Safe(search.summaries(), by=BY)
        return Unknown(Reason(Cause.INCOMPLETE, f"{self._options.levels} rounds exclude no error in the next"))


def _path(system: HornSystem, level: int, run: Circumstances) -> Verdict:
    match Paths(PathsOptions(level + 2)).solve(system, run, {}):
        case Unsafe(derivation):
            return Unsafe(derivation, by=BY)
    return Unknown(Reason(Cause.UNCONFIRMED, f"an error is {level} steps away, but its path was not found"))


@dataclass(slots=True, eq=False)
class _Search:
    """`_near`: for each predicate, formulas for states with an error not far away; `_last`: those of the last level."""

    system: HornSystem
    facts: Summaries
    oracle: Oracle
    refuted: bool = False
    _near: dict[str, list[Term]] = field(default_factory=dict)
    _last: dict[str, list[Term]] | None = None

    def summaries(self) -> Summaries:
        return {
            name: terms.conjunction([self.facts.get(name, terms.TRUE), *map(terms.negation, self._near.get(name, ()))])
            for name in self.system.predicate
        }

    def step(self) -> dict[str, list[Term]] | None:
        """What is new among the states that are one step further away; None if that could not be found out."""
        found: dict[str, list[Term]] = {}
        for clause, after in self._leading():
            if not clause.body:
                match self.oracle.check(clause.constraint, after, kind="induction", seconds=CHECK_SECONDS):
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
        return project_exact(self.oracle, formula, fresh.variables, STEP_SECONDS)

    def _is_new(self, name: str, there: Term) -> bool | None:
        others: Sequence[Term] = [terms.negation(each) for each in self._near.get(name, ())]
        match self.oracle.check(there, *others, kind="induction", seconds=CHECK_SECONDS):
            case Sat():
                return True
            case Unsat():
                return False
        return None
