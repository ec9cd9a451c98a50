"""A pass's result and the way back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from sorrel.horn.clause import Clause
from sorrel.horn.recursion import NOTHING, Recursion
from sorrel.horn.recursion import joined as joined_recursion
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Derivation, Ranks, Safe, Step, Summaries, Terminating, Unknown, Unsafe, Verdict
from sorrel.logic import terms, walk
from sorrel.logic.evaluate import evaluate
from sorrel.logic.terms import Term
from sorrel.model.errors import InternalError
from sorrel.model.values import dataclass
from sorrel.smt.solver import Oracle

LiftSummaries = Callable[[Summaries, Oracle], Summaries]
LiftDerivation = Callable[[Derivation], Derivation]
LiftRanks = Callable[[Ranks], Ranks]


@dataclass(frozen=True, slots=True)
class Transformed:
    """`system` has a solution exactly if the system it was made from has one.

    `summaries` extends a solution of `system` to one of its origin; `derivation` does so for refutations, and `ranks`
    for obligations, which most passes leave as they are. Where it is not `exact`, the origin may have a solution
    although `system` has none: a refutation then says nothing.
    """

    system: HornSystem
    summaries: LiftSummaries
    derivation: LiftDerivation
    exact: bool = True
    ranks: LiftRanks = lambda ranks: ranks
    recursion: Recursion = NOTHING
    """Functions over datatypes that lifted summaries speak of."""

    def lift(self, verdict: Verdict, oracle: Oracle) -> Verdict:
        match verdict:
            case Safe(found):
                together = joined_recursion([self.recursion, verdict.recursion])
                return replace(verdict, summaries=self.summaries(found, oracle), recursion=together)
            case Terminating(found, ranks):
                return replace(verdict, summaries=self.summaries(found, oracle), ranks=self.ranks(ranks))
            case Unsafe(derivation):
                if not self.exact:
                    raise InternalError("a refutation of weaker clauses says nothing")
                return replace(verdict, derivation=self.derivation(derivation))
            case Unknown(facts=found):
                return replace(verdict, facts=self.summaries(found, oracle)) if found else verdict


def unchanged(system: HornSystem) -> Transformed:
    return Transformed(system, lambda summaries, _: summaries, lambda derivation: derivation)


def compose(system: HornSystem, passes: Sequence[Callable[[HornSystem], Transformed]]) -> Transformed:
    """All passes one after the other, and all lifts in the opposite order."""
    stages: list[Transformed] = []
    for run in passes:
        stages.append(run(stages[-1].system if stages else system))
    return joined(stages) if stages else unchanged(system)


def joined(stages: Sequence[Transformed]) -> Transformed:
    """Stages of which each was made from the system of the one before."""

    def summaries(found: Summaries, oracle: Oracle) -> Summaries:
        for stage in reversed(stages):
            found = stage.summaries(found, oracle)
        return found

    def derivation(found: Derivation) -> Derivation:
        for stage in reversed(stages):
            found = stage.derivation(found)
        return found

    def ranks(found: Ranks) -> Ranks:
        for stage in reversed(stages):
            found = stage.ranks(found)
        return found

    return Transformed(
        stages[-1].system,
        summaries,
        derivation,
        all(stage.exact for stage in stages),
        ranks,
        joined_recursion([stage.recursion for stage in stages]),
    )


def complete(
    clause: Clause, values: Mapping[Term, Term], premises: Sequence[tuple[Term, ...]] = ()
) -> dict[Term, Term]:
    """Values for all variables of the clause: known ones, those that the facts of its body show, else any.

    A variable that is not known and in no fact was dropped because nothing depends on it.
    """
    known = {variable.get_id(): value for variable, value in values.items()}
    for atom, fact in zip(clause.body, premises, strict=False):
        for argument, value in zip(atom.arguments, fact, strict=True):
            if terms.is_variable(argument):
                known.setdefault(argument.get_id(), value)
    return {v: known[v.get_id()] if v.get_id() in known else terms.default_value(v.sort()) for v in clause.variables}


def ground(term: Term, values: Sequence[tuple[Term, Term]]) -> Term:
    """The value of a term; a variable that a transformation made vanish may have any value."""
    result = evaluate(term, values)
    return evaluate(result, [(v, terms.default_value(v.sort())) for v in walk.free_variables(result)])


def replay(system: HornSystem, steps: Sequence[Step]) -> Derivation:
    """The steps with the values that earlier facts determine filled in."""
    done: list[Step] = []
    facts: list[tuple[Term, ...]] = []
    for step in steps:
        clause = system.clause[step.clause]
        values = complete(clause, step.values, [facts[p] for p in step.premises])
        done.append(Step(step.clause, values, step.premises))
        arguments = clause.head.arguments if clause.head else ()
        facts.append(tuple(evaluate(argument, values) for argument in arguments))
    return Derivation(tuple(done))
