"""Refinement types without a property: what can be proved about the functions of a program on their own."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace

from sorrel.encode.encoding import CONTRACT_SECONDS
from sorrel.encode.refinement.encoding import Encoding
from sorrel.encode.refinement.offering import offered
from sorrel.encode.refinement.types import RefinementTypes
from sorrel.evidence.door import InductiveFacts, accept
from sorrel.evidence.effort import Effort
from sorrel.explain.inference import infer
from sorrel.functional.program import Program
from sorrel.functional.simplify import simplified
from sorrel.functional.term import Function, subterms
from sorrel.horn.verdict import Summaries
from sorrel.methods.functional.attempts import DEEPEST, NO_OVERFLOW, interface
from sorrel.model.outcome import Answer, ContractKind, Outcome, ProgramContract
from sorrel.smt.solver import Oracle


def offered_types(program: Program, effort: Effort) -> Outcome:
    """Types over unbounded integers, whatever the arguments are, and whatever functions among them do."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), DEEPEST))
    simpler = simplified(program)
    encoding = offered(simpler)
    effort.sizes.update(system=encoding.system.statistics())
    inferred = infer(encoding.system, effort)
    outcome = accept(InductiveFacts(encoding.system, inferred.proved), effort)
    if outcome.answer is not Answer.SAFE:
        return outcome
    told = tuple(_told(simpler, encoding, inferred.told, effort))
    return replace(
        outcome,
        program_contracts=told,
        interface=interface(program, told),
        assumptions=(NO_OVERFLOW,),
    )


def _told(program: Program, encoding: Encoding, summaries: Summaries, effort: Effort) -> Iterator[ProgramContract]:
    clock = effort.clock.share(0.5, at_most=CONTRACT_SECONDS)
    types = RefinementTypes(encoding.shapes, summaries, Oracle(clock, effort.statistics, query_seconds=0.5))
    spans = {term.label: term.span for term in subterms(program.body) if isinstance(term, Function) and term.label}
    for name, names in program.offered.items():
        text = f"val {name} : {types.text(encoding.functions[name], names)}"
        yield ProgramContract(name, ContractKind.TYPE, spans[name], (text,))
