"""What a proof is worth, given what it takes for granted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sorrel.model.options import Options
from sorrel.model.outcome import Answer, Assumption, Cause, Outcome, Reason, Standing
from sorrel.model.property import Property


def judged(outcome: Outcome, options: Options) -> Outcome:
    """What a proof is worth, given what it takes for granted."""
    granted = tuple(replace(each, granted=each.kind in options.assuming) for each in outcome.assumptions)
    outcome = replace(outcome, assumptions=granted)
    weak = [each for each in granted if each.weakens]
    false = [each for each in weak if each.standing is Standing.REFUTED and not each.granted]
    unshown = [each for each in weak if not each.granted]
    if false:
        return replace(outcome, answer=Answer.UNKNOWN, reason=Reason(Cause.ASSUMPTION, _refutation(false[0])))
    if options.strict and unshown:
        told = "\n".join(f"  {each.text}" for each in unshown)
        why = f"a proof was found, but it rests on assumptions that are not proved:\n{told}"
        return replace(outcome, answer=Answer.UNKNOWN, reason=Reason(Cause.ASSUMPTION, why))
    return replace(outcome, answer=Answer.ASSUMING) if weak else outcome


def run_against(false: Assumption) -> Outcome:
    """The run in which an assumption does not hold, as the answer to whether it does."""
    return Outcome(Answer.UNSAFE, violation=false.violation, choices=false.choices, run=false.run)


def supported(proof: Outcome, support: Mapping[Assumption, Outcome], options: Options) -> Outcome:
    """A proof that is none, since assumptions do not hold, with a proof of each that assumes something else instead."""
    confirmed = bool(proof.confirmations) and all(each.accepted for each in proof.confirmations)
    is_proof = confirmed and proof.reason is not None and proof.reason.cause is Cause.ASSUMPTION
    if not is_proof or not all(each.answer.is_proof for each in support.values()):
        return proof
    left = [each for each in proof.assumptions if each not in support]
    for each in support.values():
        left += [more for more in each.assumptions if more.weakens and more not in left]
    return judged(replace(proof, answer=Answer.SAFE, reason=None, assumptions=tuple(left)), options)


def _refutation(false: Assumption) -> str:
    where = f": {false.violation.message} at {false.violation.span}" if false.violation else ""
    goal = next((goal for goal in Property if goal.kinds == {str(false.kind)}), None)
    hint = f"\n--property {goal} --replay shows the run with a compiler" if goal else ""
    told = f"a proof was found, but one of its assumptions does not hold: {false.text}{where}"
    return f"{told}{hint}; --assuming {false.kind} gives the answer under this assumption" if hint else told
