"""Evidence for people: contracts over named arguments, derivations as lists of facts."""

from __future__ import annotations

from sorrel.horn.system import HornSystem
from sorrel.horn.text import write_definition
from sorrel.horn.verdict import ROUND, Derivation, Ranks, Summaries
from sorrel.logic import terms
from sorrel.logic.evaluate import evaluate
from sorrel.logic.printing import infix
from sorrel.model.outcome import Contract, Ranking, TraceStep


def contracts(system: HornSystem, summaries: Summaries) -> tuple[Contract, ...]:
    return tuple(
        Contract(
            p.name,
            tuple(a.name for a in p.arguments),
            infix(summaries[p.name]),
            write_definition(p, summaries[p.name]),
        )
        for p in system.predicates
    )


def rankings(ranks: Ranks) -> tuple[Ranking, ...]:
    return tuple(Ranking(name, tuple(map(infix, rank.components))) for name, found in ranks.items() for rank in found)


def trace(system: HornSystem, derivation: Derivation) -> tuple[TraceStep, ...]:
    steps = []
    rounds = {number: loop.count for loop in derivation.loops for number in range(loop.first, loop.last + 1)}
    for number, step in enumerate(derivation.steps):
        clause = system.clause[step.clause]
        fact = "false"
        if clause.head:
            values = [infix(evaluate(argument, step.values)) for argument in clause.head.arguments]
            fact = f"{clause.head.predicate.name}({', '.join(values)})" if values else clause.head.predicate.name
        if number in rounds:
            fact = f"{fact.replace(terms.name_of(ROUND), 'i')} for i = 0, …, {rounds[number] - 1}"
        steps.append(TraceStep(fact, clause.name, str(clause.origin), step.premises))
    return tuple(steps)
