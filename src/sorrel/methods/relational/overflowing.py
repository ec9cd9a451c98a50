"""Laws of functions that overflow for some inputs: what they do then may violate the law.

In C a run that overflows may do anything, so that no law about it can be shown; one that holds with results that wrap
around is told with that as an assumption. Where it does not hold then either, the runs are a counterexample: compilers
that are asked to let results wrap around make them, and C promises nothing better.
"""

from __future__ import annotations

from dataclasses import replace

from sorrel.encode.arithmetic import Arithmetic
from sorrel.evidence.effort import Effort
from sorrel.explain.outline import outlined
from sorrel.horn.exchange import ALONE
from sorrel.methods.programs import ProgramQuestion
from sorrel.methods.relational.plan import PLAN
from sorrel.methods.safety import CheckedProgram, attempts
from sorrel.model.assumption import AssumptionKind
from sorrel.model.outcome import Answer, Outcome
from sorrel.program.statement import Kind

ENGINE = "spacer"


def weighed_by_overflow(question: ProgramQuestion, outcome: Outcome, effort: Effort) -> Outcome:
    """The outcome, unless its proof is about runs that do not overflow and others violate the law."""
    in_doubt = any(
        each.kind is AssumptionKind.OVERFLOW and each.weakens and not each.granted for each in outcome.assumptions
    )
    if not in_doubt or effort.clock.expired():
        return outcome
    effort.progress({"phase": "wrap-around"})
    own = replace(
        effort,
        options=replace(effort.options, engine=ENGINE, engine_options={}),
        clock=PLAN.overflowing.of(effort.clock),
        report=lambda _: None,
        proofs=[],
        brief=True,
        exchange=ALONE,
    )
    product = question.law.about_wrapping()
    found = attempts(
        CheckedProgram(product.program, product), (Arithmetic.RANGED, Arithmetic.EXACT), question.task, own
    )
    if found.answer is not Answer.UNSAFE:
        return outcome
    given = (each for each in outcome.assumptions if str(each.kind) not in set(Kind))
    told = replace(
        found,
        engine=outcome.engine,
        decided_by=f"{found.decided_by or ENGINE} with wrap-around",
        assumptions=(*given, *found.assumptions),
    )
    return outlined(told, question.checked, question.task.goal)
