"""The engine: Horn clauses that are finite functions in, a verdict out."""

from __future__ import annotations

from sorrel.engines.cdnf.conjuncts import Conjunct
from sorrel.engines.cdnf.layout import Behaviour, Layout
from sorrel.engines.cdnf.options import CdnfOptions
from sorrel.engines.cdnf.plan import PLAN
from sorrel.engines.cdnf.search import Counts, OutOfTime, Proved, Search, Violated
from sorrel.engines.engine import Circumstances
from sorrel.finite.function import FiniteProgram, Property
from sorrel.finite.functional import NotFunctional, functions, nondeterministic
from sorrel.finite.simulate import RunStep, Simulator, stage_variables
from sorrel.horn.clause import Clause
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Derivation, Safe, Step, Summaries, Unknown, Unsafe, Verdict
from sorrel.logic import terms, words
from sorrel.logic.evaluate import evaluate
from sorrel.logic.listing import NotListed, width_of
from sorrel.logic.terms import Term
from sorrel.model.budget import Budget
from sorrel.model.errors import InternalError
from sorrel.model.outcome import Cause, Reason
from sorrel.smt.solver import Oracle


class Cdnf:
    """Its task is a system of Horn clauses over truth values and bit-vectors that are functions, with roles."""

    def __init__(self, options: CdnfOptions) -> None:
        self._options = options

    def unsupported(self, system: HornSystem) -> str:
        try:
            program = functions(system)
        except NotFunctional as problem:
            return f"cdnf learns summaries of finite functions: {problem}"
        if not program.functions:
            return "cdnf learns summaries of finite functions: there is none"
        return nondeterministic(
            program, Oracle(Budget(seconds=PLAN.functional).start(), query_seconds=PLAN.functional_question)
        )

    def solve(self, system: HornSystem, run: Circumstances, seeds: Summaries) -> Verdict:
        program = functions(system)
        search = Search(program, self._options, run)
        problem = _seed(search, program, seeds)
        if problem:
            return Unknown(Reason(Cause.UNSUPPORTED, problem))
        summary: tuple[Conjunct, ...] = ()
        notes: list[str] = []
        for wanted in program.properties:
            match search.prove(wanted):
                case Proved(conjuncts, by):
                    summary = conjuncts
                    notes.append(f"{wanted.name}: by {by}")
                case Violated(behaviour):
                    derivation = _derivation(system, program, search.simulator, wanted, behaviour)
                    return Unsafe(derivation, (*notes, f"{wanted.name}: refuted by a run", _told(search.counts)))
                case OutOfTime():
                    facts = _summaries(program, summary) if notes else {}
                    reason = Reason(Cause.TIME, f"time ran out on {wanted.name} ({_told(search.counts)})")
                    return Unknown(reason, facts, tuple(notes))
        return Safe(_summaries(program, summary), (*notes, _told(search.counts)))


def _seed(search: Search, program: FiniteProgram, seeds: Summaries) -> str:
    for function in program.functions:
        for formula in terms.conjuncts(seeds.get(function.name, terms.TRUE)):
            try:
                search.assume_known(function, formula)
            except NotListed as problem:
                return f"a seed for {function.name}: {problem}"
    return ""


def _told(counts: Counts) -> str:
    told = f"{counts.membership} membership and {counts.equivalence} equivalence queries"
    more = {"facts": counts.facts, "clauses": counts.clauses, "forgotten base points": counts.forgotten}
    return ", ".join([told, *(f"{number} {what}" for what, number in more.items() if number)])


def _summaries(program: FiniteProgram, summary: tuple[Conjunct, ...]) -> Summaries:
    layout = Layout(program)
    return {f.name: terms.conjunction(conjunct.term(layout, f) for conjunct in summary) for f in program.functions}


def _derivation(
    system: HornSystem, program: FiniteProgram, simulator: Simulator, wanted: Property, behaviour: Behaviour
) -> Derivation:
    """The run as ground steps, callees first, and the query that it answers."""
    steps = [_step(program, step) for step in simulator.trace(behaviour.function, behaviour.arguments)]
    query = system.clause[wanted.name]
    steps.append(Step(query.name, _query_values(query, behaviour, system), (len(steps) - 1,)))
    return Derivation(tuple(steps))


def _step(program: FiniteProgram, step: RunStep) -> Step:
    variables = stage_variables(program.function[step.function], step.path)
    values = [(v, _value(v, number)) for v, number in zip(variables, step.values, strict=True)]
    return Step(step.path.name, {v: evaluate(term, values) for v, term in step.path.values}, step.premises)


def _query_values(query: Clause, behaviour: Behaviour, system: HornSystem) -> dict[Term, Term]:
    """Arguments of the query's call that are variables get the values of the behaviour, in the predicate's order."""
    (atom,) = query.body
    inputs, outputs = iter(behaviour.arguments), iter(behaviour.results)
    found: dict[Term, Term] = {}
    for argument, declared in zip(atom.arguments, atom.predicate.arguments, strict=True):
        number = next(inputs if declared.role == "input" else outputs)
        if terms.is_variable(argument) and argument not in found:
            found[argument] = _value(argument, number)
    if len(found) != len(query.variables):
        raise InternalError(f"query {query.name} has a variable without a value")
    return found


def _value(variable: Term, number: int) -> Term:
    return words.number(number, width_of(variable.sort()))
