"""Refinement types without a property: what can be proved about the functions of a program on their own."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace

from sorrel.encode.refinement.offering import offered
from sorrel.evidence.door import InductiveFacts, accept
from sorrel.evidence.effort import Effort
from sorrel.explain.inference import infer
from sorrel.functional.program import Program
from sorrel.functional.simplify import simplified
from sorrel.functional.term import Function, subterms
from sorrel.functional.type import labels_of
from sorrel.guess.selection import select_plain
from sorrel.methods.functional.attempts import interface
from sorrel.methods.functional.plan import PLAN
from sorrel.methods.functional.question import DEEPEST, NO_OVERFLOW
from sorrel.methods.functional.telling import NamedFunction, contracts
from sorrel.model.outcome import Answer, Outcome
from sorrel.model.source import Source
from sorrel.smt.solver import Oracle


def offered_types(program: Program, sources: Sequence[Source], effort: Effort) -> Outcome:
    """Types over unbounded integers, whatever the arguments are, and whatever functions among them do."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), DEEPEST))
    simpler = simplified(program)
    encoding = offered(simpler)
    effort.sizes.update(system=encoding.system.statistics())
    inferred = infer(encoding.system, effort, select_plain)
    outcome = accept(InductiveFacts(encoding.system, inferred.proved), effort)
    if outcome.answer is not Answer.SAFE:
        return outcome
    clock = PLAN.offered.of(effort.clock)
    oracle = Oracle(clock, effort.statistics, query_seconds=PLAN.offered_question, measure_sizes=False)
    spans = {term.label: term.span for term in subterms(simpler.body) if isinstance(term, Function) and term.label}
    subjects = [
        NamedFunction(name, encoding.functions[name][0], names, spans[name], labels=labels_of(program.declared[name]))
        for name, names in program.offered.items()
    ]
    told = tuple(contracts(subjects, encoding, inferred.told, sources, oracle))
    return replace(
        outcome,
        program_contracts=told,
        interface=interface(program, told),
        assumptions=(NO_OVERFLOW,),
    )
