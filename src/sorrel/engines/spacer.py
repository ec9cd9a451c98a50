"""Z3's Spacer as the reference engine, with evidence for each of its answers."""

from __future__ import annotations

from itertools import permutations

from sorrel.engines.engine import Run
from sorrel.engines.options import SpacerOptions
from sorrel.horn.clause import Clause
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Derivation, Safe, Step, Summaries, Unknown, Unsafe, Verdict
from sorrel.logic import terms
from sorrel.logic.evaluate import assignment_from, evaluate
from sorrel.logic.terms import Term
from sorrel.outcome import Cause, Reason
from sorrel.smt import fixedpoint
from sorrel.smt.fixedpoint import Fact
from sorrel.smt.recursion_free import is_solution
from sorrel.smt.solver import Oracle, Sat


class Spacer:
    """Spacer answers; a solution comes from its model, a derivation is rebuilt from the facts of its proof."""

    def __init__(self, options: SpacerOptions) -> None:
        self._options = options

    def unsupported(self, system: HornSystem) -> str:
        return "spacer has no well-foundedness obligations" if system.obligations else ""

    def solve(self, system: HornSystem, run: Run, seeds: Summaries) -> Verdict:
        oracle = run.oracle()
        seeded = _strengthen(system, seeds)
        run.progress({"phase": "spacer"})
        match fixedpoint.solve(seeded, oracle):
            case fixedpoint.Solved(summaries):
                return self._settle(system, seeded, summaries, seeds, oracle)
            case fixedpoint.Refuted():
                return self._derive(system, oracle, run)
            case fixedpoint.Undetermined(reason):
                return Unknown(_reason(reason))

    def _settle(
        self, system: HornSystem, seeded: HornSystem, summaries: Summaries, seeds: Summaries, oracle: Oracle
    ) -> Verdict:
        """z3's preprocessing sometimes returns a model that is not a solution: then ask without it."""
        found = _joined(summaries, seeds)
        if is_solution(system, found, oracle):
            return Safe(found)
        match fixedpoint.refute(seeded, oracle):
            case fixedpoint.Solved(again) if is_solution(system, _joined(again, seeds), oracle):
                return Safe(_joined(again, seeds))
        return Unknown(Reason(Cause.UNCONFIRMED, "Spacer says safe, but its model is not a solution"))

    def _derive(self, system: HornSystem, oracle: Oracle, run: Run) -> Verdict:
        """Spacer's answer is unsafe: search again for a proof that names the facts, then fill in the values."""
        run.progress({"phase": "derivation"})
        seconds = run.clock.remaining() * self._options.refute_share
        match fixedpoint.refute(system, oracle, seconds=seconds):
            case fixedpoint.Refuted(facts):
                derivation = rebuild(system, facts, oracle)
                if derivation is not None:
                    return Unsafe(derivation)
        return Unknown(Reason(Cause.UNCONFIRMED, "Spacer says unsafe, but its derivation could not be rebuilt"))


def _joined(summaries: Summaries, seeds: Summaries) -> Summaries:
    return {name: terms.conjunction([body, seeds.get(name, terms.TRUE)]) for name, body in summaries.items()}


def _strengthen(system: HornSystem, seeds: Summaries) -> HornSystem:
    """Known summaries assumed at every call: sound, because every derivable fact satisfies them."""
    if not seeds:
        return system
    clauses = []
    for clause in system.clauses:
        known = [terms.substitute(seeds[a.predicate.name], a.bind()) for a in clause.body if a.predicate.name in seeds]
        constraint = terms.conjunction([clause.constraint, *known])
        clauses.append(Clause(clause.name, clause.head, clause.body, constraint, clause.origin))
    return system.with_clauses(clauses)


def _reason(message: str) -> Reason:
    lowered = message.lower()
    if "timeout" in lowered or "canceled" in lowered or "time limit" in lowered:
        return Reason(Cause.TIME, "Spacer did not finish in time")
    if "memory" in lowered:
        return Reason(Cause.MEMORY, "Spacer ran out of memory")
    return Reason(Cause.INCOMPLETE, f"Spacer gave up: {message}")


def rebuild(system: HornSystem, facts: tuple[Fact, ...], oracle: Oracle) -> Derivation | None:
    """A ground derivation from facts that only say what follows from what: find each clause and its values."""
    steps: list[Step] = []
    conclusions: list[tuple[Term, ...]] = []
    for fact in facts:
        found = _find_step(system, fact, facts, conclusions, oracle)
        if found is None:
            return None
        clause, step = found
        steps.append(step)
        head = clause.head.arguments if clause.head else ()
        conclusions.append(tuple(evaluate(argument, step.values) for argument in head))
    return Derivation(tuple(steps)) if facts and facts[-1].predicate is None else None


def _find_step(
    system: HornSystem,
    fact: Fact,
    facts: tuple[Fact, ...],
    conclusions: list[tuple[Term, ...]],
    oracle: Oracle,
) -> tuple[Clause, Step] | None:
    candidates = system.queries if fact.predicate is None else system.defining[fact.predicate.name]
    wanted = sorted(_name(facts[p]) for p in fact.premises)
    for clause in candidates:
        if sorted(a.predicate.name for a in clause.body) != wanted:
            continue
        for order in dict.fromkeys(permutations(fact.premises)):
            if all(a.predicate.name == _name(facts[p]) for a, p in zip(clause.body, order, strict=True)):
                step = _fill(clause, fact, order, conclusions, oracle)
                if step is not None:
                    return clause, step
    return None


def _name(fact: Fact) -> str:
    return fact.predicate.name if fact.predicate else ""


def _fill(
    clause: Clause, fact: Fact, premises: tuple[int, ...], conclusions: list[tuple[Term, ...]], oracle: Oracle
) -> Step | None:
    """Values for the clause's variables such that its body is these premises and its head is the fact."""
    equations = [clause.constraint]
    for atom, premise in zip(clause.body, premises, strict=True):
        equations += [terms.equal(a, v) for a, v in zip(atom.arguments, conclusions[premise], strict=True)]
    if clause.head:
        given = zip(clause.head.arguments, fact.arguments, strict=True)
        # An argument that Spacer left open may have any value that fits.
        equations += [terms.equal(argument, value) for argument, value in given if terms.is_value(value)]
    match oracle.check(*equations, kind="rebuild"):
        case Sat(model):
            return Step(clause.name, assignment_from(model, clause.variables), premises)
    return None
