"""The clauses and obligations of a program's descent, by an engine that has ranks."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.descent import Descent
from sorrel.engines import registry
from sorrel.engines.engine import Circumstances, Engine
from sorrel.evidence.door import Solution, accept
from sorrel.evidence.effort import Effort
from sorrel.horn.verdict import Summaries, Terminating, Verdict
from sorrel.logic import terms
from sorrel.methods.termination.plan import PLAN
from sorrel.model.outcome import Answer, Outcome
from sorrel.smt.solver import Oracle
from sorrel.transform.arguments import remove_constant_arguments, remove_unused_arguments
from sorrel.transform.dead import remove_dead
from sorrel.transform.inline import inline
from sorrel.transform.lift import Transformed, compose

FACTS = "descent"
"""Under which name facts about the simplified clauses are kept with the question."""


class EndingQuestion(Protocol):
    """Whether a program ends, of whatever language it is."""

    known: dict[str, Summaries]

    @property
    def descent(self) -> Descent: ...

    def proved_to_end(self, outcome: Outcome, verdict: Terminating, effort: Effort) -> Outcome:
        """The outcome with ranks in the user's words."""


def simplified(made: Descent) -> Transformed:
    return compose(
        made.system,
        [remove_dead, remove_constant_arguments, remove_unused_arguments, inline, remove_dead, remove_unused_arguments],
    )


def by_engine(question: EndingQuestion, effort: Effort) -> Outcome:
    """The engine may combine several ranks, and starts from the facts that others have found."""
    effort.progress({"phase": effort.options.engine})
    simpler = simplified(question.descent)
    run = Circumstances(PLAN.kept_back.reserved(effort.clock), effort.statistics, effort.progress, effort.options.seed)
    facts = question.known.get(FACTS, {})
    seeds = {p.name: facts.get(p.name, terms.TRUE) for p in simpler.system.predicates}
    engine: Engine = registry.entry(effort.options.engine).load(effort.options.engine_options)
    return concluded(question, simpler, engine.solve(simpler.system, run, seeds), effort)


def concluded(question: EndingQuestion, simpler: Transformed, verdict: Verdict, effort: Effort) -> Outcome:
    """The verdict about simplified clauses as one about the program."""
    system = question.descent.system
    effort.sizes.update(system=system.statistics())
    lifted = simpler.lift(verdict, Oracle(effort.clock, effort.statistics))
    outcome = accept(Solution(system, lifted), effort)
    outcome = replace(outcome, arithmetic=str(Arithmetic.IDEAL))
    if outcome.answer is Answer.SAFE and isinstance(lifted, Terminating):
        return question.proved_to_end(outcome, lifted, effort)
    return outcome


def told_procedure(made: Descent, procedure: str) -> str:
    """A procedure as the user knows it: a loop by its place."""
    loop = made.loops.get(procedure)
    return f"the loop at {loop.span} in {loop.procedure}" if loop else f"calls of {procedure}"
