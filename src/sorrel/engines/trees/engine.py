"""Learn, check, learn again: where a clause fails, an implication between points is known that later trees obey."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sorrel.engines.engine import Circumstances
from sorrel.engines.options import TREES, TreesOptions
from sorrel.engines.prepared import TOO_WEAK, joined, solve_prepared, strengthened
from sorrel.engines.trees.learner import Learner
from sorrel.engines.trees.plan import PLAN
from sorrel.engines.trees.samples import Samples
from sorrel.guess.runs import states
from sorrel.horn.clause import Clause
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Safe, Summaries, Unknown, Unsafe, Verdict
from sorrel.logic import operations, terms
from sorrel.logic.compiled import Cells, Concrete
from sorrel.logic.evaluate import Model, assignment_from
from sorrel.logic.terms import Term
from sorrel.model.outcome import Cause, Reason
from sorrel.smt.solver import Sat, Session, Undecided
from sorrel.transform.simplify import simplify

NEAR = (3, 30, 1_000)
"""Values of counterexamples are looked for within these limits first: small ones are alike, and there are few."""
MOST_MET = 150
"""Points of a predicate that runs of the clauses give to begin with."""
NUMBERS = (terms.INT, terms.BOOL, terms.REAL)
OTHERS = "trees supports numbers and truth values only"
SAME = Reason(Cause.INCOMPLETE, "no test that trees may ask separates the points")


class Trees:
    """Summaries as decision trees over sums of arguments, from implications between points (Horn-ICE)."""

    def __init__(self, options: TreesOptions) -> None:
        self._options = options

    def unsupported(self, system: HornSystem) -> str:
        if self._options.passes or _has_numbers_alone(system) or _has_numbers_alone(simplify(system).system):
            return ""
        return OTHERS

    def solve(self, system: HornSystem, run: Circumstances, seeds: Summaries) -> Verdict:
        def search(prepared: HornSystem, exact: bool) -> Verdict:
            verdict = self._solve(prepared, run)
            return verdict if exact or not isinstance(verdict, Unsafe) else Unknown(TOO_WEAK)

        found = solve_prepared(system, self._options.passes, run, seeds, run.oracle(), search)
        if found is not None:
            return found
        found = self._solve(strengthened(system, seeds), run)
        return replace(found, summaries=joined(found.summaries, seeds)) if isinstance(found, Safe) else found

    def _solve(self, system: HornSystem, run: Circumstances) -> Verdict:
        simpler = simplify(system)
        if not _has_numbers_alone(simpler.system):
            return Unknown(Reason(Cause.UNSUPPORTED, OTHERS))
        found = _learned(simpler.system, run, _met(simpler.system, run))
        if found is None:
            found = _learned(simpler.system, run, Samples())
        return simpler.lift(found or Unknown(SAME), run.oracle())


def _has_numbers_alone(system: HornSystem) -> bool:
    return all(sort in NUMBERS for predicate in system.predicates for sort in predicate.sorts)


def _met(system: HornSystem, run: Circumstances) -> Samples:
    """Samples that begin with states that runs of the clauses meet, where these are numbers."""
    samples = Samples()
    for name, met in (states(system, PLAN.states.of(run.clock), run.seed) or {}).items():
        sorts = system.predicate[name].sorts
        if all(sort in (terms.INT, terms.BOOL) for sort in sorts):
            for state in met[:: 1 + len(met) // MOST_MET]:
                samples.suppose(name, tuple(map(_value, state, sorts)))
    return samples


def _value(number: Concrete, sort: terms.Sort) -> Term:
    assert not isinstance(number, Cells)
    return operations.truth(bool(number)) if sort == terms.BOOL else terms.integer(number)


def _learned(system: HornSystem, run: Circumstances, samples: Samples) -> Verdict | None:
    """None if a query follows from points of which nobody knows how they are derived."""
    learner = Learner.of(system, samples)
    teachers = [_Teacher(clause, run) for clause in system.clauses]
    rounds = 0
    while not run.clock.expired():
        rounds += 1
        run.progress({"phase": "trees", "round": rounds, "points": len(samples.points)})
        candidate = learner.candidate(least=rounds % 2 == 0)
        if candidate is None:
            return Unknown(SAME)
        answers = [teacher.ask(candidate, samples) for teacher in teachers]
        if samples.refuted is not None:
            derivation = samples.derivation(samples.refuted)
            return None if derivation is None else Unsafe(derivation, by=TREES)
        if all(answer is True for answer in answers):
            return Safe(candidate, by=TREES)
        if not any(answer is False for answer in answers) and not run.clock.expired():
            return Unknown(Reason(Cause.INCOMPLETE, "the solver could not decide whether the trees are a solution"))
    return Unknown(Reason(Cause.TIME, f"no tree of {rounds} was a solution"))


class _Teacher:
    """One clause, told to a solver once."""

    def __init__(self, clause: Clause, run: Circumstances) -> None:
        self._clause = clause
        self._session: Session = run.oracle(PLAN.question).session("trees")
        self._session.add(clause.constraint)
        self._numbers = [variable for variable in clause.variables if terms.is_arithmetic(variable)]

    def ask(self, candidate: Summaries, samples: Samples) -> bool | None:
        """Does the clause hold of the candidate? If not, the samples know why; None if it is not known."""
        wrong = self._wrong(candidate)
        match self._session.check_with(wrong):
            case Sat(model):
                model = self._near(wrong) or model
                known = samples.add(self._clause, assignment_from(model, self._clause.variables))
                return False if known else None
            case Undecided():
                return None
        return True

    def _wrong(self, candidate: Summaries) -> list[Term]:
        head = self._clause.head
        parts = [terms.substitute(candidate[a.predicate.name], a.bind()) for a in self._clause.body]
        if head is not None:
            parts.append(terms.negation(terms.substitute(candidate[head.predicate.name], head.bind())))
        return parts

    def _near(self, wrong: Sequence[Term]) -> Model | None:
        for limit in NEAR if self._numbers else ():
            within = [part for each in self._numbers for part in (each <= limit, each >= -limit)]
            match self._session.check_with([*wrong, *within]):
                case Sat(model):
                    return model
        return None
